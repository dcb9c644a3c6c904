#!/bin/sh
# Ten text files stored compressed and dense (HULLBENCH_STORAGE) give the same records, models and labels, byte for
# byte, with several solvers, kernels, kinds of splits, caches and widths.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
cd "$work" || exit 4

# table SEED ROWS FEATURES FILLED KIND: LIBSVM format; KIND is real, binary, signed or tiny. Every ninth row is empty.
table() {
    awk -v seed="$1" -v rows="$2" -v dims="$3" -v filled="$4" -v kind="$5" 'BEGIN {
        srand(seed)
        for (i = 0; i < rows; i++) {
            y = rand() < 0.45 ? 1 : -1
            printf "%+d", y
            for (d = 1; d <= dims && i % 9 != 8; d++) {
                if (rand() >= filled * (d % 3 == 0 && y > 0 ? 2 : 1))
                    continue
                value = kind == "binary" ? 1 : kind == "signed" ? int(9 * rand()) - 4 : rand() + 0.2 * y
                printf kind == "tiny" ? " %d:%.6ge-170" : " %d:%.6g", d, value
            }
            print ""
        }
    }'
}
table 1 80 40 0.1 real >real.txt
table 2 90 60 0.05 binary >binary.txt
table 3 70 30 0.2 signed >signed.txt
table 4 60 200 0.02 real >wide.txt
table 5 120 12 0.4 real >filled.txt
table 6 60 25 0.1 tiny >tiny.txt
table 7 90 900 0.01 binary >words.txt
table 8 200 50 0.06 real >many.txt
table 9 50 1 0.3 signed >narrow.txt
table 10 80 20 0.15 real | sed 's/^+1/one/; s/^-1/two/' |
    awk '{ split("", x); for (k = 2; k <= NF; k++) { split($k, a, ":"); x[a[1]] = a[2] }
           for (d = 1; d <= 20; d++) printf "%s,", d in x ? x[d] : 0; print $1 }' >table.csv

files="real binary signed wide filled tiny words many narrow"
sets=$(for name in $files; do printf '{"name": "%s", "file": "%s.txt", "format": "libsvm"}, ' "$name" "$name"; done)
sets="$sets{\"name\": \"table\", \"file\": \"table.csv\"}"

# config NAME SPLITS STANDARDISE KERNEL SOLVERS REST
config() {
    cat >"$1.json" <<END
{"name": "$1", "datasets": [$sets], "splits": $2, "standardise": "$3", "kernel": $4, "solvers": [$5], $6}
END
}
hulls='"stop": {"rule": "rch-gap", "tolerance": 1e-2}, "budget": {"iterations": 3000}, "parameters": {"mu": 0.2}'
duals='"stop": {"rule": "kkt", "tolerance": 1e-2}, "budget": {"iterations": 3000}, "parameters": {"C": 2}'
config hulls '"1-2"' none '{"type": "rbf", "width": 3}' '"clip-mdm", "mu-gsk"' "$hulls"
config linear '"1-2"' none '{"type": "linear"}' '"1-smo", "packed-second-order-smo"' "$duals"
config folds '{"folds": 3}' none '{"type": "rbf", "width": 5}' '"packed-smo"' "$duals"
config polynomial '"1"' none '{"type": "polynomial", "degree": 3, "offset": 1, "scale": 0.5}' '"1-smo"' "$duals"
config standardised '"1"' full-set '{"type": "rbf", "width": 20}' '"1-smo"' "$duals"

# held FORM OUT ARGUMENTS...
held() {
    form=$1 out=$2
    shift 2
    HULLBENCH_STORAGE=$form program run "$@" --out "$out" --quiet
}
for name in hulls linear folds polynomial standardised; do
    held dense "$name-dense" "$name.json" && dense=$status
    held compressed "$name-compressed" "$name.json"
    ended 0 0 && [ "$dense" -eq 0 ] && [ "$(wc -l <"$name-dense/records.jsonl")" -ge 10 ] &&
        same_files "$name-dense/records.jsonl" "$name-compressed/records.jsonl"
    check "records of compressed and dense rows are the same: $name"
done
for lanes in generic avx2 avx512; do
    HULLBENCH_LANES=$lanes held compressed "lanes-$lanes" hulls.json
    if says 'not supported by this processor'; then
        skip "so they are at the width $lanes" "this processor lacks it"
        continue
    fi
    ended 0 0 && same_files hulls-dense/records.jsonl "lanes-$lanes/records.jsonl"
    check "so they are at the width $lanes"
done

# ---- models and labels, with caches that hold a few rows ----
for name in $files; do
    good=1
    for form in dense compressed; do
        HULLBENCH_STORAGE=$form program solve --solver packed-second-order-smo --data "$name.txt" -m 1 -g 0.2 \
            "$name-$form.model"
        [ "$status" -le 1 ] || good=0
        HULLBENCH_STORAGE=$form program predict --decision-values "$name.txt" "$name-$form.model" "$name-$form.labels"
        [ "$status" -eq 0 ] || good=0
    done
    [ $good -eq 1 ] && same_files "$name-dense.model" "$name-compressed.model" &&
        same_files "$name-dense.labels" "$name-compressed.labels"
    check "the model and the labels of compressed and dense rows are the same: $name"
done
finish
