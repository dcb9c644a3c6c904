#!/bin/sh
# A researcher's own files: training, models, predictions, svm-train's letters, rejected input, and the page on them,
# followed literally.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
page=$root/docs/own-data.md
cd "$work" || exit 4

awk 'BEGIN {
    srand(3)
    for (i = 0; i < 60; i++) {
        y = i % 2 ? 1 : -1
        printf "%.3f,%.3f,%.3f,%d\n", rand() + 0.4 * y, rand() - 0.3 * y, rand(), y
    }
}' >plain.csv
awk -F , '{ printf "%+d 1:%s 2:%s 3:%s\n", $4, $1, $2, $3 }' plain.csv >plain.txt

# ---- the page: the commands of its first block print the lines of its second ----
mkdir -p datasets && cp "$root/datasets/wedge.csv" datasets/
awk '/^    hullbench / { sub(/^    hullbench/, "\"$hullbench\""); print; seen = 1; next } seen && !/^    / { exit }' \
    "$page" >commands
awk '/^    optimization finished/ { inside = 1 } inside && !/^    / { exit } inside { sub(/^    /, ""); print }' \
    "$page" >shown
# shellcheck source=/dev/null
. ./commands >printed 2>&1
# shellcheck disable=SC2016 # a regular expression
sed 's/.*`\(Accuracy = [^`]*\)`.*/\1/; /^Accuracy/!d' "$page" >>shown
[ "$(wc -l <commands)" -eq 2 ] && [ "$(wc -l <shown)" -eq 8 ] && same_files shown printed &&
    [ "$(wc -l <labels.txt)" -eq 60 ]
check "the commands of docs/own-data.md print what it shows"
# Its experiment and its names for files, with files of these names.
{
    echo x,y,z,class
    sed 's/,1$/,yes/; s/,-1$/,no/' plain.csv
} >all.csv
head -40 plain.txt >train.txt
tail -20 plain.txt >test.txt
printf 'train 1-40\ntest 41-60\ntrain 21 22 25-60\n' >splits.txt
json() { # json N: the N-th JSON of the page
    awk -v wanted="$1" '/^    [{]$/ { n++; inside = n == wanted } inside { print } /^    [}]$/ { inside = 0 }' "$page"
}
json 1 >mine.json
program run mine.json --out run --quiet
count_of() { # count_of DATASET SOURCE: records
    grep -c "\"dataset\":\"$1\",\"split\":[0-9]*,\"split_source\":\"$2\"" run/records.jsonl
}
ended 0 0 && [ "$(wc -l <run/records.jsonl)" -eq 48 ] && [ "$(count_of drawn resampled)" -eq 30 ] &&
    [ "$(count_of listed official)" -eq 12 ] &&
    [ "$(count_of given official)" -eq 6 ]
check "the page's experiment runs: drawn, listed and given splits"
sed 's/"split":[0-9]*,//; s/"dataset":"[a-z]*",//' run/records.jsonl >stripped
[ "$(grep -c '"split_source":"official"' stripped)" -eq 18 ] &&
    [ "$(grep '"dataset":"listed","split":1,' run/records.jsonl | sed 's/.*"outcome"//')" = \
        "$(grep '"dataset":"given"' run/records.jsonl | sed 's/.*"outcome"//')" ]
check "a list of the first 40 rows, and a file of them, give the same results"
sed 's/"splits": "1-5"/"splits": {"folds": 3}/' mine.json >folds.json
program run folds.json --out folds --quiet
ended 2 1 && says 'folds.json:8:7: splits: folds cannot be combined with "drawn"' &&
    sed 's/, "n_train": 40, "n_test": 20//' folds.json >folds2.json && program run folds2.json --out folds --quiet &&
    ended 2 1 && says_at folds2.json ': splits: folds cannot be combined with "listed"'
check "folds and splits of a file's own do not go together"
for words in '"split_file": "splits.txt", "n_train": 5|split sizes cannot be combined with "split_file"' \
    '"split_file": "splits.txt", "test_file": "test.txt"|"test_file" cannot be combined with "split_file"' \
    '"split_fill": "splits.txt"|unknown key "split_fill"; did you mean "split_file"'; do
    sed "s|\"split_file\": \"splits.txt\"|${words%|*}|" mine.json >bad.json
    program run bad.json --out bad --quiet
    ended 2 1 && says_at bad.json ": datasets[1]: ${words#*|}"
    check "a data set with ${words%|*} is refused"
done
printf 'train 1-61\n' >splits.txt
program run mine.json --out bad --quiet
ended 2 1 && says 'splits.txt:1:7: "1-61" is out of range; allowed: rows from 1 to 60'
check "a bad list of splits ends with status 2 and its place"
printf 'train 1-40\ntest 41-60\ntrain 21 22 25-60\n' >splits.txt
mkdir -p named && json 2 >named/datasets.json && mv all.csv train.txt test.txt splits.txt named/
HULLBENCH_DATA=$work/named "$hullbench" list datasets >out 2>err
awk '$1 == "mine" || $1 == "listed" || $1 == "given"' out >own
[ "$(awk '{ print $1, $2, $3, $4, $5, $6 }' own | tr '\n' ';')" = \
    "mine 60 3 50.0% 0/10 40/20;listed 60 3 50.0% 2/2 40/20;given 60 3 50.0% 1/1 40/20;" ]
check "list knows the sets that datasets.json names"
HULLBENCH_DATA=$work/named "$hullbench" solve --dataset listed --split 2 --solver mdm >out 2>err &&
    grep -q '"split":2,"split_source":"official"' out
check "solve knows them too"
printf 'train 1-40\ntest 41-60\ntrain 21-60\ntrain 2-40 1\ntest 41-60\n' >named/splits.txt
HULLBENCH_DATA=$work/named "$hullbench" list datasets --long >out 2>err
awk '/^listed / { found = 1; next } /^[a-z]/ { found = 0 } found' out >own
[ "$(sed -n 2,9p own)" = "    split 3 has the same rows as split 1" ] && [ "$(grep -c 'same rows' out)" -eq 1 ]
check "list datasets --long names splits of the same rows"
cat >same.json <<'END'
{"name": "same", "datasets": ["listed"], "splits": "1-3", "standardise": "none", "kernel": {"type": "linear"},
 "parameters": {"C": 1}, "solvers": ["1-smo"], "stop": {"rule": "kkt", "tolerance": 0.01},
 "budget": {"iterations": 1000}}
END
HULLBENCH_DATA=$work/named program run same.json --dry-run
ended 0 0 && grep -qx 'listed: split 3 has the same rows as split 1' "$work/out"
check "so does a dry run"
HULLBENCH_DATA=$work/named program run same.json --out same
ended 0 0 && ! grep -q 'same rows' "$work/out"
check "a run does not repeat it"
printf 'train 1-40\ntest 41-60\ntrain 21 22 25-60\n' >named/splits.txt
cp named/* . && rm datasets.json

# ---- training and predicting ----
program solve --solver 1-smo --data plain.txt -t 0 -c 2 -e 1e-6
ended 0 0 && [ -s plain.txt.model ] && [ "$(head -1 "$work/out")" != "" ] && [ "$(wc -l <"$work/out")" -eq 7 ]
check "the model is written beside the present folder where none is named"
cp plain.txt.model first.model
program solve --solver 1-smo --data plain.csv -t 0 -c 2 -e 1e-6 second.model
ended 0 0 && same_files first.model second.model
check "CSV and LIBSVM format of the same numbers give the same model"

# ---- columns of files to predict ----
printf 'a,b,y\n1,0,1\n-1,0.1,-1\n1.2,0.1,1\n-1.1,0,-1\n0.9,-0.1,1\n-0.9,-0.1,-1\n' >named.csv
printf 'b,a,y\n0.1,1,1\n-0.1,-1,-1\n0,0.8,1\n0,-0.7,-1\n' >order.csv
printf 'b,y\n0.1,1\n-0.1,-1\n' >drop.csv
printf 'a,b\n1,0.1\n-1,-0.1\n0.8,0\n-0.7,0\n' >nolabel.csv
printf '1:1 2:0.1\n1:-1 2:-0.1\n1:0.8\n1:-0.7\n' >nolabel.txt
printf '1 0:1 1:0.1\n-1 0:-1 1:-0.1\n' >zero.txt
program solve -q -g 1 named.csv named.model
ended 0 0 && tail -1 named.model | grep -q '^#.*"columns":\["a","b"\]'
check "a model keeps the names of the columns"
program predict order.csv named.model out.txt
ended 0 1 && says order.csv && grep -q '(4/4)' out && cp out.txt by-name.txt
check "columns in another order are matched by name"
program predict drop.csv named.model out.txt
ended 2 1 && says 'drop.csv:1:1: no column "a"'
check "a missing column is refused"
program predict nolabel.csv named.model out.txt
ended 2 1 && says 'nolabel.csv:1:1: no column "y"'
check "a file without labels is refused"
for file in nolabel.csv nolabel.txt order.csv; do
    program predict --no-labels $file named.model out.txt
    [ "$status" -eq 0 ] && [ ! -s out ] && same_files out.txt by-name.txt
    check "--no-labels predicts $file and reports no accuracy"
done
program predict nolabel.txt named.model out.txt
ended 2 1 && says 'nolabel.txt:1:1: label "1:1"'
check "a LIBSVM file without labels is refused"
sed 1d order.csv >rows.csv && sed 1d named.csv >train.csv
program solve -q -g 1 train.csv rows.model && program predict nolabel.csv rows.model out.txt
ended 2 1 && says 'nolabel.csv:1:1: '
check "a file without labels is refused by a model without names"
program solve -q -g 1 plain.txt plain.model && program predict zero.txt plain.model out.txt
ended 0 1 && says 'zero.txt: its features are counted from 0'
check "indices from 0 against indices from 1 are noted"
printf '0,1,2\n0.5,1.5,1\n1.5,0.5,0\n2.5,1.5,1\n0.5,2.5,0\n' >numbers.csv
program solve numbers.csv never.model
ended 2 1 && says 'numbers.csv:1:1: ' && says header
check "a first line of whole numbers is refused unless --header says what it is"
program solve --header yes numbers.csv numbers.model
ended 0 0 && grep -q '4 rows' out
check "--header yes reads it as names"
printf '1 1:0.5 # c\r-1 1:3\r1 1:2\r' >returns.txt
program predict returns.txt plain.model out.txt
ended 0 0 && grep -q '/3)' out
check "carriage returns end lines after comments too"
for lanes in generic avx2 avx512; do
    HULLBENCH_LANES=$lanes "$hullbench" solve --solver 1-smo --data plain.csv -t 0 -c 2 -e 1e-6 -q "lanes.model" >out \
        2>err || continue
    same_files first.model lanes.model && [ ! -s out ]
    check "the model has the same bytes with $lanes loops, and -q prints nothing"
done
# A cache with rows long enough to be shared, and more sums than one thread computes alone.
awk 'BEGIN { for (i = 0; i < 9000; i++) {
    r = (r * 69069 + 12345) % 4294967296; x = r / 4294967296
    r = (r * 69069 + 12345) % 4294967296; y = r / 4294967296
    print (x + y * y > 0.9 ? 1 : -1) " 1:" x " 2:" y } }' >long.txt
numbers='1 3'
[ "${HULLBENCH_TESTS-}" != all ] || numbers='1 2 3 7'
for solver in packed-smo second-order-smo; do
    for jobs in $numbers; do
        program solve --solver $solver --data long.txt -g 1 -c 10 -m 1 --jobs "$jobs" "long$jobs.model"
        [ "$status" -eq 0 ] && cp "$work/out" "long$jobs.out" &&
            program predict --decision-values --jobs "$jobs" long.txt "long$jobs.model" "long$jobs.labels" &&
            same_files long1.model "long$jobs.model" && same_files long1.out "long$jobs.out" &&
            same_files long1.labels "long$jobs.labels"
        check "$solver trains and predict decides with $jobs threads as with one"
    done
done
cat >long.json <<'END'
{"name": "long", "datasets": [{"name": "long", "file": "long.txt"}], "splits": 1, "seed": 1, "standardise": "none",
 "kernel": {"type": "rbf", "width": 1}, "parameters": {"C": 10}, "solvers": ["packed-smo"],
 "stop": {"rule": "kkt", "tolerance": 1e-3}, "gram_megabytes": 1}
END
for jobs in $numbers; do
    program run long.json --out "long-jobs$jobs" --jobs "$jobs" --quiet
    [ "$status" -eq 0 ] && same_files long-jobs1/records.jsonl "long-jobs$jobs/records.jsonl"
    check "the record of a single unit is the same with $jobs threads"
done
for jobs in 1 3; do
    program solve --solver 1-smo --data plain.txt -v 5 --jobs "$jobs"
    cp "$work/out" "folds$jobs.out"
done
ended 0 0 && same_files folds1.out folds3.out
check "folds are the same with 3 threads as with one"
awk '{ $1 = $1 > 0 ? 2 : 1; print }' plain.txt >two.txt
awk '{ out = $1; for (i = 2; i <= NF; i++) { split($i, f, ":"); out = out " " f[1] - 1 ":" f[2] } print out }' \
    plain.txt >zero.txt
program solve --solver 1-smo --data two.txt -t 0 -c 2 -e 1e-6 two.model
ended 0 0 && sed 's/^label 2 1$/label 1 -1/' two.model >renamed && same_files first.model renamed
check "labels 1 and 2 make the same model under other names"
program solve --solver 1-smo --data zero.txt -t 0 -c 2 -e 1e-6 zero.model
ended 0 0 && program predict zero.txt zero.model zero.labels && program predict plain.txt first.model labels &&
    same_files labels zero.labels
check "indices from 0 stay as they are in the model"
program predict --decision-values plain.txt first.model with
ended 0 0 && cut -d ' ' -f 1 with >without && same_files without labels &&
    [ "$(awk '($1 > 0) != ($2 > 0)' with | wc -l)" -eq 0 ]
check "--decision-values writes the value behind the label"
program solve --solver clip-mdm --data plain.txt -n 0.5 -q a.model
program solve --solver clip-mdm --data plain.txt --set "mu=$(awk 'BEGIN { printf "%.17g", 2 / (0.5 * 60) }')" -q b.model
ended 0 0 && same_files a.model b.model && program solve --solver clip-mdm --data plain.txt c.model &&
    same_files a.model c.model &&
    grep -q '^nu = 0.500000$' "$work/out"
check "-n NU is mu = 2/(NU N), 0.5 where nothing is said"
program solve --solver svm-light --data plain.txt -c 5 -h 0 a.model
cp "$work/out" unshrunk
program solve --solver svm-light --data plain.txt --set C=5 --set shrinking=no b.model
same_files unshrunk "$work/out"
check "-c and -h set C and shrinking"
program solve --solver 1-smo --data plain.txt --kernel rbf,width=49 a.model
ended 0 0 && program solve --solver 1-smo --data plain.txt -g "$(sed -n 's/^gamma //p' a.model)" b.model &&
    same_files a.model b.model
check "the gamma in a model gives the model again"
program solve --solver 1-smo --data plain.txt --iterations 1 a.model
ended 1 0 && [ -s a.model ] && grep -q '^WARNING: not converged (iteration-limit), #iter = 1$' "$work/out" &&
    grep -q '^left: the relative duality gap is [0-9.e+]*; requested: 0.001$' "$work/out"
check "a budget that is spent is said, with what is left, and ends with status 1"
program solve --solver 1-smo --data plain.txt --iterations 1 -q a.model
ended 1 2 && says 'left: the relative duality gap is'
check "and said with -q, on standard error"
program solve --solver 1-smo --data plain.txt --iterations 1 --stop iterations a.model
ended 0 0 && program solve --solver 1-smo --data plain.txt --iterations 1 --stop kkt a.model
ended 1 0 && ! grep -q '^left:' "$work/out"
check "the rule iterations is kept by spending them, any other is not met"
program solve --solver 1-smo --data plain.txt --iterations 1 -v 5
ended 1 0 && grep -qx 'WARNING: 5 of 5 folds did not converge' "$work/out" && grep -q '^Cross Val' "$work/out"
check "-v says how many folds did not converge"
program solve --solver 1-smo --data plain.txt -v 5
ended 0 0 && grep -qE '^Cross Validation Accuracy = [0-9.]+%$' "$work/out" && [ ! -e data.model ]
check "-v prints the accuracy of cross-validation"
program solve --solver 1-smo --data all.csv --label-column class -c 1 -v 60
ended 0 0
check "words for labels can be cross-validated"

# ---- LIBSVM's programs ----
# said_alike OURS THEIRS: nu, obj, rho, nSV, nBSV. Both stop at violations below 1e-5, which bounds the difference of
# rho and of nu (times N / sum y^2 = 1); LIBSVM's kernel values are single precision, 6e-8 of obj's terms.
said_alike() {
    paste "$1" "$2" | tr -d ',' | awk '
        function off(a, b, most) { d = a - b; if (d < 0) d = -d; if (!(d <= most)) bad++ }
        $1 == "nu" { off($3, $6, 1e-5); seen++ }
        $1 == "obj" { size = $3 < 0 ? -$3 : $3; off($3, $9, 1e-6 * size); off($6, $12, 2e-5); seen++ }
        $1 == "nSV" { off($3, $9, 0); off($6, $12, 0); seen++ }
        END { exit bad || seen != 3 }'
}
if command -v svm-train >/dev/null && command -v svm-predict >/dev/null; then
    different=0
    for words in "-t 0" "-t 1 -d 2 -r 1" "-t 2 -g 0.75" ""; do
        # shellcheck disable=SC2086 # words
        program solve --solver second-order-smo --stop kkt --data plain.txt $words -c 3 -e 1e-5 ours.model &&
            sed -n 2,4p "$work/out" >ours.said
        # shellcheck disable=SC2086
        svm-train $words -c 3 -e 1e-5 plain.txt theirs.model | sed -n '/^nu/,/^nSV/p' >theirs.said
        said_alike ours.said theirs.said && [ "$(sed -n '/^svm_type/,/^nr_class/p' ours.model)" = \
            "$(sed -n '/^svm_type/,/^nr_class/p' theirs.model)" ] ||
            different=$((different + 1))
        for model in ours theirs; do
            program predict test.txt $model.model ours.labels
            svm-predict test.txt $model.model theirs.labels >said
            same_files "$work/out" said && same_files ours.labels theirs.labels || different=$((different + 1))
        done
    done
    [ "$different" -eq 0 ]
    check "letters mean what they mean to svm-train, which prints the same nu, obj, rho, nSV and nBSV"
    svm-train -q -s 1 -n 0.4 plain.txt nu.model && program predict test.txt nu.model ours.labels &&
        svm-predict test.txt nu.model theirs.labels >said
    same_files "$work/out" said && same_files ours.labels theirs.labels
    check "predict reads nu-SVC models"
    svm-train -q -s 2 plain.txt one.model && program predict test.txt one.model ours.labels
    ended 2 1 && says 'one.model:1:10: svm_type: "one_class" is not c_svc or nu_svc'
    check "a one-class model of svm-train is refused"
    sed '1s/^[^ ]*/3/' plain.txt >three.txt && svm-train -q three.txt three.model &&
        program predict test.txt three.model ours.labels
    ended 2 1 && says 'three.model:4:1: nr_class 3: hullbench reads only models of two classes'
    check "a model of three classes of svm-train is refused"
else
    skip "letters mean what they mean to svm-train" "LIBSVM's programs are not installed" libsvm-tools
fi

# ---- rows without features, folds of any number, kernel tables ----
printf -- '-1\n' >zero.txt
program predict zero.txt first.model o && ended 0 0 && [ "$(wc -l <o)" -eq 1 ]
check "a file of a single row without features is predicted"
printf '1\n-1\n1\n' >zeros.txt
program solve --data zeros.txt zeros.model && ended 0 0 && program predict plain.txt zeros.model o &&
    [ "$(wc -l <o)" -eq "$(wc -l <plain.txt)" ]
check "a model is trained on rows without features, and predicts others"

printf '1 1:1e99 2:1\n-1 1:-1\n1 1:1\n-1 1:-0.5\n' >over.txt
sed 1d over.txt >under.txt
program solve -q -t 1 -d 4 -r 1 under.txt over.model && ended 0 0 && program predict over.txt over.model over.labels &&
    ended 2 1 && says 'over.txt: the decision on row 1 is ' && [ ! -e over.labels ] &&
    program predict under.txt over.model o && ended 0 0
check "a decision that is not a finite number is an error that names the row"

# k_ij = exp(-|i - j| / 4), whose entries below the diagonal have other last digits.
rows() {
    awk -v error="$1" 'BEGIN { for (i = 0; i < 12; i++) {
        for (j = 0; j < 12; j++)
            printf "%.17g,", exp(-(i > j ? i - j : j - i) / 4) * (i > j ? 1 + error * ((i + j) % 3 - 1) : 1)
        print i % 2 ? 1 : -1 } }'
}
rows 1e-7 >rounded.csv
program solve --solver 1-smo --set C=1 --data rounded.csv --kernel precomputed --split 1 && ended 0 0
check "a kernel table of single precision is accepted"
rows 1e-3 >lopsided.csv
program solve --solver 1-smo --set C=1 --data lopsided.csv --kernel precomputed --split 1
ended 2 1 && says 'lopsided.csv: ' && says 'entry (3, 1) is 0.607137190372346' && says '(1, 3) is 0.606530659712633'
check "a kernel table that is not symmetric is refused with 17 digits"

# The squares of (x z - 1) are an indefinite kernel: the point with the objective -0.25 has a gap of 0, and -0.2857 is
# reachable. Which kernels are known to be semidefinite: those of the first list.
printf '+1 1:2\n-1 1:0\n-1 1:1\n' >three.svm
wrong=''
while read -r words; do
    # shellcheck disable=SC2086 # words
    program solve $words -c 1 three.svm three.model
    ended 0 && [ "$(grep -c '^optimization finished' "$work/out")" -eq 1 ] && ! grep -q 'proves nothing' "$work/out" ||
        wrong="$wrong, $words"
done <<'EOF'
-t 0
-t 1 -d 2 -g 1
-t 1 -d 3 -g 0.5 -r 1
-t 2
EOF
for words in '-t 1 -d 2 -r -1 -g 1' '-t 1 -d 3 -r -0.001 -g 1' \
    '-t 1 -d 2 -r -1 -g 1 --stop kkt --solver second-order-smo'; do
    # shellcheck disable=SC2086 # words
    program solve $words -c 1 three.svm three.model
    [ "$status" -le 1 ] && ! grep -q '^optimization finished' "$work/out" &&
        grep -q '^duality gap = .*proves nothing' "$work/out" || wrong="$wrong, $words"
done
program solve -t 1 -d 2 -r -1 -g 1 -c 1 three.svm three.model
ended 0 && grep -q '^stationary point, #iter' "$work/out" && grep -q '^reason: .*the gap proves nothing' "$work/out" &&
    grep -q '^obj = -0.25,' "$work/out" || wrong="$wrong, summary"
for words in '1-smo --set C=1' 'clip-mdm --set mu=1'; do
    # shellcheck disable=SC2086 # words
    program solve --data rounded.csv --kernel precomputed --split 1 --solver $words
    ended 0 && grep -q '"outcome":"converged","reason":"[^"]*the gap proves nothing' "$work/out" ||
        wrong="$wrong, table by $words"
done
[ -z "$wrong" ] || echo "wrong:$wrong" >"$work/err"
[ -z "$wrong" ]
check "a gap is called a proof only where the kernel is known to be positive semidefinite"

# ---- standardising by the training rows ----
# Each split trains on rows whose means and deviations are whole: 3 and 2 in the first, 14 and 4 in the second. The
# second feature is constant in the first split; in the second its mean is 3 and its deviation 1.
printf '%s\n' 1,7,-1 5,7,1 1,7,1 5,7,1 10,2,-1 18,4,1 18,2,1 10,4,-1 >raw.csv
printf 'train 1-4\ntrain 5-8\n' >halves.txt
awk -F , '{ print ($1 - 3) / 2 ",0," $3 }' raw.csv >scaled1.csv
awk -F , '{ print ($1 - 14) / 4 "," $2 - 3 "," $3 }' raw.csv >scaled2.csv
# scaling NAME DATA SPLITS TEXT: runs a configuration with these data and this text as a member.
scaling() {
    cat >"$1.json" <<EOF
{"name": "scaling", "datasets": [{"name": "data", "file": $2}], "splits": "$3", $4
 "kernel": {"type": "rbf", "width": 1}, "parameters": {"C": 10}, "solvers": ["1-smo"],
 "stop": {"rule": "kkt", "tolerance": 1e-6}}
EOF
    program run "$1.json" -q --out "$1"
}
halves=', "split_file": "halves.txt"'
scaling default "\"raw.csv\"$halves" 1-2 '' && scaling first "\"scaled1.csv\"$halves" 1 '"standardise": "none",' &&
    scaling second "\"scaled2.csv\"$halves" 2 '"standardise": "none",' &&
    cat first/records.jsonl second/records.jsonl >by-hand
ended 0 0 && [ "$(wc -l <by-hand)" -eq 2 ] && same_files by-hand default/records.jsonl
check "features of a file are standardised by the training rows of each split"
grep -q '"standardise":[[:space:]]*"training"' default/run.json &&
    grep -q '"standardise":[[:space:]]*"none"' first/run.json
check "run.json says how the features were standardised"
scaling drawn '"raw.csv"' 1 ''
sed 's/"config":"[^"]*",//' drawn/records.jsonl >by-run
program solve --data raw.csv --split 1 --solver 1-smo --kernel rbf,width=1 --set C=10 --stop kkt -e 1e-6
sed 's/"config":"[^"]*",//' "$work/out" >by-solve
ended 0 && same_files by-run by-solve
check "solve standardises a split of a file like run"

# Three rows of a class in thirteen: most ways to deal them unstratified leave a fold without the class.
awk 'BEGIN { for (i = 0; i < 13; i++) print (i % 5 ? -1 : 1), "1:" i }' >few.txt
for stratified in true false; do
    cat >few.json <<EOF
{"name": "few", "datasets": [{"name": "few", "file": "few.txt"}],
 "splits": {"folds": 7, "repeats": 20, "stratified": $stratified}, "standardise": "none",
 "kernel": {"type": "linear"}, "parameters": {"C": 1}, "solvers": ["1-smo"],
 "stop": {"rule": "kkt", "tolerance": 1e-3}}
EOF
    program run few.json -q --out few-$stratified && [ "$(wc -l <few-$stratified/records.jsonl)" -eq 140 ]
    check "a class of three rows trains in every one of seven folds (stratified: $stratified)"
done
for folds in 2 5 12 13; do
    program solve --solver 1-smo -q -v $folds --data few.txt &&
        # the accuracy is a number of all thirteen rows
        awk '{ right = $NF * 13 / 100; exit !(right - int(right + 0.5) < 1e-3 && int(right + 0.5) - right < 1e-3) }' \
            "$work/out"
    check "each of 13 rows is tested once in $folds folds"
done

# ---- rejected input ----
# refused SENTENCE TEXT WORD...: status 2, one line, nothing printed, no model.
refused() {
    sentence=$1 text=$2
    shift 2
    rm -f never.model
    program "$@"
    ended 2 1 && says "$text" && [ ! -s "$work/out" ] && [ ! -e never.model ]
    check "$sentence is refused"
}
solve="solve --solver 1-smo --data plain.txt"
# shellcheck disable=SC2086
{
    refused "-b 1" '-b: "1" is not supported; hullbench does not estimate probabilities' $solve -b 1 never.model
    refused "-w1 2" '-w: "1" is not supported; hullbench has no class weights' $solve -w1 2 never.model
    refused "-w 1 2" '-w: "1" is not supported; hullbench has no class weights' $solve -w 1 2 never.model
    refused "-wi 2" '-w: "i" is not supported; hullbench has no class weights' $solve -wi 2 never.model
    refused "-t 3" '-t: "3" is not supported; allowed: 0 (linear), 1 (polynomial), 2 (rbf)' $solve -t 3 never.model
    refused "-t 4" '-t: "4"' $solve -t 4 never.model
    refused "-d of a linear kernel" '-d needs the polynomial kernel, -t 1' $solve -t 0 -d 2 never.model
    refused "-d heart, which was a data set once" '-d: "heart" is not a number' $solve -d heart
    refused "-g of a linear kernel" '-g needs kernel -t 1 or -t 2' $solve -t 0 -g 2 never.model
    refused "-g -1" '-g: "-1" is not a finite number of at least 0' $solve -g -1 never.model
    refused "-g 1e-320" '-g: "1e-320" is not a finite number of at least 0 with a finite inverse' $solve -g 1e-320 \
        never.model
    refused "a width without a gamma" 'plain.txt: width ' $solve --kernel rbf,width=1e-320 never.model
    refused "-c 0" 'parameters.C: 0 is out of range' $solve -c 0 never.model
    refused "-e 0" 'stop.tolerance: 0 is out of range' $solve -e 0 never.model
    refused "-h 1 for a solver that does not shrink" '-h 1: solver "1-smo" has no parameter' $solve -h 1 never.model
    refused "-n for a solver of C" '-n: solver "1-smo" reads neither mu nor nu' $solve -n 0.5 never.model
    refused "-v 1" '-v: "1" is not a whole number from 2 to 1000' $solve -v 1
    refused "--split and a model" 'a model ("never.model") needs a file that is trained whole' $solve --split \
        1 never.model
    refused "-v of a known set" '-v needs --data' solve --solver mdm --dataset titanic -v 3
    refused "two kernels" '--kernel cannot be combined with' $solve -t 0 --kernel linear never.model
    refused "an unknown solver" 'unknown solver "1-sno"; did you mean "1-smo"' solve --solver 1-sno --data plain.txt \
        never.model
}
awk '$1 == 1 && ++n > 20 { next } 1' plain.txt >skewed.txt
refused "a nu that is not feasible" \
    'nu 0.9 is not feasible for 50 training rows, 20 of the smaller class; allowed: at most 0.8' \
    solve --solver clip-mdm --data skewed.txt -n 0.9 never.model
refused "a file of words for labels where a model is wanted" \
    'labels "yes" and "no" are not whole numbers' \
    solve --solver 1-smo --data all.csv --label-column class never.model
refused "a precomputed kernel where a model is wanted" 'a model cannot have a precomputed kernel' \
    solve --solver 1-smo --data plain.csv --kernel precomputed never.model
sed '3s/^+*-*1/3/' plain.txt >three.txt
refused "a third class" \
    'three.txt:3:1: label "3" is a third class; hullbench solves problems of two classes; labels found: -1, +1, 3' \
    solve --solver 1-smo --data three.txt never.model
printf '1 1:1\n1 1:2\n' >one.txt
refused "a single class" 'one.txt:1:1: label "1" is the only one in 2 rows' solve --solver 1-smo --data one.txt \
    never.model
awk 'BEGIN { print "1 10000000:1"; for (i = 0; i < 200000; i++) print i % 2 ? "1 1:1" : "-1 1:2" }' >wide.txt
refused "a table of ten million columns that is to be standardised" \
    '(--no-standardise keeps them compressed): 200001 rows of 10000000 features, including zeros, would take ' \
    solve --solver 1-smo --data wide.txt --split 1 --set C=1
refused "a file that is not there" 'nobody.txt: cannot be read: No such file' solve --solver 1-smo --data nobody.txt \
    never.model
refused "predict with two files" 'expected TEST, MODEL and OUTPUT' predict plain.txt first.model
refused "predict with four files" '"more"' predict plain.txt first.model o more
refused "predict -b 1" '-b: "1" is not supported; hullbench does not estimate probabilities' \
    predict -b 1 plain.txt first.model o
refused "predict with a model that is not there" 'nobody.model: cannot be read: No such file' predict plain.txt \
    nobody.model o
refused "predict on a file that is not there" 'nobody.txt: cannot be read: No such file' predict nobody.txt \
    first.model o
printf '1 1:1\n1 1:x\n' >bad.txt
refused "predict on a malformed file" 'bad.txt:2:5: "1:x" is not index:value' predict bad.txt first.model o
sed 's/^rho .*/rho x/' first.model >bad.model
refused "predict with a malformed model" 'bad.model:5:5: rho: "x" is not a finite number' predict plain.txt bad.model o
program predict plain.txt first.model /nowhere/labels
ended 4 1 && says /nowhere/labels
check "labels that cannot be written end with status 4"
program solve --solver 1-smo --data plain.txt /nowhere/my.model
ended 4 1 && says /nowhere/my.model && [ ! -s "$work/out" ]
check "a model that cannot be written ends with status 4"
# ---- little memory ----

# limited KILOBYTES WORD...: solve with this much address space, on one thread.
limited() {
    kilobytes=$1
    shift
    rm -f limited.model
    # shellcheck disable=SC3045 # dash and bash have it
    (ulimit -v "$kilobytes" && exec "$hullbench" solve -q -j 1 "$@" few.txt limited.model) >out 2>err
    status=$?
}
awk 'BEGIN { srand(1); for (i = 0; i < 2000; i++) { printf "%d", i % 2 ? 1 : -1
    for (k = 0; k < 50; k++) printf " %d:%.4f", 1000 * k + 1 + int(1000 * rand()), rand() + i % 2 / 100; print "" } }' \
    >few.txt
if sanitized; then
    skip "little memory" "the sanitizer takes all addresses"
else
    program solve -q few.txt all.model
    enough=30000 status=1
    until [ "$status" -eq 0 ] || [ "$enough" -gt 1000000 ]; do
        enough=$((enough + 10000))
        limited "$enough" -m 4
    done
    ended 0 && cmp -s all.model limited.model
    check "with -m 4 little memory is enough ($enough kB), and the model is the same"
    for more in 0 5000 15000 30000; do
        limited $((enough + more))
        ended 0 && cmp -s all.model limited.model
        check "without -m the kernel values take what there is ($more kB more), and the model is the same"
    done
    limited "$enough" -m 512
    ended 2 1 && says 'training would take ' && says 'are available (the limit of ulimit -v); give -m ' &&
        [ ! -e limited.model ]
    check "an -m that is too large is refused in a line that names one that fits"
    limited "$enough" -m "$(sed 's/.*give -m \([0-9]*\),.*/\1/' err)"
    ended 0 && cmp -s all.model limited.model
    check "and that one does"
fi
finish
