#!/bin/sh
# The study of docs/atlas.md on one or two splits of each data set, which one machine runs (docs/cluster.md runs all of
# them): runs the configurations configs/atlas-*.json, and analyses together the folders that belong together.
# Usage: HULLBENCH=PROGRAM scripts/atlas.sh DIR [--jobs N] [--force]
set -eu
[ $# -gt 0 ] || { echo "usage: HULLBENCH=PROGRAM scripts/atlas.sh DIR [--jobs N] [--force]" >&2; exit 2; }
out=$1 hullbench=${HULLBENCH:-hullbench}
shift
cd "$(dirname "$0")/.."

for config in configs/atlas-*.json; do
    name=$(basename "$config" .json)
    case $name in atlas-large | atlas-registered*) continue ;; esac # hours; docs/atlas-registered.md
    "$hullbench" run "$config" --out "$out/$name" --quick "$@" || {
        status=$?
        [ $status = 3 ] || exit $status
        continue
    }
done
# Folders that are analysed together. The growth of costs with N is measured on the generated sets alone.
for part in linear square no-bias norm shrinking times families 'held-out held-out-files'; do
    folders=''
    for name in $part; do
        [ ! -e "$out/atlas-$name/run.json" ] || folders="$folders $out/atlas-$name"
    done
    pairs='' # the pairs of solvers that docs/atlas.md compares
    case $part in
    linear | held-out*)
        for pair in 1-smo:clip-mdm second-order-smo:second-order-clip-mdm conjugate-smo:conjugate-clip-mdm \
            second-order-smo:conjugate-smo clip-mdm:conjugate-clip-mdm second-order-smo:planning-ahead-smo \
            second-order-smo:overshooting-smo second-order-smo:maximum-gain-smo clip-mdm:pairwise-fw \
            clip-mdm:away-fw clip-mdm:corrective-fw; do
            pairs="$pairs --pair $pair"
        done
        ;;
    esac
    # shellcheck disable=SC2086 # lists of folders and words
    [ -z "$folders" ] || "$hullbench" atlas $folders --out "$out/${part%% *}" $pairs
done
echo
echo "Tables and figures: $out/*/"
echo "Interactive pages:  $out/*/atlas.html"
