#!/bin/sh
# The plugin docs/examples/lazy_fw.c as its author would use it, in an empty folder with an installed program: from the
# generated solver through verify, sweep and comparison to a gate, which notices a changed solver.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
make_root install PREFIX="$work/prefix" >"$work/log" 2>"$work/err"
check "an installed program"
PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
PATH=$work/prefix/bin:$PATH
HULLBENCH_DATA=$data
export PKG_CONFIG_PATH PATH HULLBENCH_DATA
unset HULLBENCH_DATADIR

cat >"$work/steps" <<'STEPS'
hullbench new-solver lazy-fw --plugin
sh test_lazy_fw.sh
share=$(pkg-config --variable=prefix hullbench)/share/hullbench
cp "$share/docs/examples/lazy_fw.c" .
cat >test_lazy_fw.sh <<'END'
#!/bin/sh
# Compiles the plugin and verifies its solver.
set -eu
cd "$(dirname "$0")"
# shellcheck disable=SC2046 # a list of flags
${CC:-cc} -std=c11 -O2 -ffp-contract=off -Wall -Wextra -fPIC -shared -o lazy_fw.so lazy_fw.c \
    $(pkg-config --cflags hullbench)
hullbench verify lazy-fw --plugin ./lazy_fw.so
END
sh test_lazy_fw.sh
cat >lazy.json <<'END'
{"name": "lazy-fw", "datasets": ["breast-cancer", "heart", "thyroid", "twonorm", "ringnorm", "waveform"],
 "splits": "1-10", "standardise": "full-set",
 "kernel": {"type": "rbf", "width": {"per_dataset": {"breast-cancer": 50, "heart": 120, "thyroid": 3, "twonorm": 40,
                                                     "ringnorm": 10, "waveform": 20}}},
 "solvers": ["mdm", {"name": "lazy-fw", "parameters": {"lazy": [0, 2, 8]}}],
 "stop": {"rule": "rch-gap-both", "tolerance": 1e-3}, "budget": {"iterations": 200000}}
END
hullbench run lazy.json --plugin ./lazy_fw.so --out run
hullbench compare run --plugin ./lazy_fw.so --against mdm --solver "lazy-fw[lazy=0],lazy-fw[lazy=2]" --no-render
cat >ci.json <<'END'
{"name": "ci", "datasets": [{"name": "twonorm", "synthetic": true}, {"name": "ringnorm", "synthetic": true}],
 "splits": "1-2", "standardise": "full-set",
 "kernel": {"type": "rbf", "width": {"per_dataset": {"twonorm": 40, "ringnorm": 10}}},
 "solvers": [{"name": "lazy-fw", "parameters": {"lazy": [0, 2]}}],
 "stop": {"rule": "rch-gap-both", "tolerance": 1e-3}, "budget": {"iterations": 100000}}
END
hullbench check ci.json --plugin ./lazy_fw.so --baseline baseline.json --update --message "First reference values"
hullbench check ci.json --plugin ./lazy_fw.so --baseline baseline.json
mkdir -p .github/workflows
sed 's/my-solver/lazy-fw/; s/my_solver/lazy_fw/' "$share/docs/ci/plugin-github.yml" >.github/workflows/hullbench.yml
mkdir -p changed
sed 's/0.5 \* self->found/0.6 * self->found/' lazy_fw.c >changed/lazy_fw.c
cp test_lazy_fw.sh changed
sh changed/test_lazy_fw.sh
! hullbench check ci.json --plugin ./changed/lazy_fw.so --baseline baseline.json >moved.txt
STEPS
mkdir "$work/away" && cd "$work/away" || exit 4
sh -eu "$work/steps" >"$work/said" 2>"$work/err"
status=$?
[ "$status" -eq 0 ]
check "every command ends with status 0"
! grep -iE 'warning|error|does not fit' "$work/err"
check "nothing is warned of"
cp "$work/said" "$work/err"
[ "$(grep -c '^lazy-fw: no violated expectation was found' "$work/said")" -eq 2 ] &&
    ! grep -q 'DOES NOT HOLD' "$work/said"
check "verify finds nothing that does not hold"
for lazy in 0 2 8; do
    grep '"solver":"lazy-fw","params":{"lazy":'$lazy'}' run/records.jsonl | grep -cv '"outcome":"converged"'
done >"$work/err"
[ "$(sort -u "$work/err")" = 0 ] && [ "$(grep -c '"solver":"mdm"' run/records.jsonl)" -ge 30 ]
check "the sweep has all values of lazy, and all runs converged"
cat >table.json <<'END'
{"name": "costs", "rows": ["dataset"], "columns": ["solver", "lazy"], "metrics": ["kernel-operations"],
 "where": {"lazy": [null, 0, 2]}, "marks": {"against": "mdm"}, "labels": {"mdm": "MDM", "lazy-fw": "AFW"}}
END
hullbench tables run --plugin ./lazy_fw.so --spec table.json >>"$work/said" 2>"$work/err" &&
    grep -q '| *MDM.* AFW lazy = 0 .* AFW lazy = 2 |$' run/tables/costs.md && grep -q '^twonorm & ' run/tables/costs.tex
check "a table with null has MDM, and AFW at two values of lazy"
! grep -q 'not known' run/tables/costs.md "$work/said"
check "table and comparison know that both solve the same problem"
[ "$(grep -c '^moved   lazy-fw .* lazy=2' moved.txt)" -ge 4 ] && ! grep -q '^moved.* lazy=0' moved.txt
check "the gate closes on a changed solver, at lazy = 2 only"
grep -q '^ci: 8 records compared: 8 the same, 0 moved, 0 missing, 0 new$' "$work/said"
check "and is open for the one that made the baseline"
# Its verify has some of the problems, since the test that the step runs first has all.
grep -E '^ *(sh test_|hullbench verify )' .github/workflows/hullbench.yml |
    sed 's/hullbench verify .*/& --problem 1-40/' >plugin.step
[ "$(wc -l <plugin.step)" -eq 2 ] && sh -eu plugin.step >"$work/out" 2>"$work/err"
check "the workflow's commands for the plugin pass as they are filled in"
finish
