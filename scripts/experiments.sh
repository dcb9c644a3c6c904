#!/bin/sh
# Runs the experiments of run_all.sh, and writes tables, verdicts, figures and a report.
# Usage: HULLBENCH=PROGRAM scripts/experiments.sh full|quick DIR [--jobs N] [--force]
#        scripts/experiments.sh full|quick --list
set -eu
[ $# -gt 1 ] || { sed -n 's/^# \(Usage:.*\)/\1/p' "$0" >&2; exit 2; }
mode=$1 out=$2 hullbench=${HULLBENCH:-hullbench}
shift 2
cd "$(dirname "$0")/.."

# The verb, the name of the configuration, and the options of each run of this mode. tune-* are for hullbench tune,
# atlas-* for --atlas, ci for the tests.
experiments() {
    for config in configs/*.json; do
        name=$(basename "$config" .json)
        case $mode/$name in
        */tune-* | */atlas-* | */ci) ;;
        quick/*-draws | quick/*-folds) ;; # they would repeat the first splits
        quick/*) echo run "$name" --quick ;;
        *) echo run "$name" ;;
        esac
    done
    # A search for C and the kernel width, with its tables and figures.
    if [ "$mode" = quick ]; then echo tune tune-quick; else echo tune tune-2svm; fi
}
[ "$out" != --list ] || { experiments && exit; }

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) previous=''
for word; do
    [ "$previous" != --jobs ] || jobs=$word
    previous=$word
done

# Draws the figures of run folders. A folder without figures (status 3) is no error.
draw() {
    "$hullbench" plot "$@" >/dev/null || {
        status=$?
        [ $status = 3 ] || exit $status
    }
}

# A background process writes the tables and figures of a finished experiment while the next experiment runs. At most
# one such process runs at a time. With one thread there is none: in_background then runs its command at once.
background=''

await_background() {
    [ -n "$background" ] || return 0
    wait "$background"
    background=''
}

in_background() {
    if [ "$jobs" = 1 ]; then
        "$@"
        return
    fi
    await_background
    "$@" &
    background=$!
}

# Waits for the background process, so that nothing writes to the results after this script ends, also by a signal.
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
    "$hullbench" tables "$@" >/dev/null
    draw "$@"
}

# One experiment: its run, then its tables and figures. Folders that a paper's table needs get both at the end.
experiment() {
    config=$1 folder=$2
    shift 2
    if grep -q '"repeats"' "$config"; then await_background; fi # it measures seconds
    "$hullbench" run "$config" --out "$folder" "$@" || {
        status=$?
        [ $status = 3 ] && return 0
        exit $status
    }
    grep -q '"tables"' "$config" || in_background tables_and_figures "$folder"
}

conforming='' finished=''
while read -r verb name options; do
    config=configs/$name.json
    if [ "$verb" = tune ]; then search=$name; continue; fi
    # shellcheck disable=SC2086 # a list of words
    experiment "$config" "$out/$name" $options "$@"
    [ ! -e "$out/$name/records.jsonl" ] || finished="$finished $out/$name"
    # shellcheck disable=SC2016 # a regular expression
    if grep -q '"tables"' "$config" && [ -e "$out/$name/records.jsonl" ]; then
        conforming="$conforming $out/$name"
    fi
done <<END
$(experiments)
END

# Tables, figures and verdicts that need the records of several folders. conform gets every folder, because experiments
# that explain a deviation belong to no table.
conclude() {
    # shellcheck disable=SC2086 # a list of folders
    [ -z "$conforming" ] || tables_and_figures $conforming
    verdict=0
    # shellcheck disable=SC2086 # a list of folders
    "$hullbench" conform --json "$out/conform.json" $finished >"$out/conform.txt" || verdict=$?
    if [ "$verdict" = 2 ] || [ "$verdict" -gt 3 ]; then exit "$verdict"; fi
    echo "$verdict" >"$out/.verdict" # the background process cannot set a variable here
}
in_background conclude

"$hullbench" tune "configs/$search.json" --out "$out/$search" "$@" || {
    status=$?
    [ $status = 3 ] || exit $status
}
await_background
verdict=$(cat "$out/.verdict")
rm "$out/.verdict"

# One page with all results.
[ ! -e "$out/$search/run.json" ] || finished="$finished $out/$search"
# shellcheck disable=SC2086 # a list of folders
[ -z "$finished" ] || "$hullbench" report $finished --out "$out/report.html" >/dev/null

echo
grep -E '^([a-z0-9]+[.]table|  marks|all|marks)' "$out/conform.txt" || true
echo
echo "Verdicts, cell by cell:  $out/conform.txt"
echo "Tables:                  $out/*/tables/   (.json .md .tex .csv)"
echo "Plots:                   $out/*/plots/    (.svg .png .pdf .gp .dat)"
[ ! -e "$out/$search/tune.md" ] || echo "Search for C and width:  $out/$search/tune.md"
echo "Report on one page:      $out/report.html"
echo "Records:                 $out/*/records.jsonl"
if [ "$mode" = full ]; then
    exit "$verdict"
fi
echo "Two splits are too few for a conclusion: --quick shows what the output looks like."
