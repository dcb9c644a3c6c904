#!/bin/sh
# Lists, ranges and values per data set: a run has their product, with the right values in its records.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

cat >"$work/config.json" <<'EOF'
{
  "name": "sweep",
  "datasets": ["titanic", "twonorm"],
  "splits": [1, 3],
  "standardise": "full-set",
  "kernel": {
    "type": "rbf",
    "width": {"per_dataset": {"twonorm": {"log": {"from": 0.1, "to": 1000, "count": 5}}, "default": [2, 8]}}
  },
  "parameters": {
    "mu": {"linear": {"from": 0.1, "to": 0.4, "count": 4}},
    "C": {"per_dataset": {"titanic": 1, "twonorm": {"linear": {"from": 3, "to": 1, "count": 3}}}}
  },
  "solvers": [
    "clip-mdm",
    {"name": "mu-mdm", "parameters": {"mu": 0.25, "selection": ["extreme", "free"]}},
    {"name": "1-smo", "stop": {"rule": "kkt", "tolerance": {"log": {"from": 0.1, "to": 0.001, "count": 3}}}}
  ],
  "stop": {"rule": "rch-gap", "tolerance": 0.01},
  "budget": {"iterations": 5}
}
EOF
program run "$work/config.json" --out "$work/run" --quiet
ended 0 0
check "a sweep runs"
# titanic: 2 widths, twonorm: 5; each 4 mu, 2 selections, 1 or 3 C times 3 tolerances; 2 splits.
[ "$(wc -l <"$work/run/records.jsonl")" -eq $((2 * (2 * (4 + 2 + 1 * 3) + 5 * (4 + 2 + 3 * 3)))) ]
check "the number of records is that of the product"

# values KEY EXPRESSION...: the distinct values of a key, in order of appearance, in the records that match all
# expressions.
values() {
    key=$1
    shift
    cp "$work/run/records.jsonl" "$work/left"
    for expression in "$@"; do
        grep -e "$expression" "$work/left" >"$work/fewer"
        mv "$work/fewer" "$work/left"
    done
    sed "s/.*\"$key\":\([^,}]*\)[,}].*/\1/" "$work/left" | awk '!seen[$0]++' | tr '\n' ' '
}
[ "$(values width '"dataset":"twonorm"')" = "0.1 1 10 100 1000 " ]
check "a logarithmic range gives powers of ten without rounding"
[ "$(values width '"dataset":"titanic"')" = "2 8 " ]
check "a data set not named has the list under \"default\""
[ "$(values mu '"solver":"clip-mdm"')" = "0.1 0.2 0.3 0.4 " ]
check "a linear range gives tenths without rounding"
[ "$(values mu '"solver":"mu-mdm"')" = "0.25 " ]
check "a solver's own parameter replaces the general one"
[ "$(values selection '"solver":"mu-mdm"')" = '"extreme" "free" ' ]
check "a list of words is swept as well"
[ "$(values C '"solver":"1-smo"' '"dataset":"twonorm"')" = "3 2 1 " ] &&
    [ "$(values C '"solver":"1-smo"' '"dataset":"titanic"')" = "1 " ]
check "each data set has its own range, which may fall"
[ "$(values tolerance '"solver":"1-smo"')" = "0.1 0.01 0.001 " ] &&
    [ "$(values tolerance '"solver":"clip-mdm"')" = "0.01 " ]
check "a tolerance is swept as well, and a solver's own rule replaces the general one"
[ "$(values split)" = "1 3 " ]
check "only the splits of the list are run"
[ "$(cut -d , -f 3,4,6- "$work/run/records.jsonl" | sed 's/"outcome.*//' | sort | uniq -d | wc -l)" -eq 0 ]
check "no job stands in the records twice"
sed 's/.*"solver":"\([^"]*\)".*/\1/' "$work/run/records.jsonl" | head -9 | tr '\n' ' ' >"$work/order"
[ "$(cat "$work/order")" = "clip-mdm clip-mdm clip-mdm clip-mdm mu-mdm mu-mdm 1-smo 1-smo 1-smo " ]
check "records stand in the order of the plan: solvers, then their parameters"

# A job of a sweep equals the job alone: the shared kernel matrix has no effect on it.
program solve --solver 1-smo --dataset twonorm --split 3 --kernel rbf,width=10 --set C=2 --stop kkt --tolerance 0.01 \
    --iterations 5
sed 's/"config":"[^"]*"//' "$work/out" >"$work/alone"
grep '"dataset":"twonorm","split":3,.*"C":2.*"width":10}.*"tolerance":0.01}' "$work/run/records.jsonl" |
    sed 's/"config":"[^"]*"//' >"$work/within"
ended 0 && same_files "$work/alone" "$work/within"
check "a job of the sweep has the same record as alone"
# ---- the full sweep ----
python3 - "$root" >"$work/err" 2>&1 <<'EOF'
import json, sys
def read(name):
    with open(f"{sys.argv[1]}/{name}") as file:
        return json.load(file)
config = read("configs/sweep-full.json")
tables = {table["name"]: table["rows"] for paper in ("lopez2008", "lopez2011")
          for table in read(f"papers/{paper}.json")["tables"]}
thesis, article = tables["lopez2008.table5.3.1"], tables["lopez2011.table1"]
printed = {}
for dataset in config["datasets"]:
    row, columns = article[dataset], ("C", "sigma2")
    if dataset in thesis:
        row, columns = thesis[dataset], ("C_1svm", "sigma_1svm")
        printed[dataset, "2-smo"] = printed[dataset, "ch-mdm"] = [row[key]["mean"] for key in ("C_2svm", "sigma_2svm")]
    printed[dataset, "1-smo"] = printed[dataset, "clip-mdm"] = [row[key]["mean"] for key in columns]
references = {(reference["dataset"], solver): [reference["where"]["C"], reference["where"]["width"]]
              for reference in config["plots"][0]["references"] for solver in reference["solvers"]}
assert references == printed, (references, printed)
for solver in config["solvers"]:
    axis = list(solver["parameters"].values())[0]
    axis = axis.get("of_C", axis)["per_dataset"]
    for dataset in config["datasets"]:
        if (dataset, solver["name"]) in printed:
            C, width = printed[dataset, solver["name"]]
            assert C in axis[dataset] and width in config["kernel"]["width"]["per_dataset"][dataset], (dataset, solver)
EOF
check "the settings that the papers print are references of the full sweep, and on its grid"
finish
