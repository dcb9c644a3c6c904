#!/bin/sh
# Without downloaded data the program measures the sets that it can generate, lists missing ones and says how to get
# them.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/tap.sh"

made="titanic twonorm ringnorm waveform"
absent="heart diabetis breast-cancer thyroid flare-solar splice image german banana"
config=$root/configs/lopez2011-tables-2-3.json
program run "$config" --out "$work/run" --splits 1 --jobs 2
ended 0
check "a run over thirteen data sets succeeds without data"
measured=$(sed 's/.*"dataset":"\([^"]*\)".*/\1/' "$work/run/records.jsonl" | sort -u | tr '\n' ' ')
[ "$measured" = "$(echo "$made" | tr ' ' '\n' | sort | tr '\n' ' ')" ] &&
    [ "$(wc -l <"$work/run/records.jsonl")" -eq 8 ] &&
    [ "$(grep -c '"split_source":"generated"' "$work/run/records.jsonl")" -eq 8 ]
check "the four sets made here are measured, and marked as generated"
unnamed=0
for name in $absent; do
    grep -q "^hullbench: missing data sets:.* $name\\( \\|\$\\)" "$work/err" || unnamed=$((unnamed + 1))
    grep -q "\"dataset\":.*\"$name\"" "$work/run/run.json" || unnamed=$((unnamed + 1))
done
[ "$unnamed" -eq 0 ]
check "the nine missing sets are named, on standard error and in run.json"
[ "$(grep -c 'datasets/fetch.sh' "$work/err")" -eq 1 ] && [ -f "$root/datasets/fetch.sh" ]
check "the one command that gets them is named once"

program tables "$work/run"
ended 0
check "tables are written without data"
unmarked=0
for name in $absent; do
    grep "^| $name " "$work/run/tables/lopez2011.table3.md" | grep -q 'data missing' || unmarked=$((unmarked + 1))
done
for name in $made; do
    grep "^| $name " "$work/run/tables/lopez2011.table3.md" | grep -q 'data missing' && unmarked=$((unmarked + 1))
done
[ "$unmarked" -eq 0 ]
check "the tables keep the rows of missing sets, marked \"data missing\""

program run "$config" --out "$work/nothing" --datasets heart,banana --quiet
ended 3 1 && says "nothing to measure" && says "datasets/fetch.sh" && [ ! -e "$work/nothing" ]
check "a run of missing sets only ends with status 3 and makes no folder"
program run "$config" --datasets heart,banana --dry-run
ended 0 && [ "$(grep -c ' missing$' "$work/out")" -eq 2 ]
check "a dry run shows them as missing"
program solve --solver mdm --dataset heart
ended 3 1 && says "datasets/fetch.sh" && [ ! -s "$work/out" ]
check "solve on a missing set ends with status 3"
sed 's/"seed": 1,/"seed": 1, "make_missing": false,/' "$config" >"$work/unmade.json"
program run "$work/unmade.json" --out "$work/nothing" --quiet
ended 3 1 && [ ! -e "$work/nothing" ]
check "with make_missing false nothing is made, so nothing is measured"
program list datasets
ended 0 && [ "$(grep -c 'made here$' "$work/out")" -eq 4 ] &&
    [ "$(grep -c 'missing; run datasets/fetch.sh$' "$work/out")" -ge 11 ]
check "list datasets tells which sets are made and which are missing"
finish
