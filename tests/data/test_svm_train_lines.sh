#!/bin/sh
# Command lines of svm-train, from LIBSVM's README, guide and FAQ and from other programs, passed unchanged to
# `hullbench solve`: nu, obj, rho, nSV and labels agree with svm-train's. If svm-train is not installed, they are
# compared with the output of svm-train 3.24.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
cd "$work" || exit 4

# Numbers from a linear congruential generator, the same in every awk: three features, a tenth of the labels wrong.
draw() { # draw SEED ROWS
    awk -v r="$1" -v rows="$2" '
        function uniform() { r = (r * 69069 + 12345) % 4294967296; return r / 4294967296 }
        BEGIN { for (i = 0; i < rows; i++) {
            y = i % 3 ? 1 : -1; a = uniform(); b = uniform(); c = uniform()
            x = a + 0.35 * y; z = a * c - 0.25 * y
            printf "%+d 1:%.6f 2:%.6f 3:%.6f\n", i % 10 == 7 ? -y : y, x, b * 2 - 1, z } }'
}
draw 1 300 >data_file
draw 2 200 >test_file
cp data_file svmguide1

# Line, then the output of svm-train 3.24: nu, obj, rho, nSV, nBSV.
cat >lines <<'END'
data_file|0.344155 -92.082418 -0.574730 108 99
-s 0 -c 5 -t 2 -g 0.5 -e 0.1 data_file|0.273085 -391.049777 -0.339805 92 74
svmguide1|0.344155 -92.082418 -0.574730 108 99
-c 2 -g 2 svmguide1 svmguide1.model|0.258943 -143.381863 -0.036173 95 60
-c 512 -g 0.03125 svmguide1|0.275664 -41760.128060 -13.299833 88 79
-t 0 -c 0.01 data_file|0.733333 -2.045621 -0.653293 221 219
-s 0 -t 0 -h 0 -m 1000 data_file|0.320000 -91.189839 0.327787 97 94
-s 0 -t 1 -d 2 -g 1 -r 1 -c 3 data_file|0.279794 -247.170154 0.141200 89 80
-s 0 -t 2 -d 3 -g 0.1 -r 0 -n 0.5 -m 40 -c 10 -e 0.001 -p 0.1 -h 1 -b 0 data_file|0.300546 -858.995425 -2.392669 92 88
-c 100 -g 0.1 -e 0.00001 data_file a.model|0.272335 -8023.500752 -4.187201 84 76
-m 100 -d 0 -n 0 data_file|0.344155 -92.082418 -0.574730 108 99
-t 0 -d -1 -g -1 -r -1 -n 2 -p -1 data_file|0.320000 -91.189839 0.327787 97 94
END
# quantities FILE: nu, obj, rho, nSV and nBSV of a report.
quantities() {
    awk '{ gsub(",", "") } $1 == "nu" { nu = $3 } $1 == "obj" { obj = $3; rho = $6 } $1 == "nSV" { sv = $3; bsv = $6 }
        END { print nu, obj, rho, sv, bsv }' "$1"
}

# value LETTER DEFAULT LINE: the number after -LETTER.
value() {
    echo " $3 " | awk -v letter="-$1" -v found="$2" '{
        for (i = 1; i < NF; i++) if ($i == letter) found = $(i + 1)
        print found }'
}

# c_svc_alike LINE OURS THEIRS: both stop when no pair violates its condition by more than e, so the objectives are
# within e sum(alpha) = e nu C N of the optimum. rho lies between the extremes of the gradient, which differ by at most
# e. The gradients differ, too: at large C the objective is flat, and rho moves by up to 6e-4 of its value. The
# tolerance is 3 e + |rho| / 1000. Multipliers near a bound may be on either side of it: 3 %.
c_svc_alike() {
    echo "$2 $3" | awk -v e="$(value e 0.001 "$1")" -v c="$(value c 1 "$1")" '
        function off(a, b, most) { d = a - b; if (d < 0) d = -d; if (!(d <= most + 2e-6)) bad++ }
        { off($1, $6, e); off($2, $7, e * $6 * c * 300); off($3, $8, 3 * e + ($8 < 0 ? -$8 : $8) / 1000)
          off($4, $9, 1 + 0.03 * $9); off($5, $10, 1 + 0.03 * $10) }
        END { exit bad || NF != 10 }'
}

# labels_alike E RHO: svm-predict's labels of the line's two models differ only where a decision value is closer to 0
# than the two rho may differ.
labels_alike() {
    svm-predict test_file ours.model ours.labels >ours.said && svm-predict test_file theirs.model theirs.labels &&
        "$hullbench" predict test_file ours.model own.labels >own.said && same_files ours.labels own.labels &&
        same_files ours.said own.said && "$hullbench" predict --decision-values test_file theirs.model values &&
        paste ours.labels values | awk -v e="$1" -v rho="$2" '
            { d = $3 < 0 ? -$3 : $3; if ($1 != $2 && d > 3 * e + (rho < 0 ? -rho : rho) / 1000) bad++ }
            END { exit bad || NR != 200 }'
} >/dev/null

# model_of LINE: the name of svm-train's model file.
model_of() {
    case $1 in
    *.model) echo "${1##* }" ;;
    *) echo "${1##* }.model" ;;
    esac
}

while IFS='|' read -r line recorded; do
    rm -f ./*.model
    # Unchanged, -e is the relative duality gap, so obj is within e of the optimum, relatively; svm-train's is closer.
    # shellcheck disable=SC2086 # the words of a command line
    program solve $line
    echo "$(quantities "$work/out") $recorded" | awk -v e="$(value e 0.001 "$line")" '
        { d = $2 - $7; if (d < 0) d = -d; exit !(NF == 10 && d <= -2 * e * $7 + 2e-6) }'
    check "svm-train $line runs, and obj is that of svm-train 3.24"
    rm -f ./*.model
    # shellcheck disable=SC2086
    program solve --stop kkt $line
    ours=$(quantities "$work/out")
    [ "$status" -eq 0 ] && grep -q '^solver .*: C-SVC, 300 rows, 3 features' "$work/out" &&
        mv "$(model_of "$line")" ours.model && c_svc_alike "$line" "$ours" "$recorded"
    check "svm-train $line: nu, obj, rho, nSV and nBSV are those of svm-train 3.24"
    if command -v svm-train >/dev/null && command -v svm-predict >/dev/null; then
        # shellcheck disable=SC2086
        svm-train $line >theirs && mv "$(model_of "$line")" theirs.model &&
            c_svc_alike "$line" "$ours" "$(quantities theirs)" &&
            labels_alike "$(value e 0.001 "$line")" "$(echo "$ours" | cut -d ' ' -f 3)"
        check "svm-train $line: so are those of the svm-train that is installed, and the labels"
    else
        skip "svm-train $line: so are those of the svm-train that is installed" \
            "LIBSVM's programs are not installed" libsvm-tools
    fi
done <lines

# The nu-SVC: line, then C and obj of svm-train 3.24. Its multipliers are nu N / 2 times those of the hulls, and C times
# that after its scaling, so that obj = 1/2 |W|^2 (nu N C / 2)^2. The gap is at most 1e-3 |W|^2, so 1/2 |W|^2 has a
# relative error of at most 2e-3.
cat >lines <<'END'
-s 1 -n 0.3 data_file|2.652543 15.399293
-s 1 -t 0 -n 0.4 -c 7 data_file|0.244633 3.845482
-q -s 1 data_file a.model|0.232534 6.992301
-s 1 -h 0 data_file|0.232534 6.992301
END
while IFS='|' read -r line recorded; do
    rm -f ./*.model
    # shellcheck disable=SC2086
    program solve ${line#-q}
    [ "$status" -eq 0 ] && grep -q '^solver .*: nu-SVC, 300 rows' "$work/out" &&
        echo "$(value n 0.5 "$line") $recorded $(quantities "$work/out")" | awk '
            { obj = $5 * ($1 * 300 / 2 * $2) ^ 2; d = obj - $3; if (d < 0) d = -d; if (!(d <= 2e-3 * $3)) bad++
              if ($4 != $1) bad++ }
            END { exit bad || NF != 8 }' && grep -q '^svm_type nu_svc$' "$(model_of "$line")"
    check "svm-train $line: nu and obj are those of svm-train 3.24"
    if [ "${line#-q}" != "$line" ]; then
        # shellcheck disable=SC2086
        program solve $line
        ended 0 0 && [ ! -s "$work/out" ]
        check "svm-train $line: -q prints nothing"
    fi
done <lines

# mu = 2 / (0.3 * 300), and the rule is Delta <= mu eps for the weights of hulls, Delta / 2 <= eps for `delta`.
program solve -s 1 -n 0.3 --stop kkt -e 0.01 data_file by_kkt.model && cp "$work/out" by_kkt &&
    program solve -s 1 -n 0.3 --stop delta -e "$(awk 'BEGIN { printf "%.17g", 0.5 * (2 / (0.3 * 300)) * 0.01 }')" \
        data_file by_delta.model
ended 0 0 && same_files by_kkt "$work/out" && same_files by_kkt.model by_delta.model &&
    awk '/KKT violation/ { sub(/.*KKT violation = /, ""); seen = $1 <= 0.01 * 2 / 90 * (1 + 1e-6) }
         END { exit !seen }' by_kkt
check "with -s 1, kkt is svm-train's rule in svm-train's scale"
program solve --stop kkt --solver mdm data_file
ended 2 && says 'stopping rule "kkt" does not apply to solver "mdm"'
check "a solver without mu has no such rule"

# ---- letters that svm-train accepts and does not use ----
program solve -s 0 -t 0 -d 4 -r 1 -g 2 -n 0.2 -p 0.3 data_file
ended 0 1 && says "note: a C-SVC with kernel linear does not use -d, -r, -g, -n, -p" && cp "$work/out" noted &&
    program solve -t 0 data_file && ended 0 0 && same_files noted "$work/out"
check "letters that the problem does not use are named and change nothing"
program solve -c 10 data_file glued.model && cp glued.model spaced.model && program solve -c10 data_file glued.model
ended 0 0 && same_files spaced.model glued.model
check "-c10 is -c 10"
program solve data_file by_word.model && cp "$work/out" by_word &&
    program solve --data data_file --solver auto by_option.model
ended 0 0 && same_files by_word "$work/out" && same_files by_word.model by_option.model
check "a file alone is --data FILE --solver auto"
named=$(sed -n 's/^solver \([^:]*\):.*/\1/p' by_word)
program solve --solver "$named" data_file by_name.model
ended 0 0 && sed 1d by_word >report && same_files report "$work/out" && same_files by_word.model by_name.model
check "auto does what the solver does that it names"
program solve data_file - && ended 0 && same_files by_word.model "$work/out" && grep -q '^solver ' "$work/err"
check "the solver is named on standard error where the model goes to standard output"
# 300 rows train, so nu = 0.004 and 0.006 are below 2/N: the bound is inactive, since sum alpha = nu N / 2 < 1 in each
# class. The multipliers, and rho with them, are scaled by the margin, which both tolerances determine to about 1e-3.
awk '{ $1 = substr($2, 3) + 0 > 0.4 ? "+1" : "-1"; print }' data_file >apart
while IFS='|' read -r line recorded; do
    rm -f ./*.model
    # shellcheck disable=SC2086
    program solve $line
    ended 0 0 && cp apart.model ours.model
    echo "$recorded $(quantities "$work/out")" |
        awk '{ d = $1 - $4; if (d < 0) d = -d; exit !(NF == 6 && d <= 2e-3 * $1) }'
    check "svm-train $line: nu below 2/N is the hard margin, and rho that of svm-train 3.24"
    if command -v svm-train >/dev/null && command -v svm-predict >/dev/null; then
        # shellcheck disable=SC2086
        svm-train $line >theirs && cp apart.model theirs.model && labels_alike 0.001 "$recorded"
        check "svm-train $line: so are the labels"
    else
        skip "svm-train $line: so are the labels" "LIBSVM's programs are not installed" libsvm-tools
    fi
done <<'END'
-s 1 -e 1e-7 -n 0.004 apart|13.033595
-s 1 -e 1e-6 -t 0 -n 0.006 apart|64.909354
END
program solve -v 5 data_file
ended 0 0 && [ "$(wc -l <"$work/out")" -eq 2 ] && grep -q '^Cross Validation Accuracy' "$work/out"
check "-v takes a solver, too"
cp "$work/out" folds
program solve -v 5 data_file a_model
ended 0 1 && says 'note: -v writes no model; "a_model" is ignored' && same_files folds "$work/out" && [ ! -e a_model ]
check "-v takes a model's name and writes none"
program solve --solver auto --dataset titanic
ended 0 1 && says 'solver ' && grep -q '"params":{"C":1,' "$work/out"
check "auto solves a known data set where it is asked to"

# ---- rejected command lines, with a one-line message ----
refused() { # refused SENTENCE TEXT WORD...
    sentence=$1 text=$2
    shift 2
    rm -f data_file.model
    program "$@"
    ended 2 1 && says "$text" && [ ! -s "$work/out" ] && [ ! -e data_file.model ]
    check "$sentence is refused"
}
refused "the one-class SVM" "-s 2: no solver solves one-class SVM; " solve -s 2 data_file
refused "epsilon-SVR" "-s 3: no solver solves epsilon-SVR; " solve -s 3 -p 0.1 -t 0 data_file
refused "nu-SVR" "-s 4: no solver solves nu-SVR; " solve -s 4 data_file
refused "a type that svm-train does not know" "-s 10: no solver solves this type of problem; " solve -s 10 data_file
refused "the sigmoid" 'the sigmoid kernel is not positive semidefinite; use svm-train of LIBSVM' solve -t 3 data_file
refused "a precomputed kernel" '--kernel precomputed --split N prints a record' solve -t 4 data_file
refused "-b 1" 'hullbench does not estimate probabilities; use svm-train and svm-predict' solve -s 0 -b 1 data_file
refused "-w" '-w: "1" is not supported; hullbench has no class weights' solve -c 10 -w1 1 -w-2 5 -w4 2 data_file
refused "a word for the n of a C-SVC" '-n: "half" is not a number' solve -n half data_file
refused "a nu that is not feasible" \
    'nu 0.9 is not feasible for 300 training rows, 110 of the smaller class; allowed: at most 0.733333333' \
    solve -s 1 -n 0.9 data_file
refused_most=$(sed 's/.*at most //' "$work/err")
program solve -q -s 1 -n "$refused_most" data_file
ended 0 && [ "${#refused_most}" -le 12 ]
check "the nu that the message allows is allowed, and is short ($refused_most)"
refused "-s 0 of a hull solver" '-s 0: solver "mdm" does not solve the C-SVC' solve -s 0 -s mdm data_file
refused "-s 1 of a solver of C" '-s 1: solver "1-smo" does not solve the nu-SVC' solve -s 1 --solver 1-smo data_file
refused "standard input without a model's name" "expected the name of a model" \
    solve --data -
refused "a known set without a solver" 'expected a file, or --solver NAME and --dataset NAME' \
    solve --dataset titanic
refused "a third word" '"more" is one argument too many' solve data_file my.model more
refused "a second word beside --data" '"more" is one argument too many' solve --data data_file my.model more
sed '3s/^[^ ]*/3/' data_file >three
refused "a third class" 'hullbench solves problems of two classes' solve three
finish
