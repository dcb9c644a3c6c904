#!/bin/sh
# The interactive page of hullbench atlas: a single file that loads nothing. In a browser it draws its figures at 1280
# and at 390 pixels within the width of the window, and shows what a link selects.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
cd "$work" || exit 4

cat >grid.json <<'EOF'
{"name": "grid </script><b>",
 "datasets": [{"name": "twonorm", "synthetic": true}, {"name": "titanic", "synthetic": true}],
 "splits": "1", "standardise": "full-set", "kernel": {"type": "rbf", "width": [5, 20, 80]},
 "parameters": {"C": [0.25, 16]}, "solvers": ["1-smo", "second-order-smo", "2-smo"],
 "stop": {"rule": "duality-gap", "tolerance": [1e-1, 1e-3]}}
EOF
program run grid.json --out grid --quiet
program atlas grid --out atlas --no-render --quiet
ended 0 0 && [ -s atlas/atlas.html ]
check "the page is written"
! grep -nE '(src|href)="[^#"]|@import|url[(][^#]|fetch[(]|XMLHttpRequest' atlas/atlas.html >err
check "it loads nothing"
if ! command -v python3 >/dev/null; then
    skip "its policy names its script" "python3 is not installed" python3
    skip "its data are those of atlas.json" "python3 is not installed" python3
else
    python3 - <<'EOF'
import base64, hashlib, re, sys
page = open("atlas/atlas.html", encoding="utf-8").read()
named = re.search(r"script-src 'sha256-([^']+)'", page).group(1)
script = re.findall(r"<script>(.*?)</script>", page, re.S)
sys.exit(len(script) != 1 or base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode() != named)
EOF
    check "its policy names its script"
    python3 - <<'EOF'
import json, re, sys
page = open("atlas/atlas.html", encoding="utf-8").read()
data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S).group(1)
sys.exit(json.loads(data) != json.load(open("atlas/atlas.json", encoding="utf-8")) or "<" in data)
EOF
    check "its data are those of atlas.json"
fi
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$browser" ]; then
    skip "a browser draws it" "chromium is not installed" chromium
    finish
fi
# The same page without its policy, with a script that records the result. A window is at least 500 pixels wide, a frame
# may be narrower.
sed -e '/Content-Security-Policy/d' -e 's|</body>|<script>\
const count = selector => document.querySelectorAll(selector).length, root = document.documentElement;\
const seen = [innerWidth, root.scrollWidth - root.clientWidth, count("#shares path"), count("#trace path"),\
  count("#map [role=button]"), document.getElementById("part").textContent];\
const lines = [...document.querySelectorAll("#shares path")].filter(path => path.style.stroke !== "none");\
const steps = lines.reduce((sum, path) => sum + path.getAttribute("d").split("V").length - 1, 0);\
const whole = data.families[0].shares.find(s => s.target === null \&\& s.cost === "kernel-operations");\
const rises = whole.share.filter((share, k) => share !== (k % whole.budgets.length ? whole.share[k - 1] : 0)).length;\
seen.push(steps === rises ? "exact" : "coarse", count("#map svg[role=img]") ? "hidden" : "reachable");\
const cell = document.querySelector("#map [data-c]"), place = [cell.dataset.c, cell.dataset.k].join();\
cell.focus();\
cell.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));\
const at = document.activeElement;\
seen.push(at !== cell \&\& [at.dataset.c, at.dataset.k].join() === place ? "kept" : "lost");\
parent.postMessage(seen.join(" "), "*");\
</script></body>|' atlas/atlas.html >seen.html

# The page in a frame of each width, and with two links; each frame's notes are an attribute of its element.
cat >frames.html <<'EOF'
<script>addEventListener("message", e => { for (const frame of document.querySelectorAll("iframe"))
    if (frame.contentWindow === e.source) frame.dataset.noted = e.data; });</script>
<iframe id="wide" src="seen.html" width="1280" height="900" frameborder="0"></iframe>
<iframe id="narrow" src="seen.html" width="390" height="900" frameborder="0"></iframe>
<iframe id="part" src="seen.html#dataset=0&amp;c=1" width="1280" height="900" frameborder="0"></iframe>
<iframe id="penalty" src="seen.html#family=1&amp;cost=0" width="1280" height="900" frameborder="0"></iframe>
EOF
timeout 100 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" --dump-dom \
    "file://$work/frames.html" >dom 2>said
# note FRAME: writes its notes to the file `noted`.
note() {
    sed -n "s/.*<iframe id=\"$1\".* data-noted=\"\([^\"]*\)\".*/\1/p" dom >noted
    grep CONSOLE said >err
    cat noted >>err
    return 0
}

for width in 1280 390; do
    note "$([ "$width" = 390 ] && echo narrow || echo wide)"
    grep -q ' exact reachable kept$' noted
    check "$width pixels wide its curves are those of atlas.json, and keys reach the map and keep their place"
    grep -q "^$width 0 4 2 6 12 problems, 2 solvers" noted
    check "$width pixels wide it draws lines, bands, traces and a cell for each C and width, and nothing is cut off"
done
note part
grep -q ' 3 problems, 2 solvers' noted
check "a link chooses a part of the problems"
note penalty
grep -q ' 12 problems, 1 solver, ' noted
check "and the penalty and the cost"
finish
