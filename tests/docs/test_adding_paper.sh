#!/bin/sh
# Follows docs/adding-a-paper.md literally in a copy of the source tree's data: writes the files and lines that it
# shows, runs its commands in order, and checks the verdicts that it states. Nothing is compiled.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
page=$root/docs/adding-a-paper.md

mkdir -p "$work/tree/datasets" &&
    cp -Rp "$root/configs" "$root/docs" "$root/papers" "$root/plots" "$work/tree/" &&
    cp "$root/datasets/manifest.json" "$work/tree/datasets/" && ln -s "$hullbench" "$work/tree/hullbench"
check "a copy of the tree without a line of C"
HULLBENCH_DATADIR=$work/tree
awk -f "$root/tests/docs/page_script.awk" "$page" >"$work/steps"
blocks=$(grep -c '^<!-- run -->' "$page")
cd "$work/tree" || exit 4
sh -eu "$work/steps" >"$work/said" 2>"$work/err"
status=$?
[ "$status" -eq 0 ] && [ "$blocks" -ge 5 ] && [ "$(grep -c '^DONE' "$work/said")" -eq "$blocks" ]
check "every command of the page ends as it says"
sum=$(sed -n 's|^\([0-9a-f]*\)  datasets/cache/rings.txt$|\1|p' "$work/said")
[ ${#sum} -eq 64 ] && grep -q "\"rings.txt\", \"sha256\": \"$sum\"" datasets/manifest.json
check "the SHA-256 it shows is that of the file it makes"
grep -A 1 '^rings ' "$work/said" | grep -q '^    .*datasets/cache/rings.txt$'
check "list datasets knows the new set"
[ "$(wc -l <results/doe2020-table1/records.jsonl)" -eq 40 ] &&
    [ "$(grep -c '"dataset":"rings".*"split_source":"resampled"' results/doe2020-table1/records.jsonl)" -eq 20 ]
check "the configuration gives 20 records a row"

# ---- the verdicts, before and after the deviation is listed ----
ours=$(awk -F '"iterations":' '/"dataset":"rings"/ { sum += $2; n++ } END { printf "%.0f", sum / n }' \
    results/doe2020-table1/records.jsonl)
grep -q "takes $ours\\.\$" "$page"
check "the iterations that it tells ($ours) are the mean of the records"
grep '^  differs ' "$work/said" >"$work/err"
[ "$(wc -l <"$work/err")" -eq 2 ] && [ "$(grep -c 'doe2020.table1/rings/iterations: ours 0.6' "$work/err")" -eq 2 ] &&
    [ "$(grep -c 'paper 0.31 ± 0.03 (standard errors)' "$work/err")" -eq 2 ] &&
    [ "$(grep -c 'unexplained; listed in docs/deviations.md' "$work/err")" -eq 1 ]
check "conform shows the cell that differs, at first unlisted and then listed"
[ "$(grep -c '^all: .* 1 differ, .*not listed: 1 cells' "$work/said")" -eq 2 ] &&
    [ "$(grep -c '^all: .* 1 differ, .*not listed: 0 cells' "$work/said")" -eq 2 ]
check "conform counts it as not listed, and then as listed"
grep -q '^| rings *|  *21.6 ± 2.4 | *21.6 ± 2.4 [^ ]* |  *0.31 ± 0.03 | *0.62 ± 0.07 ≠ |' "$work/said"
check "the table has the errors beside each other, and standard errors beside standard errors"
"$hullbench" conform results/doe2020-table1 --json "$work/conform.json" >"$work/out" 2>"$work/err"
status=$?
[ "$status" -eq 0 ] && grep -q 'doe2020.table1/titanic/error' "$work/conform.json"
check "with the deviation listed it ends with status 0"

# ---- the page adds only data ----
(cd "$work/tree" && find . -type f ! -path './results/doe2020-table1/*' ! -path './datasets/cache/*' | sort) |
    while read -r file; do
        cmp -s "$root/$file" "$work/tree/$file" || echo "$file"
    done >"$work/changed"
cat >"$work/expected" <<'END'
./configs/doe2020-table1.json
./datasets/manifest.json
./docs/deviations.md
./papers/doe2020.deviations.json
./papers/doe2020.json
END
same_files "$work/expected" "$work/changed"
check "the paper is four files of JSON and a section of prose"
rm datasets/cache/rings.txt
"$hullbench" run configs/doe2020-table1.json --out fewer --quiet >"$work/out" 2>"$work/err"
status=$?
[ "$status" -eq 0 ] && "$hullbench" tables fewer >/dev/null && grep '^| rings ' fewer/tables/doe2020.table1.md |
    grep -q 'data missing'
check "without the file the row says that its data are missing"
finish
