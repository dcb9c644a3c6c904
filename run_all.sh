#!/bin/sh
# Sets up, builds, finds or fetches the data, runs every experiment, and writes tables, verdicts, plots and a report.
# `./run_all.sh --help` tells the modes.
set -eu

usage() {
    cat <<'END'
Usage: ./run_all.sh [--quick | --test | --atlas] [--jobs N] [--out DIR] [--force]

  (no mode)   every configuration in configs/, tables, verdicts, plots and a report into results/
  --quick     the same on two splits a data set into results/quick/
  --test      build and run all tests; ends in "N passed, N failed"
  --atlas     the study of docs/atlas.md on one split of each data set into results/atlas/ (half an hour on two cores)
  --jobs N    threads (default: one a processor)
  --out DIR   where the results go (default: results, results/quick or results/atlas)
  --force     start anew where results of other data or another version stand

A run that was interrupted goes on where it was. Data are looked for along HULLBENCH_DATA (colon-separated folders),
then in datasets/cache; where the benchmark file is in neither, datasets/fetch.sh is tried once. Set HULLBENCH_FETCH=no
to forbid that.
END
}

mode=full jobs='' out='' force=''
while [ $# -gt 0 ]; do
    case $1 in
    --quick) mode=quick ;;
    --test) mode="test" ;;
    --atlas) mode=atlas ;;
    --jobs | --out)
        [ -n "${2-}" ] || { echo "run_all.sh: $1 needs a value" >&2; exit 2; }
        if [ "$1" = --jobs ]; then jobs=$2; else out=$2; fi
        shift
        ;;
    --force) force=--force ;;
    -h | --help) usage; exit 0 ;;
    *)
        echo "run_all.sh: unknown word \"$1\"; allowed: --quick --test --atlas --jobs N --out DIR --force --help" >&2
        exit 2
        ;;
    esac
    shift
done
case $jobs in
*[!0-9]* | 0) echo "run_all.sh: --jobs: \"$jobs\" is not a number from 1" >&2; exit 2 ;;
esac
case $out in
'' | /*) ;;
*) out=$PWD/$out ;;
esac
cd "$(dirname "$0")"

# Debian packages: to build and run; to test as well (the checks against R, MPFR and LIBSVM skip themselves without).
packages='gcc make pkg-config libc6-dev libgsl-dev libcjson-dev libmatio-dev libcsv-dev libmd-dev libmd4c-dev'
packages="$packages libmd4c-html0-dev zlib1g-dev libbz2-dev gnuplot-nox curl ca-certificates"
test_packages='libcmocka-dev libmpfr-dev liblzma-dev libsvm-dev libsvm-tools'

missing_packages() {
    for package in "$@"; do
        case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true) in
        *'ok installed') ;;
        *) printf ' %s' "$package" ;;
        esac
    done
}

set_up() {
    command -v dpkg-query >/dev/null || return 0 # not Debian: the build says what it lacks
    if [ "$mode" = test ]; then packages="$packages $test_packages"; fi
    # shellcheck disable=SC2086 # a list of words
    missing=$(missing_packages $packages)
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" = 0 ]; then
        as_root=''
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        as_root='sudo'
    else
        echo "Packages are missing. Install them with this line, then run this again:" >&2
        echo "sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing" >&2
        exit 4
    fi
    echo "Installing:$missing"
    log=$(mktemp)
    # shellcheck disable=SC2086 # lists of words
    if ! { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        echo "run_all.sh: the packages could not be installed:$missing" >&2
        exit 4
    fi
    rm -f "$log"
}

fetch_data() {
    [ "${HULLBENCH_FETCH:-yes}" = no ] && return 0
    case $(./hullbench list datasets) in
    *missing*) ;;
    *) return 0 ;;
    esac
    [ -e datasets/cache/.tried ] && return 0
    mkdir -p datasets/cache
    echo "Fetching the data sets that are not here"
    datasets/fetch.sh || {
        : >datasets/cache/.tried
        echo "The data could not be fetched: going on with what there is. datasets/fetch.sh tries again." >&2
    }
}

# --quick: two splits of everything, and less of what is long.
quick_words() {
    case $1 in
    sweep) echo --splits 1 --datasets titanic,heart,thyroid,twonorm ;;
    lopez2011-section5-free | barbero2008-figure1 | martinetz2003-bounds | martinetz2003-hard) echo --splits 1 ;;
    barbero2008-table2-large) echo --splits 1 --datasets banana,splice ;;
    barbero2008-history) echo --splits 1-2 --datasets breast-cancer,heart,thyroid ;;
    *) echo --splits 1-2 ;;
    esac
}

# Draws the figures of folders. That there is nothing to draw is no error.
draw() {
    ./hullbench plot "$@" >/dev/null || {
        status=$?
        [ $status = 3 ] || exit $status
    }
}

# Tables and figures of finished experiments are made by a process in the background while the next experiment runs. At
# most one such process runs at a time; with one thread there is none, and in_background makes them at once.
background=''

await_background() {
    [ -n "$background" ] || return 0
    wait "$background"
    background=''
}

in_background() {
    if [ "${jobs:-$processors}" = 1 ]; then
        "$@"
        return
    fi
    await_background
    "$@" &
    background=$!
}

# Nothing writes into the results after this script has ended, be it by a signal.
end() {
    status=$?
    trap - EXIT
    [ -z "$background" ] || wait "$background" || true
    exit "$status"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

tables_and_figures() {
    ./hullbench tables "$@" >/dev/null
    draw "$@"
}

# One experiment: run, tables, plots. Folders that feed printed tables get both at the end.
experiment() {
    config=$1 folder=$2
    shift 2
    if grep -q '"repeats"' "$config"; then await_background; fi # it measures times
    ./hullbench run "$config" --out "$folder" "$@" || {
        status=$?
        [ $status = 3 ] && return 0
        exit $status
    }
    grep -q '"tables"' "$config" || in_background tables_and_figures "$folder"
}

set_up
processors=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
if [ "$mode" = test ]; then
    exec make -s -j"${jobs:-$processors}" test
fi
make -s -j"${jobs:-$processors}" all
fetch_data

case $mode in
full) : "${out:=$PWD/results}" ;;
*) : "${out:=$PWD/results/$mode}" ;;
esac

# The part of the atlas that one machine runs (docs/cluster.md has the whole of it).
atlas_splits() {
    case $1 in
    atlas-families | atlas-shrinking) echo 1-2 ;;
    *) echo 1 ;;
    esac
}

if [ "$mode" = atlas ]; then
    for config in configs/atlas-*.json; do
        name=$(basename "$config" .json)
        [ "$name" != atlas-large ] || continue # hours
        # shellcheck disable=SC2086 # lists of words
        ./hullbench run "$config" --out "$out/$name" --splits "$(atlas_splits "$name")" $force \
            ${jobs:+--jobs "$jobs"} || {
            status=$?
            [ $status = 3 ] || exit $status
            continue
        }
    done
    # Folders that are looked at together; the growth of costs with N wants the generated sets alone.
    for part in linear square no-bias norm shrinking times families 'held-out held-out-files'; do
        folders=''
        for name in $part; do
            [ ! -e "$out/atlas-$name/run.json" ] || folders="$folders $out/atlas-$name"
        done
        pairs='' # solvers and what docs/atlas.md compares them with
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
        [ -z "$folders" ] || ./hullbench atlas $folders --out "$out/${part%% *}" $pairs
    done
    echo
    echo "Tables and figures: $out/linear/ and beside it"
    echo "To look at by hand: $out/linear/atlas.html and beside it"
    exit
fi

conforming='' finished=''
for config in configs/*.json; do
    name=$(basename "$config" .json)
    # Searches are for hullbench tune, the atlas for --atlas, the counts of ci for the tests.
    case $name in tune-* | atlas-* | ci) continue ;; esac
    case $mode/$name in quick/*-draws) continue ;; esac # they are the first splits again
    words=''
    [ "$mode" = quick ] && words=$(quick_words "$name")
    # shellcheck disable=SC2086 # lists of words
    experiment "$config" "$out/$name" $words $force ${jobs:+--jobs "$jobs"}
    [ ! -e "$out/$name/records.jsonl" ] || finished="$finished $out/$name"
    # shellcheck disable=SC2016 # a regular expression
    if grep -q '"tables"' "$config" && [ -e "$out/$name/records.jsonl" ]; then
        conforming="$conforming $out/$name"
    fi
done

# With all folders: a published table, its figure or a claim may need the records of several. The verdicts need every
# folder: the experiments that explain a deviation feed no table.
conclude() {
    # shellcheck disable=SC2086 # a list of folders
    [ -z "$conforming" ] || tables_and_figures $conforming
    verdict=0
    # shellcheck disable=SC2086 # a list of folders
    ./hullbench conform --json "$out/conform.json" $finished >"$out/conform.txt" || verdict=$?
    if [ "$verdict" = 2 ] || [ "$verdict" -gt 3 ]; then exit "$verdict"; fi
    echo "$verdict" >"$out/.verdict" # a variable of a background process is lost
}
in_background conclude

# A search for C and kernel width, tables and pictures included.
if [ "$mode" = quick ]; then search=tune-quick; else search=tune-2svm; fi
# shellcheck disable=SC2086 # lists of words
./hullbench tune "configs/$search.json" --out "$out/$search" $force ${jobs:+--jobs "$jobs"} || {
    status=$?
    [ $status = 3 ] || exit $status
}
await_background
verdict=$(cat "$out/.verdict")
rm "$out/.verdict"

# One page about all of it.
[ ! -e "$out/$search/run.json" ] || finished="$finished $out/$search"
# shellcheck disable=SC2086 # a list of folders
[ -z "$finished" ] || ./hullbench report $finished --out "$out/report.html" >/dev/null

echo
grep -E '^([a-z0-9]+[.]table|  marks|all|marks)' "$out/conform.txt" || true
echo
echo "Verdicts, cell by cell:  $out/conform.txt"
echo "Tables:                  $out/*/tables/   (.json .md .tex .csv)"
echo "Plots:                   $out/*/plots/    (.svg .png .pdf .gp .dat)"
echo "Search for C and width:  $out/$search/tune.md"
echo "All of it in one page:   $out/report.html"
echo "Records:                 $out/*/records.jsonl"
if [ "$mode" = full ]; then
    exit "$verdict"
fi
echo "Two splits decide little: the verdicts of --quick are for looking, not for counting."
