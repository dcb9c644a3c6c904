#!/bin/sh
# The study of docs/atlas.md: runs the configurations configs/atlas-*.json, and analyses together the folders that
# belong together. Without --full it takes the first split of each data set, or the first two; with --full all ten.
# Interrupted, the same command resumes it.
# --slurm=N: only submits each configuration as N shards (scripts/slurm-run.sh); when the jobs have ended, the same
# command without it analyses their results. --bundle: also writes an archive of each run.
set -eu
usage='usage: HULLBENCH=PROGRAM scripts/atlas.sh DIR [--full] [--slurm=N] [--bundle] [--jobs N] [--force]'
[ $# -gt 0 ] || { echo "$usage" >&2; exit 2; }
out=$1 hullbench=${HULLBENCH:-hullbench} full='' shards='' bundle=''
shift
for option; do # the others are those of run
    shift
    case $option in
    --full) full=yes ;;
    --slurm=?*) shards=${option#*=} ;;
    --bundle) bundle=yes ;;
    *) set -- "$@" "$option" ;;
    esac
done
case $out in
-*) echo "$usage" >&2; exit 2 ;;
/*) ;;
*) out=$PWD/$out ;;
esac
cd "$(dirname "$0")/.."

# Hours of one thread for ten splits (docs/cluster.md). The full study has these configurations.
hours='linear 3.6, norm 0.4, families 0.4, square 0.2, shrinking 0.1, no-bias 0.3'
if [ "$full" ]; then
    echo "Hours of one thread, about: $hours. A repeated command resumes the runs."
fi
for config in configs/atlas-*.json; do
    name=$(basename "$config" .json)
    case $name in atlas-large | atlas-registered*) continue ;; esac # hours; docs/atlas-registered.md
    case "$full, $hours" in yes*", ${name#atlas-} "* | ,*) ;; *) continue ;; esac
    if [ "$shards" ]; then
        scripts/slurm-run.sh "$config" --shards "$shards" --out "$out/$name" "$@"
        continue
    fi
    # shellcheck disable=SC2046 # an option or none
    "$hullbench" run "$config" --out "$out/$name" $([ "$full" ] || echo --quick) "$@" || {
        status=$?
        [ $status = 3 ] || exit $status
        continue
    }
    [ -z "$bundle" ] || "$hullbench" bundle "$out/$name" --out "$out/$name.tar"
done
[ -z "$shards" ] || exit 0
# docs/atlas.md compares all solvers of atlas-linear but four slow ones; the tables of all are in all-solvers/.
lead=1-smo,second-order-smo,cycle-1-smo,planning-ahead-smo,maximum-gain-smo,overshooting-smo,conjugate-smo,packed-smo
lead=$lead,packed-second-order-smo,svm-light,clip-mdm,minkowski-clip-mdm,cycle-clip-mdm,second-order-clip-mdm
lead=$lead,conjugate-clip-mdm,minkowski-mu-gsk,away-fw,pairwise-fw,corrective-fw,swap-fw,wolfe-mnp,projected-gradient
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
    [ "$folders" ] || continue
    if [ "$part" = linear ]; then
        # shellcheck disable=SC2086 # a list of folders
        "$hullbench" atlas $folders --out "$out/all-solvers"
        folders="$folders --solvers $lead"
    fi
    # shellcheck disable=SC2086 # lists of folders and words
    "$hullbench" atlas $folders --out "$out/${part%% *}" $pairs
done
echo
echo "Tables and figures: $out/*/"
echo "Interactive pages:  $out/*/atlas.html"
