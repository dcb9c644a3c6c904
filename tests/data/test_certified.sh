#!/bin/sh
# If `solve --data` reports that it finished, the model file has the requested relative duality gap, recomputed by
# certify.awk; otherwise it ends with status 1 and prints the remaining gap. Each solver on one of twelve sets,
# taken in turn; with HULLBENCH_TESTS=all on all twelve.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
cd "$work" || exit 4

# ---- sets: clouds, one inside the other, a small class, rows in both classes, zeros, far from the origin ----
awk 'function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
function row(file, y, a, b) { printf "%+d 1:%.6f 2:%.6f\n", y, a, b >file }
BEGIN {
    srand(5)
    for (i = 0; i < 40; i++) {
        y = i % 2 ? 1 : -1; a = normal(); b = normal()
        row("cloud", y, a + y, b - y)
        row("near", y, a + 0.1 * y, b)
        row("apart", y, a + 3 * y, b + 3 * y)
        row("xor", a * b > 0 ? 1 : -1, a, b)
        row("ring", a * a + b * b > 1.2 ? 1 : -1, a, b)
        row("few", i % 10 ? -1 : 1, a + (i % 10 == 0), b)
        row("one", i == 7 ? 1 : -1, a, b)
        row("both", i < 20 ? y : -y, i < 20 ? A[i] = a : A[i - 20], i < 20 ? B[i] = b : B[i - 20])
        row("twice", y, i % 2 ? int(2 * a) : int(2 * b), i % 4)
        row("far", y, 1e5 + a + y, 1e5 + b)
        row("zero", y, i == 3 ? 0 : a + y, i == 3 ? 0 : b)
    }
}'
awk -F , 'NR > 1 || $1 + 0 == $1 { print ($NF > 0 ? "+1" : "-1"), "1:" $1, "2:" $2 }' "$root/datasets/wedge.csv" >wedge

"$hullbench" list solvers --json | awk -F '"' '/^[{]/ {
    split($0, part, "\"parameters\":[{]|[}],\"stops\":")
    formulation = part[1]; reads = part[2]
    sub(/.*"formulation":"/, "", formulation); gsub(/:[{][^}]*[}]|"/, "", reads)
    of = formulation ~ /nearest points/ ? "hulls" : formulation ~ /minimum norm/ ? "norm" : \
        formulation ~ /C-SVM dual/ ? "C-SVM" : formulation ~ /2-SVM dual/ ? "2-SVM" : \
        formulation ~ /hard-margin/ ? "hard" : "soft"
    print $4, of, $4 == "soft-max-minover", reads == "" ? "-" : reads }' >kinds
[ "$(wc -l <kinds)" -ge 43 ]
check "there are solvers to try"

# Options of the solver for a set, and the variables of certify.awk: "options|variables".
options_of() { # options_of SET FORMULATION NU PARAMETERS C
    awk -v of="$2" -v nu="$3" -v reads=",$4," -v c="$5" '{ count[$1 > 0]++ } END {
        least = count[0] < count[1] ? count[0] : count[1]
        mu = 4 / NR > 1 / least ? 4 / NR : 1 / least
        has_mu = index(reads, ",mu,"); has_c = index(reads, ",C,")
        bound = has_mu ? mu : nu ? 1 / int(NR / 2 + 0.5) : 1
        printf "%s%s%s", has_c ? "-c " c : "", has_mu ? sprintf("--set mu=%.17g", mu) : "", \
            nu ? "-n 0.5 --set forgetting=equivalent" : ""
        square = has_c && (of == "hulls" || of == "norm" || of == "2-SVM")
        printf "|-v formulation=%s -v c=%s -v square=%s -v bound=%.17g -v added=1\n", of, \
            of == "C-SVM" || of == "soft" ? c : 1e300, square ? c : 0, bound }' "$1"
}

tried=0
try() { # try SOLVER SET WORDS: one run; errors go to `wrong`
    # shellcheck disable=SC2086 # words
    "$hullbench" solve --solver "$1" --data "$2" --format libsvm -g 0.7 -j 1 --iterations 10000 ${3%|*} model >out 2>err
    ended_with=$?
    tried=$((tried + 1))
    # shellcheck disable=SC2086
    awk ${3#*|} -f "$root/tests/data/certify.awk" model "$2" >gap
    first=$(head -1 out)
    case "$ended_with $first" in
    "0 optimization finished"*)
        echo "$1" >>finished
        awk '{ exit !($1 + 0 == $1 && $1 <= 0.001) }' gap || echo "$1 on $2 finished at $(cat gap)" >>wrong
        ;;
    "1 WARNING: not converged"*)
        said=$(sed -n 's/^left: the relative duality gap is \([^;]*\); requested: 0.001$/\1/p' out)
        # At the best bias the gap of a 2-SVM is somewhat smaller than at the judge's bias.
        most=1.01
        case "$3" in *2-SVM*) most=1.2 ;; esac
        awk -v said="$said" -v most="$most" '{ exit !(said == "infinite" ? $1 == "inf" || $1 > 1e9 : \
            $1 > 0.001 && said / $1 > 0.99 && said / $1 < most) }' gap ||
            echo "$1 on $2 says that $said is left, not $(cat gap)" >>wrong
        ;;
    *) echo "$1 on $2: status $ended_with: $first $(cat err)" >>wrong ;;
    esac
}
: >wrong
every=12 turn=0
[ "${HULLBENCH_TESTS-}" != all ] || every=1
while read -r solver of nu reads; do
    c=1
    k=0
    for set in cloud near apart xor ring few one both twice far zero wedge; do
        k=$((k + 1))
        [ $(((k + 5 * turn) % every)) -ne 0 ] || try "$solver" $set "$(options_of $set "$of" "$nu" "$reads" $c)"
        c=$((101 - c)) # 1 and 100 alternately
    done
    turn=$((turn + 1))
done <kinds
cat wrong >&2
[ "$tried" -eq $((12 * $(wc -l <kinds) / every)) ] && [ ! -s wrong ]
check "what is finished has the gap that was asked for, and what is not says what is left"
# Solvers that step along pairs of the C-SVM or have the square penalty finish everywhere.
for solver in 1-smo 2-smo second-order-smo second-order-2-smo packed-smo packed-second-order-smo conjugate-smo \
    planning-ahead-smo maximum-gain-smo overshooting-smo svm-light platt-smo keerthi-1 ch-mdm unary-mdm; do
    [ "$(grep -cx -- "$solver" finished)" -eq $((12 / every)) ] || break
done
[ "$solver" = unary-mdm ] && [ "$(grep -cx -- "$solver" finished)" -eq $((12 / every)) ]
check "pair solvers finish on all sets (last: $solver)"

# What rounding hides from a worst-case bound, more exact sums find.
finishes() # what, options...
{
    what=$1
    shift
    "$hullbench" solve "$@" >said 2>&1
    status=$?
    cat said >&2
    [ $status -eq 0 ] && grep -q '^optimization finished' said
    check "$what"
}
awk 'BEGIN {
    srand(7)
    for (i = 0; i < 200; i++) {
        at = 0; row = ""
        for (d = 1; d <= 10; d++) {
            x = sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()); at += x
            row = row sprintf(" %d:%.12f", d, x + 50); far = far sprintf(" %d:%.12f", d, x + 1e4)
        }
        y = at + 6 * (rand() - 0.5) > 0 ? "+1" : "-1"
        print y row >"far50"; print y far >"far10000"; far = ""
    }
    for (i = 0; i < 20; i++) printf "%s 1:%g 2:%g\n", i % 2 ? "+1" : "-1", i % 2 ? 1.1 : 0.1, i % 4 < 2 >"twins"
    split("4194304 7", name)
    for (f = 1; f <= 2; f++)
        for (i = 0; i < 5; i++)
            printf "%s %s%d:1 %d:1\n", i < 2 ? "+1" : "-1", i == 4 ? "1:1 " : "", 2 + i % 3, name[f] >"hashed" name[f]
}'
finishes "features of mean 50 are solved" -t 0 -c 1000 far50
finishes "features of mean 1e4 are solved" -t 0 -c 1 -e 1e-6 far10000
finishes "a C of 1e12 and equal rows are solved" -t 0 -c 1e12 twins
finishes "four million columns are solved" -s 1 -g 1e-7 hashed4194304
cp said first
finishes "the same values in seven columns are solved" -s 1 -g 1e-7 hashed7
[ "$(grep '^obj' first)" = "$(grep '^obj' said)" ]
check "the number of columns does not matter"
finish
