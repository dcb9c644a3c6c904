#!/bin/sh
# docs/examples/hullbench.ipynb runs from end to end, and its results for a pair agree with the records.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
cd "$work" || exit 4
notebook=$root/docs/examples/hullbench.ipynb

if ! command -v python3 >/dev/null; then
    skip "the notebook" "python3 is not here" python3
    finish
fi
python3 - "$notebook" 2>err <<'EOF'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as stream:
    cells = json.load(stream)["cells"]
code = [cell for cell in cells if cell["cell_type"] == "code"]
sys.exit(not code or any(cell["outputs"] or cell["execution_count"] for cell in code))
EOF
check "the notebook is kept without outputs"
# The first python that has everything: one earlier on PATH than the system's may lack it.
python=''
for name in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$name" -c 'import importlib.util, sys
sys.exit(not all(map(importlib.util.find_spec, ("ipykernel", "matplotlib", "nbclient", "pandas"))))' 2>/dev/null ||
        python=$name
done
if [ -z "$python" ]; then
    skip "the notebook runs" "Python packages are not installed" \
        python3-nbclient python3-ipykernel python3-pandas python3-matplotlib
    finish
fi
mkdir temporary home
TMPDIR=$work/temporary HOME=$work/home HULLBENCH=$hullbench PYTHONDONTWRITEBYTECODE=1 "$python" - "$notebook" \
    >out 2>err <<'EOF'
import os
import sys

import nbclient
import nbformat

cells = nbformat.read(sys.argv[1], as_version=4)
nbclient.NotebookClient(cells, resources={"metadata": {"path": os.path.dirname(sys.argv[1])}}).execute()
nbformat.write(cells, "done.ipynb")
EOF
[ -s done.ipynb ]
check "the notebook runs"
python3 - temporary/*/run/records.jsonl done.ipynb >out 2>err <<'EOF'
"""The geometric means that the notebook shows, from the records."""
import json
import math
import re
import sys

with open(sys.argv[1], encoding="utf-8") as stream:
    records = [json.loads(line) for line in stream]
with open(sys.argv[2], encoding="utf-8") as stream:
    cells = json.load(stream)["cells"]
costs = {solver: {(r["dataset"], r["split"], r["params"]["mu"]): r["kernel_operations"]["iterations"] for r in records
                  if r["solver"] == solver and r["outcome"] == "converged"} for solver in ("clip-mdm", "mu-gsk")}
logs = {}
for problem, cost in costs["clip-mdm"].items():
    if problem in costs["mu-gsk"]:
        logs.setdefault(problem[0], []).append(math.log(cost / costs["mu-gsk"][problem]))
assert len(logs) == 3
texts = ["".join(output["data"]["text/plain"]) for cell in cells for output in cell.get("outputs", ())
         if "text/plain" in output.get("data", {})]
shown = next(text for text in texts if "clip-mdm / mu-gsk" in text)
for dataset, values in logs.items():
    number = re.search(dataset + r"\s+([0-9.]+)", shown).group(1)
    assert number == f"{math.exp(sum(values) / len(values)):.6f}", (dataset, number)
assert sum("image/png" in output.get("data", {}) for cell in cells for output in cell.get("outputs", ())) == 2
EOF
status=$?
ended 0 && [ ! -s out ]
check "it draws two figures, and the means of its pair are those of the records"
finish
