#!/bin/sh
# The interactive page that `hullbench report` writes beside its page: a single file that loads nothing. In a browser
# its numbers are those of the records, at 1280 and at 390 pixels nothing is cut off, keys reach everything, and a link
# selects solvers, cost and target.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
cd "$work" || exit 4

# Gilbert's algorithm (mu-gsk) does not converge within 3000 iterations, and clip-mdm only on most splits.
cat >own.json <<'EOF'
{"name": "own </script><b>",
 "datasets": [{"name": "twonorm", "synthetic": true}, {"name": "titanic", "synthetic": true}],
 "splits": "1-3", "standardise": "full-set", "kernel": {"type": "rbf", "width": 20},
 "trace": {"datasets": ["twonorm", "titanic"], "splits": "1-3"},
 "parameters": {"mu": {"of_C": 10}}, "solvers": ["mu-gsk", "clip-mdm", "second-order-clip-mdm"],
 "stop": {"rule": "duality-gap", "tolerance": 1e-5}, "budget": {"iterations": 3000}}
EOF
program run own.json --out 'own <b>' --quiet
ended 0 0
check "a run with a failing solver and traces works"
program compare 'own <b>' --against clip-mdm --solver second-order-clip-mdm --out cmp
program report 'own <b>' cmp --out page.html
ended 0 0 && [ "$(cat out)" = page.html ] && [ -s page.html ] && [ -s page-interactive.html ]
check "the report of a run and a comparison has an interactive page beside it"
grep -q '<a href="page-interactive.html">' page.html
check "the report leads to it"
# The findings begin with the folder's name.
conclusion=$(python3 -c 'import json; print(json.load(open("cmp/compare.json"))["sentence"])' 2>/dev/null)
sed 's/&#39;/'"'"'/g; s/&quot;/"/g' page.html >plain.html
[ "$(grep -cF "<strong>cmp</strong>: $conclusion" plain.html)" -eq 1 ] &&
    [ "$(grep -cF "${conclusion#*. }" plain.html)" -eq 1 ] &&
    grep -q '<h2 id="Comparisons">' page.html && ! grep -q 'Agreement with the papers\|Deviations' page.html
check "the findings of the report have its whole conclusion, once, and nothing is said of papers"
program report 'own <b>' --out first.html
cp first-interactive.html before.html
program report 'own <b>' --out first.html
same_files before.html first-interactive.html
check "the same folder gives the same bytes"
program report 'own <b>' --out - >piped.html
ended 0 && [ ! -e ./--interactive.html ] && ! grep -q 'interactive page' out
check "a report on standard output has none"
program run "$root/configs/lopez2011-table1.json" --datasets titanic --splits 1-2 --out paper --quiet
program report paper
ended 0 && [ -s paper/report.html ] && [ ! -e paper/report-interactive.html ]
check "the report of a run for a paper has none"
program report cmp
ended 0 && [ -s cmp/report.html ] && ! grep -q 'What was run' cmp/report.html && grep -q 'Comparisons' cmp/report.html
check "a comparison alone has a report"
sed 's/3000/1/; s/"own [^"]*"/"stopped"/; /"trace"/d' own.json >stopped.json
program run stopped.json --out stopped --quiet
program report stopped
ended 0 && sed 's/<[^>]*>//g' stopped/report.html | grep -q '^18 records of .*: none converged\.'
check "a run without a converged record says so in its first sentence"
[ -s page-interactive.html ] &&
    ! grep -nE '(src|href)="[^#"]|@import|url[(][^#]|fetch[(]|XMLHttpRequest' page-interactive.html >err
check "it loads nothing"
if ! command -v python3 >/dev/null; then
    skip "its numbers are those of the records" "python3 is not installed" python3
    finish
fi
python3 - <<'EOF' >err 2>&1
import base64, hashlib, json, re, sys
page = open("page-interactive.html", encoding="utf-8").read()
named = re.search(r"script-src 'sha256-([^']+)'", page).group(1)
script = re.findall(r"<script>(.*?)</script>", page, re.S)
data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S).group(1)
assert len(script) == 1 and base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode() == named
assert "<" not in data and json.loads(data)["runs"][0]["label"] == "own <b>"
EOF
check "its policy names its script, and its data are JSON without markup"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$browser" ]; then
    skip "its numbers are those of the records" "chromium is not installed" chromium
    finish
fi
# The page without its policy, with a script that records what it shows and operates it by keys. A window is at least
# 500 pixels wide, a frame may be narrower.
python3 - <<'EOF'
page = open("page-interactive.html", encoding="utf-8").read()
policy = page.index('<meta http-equiv="Content-Security-Policy"')
page = page[:policy] + page[page.index(">", policy) + 1:]
open("seen.html", "w", encoding="utf-8").write(page.replace("</body>", """<script>
const root = document.documentElement, all = selector => [...document.querySelectorAll(selector)];
const rows = id => all(`#${id} tbody tr`).map(row => [...row.cells].map(x => x.textContent));
const stepsIn = id => Object.fromEntries(all(`#${id} path`).map(path =>
  [path.textContent, [...path.getAttribute("d").matchAll(/H([0-9.]+)V/g)].map(step => +step[1])]));
const ticksIn = id => all(`#${id} text`).filter(x => x.getAttribute("text-anchor") === "middle" && +x.textContent > 0)
  .map(x => [+x.getAttribute("x"), +x.textContent]);
const seen = {width: innerWidth, cut: root.scrollWidth - root.clientWidth, part: el("part").textContent,
  cells: rows("pairs"), rows: rows("solvers"), profile: stepsIn("profile"), shares: stepsIn("shares"),
  ticks: {profile: ticksIn("profile"), shares: ticksIn("shares")},
  traces: all("#trace path").length, progress: !el("progress").hidden,
  sticky: getComputedStyle(document.querySelector("#pairs tbody th")).position,
  unlabelled: all("select, input").filter(x => !x.labels.length).length};
const box = document.querySelector("#solvers input");
box.focus();
box.click();
seen.after = el("part").textContent;
seen.kept = document.activeElement !== box && document.activeElement.value === box.value;
seen.hash = decodeURIComponent(location.hash);
parent.postMessage(JSON.stringify(seen), "*");
</script></body>"""))
EOF
cat >frames.html <<'EOF'
<script>addEventListener("message", e => { for (const frame of document.querySelectorAll("iframe"))
    if (frame.contentWindow === e.source) frame.dataset.noted = btoa(unescape(encodeURIComponent(e.data))); });</script>
<iframe id="wide" src="seen.html" width="1280" height="900" frameborder="0"></iframe>
<iframe id="narrow" src="seen.html" width="390" height="900" frameborder="0"></iframe>
<iframe id="part"
    src="seen.html#dataset=1&amp;cost=0&amp;scale=linear&amp;solvers=[%22clip-mdm%22,%22second-order-clip-mdm%22]"
    width="1280" height="900" frameborder="0"></iframe>
<iframe id="target" src="seen.html#target=1" width="1280" height="900" frameborder="0"></iframe>
<iframe id="broken" src="seen.html#solvers=clip-mdm" width="1280" height="900" frameborder="0"></iframe>
<iframe id="strange" src="seen.html#solvers={%22a%22:1}" width="1280" height="900" frameborder="0"></iframe>
<iframe id="other" src="seen.html#solvers=[%22clip-mdm%22,%22no%22]" width="1280" height="900" frameborder="0"></iframe>
EOF
timeout 100 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" \
    --allow-file-access-from-files --enable-logging=stderr --v=0 --dump-dom "file://$work/frames.html" >dom 2>said
# seen FRAME CODE: `s` is what the frame showed, `records` are those of the run; the code's assertions hold.
seen() {
    grep CONSOLE said >err
    python3 - "$1" >>err 2>&1 <<EOF
import base64, json, math, re, sys
noted = re.search('id="%s"[^>]*data-noted="([^"]*)"' % sys.argv[1], open("dom", encoding="utf-8").read()).group(1)
s = json.loads(base64.b64decode(noted))
records = [json.loads(line) for line in open("own <b>/records.jsonl")]
patterns = {d["dataset"]: d["train"] for d in json.load(open("own <b>/run.json"))["data"]}
names = ["mu-gsk", "clip-mdm", "second-order-clip-mdm"]
shown = {"mu-gsk": "μ-gsk"}
def costs(read, dataset=None):
    "For each problem its data set and, for each solver that converged, its cost."
    problems = {}
    for r in records:
        if dataset in (None, r["dataset"]):
            task = problems.setdefault((r["dataset"], r["split"]), {})
            task[r["solver"]] = read(r) if r["outcome"] == "converged" else None
    return problems
def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))
def over_sets(problems, value):
    sets = {}
    for (dataset, split), task in problems.items():
        sets.setdefault(dataset, []).append(value(task))
    return [mean(x) for x in sets.values()]
def penalised(task, name):
    return task[name] if task[name] is not None else 10 * max(x for x in task.values() if x is not None)
def ratio(problems, a, b):
    ratios = over_sets(problems, lambda task: penalised(task, a) / penalised(task, b))
    return "%s (%d of %d)" % (number(mean(ratios)), sum(r < 1 - 1e-12 for r in ratios), len(ratios))
def drawn(figure, name, values, scale=math.log10):
    "The solver has a step at each value, within a pixel, by the places of the axis's first and last number."
    steps = s[figure].get(shown.get(name, name), [])
    (x0, v0), (x1, v1) = s["ticks"][figure][0], s["ticks"][figure][-1]
    places = [x0 + (scale(v) - scale(v0)) / (scale(v1) - scale(v0)) * (x1 - x0) for v in sorted(values)]
    assert len(steps) == len(places), (name, steps, places)
    assert all(abs(a - b) < 1 for a, b in zip(steps, places)), (name, steps, places)
def number(x):
    return repr(float("%.3g" % x)).removesuffix(".0") if 0.01 <= x < 1e5 else "?"
$2
EOF
}
for frame in wide narrow; do
    seen $frame '
operations = costs(lambda r: r["kernel_operations"]["iterations"])
assert None in [x for task in operations.values() for x in task.values()], "no run fails"
for i, a in enumerate(names):
    for j, b in enumerate(names):
        if i != j:
            assert s["cells"][i][j + 1] == ratio(operations, a, b), (a, b, s["cells"][i], ratio(operations, a, b))
least = [min(x for x in task.values() if x is not None) for task in operations.values()]
for name in names:
    done = [task[name] for task in operations.values()]
    row = [r for r in s["rows"] if r[0] == shown.get(name, name)][0]
    assert row[2] == str(sum(x == y for x, y in zip(done, least))), row
    assert row[1] == "%g %%" % (round(1000 * sum(x is not None for x in done) / len(done)) / 10), row
    drawn("profile", name, [x / y for x, y in zip(done, least) if x is not None])
    drawn("shares", name, [t[name] / patterns[d] for (d, _), t in operations.items() if t[name] is not None])'
    check "in the $frame frame pairs, shares and profiles are those of the records, failed runs included"
    seen $frame 'assert s["cut"] == 0 and s["sticky"] == "sticky" and s["progress"] and s["traces"] >= 3, s'
    check "in the $frame frame nothing is cut off, names of rows stay in view, and traces are drawn"
done
seen narrow 'assert s["width"] == 390'
check "a frame of 390 pixels shows the page at that width"
seen wide 'assert s["unlabelled"] == 0 and s["kept"] and "2 of 3 solvers" in s["after"] and "solvers=" in s["hash"], s'
check "every control has a label, and a key that clears a solver keeps its place"
seen part '
iterations = costs(lambda r: r["iterations"], "titanic")
assert s["part"].startswith("3 problems, 2 of 3 solvers."), s["part"]
assert len(s["cells"]) == 2
assert s["cells"][1][1] == ratio(iterations, names[2], names[1]), s["cells"]
for name in names[1:]:
    drawn("shares", name, [t[name] for t in iterations.values() if t[name] is not None], float)'
check "a link selects data set, cost, scale and solvers"
seen target '
import glob
# The kernel operations of each trace at its first point with a relative gap of 1e-2 or less.
reached = {}
for path in glob.glob("own <b>/traces/*.tsv"):
    lines = open(path).read().splitlines()
    about = dict(line[2:].split(" ", 1) for line in lines if line.startswith("# ") and " " in line[2:])
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    at = {name: k for k, name in enumerate(rows[0])}
    points = [row for row in rows[1:] if float(row[at["gap"]]) <= 1e-2 * abs(float(row[at["objective"]]))]
    task = reached.setdefault((about["dataset"], about["split"]), {})
    task[about["solver"]] = float(points[0][at["kernel_operations"]]) if points else None
assert len(reached) == 6 and s["part"].startswith("6 pairs of problem and target, 3 of 3"), s["part"]
for i, a in enumerate(names):
    least = {k: min(x for x in task.values() if x is not None) for k, task in reached.items()}
    drawn("profile", a, [task[a] / least[k] for k, task in reached.items() if task[a] is not None])
    for j, b in enumerate(names):
        assert i == j or s["cells"][i][j + 1] == ratio(reached, a, b), (s["cells"][i][j + 1], ratio(reached, a, b))'
check "a link selects a gap, and the costs are those of the traces up to it"
for frame in broken strange; do
    seen $frame 'assert s["part"].startswith("6 problems, 3 of 3 solvers."), s["part"]'
    check "a link whose solvers are no list of names selects all (the $frame frame)"
done
seen other 'assert s["part"].startswith("6 problems, 1 of 3 solvers."), s["part"]'
check "a link that names a solver that the run lacks selects the others"
finish
