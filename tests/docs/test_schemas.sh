#!/bin/sh
# The JSON Schemas in schemas/: the files of the source tree, the examples of the documents and the files that the
# program writes are valid, and the schema of configurations refuses what the program refuses.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
python=''
for name in /usr/bin/python3 python3; do
    [ -n "$python" ] || ! "$name" -c 'from importlib.metadata import version
raise SystemExit(int(version("jsonschema").split(".")[0]) < 4)' 2>/dev/null || python=$name
done
if [ -z "$python" ]; then
    skip "files are valid against the schemas" "python3 with jsonschema 4 is not here" python3-jsonschema
    finish
fi

# schemas WORD...: check_schemas.py with these words; the faults are in err.
schemas() {
    "$python" "$root/tests/docs/check_schemas.py" "$root/schemas" "$@" >"$work/err" 2>&1
    status=$?
    [ "$status" -eq 0 ]
}

# but PATTERN FILE...: the files whose names do not match.
but() {
    pattern=$1
    shift
    printf '%s\n' "$@" | grep -Ev -- "$pattern"
}

# ---- the source tree ----
# The files that the pages let the reader write, as PAGE-NAME.
mkdir "$work/pages" && cd "$work/pages" || exit 4
awk 'FNR == 1 { name = ""; page = FILENAME; sub(/.*\//, "", page); sub(/\.md$/, "", page) }
    /^<!-- file .*\.json -->/ { name = $3; gsub("/", "-", name); name = page "-" name; begun = 0; next }
    name && /^    / { print substr($0, 5) >name; begun = 1; next }
    name && begun && !/^$/ { close(name); name = "" }' "$root"/README.md "$root"/docs/*.md "$root"/docs/*/*.md
cd "$root" || exit 4
but '-table\.json|-figures\.json|-papers-' "$work"/pages/*.json >"$work/list"
# shellcheck disable=SC2046,SC2016 # lists of files; a JSON pointer
[ "$(wc -l <"$work/list")" -ge 4 ] &&
    schemas check valid config $(cat "$work/list") configs/*.json configs/*/*.json docs/ci/*.json \
        -- valid paper $(but deviations papers/*.json "$work"/pages/*-papers-*.json) \
        -- valid deviations papers/*.deviations.json "$work"/pages/*.deviations.json \
        -- described baseline baselines/*.json -- described manifest datasets/manifest.json \
        -- valid 'config#/$defs/table' "$work"/pages/*-table.json -- valid figures "$work"/pages/*-figures.json
check "the files of the source tree and of the documents are valid"

# ---- files that the program writes ----
cd "$work" || exit 4
cat >families.json <<'EOF'
{"name": "families", "title": "One solver of each family", "splits": "1-2", "standardise": "none", "seed": 3,
 "datasets": [{"name": "titanic", "made": true}, {"name": "plane", "file": "wedge.csv", "n_train": 40, "n_test": 20},
              {"name": "gauss", "n_train": 50, "n_test": 20, "generate": {"shape": "gaussians", "density": 0.5}}],
 "kernel": {"type": "rbf", "width": {"times": [1], "per_dataset": {"titanic": 2, "default": 4}}},
 "parameters": {"mu": {"of_C": [1, 10]}, "C": {"log": {"from": 1, "to": 10, "count": 2}}, "shrinking": [true, false],
                "nu": 0.2},
 "solvers": ["mu-gsk", "clip-mdm", "away-fw", "interior-point", "1-smo", "2-smo", "svm-light", "conjugate-smo",
             "accelerated-mdm", "soft-max-minover", "munk", "m3", "kernel-adatron",
             {"name": "wolfe-mnp", "parameters": {"mu": 0.3}, "stop": {"rule": "iterations"},
              "budget": {"iterations": 3}}],
 "stop": {"rule": "duality-gap", "tolerance": [1e-1, 1e-2]}, "budget": {"iterations": 100, "kernel_matrices": 40},
 "trace": {"datasets": ["plane"], "splits": [1]}, "repeats": 2, "plots": [{"kind": "convergence"}],
 "tables": [{"name": "t", "rows": ["dataset"], "columns": ["solver", "settings"], "metrics": ["error"]}]}
EOF
cat >failed.json <<'EOF'
{"name": "failed", "datasets": [{"name": "titanic", "synthetic": true}], "splits": 1, "standardise": "none",
 "kernel": {"type": "polynomial", "degree": [64, 1], "scale": 1e300}, "parameters": {"mu": 1, "C": 1},
 "budget": {"iterations": 3},
 "solvers": ["clip-mdm", "1-smo", "2-smo"], "stop": {"rule": "duality-gap", "tolerance": 1e-3}, "make_missing": false}
EOF
cat >search.json <<'EOF'
{"name": "search", "datasets": [{"name": "titanic", "synthetic": true}], "standardise": "full-set",
 "kernel": {"type": "rbf"}, "solvers": ["2-smo"], "stop": {"rule": "delta", "tolerance": 1e-2},
 "tune": {"splits": 1, "folds": 2, "C": {"from": 1, "to": 2}, "width": {"from": 1, "to": 2, "scale": "log"},
          "grid": {"C": 2, "width": 2}, "cma-es": {"generations": 1, "start": "middle"}}}
EOF
cat >right.json <<'EOF'
{"name": "right", "seed": 1,
 "datasets": ["twonorm", {"name": "plane", "file": "wedge.csv"}],
 "splits": "1-2", "standardise": "none",
 "kernel": {"type": "rbf", "width": 4},
 "parameters": {"mu": 0.3, "C": 1},
 "solvers": ["clip-mdm", {"name": "1-smo", "stop": {"rule": "kkt", "tolerance": 1e-3}}],
 "stop": {"rule": "duality-gap", "tolerance": 1e-2}, "budget": {"iterations": 9},
 "trace": {"datasets": ["plane"], "splits": 1},
 "tables": [{"name": "t", "rows": ["dataset"], "columns": ["solver"], "metrics": ["error"]}]}
EOF
cp "$root/datasets/wedge.csv" .
for shard in 1 2; do
    program run families.json --out "shard-$shard" --shard "$shard/2" --quiet
    ended 0
    check "shard $shard of a run with traces"
done
program merge shard-1 shard-2 --out merged
ended 0 0 && program merge shard-2 --out part --partial && [ -s part/run.json ]
check "a merge, and one of some shards"
program run failed.json --out failed --quiet
[ "$(grep -c '"outcome":"failed","reason"' failed/records.jsonl)" -eq 3 ]
check "a run whose records failed"
program tune search.json --out search --no-render --quiet
ended 0 0
check "a search"
program check merged --baseline counts.json --update --message First --author me
program check failed --baseline other.json --update --message "Nothing converges" --author me
[ -s counts.json ] && [ -s other.json ]
check "reference counts"
grep -q '"merged_from"' merged/run.json && grep -q '"partial"' part/run.json && grep -q '"shards"' shard-1/run.json &&
    grep -q '"kkt_violation":[0-9.]' merged/records.jsonl && grep -q '"rch_mu":[0-9]' merged/records.jsonl
check "they have members that only some files have"
# The limit on the size of files ends the runs; the journals may end within a line.
mkdir journals
for run in families search; do
    verb=run blocks=12
    [ $run = families ] || verb=tune blocks=4
    (ulimit -f $blocks && program $verb $run.json --out cut-$run --quiet)
    sed '$d' cut-$run/journal.jsonl >journals/$run.jsonl
done
grep -q '"record"' journals/families.jsonl && grep -q '"record"' journals/search.jsonl &&
    grep -q '"cpu_seconds"' merged/timings.jsonl && grep -q '"failed"' failed/timings.jsonl
check "journals of unfinished runs, and times with members that only some lines have"
schemas check valid config families.json failed.json search.json right.json ./*/config.json \
    -- described record ./*/records.jsonl \
    -- described run ./*/run.json -- described baseline counts.json other.json -- described timing ./*/timings.jsonl \
    -- described journal journals/*.jsonl
check "all are valid, and the schemas describe all members of records, times, run.json and reference counts"

# ---- wrong files ----
mkdir wrong
# wrong SCHEMA FILE: the schema refuses the file after each edit of standard input, wrong/SCHEMA-N.json.
wrong() {
    schemas edit "$1" "$2" wrong
}

sed 1q failed/records.jsonl >record.json
cat >datasets.json <<'EOF'
{"about": "mine", "datasets": [{"name": "mine", "file": "wedge.csv", "n_train": 40, "n_test": 20, "splits": 10},
 {"name": "given", "title": "Two files", "file": "wedge.csv", "test_file": "wedge.csv", "format": "csv"}]}
EOF
cat >figures.json <<'EOF'
{"for": "paper", "width": "column", "font": "Helvetica", "font_size": 8, "formats": ["svg"], "single_panels": true,
 "series": [{"solver": "1-smo", "name": "SMO", "colour": "#d55e00", "dash": "dotted", "mark": "open-circle"}],
 "plots": [{"kind": "convergence", "dataset": "plane", "split": 1, "series": [{"solver": "1-smo", "where": {"C": 1}}]}]}
EOF
HULLBENCH_DATA=$work && export HULLBENCH_DATA
program list datasets
ended 0 && grep -q '^given' out
check "right data sets of your own"
program plot merged --spec figures.json --out figures --no-render
ended 0 0
check "a right specification of figures"
sed 1q merged/timings.jsonl >timing.json
sed 1q journals/families.jsonl >journal.json
wrong record record.json <<'EOF'
"schema":2 => "schema":3
"split":1 => "split":0
"outcome":"failed" => "outcome":"broken"
"kernel":{ => "kernel":"rbf","was":{
"split_source":"generated", =>
"iterations":0, => "iterations":-1,
== run merged/run.json
"plan":	" => "plan":	"0
"records": => "records":	"3", "were":
"outcomes": => "outcomes":	[], "were":
"bytes": => "byte":
"missing": => "missing":	[{"reason": "no dataset"}], "found":
== baseline other.json
"history" => "story"
1e-7%+ => 1e-7%%+
"duality_gap":null, =>
"iterations":0,"kernel => "iterations":-1,"kernel
"config": => "tables": [], "config":
== datasets datasets.json
"about" => "titel"
"datasets": [ => "datasets": 1, "about": [
"mine", "file" => "a/b", "file"
"file": "wedge.csv", "n_train" => "n_train"
40 => 1
40 => 40.5
"splits": 10 => "splits": 0
"splits": 10 => "split": 10
"title" => "n_train": 9, "title"
"title" => "split_file": "wedge.csv", "title"
"csv"} => "matlab"}
== figures figures.json
"for" => "use"
"paper" => "print"
"Helvetica" => "Helvetica;"
: 8 => : 6
"svg" => "jpg"
true => "yes"
"solver": "1-smo", "name" => "name"
"name": "SMO" => "name": "S`MO"
#d55e00 => orange
dotted => dashes
open-circle => circles
"convergence" => "converge"
"dataset": => "data":
"split": 1 => "split": 0
{"C": 1} => {"C": {}}
"where" => "name": "x", "where"
== timing timing.json
"index":0, =>
"seconds": => "second":
,"job":[ => ,"job":["0",
"repeats":2 => "repeat":2
== journal journal.json
"journal":2 => "journal":1
"plan":" => "plan":"0
,"jobs": => ,"jobs":"1","job":
== manifest share/datasets/manifest.json
"schema": 1 => "schema": 2
"sha256": " => "sha256": "0
"format": "matlab" => "format": "arff"
"variable": => "label_column":
"rows": => "row":
"n_test": 0 => "n_test": -1
EOF
check "wrong records, run.json, reference counts, data sets, figures, times, journals and manifests are found"
for file in wrong/baseline-*.json; do
    program check failed --baseline "$file"
    ended 2 1 || echo "$file: status $status" >>accepted
done
for file in wrong/datasets-*.json; do
    cp "$file" datasets.json && program list datasets
    ended 2 1 || echo "$file: status $status" >>accepted
done
rm datasets.json && unset HULLBENCH_DATA
for file in wrong/figures-*.json; do
    program plot merged --spec "$file" --out figures --no-render
    ended 2 1 || echo "$file: status $status" >>accepted
done
cp accepted err 2>/dev/null
[ ! -e accepted ]
check "and hullbench refuses those reference counts, data sets and figures"
rm -f accepted
program run right.json --dry-run
ended 0 0
check "a right configuration"
wrong config right.json <<'EOF'
"name": "right" => "title": "right"
"right" => ""
"right" => 7
"seed" => "sede"
"seed": 1 => "seed": 0
"seed": 1 => "seed": "1"
"seed": 1 => "seed": 1.5
"seed": 1 => "swap_labels": "yes"
"seed": 1 => "draws": 101
"seed": 1 => "repeats": 0
"seed": 1 => "gram_megabytes": -1
"seed": 1 => "training_order": "random"
"seed": 1 => "support_vector_threshold": 2
"seed": 1 => "make_missing": true, "generate_missing": true
"seed": 1 => "plots": [{"name": "no kind"}]
"none" => "minmax"
"1-2" => "1-"
"1-2" => []
"1-2" => {"folds": 1}
"1-2" => {"fold": 3}
"splits": "1-2",  =>
["twonorm", {"name": "plane", "file": "wedge.csv"}] => []
"plane" => "a plane"
"wedge.csv" => "wedge.csv", "format": "arff"
"wedge.csv" => "wedge.csv", "n_train": 0
"wedge.csv" => "wedge.csv", "test_file": "t", "n_test": 3
"file": => "test_file":
"file": "wedge.csv" => "generate": {"shape": "gaussians"}
"file": "wedge.csv" => "n_train": 9, "n_test": 9, "generate": {"shape": "ring"}
"file": "wedge.csv" => "n_train": 9, "n_test": 9, "generate": {"shape": "chessboard", "density": 1}
"type": "rbf",  =>
"width": 4 => "widht": 4
"width": 4 => "width": 0
"width": 4 => "width": []
"width": 4 => "width": [4, 4]
"width": 4 => "width": "wide"
"width": 4 => "width": {"log": {"from": 1, "to": 4}}
"width": 4 => "width": {"log": {"from": 0, "to": 4, "count": 3}}
"width": 4 => "width": {"linear": {"from": 1, "to": 4, "count": 1}}
"width": 4 => "width": {"times": [1, 2]}
"width": 4 => "width": {"per_dataset": {"default": -1}}
"rbf" => "linear"
"rbf", "width": 4 => "polynomial", "degree": 2.5
"mu": 0.3 => "mu": 1.5
"mu": 0.3 => "mu": {"of_C": 0}
"mu": 0.3 => "mu": null
"C": 1 => "C": -1
"clip-mdm" => {"nam": "clip-mdm"}
"clip-mdm" => {"name": "clip-mdm", "parameters": []}
"clip-mdm" => {"name": "clip-mdm", "budget": {"iterations": 0}}
"tolerance": 1e-3}}] => "tolerance": 1e-3}}, {"name": "*", "parameters": {}}]
, "tolerance": 1e-2 =>
"duality-gap" => "iterations"
1e-2 => 0
"tolerance": 1e-2 => "tolerence": 1e-2
"stop": {"rule": "duality-gap", "tolerance": 1e-2},  =>
"iterations": 9 => "iterations": 1.5
"iterations": 9 => "seconds": 0
"iterations": 9 => "iteration": 9
, "splits": 1} => }
["plane"] => "plane"
"name": "t" => "name": "T"
"rows": ["dataset"],  =>
"error" => "errors"
"error" => {"metric": "error", "decimals": 10}
"metrics" => "best_in": "rows", "metrics"
"metrics" => "where": {}, "metrics"
[{"name": "t", "rows": ["dataset"], "columns": ["solver"], "metrics": ["error"]}] => [7]
EOF
check "the schema refuses wrong configurations"
for file in wrong/config-*.json; do
    program run "$file" --dry-run
    [ "$status" -eq 2 ] || echo "$file: status $status" >>accepted
done
cp accepted err 2>/dev/null
[ ! -e accepted ] && [ "$(echo wrong/config-*.json | wc -w)" -ge 60 ]
check "and hullbench refuses them"
program tune search.json --out never --dry-run
ended 0
check "a right search"
mkdir searches && cd searches && mkdir wrong && wrong config ../search.json <<'EOF'
"standardise" => "splits": "1", "standardise"
["2-smo"] => ["2-smo", "*"]
"C": {"from": 1, "to": 2} => "C": {"from": 1}
"C": {"from": 1, "to": 2} => "C": 3
"scale": "log" => "scale": "square"
"grid": {"C": 2 => "grid": {"C": 1
"middle" => "centre"
"generations" => "generation"
"folds": 2 => "folds": 1
"grid": {"C": 2, "width": 2}, "cma-es": {"generations": 1, "start": "middle"} => "stratified": true
EOF
check "the schema refuses wrong searches"
for file in wrong/*.json; do
    program tune "$file" --out never --dry-run
    [ "$status" -eq 2 ] || echo "$file: status $status" >>accepted
done
[ ! -e accepted ]
check "and hullbench refuses them"
finish
