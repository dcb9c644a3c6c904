#!/bin/sh
# Sets of the manifest in text files: training and test rows in two files, a file whose rows all train, and a file whose
# splits are drawn.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

rm "$work/share/datasets/manifest.json"
mkdir "$work/data" "$work/data/sub" "$work/package"
awk 'BEGIN { for (i = 0; i < 12; i++) print (i % 3 ? "-1" : "+1") " 1:" i " 2:" i * i % 7 }' >"$work/data/train"
head -n 5 "$work/data/train" >"$work/data/sub/test"
{ echo 'a;label;b' && awk 'BEGIN { for (i = 0; i < 9; i++) print i ";" (i % 2 ? "yes" : "no") ";" i % 4 }'; } |
    tr ';' ',' >"$work/package/packaged.csv"
hash_of() {
    sha256sum <"$1" | cut -d ' ' -f 1
}
shape='"title": "t", "source": "s", "licence": "l", "dims": 2'
cat >"$work/share/datasets/manifest.json" <<END
{"files": [
  {"name": "train", "sha256": "$(hash_of "$work/data/train")"},
  {"name": "test", "subfolder": "sub", "sha256": "$(hash_of "$work/data/sub/test")"},
  {"name": "packaged.csv", "installed": "$work/package/packaged.csv",
   "sha256": "$(hash_of "$work/package/packaged.csv")"}],
 "datasets": [
  {"name": "two", $shape, "format": "libsvm", "files": ["train"], "test_file": "test", "rows": 17, "positives": 6,
   "n_train": 12, "n_test": 5, "splits": 1},
  {"name": "whole", $shape, "format": "csv", "label_column": "label", "files": ["packaged.csv"], "rows": 9,
   "positives": 4, "n_train": 9, "n_test": 0, "splits": 1},
  {"name": "drawn", $shape, "format": "libsvm", "files": ["train"], "rows": 12, "positives": 4, "n_train": 8,
   "n_test": 4, "splits": 3}]}
END
cat >"$work/config.json" <<'END'
{"name": "text", "datasets": ["two", "whole", "drawn"], "splits": "1-100", "standardise": "none",
 "kernel": {"type": "rbf", "width": 2}, "parameters": {"C": 1}, "solvers": ["1-smo"],
 "stop": {"rule": "kkt", "tolerance": 1e-3}, "budget": {"iterations": 100000}}
END
HULLBENCH_DATA=$work/data
export HULLBENCH_DATA

program list datasets --long
ended 0 0 && [ "$(grep -c "$work/data/train\$" "$work/out")" -eq 2 ] && grep -q "$work/package/packaged.csv" "$work/out"
check "list datasets shows the files that hold them"
program run "$work/config.json" --out "$work/run" --quiet
ended 0 0 && [ "$(wc -l <"$work/run/records.jsonl")" -eq 5 ] && ! grep -q '"altered"' "$work/run/run.json"
check "each set has the splits that the manifest says"
records() {
    grep -c "\"dataset\":\"$1\",\"split\":[0-9]*,\"split_source\":\"$2\"" "$work/run/records.jsonl"
}
[ "$(records two official)" -eq 1 ] && [ "$(records whole official)" -eq 1 ] && [ "$(records drawn resampled)" -eq 3 ]
check "the split of files is official, and drawn ones are not"
grep '"dataset":"whole"' "$work/run/records.jsonl" | grep -q '"error_percent":null' &&
    ! grep '"dataset":"two"' "$work/run/records.jsonl" | grep -q '"error_percent":null'
check "a set without test rows has no test error"
# The same two files as a user's set give the same record.
echo '{"datasets": [{"name": "own", "file": "train", "test_file": "sub/test"}]}' >"$work/data/datasets.json"
sed 's/"two", "whole", "drawn"/"own"/' "$work/config.json" >"$work/own.json"
program run "$work/own.json" --out "$work/own" --quiet
sed 's/"dataset":"own"/"dataset":"two"/' "$work/own/records.jsonl" >"$work/expected"
grep '"dataset":"two"' "$work/run/records.jsonl" >"$work/found"
ended 0 && same_files "$work/expected" "$work/found"
check "they train as a file of one's own does"

sed 's/"1-100"/{"folds": 3}/; s/"standardise"/"seed": 1, "standardise"/' "$work/config.json" >"$work/folds.json"
program run "$work/folds.json" --out "$work/folds" --quiet
ended 0 && [ "$(grep -c '"split_source":"fold"' "$work/folds/records.jsonl")" -eq 9 ]
check "folds take all rows"

# A file of the right shape under the name of a known one, with test rows and without.
sed 's/2:0/2:0.5/' "$work/data/sub/test" >"$work/data/test"
program run "$work/config.json" --out "$work/altered" --quiet
ended 0 1 && says "$work/data/test is not the file of datasets/manifest.json: " &&
    says "$(hash_of "$work/data/test")" &&
    [ "$(grep -c '"altered":' "$work/altered/run.json")" -eq 1 ] && grep -A 4 '"two"' "$work/altered/run.json" |
    grep '"altered"' | grep -q "$(hash_of "$work/data/sub/test")"
check "a changed file of test rows is named on standard error and in run.json"
rm "$work/data/test"
cp "$work/data/train" "$work/kept"
echo '-1 1:3' >>"$work/data/train"
program run "$work/config.json" --datasets two,drawn --out "$work/changed" --quiet
ended 0 1 && says "$work/data/train is not the file" && [ "$(grep -c '"altered":' "$work/changed/run.json")" -eq 2 ]
check "a changed file of two sets is named once on standard error, and in run.json for both"
for way in "solve --solver 1-smo --set C=1 --dataset drawn" "list datasets" \
    "compare --solver 1-smo --baseline second-order-smo $work/config.json --datasets drawn --out $work/compared -q"; do
    # shellcheck disable=SC2086 # a list of words
    program $way
    says "$work/data/train is not the file" && [ "$(grep -c 'is not the file' "$work/err")" -eq 1 ]
    check "so it is by ${way%% *}"
done
mv "$work/kept" "$work/data/train"

# A folder that does not exist must not hide behind generated data.
for folders in "$work/dta" "$work/data:$work/dta" "$work/config.json:$work/data"; do
    HULLBENCH_DATA=$folders program run "$work/config.json" --quiet --dry-run
    [ "$(grep -c "^hullbench: HULLBENCH_DATA: $work/[dc][a-z.]*: .*; no data sets are" "$work/err")" -eq 1 ]
    check "the folder of $folders that does not exist is named"
done
HULLBENCH_DATA=$work/data: program run "$work/config.json" --quiet --dry-run
ended 0 0
check "folders that exist are not named"

rm "$work/data/sub/test" "$work/package/packaged.csv"
program run "$work/config.json" --out "$work/fewer"
ended 0 3 && says "missing data sets: two: no file test contains this data set" &&
    says "missing data sets: whole: no file packaged.csv" &&
    [ "$(wc -l <"$work/fewer/records.jsonl")" -eq 3 ]
check "a set of which one file is missing is missing"
program solve --solver 1-smo --set C=1 --dataset whole
ended 3 1 && says "whole: no file packaged.csv" && says ", and $work/package/packaged.csv"
check "the message names the place where a package would have it"
finish
