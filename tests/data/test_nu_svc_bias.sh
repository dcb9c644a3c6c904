#!/bin/sh
# The plane in the middle of the margin: a model of a reduced-hull solver with nu-SVC's bias predicts as svm-train's
# nu-SVC does, the free support vectors are on f = +-1, and only models and cross-validation use that bias.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

cd "$work" || exit 4
# Two overlapping clouds of different widths and sizes; the same rows on every machine.
awk 'function next_number() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
    BEGIN { seed = 11
        for (i = 0; i < 400; i++) {
            y = i % 3 ? -1 : 1
            spread = y > 0 ? 4 : 2
            printf "%d 1:%.6f 2:%.6f\n", y, y + spread * (next_number() - 0.5), spread * (next_number() - 0.5)
        } }' >all
head -n 200 all >train
# hulls MODEL OPTIONS...: a solver of reduced hulls with a tight tolerance.
hulls() {
    model=$1
    shift
    program solve --solver clip-mdm -e 1e-9 "$@" train "$model"
}
# labels MODEL FILE: the labels of all rows.
labels() {
    program predict -q all "$1" "$2"
}

hulls middle -n 0.405 --bias nu-svc
ended 0 && labels middle middle.labels && hulls half -n 0.405 --bias midpoint && ended 0 && labels half half.labels
[ -s middle.labels ] && [ -s half.labels ] && ! cmp -s middle.labels half.labels
check "the two planes give other labels"
hulls plain -n 0.405
ended 0 && cmp -s plain half
check "a solver that is named has the plane half way unless the other is asked for"
hulls by_type -n 0.405 -s 1
ended 0 && cmp -s by_type middle
check "with -s 1 the plane is nu-SVC's"
hulls by_type -n 0.405 -s 1 --bias midpoint
ended 0 && cmp -s by_type half
check "unless the other is asked for"

# A free multiplier is neither 0 nor the largest; mu = 2 / (nu N), and the model holds alpha / r.
program predict -q --decision-values train middle decisions
awk 'NR == FNR { if (on) { a = $1 < 0 ? -$1 : $1; if (a > largest) largest = a; coefficient[$2 $3] = a }
        if ($1 == "SV") on = 1
        next }
    { split($2, one, ":"); key = sprintf("1:%.17g", one[2]); split($3, two, ":")
      key = key sprintf("2:%.17g", two[2]); getline decision <"decisions"; split(decision, f, " ")
      if (!(key in coefficient) || coefficient[key] > 0.999 * largest || coefficient[key] < 0.001 * largest) next
      free++; off = f[2] * $1 - 1; if (off < 0) off = -off; if (off > 1e-3) bad++ }
    END { exit !(free >= 4 && !bad) }' middle train
check "the free support vectors stand on f = +-1"

if command -v svm-train >/dev/null && command -v svm-predict >/dev/null; then
    compared=0 wrong=0 halfway=0
    for kernel in "-t 2" "-t 2 -g 3" "-t 0" "-t 1 -g 1 -r 1 -d 2"; do
        # At 0.2 the reduced hulls meet under the linear kernel, and there is no margin. nu N / 2 is not an integer, so
        # each class has a free multiplier and the middle of the margin is a unique plane.
        for nu in 0.305 0.405 0.605; do
            # shellcheck disable=SC2086 # options
            svm-train -q -s 1 -e 1e-6 $kernel -n $nu train theirs && svm-predict all theirs theirs.labels >/dev/null
            for bias in nu-svc midpoint; do
                # shellcheck disable=SC2086
                hulls ours $kernel -n $nu --bias $bias
                program predict -q --decision-values all ours ours.labels
                # Rows that are closer to the plane than both tolerances may get either label.
                differ=$(paste -d' ' theirs.labels ours.labels | awk '
                    { far = $3 < -1e-4 || $3 > 1e-4; n += far; d += far && $1 != $2 } END { print n + 0, d + 0 }')
                if [ $bias = nu-svc ]; then
                    compared=$((compared + ${differ% *})) wrong=$((wrong + ${differ#* }))
                else
                    halfway=$((halfway + ${differ#* }))
                fi
            done
        done
    done
    [ "$compared" -gt 4000 ] && [ "$wrong" -eq 0 ] && [ "$halfway" -gt 0 ]
    check "all labels are those of svm-train -s 1 ($wrong of $compared differ; half way between the nearest points: \
$halfway)"
else
    skip "all labels are those of svm-train -s 1" "LIBSVM's programs are not installed" libsvm-tools
fi

program solve --solver clip-mdm -e 1e-6 -n 0.405 --bias nu-svc -v 5 train && cp out middle.folds
program solve --solver clip-mdm -e 1e-6 -n 0.405 --bias midpoint -v 5 train
ended 0 && [ -s middle.folds ] && ! cmp -s middle.folds out
check "cross-validation takes the bias that is asked for"

program solve --solver clip-mdm --data train --split 1 -n 0.405 --bias nu-svc
ended 2 && says "--bias" && says "midpoint" && [ ! -s out ]
check "a record has no other bias than that of its definition"
program solve --solver mdm --data train --bias nu-svc
ended 2 && says 'solver "mdm" does not solve the nu-SVC'
check "a solver of the whole hull has no nu-SVC's bias"
program solve --data train --bias nu-svc
ended 2 && says "--bias needs -s 1"
check "a C-SVC has no such option"
program solve --solver clip-mdm --data train --bias middle
ended 2 && says 'unknown value "middle"; allowed: midpoint, nu-svc'
check "another plane is refused"
cd / || exit 4
finish
