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
{"commit": "0123456789ab",
 "peer_versions": {"LIBSVM": "3.24"}, "peers_not_installed": {"dlib": "libdlib-dev"}, "peers": [
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

Measured on 0123456789ab.
<!-- end -->
Between.
<!-- table versions -->
Measured: LIBSVM 3.24. Not installed: dlib (needs libdlib-dev).

Measured on 0123456789ab.
<!-- end -->
<!-- table sets -->
kept
<!-- end -->
END
python3 "$tables" "$work/page.md" "$work/reports" 2>"$work/err" && diff "$work/page.md" "$work/expected" >>"$work/err"
check "tables are those of the reports, with a mark where the accuracy was missed, and other text stays"
grep -q 'page.md: left as it was, sets: bench.json' "$work/err"
check "a table whose report is not there is named"

cat >"$work/reports/bench.json" <<'END'
{"commit": "0123456789ab", "large": [{"problem": "moons 50", "n": 50, "C": 1, "runs": [
  {"solver": "LIBSVM", "seconds": 0.004, "reached": true},
  {"solver": "packed-smo, 1 MB", "seconds": 0.002, "reached": true, "times_faster": [
   {"against": "LIBSVM", "median": 2, "least": 1.81, "most": 2.19}]},
  {"solver": "packed-smo, 9 MB", "seconds": 0.001, "reached": true, "times_faster": [
   {"against": "LIBSVM", "median": 4, "least": 4, "most": 4}]},
  {"solver": "1-smo", "seconds": 0.003, "reached": false, "times_faster": [
   {"against": "LIBSVM", "median": 2, "least": 1.79, "most": 2}]}]}],
 "exact": [{"problem": "heart", "runs": [{"solver": "LIBSVM", "kkt_violation": 2e-5, "reached": false},
  {"solver": "1-smo", "kkt_violation": 9e-7, "reached": true},
  {"solver": "packed-smo", "kkt_violation": 9.5e-7, "reached": true}]},
  {"problem": "banana", "runs": [{"solver": "LIBSVM", "kkt_violation": 9e-7, "reached": true},
  {"solver": "1-smo", "kkt_violation": 9e-7, "reached": true},
  {"solver": "packed-smo", "kkt_violation": 9.5e-7, "reached": true}]}]}
END
printf '<!-- table large -->\n<!-- end -->\n<!-- table exact -->\n<!-- end -->\n' >"$work/page.md"
python3 "$tables" "$work/page.md" "$work/reports" 2>"$work/err"
grep '^| [^s-]' "$work/page.md" >"$work/out"
cat >"$work/expected" <<'END'
| problem | C | solver | seconds | LIBSVM |
| moons 50 | 1 | packed-smo, 1 MB | 2.00 ms | 2.00 |
| moons 50 | 1 | 1-smo | 3.00 ms | 2.00 (1.79–2.00) ! |
| data set | LIBSVM | largest of 1-smo, packed-smo |
| heart | 2.0e-05 ! | 9.5e-07 |
END
diff "$work/out" "$work/expected" >"$work/err"
check "extremes stand where they are a tenth away, a solver once, and the sets on which an accuracy is missed"

cat >"$work/reports/bench-linear.json" <<'END'
{"commit": "0123456789ab", "load": 1.26, "linear": [{"problem": "9 x 3", "C": 10, "runs": [
  {"solver": "hullbench solve", "seconds": 0.5, "excess": 1e-5, "gap": 2.5e-4, "chosen": "low-rank-interior-point"},
  {"solver": "packed-smo", "seconds": 2, "excess": 1e-4, "gap": 7.5e-4, "chosen": null},
  {"solver": "LIBLINEAR", "seconds": 0.25, "excess": 0.125}]}]}
END
cat >"$work/reports/bench-reading.json" <<'END'
{"commit": "0123456789ab", "load": 3, "reading": [{"file": "CSV", "megabytes": 20, "seconds": 0.08}]}
END
printf '<!-- table linear -->\n<!-- end -->\n<!-- table reading -->\n<!-- end -->\n' >"$work/page.md"
python3 "$tables" "$work/page.md" "$work/reports" linear 2>"$work/err" && grep -qF \
    '| 9 x 3 | 10 | 500 ms | 2.5e-04 | low-rank-interior-point | 2.00 s | 7.5e-04 | 250 ms | 1.2e-01 |' \
    "$work/page.md" &&
    grep -qx 'The load average at the start was 1[.]3[.]' "$work/page.md" && ! grep -q CSV "$work/page.md"
check "the table of linear kernels has times, gaps, excess and load; a table that is not named stays"
python3 "$tables" "$work/page.md" "$work/reports" reading 2>"$work/err" &&
    grep -qx '| 20 MB, CSV | 0.0800 | 250 |' "$work/page.md"
check "the table of files has a rate for each"
! python3 "$tables" "$work/page.md" "$work/reports" rows 2>"$work/err" && grep -q 'no table is called rows' "$work/err"
check "a name that is no table is refused"

printf '<!-- table nosuch -->\n<!-- end -->\n' >"$work/wrong.md"
! python3 "$tables" "$work/wrong.md" "$work/reports" 2>"$work/err" && grep -q 'no table is called nosuch' "$work/err"
check "a table that does not exist is refused"

cp "$root/docs/performance.md" "$work/real.md"
mkdir "$work/none"
python3 "$tables" "$work/real.md" "$work/none" 2>"$work/err" && cmp -s "$root/docs/performance.md" "$work/real.md"
check "docs/performance.md has no table that cannot be made, and without reports it stays as it is"

# Each table names a commit, and since then at most 60 commits have changed what it measures, unless the page says why
# it stands: "Measured on COMMIT. It stands, since REASON."
cat >"$work/age.py" <<'END'
import re
import subprocess
import sys

def git(*words):
    return subprocess.run(["git", "-C", sys.argv[2], *words], capture_output=True, text=True, check=False)

with open(sys.argv[1], encoding="utf-8") as stream:
    tables = re.findall(r"<!-- table (\w+) -->\n(.*?)<!-- end -->", stream.read(), flags=re.S)
known = git("rev-parse", "--is-shallow-repository").stdout.strip() == "false"
wrong = []
for name, text in tables:
    stamp = re.search(r"\nMeasured on ([0-9a-f]{7,40}(?:, [0-9a-f]{7,40})*)\.( It stands, since [^\n]*\.)?\n$", text)
    if not stamp:
        wrong.append(f"{name}: names no commit")
        continue
    for commit in stamp[1].split(", ") if known and not stamp[2] else []:
        count = git("rev-list", "--count", commit + "..HEAD", "--", "solvers", "harness/evaluate")
        if count.returncode or int(count.stdout) > 60:
            wrong.append(f"{name}: {count.stdout.strip() or 'no'} commits since {commit}: measure again")
print("\n".join(wrong) or f"{len(tables)} tables" + ("" if known else ", whose ages are not known"))
sys.exit(bool(wrong) or not tables)
END
python3 "$work/age.py" "$root/docs/performance.md" "$root" >"$work/err" 2>&1
check "each table of docs/performance.md names a commit that is not old"
sed 's/^Measured on [0-9a-f]*[.]/Measured on fffffffffff0./' "$root/docs/performance.md" >"$work/old.md"
! python3 "$work/age.py" "$work/old.md" "$root" >"$work/err" || grep -q 'not known' "$work/err"
check "a commit that does not exist is noticed"
! sed 's/^Measured on .*//' "$root/docs/performance.md" >"$work/unnamed.md" ||
    ! python3 "$work/age.py" "$work/unnamed.md" "$root" >"$work/err"
check "so is a table without one"

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
sed '/^<!-- headline/,/^<!-- end of headline/s/| [0-9.]* times as fast/| 98.76 times as fast/' \
    "$root/docs/performance.md" >"$work/headline.md"
! python3 "$work/headline.py" "$work/headline.md" >"$work/err" && grep -q '98[.]76' "$work/err"
check "a headline number that stands in no table is named"
finish
