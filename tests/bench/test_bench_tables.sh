#!/bin/sh
# The tables of docs/performance.md are made from the reports of the bench (tests/bench/tables.py).
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

if ! python3 -c 1 2>/dev/null; then
    skip "tables of docs/performance.md" "python3 is not installed" python3
    finish
fi
tables=$root/tests/bench/tables.py
mkdir "$work/reports"
cat >"$work/reports/bench-peers.json" <<'END'
{"peer_versions": {"LIBSVM": "3.24"}, "peers_not_installed": {"dlib": "libdlib-dev"}, "peers": [
 {"problem": "moons 50", "n": 50, "C": 1, "runs": [
  {"solver": "LIBSVM", "seconds": 0.004, "reached": true},
  {"solver": "packed-smo", "seconds": 0.002, "reached": true, "times_faster": [
   {"against": "LIBSVM", "median": 2, "least": 1.5, "most": 2.5}]}]},
 {"problem": "moons 50", "n": 50, "C": 1, "runs": [
  {"solver": "e1071", "seconds": 1.25, "reached": false},
  {"solver": "packed-smo", "seconds": 0.0025, "reached": true, "times_faster": [
   {"against": "e1071", "median": 500, "least": 500, "most": 500}]}]}]}
END
cat >"$work/page.md" <<'END'
Before.
<!-- table peers -->
old
<!-- end -->
Between.
<!-- table versions -->
<!-- end -->
<!-- table sets -->
kept
<!-- end -->
END
cat >"$work/expected" <<'END'
Before.
<!-- table peers -->
| solver | moons 50 |
| --- | --: |
| LIBSVM | 4.00 ms, 2.00 |
| e1071 | 1.25 s, 500 ! |
| packed-smo | 2.00 ms |
<!-- end -->
Between.
<!-- table versions -->
Measured: LIBSVM 3.24. Not installed: dlib (needs libdlib-dev).
<!-- end -->
<!-- table sets -->
kept
<!-- end -->
END
python3 "$tables" "$work/page.md" "$work/reports" 2>"$work/err" && diff "$work/page.md" "$work/expected" >>"$work/err"
check "tables are those of the reports, with a mark where the accuracy was missed, and other text stays"
grep -q 'page.md: left as it was, sets: bench.json' "$work/err"
check "a table whose report is not there is named"

printf '<!-- table nosuch -->\n<!-- end -->\n' >"$work/wrong.md"
! python3 "$tables" "$work/wrong.md" "$work/reports" 2>"$work/err" && grep -q 'no table is called nosuch' "$work/err"
check "a table that does not exist is refused"

cp "$root/docs/performance.md" "$work/real.md"
mkdir "$work/none"
python3 "$tables" "$work/real.md" "$work/none" 2>"$work/err" && cmp -s "$root/docs/performance.md" "$work/real.md"
check "docs/performance.md has no table that cannot be made, and without reports it stays as it is"

cat >"$work/headline.py" <<'END'
"""Names the numbers of the page's headline table that stand in none of its generated tables."""
import re
import sys

with open(sys.argv[1], encoding="utf-8") as stream:
    page = stream.read()
number = re.compile(r"(?<![\w.])\d+(?:[.]\d+)?(?![\w]|[.]\d)")
measured = set(number.findall(" ".join(re.findall(r"<!-- table \w+ -->.*?<!-- end -->", page, flags=re.S))))
headline = re.search(r"<!-- headline -->.*?<!-- end of headline -->", page, flags=re.S)[0]
cells = [line.split("|") for line in headline.splitlines() if line.startswith("| ")][2:]
printed = [n for row in cells for n in number.findall(row[2]) + re.findall(r"(\d+) (?:%|MiB)", row[3])]
wrong = [n for n in printed if n not in measured]
print(len(printed), "numbers", *wrong)
sys.exit(bool(wrong) or not printed)
END
python3 "$work/headline.py" "$root/docs/performance.md" >"$work/err"
check "the headline numbers stand in the tables"
sed '/^<!-- headline/,/^<!-- end of headline/s/5[.]04/5.05/' "$root/docs/performance.md" >"$work/headline.md"
! python3 "$work/headline.py" "$work/headline.md" >"$work/err" && grep -q '5[.]05' "$work/err"
check "a headline number that stands in no table is named"
finish
