#!/bin/sh
# Situations that people reported of other programs, each rebuilt with an input of its own. The sentence of a test says
# what hullbench does; the name before it is the project and the number of the public report.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
cd "$work" || exit 4

# Two features and two overlapping classes, the same in every awk.
awk 'BEGIN {
    seed = 1
    for (i = 0; i < 40; i++) {
        y = i % 2 ? 1 : -1
        seed = (seed * 69069 + 12345) % 4294967296; a = seed / 4294967296 + 0.6 * y
        seed = (seed * 69069 + 12345) % 4294967296; b = seed / 4294967296
        printf "%.3f,%.3f,%+d\n", a, b, y
    }
}' >rows.csv
awk -F , '{ print $3, "1:" $1, "2:" $2 }' rows.csv >rows.txt

# model FILE: trains on FILE; the program succeeds without a word on standard error, and the model is in FILE.model.
model() {
    program solve "$1" "$1.model"
    ended 0 0
}
# refused FILE TEXT: the program ends with status 2 and one line that contains FILE:TEXT.
refused() {
    program solve "$1" "$1.model"
    ended 2 1 && says "$1:$2" && [ ! -e "$1.model" ]
}
model rows.txt && model rows.csv && same_files rows.txt.model rows.csv.model
check "the rows train, from both formats to the same model"

# ---- LIBSVM's format ----
sed 's/$/ # doc 12:3/' rows.txt >comments.txt
model comments.txt && same_files comments.txt.model rows.txt.model
check "xgboost 4135: a comment after the features of a row is no feature"
sed '3s/ 2:/ 2: /' rows.txt >space.txt
refused space.txt '3:'
check "libsvmdata 6: a space between index and value is an error with its place"
sed 's/:0\./:./g; s/:-0\./:-./g' rows.txt >point.txt
model point.txt && same_files point.txt.model rows.txt.model
check "libsvmdata 6: .5 is read as 0.5"
sed '5s/ 2:/ 3000000000:/' rows.txt >index.txt
refused index.txt '5:' && says 2147483647
check "machinelearning 4689: an index beyond 31 bits is refused, not dropped"
sed '5s/ 2:/ 1:/' rows.txt >twice.txt
refused twice.txt '5:'
check "photon-ml 313: an index that a row has twice is refused and named"
sed '5s/^[-+]1//' rows.txt >no_label.txt
refused no_label.txt '5:' && says label
check "scikit-learn 4562: a row without a label is refused"
sed 's/ 1:/ 0:/; s/ 2:/ 1:/' rows.txt >from0.txt
model from0.txt && program predict rows.txt from0.txt.model labels && ended 0 1 && says 'counted from 1'
check "pyxclib 10: files that count features from 0 and from 1 are not mixed without a word"

# ---- CSV ----
{
    echo x,y,class,
    sed 's/$/,/' rows.csv
} >trailing.csv
refused trailing.csv '2:'
check "data.table 831: a comma at the end of every row is an error, not an empty feature"
sed '7s/$/,/' rows.csv >one_trailing.csv
refused one_trailing.csv '7:' && says '4 columns' && says 'line 1 has 3'
check "data.table 3436: a comma at the end of one row is an error in that row"
tr '\n' '\r' <rows.csv >cr.csv
model cr.csv && same_files cr.csv.model rows.csv.model
check "datatable 1343: rows that end in CR alone are read"
printf '"x","class"\n"1,000",1\n"2,000",-1\n"1,500",1\n' >thousands.csv
refused thousands.csv '2:1:' && says '1,000'
check "datatable 922: a quoted 1,000 is one field, and no number"
{
    cat rows.csv
    echo '0.1,"0.2,+1'
    cat rows.csv
} >open_quote.csv
refused open_quote.csv '41:5:'
check "datatable 1030: a quotation mark that is never closed is an error where it opens"
sed '3s/^[^,]*/99999999999999999999999e99/' rows.csv >overflow.csv
refused overflow.csv '3:1:'
check "wirelog 1005: a number beyond the range is refused, not replaced by the largest"
sed '3s/^[^,]*/"0.5"junk/' rows.csv >junk.csv
refused junk.csv '3:'
check "wirelog 1005: text after a closing quotation mark is refused"
sed 's/,/ , /g; s/$/ /' rows.csv >spaces.csv
model spaces.csv && same_files spaces.csv.model rows.csv.model
check "pandas 43713: blanks around a number do not matter"
digits=0.1000000000000000055511151231257827021181583404541015625
sed "3s/^[^,]*/$digits/" rows.csv >digits.csv && sed '3s/^[^,]*/0.1/' rows.csv >tenth.csv
model digits.csv && model tenth.csv && same_files digits.csv.model tenth.csv.model
check "cudf 1109: 55 digits give the nearest number"

# ---- models and training ----
sed 's/^-1/0/; s/^+1/1/' rows.txt >zero_one.txt
model zero_one.txt && grep -qx 'label 1 0' zero_one.txt.model && sed 's/^label 1 0/label 1 -1/' zero_one.txt.model |
    cmp -s - rows.txt.model
check "libsvm 227: labels 0 and 1 give the model of labels -1 and 1"
program predict --decision-values rows.txt rows.txt.model values
ended 0 0 && awk '
    FNR == NR && /^gamma/ { g = $2 } FNR == NR && /^rho/ { rho = $2 }
    FNR == NR && inside { n++; weight[n] = $1; split($2, p, ":"); split($3, q, ":"); a[n] = p[2]; b[n] = q[2] }
    FNR == NR && /^SV/ { inside = 1 }
    FNR == NR { next }
    FILENAME ~ /rows/ { rows++; split($2, p, ":"); split($3, q, ":"); f = -rho
        for (k = 1; k <= n; k++) f += weight[k] * exp(-g * ((a[k] - p[2]) ^ 2 + (b[k] - q[2]) ^ 2))
        wanted[rows] = f; next }
    { line++; d = $2 - wanted[line]; if (d < 0) d = -d; if (d > 1e-12 || ($1 > 0) != ($2 > 0)) bad++ }
    END { exit !(rows == 40 && line == 40 && !bad) }' rows.txt.model rows.txt values
check "scikit-learn 4262: sum of weight times kernel minus rho is the decision value, sign included"
awk '/^-1/ && ++n <= 6 || /^[+]1/' rows.txt >rare.txt
program solve -s 1 -n 0.9 rare.txt m
ended 2 1 && says 'nu 0.9 is not feasible' && [ ! -e m ]
check "opencv 25812, scikit-learn 33478: nu that the classes do not allow is refused with the largest nu allowed"
cat >seven.txt <<'END'
-1 3:0.3 6:1 7:0.625 10:0.3187
+1 6:0.3333 7:0.6154 10:0.5923 11:1 13:1
+1 10:0.3178 11:1
-1 1:0.6667 4:0.5 5:1 6:0.8 8:1 9:0.5625 10:0.3643
+1 10:0.3364 11:1
-1 3:0.3 6:1 7:0.625 10:0.3184
END
program solve -s 1 -n 0.2857142857142857 -t 1 -r 10 seven.txt m
ended 0 0 && grep -q 'optimization finished' out
check "scikit-learn 13075: nu-SVC ends on six rows, of which two are almost equal"
program solve -t 1 -d 7 -g 4178 -c 0.665 --iterations 100000 rows.txt m
ended 0 0 || { ended 1 0 && grep -q 'not converged' out; }
check "scikit-learn 13557: a kernel of 1e27 ends at the limit of iterations, and says whether it converged"
program solve --iterations 3 rows.txt m
ended 1 0 && grep -q 'not converged.*#iter = 3$' out
check "thundersvm 240: a limit of iterations is kept"

# ---- runs ----
cat >run.json <<'END'
{"name": "run", "seed": 1, "standardise": "none", "splits": "1-3", "kernel": {"type": "rbf", "width": 10},
 "datasets": [{"name": "g", "n_train": 60, "n_test": 40, "generate": {"shape": "gaussians", "features": 5}}],
 "parameters": {"C": 10}, "solvers": ["1-smo", "second-order-smo", "conjugate-smo"],
 "stop": {"rule": "kkt", "tolerance": 1e-6}, "budget": {"iterations": 100000}}
END
sed 's/"1-smo", "second-order-smo", "conjugate-smo"/"conjugate-smo", "second-order-smo", "1-smo"/' run.json >order.json
program run run.json --out run --quiet && ended 0 0 && sort run/records.jsonl >before &&
    program run order.json --out run && ended 0 && grep -q 'run: 9 of 9 records kept' out &&
    sort run/records.jsonl | cmp -s - before
check "benchopt 807: solvers in another order make nothing run again"
sed 's/"iterations": 100000/"iterations": 300/' run.json >short.json
program run short.json --out short --quiet && hit=$(grep -c iteration-limit short/records.jsonl) && [ "$hit" -ge 1 ] &&
    [ "$hit" -le 8 ] && program run run.json --out short && ended 0 &&
    grep -q "short: $((9 - hit)) of 9 records kept" out && [ "$(wc -l <short/records.jsonl)" -eq 9 ] &&
    sort short/records.jsonl | cmp -s - before
check "tlaps-bench 60, benchopt 584: jobs that hit the limit run again with a larger one, and no record stands twice"
program export run --out records.csv
field() { # field NAME: the column of that name of the exported records
    awk -F , -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' records.csv
}
field objective >exported
sed 's/.*"objective":\([^,]*\),.*/\1/' run/records.jsonl >recorded
[ "$(wc -l <exported)" -eq 9 ] && same_files exported recorded
check "google/benchmark 1018: the exported numbers have all digits of the records"
program compare run --against 1-smo --solver second-order-smo --out compared --quiet
ended 0 && grep -rlE ':[[:space:]]*-?(NaN|nan|Infinity|inf)' --include='*.json' run compared >found
[ -d compared ] && [ ! -s found ]
check "BenchmarkDotNet 1242: no JSON has NaN or infinity"
finish
