#!/bin/sh
# A run in the folder of an earlier plan repeats exactly the jobs that a change concerns, and its records are those of a
# run from nothing. Each ingredient is changed in turn.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
if ! python3 -c 1 2>/dev/null; then
    skip "records of an earlier plan are kept" "python3 is not installed" python3
    finish
fi
install_headers
program new-solver my-mdm --plugin
plugin mine 's/MDM on/My MDM on/'
awk 'BEGIN { for (i = 0; i < 60; i++) print i % 2 "," (i * 7) % 11 + 3 * (i % 2) "," i % 5 }' >own.csv
cat >config.json <<'END'
{"name": "c", "datasets": ["twonorm", {"name": "own", "file": "own.csv", "label_column": "1", "n_train": 40,
 "n_test": 20}], "splits": "1-2",
 "standardise": "full-set", "kernel": {"type": "rbf", "width": [20, 40]}, "stop": {"rule": "rch-gap-both", "tolerance":
 1e-3}, "parameters": {"mu": [0.05, 0.1]}, "solvers": ["clip-mdm", "my-mdm"], "budget": {"iterations": 60}}
END
# edit STATEMENTS: changes the configuration c
edit() {
    python3 -c 'import json, sys
c = json.load(open("config.json"))
exec(sys.argv[1])
json.dump(c, open("config.json", "w"))' "$1"
}
# keeps KEPT ALL TEXT SENTENCE [OPTIONS]: the run in the folder `grown` keeps so many of all records and runs TEXT; a
# dry run says so before, and changes nothing; afterwards the records are those of a run from nothing
keeps() {
    line="grown: $1 of $2 records kept; run: $3"
    sentence=$4
    shift 4
    sums=$(find grown -type f -exec cksum {} + | sort)
    program run config.json --plugin ./mine.so --out grown --dry-run "$@" && ended 0 && grep -qxF "$line" out &&
        [ "$(find grown -type f -exec cksum {} + | sort)" = "$sums" ] &&
        program run config.json --plugin ./mine.so --out grown "$@" && ended 0 && grep -qxF "$line" out &&
        program run config.json --plugin ./mine.so --out fresh --force --quiet "$@" && ended 0 &&
        same_files fresh/records.jsonl grown/records.jsonl &&
        program run config.json --plugin ./mine.so --out grown "$@" && ended 0 &&
        grep -q 'already complete' out && [ ! -e grown/journal.jsonl ]
    check "$sentence"
}
program run config.json --plugin ./mine.so --out grown --quiet
ended 0 && [ "$(wc -l <grown/records.jsonl)" -eq 32 ] && grep -q '"iteration-limit"' grown/records.jsonl
check "a run"

edit 'c = dict(reversed(c.items()), title="T", tables=[], gram_megabytes=c.get("gram_megabytes", 1024))
c.pop("gram_megabytes")'
keeps 32 32 none "title, tables and the order of keys repeat nothing"
edit 'c["solvers"].append("mu-gsk")'
keeps 32 48 "16 new" "a solver runs alone"
edit 'c["splits"] = "1-3"'
keeps 48 72 "24 new" "so does a split"
edit 'c["datasets"].append("titanic")'
keeps 72 108 "36 new" "and a data set"
edit 'c["parameters"]["mu"].append(0.2)'
keeps 108 162 "54 new" "and a value"
limited=$(grep -c '"iteration-limit"' grown/records.jsonl)
edit 'c["budget"]["iterations"] = 2000'
keeps $((162 - limited)) 162 "$limited whose budget has changed" "a larger budget repeats what had met it"
edit 'c["budget"]["iterations"] = 1000'
keeps $((162 - limited)) 162 "$limited whose budget has changed" "a smaller one repeats what was made with a larger one"
edit 'c["seed"] = 7'
program run config.json --plugin ./mine.so --out grown
ended 2 && says 'grown: contains a finished run of another configuration' && [ -e grown/run.json ]
check "where nothing is kept, the folder is refused and stays as it is"
edit 'c.pop("seed")'
plugin mine 's/MDM on/Our MDM on/'
keeps 108 162 "54 of a plugin that has changed" "another plugin repeats its jobs"
awk 'BEGIN { for (i = 0; i < 60; i++) print i % 2 "," (i * 7) % 11 + 2 * (i % 2) "," i % 5 }' >own.csv
keeps 108 162 "54 on data that have changed" "other data repeat those of the data set"
edit 'c["datasets"][1]["name"] = "mine"; c["datasets"].pop(2)'
keeps 54 108 "54 new; 108 finished records are not in this plan" "another name is another data set" --drop
edit 'c["trace"] = {"datasets": ["mine"], "splits": "1"}'
keeps 90 108 "18 to be traced" "jobs with traces run again"
[ "$(find grown/traces -name '*.tsv' | wc -l)" -eq 18 ]
check "and leave them"
edit 'c["repeats"] = 2; c.pop("trace")'
edit 'c["datasets"].append("titanic")'
program run config.json --plugin ./mine.so --out grown --dry-run
ended 0 && grep -qxF 'grown: 0 of 162 records kept; run: 54 new, 108 to be timed' out
check "repeats are measured anew"
edit 'c.pop("repeats")'
for change in 'c["swap_labels"] = True' 'c["seed"] = 7' 'c["training_order"] = "reversed"' \
    'c["standardise"] = "training"' 'c["support_vector_threshold"] = 1e-3'; do
    cp config.json kept.json
    edit "$change"
    key=$(echo "$change" | sed 's/c."\([a-z_]*\).*/\1/')
    program run config.json --plugin ./mine.so --out grown --dry-run
    ended 0 && grep -qxF "grown: 0 of 162 records kept; run: 54 new, 108 made with another \"$key\"" out
    check "$key repeats everything"
    mv kept.json config.json
done
keeps 108 162 "54 new" "and back"

# Restrictions.
program run config.json --plugin ./mine.so --solvers clip-mdm --out grown
ended 2 && says 'grown: 108 of its finished records are not in this plan' && says '--drop' && [ -e grown/run.json ]
check "a restricted run does not take the other records away"
rm -rf grown
program run config.json --plugin ./mine.so --solvers clip-mdm --out grown --quiet
keeps 54 162 "108 new" "what a restricted run has made is kept by the whole one"

# Failures may have their cause outside, so they are not kept.
plugin fails 's/^    double length2 = .*/    if (self->hull.n > 50 \&\& getenv("FAILS"))\n        abort();\n&/' \
    's/^#include <hullbench.*/&\n#include <stdlib.h>/'
edit 'c["solvers"] = ["clip-mdm", "my-mdm"]; c["datasets"] = ["twonorm"]; c["parameters"] = {"mu": [0.05]}'
FAILS=1 program run config.json --plugin ./fails.so --out failed --quiet
edit 'c["parameters"] = {"mu": [0.05, 0.1]}'
program run config.json --plugin ./fails.so --out failed
ended 0 && grep -q '^failed: 6 of 24 records kept; run: 12 new, 6 that failed$' out &&
    ! grep -q '"failed"' failed/records.jsonl
check "records that failed are made again"

# A run that meets a limit is judged there, so with a larger one it may go on.
edit 'c["solvers"] = ["second-order-smo"]; c["parameters"] = {"C": 100}
c["stop"] = {"rule": "svm-gap", "tolerance": 0.01}; c["budget"] = {"iterations": 100}
c["datasets"] = ["twonorm", "titanic"]'
program run config.json --out looked --quiet
edit 'c["budget"] = {"iterations": 2000}'
program run config.json --out looked --dry-run
ended 0 && grep -q '^looked: 0 of \([0-9]*\) records kept; run: \1 whose budget has changed$' out
check "a larger budget repeats what is judged at its end"

# Data sets of a manifest of the user's own, whose file stays as it is.
mkdir mine && cp own.csv mine/o.csv
edit 'c["datasets"] = ["mine", "twonorm"]; c["stop"] = {"rule": "delta", "tolerance": 1e-3}; c["solvers"] = ["1-smo"]'
# of_mine N_TRAIN [OPTIONS]
of_mine() {
    echo '{"datasets": [{"name": "mine", "file": "o.csv", "label_column": "1", "n_test": 10,
        "n_train": '"$1"'}]}' >mine/datasets.json
    shift
    HULLBENCH_DATA=$work/mine program run config.json "$@"
}
of_mine 40 --out manifest --quiet
edit 'c["title"] = "U"'
of_mine 30 --out manifest
ended 0 && grep -q '^manifest: 6 of 12 records kept; run: 6 on data that have changed$' out &&
    of_mine 30 --out fresh --force --quiet && same_files fresh/records.jsonl manifest/records.jsonl
check "other rows of the same file are other data"
of_mine 25 --out manifest
ended 0 && grep -q '^manifest: 6 of 12 records kept; run: 6 on data that have changed$' out &&
    of_mine 25 --out manifest && grep -q 'already complete' out
check "also if nothing else has changed"
edit 'c["seed"] = 8999999999999999; c["datasets"] = ["twonorm"]'
program run config.json --out seeds --quiet
edit 'c["seed"] += 1; c["solvers"].append("second-order-smo")'
program run config.json --out seeds --dry-run
ended 0 && grep -q '^seeds: 0 of ' out
check "seeds are compared exactly"

# Nothing is removed before what could fail.
edit 'c["seed"] -= 1'
: >seeds/partial
cksum seeds/* >sums
program run config.json --out seeds
ended 4 && says seeds/partial && cksum seeds/* | same_files sums /dev/stdin
check "a folder that cannot be prepared stays as it is"
rm seeds/partial

# An interrupted run.
edit 'c.pop("seed"); c["solvers"] = ["1-smo"]; c["parameters"] = {"C": [1, 10, 100]}
c["datasets"] = ["twonorm", "ringnorm", "waveform"]
c["splits"] = "1-4"; c["stop"] = {"rule": "delta", "tolerance": 1e-3}; c["budget"]["iterations"] = 10**7'
"$hullbench" run config.json --out killed --quiet >out 2>err &
job=$!
cleaning="kill -9 $job 2>/dev/null"
tries=0
while [ "$({ wc -l <killed/journal.jsonl; } 2>/dev/null || echo 0)" -lt 8 ] && [ "$tries" -lt 500 ]; do
    sleep 0.02
    tries=$((tries + 1))
done
kill -9 "$job"
wait "$job" 2>/dev/null
[ -e killed/journal.jsonl ] && [ ! -e killed/run.json ]
check "a run is killed"
done=$(($(tr -cd '\n' <killed/journal.jsonl | wc -c) - 1))
edit 'c["solvers"].append("second-order-smo")'
cp -r killed torn && sed -i '3s/"index":/"index":1/' torn/journal.jsonl && program run config.json --out torn
ended 2 && says 'torn/journal.jsonl:3: damaged'
check "a damaged line of its journal is named"
program run config.json --out killed
ended 0 && grep -q "^killed: $done of 144 records kept; run: $((144 - done)) new\$" out &&
    program run config.json --out fresh --force --quiet && same_files fresh/records.jsonl killed/records.jsonl
check "and goes on with another configuration"
printf ' ' >>killed/config.json
edit 'c["splits"] = "1-5"'
program run config.json --out killed
ended 2 1 && says 'killed: contains a finished run of another configuration'
check "results beside a changed configuration are not used"
sed -i 's/ $//' killed/config.json
for file in records timings; do
    rm -rf torn && cp -r killed torn && old=$(sha256sum <torn/$file.jsonl) && sed -i '2s/}$//' torn/$file.jsonl &&
        new=$(sha256sum <torn/$file.jsonl) && sed -i "s/${old%% *}/${new%% *}/" torn/run.json
    program run config.json --out torn
    ended 2 1 && says "torn/$file.jsonl:2: not one JSON object (column "
    check "a cut line of $file.jsonl is named with its column if run.json was edited to match it"
done
sed -i '1s/"iterations":[0-9]*/"iterations":1/' killed/records.jsonl
program run config.json --out killed
ended 2 1 && says 'killed/records.jsonl' && [ -e killed/run.json ]
check "nor are records that were edited"
program run config.json --out killed --force
ended 0 && ! grep -q 'are kept' out
check "--force repeats everything"
finish
