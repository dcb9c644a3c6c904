#!/bin/sh
# Repeats: which times a run writes, that they survive resume, shards, merge and replay, that a nondeterministic solver
# is detected, and how compare and plot treat single runs. No time is asserted, only its presence.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
cd "$work" || exit 4

# config NAME [MEMBERS]: writes NAME.json.
config() {
    cat >"$1.json" <<END
{"name": "$1", "datasets": ["titanic", "twonorm"], "splits": "1-3", "standardise": "full-set",
 "kernel": {"type": "rbf", "width": 20}, "parameters": {"mu": 0.1}, "solvers": ["clip-mdm", "mu-gsk"],
 "stop": {"rule": "rch-gap", "tolerance": 1e-2}, "budget": {"iterations": 1000000},${2:-}
 "plots": [{"kind": "profile", "name": "times", "metric": "seconds"}, {"kind": "iterations"}]}
END
}
# repeated FOLDER COUNT: every line of timings.jsonl has all members that repeats add, in order.
repeated() {
    [ "$(wc -l <"$1/timings.jsonl")" -eq 12 ] && awk -F '[:,{}]' -v count="$2" '
        { for (i = 1; i <= NF; i++) value[$i] = $(i + 1)
          bad += value["\"repeats\""] != count || value["\"min\""] + 0 > value["\"median\""] + 0
          bad += value["\"median\""] + 0 > value["\"max\""] + 0 || value["\"min\""] + 0 <= 0
          bad += value["\"spread\""] + 0 < 0 || value["\"seconds\""] + 0 <= 0 }
        END { exit bad > 0 }' "$1/timings.jsonl"
}

config single
config five '"repeats": 5,'
program run single.json --out single --quiet
ended 0 0 && ! grep -q cpu_seconds single/timings.jsonl
check "a run without repeats has single shots"
program run five.json --out five
cp err note
ended 0 && sed 's/"five"/"single"/' five/records.jsonl | same_files single/records.jsonl /dev/stdin && repeated five 5
check "repeats leave the records alone, and give median, extremes and spread"
cp note err
unsteady=$(sed 's/.*"spread":\([0-9.]*\).*/\1/' five/timings.jsonl | awk '$1 > 0.1' | wc -l)
if [ "$unsteady" -eq 0 ]; then
    ended 0 0
else
    ended 0 1 && says "the times of $unsteady of 12 records vary by more"
fi
check "the summary says how many times spread by more than 10 %"
program run single.json --out other-times --repeats 2 --quiet
ended 0 0 && repeated other-times 2 && grep -q '"repeats":	2' other-times/run.json &&
    same_files single/records.jsonl other-times/records.jsonl
check "--repeats stands in place of the configuration's, and in run.json"
program run single.json --out other-times --repeats 3
ended 2 1 && says "other options"
check "another number of repeats is another run"
refused=0
for wrong in 0 1001 2.5 x; do
    program run single.json --out wrong --repeats "$wrong"
    [ "$status" -eq 2 ] && says "--repeats: \"$wrong\" is not a whole number from 1 to 1000" && refused=$((refused + 1))
done
[ "$refused" -eq 4 ] && [ ! -e wrong ]
check "what is no number of repeats is refused"

# ---- through shards and a replay; test_resume.sh covers the journal ----
for shard in 1 2; do
    program run single.json --out "shard$shard" --shard "$shard/2" --repeats 3 --quiet
done
program merge shard1 shard2 --out merged
ended 0 0 && repeated merged 3 && sed 's/.*"cpu_seconds"//' shard?/timings.jsonl | sort >parts &&
    sed 's/.*"cpu_seconds"//' merged/timings.jsonl | sort | same_files parts /dev/stdin
check "shards are merged with their times"
program run single.json --out other --shard 2/2 --repeats 2 --quiet
program merge shard1 other --out mixed
ended 2 1 && says "--repeats" && [ ! -e mixed/records.jsonl ]
check "shards of other repeats are not"
program replay merged
ended 0 0 && grep -q "12 the same, 0 different" out
check "a run with repeats is replayed"

# ---- two machines ----
# Both shards have repeats, so only the numbers of threads stand against a comparison. Every verb must see them.
program run single.json --out far --shard 2/2 --repeats 3 --quiet
sed -i 's/"threads":[[:space:]]*[0-9]*/"threads": 64/' far/run.json
program merge shard1 far --out apart
ended 0 && says "different machines or numbers of threads"
check "shards of two machines are merged with a note"
program merge shard1 shard2 --out together --quiet
ended 0 0
check "those of one are merged without"
cat >seconds.json <<'END'
{"name": "seconds", "rows": ["dataset"], "columns": ["solver"], "metrics": ["seconds"], "best_in": "row",
 "marks": {"against": "mu-gsk"}}
END
program tables together --spec seconds.json
ended 0 && grep -q '"best":[[:space:]]*true' together/tables/seconds.json &&
    ! grep -q '"times"' together/tables/seconds.json
check "times of one machine are compared in tables"
program tables apart --spec seconds.json
ended 0 && ! grep -q '"best":[[:space:]]*true' apart/tables/seconds.json &&
    grep -q 'Times are not compared: they were measured on .* and on .* with 64 threads' apart/tables/seconds.md
check "those of two are neither bold nor marked, with a note"
sed 's/"seconds"\]/{"metric": "seconds", "ratio_to": "mu-gsk"}]/' seconds.json >ratio.json
program tables apart --spec ratio.json
ended 2 1 && says "64 threads"
check "nor divided by each other"
program tables shard1 far --spec seconds.json
ended 0 && grep -q 'Times are not compared: .* with 64 threads' shard1/tables/seconds.md
check "nor compared between the folders"
program compare apart --against clip-mdm --solver mu-gsk --metric seconds
ended 2 1 && says "64 threads"
check "compare refuses them"
program plot apart --no-render
ended 0 && grep -q 'times not drawn: .*64 threads' err out && [ ! -e apart/plots/times.dat ]
check "no profile is drawn of them"
program export shard1 far --out both.csv
ended 0 1 && says "different machines or numbers of threads" && [ "$(wc -l <both.csv)" -eq 13 ]
check "and export says that they are"

# ---- results that depend on times ----
unlist single
sed -i 's/"seconds":[0-9.]*/"seconds":0.000020/' single/timings.jsonl # independent of this machine's load
program compare single --against clip-mdm --solver mu-gsk --out compared --no-render
ended 0 0 && grep -q 'Times are not compared: 12 of 12 times are single measurements below 1 ms; set "repeats"' out &&
    [ -s compared/compare.json ] && [ ! -e compared/compare-time.json ]
check "short single shots are not compared, and all else is"
program compare single --against clip-mdm --solver mu-gsk --metric seconds
ended 2 1 && says 'single measurements below 1 ms; set "repeats"'
check "asked for, they are refused"
program compare five --against clip-mdm --solver mu-gsk --metric seconds --out timed --no-render
ended 0 0 && head -1 out | grep -q 'ratio of time' && grep -q 'medians of the solvers. processor time' out &&
    [ -s timed/compare-time.json ]
check "repeats are compared, and the conclusion is about them"
program compare five --against clip-mdm --solver mu-gsk --metric time
[ "$status" -eq 2 ] && says '--metric: unknown value "time"; allowed: kernel-operations, iterations, seconds'
check "an unknown cost is refused"
program plot single --no-render
ended 0 && grep -q 'times not drawn: .*single measurements below 1 ms' err out && [ ! -e single/plots/times.dat ]
check "no profile is drawn of short single shots"
program plot five --no-render
ended 0 && grep -q 'processor time' five/plots/times.txt && [ -s five/plots/times.dat ]
check "one of repeats is"
finish
