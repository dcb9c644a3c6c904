#!/bin/sh
# hullbench judge: multipliers of a solver, from a file or standard input, are judged as in its record; those that are
# not optimal, not feasible, too many or no numbers.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
cd "$work" || exit 4

# Two points at distance 1: the optimum is alpha = 2, objective 2, bias 1.
printf '1 1:0\n-1 1:1\n' >two.svm
# judge MULTIPLIERS [OPTION]...
judge() {
    multipliers=$1
    shift
    printf '%b' "$multipliers" >alpha
    program judge --alpha alpha --data two.svm --formulation c-svm --set C=10 --kernel linear --no-standardise "$@"
}
judge '2\n2\n'
ended 0 0 && grep -q '"solver":"given".*"outcome":"converged".*"objective":2,"duality_gap":0,.*"bias":1,' out &&
    grep -q '"kernel_operations":{"setup":null,"iterations":null' out
check "optimal multipliers are converged, with objective, gap and bias, and nothing is counted"
judge '# from elsewhere\n2, 2 # both\n' && ended 0 0
check "commas and comments are allowed"
printf '2 2' | "$hullbench" judge --alpha - --data two.svm --formulation c-svm --set C=10 --kernel linear \
    --no-standardise >out 2>err && grep -q '"objective":2,' out
check "multipliers come from standard input, too"
judge '1 1'
ended 1 0 && grep -q '"outcome":"stalled".*"objective":1.5,"duality_gap":9,' out
check "multipliers that are not optimal end with status 1"
judge '1 1' --tolerance 1e3 && ended 0 0
check "--tolerance says what is near enough"
judge '2 3'
ended 3 1 && grep -q '"outcome":"failed","reason":"a constraint is violated by 0.1' out
check "multipliers that violate a constraint end with status 3"
judge '11 11'
ended 3 1 && says 'a constraint is violated'
check "so do those above C"
judge '2 2 2'
ended 2 1 && says '3 multipliers; expected: 2'
check "too many are refused"
program judge --alpha absent --data two.svm --formulation c-svm --set C=10 --kernel linear
ended 2 1 && says absent
check "a file that does not exist is bad input"
judge '2\nx\n'
ended 2 1 && says 'alpha:2: "x" is not a finite number'
check "words are refused with their line"
judge '2\nnan\n'
ended 2 1 && says 'alpha:2: "nan"'
check "so are values that are not finite"
judge '2\n2\0 7\n'
ended 2 1 && says 'alpha:2: "" is not a finite number'
check "so are bytes that no text has, after which nothing would be read"
printf '1 0.5' >alpha
program judge --alpha alpha --data two.svm --formulation no-bias-hard-margin --square-penalty --set C=1 \
    --kernel linear --no-standardise
ended 0 0 && grep -q '"params":{"C":1},.*"objective":0.75,"duality_gap":0,' out
check "a problem without bounds may have a square penalty, too"
program judge --alpha alpha --data two.svm --formulation c-smv --set C=10
ended 2 1 && says 'unknown value "c-smv"; did you mean "c-svm"?; allowed: c-svm'
check "a misspelt formulation is refused"
program judge --data two.svm --formulation c-svm
ended 2 && says 'expected --formulation, --alpha'
check "the multipliers have to be given"
! ls ./*.model >/dev/null 2>&1
check "no model is written"
finish
