#!/bin/sh
# Without downloaded data the program measures the sets that it can generate, lists missing ones and says how to get
# them.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

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
    grep -q "^hullbench: missing data sets:.* ${name}[,:]" "$work/err" || unnamed=$((unnamed + 1))
    grep -q "\"dataset\":.*\"$name\"" "$work/run/run.json" || unnamed=$((unnamed + 1))
done
[ "$unnamed" -eq 0 ]
check "the nine missing sets are named, on standard error and in run.json"
[ "$(grep -c 'datasets/fetch.sh' "$work/err")" -eq 1 ] && [ -f "$root/datasets/fetch.sh" ]
check "the one command that gets them is named once"

grep -q '^hullbench: generated data sets, .*: titanic, twonorm, ringnorm, waveform$' "$work/err"
check "so are the sets that are generated in place of their originals"
program tables "$work/run"
ended 0
check "tables are written without data"
unnoted=''
for table in "$work"/run/tables/*.md; do
    case $table in *.table?.md | *.claims.md) continue ;; esac # the first have rows of missing sets
    grep -q '^Missing data sets: heart, diabetis, .*: no file' "$table" &&
        grep -q '^Generated data sets, .*: titanic, twonorm, ringnorm, waveform[.]' "$table" &&
        grep -q '"lacks":.*heart.*titanic' "${table%.md}.json" || unnoted="$unnoted ${table##*/}"
done
[ -z "$unnoted" ] && [ -s "$work/run/tables/summary.md" ]
check "each table names the missing and the generated sets:$unnoted"
unmarked=0
for name in $absent; do
    grep "^| $name " "$work/run/tables/lopez2011.table3.md" | grep -q 'data missing' || unmarked=$((unmarked + 1))
done
for name in $made; do
    grep "^| $name " "$work/run/tables/lopez2011.table3.md" | grep -q 'data missing' && unmarked=$((unmarked + 1))
done
[ "$unmarked" -eq 0 ]
check "the tables keep the rows of missing sets, marked \"data missing\""

warns() {
    says "hullbench: missing data sets: heart: no file" &&
        grep -q "^hullbench: generated data sets, .*: titanic$" "$work/err"
}
for part in 1 2; do
    program run "$config" --out "$work/part$part" --datasets heart,titanic --splits 1-2 --shard $part/2 --quiet
    ended 0 && [ ! -s "$work/out" ] && warns
    check "run --quiet names what part $part lacks"
done
program merge --out "$work/merged" "$work/part1" "$work/part2" --quiet
ended 0 && [ ! -s "$work/out" ] && warns
check "merge --quiet names what all parts lack"
program tables "$work/merged"
grep -q '^Missing data sets: heart: no file' "$work/merged/tables/summary.md"
check "so do the tables of the merged run"
program compare "$work/merged" --against mu-gsk --solver clip-mdm --quiet --out "$work/compared" --no-render
ended 0 && warns && grep -q 'Missing data sets: heart: no file' "$work/compared/compare.md"
check "so does compare --quiet, and its table"
sed 's/^    "titanic",/    {"name": "titanic", "synthetic": true},/' "$config" >"$work/wanted.json"
program run "$work/wanted.json" --out "$work/wanted" --datasets titanic --splits 1 --quiet
ended 0 0 && program tables "$work/wanted" && ended 0 && [ -s "$work/wanted/tables/summary.md" ] &&
    ! grep -q '^Generated' "$work/wanted/tables/summary.md"
check "a set that the configuration wants generated lacks nothing"

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
program list datasets --long
ended 0 && [ "$(grep -c 'made here$' "$work/out")" -eq 4 ] &&
    [ "$(grep -c 'missing; run datasets/fetch.sh$' "$work/out")" -ge 11 ]
check "list datasets tells which sets are made and which are missing"
finish
