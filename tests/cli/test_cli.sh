#!/bin/sh
# The command line: help, lists, one-job runs, dry runs, restrictions, plain files, the other kernels, exit statuses.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
unset HULLBENCH_TESTED_SOLVER

# ---- help and lists ----
program --help
verbs=$(awk '/^  [a-z]/ { print $1 }' "$work/out" | tr '\n' ' ')
sed -n '/^.SH VERBS/,/^.SH EXIT/s/^[.]SS //p' "$root/docs/hullbench.1" | sed 's|[\]-|-|' | sort >"$work/documented"
ended 0 0 && awk '/^  [a-z]/ { print $1 }' "$work/out" | sort | same_files "$work/documented" /dev/stdin
check "--help names the verbs, and the manual page has a section for each"
"$root/docs/man.sh" "$hullbench" 2>"$work/err" | same_files "$root/docs/hullbench.1" /dev/stdin
check "the manual page has the options of --help (make docs-man)"
program
ended 2 && says "Usage: hullbench VERB"
check "no words at all end with status 2 and the usage"
program --version
ended 0 0 && grep -qE '^hullbench [0-9]+[.][0-9]+[.][0-9]+(-rc[0-9]+)?$' "$work/out"
check "--version prints the version"
for verb in $verbs; do
    program "$verb" --help
    ended 0 0 && grep -q "^Usage: hullbench $verb" "$work/out"
    check "$verb --help ends with status 0"
done
program run --help
absent=0
for option in datasets dry-run force jobs out quiet shard solvers splits; do
    grep -q -- "--$option" "$work/out" || absent=$((absent + 1))
done
program solve --help
for option in data dataset iterations kernel no-standardise set split stop solver tolerance trace; do
    grep -q -- "--$option" "$work/out" || absent=$((absent + 1))
done
program compare --help
for option in against cost-margin datasets equal-gaps error-margin force gap-factor jobs no-render out par plugin \
    quiet solver splits; do
    grep -q -- "--$option" "$work/out" || absent=$((absent + 1))
done
program conform --help
grep -q -- --json "$work/out" || absent=$((absent + 1))
[ "$absent" -eq 0 ]
check "help names every option of run, solve, compare and conform"

grep -cE '^    X\([a-z0-9_]+\)' "$root/solvers/registry.c" >"$work/expected"
solver_names >"$work/names"
sort -u "$work/names" | wc -l | same_files "$work/expected" /dev/stdin
check "list solvers --json names each solver of the registry once"
program list solvers
awk 'NR > 1 { print $1 }' "$work/out" | same_files "$work/names" /dev/stdin && ! grep -qF ... "$work/out"
check "list solvers names the same, one on a line, and no method is cut"
program list solvers --long
awk 'NR > 3 && /^[a-z0-9]/ { print $1 }' "$work/out" | same_files "$work/names" /dev/stdin
check "list solvers --long names the same"
for list in solvers parameters stops kernels datasets; do
    program list $list
    ended 0 0 || echo "list $list: ended with $status"
    grep '.\{81\}' "$work/out" || true
done >"$work/wide"
[ ! -s "$work/wide" ]
check "no list has a line of more than 80 columns"
differing=0
for list in parameters stops kernels; do
    program list $list
    awk '/^[a-zA-Z0-9]/ { print $1 }' "$work/out" >"$work/names"
    program list $list --json
    ended 0 0 && sed -n 's/^{"name":"\([^"]*\)".*/\1/p' "$work/out" | same_files "$work/names" /dev/stdin ||
        differing=$((differing + 1))
done
[ "$differing" -eq 0 ]
check "list parameters, stops and kernels --json have the names of the tables"
if command -v python3 >/dev/null; then
    for list in solvers parameters stops kernels datasets; do
        "$hullbench" list $list --json >"$work/$list.json"
    done
    HULLBENCH_DATA='' "$hullbench" list datasets --json >"$work/missing.json"
    python3 - "$work" >"$work/err" 2>&1 <<'END'
import json, sys
def read(name):
    return json.load(open(f"{sys.argv[1]}/{name}.json"))
for parameter in read("parameters"):
    readers = [s["name"] for s in read("solvers") if parameter["name"] in s["parameters"]]
    described = {s: v for s, v in parameter.items() if s not in ("name", "solvers")}
    assert readers == parameter["solvers"] != [], parameter["name"]
    assert all(s["parameters"][parameter["name"]] == described for s in read("solvers") if s["name"] in readers)
for rule in read("stops"):
    assert rule["solvers"] == [s["name"] for s in read("solvers") if rule["name"] in s["stops"]], rule["name"]
    assert rule["meaning"] and rule["origin"] is None
kernels = {kernel["name"]: kernel for kernel in read("kernels")}
assert kernels["rbf"]["parameters"]["width"]["above"] == 0 and kernels["linear"]["parameters"] == {}
assert all(kernel["meaning"] and kernel["origin"] is None for kernel in kernels.values())
sets = {one["name"]: one for one in read("missing")}
assert [one["name"] for one in read("datasets")] == list(sets)
titanic, banana = sets["titanic"], sets["banana"]
assert (titanic["rows"], titanic["features"], titanic["splits"], titanic["official_splits"]) == (2201, 3, 100, 0)
assert (titanic["n_train"], titanic["n_test"], titanic["problem"]) == (150, 2051, None) and titanic["source"]
assert banana["rows"] == 5300 and banana["source"] is None and "missing" in banana["problem"]
solvers = {solver["name"]: solver for solver in read("solvers")}
for name, solver in solvers.items():
    assert solver["default_stop"]["rule"] in solver["stops"], name
    assert solver["origin"] is None and solver["title"] and solver["reference"] and solver["formulation"], name
clip, light = solvers["clip-mdm"], solvers["svm-light"]
assert clip["formulation"] == "nearest points of hulls" and "rch-gap" in clip["stops"]
assert list(clip["parameters"]) == ["mu"] and "default" not in clip["parameters"]["mu"]
assert [cost["n2"] for cost in clip["setup_costs"]] == [1]
assert clip["iteration_costs"] == [dict.fromkeys(clip["setup_costs"][0], 0) | {"n": 2}]
assert len(solvers["cycle-clip-mdm"]["iteration_costs"]) > 1
assert clip["is_monotone"] and not solvers["minover"]["is_monotone"]
assert light["default_stop"] == {"rule": "kkt-relaxed", "tolerance": 1e-3}
assert light["parameters"]["C"]["above"] > 0 and "max" not in light["parameters"]["C"]
q = light["parameters"]["q"]
assert (q["min"], q["max"], q["multiple_of"], q["default"], q["type"]) == (2, 4096, 2, 10, "integer")
END
    check "list --json is JSON, with what the structs declare"
else
    skip "list --json is JSON, with what the structs declare" "python3 is not installed" python3
fi
program list stops
[ "$(awk '/^[a-z]/ { print $1 }' "$work/out" |
    tr '\n' ' ')" = "rch-gap rch-gap-both delta delta-w2 delta-2w2 gap-sum-w2 \
gap-max-w2 dual-change kkt kkt-relaxed iterations rch-gap-updated duality-gap svm-gap " ]
check "list stops names the stopping rules"
program list kernels
[ "$(awk '/^[a-z]/ { print $1 }' "$work/out" | tr '\n' ' ')" = "rbf polynomial linear precomputed " ]
check "list kernels names the kernels"
program list parameters
awk '/^[a-zA-Z]/ { print $1 }' "$work/out" | sort >"$work/named"
for name in mu C selection start class q new_variables shrinking shrink_after seed history step nu forgetting added; do
    grep -qx "$name" "$work/named" || break
done
[ "$name" = added ] && [ -z "$(uniq -d "$work/named")" ] && [ "$(wc -l <"$work/named")" -ge 15 ]
check "list parameters names each parameter once"
"$hullbench" list solvers --json | sed -n 's/^{"name":"\([^"]*\)".*"C":{.*/\1/p' | tr '\n' ' ' >"$work/named"
awk '/^[a-zA-Z]/ { of_c = $1 == "C"; reads = 0 } sub(/^ +read by /, "") { reads = 1 } of_c && reads' "$work/out" \
    >"$work/listed"
tr -d '\n' <"$work/listed" | sed 's/, */ /g; s/$/ /' | same_files "$work/named" /dev/stdin &&
    [ "$(wc -l <"$work/listed")" -gt 1 ]
check "list parameters names the solvers that read each, separated by commas"
program list datasets
awk 'NR > 1 { print $1 }' "$work/out" | sort >"$work/listed"
sed '1,/"datasets"/d' "$root/datasets/manifest.json" | sed -n 's/^ *"name": "\(.*\)",$/\1/p' | sort >"$work/named"
same_files "$work/named" "$work/listed" && grep -qx banana "$work/listed" && [ "$(wc -l <"$work/listed")" -ge 15 ]
check "list datasets names the data sets"
program list planets
ended 2 1 && says 'unknown list "planets"; allowed: solvers, parameters, stops, kernels, datasets' &&
    program list solver && ended 2 1 && says 'did you mean "solvers"?'
check "list of something unknown ends with status 2, with a close match"
program slove
ended 2 1 && says 'unknown verb "slove"; did you mean "solve"?' && program solve --dataset titanik --solver mdm &&
    ended 2 1 && says 'unknown data set "titanik"; did you mean "titanic"?'
check "a misspelt verb and data set end with status 2, with a close match"

# ---- one job ----
program solve --solver clip-mdm --dataset titanic --set mu=0.03 --kernel rbf,width=2 --tolerance 1e-3
cp "$work/out" "$work/record"
ended 0 0 && [ "$(wc -l <"$work/record")" -eq 1 ]
check "solve prints one line"
number() {
    sed "s/.*$1\":\([^,}]*\).*/\1/" "$work/record"
}
on_terminal() { # the options of solve that made the record, and more
    script -qec "'$hullbench' solve --solver clip-mdm --dataset titanic --set mu=0.03 --kernel rbf,width=2 \
        --tolerance 1e-3 $*" /dev/null </dev/null | tr -d '\r'
}
if command -v script >/dev/null; then
    on_terminal >"$work/out"
    grep -q '^clip-mdm on titanic, split 1 (generated): converged$' "$work/out" && ! grep -q '.\{81\}' "$work/out" &&
        grep -q '^  settings  *mu 0.03; kernel rbf, width 2; ' "$work/out" &&
        grep -q "^  iterations  *$(number 'converged","iterations')\$" "$work/out" &&
        grep -q "^  support vectors  *$(number support_vectors) of 150 training patterns\$" "$work/out" &&
        [ "$(sed -n 's/^  test error  *\([0-9.]*\) %.*/\1/p' "$work/out")" = \
            "$(number error_percent | awk '{ printf "%.2f", $1 }')" ]
    check "on a terminal, it prints a summary with the numbers of the record"
    on_terminal --json | same_files "$work/record" -
    check "and with --json the record"
else
    skip "on a terminal, it prints a summary" "script is not installed" bsdutils
fi
! grep -L '"budget"' "$root"/configs/*.json "$root"/configs/*/*.json | grep -q .
check "every configuration of the project has a budget"
for verb in '' run list solve predict judge tables conform compare atlas plot check trend replay bundle merge tune \
    new-solver verify report export; do
    # shellcheck disable=SC2086 # no verb is no word
    program $verb --help
    ended 0 0 || echo "$verb: ended with $status"
    grep '.\{81\}' "$work/out" || true
done >"$work/wide"
[ ! -s "$work/wide" ]
check "no help has a line of more than 80 columns"
program solve --solver svm-light --dataset titanic --set C=1 --kernel rbf,width=2
ended 0 0 && grep -q '"stop":{"rule":"kkt-relaxed","tolerance":0.001}' "$work/out" &&
    program solve --solver svm-light --dataset titanic --set C=1 --kernel rbf,width=2 --stop kkt &&
    grep -q '"stop":{"rule":"kkt","tolerance":1e-05}' "$work/out"
check "solve stops svm-light as its authors' program does, and a rule that is named at 1e-5"
program solve --solver svm-light --dataset titanic --set C=1 --set q=12 --set new_variables=14
ended 2 1 && says 'parameters.new_variables: 14 is out of range; allowed: at most q, which is 12'
check "solve refuses more new variables than a working set holds"
# The example in docs/formats.md lists the keys; nested objects are identified only by their outer key.
keys() {
    tr -d '\n' | sed 's/{[^{}]*}\([,}]\)/0\1/g; s/^ *{//; s/"\([a-z_]*\)":/\n\1\n/g' | grep -x '[a-z_]*' | grep . |
        tr '\n' ' '
}
written=$(sed 's/^{//' "$work/record" | keys)
documented=$(awk '/^    \{"schema"/ { inside = 1 } inside && !/^    / {
    exit } inside' "$root/docs/formats.md" | sed 's/^ *//; 1s/^{//' | keys)
echo "# written:    $written"
echo "# documented: $documented"
[ -n "$written" ] && [ "$written" = "$documented" ]
check "the record has the keys of docs/formats.md in their order"
if command -v python3 >/dev/null 2>&1 && python3 -c 1 2>/dev/null; then
    python3 -c 'import json, sys; json.loads(sys.stdin.readline())' <"$work/record"
    check "the record is JSON"
else
    skip "the record is JSON" "python3 is not installed" python3
fi
program solve --solver clip-mdm --dataset titanic --set mu=0.03 --kernel rbf,width=2 --tolerance 1e-3 --trace \
    "$work/trace.tsv"
same_files "$work/record" "$work/out" && grep -q '^# solver clip-mdm$' "$work/trace.tsv" &&
    [ "$(grep -v '^#' "$work/trace.tsv" | head -1)" = "$(printf 'iteration\tkernel_operations\tobjective\tgap')" ] &&
    [ "$(tail -1 "$work/trace.tsv" | cut -f 1)" = \
    "$(sed 's/.*"iterations":\([0-9]*\),.*"kernel_op.*/\1/' "$work/record")" ]
check "a trace changes nothing in the record and ends at its last iteration"
program solve --solver gsk --dataset titanic --split 101
ended 2 1 && says "titanic has no split 101; it has splits 1 to 100" && [ ! -s "$work/out" ]
check "solve on a split that is not there ends with status 2"
(HULLBENCH_DATA=/nowhere && export HULLBENCH_DATA && "$hullbench" solve --solver 1-sno --dataset titanic) >"$work/out" \
    2>"$work/err"
status=$?
ended 2 1 && says '1-sno' && says '"1-smo"'
check "a misspelt solver is named where the data are missing, too"
for words in "ch-mdm gap-sum-w2" "2-smo kkt" "unary-mdm gap-max-w2" "accelerated-mdm gap-max-w2" \
    "gilbert gap-max-w2"; do
    program solve --solver "${words% *}" --dataset titanic --set C=2 --kernel rbf,width=2 --tolerance 1e-2
    ended 0 0 && grep -q "\"stop\":{\"rule\":\"${words#* }\",\"tolerance\":0.01},\"outcome\":\"converged\"" "$work/out"
    check "solve with ${words% *} stops by ${words#* } where nothing else is said"
done
program solve --solver ch-mdm --dataset titanic --set C=2 --set class=low --kernel rbf,width=2 --stop gap-sum-w2 \
    --tolerance 1e-3
ended 0 0 && grep -q '"params":{"C":2,"class":"low"}' "$work/out" && grep -q '"outcome":"converged"' "$work/out"
check "the choice of the class stands in the record of ch-mdm"
program solve --solver soft-max-minover --dataset titanic --set nu=0.5 --set forgetting=equivalent --kernel \
    rbf,width=2 --tolerance 1e-2
ended 0 0 && grep -q '"params":{"nu":0.5,"forgetting":"equivalent","added":1}' "$work/out" &&
    grep -q '"outcome":"converged"' "$work/out"
check "soft-max-minover takes nu, and its forgetting stands in the record"
program solve --solver munk --dataset twonorm --kernel rbf,width=2 --tolerance 1e-2
ended 0 0 && grep -q '"stop":{"rule":"kkt","tolerance":0.01},"outcome":"converged"' "$work/out"
check "solve with munk stops by kkt where nothing else is said"
program solve --solver munk --dataset twonorm
ended 2 1 && says "twonorm, split 1: munk: the kernel of training patterns 1 and 4 is -"
check "a kernel value below zero is an error of munk that names the pair"
program solve --solver gilbert --dataset titanic --set C=2 --stop rch-gap
ended 2 1 && says 'allowed: delta, delta-w2, delta-2w2, gap-max-w2, dual-change, iterations'
check "a stopping rule that means nothing to a solver ends with status 2"
program solve --solver clip-mdm --dataset titanic
ended 2 1 && says 'needs parameter "mu"'
check "solve without a parameter that is needed ends with status 2"
program solve --solver gsk --dataset titanic --set mu
ended 2 && says '"mu" is not NAME=VALUE'
check "solve with half a parameter ends with status 2"
program solve --solver gsk
ended 2 && says "expected a file, or --solver NAME and --dataset NAME"
check "solve without data ends with status 2"

# ---- output that cannot be written ----
if [ -c /dev/full ]; then
    for words in "list solvers" "--help" "--version" "solve --solver gsk --dataset titanic --iterations 3"; do
        # shellcheck disable=SC2086 # words, not one word
        "$hullbench" $words >/dev/full 2>"$work/err"
        status=$?
        ended 4 1 && says "standard output: cannot be written"
        check "\"$words\" onto a full device ends with status 4"
    done
    program solve --solver gsk --dataset titanic --iterations 3 --trace /nowhere/trace
    ended 4 1 && says "/nowhere/trace" && [ ! -s "$work/out" ]
    check "a trace that cannot be written ends with status 4"
else
    skip "output onto a full device ends with status 4" "there is no /dev/full"
fi
program run "$root/configs/convergence.json" --out /dev/null/run --quiet
ended 4 1 && says "/dev/null"
check "a folder that cannot be made ends with status 4"

# ---- dry run and restrictions ----
cat >"$work/config.json" <<'EOF'
{
  "name": "cli",
  "datasets": ["titanic", "twonorm"],
  "splits": "1-4",
  "standardise": "full-set",
  "kernel": {"type": "linear"},
  "solvers": ["gsk", "mdm", "minkowski-mdm"],
  "stop": {"rule": "rch-gap", "tolerance": 1e-2},
  "budget": {"iterations": 20}
}
EOF
program run "$work/config.json" --dry-run --out "$work/dry"
ended 0 0 && grep -q '^cli: 24 jobs on 8 splits; 8 blocks ' "$work/out" && grep -q '^titanic  *4  *12 ' "$work/out" &&
    grep -q '^mdm  *8 jobs, stop rch-gap$' "$work/out" && [ ! -e "$work/dry" ]
check "a dry run shows the counts and writes nothing"
program run "$work/config.json" --out "$work/some" --solvers mdm,gsk --datasets twonorm --splits 2,4
ended 0 0 && [ "$(wc -l <"$work/some/records.jsonl")" -eq 4 ] && grep -q '4 records' "$work/out" &&
    [ "$(sed 's/.*"dataset":"\([^"]*\)","split":\([0-9]*\),.*"solver":"\([^"]*\)".*/\1 \2 \3,/' \
        "$work/some/records.jsonl" |
        tr -d '\n')" = "twonorm 2 gsk,twonorm 2 mdm,twonorm 4 gsk,twonorm 4 mdm," ]
check "--solvers, --datasets and --splits restrict the run, in the order of the plan"
program run "$work/config.json" --out "$work/whole" --quiet
grep '"dataset":"twonorm","split":[24],.*"solver":"\(mdm\|gsk\)"' "$work/whole/records.jsonl" >"$work/part"
[ ! -s "$work/out" ] && same_files "$work/part" "$work/some/records.jsonl"
check "a restricted run has the records of the whole one"
program run "$work/config.json" --dry-run --quick
ended 0 0 && grep -q '^cli: 12 jobs on 4 splits; ' "$work/out"
check "--quick runs the first two splits"
sed 's/"stop"/"quick": {"splits": "3", "datasets": ["twonorm"]}, "stop"/' "$work/config.json" >"$work/quick.json"
program run "$work/quick.json" --out "$work/quick" --quick --quiet
grep '"dataset":"twonorm","split":3,' "$work/whole/records.jsonl" >"$work/part"
ended 0 0 && same_files "$work/part" "$work/quick/records.jsonl" &&
    tr -d ' \n\t' <"$work/quick/run.json" | grep -q '"restricted_to":{"datasets":"twonorm","splits":"3"}'
check "or the part that the configuration names, as by --datasets and --splits"
program run "$work/quick.json" --dry-run --quick --datasets titanic
ended 0 0 && grep -q '^cli: 3 jobs on 1 splits; ' "$work/out"
check "which override it"
program run "$work/config.json" --out "$work/shard" --shard 9/9 --quiet
ended 3 1 && [ ! -e "$work/shard" ]
check "a part with nothing in it ends with status 3"
deep=$work/$(printf '%0120d/%0120d/%0120d/%0120d' 1 2 3 4)
sed 's/"stop"/"trace": {"datasets": ["titanic"], "splits": 1}, "stop"/' "$work/config.json" >"$work/traced.json"
program run "$work/traced.json" --out "$deep" --splits 1 --datasets titanic --quiet
ended 0 0 && [ -s "$deep/traces/titanic-1-gsk.tsv" ]
check "a folder with a long name is as good as any"

# ---- plain files and other kernels ----
awk 'BEGIN {
    srand(11)
    for (i = 0; i < 60; i++) {
        y = i % 2 ? 1 : -1
        printf "%.3f,%.3f,%.3f,%d\n", rand() + 0.2 * y, rand() - 0.1 * y, rand(), y
    }
}' >"$work/plain.csv"
awk -F , '{ printf "%+d 1:%s 2:%s 3:%s\n", $4, $1, $2, $3 }' "$work/plain.csv" >"$work/plain.txt"
{
    echo label,a,b,c
    awk -F , '{ print $4 "," $1 "," $2 "," $3 }' "$work/plain.csv"
} >"$work/named.csv"
# measured: the last program's record without the names that differ by construction
measured() {
    sed 's/"config":"[^"]*"//; s/"dataset":"[^"]*"//; s/"split_source":"[^"]*"//' "$1"
}
job="--solver minkowski-mdm --kernel rbf,width=3 --tolerance 1e-4"
# shellcheck disable=SC2086 # words, not one word
program solve $job --split 1 --data "$work/plain.csv" --dataset mine
ended 0 0 && grep -q '"dataset":"mine","split":1,"split_source":"resampled"' "$work/out"
check "solve reads a CSV file"
measured "$work/out" >"$work/by-csv"
# shellcheck disable=SC2086
program solve $job --split 1 --data "$work/plain.txt" --dataset mine
measured "$work/out" >"$work/by-libsvm"
ended 0 0 && same_files "$work/by-csv" "$work/by-libsvm"
check "a LIBSVM file of the same numbers gives the same record"
cat >"$work/plain.json" <<EOF
{
  "name": "plain",
  "datasets": [{"name": "mine", "file": "$work/named.csv", "format": "csv", "label_column": "label", "n_train": 40,
   "n_test": 20}],
  "splits": "1-3",
  "kernel": {"type": "rbf", "width": 3},
  "solvers": ["minkowski-mdm"],
  "stop": {"rule": "gap-sum-w2", "tolerance": 1e-4},
  "budget": {"iterations": 100000}
}
EOF
program run "$work/plain.json" --out "$work/plain" --quiet
head -1 "$work/plain/records.jsonl" >"$work/first"
measured "$work/first" >"$work/by-run"
ended 0 0 && [ "$(wc -l <"$work/plain/records.jsonl")" -eq 3 ] && same_files "$work/by-csv" "$work/by-run"
check "a configuration names a CSV file, its label column and split sizes, with the same record"

program solve --solver mdm --dataset titanic --kernel polynomial,degree=2,offset=0.5,scale=0.25 --tolerance 1e-2
ended 0 0 && grep -q '"kernel":{"type":"polynomial","degree":2,"offset":0.5,"scale":0.25}' "$work/out"
check "a polynomial kernel and its numbers stand in the record"
program solve --solver gsk --split 1 --data "$work/plain.csv" --kernel polynomial,degree=1,offset=0 --iterations 50
sed 's/"kernel":{[^}]*}//' "$work/out" >"$work/by-polynomial"
program solve --solver gsk --split 1 --data "$work/plain.csv" --kernel linear --iterations 50
sed 's/"kernel":{[^}]*}//' "$work/out" >"$work/by-linear"
ended 0 0 && same_files "$work/by-polynomial" "$work/by-linear"
check "the polynomial of degree one without offset is the linear kernel"
# Integer patterns have exact products, so every bit must agree. The classes are separated: if hulls meet, a loop ends
# at the rounding bound, which is smaller for a table.
awk 'BEGIN { srand(5); for (i = 0; i < 30; i++) { y = i % 3 ? 1 : -1;
    printf "%d,%d,%d\n", 9 * rand() + 8 * y, 9 * rand(), y } }' >"$work/whole.csv"
awk -F , '{ a[NR] = $1; b[NR] = $2; y[NR] = $3 }
    END { for (i = 1; i <= NR; i++) { for (j = 1; j <= NR; j++) printf "%d,", a[i] * a[j] + b[i] * b[j];
        print y[i] } }' \
    "$work/whole.csv" >"$work/table.csv"
different=0
for solver in gsk "mu-gsk --set mu=0.2" "clip-mdm --set mu=0.2" "1-smo --set C=2" "2-smo --set C=2" "ch-mdm --set C=2" \
    "unary-mdm --set C=2" "gilbert --set C=2"; do
    # shellcheck disable=SC2086
    program solve --solver $solver --split 1 --data "$work/whole.csv" --kernel linear --raw --iterations 300
    sed 's/"kernel":{[^}]*}//' "$work/out" >"$work/by-linear"
    # shellcheck disable=SC2086
    program solve --solver $solver --split 1 --data "$work/table.csv" --kernel precomputed --iterations 300
    sed 's/"kernel":{[^}]*}//; s/"reason":"stationary point[^"]*",//' "$work/out" >"$work/by-table"
    same_files "$work/by-linear" "$work/by-table" || different=$((different + 1))
done
[ "$different" -eq 0 ]
check "a precomputed kernel gives the records of the linear kernel it was computed from"
# ---- messages ----

printf '\033[31m\377\376\001\302\233x\303\251 1:2\n' >"$work/bytes.txt"
program solve --data "$work/bytes.txt" "$work/never.model"
ended 2 1 && [ "$(LC_ALL=C tr -d '[:print:]\303\251' <"$work/err" | wc -c)" -eq 1 ]
check "bytes of a file that are no text do not reach the terminal, whatever a message quotes"
program solve -b "$(printf 'a\033b\nc\303\251\377')" --data x
ended 2 1 && says "$(printf 'a\\x1Bb\\x0Ac\303\251\\xFF')"
check "a message shows bytes that cannot be printed in hexadecimal, and stays one line"
finish
