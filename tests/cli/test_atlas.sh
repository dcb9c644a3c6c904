#!/bin/sh
# hullbench atlas: its output agrees with the records, with and without censored runs; it draws figures, also for print;
# runs that cannot be compared give a one-line error.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
cd "$work" || exit 4

# agrees_with_records FOLDER FILE SENTENCE: an atlas has the values that check_atlas.py computes from the records.
agrees_with_records() {
    if ! command -v python3 >/dev/null; then
        skip "$3" "python3 is not installed" python3
        return
    fi
    python3 "$root/tests/cli/check_atlas.py" "$1" "$2" >differences 2>&1 || { cat differences >>err && false; }
    check "$3"
}

cat >grid.json <<'EOF'
{"name": "grid", "datasets": [{"name": "twonorm", "synthetic": true}, {"name": "ringnorm", "synthetic": true},
  {"name": "titanic", "synthetic": true}],
 "splits": "1-2", "standardise": "full-set", "kernel": {"type": "rbf", "width": {"per_dataset": {
  "twonorm": [10, 40], "ringnorm": 10, "titanic": 2}}},
 "parameters": {"C": [0.25, 16], "shrinking": ["no", "yes"]},
 "solvers": ["1-smo", "second-order-smo", "conjugate-smo", "2-smo", "second-order-2-smo"],
 "stop": {"rule": "duality-gap", "tolerance": [1e-1, 1e-3, 1e-5]}, "budget": {"iterations": 150}}
EOF
program run grid.json --out grid --quiet --repeats 2 # so that seconds are a cost
ended 0 && grep -q '"outcome":"iteration-limit"' grid/records.jsonl &&
    grep -q '"outcome":"converged"' grid/records.jsonl
check "there is a run in which some targets are not reached"

program atlas grid --out atlas --no-render
ended 0 && grep -q '^linear penalty: 4 solvers, 16 problems' out &&
    grep -q '^square penalty: 2 solvers, 16 problems' out
check "families of penalties are told apart, and all problems are compared"
agrees_with_records grid atlas/atlas.json \
    "reached targets, means, shares, best solvers and all comparisons are those of the records"
grep -q '^linear,conjugate-smo\[shrinking=yes\],conjugate-smo\[shrinking=no\],iterations,0.001,' \
    atlas/atlas-ratios.csv &&
    ! grep -q 1-smo atlas/atlas-ratios.csv
check "settings of one solver are compared with each other"
[ -s atlas/atlas-ecdf.csv ] && [ -s atlas/atlas-maps.csv ] &&
    grep -q '^| linear *| iterations *| 0.001 ' atlas/atlas-maps.md &&
    grep -q '"may_be_best"' atlas/atlas-maps.json &&
    [ -s atlas/plots/atlas-map-linear-kernel-operations.gp ] && [ -s atlas/plots/atlas-sets-square-seconds.gp ] &&
    [ -s atlas/plots/atlas-ecdf-square-iterations.dat ]
check "tables and figures are there"

cp -r grid unsized
sed -e '/"train":/d' -e '/"test":/d' -e 's/\("generated":.*\),/\1/' grid/run.json >unsized/run.json
program atlas unsized --out unsized-atlas --no-render
ended 0 && grep -q '^Budgets are not divided by the sizes' out && [ ! -e unsized-atlas/atlas-rates.md ]
check "budgets are costs themselves if sizes of data sets are unknown"
agrees_with_records unsized unsized-atlas/atlas.json "with such budgets, too, all values are those of the records"

cp -r atlas once
program atlas grid --out atlas --no-render --quiet
ended 0 0 && diff -r once atlas >/dev/null
check "the same seed gives the same bytes"
program atlas grid --out atlas --no-render --quiet --seed 2
ended 0 0 && ! cmp -s once/atlas.json atlas/atlas.json
check "another seed gives other bands"

# ---- conditions ----
for part in twonorm ringnorm; do
    program run grid.json --out "$part" --quiet --repeats 2 --datasets $part --solvers 1-smo,second-order-smo
done
sed -i 's/"threads":[[:space:]]*[0-9]*/"threads": 77/' ringnorm/run.json
program run grid.json --out single --quiet --solvers 1-smo,second-order-smo
for folders in single "twonorm ringnorm"; do
    # shellcheck disable=SC2086 # a list of folders
    program atlas $folders --out untimed --no-render
    ended 0 && grep -q '^Times are not compared: ' out && grep -q '"time_note"' untimed/atlas.json &&
        ! grep -q '"seconds"' untimed/atlas.json && [ -z "$(find untimed/plots -name "*seconds*")" ]
    check "times of $folders, which compare would not compare, are left out"
done
sed 's/"iterations": 150/"iterations": 90/; s/"grid"/"less"/' grid.json >less.json
program run less.json --out lower --quiet --solvers 2-smo
program run grid.json --out higher --quiet --solvers second-order-2-smo
program atlas lower higher --out unlike --no-render
ended 2 1 && says 'square penalty' && says '90 iterations' && says '150 iterations' && [ ! -e unlike/atlas.json ]
check "runs with unlike budgets are not compared"

program atlas grid --out atlas --no-render --solvers 1-smo,conjugate-smo --datasets twonorm
ended 0 && grep -q '^linear penalty: 3 solvers, 8 problems' out && ! grep -q square out &&
    [ ! -e atlas/plots/atlas-ecdf-square-iterations.dat ]
check "solvers and data sets can be chosen, and what an earlier call left is removed"
program atlas grid --out refused --solvers 1-smo,nobody
ended 2 1 && says '--solvers: [1]: unknown solver "nobody"' && [ ! -e refused ]
check "a solver that no record has is named"

program atlas grid --out atlas --no-render --quiet --datasets ringnorm --pair 1-smo:second-order-smo
ended 0 0 && grep -q '^linear,second-order-smo,1-smo,seconds,0.1,' atlas/atlas-ratios.csv
check "and pairs that are named"
program atlas grid --out atlas --pair 1-smo
ended 2 1 && says "is not A:B"
check "a pair needs two names"

cat >sizes.json <<'EOF'
{"name": "sizes", "datasets": [
  {"name": "n50", "n_train": 50, "n_test": 20, "generate": {"shape": "gaussians", "features": 4}},
  {"name": "n100", "n_train": 100, "n_test": 20, "generate": {"shape": "gaussians", "features": 4}},
  {"name": "n200", "n_train": 200, "n_test": 20, "generate": {"shape": "gaussians", "features": 4}},
  {"name": "f8", "n_train": 50, "n_test": 20, "generate": {"shape": "gaussians", "features": 8}},
  {"name": "noise", "n_train": 50, "n_test": 20, "generate": {"shape": "gaussians", "features": 4, "label_noise": 0.1}},
  {"name": "noisy", "n_train": 50, "n_test": 20,
   "generate": {"shape": "gaussians", "features": 4, "label_noise": 0.3}}],
 "splits": "1-3", "standardise": "none", "kernel": {"type": "rbf", "width": 8}, "parameters": {"C": 4},
 "solvers": ["1-smo", "second-order-smo"], "stop": {"rule": "duality-gap", "tolerance": [1e-1, 1e-3]},
 "budget": {"iterations": 120}}
EOF
program run sizes.json --out sizes --quiet
program atlas sizes --out grown --no-render --quiet --pair 1-smo:second-order-smo
agrees_with_records sizes grown/atlas.json "exponents and mean squares are those of the records"
[ "$(grep -c '^linear,second-order-smo,1-smo,iterations,0.001,' grown/atlas-variance.csv)" = 2 ] &&
    [ ! -e atlas/atlas-variance.csv ]
check "with one C and width, variances are those of sets and splits; sets with unlike widths have none"
[ "$(cut -d, -f4 grown/atlas-growth-points.csv | sort -u | tr '\n' ' ')" = "label_noise member n_train " ] &&
    grep -q 'n_train,.*at least' grown/atlas-growth.csv && ! grep -q label_noise grown/atlas-growth.csv &&
    [ -s grown/plots/atlas-growth-linear-n_train-1.gp ]
check "two sets are no sweep, a number of 0 has no exponent, and runs that were stopped leave a bound"

cat >stub <<'EOF'
#!/bin/sh
# notes its call, and makes the folder of a run
echo "$*" >>calls
while [ $# -gt 1 ]; do
    [ "$1" != --out ] || { mkdir -p "$2" && : >"$2/run.json"; }
    shift
done
EOF
chmod +x stub
sed -i "s|>>calls|>>$work/calls|" stub
HULLBENCH=$work/stub "$root/scripts/atlas.sh" "$work/study" --full --bundle --jobs 2 >out 2>err
status=$?
ended 0 && grep -q '^Hours of one thread' out && ! grep -q -e --quick calls &&
    [ "$(grep -c '^run configs/.* --jobs 2$' calls)" = 6 ] && [ "$(grep -c '^bundle ' calls)" = 6 ] &&
    [ "$(grep -c '^atlas ' calls)" = 7 ] && [ "$(grep -c '^atlas .* --solvers 1-smo,' calls)" = 1 ] &&
    ! grep -q -e held-out -e times -e large -e registered calls
check "the full study runs all splits of six configurations, bundles and analyses them, and says how long it takes"
rm -r calls study
HULLBENCH=$work/stub "$root/scripts/atlas.sh" "$work/study" >out 2>err
status=$?
ended 0 && [ "$(grep -c '^run .*--quick' calls)" = 9 ] && [ "$(grep -c '^run ' calls)" = 9 ] &&
    ! grep -q -e '^bundle' -e registered -e large calls
check "the standard study runs the quick part of nine, and not the registered one"

sed -e 's/"tolerance": \[1e-1, 1e-3, 1e-5\]/"tolerance": [1e-1, 1e-3]/' \
    -e 's/"1-smo", "second-order-smo"/"cycle-1-smo"/' -e 's/"name": "grid"/"name": "more"/' grid.json >more.json
program run more.json --out more --quiet --datasets ringnorm --solvers cycle-1-smo,2-smo
program atlas grid more --out joined --no-render
ended 0 &&
    grep -q '^linear penalty: .*left out, because .* fewer than half of the problems: cycle-1-smo' out
check "a solver with few records is left out by name"

sed -e 's/\[0.25, 16\]/[0.25, 16384]/' -e 's/"name": "grid"/"name": "large"/' grid.json >large.json
program run large.json --out large --quiet --datasets ringnorm --splits 1 --solvers 2-smo,second-order-2-smo
program atlas large --out joined --no-render
ended 0 && grep -q '"C":\[0.25,16384\]' joined/atlas.json
check "a C of five digits is not rounded"

sed -e 's/"duality-gap"/"kkt"/' -e 's/"name": "grid"/"name": "other"/' grid.json >other.json
program run other.json --out other --quiet --datasets titanic,ringnorm --splits 1 --solvers 2-smo,second-order-2-smo
program atlas grid other --out joined --no-render
ended 2 1 && says "--rule"
check "records of several rules are refused"
program atlas grid other --out joined --no-render --quiet --rule kkt
ended 0 0
check "unless one is named"
program atlas grid --out joined --solvers 1-smo
ended 3 1 && says "nothing to compare"
check "one solver cannot be compared"
program atlas "$work" --out joined
ended 2
check "a folder without a run is refused"
program atlas grid
ended 2 && says "--out"
check "--out is required"
program atlas grid --out joined --seed 0
ended 2 1 && says "--seed"
check "a seed of 0 is refused"

if command -v gnuplot >/dev/null 2>&1; then
    program atlas grid --out atlas --quiet --datasets twonorm --solvers 2-smo,second-order-2-smo
    ended 0 && [ -s atlas/plots/atlas-map-square-iterations.svg ] && [ -s atlas/plots/atlas-ecdf-square-seconds.pdf ]
    check "figures are drawn"
    program plot atlas --for paper
    ended 0 && [ -s atlas/paper/atlas-sets-square-seconds.pdf ] &&
        [ -s atlas/paper/atlas-map-square-iterations.pdf ] && [ -s atlas/paper/atlas-ecdf-square-iterations.txt ]
    check "and set for print"
else
    skip "figures are drawn" "gnuplot is not installed" gnuplot-nox
fi
finish
