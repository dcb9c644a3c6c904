#!/bin/sh
# The programs, scripts, plugin and configurations that docs/deviations.md asks readers to run.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

"${CC:-cc}" -std=c11 -O2 -ffp-contract=off -Wall -Wextra -Werror -fPIC -shared -I"$root" \
    "$root/docs/examples/svm_light_bounds.c" -o "$work/bounds.so" 2>"$work/err"
check "the plugin compiles without a warning"

refused=0
for config in "$root"/configs/deviations/*.json; do
    program run "$config" --plugin "$work/bounds.so" --dry-run
    [ "$status" -eq 0 ] || refused=$((refused + 1))
    grep -q "$(basename "$config" .json)" "$root/docs/deviations.md" || refused=$((refused + 1))
done
[ "$refused" -eq 0 ]
check "every configuration is accepted, and the page names it"

# titanic as hullbench generates it. number NAME: that member of the last record
export HULLBENCH_DATA="$work/none"
number() {
    sed -n "s/.*\"$1\":[[:space:]]*\([0-9.]*\).*/\1/p" "$work/out"
}
set -- --dataset titanic --split 2 --kernel rbf,width=50 -c 10 --stop dual-change
for solver in ch-mdm 2-smo; do
    [ $solver = ch-mdm ] || set -- "$@" --set start=first-pair
    program solve "$@" --solver $solver --tolerance 1e-3
    number error_percent >"$work/error-$solver"
    number 'outcome":"converged","iterations' >"$work/iterations-$solver"
done
"$BUILD/tests/studies/bias_forms" titanic 2 2 50 10 dual-change 1e-3 >"$work/forms" 2>"$work/err"
[ "$(wc -l <"$work/forms")" -eq 7 ] &&
    awk -v error="$(cat "$work/error-ch-mdm")" '/as implemented/ { near = error > 0 && ($6 - error) ^ 2 < 1e-7 }
                                               END { exit !near }' "$work/forms"
check "bias-forms has the record's error with the implemented form"
"$BUILD/tests/studies/dual_change" 2 titanic >"$work/readings.csv" 2>"$work/err"
[ "$(grep -c '^titanic,2,' "$work/readings.csv")" -eq 20 ] &&
    [ "$(sed -n 's/^titanic,2,as implemented,\([0-9]*\),.*/\1/p' "$work/readings.csv")" = \
        "$(cat "$work/iterations-2-smo")" ]
check "dual-change stops at the record's iteration with the implemented rule"

# a slack variable more: svm-light with multipliers left above 0 takes the same steps and has at least as many of them
program run "$root/configs/deviations/svm-light-bounds.json" --plugin "$work/bounds.so" --datasets titanic \
    --splits 1-3 --out "$work/bounds" --quiet
awk '{ match($0, /"solver":"[a-z-]*"/); solver = substr($0, RSTART, RLENGTH)
       match($0, /"iterations":[0-9]*/); steps[solver] += substr($0, RSTART + 13, RLENGTH - 13)
       match($0, /"support_vectors":[0-9]*/); vectors[solver] += substr($0, RSTART + 18, RLENGTH - 18) }
     END { exit !(NR == 12 && steps["\"solver\":\"svm-light\""] == steps["\"solver\":\"svm-light-bounds\""] &&
                  vectors["\"solver\":\"svm-light\""] <= vectors["\"solver\":\"svm-light-bounds\""]) }' \
    "$work/bounds/records.jsonl"
check "svm-light-bounds takes the steps of svm-light and loses no support vector"

if command -v python3 >/dev/null; then
    python3 - "$root" "$work" <<'END' 2>"$work/err"
import json, subprocess, sys
root, work = sys.argv[1:]
paper = json.load(open(root + "/papers/lopez2008.json", encoding="utf-8"))
rows = {t["name"][-5:]: t["rows"] for t in paper["tables"]}
with open(work + "/made.csv", "w", encoding="utf-8") as file:
    print("dataset,split,reading,1e-3,1e-5", file=file)
    for name in rows["5.2.1"]:
        cells = [rows[t][name]["2-smo.iterations"] for t in ("5.2.1", "5.2.2")]
        for split in range(1, 5):  # the printed means, and twice those
            for reading, factor in (("as implemented", 1), ("squares 1", 2)):
                steps = [round(factor * c["mean"]) + (-1) ** split for c in cells]
                print(name, split, reading, *steps, sep=",", file=file)
command = [sys.executable, root + "/scripts/dual_change.py", work + "/made.csv"]
out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
first = [line for line in out.splitlines() if line.startswith("as implemented")][0].split()
assert float(first[3]) < 1 and float(first[4].rstrip(",")) < 1 and first[5] == "0", out
assert out.count("chosen 252 times") == 2, out
END
    check "dual_change.py finds the reading that gives the printed means"
    python3 "$root/scripts/deviation_ids.py" --check 2>"$work/err"
    check "the page has the ids of the deviations that conform reads"
    # without its ids, and with one of them wrong, the page is refused and then written again as it was
    sed '/^<!-- ids -->/,/^<!-- end -->/d' "$root/docs/deviations.md" >"$work/without.md"
    sed 's|lopez2011.claims/clip-gsk-not-stuck|lopez2011.claims/other|' "$root/docs/deviations.md" >"$work/wrong.md"
    for page in "$work/without.md" "$work/wrong.md"; do
        if python3 "$root/scripts/deviation_ids.py" --check "$page" 2>/dev/null; then
            echo "$page is accepted"
        else
            python3 "$root/scripts/deviation_ids.py" "$page"
            cmp "$root/docs/deviations.md" "$page"
        fi
    done >"$work/err" 2>&1
    [ ! -s "$work/err" ]
    check "deviation_ids.py writes them into a page without them, and in place of a wrong one"
else
    skip "dual_change.py finds the reading that gives the printed means" "python3 is missing" python3
    skip "the page has the ids of the deviations that conform reads" "python3 is missing" python3
fi
finish
