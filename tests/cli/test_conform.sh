#!/bin/sh
# Tables and verdicts of a real run on synthetic sets: the numbers are shown next to the paper's. A cell that is made to
# differ is reported, and counts as explained once a deviation of the paper names it.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

program run "$root/configs/lopez2011-tables-2-3.json" --out "$work/run" --datasets titanic,twonorm \
    --splits 1-5 --quiet
ended 0
check "a run of the configuration of Tables 2 and 3 works"
program tables "$work/run"
ended 0
check "tables of it are written"
absent=0
for name in summary lopez2011.table2 lopez2011.table3 lopez2011.claims; do
    for format in json md tex csv; do
        [ -s "$work/run/tables/$name.$format" ] || absent=$((absent + 1))
    done
done
[ "$absent" -eq 0 ]
check "each table is there in four formats"
# Table 3: 0.09 +- 0.02 thousand iterations of the clipped MDM on titanic. Ours is computed here from the records.
ours=$(grep '"dataset":"titanic".*"solver":"clip-mdm"' "$work/run/records.jsonl" | sed 's/.*"iterations":\([0-9]*\),'\
'"kernel.*/\1/' |
    awk '{ sum += $1 } END { printf "%.2f", sum / NR / 1000 }')
grep '^| titanic ' "$work/run/tables/lopez2011.table3.md" >"$work/row"
grep -q '0.09 ± 0.02' "$work/row" && grep -q "| *$ours ± " "$work/row"
check "the mean of the records ($ours) stands in the table beside the paper's figure"

program conform "$work/run"
ended 0 0 && ! grep -q '^  differs' "$work/out"
check "conform finds no difference and ends with status 0"
sed '/^$/q' "$work/out" | sed '$d' >"$work/begin"
last=$(wc -l <"$work/begin")
[ "$last" -ge 4 ] && head -1 "$work/begin" | grep -q '^all: ' && tail -1 "$work/out" >"$work/next" &&
    tail -n $((last + 1)) "$work/out" | sed '$d' >"$work/end" && same_files "$work/begin" "$work/end" &&
    [ "$(cat "$work/next")" = "report of all cells, report.html: hullbench report $work/run" ]
check "it begins and ends with the same summary, and the last line says how to see all cells"
program conform "$work/run" --json "$work/conform.json"
ended 0 0 && [ -s "$work/conform.json" ] && ! grep -q ':[[:space:]]*"differs"' "$work/conform.json" &&
    grep -q ':[[:space:]]*"agrees"' "$work/conform.json"
check "conform --json writes the same for programs"

cp -r "$work/run" "$work/edited" && unlist "$work/edited"
sed '/"dataset":"twonorm".*"solver":"clip-mdm"/s/"iterations":[0-9]*,"kernel/"iterations":9000,"kernel/' \
    "$work/run/records.jsonl" >"$work/edited/records.jsonl"
cell=lopez2011.table3/twonorm/clip-mdm.iterations
program conform "$work/edited"
grep "^  differs  *$cell" "$work/out" | grep -q 'on a synthetic data set' &&
    grep -q '^all: .*not listed: 0 cells' "$work/out"
check "a cell that differs on a data set made here is shown and not counted"
sed 's/"split_source":"generated"/"split_source":"resampled"/' "$work/edited/records.jsonl" >"$work/resampled"
mv "$work/resampled" "$work/edited/records.jsonl"
program conform "$work/edited"
grep "^  differs  *$cell" "$work/out" >"$work/found"
ended 1 0 && [ "$(wc -l <"$work/found")" -eq 1 ] && grep -q 'ours 9 ' "$work/found" &&
    grep -q 'paper 0.50 ± 0.03\|paper 0.5 ± 0.03' "$work/found" &&
    grep -q '^all: .*not listed: 1 cells' "$work/out"
check "a cell made to differ is named with both figures, and conform ends with status 1"
claims=$(sed -n 's/^all: .*not listed: 1 cells, \([0-9]*\) claims$/\1/p' "$work/out" | head -1)
program report "$work/edited" --out "$work/report.html"
ended 0 0 && [ -n "$claims" ] && ! grep -qi 'every difference is among' "$work/report.html" &&
    grep -q "[^0-9]$((1 + 1 + claims)) differences are not among the listed" "$work/report.html"
check "the report says how many differences no deviation lists"
program tables "$work/edited"
ended 0 && grep '^| twonorm ' "$work/edited/tables/lopez2011.table3.md" | grep -q '9.0[0-9]* ± 0[.0]*\(†\)* ≠'
check "the table marks the cell that differs"

# A paper in which a name or key is wrong, and a run that should have a record for each cell of its two rows.
mv "$work/share/papers" "$work/papers"
mkdir -p "$work/share/papers"
paper=$work/share/papers/lopez2011.json
cp "$root"/papers/lopez2011* "$work/share/papers"
sed '/"lopez2011.table3"/,$s/"solver": *"clip-mdm"/"solver": "mdm"/' "$root/papers/lopez2011.json" >"$paper"
program conform "$work/run"
ended 1 0 && grep -q '^  no record   lopez2011.table3/titanic/clip-mdm' "$work/out" &&
    ! grep -q '^  no record .*/heart/' "$work/out" && grep -q 'missing cells have no record although' "$work/out"
check "cells of a solver that the run does not have end with status 1; those of data sets left out do not"
sed '0,/"unit":/s//"units":/' "$root/papers/lopez2011.json" >"$paper"
program conform "$work/run"
ended 2 1 && says 'unknown key "units"; did you mean "unit"'
check "an unknown key of a column is named"
for typo in '"field":[ ]*"iterations"/"field": "iteration"' '"solver":[ ]*"mu-gsk"/"solver": "mu-gks"' \
    '"titanic":[ ]*{/"titanc": {' '"quantifier":/"quantifer":'; do
    sed "0,/${typo%%/*}/s//${typo#*/}/" "$root/papers/lopez2011.json" >"$paper"
    for verb in conform tables plot report; do
        program "$verb" "$work/run"
        # a claim is named by its id, anything else by its line
        says_at lopez2011.json "unknown" || says "lopez2011.json: claim " || break
        if ! ended 2 1 || ! says "did you mean"; then break; fi
    done
    [ "$verb" = report ] && ended 2 1
    check "a misspelt name is refused by each verb that reads the paper: ${typo#*/}"
done
cp "$root/papers/lopez2011.json" "$paper"
sed 's/"section": "Marks"/"section": "Nowhere"/; 0,/"section": "[^"]*"/s//"section": "Nowhere"/' \
    "$root/papers/lopez2011.deviations.json" >"$work/share/papers/lopez2011.deviations.json"
program conform "$work/run"
ended 2 1 && says 'section: "Nowhere" is no heading'
check "a deviation whose section docs/deviations.md does not have is refused"
rm -r "$work/share/papers" "$work/papers"

cp -R "$root/papers" "$work/share/"
deviations=$work/share/papers/lopez2011.deviations.json
program conform "$work/edited"
grep -o 'fails *lopez2011.claims/[a-z-]*' "$work/out" | sed 's/fails *//' >"$work/claims"
{
    printf '%s\n' "$cell" "$cell/sd"
    cat "$work/claims"
} | sed 's/.*/"&",/' | tr -d '\n' >"$work/ids"
sed "0,/\"explains\": \\[/s|\"explains\": \\[|&$(cat "$work/ids")|" "$root/papers/lopez2011.deviations.json" \
    >"$deviations"
program conform "$work/edited"
ended 0 0 && grep "^  differs  *$cell" "$work/out" | grep -q 'listed in docs/deviations.md'
check "a cell and the claims it spoils that a deviation explains are no findings, and conform ends with status 0"
program report "$work/edited" --out "$work/report.html"
ended 0 0 && grep -qi 'every difference is among the listed' "$work/report.html" &&
    ! grep -q 'differences are not among' "$work/report.html"
check "the report says that every difference is listed"
mv "$deviations" "$work/spelt"
sed "s|$cell|lopez2011.table3/twonorm/clip-mdm.iteration|" "$work/spelt" >"$deviations"
program conform "$work/edited"
ended 2 1 && says "lopez2011.deviations.json:11:20: deviations[0].explains[0]:\
 \"lopez2011.table3/twonorm/clip-mdm.iteration\""
check "a misspelt id among them ends with status 2 and is named with its place"
mv "$work/spelt" "$deviations"

# The unedited records as an experiment, in place of the edited ones.
cp -r "$work/run" "$work/experiment" && unlist "$work/experiment"
sed 's/"name": "[^"]*"/"name": "as-it-was"/; s/"tables": \[.*\]/"plots": []/' "$work/run/config.json" \
    >"$work/experiment/config.json"
# as a run of all splits and data sets: a part of an experiment is not checked
sed 's/"restricted_to"/"of"/' "$work/run/run.json" >"$work/experiment/run.json"
found=$(grep "^lopez2011.table3,twonorm,clip-mdm.iterations," "$work/run/tables/lopez2011.table3.csv" | cut -d, -f5)
entry() {
    printf '{"schema": 1, "paper": "lopez2011", "deviations": [{"id": "x", "kind": "unstated", "section": "Marks",
        "configurations": ["as-it-was"], "evidence": "e", "experiment": {"found": {"%s": %s}}, "explains": ["%s"]}]}' \
        "$cell" "$1" "$cell" >"$deviations"
}
entry "$found"
program conform "$work/edited" "$work/experiment"
ended 0 0 && grep -F "differs" "$work/out" | grep -F "$cell" | grep -q '(explained in docs/deviations.md)' &&
    grep -q "^  explained .*$cell: printed 0.5, found $(printf '%.5g' "$found")" "$work/out"
check "a cell that an experiment brings back to the printed value is explained, by the number found"
program conform "$work/edited"
ended 0 0 && grep -q "^  not checked .*$cell" "$work/out"
check "without the experiment's folder the explanation is not checked"
entry 0.4321
program conform "$work/edited" "$work/experiment"
ended 1 0 && grep -q "^  not shown .*$cell.* and not 0.4321" "$work/out"
check "an entry that states another number than was found explains nothing, and conform ends with status 1"
cp "$root/papers/lopez2011.deviations.json" "$deviations"

# Marks of tables that need two folders: CH-MDM and 2-SMO in one, 1-SMO and SVM-Light in the other.
program run "$root/configs/lopez2008-1svm.json" --out "$work/one" --datasets titanic --splits 1-8 --quiet
program run "$root/configs/lopez2008-2svm.json" --out "$work/two" --datasets titanic --splits 2-8 --quiet
program tables "$work/one"
table=lopez2008.table5.3.4
ended 0 && grep '^| titanic ' "$work/one/tables/$table.md" | grep -q 'data missing' &&
    grep -q '^marks: [01] of 1 agree; others could not be tested' "$work/one/tables/$table.md"
check "a table that needs two folders has only its own columns with one, and tests only those"
program tables "$work/one" "$work/two"
ended 0 && ! grep '^| titanic ' "$work/one/tables/$table.md" | grep -q 'data missing' &&
    grep -q '^marks: [0-3] of 3 agree' "$work/one/tables/$table.md" &&
    cmp -s "$work/one/tables/$table.md" "$work/two/tables/$table.md"
check "with both folders it is whole, and the same in both"
tr -d ' \n\t' <"$work/one/tables/$table.json" | grep -q '"n":7,' && tr -d ' \n\t' <"$work/one/tables/$table.json" |
    grep -q '"n":8,'
check "splits that only one folder has are left out of pairs between the folders"
tr -d ' \n\t' <"$work/one/tables/$table.json" |
    grep -q '"significant":true,"key":"mark-1.iterations","mark":1,"ours_on":"ch-mdm.iterations",.*"agrees":true'
check "CH-MDM has mark 1 for its iterations"
program conform "$work/one" "$work/two"
grep -q '^marks: [0-9]* of 18 agree' "$work/out" &&
    grep -q 'holds *lopez2008.claims/one-svm-fewer-support-vectors-1-smo-2-smo\|not decided '\
'*lopez2008.claims/one-svm-fewer-support-vectors-1-smo-2-smo' "$work/out"
check "conform counts the marks and judges claims about both folders"

cp -r "$work/run" "$work/short" && unlist "$work/short"
head -n 5 "$work/run/records.jsonl" >"$work/short/records.jsonl"
program conform "$work/short"
ended 2 1 && says "run.json says"
check "records that end early are an error"
sed 's/"tables": \[.*\]/"tables": ["lopez2011.table1"]/' "$work/run/config.json" >"$work/edited/config.json"
program conform "$work/edited"
ended 3
check "a run without records for its table ends with status 3"
program conform "$work/nowhere"
ended 2 1 && says "nowhere"
check "a folder that is not there ends with status 2"
sed '$s/.*/{"schema":1,/' "$work/edited/records.jsonl" >"$work/damaged"
mv "$work/damaged" "$work/edited/records.jsonl"
lines=$(wc -l <"$work/edited/records.jsonl")
program conform "$work/edited"
ended 2 1 && says "records.jsonl:$lines"
check "a damaged record ends with status 2 and names the line"
program tables "$work/edited"
ended 2 1 && says "records.jsonl:$lines"
check "so do the tables"
finish
