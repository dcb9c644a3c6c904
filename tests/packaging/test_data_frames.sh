#!/bin/sh
# bindings/python/hullbench.py and bindings/R/hullbench.R: their frames equal those of hullbench export, and their
# profiles equal those of the figures.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
cd "$work" || exit 4

cat >first.json <<'EOF'
{"name": "@first", "datasets": ["twonorm", "titanic", "waveform"], "splits": "1-2", "standardise": "none",
 "kernel": {"type": "rbf", "width": [4, 40]}, "parameters": {"mu": [0.1, 0.3]},
 "solvers": ["clip-mdm", {"name": "mu-mdm", "parameters": {"selection": ["extreme", "free"]}},
             {"name": "cycle-clip-mdm", "parameters": {"history": [1, 45]}}],
 "stop": {"rule": "rch-gap-both", "tolerance": 1e-2}, "budget": {"iterations": 400}, "repeats": 2,
 "trace": {"datasets": ["twonorm"], "splits": "1-2"},
 "plots": [{"kind": "profile", "name": "all"},
           {"kind": "profile", "name": "two", "solvers": ["clip-mdm", "mu-mdm"]},
           {"kind": "profile", "name": "times", "metric": "seconds"}]}
EOF
cat >second.json <<'EOF'
{"name": "second", "datasets": ["ringnorm"], "splits": {"folds": 3}, "standardise": "none",
 "kernel": {"type": "polynomial", "degree": 2}, "parameters": {"C": [1, 10.5]}, "solvers": ["1-smo"],
 "stop": {"rule": "kkt", "tolerance": 1e-2}, "budget": {"iterations": 500}}
EOF
program run first.json --out first --quiet
ended 0 0 && program plot first --no-render && ended 0 && [ -s first/plots/all.dat ]
check "there is a run with figures"
program run second.json --out second --quiet
ended 0 0 && [ -s second/records.jsonl ]
check "and another one"
[ "$failed" -eq 0 ] || finish

# The first python that has pandas: one earlier on PATH than the system's may lack it.
python=''
for name in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$name" -c 'import numpy, pandas' 2>/dev/null || python=$name
done
if [ -n "$python" ]; then
    "$python" "$root/tests/packaging/check_python.py" "$root/bindings/python" "$work" "$hullbench" >out 2>err
    status=$?
    sed -n 's/^test_\([a-z_0-9]*\) .*\.\.\. /# \1: /p' err
    ended 0 && [ "$(grep -c '[.][.][.] ok$' err)" -ge 18 ]
    check "the tests of the Python module pass"
else
    skip "the tests of the Python module pass" "python3 with pandas is not here" python3-pandas
fi
if command -v Rscript >/dev/null; then
    Rscript --vanilla "$root/tests/packaging/check_r.R" "$root/bindings/R/hullbench.R" "$work" "$hullbench" >out 2>err
    status=$?
    sed 's/^/# /' out
    ended 0 && [ "$(grep -c '^ok: ' out)" -eq 20 ]
    check "the tests of the R functions pass"
else
    skip "the tests of the R functions pass" "Rscript is not here" r-base-core
fi
finish
