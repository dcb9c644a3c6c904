#!/bin/sh
# LIBSVM as a plugin (make peer): the same optima as hullbench's solvers, LIBSVM's iterations as it reports them,
# unknown counts, and every table and figure of a run that includes it.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

if [ ! -e /usr/include/libsvm/svm.h ]; then
    skip "LIBSVM as a solver" "libsvm-dev is not installed" libsvm-dev
    finish
fi
if sanitized; then
    skip "LIBSVM as a solver" "the address sanitizer hangs or crashes in copies of a process (CONTRIBUTING.md)"
    finish
fi
peer=$(make_root peer 2>"$work/err" | tail -n 1) && peer=$root/$peer && [ -s "$peer" ]
check "make peer builds the plugin"
! ldd "$hullbench" | grep -q libsvm
check "the program itself is not linked with LIBSVM"
program list solvers --plugin "$peer"
ended 0 0 && grep -q '^libsvm-c-svc .*C-SVM ' "$work/out" && grep -q '^libsvm-nu-svc .*hulls ' "$work/out"
check "list names both solvers and their problems"
cd "$work" || exit 4

# value KEY: the number or word of a key in the record in `out`
value() {
    sed "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/" "$work/out"
}

# optimum SOLVER WORDS...: outcome, objective and gap of a record
optimum() {
    solver=$1
    shift
    program_with_data solve --plugin "$peer" --solver "$solver" "$@"
    echo "$(value outcome) $(value objective) $(value duality_gap)"
}

# same_optimum ONE OTHER: the objectives differ by at most the sum of both gaps (and 1e-6 of it for LIBSVM's floats).
# Ours converged. LIBSVM met its rule with kernel values in single precision; at tolerances this small the recomputed
# violation may disagree.
same_optimum() {
    echo "$1 $2" >>"$work/err"
    echo "$1 $2" | awk '{ off = $2 > $5 ? $2 - $5 : $5 - $2
        exit !($1 ~ /^(converged|stalled)$/ && $4 == "converged" && $2 > 0 && off <= $3 + $6 + 1e-9 * $2 &&
            off <= 1e-6 * $2) }'
}

# compare SET WORDS: on an existing set, C-SVC against 1-smo and nu-SVC against clip-mdm, with tight tolerances; on the
# first three sets that exist, unless HULLBENCH_TESTS=all
seen=0
compare() {
    [ "$seen" -lt 3 ] || [ "${HULLBENCH_TESTS-}" = all ] || return
    set=$1 width=$2 c=$3 mu=$4
    has_data "$set" || return
    seen=$((seen + 1))
    same_optimum "$(optimum libsvm-c-svc --dataset "$set" --kernel "rbf,width=$width" --set "C=$c" --tolerance 1e-7)" \
        "$(optimum 1-smo --dataset "$set" --kernel "rbf,width=$width" --set "C=$c" --stop kkt --tolerance 1e-7 \
            --iterations 10000000)"
    check "$set: C-SVC is where 1-smo is"
    same_optimum "$(optimum libsvm-nu-svc --dataset "$set" --kernel "rbf,width=$width" --set "mu=$mu" --tolerance \
        1e-10)" \
        "$(optimum clip-mdm --dataset "$set" --kernel "rbf,width=$width" --set "mu=$mu" --stop rch-gap-both \
            --tolerance 1e-9 --iterations 10000000)"
    check "$set: nu-SVC is where clip-mdm is"
}
# outcome TOLERANCE: of C-SVC
outcome() {
    optimum libsvm-c-svc --dataset twonorm --kernel rbf,width=40 --set C=1 --tolerance "$1" | cut -d ' ' -f 1
}
[ "$(outcome 1e-3)" = converged ]
check "at LIBSVM's own tolerance the recomputed violation bears its outcome out"
[ "$(outcome 1e-7)" = stalled ] && grep -q '"reason":"the KKT violation, recomputed from the multipliers, is [1-9]' \
    "$work/out"
check "at 1e-7 it does not, which single precision cannot tell"
compare titanic 2 5 0.0222
compare heart 120 3.16 0.0232
compare thyroid 3 10 0.1456
compare twonorm 40 1 0.0416
compare waveform 20 1 0.0138
compare diabetis 20 1 0.0074
compare breast-cancer 50 15.19 0.0181
compare banana 1 316.2 0.0215
[ "$seen" -ge 3 ]
check "on three sets at least"
for kernel in linear polynomial,degree=3,scale=0.1,offset=2; do
    same_optimum "$(optimum libsvm-c-svc --dataset twonorm --kernel $kernel --set C=0.1 --tolerance 1e-7)" \
        "$(optimum 1-smo --dataset twonorm --kernel $kernel --set C=0.1 --tolerance 1e-7 --iterations 10000000)"
    check "kernel ${kernel%%,*}"
done
awk 'BEGIN { srand(3); for (i = 0; i < 60; i++) for (d = 0; d < 2; d++) x[i, d] = rand() + (i % 2) * 0.4
    for (i = 0; i < 60; i++) { for (j = 0; j < 60; j++) printf "%.17g,", (x[i,0]*x[j,0] + x[i,1]*x[j,1] + 1)^2
        print i % 2 ? 1 : -1 } }' >table.csv
program solve --data table.csv --split 1 --kernel precomputed --plugin "$peer" --solver libsvm-nu-svc --set mu=0.1 \
    --tolerance 1e-10
one="$(value outcome) $(value objective) $(value duality_gap)"
program solve --data table.csv --split 1 --kernel precomputed --solver clip-mdm --set mu=0.1 --stop rch-gap-both \
    --tolerance 1e-9
same_optimum "$one" "$(value outcome) $(value objective) $(value duality_gap)"
check "kernel precomputed"
same_optimum "$(optimum libsvm-nu-svc --dataset twonorm --kernel rbf,width=40 --set mu=0.0001 --tolerance 1e-10)" \
    "$(optimum clip-mdm --dataset twonorm --kernel rbf,width=40 --set mu=0.0001 --stop rch-gap-both --tolerance 1e-9)"
check "the least mu, where all of a class is at its bound"
optimum libsvm-c-svc --dataset twonorm --kernel rbf,width=40 --set C=1 --tolerance 1e-3 >said
grep -q '"setup":null,"iterations":null,"predict":[1-9]' out && grep -q '"kernel_evaluations":null' out &&
    [ "$(value iterations)" = null ] &&
    grep -q '"outcome":"converged","iterations":[1-9]' out
check "iterations are told, kernel operations but the prediction's are null"
program solve --plugin "$peer" --solver libsvm-c-svc --dataset twonorm --set C=1 --trace t.tsv
ended 2 1 && says "leaves no trace" && [ ! -e t.tsv ]
check "a trace is refused"
program solve --plugin "$peer" --solver libsvm-nu-svc --dataset twonorm --set mu=0.05 --stop rch-gap
ended 2 1 && says 'allowed: delta'
check "a stopping rule it does not have is refused"

# ---- on a file, compared with svm-train ----
awk 'BEGIN { srand(5); for (i = 0; i < 200; i++) { a = rand() * 2 - 1; b = rand() * 2 - 1
    printf "%s 1:%.6g 2:%.6g\n", (a * b + 0.3 * (rand() - 0.5) > 0 ? "+1" : "-1"), a, b } }' >xor.svm
program solve --data xor.svm --plugin "$peer" --solver libsvm-c-svc -c 10 -g 0.5 -e 0.001 ours.model
ended 0 0 && grep -q 'kernel operations: not counted' out && cp out ours
check "solve --data with it says that nothing is counted"
if command -v svm-train >/dev/null; then
    svm-train -c 10 -g 0.5 -e 0.001 xor.svm theirs.model >theirs &&
        [ "$(grep -o '#iter = [0-9]*' ours)" = "$(grep -o '#iter = [0-9]*' theirs)" ] && grep -q '#iter = [1-9]' ours
    check "its iterations are those that svm-train tells of"
    svm-predict xor.svm ours.model by_ours >"$work/err" && svm-predict xor.svm theirs.model by_theirs >>"$work/err" &&
        same_files by_ours by_theirs
    check "and its model predicts what svm-train's does"
else
    skip "its iterations are those that svm-train tells of" "libsvm-tools is not installed" libsvm-tools
fi

# ---- verify: far from the origin and at small scales ----
for solver in libsvm-c-svc libsvm-nu-svc; do
    program verify $solver --plugin "$peer" --problem 18,20,38,40,58,60,70,78,98
    ended 0 0 && grep -qE 'it ends at the optimum +holds' "$work/out"
    check "$solver: verify finds the optimum"
    [ $solver = libsvm-nu-svc ] || grep -qE 'it ends at the optimum .* not reached \(may_stall\)' "$work/out"
    check "$solver: and says which optima single precision hides"
done
grep -q 'did not start in [1-9] runs: LIBSVM found a margin of 0' "$work/out"
check "and that the multipliers are lost where the margin is 0"

# ---- a run, with everything that is made from records ----
cat >config.json <<'END'
{"name": "peer", "datasets": ["twonorm", "waveform"], "splits": "1-6", "standardise": "full-set",
 "kernel": {"type": "rbf", "width": 40}, "parameters": {"mu": 0.05, "C": 1},
 "solvers": [{"name": "clip-mdm", "stop": {"rule": "delta", "tolerance": 1e-6}},
             {"name": "libsvm-nu-svc", "stop": {"rule": "delta", "tolerance": 1e-6}},
             {"name": "second-order-smo", "stop": {"rule": "kkt", "tolerance": 1e-3}},
             {"name": "libsvm-c-svc", "stop": {"rule": "kkt", "tolerance": 1e-3}}],
 "trace": {"datasets": ["twonorm"], "splits": 1},
 "plots": [{"kind": "iterations"}, {"kind": "kernel-operations"}, {"kind": "error"}, {"kind": "convergence"},
           {"kind": "profile", "name": "fewer-iterations", "series": ["second-order-smo", "libsvm-c-svc"],
            "metric": "iterations"},
           {"kind": "profile", "name": "fewer-operations", "series": ["second-order-smo", "libsvm-c-svc"],
            "metric": "kernel-operations"}]}
END
program run config.json --plugin "$peer" --out one --jobs 1 --quiet
ended 0 0
check "run"
program run config.json --plugin "$peer" --out two --jobs 2 --quiet
ended 0 0 && same_files one/records.jsonl two/records.jsonl
check "two threads at once in LIBSVM give the same bytes"
[ -e one/traces/twonorm-1-clip-mdm.tsv ] && [ -z "$(find one/traces -name '*libsvm*')" ]
check "no trace is left by it"
# second-order-smo selects pairs as LIBSVM does
awk -F'"iterations":' \
    '/"second-order-smo"/ { split($2, a, ","); ours += a[1] } /"libsvm-c-svc"/ { split($2, a, ","); theirs += a[1] }
    END { exit !(theirs > 0 && ours > 0.9 * theirs && ours < 1.1 * theirs) }' one/records.jsonl
check "its iterations are those of second-order-smo, within a tenth"
program tables one
ended 0 0 && grep libsvm one/tables/summary.md | grep -q ' – ' && [ -e one/tables/rivals-fewer-operations.csv ] &&
    ! grep -qE '[^a-z]nan|NaN' one/tables/*.csv one/tables/*.md one/tables/*.json one/tables/*.tex
check "tables have nothing where a count is not known"
program compare one --plugin "$peer" --baseline second-order-smo --solver libsvm-c-svc
head -n 1 out >last
ended 0 && grep -q '^Cost: .* iterations' last &&
    grep -q 'Iterations are compared, because kernel operations of libsvm-c-svc are' last &&
    grep -q 'Times are not compared: those of libsvm-c-svc' out
check "compare speaks of iterations, and not of times that have other things in them"
program compare one --plugin "$peer" --baseline clip-mdm --solver libsvm-nu-svc
ended 0 && ! head -n 1 out | grep -q 'problem'
check "and knows that nu-SVC and clip-mdm solve the same problem"
program replay one --plugin "$peer"
ended 0 && grep -q '48 the same, 0 different' out
check "replay does it again"
program report one
ended 0 0 && [ -s one/report.html ]
check "report writes its page"
program plot one --no-render
ended 0
check "plot draws what there is"

# ---- files: LIBSVM's tolerance is reduced until the recomputed relative gap is reached ----
awk 'BEGIN { srand(5); for (i = 0; i < 60; i++) { y = i % 2 ? 1 : -1
    a = rand() + rand() + 0.3 * y; b = rand() - 0.2 * y
    printf "%+d 1:%.6f 2:%.6f\n", y, a, b >"near"
    if (i < 16) printf "%+d 1:%.0f 2:%.0f\n", y, 1e8 + y + 4 * a, 1e8 + 4 * b >"far" } }'
for gap in 0.1 0.001 0.00001; do
    program solve --plugin "$peer" --solver libsvm-c-svc --data near --format libsvm -c 50 -g 0.7 -e $gap near.model
    ended 0 0 && grep -q '^optimization finished' "$work/out" &&
        awk -v formulation=C-SVM -v c=50 -v square=0 -v bound=50 -v added=1 \
            -f "$root/tests/data/certify.awk" near.model near |
        awk -v most=$gap '{ exit !($1 + 0 == $1 && $1 <= most) }'
    check "LIBSVM finishes with a relative gap of $gap, by the model's file"
done
for solver in libsvm-c-svc libsvm-nu-svc; do
    program solve --plugin "$peer" --solver $solver --data far --format libsvm -t 0 far.model
    [ "$status" -ne 0 ] && [ "$status" -lt 128 ] && ! grep -q '^optimization finished' "$work/out"
    check "$solver does not finish where an offset of 1e8 leaves nothing of the inner products"
done
finish
