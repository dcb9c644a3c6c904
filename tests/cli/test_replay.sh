#!/bin/sh
# Repeats a run from its folder alone, the whole or one record, and lists differences in set-up and results.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

awk 'BEGIN { srand(3); for (i = 0; i < 60; i++) { y = i % 2 ? 1 : -1;
    printf "%.3f,%.3f,%d\n", rand() + 0.6 * y, rand(), y } }' >"$work/own.csv"
cat >"$work/config.json" <<EOF2
{
  "name": "again",
  "datasets": [{"name": "gauss", "n_train": 60, "n_test": 40, "generate": {"shape": "gaussians"}}, "heart", "titanic",
               {"name": "own", "file": "$work/own.csv"}],
  "splits": "1-4",
  "standardise": "none",
  "kernel": {"type": "rbf", "width": [5, 20]},
  "parameters": {"mu": [0.02, 0.4]},
  "solvers": ["clip-mdm", "mu-gsk"],
  "stop": {"rule": "rch-gap-both", "tolerance": 1e-3},
  "budget": {"iterations": 100},
  "trace": {"datasets": ["titanic", "own"], "splits": "1,3"}
}
EOF2

program run "$work/config.json" --out "$work/run" --quiet
cp -r "$work/run" "$work/kept"
mv "$work/config.json" "$work/config.away"
program replay "$work/run"
ended 0 0 && grep -q '^set-up: the same$' "$work/out" && grep -q '^results: the same$' "$work/out" &&
    grep -q '^again: 96 records repeated: 96 the same, 0 different$' "$work/out" && diff -r "$work/run" "$work/kept"
check "a run done again is the same, and its folder is left as it was"
for record in 0 50 95; do
    program replay "$work/run" --record "$record"
    if ! ended 0 0 || ! grep -q '^again: 1 records repeated: 1 the same, 0 different$' "$work/out"; then break; fi
done
ended 0 0 && diff -r "$work/run" "$work/kept"
check "so is one record"
for words in "--record 96" "--record -1" "--record x" "--record 1 --out $work/x"; do
    # shellcheck disable=SC2086 # words
    program replay "$work/run" $words
    if ! ended 2; then break; fi
done
ended 2 && [ ! -e "$work/x" ]
check "a record that is not there is refused"

program run "$work/config.away" --out "$work/part" --quiet --solvers mu-gsk --datasets titanic,own --splits 2-4 \
    --shard 2/3
program replay "$work/part" --out "$work/again" --jobs 1
ended 0 0 && same_files "$work/part/records.jsonl" "$work/again/records.jsonl" &&
    diff -r "$work/part/traces" "$work/again/traces" &&
    grep -q 'the second run is in' "$work/out"
check "restrictions and shards are those of the run; --out keeps the second run"
program replay "$work/part" --out "$work/again"
ended 2 1 && says "contains a finished run" && program replay "$work/part" --out "$work/again" --force && ended 0 0
check "a folder with a run is refused unless forced"
program replay "$work/part" --out "$work/part" --force
ended 2 1 && says "is the folder of the run itself" && [ -s "$work/part/records.jsonl" ]
check "the run itself is never overwritten"

# ---- results that differ ----
cp -r "$work/run" "$work/other" && unlist "$work/other"
sed '1s/"bias":\([^,]*\),/"bias":\11,/; 60s/"outcome":"[a-z-]*"/"outcome":"stalled"/; 60s/"predict":/"predict":1/' \
    "$work/run/records.jsonl" >"$work/other/records.jsonl"
echo >>"$work/other/traces/titanic-3-mu-gsk-2.tsv"
rm "$work/other/traces/titanic-1-mu-gsk-4.tsv"
program replay "$work/other"
ended 1 0 && grep -q '^results: different$' "$work/out" &&
    grep -q '^  record 0 (gauss, split 1, clip-mdm): bias: was .*1, is ' "$work/out" &&
    grep -q '^  record 59 (titanic, split [0-9], [a-z-]*): outcome: was "stalled", is "' "$work/out" &&
    grep -q '^  record 59 .*: kernel_operations.predict: was 1[0-9]*, is [0-9]*$' "$work/out" &&
    [ "$(grep -c '^  record' "$work/out")" -eq 5 ] && grep -q 'titanic, split 3, mu-gsk): trace: differs from line' \
    "$work/out" &&
    grep -q 'titanic, split 1, mu-gsk): trace: was missing$' "$work/out" &&
    grep -q "96 records repeated: 94 the same, 2 different; the second run is in $work/other/replay" "$work/out" &&
    same_files "$work/run/records.jsonl" "$work/other/replay/records.jsonl"
check "every member that differs is listed with both values, and so are traces; the second run is kept"
program replay "$work/other" --record 59
ended 1 0 && [ "$(grep -c '^  record 59 ' "$work/out")" -eq 2 ] && program replay "$work/other" --record 58 && ended 0 0
check "record by record, too"
cp -r "$work/run" "$work/digit" && unlist "$work/digit"
trace=traces/titanic-3-mu-gsk-2.tsv
lines=$(wc -l <"$work/run/$trace")
sed '$ y/0123456789/1234567890/' "$work/run/$trace" >"$work/digit/$trace"
[ "$(wc -c <"$work/digit/$trace")" -eq "$(wc -c <"$work/run/$trace")" ] && program replay "$work/digit" && ended 1 0 &&
    [ "$(grep -c '^  record' "$work/out")" -eq 1 ] &&
    grep -q "titanic, split 3, mu-gsk): trace: differs from line $lines on" "$work/out"
check "a trace of the same length with other digits differs, and the line is named"
sed '$d' "$work/run/$trace" >"$work/digit/$trace"
program replay "$work/digit"
ended 1 0 && [ "$(grep -c '^  record' "$work/out")" -eq 1 ] &&
    grep -q "titanic, split 3, mu-gsk): trace: differs from line $lines on" "$work/out"
check "so does a trace without its last line"
cp "$work/run/records.jsonl" "$work/other/records.jsonl"
rm -r "$work/other/traces" && cp -r "$work/run/traces" "$work/other/traces"
program replay "$work/other"
ended 0 0 && [ ! -e "$work/other/replay" ]
check "the replay of an earlier replay's folder is done anew"

sed 's/^{"schema":2,/{"schema":1,/' "$work/run/records.jsonl" >"$work/other/records.jsonl"
program replay "$work/other"
ended 0 0 && grep -q '^again: 96 records repeated: 96 the same, 0 different$' "$work/out"
check "records of schema 1 with the same values are the same"
sed '1s/"kernel_evaluations":/&9/' "$work/other/records.jsonl" >"$work/other/more" &&
    mv "$work/other/more" "$work/other/records.jsonl"
program replay "$work/other"
ended 1 0 && grep -q '^  record 0 .*: kernel_evaluations: was 9[0-9]*, is [0-9]*$' "$work/out" &&
    grep -q '96 records repeated: 95 the same, 1 different' "$work/out"
check "their counts of evaluations are compared"

# ---- set-up that differs ----
cp -r "$work/run" "$work/setup"
sed 's/"compiler":.*"/"compiler": "7.1"/; s/"gsl":.*"/"gsl": "1.0"/; s/"vector_width":.*"/"vector_width": "sse"/;
    s/"build":.*"/"build": "cc -O9"/; /"libc":/d' "$work/run/run.json" >"$work/setup/run.json"
compiler=$(sed -n 's/.*"compiler":[^"]*\("[^"]*"\).*/\1/p' "$work/run/run.json")
build=$(sed -n 's/.*"build":[^"]*\("[^"]*"\).*/\1/p' "$work/run/run.json")
program replay "$work/setup"
ended 0 0 && grep -q '^set-up: different$' "$work/out" && [ -n "$compiler" ] &&
    grep -qxF "  compiler: was \"7.1\", is $compiler" "$work/out" && [ -n "$build" ] &&
    grep -qxF "  build: was \"cc -O9\", is $build" "$work/out" &&
    grep -q '^  gsl: was "1.0", is "' "$work/out" && grep -q '^  machine.vector_width: was "sse", is "' "$work/out" &&
    grep -q '^  libc: was missing, is "' "$work/out" && [ "$(grep -c '^  ' "$work/out")" -eq 5 ] &&
    grep -q '^results: the same$' "$work/out"
check "other facts of the set-up are listed, and the status is that of the results"
HULLBENCH_LANES=generic "$hullbench" replay "$work/run" >"$work/out" 2>"$work/err"
status=$?
ended 0 0 && { grep -q '^  machine.vector_width: was ".*", is "generic"$' "$work/out" ||
    grep -q '"vector_width":.*"generic"' "$work/run/run.json"; }
check "so is the vector width"
sed 's/"iterations": 100/"iterations": 3/' "$work/run/config.json" >"$work/setup/config.json"
program replay "$work/setup"
ended 1 0 && grep -q '^  config.json: was changed after the run' "$work/out" &&
    grep -q ': iterations: was [0-9]*, is 3$' "$work/out" &&
    grep -q 'more lines (--all shows them)' "$work/out" && program replay "$work/setup" --all && ended 1 0 &&
    ! grep -q 'more lines' "$work/out"
check "a configuration that was changed since is said to be, with what comes of it"
sed 's/"rch-gap-both"/"no-such"/' "$work/run/config.json" >"$work/setup/config.json"
program replay "$work/setup"
ended 2 1 && says_at setup/config.json ": stop.rule: "
check "an error in the configuration names the file in the folder"
cat >"$work/short.json" <<'EOF2'
{"name": "short", "datasets": [{"name": "gauss", "n_train": 60, "n_test": 40, "generate": {"shape": "gaussians"}}],
 "splits": "1-2", "standardise": "none", "kernel": {"type": "rbf", "width": 5}, "parameters": {"mu": 0.4},
 "solvers": ["clip-mdm"], "stop": {"rule": "rch-gap", "tolerance": 1e-3}, "budget": {"iterations": 100}}
EOF2
program run "$work/short.json" --out "$work/two" --quiet
sed -i 's/"1-2"/"1-3"/' "$work/two/config.json"
program replay "$work/two"
only='the first record that only one side has is'
ended 1 0 && grep -q "^  2 records before, 3 now; $only record 2 (gauss, split 3, clip-mdm)$" "$work/out" &&
    sed -i 's/"1-3"/"1"/' "$work/two/config.json" && program replay "$work/two" --force && ended 1 0 &&
    grep -q "^  2 records before, 1 now; $only record 1$" "$work/out"
check "records that only one side has are counted, and the first is named"
cp "$work/own.csv" "$work/own.sound"
sed '7s/[0-9],\(-*1\)$/9,\1/; 8s/[0-9],\(-*1\)$/9,\1/' "$work/own.sound" >"$work/own.csv"
program replay "$work/run"
ended 1 0 && grep -q '^  data.own.sha256: was "[0-9a-f]*", is "[0-9a-f]*"$' "$work/out"
check "other data are a difference even where the results are not"
rm "$work/own.csv"
program replay "$work/run"
ended 3 1 && says "data of the run are missing: $work/own.csv: " && grep -q '^set-up: the same$' "$work/out" &&
    grep -q '^again: 64 records repeated: 64 the same, 0 different; 32 of other data sets not repeated$' "$work/out" &&
    [ ! -e "$work/run/replay" ]
check "without an own file the other data sets are repeated, the file is named, and the status is 3"
program replay "$work/run" --datasets gauss,titanic
ended 0 0 && grep -q '^again: 64 records .*; 32 of other' "$work/out"
check "only the data sets that are asked for are repeated"
program replay "$work/run" --datasets titanic --record 33
ended 0 0 && grep -q '^again: 1 records repeated: 1 the same, 0 different$' "$work/out"
check "also of one record"
for words in "own" "titanic --record 0"; do
    # shellcheck disable=SC2086 # words
    program replay "$work/run" --datasets $words
    ended 3 1
    check "what is missing or not asked for cannot be repeated: $words"
done
program replay "$work/run" --datasets titanik
ended 2 1 && says 'no data set "titanik"'
check "a data set that the run does not have is refused"
cp -r "$work/run" "$work/partly" && unlist "$work/partly"
sed -i '34s/"bias":\([^,]*\),/"bias":\11,/' "$work/partly/records.jsonl"
program replay "$work/partly" --datasets titanic
ended 1 0 && grep -q '^  record 33 (titanic, split [0-9], [a-z-]*): bias: ' "$work/out"
check "a difference names the record by its place in the original run"
mv "$work/own.sound" "$work/own.csv"
sed 's/"splits": "1-4",/"splits": "1-4", "make_missing": false,/' "$work/config.away" >"$work/strict.json"
program run "$work/strict.json" --out "$work/strict" --quiet
program replay "$work/strict"
ended 0 0 && [ "$(grep -c '"reason"' "$work/strict/run.json")" -eq 2 ] && grep -q ' 64 the same' "$work/out"
check "data that were missing then are not missed"
program_with_data run "$work/config.away" --out "$work/heart" --datasets heart --quiet
if [ "$status" -eq 0 ]; then
    program_with_data run "$work/config.away" --out "$work/read" --datasets titanic,gauss --quiet
    program replay "$work/read"
    ended 3 1 && says "data of the run are missing: titanic: no" && says searched && ! grep -q titanic "$work/out"
    check "a set that was read from a file is not generated instead"
    program replay "$work/heart"
    ended 3 1 && says "data of the run are missing: heart: no"
    check "data that are missing now end with status 3"
    program_with_data replay "$work/run"
    ended 1 0 && grep -q '^  data.titanic.sha256: was ' "$work/out" && ! grep -q 'heart' "$work/out"
    check "data that are found now and were not then stay out, but other data of the same name are seen"
else
    skip "data that are missing now end with status 3" "$no_data"
    skip "data that are found now and were not then stay out, but other data of the same name are seen" \
        "$no_data"
fi

# ---- interruptions, other folders ----
sed -e 's/"datasets": .*/"datasets": ["ringnorm"],/' -e '/"name": "own"/d' -e '/"trace":/d' \
    -e 's/"iterations": 100},/"iterations": 100}/' "$work/config.away" >"$work/longer.json"
program run "$work/longer.json" --out "$work/longer" --quiet
for _ in 1 2 3 4 5; do # a replay that comes to its end before the signal is repeated
    "$hullbench" replay "$work/longer" --jobs 1 --quiet >"$work/out" 2>"$work/err" &
    job=$!
    tries=0
    while { [ ! -e "$work/longer/replay/journal.jsonl" ] ||
        [ "$(wc -l <"$work/longer/replay/journal.jsonl")" -lt 5 ]; } && [ "$tries" -lt 500 ]; do
        sleep 0.01
        tries=$((tries + 1))
    done
    kill -s INT "$job" 2>/dev/null
    wait "$job"
    status=$?
    [ "$status" -ne 130 ] || break
done
[ "$status" -eq 130 ] && says "resumes it" && [ -s "$work/longer/replay/journal.jsonl" ] &&
    program replay "$work/longer" && ended 0 0 && [ ! -e "$work/longer/replay" ]
check "a replay that is interrupted goes on when it is called again"
program replay "$work/nowhere"
ended 2 1 && says "nowhere: no such folder"
check "a folder that is not there ends with status 2"
program replay
ended 2 && says "run folder"
check "a folder is asked for"
cp -r "$work/run" "$work/short" && sed -i '$d' "$work/short/records.jsonl"
program replay "$work/short"
ended 2 1 && says "has 95 lines, but run.json says 96 records"
check "records that end early are refused"
finish
