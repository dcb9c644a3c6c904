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
# atlas-* for --atlas, sweep-full for --sweep, ci for the tests.
experiments() {
    for config in configs/*.json; do
        name=$(basename "$config" .json)
        case $mode/$name in
        */tune-* | */atlas-* | */sweep-full | */ci) ;;
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

# The runs that have begun and not been waited for: the last one and, while its last units run, the next.
last_pid='' next_pid=''

# Waits for all processes, so that nothing writes to the results after this script ends, also by a signal. Runs are
# interrupted; a signal to a process that has just begun may be lost, so it is repeated. hullbench ends within half a
# second.
end() {
    status=$?
    trap - EXIT
    for try in 1 2 3 4 5; do
        for pid in $last_pid $next_pid; do
            kill -TERM "$pid" 2>/dev/null || continue
            running=$try
        done
        [ "${running-}" = "$try" ] || break
        sleep 1
    done
    for pid in $last_pid $next_pid $background; do
        wait "$pid" || true
    done
    exit "$status"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

tables_and_figures() {
    "$hullbench" tables "$@" >/dev/null
    draw "$@"
}

# Starts a program with arguments as the next run, finishes the last one, and waits until the next has begun its last
# unit: then it closes file descriptor 3. The end of the process closes it in any case.
start() {
    mkdir -p "$out"
    rm -f "$out/.begun"
    mkfifo "$out/.begun"
    exec 4<>"$out/.begun"
    exec 5<"$out/.begun"
    rm "$out/.begun"
    "$@" 3>&4 4>&- 5<&- &
    next_pid=$!
    exec 4>&-
    finish_last
    cat <&5 >/dev/null &
    exec 5<&-
    wait $!
    last_pid=$next_pid
    next_pid=''
}

# Waits for the last run, then has its tables and figures written. Folders that a paper's table needs get both at the
# end. A run without records (status 3) is no error.
conforming='' finished=''
finish_last() {
    [ -n "$last_pid" ] || return 0
    status=0
    wait "$last_pid" || status=$?
    last_pid=''
    [ $status = 0 ] || [ $status = 3 ] || exit $status
    if [ -e "$last_folder/records.jsonl" ]; then finished="$finished $last_folder"; fi
    if ! grep -q '"tables"' "$last_config"; then
        [ $status = 3 ] || in_background tables_and_figures "$last_folder"
    elif [ -e "$last_folder/records.jsonl" ]; then
        conforming="$conforming $last_folder"
    fi
}

while read -r verb name options; do
    config=configs/$name.json
    if [ "$verb" = tune ]; then search=$name; continue; fi
    alone=no # a run that measures seconds, or has the only thread
    if [ "$jobs" = 1 ] || grep -q '^ *"repeats"' "$config"; then alone=yes; fi
    if [ $alone = yes ]; then
        finish_last
        await_background
    fi
    # shellcheck disable=SC2086 # a list of words
    start "$hullbench" run "$config" --out "$out/$name" $options "$@" --close-when-idle 3
    last_config=$config last_folder=$out/$name
    if [ $alone = yes ]; then finish_last; fi
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
if [ "$jobs" = 1 ]; then
    finish_last
    conclude
fi
"$hullbench" tune "configs/$search.json" --out "$out/$search" "$@" &
next_pid=$!
if [ "$jobs" != 1 ]; then
    finish_last
    in_background conclude
fi
status=0
wait "$next_pid" || status=$?
next_pid=''
[ $status = 0 ] || [ $status = 3 ] || exit $status
await_background
verdict=$(cat "$out/.verdict")
rm "$out/.verdict"

# One page with all results.
[ ! -e "$out/$search/run.json" ] || finished="$finished $out/$search"
# shellcheck disable=SC2086 # a list of folders
[ -z "$finished" ] || "$hullbench" report $finished --out "$out/report.html" >/dev/null

echo
sed '1,/^$/d' "$out/conform.txt" | grep -E '^([a-z0-9]+[.]table|  marks|all|marks)' || true # the summary at the end
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
