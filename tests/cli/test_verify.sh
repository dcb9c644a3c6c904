#!/bin/sh
# hullbench verify: built-in solvers pass, and plugins with one fault each fail in the row for that fault.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

install_headers

# row TEXT: the line of the table that begins with the text.
row() {
    grep "^$1" "$work/out"
}

# fails ROW [TEXT]: the row fails; the lines below it name a problem and contain the text.
fails() {
    row "$1" | grep -q 'DOES NOT HOLD' && grep -A2 "^$1" "$work/out" | sed 1d >"$work/found" &&
        grep -q 'problem [0-9]* (seed [0-9]*, N = [0-9]*, .*), .*iteration [0-9]*:$' "$work/found" &&
        { [ $# -lt 2 ] || grep -q -- "$2" "$work/found"; }
}

# only: this many rows fail.
only() {
    [ "$(grep -c 'DOES NOT HOLD' "$work/out")" -eq "$1" ]
}

# ---- built-in solvers ----
# Unless HULLBENCH_TESTS=all, some problems of each family; a sound plugin, below, solves all.
problems=31-40,151-153,201,251
[ "${HULLBENCH_TESTS-}" != all ] || problems=1-300
for solver in mdm cycle-1-smo svm-light minkowski-clip-mdm; do
    program verify "$solver" --quiet --problem $problems
    ended 0 0 && grep -q "^$solver: no violated expectation was found" "$work/out" && only 0 &&
        row 'it ends at the optimum' | grep -q holds && row 'each iteration has the declared cost' | grep -q holds &&
        row 'its sums do not drift' | grep -q holds
    check "$solver passes"
done
# Each of the others on another small problem; with HULLBENCH_TESTS=all on a small and on a large one.
number=25
for solver in $(solver_names); do
    problems=$number
    [ "${HULLBENCH_TESTS-}" != all ] || problems=121,201
    program verify "$solver" --quiet --problem $problems
    ended 0 0 || break
    number=$((number + 3))
done
ended 0 0 && [ "$number" -gt 120 ]
check "every built-in solver passes (last: $solver on problem $problems)"
# What LLVM's OpenMP library sets up at its first use is not the solver's. It can stand in for that of gcc.
if sanitized; then
    skip "mdm passes with LLVM's OpenMP library" "the address sanitizer wants to be the first library"
elif [ -z "$(LD_PRELOAD=libomp.so.5 sleep 0 2>&1)" ]; then
    LD_PRELOAD=libomp.so.5 "$hullbench" verify mdm --quiet --problem 1-20 >"$work/out" 2>"$work/err"
    status=$?
    ended 0 0 && row 'it allocates nothing' | grep -q holds
    check "mdm passes with LLVM's OpenMP library"
else
    skip "mdm passes with LLVM's OpenMP library" "libomp5 is not installed" libomp5
fi
# The optimum is reached and the gap becomes 0: relative to it, rounding would look like a large drift.
program verify mdm --quiet --problem 251
row 'its sums do not drift' | grep -q 'holds .* [0-9]\.[0-9]e-1[0-9] at most'
check "sums that are off by rounding alone do not count as drift"
# A problem that once revealed a fault: updates that cancel up to rounding were taken for a cycle.
program verify cycle-clip-mdm --quiet --problem 56
ended 0 0
check "cycle-clip-mdm stays within the hulls where updates cancel"
program verify ch-mdm --quiet --problem 50 --set class=high
ended 0 0 && row 'it ends at the optimum' | grep -q 'not applicable  may_miss_optimum'
check "where a solver states that it may miss the optimum it is not asked for it"
program verify minover --quiet --problem 11
row 'its objective never grows' | grep -q 'not declared'
check "what a solver does not state is not declared"
program verify platt-smo --quiet --problem 11
ended 0 0 && row 'each iteration has the declared cost' | grep -q 'not declared'
check "nor is a cost that depends on the data"
program verify mu-mdm --quiet --set mu=0.2 --set selection=free --problem 31-40
ended 0 0 && grep -q '^mu-mdm (built in), .*, 1 setting of' "$work/out"
check "--set runs one value of a parameter"
program verify clip-mdm --quiet --problem 17
ended 0 0 && row 'it ends at the optimum' | grep -q ' 1 checks'
check "--problem runs one problem"
program verify clip-mdm --quiet --problem 17-19,24
ended 0 0 && row 'it ends at the optimum' | grep -q ' 4 checks' && row 'a second run' | grep -q ' 1 checks'
check "or a list of them"
program verify clip-mdm --quiet --problem 17
row 'all vector widths' | grep -q 'not checked     none of the problems'
check "it says that vector widths are not reached by it"

# ---- usage errors ----
program verify clip-mdn
ended 2 1 && says clip-mdm
check "a misspelt solver is refused, with the closest name"
program verify clip-mdm --set mu=2
ended 2 1 && says mu && says 2
check "a value outside the range of its parameter is refused"
program verify clip-mdm --set C=1
ended 2 1 && says C
check "a parameter that the solver does not have is refused"
program verify clip-mdm --problem 0
[ "$status" -eq 2 ] && says '"0" is not a list of numbers; allowed: numbers from 1 to 300' &&
    program verify clip-mdm --problem 7,9-301 && [ "$status" -eq 2 ] && says '"7,9-301"'
check "problems that do not exist are refused"
for patience in 0 5s nan -1; do
    program verify clip-mdm --patience "$patience"
    if [ "$status" -ne 2 ] || ! says "--patience: \"$patience\" is not a number from 0.1"; then break; fi
done
[ "$patience" = -1 ] && [ "$status" -eq 2 ] && says -1
check "a patience that is no time is refused (last: $patience)"
program verify
[ "$status" -eq 2 ] && says 'expected the name of a solver'
check "a solver is expected"

# ---- plugins with one fault ----
program new-solver my-mdm --plugin
ended 0 0
check "a sound plugin is written"

# fault NAME [SED]...: appends to faults.c the solver my-NAME: my_mdm.c after these edits.
fault() {
    name=$1
    shift
    sed "$(printf '%s\n' "$@")
        s/\\<\\(state_size\\|init\\|select\\|update\\|alpha\\|gap\\)(/${name}_\\1(/g
        s/ = \\(state_size\\|init\\|select\\|update\\|alpha\\|gap\\),/ = ${name}_\\1,/g
        s/my_mdm_state/${name}_state/g; s/solver_my_mdm/solver_$name/; s/\"my-mdm\"/\"my-$name\"/
        /^HULLBENCH_PLUGIN/d" my_mdm.c >>faults.c
    solvers=${solvers+$solvers, }\&solver_$name
}

monotone='s/^    \.state_size = state_size,/    .is_monotone = 1,\n&/'
fault sound 's/MDM on/Another MDM on/' "$monotone"
keep='s/^    int class; .*/&\n    const double *kept[1000];/'
counter='s/^    int class; .*/&\n    unsigned long updates;/'
before_update='s/^    double length2 = .*/'
after_update='s/^    double lambda = .*/&\n'
fault small 's/problem->n);$/problem->n) - 8;/'
fault writes "${before_update}    ((signed char *)self->hull.y)[0] = -1;\\n&/"
fault behind "$counter" "${after_update}    if (self->hull.y[self->hull.n] > 0)\\n        self->updates++;/"
fault before "$counter" "${after_update}    if (self->hull.y[-1] > 0)\\n        self->updates++;/"
fault large 's/^    return hull_state_size.*/    return (size_t)-1;/'
fault past 's/^static const struct solver/static void alpha(const void *state, double *out)\n{\n    '\
'hull_alpha(state, out);\n    out[((const struct hull *)state)->n] = 1;\n}\n\n&/' \
    's/HULL_SOLVER,/HULL_SOLVER, .alpha = alpha,/'
fault stale "$keep" 's/oracle_row(oracle, low)/self->kept[low]/; s/oracle_row(oracle, high)/self->kept[high]/' \
    's/    return hull_start(\(.*\);$/    enum status status = hull_start(\1;\n    for (size_t i = 0; i < problem->n;'\
' i++)\n        self->kept[i] = oracle_row(oracle, i);\n    return status;/'
fault allocates "$counter" "${before_update}    if (++self->updates == 3)\\n        free(kept = malloc(10));\\n&/" \
    's/^#include <hullbench.*/&\n#include <stdlib.h>\nstatic void *volatile kept;/'
nan='(double)(0.0 \/ 0.0)'
fault nangap 's/^static const struct solver/static double gap(const void *state, int class)\n{\n    '\
"return $nan;\\n}\\n\\n&/" 's/HULL_SOLVER,/HULL_SOLVER, .gap = gap,/'
for figure in norm2 delta; do
    fault "nan$figure" "s/^    self->class = .*/&\\n    progress->$figure = $nan;/"
done
fault nanobjective "$counter" \
    "s/^    self->class = .*/&\\n    if (self->updates++ == 17)\\n        progress->objective = $nan;/"
fault class5 's/^    self->class = .*/&\n    progress->updated_class = 5;/'
fault infeasible 's/^static const struct solver/static void alpha(const void *state, double *out)\n{\n    '\
'hull_alpha(state, out);\n    out[0] += 1e-8;\n}\n\n&/' 's/HULL_SOLVER,/HULL_SOLVER, .alpha = alpha,/'
fault grows "$counter" "$monotone" "${after_update}"\
'    if (lambda > 0 \&\& ++self->updates % 11 == 0) {\n        struct hull_pair back = {high, low, 1e9};\n'\
'        (void)hull_step_pair(\&self->hull, self->class, \&back, 1, row_high, row_low);\n    }/'
fault objective 's/^    return STATUS_OK;$/    progress->objective *= 1 + 1e-9;\n&/'
fault delta 's/^    self->class = .*/&\n    progress->delta *= 0.25;/'
fault gap 's/^static const struct solver/static double gap(const void *state, int class)\n{\n    return (1 - 1e-7) * '\
'hull_gap_of_state(state, class);\n}\n\n&/' 's/HULL_SOLVER,/HULL_SOLVER, .gap = gap,/'
fault asks 's/^    int class; .*/&\n    struct oracle *oracle;/' \
    's/^    struct arena arena = .*/&\n    self->oracle = oracle;/' 's/^static const struct solver/static double gap('\
'const void *state, int class)\n{\n    oracle_value(((const struct my_mdm_state *)state)->oracle, 0, 1);\n    return '\
'hull_gap_of_state(state, class);\n}\n\n&/' 's/HULL_SOLVER,/HULL_SOLVER, .gap = gap,/'
fault drifts "$counter" "${before_update}"\
'    for (size_t k = 0; ++self->updates > 20 \&\& k < self->hull.n; k++)\n'\
'        self->hull.products[0][k] *= 1 + 1e-12;\n&/'
fault setup 's/setup_cost = {.is_stated = 1, .n2 = 1}/setup_cost = {.is_stated = 1, .n2 = 1, .constant = 1}/'
fault branch "$counter" "${before_update}    if (++self->updates == 40)\\n        oracle_value(oracle, low, low);\\n&/"
fault early 's/pair.delta > 0))/pair.delta > 0.05))/'
fault never "${before_update}    return STATUS_OK;\\n&/"
fault outlives 's/^static enum status update(/static unsigned long calls;\n&/' \
    "${after_update}    if (calls++ > 30 \\&\\& lambda > 0)\\n        self->hull.products[0][0] += 1e-15;/"
fault uninitialised 's/^static enum status update(/static __attribute__((noinline)) double tiny(void)\n{\n    '\
'volatile double memory[3000];\n    return 1e-15 * (memory[40] != 0);\n}\n\n&/' \
    "${after_update}    self->hull.products[0][0] += tiny();/"
fault width "${after_update}    self->hull.products[0][0] += oracle_simd(oracle)->name[0] == 'g' ? 1e-15 : 0;/"
unistd='s/^#include <hullbench.*/&\n#include <unistd.h>/'
fault waits "$unistd" "$counter" \
    "${before_update}    while (++self->updates == 30)\\n        self->updates -= pause() < 0;\\n&/"
fault stops 's/^#include <hullbench.*/&\n#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n'\
'#include <unistd.h>/' "$counter" "${before_update}    int file;\\n    if (++self->updates == 20 \\&\\& "\
'(file = open("stopped", O_CREAT | O_EXCL | O_WRONLY, 0600)) >= 0) {\n        char number[20];\n'\
'        write(file, number, sprintf(number, "%d", (int)getpid()));\n        close(file);\n'\
'        raise(SIGSTOP);\n    }\n&/'
fault forks "$unistd" "$counter" "${before_update}    if (++self->updates == 20)\\n        fork();\\n&/"
fault closes "$unistd" "${before_update}    close(2);\\n&/"
fault crashes "$counter" "${before_update}    if (++self->updates == 20)\\n        *(volatile int *)8 = 0;\\n&/"
fault aborts 's/^    return hull_start/    if (problem->n == 25)\n        abort();\n&/' 's/^#include <hullbench.*/&\n'\
'#include <stdlib.h>/'
fault exits 's/^    return hull_start/    if (problem->n == 25)\n        exit(0);\n&/' 's/^#include <hullbench.*/&\n'\
'#include <stdlib.h>/'
fault size "s/^    \.state_size = state_size,/    .ignores_tolerance = 1,\\n&/" \
    's/^    return hull_state_size/    if (problem->tolerance != problem->tolerance)\n        abort();\n&/' \
    's/^#include <hullbench.*/&\n#include <stdlib.h>/'
fault signal 's/^#include <hullbench.*/&\n#include <signal.h>\n#include <stdlib.h>/' "$counter" "${before_update}"\
'    if (++self->updates == 20)\n        raise((const int[]){SIGFPE, SIGILL, SIGBUS, SIGKILL, SIGUSR1}'\
'[atoi(getenv("KIND"))]);\n&/'
fault endless "$counter" "${before_update}    while (++self->updates == 30)\\n        self->updates--;\\n&/"

cat >>faults.c <<END
static __attribute__((constructor)) void announce(void)
{
    puts("loaded");
}

HULLBENCH_PLUGIN($solvers);
END
compile faults -w
check "they compile, as one plugin"

# caught NAME ROW TEXT SENTENCE: this fault fails in that row, on a few of the problems unless HULLBENCH_TESTS=all.
caught() {
    [ "${HULLBENCH_TESTS-}" != all ] || problems=1-300
    program verify "my-$1" --plugin ./faults.so --quiet --set mu=0.3 --patience 0.5 --problem "$problems"
    ended 1 && fails "$2" "$3"
    check "$4"
}
problems=32,65

program verify my-sound --plugin ./faults.so --quiet
ended 0 0 && grep -q '^my-sound (from ./faults.so)' "$work/out" && only 0
check "a sound plugin passes"

caught small 'it stays within its own memory' 'state_size is too small' "a state that is 8 bytes too small"
caught writes 'it stays within its own memory' 'labels' "a label that is written"
caught behind 'it stays within its own memory' \
    'update reads or writes outside the labels, at y\[\([0-9]*\)\]; .* y\[0\] to ' \
    "a label behind the last, which is only compared" &&
    sed -n 's/.*at y\[\([0-9]*\)\]; .* y\[0\] to y\[\([0-9]*\)\].*/\1 \2/p' "$work/found" |
        awk '$1 != $2 + 1 { exit 1 } END { exit NR == 0 }'
check "and the last one is named"
caught before 'it stays within its own memory' 'outside the labels, at y\[-1\]' "a label before the first"
caught large 'it stays within its own memory' 'state_size requests 18446744073709551615 bytes' \
    "a state that no machine can hold" &&
    [ ! -s "$work/err" ] && row 'it ends at the optimum' | grep -q 'no run got that far'
check "what was not reached with it is not checked, and the program says nothing else"
caught past 'it stays within its own memory' 'alpha wrote outside' "one multiplier too many"
caught stale 'it uses no expired kernel row' 'expired' "kernel rows kept from init"
if sanitized; then
    skip "an allocation in one update" "the sanitizer has its own allocator, of which mallinfo2 says nothing"
else
    caught allocates 'it allocates nothing' 'update allocated memory: [0-9]* more bytes are in use; expected: none' \
        "an allocation in one update"
fi
caught nangap 'it reports what its stopping rules read' 'the gap of class +1 is NaN.*"rch-gap' \
    "gaps that are NaN"
for figure in norm2 delta; do
    caught "nan$figure" 'it reports what its stopping rules read' "$figure is NaN, and the stopping rule" \
        "a $figure that is NaN"
done
caught nanobjective 'it reports what its stopping rules read' 'objective is NaN' \
    "an objective that is NaN once" &&
    sed -n 1p "$work/found" | grep -q 'iteration 17:$' && only 1
check "it is named with its iteration, and nothing else fails"
caught class5 'it reports what its stopping rules read' 'updated_class is 5' \
    "a class that there is not" && only 1
check "no other row fails"
caught infeasible 'its multipliers satisfy the constraints' 'violated by 1e-08' "multipliers that sum to 1 + 1e-8"
caught grows 'its objective never grows' 'the objective grew by' "an objective that grows in one of 11 iterations"
caught objective 'its objective is that of its multipliers' 'reported' \
    "an objective that is off by 1e-9 of itself"
caught delta 'the violation it reports is no underestimate' 'larger gap' "a violation of a fourth"
caught gap 'its gap is that of its multipliers' 'gap' "a gap that is off by 1e-7 of itself"
problems=251
caught drifts 'its sums do not drift in a long run' 'reported' "a sum that drifts by 1e-12 in each iteration"
problems=32,65
caught setup 'its set-up has the declared cost' 'declared: N^2 + 1' "a set-up that costs one less than stated"
caught branch 'each iteration has the declared cost' 'declared: 2 N = ' "one value more in the 40th iteration alone" &&
    sed -n 1p "$work/found" | grep -q 'iteration 39:$' && only 1
check "it is named with its iteration, and nothing else fails"
caught asks 'each iteration has the declared cost' 'gap asked for 3 kernel operations; expected: none' \
    "a gap that asks for a value, for both classes and the problem"
caught early 'it ends at the optimum' 'stalled after [0-9]* iterations with an objective of' "an end before the optimum"
began=$(date +%s)
program verify my-never --plugin ./faults.so --quiet --set mu=0.3
ended 1 && fails 'it ends at the optimum' 'iteration-limit after [13]0* iterations' &&
    row 'it ends at the optimum' | grep -q '3 of [0-9]* checks' && [ $(($(date +%s) - began)) -lt 120 ]
check "a solver that never converges, which takes less than two minutes"
problems=32,160
caught outlives 'a second run gives the same bytes' 'differ from those of the first' "a counter that outlives the run"
caught uninitialised 'a second run gives the same bytes' 'differ from those of the first' "a value that was never set"
if HULLBENCH_LANES=avx2 "$hullbench" list solvers >/dev/null 2>&1 && [ "$(uname -m)" = x86_64 ]; then
    caught width 'all vector widths give the same bytes' 'widths' "sums that depend on the vector width"
else
    skip "sums that depend on the vector width" "this machine has one width"
fi

# ---- plugins that end the process or interfere with it ----
# The process of my-stops stays stopped until verify gives my-waits up, which takes longer than my-stops' patience.
"$hullbench" verify my-stops --plugin ./faults.so --quiet --set mu=0.3 --patience 0.2 --problem 65 >"$work/stops" 2>&1 &
stopping=$! tries=0
cleaning="kill $stopping"
until [ -s stopped ] || [ $((tries += 1)) -gt 500 ]; do
    sleep 0.02
done
"$hullbench" verify my-waits --plugin ./faults.so --quiet --set mu=0.3 --patience 0.3 >"$work/waits" 2>&1 &
waiting=$!
caught forks 'it leaves processes and open files alone' 'update called fork' "a fork in the 20th update" && only 1
check "what it forks does not go on"
caught closes 'it leaves processes and open files alone' 'descriptor 2 was closed' "a descriptor that it closes"
caught crashes 'every call returns, without a crash' 'SIGSEGV in update' "a crash in the 20th update" &&
    sed -n 1p "$work/found" | grep -q 'iteration 19:$'
check "it is named with its iteration"
problems=65,160
caught aborts 'every call returns, without a crash' 'SIGABRT in init' "an abort in init" &&
    row 'each iteration has the declared cost' | grep -q holds
check "what was found before the crash is still there"
caught exits 'every call returns, without a crash' 'ended with status 0 in init' "an exit in init" &&
    [ "$(grep -c '^loaded$' "$work/out")" -eq 1 ]
check "what the plugin printed before is not printed again"
caught size 'every call returns, without a crash' 'SIGABRT in state_size' \
    "an abort in state_size, in runs to the optimum, where a solver that ignores the tolerance is given none"
KIND=0
export KIND
for signal in SIGFPE SIGILL SIGBUS SIGKILL SIGUSR1; do
    caught signal 'every call returns, without a crash' "^    $signal in update" "the end by $signal"
    KIND=$((KIND + 1))
done
caught endless 'every call returns, without a crash' 'update did not return within 0.5 processor seconds' \
    "an update that does not return" &&
    row 'all vector widths' | grep -q 'no run got that far'
check "of what was not reached it says so"
wait "$waiting"
status=$?
cp "$work/waits" "$work/out"
ended 1 && fails 'every call returns, without a crash' \
    'update did not return within 3.6 seconds'
check "an update that waits for ever"
kill -CONT "$(cat stopped)"
wait "$stopping"
status=$? cleaning=:
cp "$work/stops" "$work/out"
[ -s stopped ] && ended 0 && only 0 && row 'every call returns, without a crash' | grep -q holds
check "time in which the process of the solver is stopped does not count"
finish
