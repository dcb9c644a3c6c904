#!/bin/sh
# A run can be killed at any moment, or its journal truncated: the same command resumes it to the same bytes. A finished
# run is never overwritten unasked.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

cat >"$work/config.json" <<'EOF'
{
  "name": "resume",
  "datasets": ["twonorm", "titanic"],
  "splits": "1-2",
  "standardise": "full-set",
  "kernel": {"type": "rbf", "width": [1, 5, 20, 60]},
  "parameters": {"mu": [0.02, 0.1, 0.4]},
  "solvers": ["clip-mdm", "mu-gsk", "minkowski-clip-mdm"],
  "stop": {"rule": "rch-gap-both", "tolerance": 1e-3},
  "budget": {"iterations": 300},
  "trace": {"datasets": ["titanic"], "splits": "1"},
  "repeats": 2
}
EOF

# start_on FOLDER CONFIG: starts the run in the background, as process $job.
start_on() {
    "$hullbench" run "$2" --out "$work/$1" --jobs 2 --quiet >"$work/out" 2>"$work/err" &
    job=$!
    cleaning="kill -9 $job 2>/dev/null"
}

start() {
    start_on "$1" "$work/config.json"
}

# The journal's lines except the first are finished jobs.
journalled() {
    [ -f "$work/$1/journal.jsonl" ] || { echo 0 && return; }
    echo $(($(wc -l <"$work/$1/journal.jsonl") - 1))
}

# wait_for FOLDER COUNT: waits until the journal has this many jobs, for at most ten seconds.
wait_for() {
    tries=0
    while [ "$(journalled "$1")" -lt "$2" ] && [ "$tries" -lt 500 ]; do
        sleep 0.02
        tries=$((tries + 1))
    done
    [ "$tries" -lt 500 ]
}

resume() {
    program run "$work/config.json" --out "$work/$1" --jobs 2 --quiet
    [ "$status" -eq 0 ] && same_files "$work/whole/records.jsonl" "$work/$1/records.jsonl" &&
        diff -r "$work/whole/traces" "$work/$1/traces" && [ ! -e "$work/$1/journal.jsonl" ] &&
        [ "$(grep -c '"repeats":2}}$' "$work/$1/timings.jsonl")" -eq "$jobs" ] &&
        [ -z "$(find "$work/$1" -name '*.tmp')" ]
}

program run "$work/config.json" --out "$work/whole" --jobs 2
jobs=$(wc -l <"$work/whole/records.jsonl")
[ "$status" -eq 0 ] && [ "$jobs" -eq 144 ] && [ ! -e "$work/whole/journal.jsonl" ]
check "an uninterrupted run has a record for each job and no journal left"

# Moments from a seed. Records appear all at once or not at all.
kills=0 early=0
moments=$(awk 'BEGIN { srand(7); for (i = 0; i < 12; i++) printf "%.3f ", 0.02 + 0.15 * rand() }')
for moment in $moments; do
    start killed
    sleep "$moment"
    kill -9 "$job" 2>/dev/null
    wait "$job" 2>/dev/null
    [ "$?" -eq 137 ] || break # 128 + 9; otherwise it had finished
    kills=$((kills + 1))
    [ ! -e "$work/killed/records.jsonl" ] || [ "$(wc -l <"$work/killed/records.jsonl")" -eq "$jobs" ] ||
        early=$((early + 1))
done
[ "$kills" -ge 3 ] && [ "$early" -eq 0 ]
check "records.jsonl is never there in part when the run is killed ($kills times)"
resume killed
check "a run killed again and again ends in the same bytes"

for signal in INT TERM; do
    start "$signal"
    wait_for "$signal" 20
    kill -s "$signal" "$job"
    wait "$job"
    status=$?
    # 128 + 2 and 128 + 15
    [ "$status" -eq "$([ "$signal" = INT ] && echo 130 || echo 143)" ] && says "resumes it" &&
        says "$signal: interrupted: $(journalled "$signal") of $jobs records are done" &&
        [ "$(journalled "$signal")" -ge 20 ] && [ ! -e "$work/$signal/records.jsonl" ]
    check "SIG$signal ends the run by that signal, with a message and the journal kept"
    part=$work/$signal/partial
    [ "$(wc -l <"$part/records.jsonl")" -eq "$(journalled "$signal")" ] &&
        grep -qF '"records":	'"$(journalled "$signal")," "$part/run.json" &&
        awk 'FNR == NR { at[$0] = FNR; next } !at[$0] || at[$0] <= last { bad = 1 } { last = at[$0] } END {
            exit bad }' \
            "$work/whole/records.jsonl" "$part/records.jsonl"
    check "the folder partial then has those records as they will stand, in their order"
    program tables "$part"
    ended 0 && says "$part: partial result: interrupted: $(journalled "$signal") of $jobs records" &&
        [ -s "$part/tables/summary.md" ]
    check "tables of it say that it is partial"
    rm -r "$part/tables"
    program run "$part/config.json" --out "$part"
    ended 2 1 && says "another plan, without some" && program merge --out "$work/merged" "$part" && ended 2 1
    check "nobody takes it for a finished run"
    resume "$signal" && [ ! -e "$part" ]
    check "a run ended by SIG$signal goes on to the same bytes"
done

# One solver that takes seconds between two iterations on 30000 patterns, next to a fast one.
awk 'BEGIN { srand(5); for (i = 0; i < 30000; i++) { y = i % 2 ? 1 : -1;
    for (k = 0; k < 20; k++) printf "%.3f,", 3 * rand() + y / 4; print y } }' \
    >"$work/large.csv"
cat >"$work/large.json" <<EOF
{"name": "large", "datasets": [{"name": "twonorm", "made": true}, {"name": "own", "file": "$work/large.csv",
 "n_train": 29000}],
 "splits": "1", "standardise": "none", "kernel": {"type": "rbf", "width": 5}, "parameters": {"mu": 0.5},
  "solvers": ["clip-mdm"],
 "stop": {"rule": "rch-gap", "tolerance": 1e-3}, "budget": {"iterations": 2}}
EOF
slow=0
for time in first second; do
    start_on large "$work/large.json"
    wait_for large 1
    sleep "$(sanitized && echo 5 || echo 0.3)"
    began=$(date +%s%N)
    kill -s TERM "$job"
    wait "$job"
    status=$?
    took=$((($(date +%s%N) - began) / 1000000))
    { [ "$status" -eq 143 ] && says "resumes it" && [ "$(journalled large)" -eq 1 ] &&
        [ "$took" -lt 1000 ]; } ||
        { slow=$((slow + 1)) && echo "# the $time took $took ms"; }
done
[ "$slow" -eq 0 ]
check "SIGTERM ends a run within a second where a solver can't be asked, with the journal kept, and again when it \
goes on"

start torn
wait_for torn 20
kill -s STOP "$job" # so that it does not end before the others try
program run "$work/config.json" --out "$work/torn" --jobs 1 --quiet
ended 2 1 && says "torn: process $job on $(uname -n) is writing to this folder"
check "a second writer is refused with the process that writes"
program run "$work/config.json" --out "$work/torn" --jobs 1 --quiet --force
ended 2 1 && says "process $job on"
check "a second writer is refused even with --force"
kill -s CONT "$job"
wait_for torn $((jobs * 2 / 3)) # late enough to leave little to repeat, early enough to be there before the run ends
kill -9 "$job" && wait "$job" 2>/dev/null
cleaning=:
cp -r "$work/torn" "$work/sound"
size=$(wc -c <"$work/sound/journal.jsonl")
bad=0
# The last line has some 900 bytes; the cuts are within it, at its end, in the line before it, and in the header.
cuts="1 300 1200 $((size - 30))" offsets=four
[ "${HULLBENCH_TESTS-}" != all ] || cuts="$cuts 2 7 40 600 895 $((size - 80))" offsets=ten
for cut in $cuts; do
    rm -rf "$work/torn" && cp -r "$work/sound" "$work/torn"
    head -c $((size - cut)) "$work/sound/journal.jsonl" >"$work/torn/journal.jsonl"
    resume torn || bad=$((bad + 1))
done
[ "$bad" -eq 0 ]
check "a journal truncated at any of $offsets offsets is resumed to the same bytes"

# damaged SENTENCE SED-COMMAND: reports the fifth line after this change.
damaged() {
    rm -rf "$work/torn" && cp -r "$work/sound" "$work/torn"
    sed "5$2" "$work/sound/journal.jsonl" >"$work/torn/journal.jsonl"
    cmp -s "$work/sound/journal.jsonl" "$work/torn/journal.jsonl" && echo "# $2 changes nothing" >>"$work/err"
    program run "$work/config.json" --out "$work/torn" --quiet
    ended 2 1 && says "torn/journal.jsonl:5: damaged record" && [ ! -e "$work/torn/records.jsonl" ]
    check "$1"
}
damaged "a damaged figure in the middle of the journal is refused with file and line" \
    's/"iterations":[0-9]/"iterations":x/'
damaged "a changed index in the middle of the journal is refused with file and line" 's/"index":/"index":1/'
damaged "changed seconds in the middle of the journal are refused with file and line" 's/"seconds":/"seconds":1/'
damaged "a line cut short in the middle of the journal is refused with file and line" 's/....$//'
# The line that identifies the run has no checksum: it is compared byte for byte.
headed() {
    rm -rf "$work/torn" && cp -r "$work/sound" "$work/torn"
    sed "1$2" "$work/sound/journal.jsonl" >"$work/torn/journal.jsonl"
    program run "$work/config.json" --out "$work/torn" --quiet
    ended 2 1 && says "torn/journal.jsonl:1: damaged"
    check "$1"
}
headed "a first line that does not name the program is refused" 's/"program"/"progran"/'
headed "a first line with something behind it is refused" 's/$/ /'
printf 'notes of mine' >"$work/torn/journal.jsonl"
program run "$work/config.json" --out "$work/torn" --quiet
ended 2 1 && says "torn/journal.jsonl:1: damaged" && grep -qx 'notes of mine' "$work/torn/journal.jsonl"
check "a file that is no journal is refused and left as it is"
sed 5d "$work/sound/journal.jsonl" >"$work/torn/journal.jsonl"
resume torn
check "after removing the damaged line the run goes on to the same bytes"

cp -r "$work/whole" "$work/again"
program run "$work/config.json" --out "$work/again" --jobs 2
ended 0 && grep -q 'already complete' "$work/out" && diff -r "$work/whole" "$work/again"
check "a finished run with the same command is left as it is"
touch "$work/again/journal.jsonl"
program run "$work/config.json" --out "$work/again" --jobs 2
ended 0 && grep -q 'already complete' "$work/out" && diff -r "$work/whole" "$work/again"
check "a journal that outlived its finished run is removed"
head -n 3 "$work/whole/records.jsonl" >"$work/again/records.jsonl"
program run "$work/config.json" --out "$work/again"
ended 2 1 && says "again/records.jsonl: has 3 lines, but run.json says $jobs" && program plot "$work/again" &&
    ended 2 1 && says "has 3 lines"
check "a finished run whose records were cut is not called complete, nor drawn"
rm "$work/again/records.jsonl"
resume again
check "records taken away from a finished run are computed again"

sed 's/"splits": "1-2"/"splits": "1"/; s/"1"}$/"1"}/' "$work/config.json" >"$work/other.json"
program run "$work/other.json" --out "$work/again" --quiet
ended 2 1 && says "again: 72 of its finished records are not in this plan" && says "--drop" &&
    diff "$work/whole/records.jsonl" "$work/again/records.jsonl" &&
    diff "$work/whole/config.json" "$work/again/config.json"
check "a finished folder whose records a plan lacks is refused and left as it is"
program run "$work/config.json" --out "$work/again" --splits 1 --quiet
ended 2 1 && says "--drop"
check "also if an option leaves them out"
touch "$work/again/traces/heart-1-mdm.tsv"
program run "$work/other.json" --out "$work/again" --quiet --force
ended 0 && [ "$(wc -l <"$work/again/records.jsonl")" -eq 72 ] && cmp -s "$work/other.json" "$work/again/config.json" &&
    [ ! -e "$work/again/traces/heart-1-mdm.tsv" ]
check "--force puts the other run in its place, traces included"
program run "$work/other.json" --out "$work/sound" --quiet
ended 2 1 && says "of its finished records are not in this plan"
check "also if the folder is unfinished"

# lose WHAT: a finished run whose run.json is damaged or missing
lose() {
    rm -rf "$work/lost" && cp -r "$work/whole" "$work/lost"
    case $1 in
        missing) rm "$work/lost/run.json" ;;
        cut) head -c 100 "$work/whole/run.json" >"$work/lost/run.json" ;;
        changed) sed -i '/"plan"/d' "$work/lost/run.json" ;;
        *) printf '%s' "$1" >"$work/lost/run.json" ;;
    esac
    cp -r "$work/lost" "$work/kept"
}
# kept VERB...: status 2 and one line that names the folder and --force; the folder is left as it is
kept() {
    program "$@"
    ended 2 1 && says "$work/lost" && says --force && diff -r "$work/kept" "$work/lost" >"$work/diff"
}
for what in missing cut changed '{}' '[]' ''; do
    lose "$what"
    for config in config other; do
        kept run "$work/$config.json" --out "$work/lost" --quiet
        check "a finished run whose run.json is ${what:-empty} is left as it is by the configuration $config.json"
    done
    program merge "$work/whole" --out "$work/lost"
    ended 2 1 && says --force && diff -r "$work/kept" "$work/lost" >"$work/diff"
    check "merge does not overwrite it either"
    rm -rf "$work/kept"
done
lose cut
program run "$work/config.json" --out "$work/lost" --quiet --force
ended 0 0 && same_files "$work/whole/records.jsonl" "$work/lost/records.jsonl" && [ -s "$work/lost/run.json" ]
check "--force replaces it"
rm "$work/lost/run.json"
program merge "$work/whole" --out "$work/lost" --force
ended 0 && [ -s "$work/lost/run.json" ]
check "so does merge --force"
rm -rf "$work/kept" "$work/replay" && cp -r "$work/whole" "$work/replay" && cp -r "$work/whole" "$work/replay/replay"
rm "$work/replay/replay/run.json" && cp -r "$work/replay/replay" "$work/kept"
for verb in "replay $work/replay" "replay $work/whole --out $work/replay/replay"; do
    # shellcheck disable=SC2086 # a verb and its words
    program $verb
    ended 2 && says run.json && says --force && diff -r "$work/kept" "$work/replay/replay" >"$work/diff"
    check "${verb%% *} does not overwrite one either"
done

# Another build of the program: the file with an additional byte, which still runs.
cp "$hullbench" "$work/rebuilt" && printf x >>"$work/rebuilt"
own=$hullbench
hullbench=$work/rebuilt
program run "$work/config.json" --out "$work/sound" --quiet
ended 2 1 && says "belongs to another run (another build of the program);"
check "an unfinished folder of another build of the program is refused"
cp -r "$work/whole" "$work/built"
program run "$work/config.json" --out "$work/built" --quiet
ended 2 1 && says "contains a finished run of another build of the program;" && diff -r "$work/whole" "$work/built"
check "a finished folder of another build of the program is refused and left as it is"
hullbench=$own

for verb in tables plot conform "check --baseline $root/baselines/ci.json" replay report; do
    # shellcheck disable=SC2086 # a verb and its words
    program $verb "$work/sound"
    ended 2 1 && says "sound: not finished: $(journalled sound) of $jobs parts are done" ||
        echo "$verb" >>"$work/unsaid"
done
[ ! -e "$work/unsaid" ]
check "verbs that read results say of an unfinished folder how far it came"

program run "$work/other.json" --out "$work/sound" --quiet --force
ended 0 && same_files "$work/again/records.jsonl" "$work/sound/records.jsonl"
check "--force drops the journal of another run"
finish
