#!/bin/sh
# Plugins that break the rules for solvers (harness/evaluate/solver_checks.h): each ends in a failed record whose reason
# names the fault, with status 3 of solve and without a model, with and without --check-rows; a correct one gives the
# same bytes either way.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

install_headers
program new-solver my-mdm --plugin
ended 0 0
check "a sound plugin is written"
awk 'BEGIN { for (i = 0; i < 60; i++) print (i % 2 ? "+1" : "-1") " 1:" (i % 7) + 3 * (i % 2) " 2:" i % 5 }' >points.svm

# solve_by NAME [OPTIONS]
solve_by() {
    name=$1
    shift
    program solve --plugin "./$name.so" --solver my-mdm --dataset twonorm --set mu=0.05 --kernel rbf,width=40 "$@"
}

# is_failed TEXT: a failed record whose multipliers are all 0 and whose reason contains TEXT; also on standard error
is_failed() {
    ended 3 1 && says "$1" && grep -q '"outcome":"failed","reason":"[^"]*'"$1" "$work/out" &&
        grep -q '"support_vectors":0,' "$work/out"
}

# fails_with TEXT SENTENCE: the latest plugin does so with solve and solve --check-rows, and no model of a file is
# written
fails_with() {
    solve_by "$name" && is_failed "$1" && solve_by "$name" --check-rows && is_failed "$1" &&
        program solve --plugin "./$name.so" --solver my-mdm --data points.svm model && ended 3 1 && says "$1" &&
        [ ! -e model ]
    check "$2"
}

plugin sound 's/MDM on/Another MDM on/' && solve_by sound && ended 0 0 && mv out plain && solve_by sound --check-rows &&
    ended 0 0 && same_files plain out &&
    grep -q '"outcome":"converged","iterations"' out
check "a sound plugin gives the same record with all rows checked"

# Rows of the whole matrix, kept in the state from init on: the iterations count no kernel operations.
keep='s/^    int class; .*/&\n    const double *kept[1000];/'
read_kept='s/oracle_row(oracle, low)/self->kept[low]/; s/oracle_row(oracle, high)/self->kept[high]/'
plugin from_init "$keep" "$read_kept" \
    's/    return hull_start(\(.*\);$/    enum status status = hull_start(\1;\n    for (size_t i = 0; i < problem->n;'\
' i++)\n        self->kept[i] = oracle_row(oracle, i);\n    return status;/' &&
    fails_with "expired" "rows kept from init"

# A cache of rows that the solver fills while it runs.
plugin from_update "$keep" \
    's/    const double \*row_low = .*/    if (!self->kept[low])\n        self->kept[low] = oracle_row(oracle, low);'\
'\n    if (!self->kept[high])\n        self->kept[high] = oracle_row(oracle, high);\n    const double *row_low = '\
'self->kept[low], *row_high = self->kept[high];/' &&
    fails_with "expired" "rows kept from update to update"

plugin global 's/^static enum status update(/static const double *last;\n&/' \
    's/^    double length2 = .*/    if (last)\n        row_low = last;\n    last = row_high;\n&/' &&
    fails_with "expired" "a row kept in a global variable"

plugin writes 's/^    double length2 = .*/    ((double *)row_low)[low] = 2;\n&/' &&
    fails_with "wrote into a row" "a value of a row is written"
# If rows are not checked, a solver borrows the matrix that the others use, and writes into it.
shared() {
    printf '{"name": "shared", "datasets": ["twonorm"], "splits": "1-2", "standardise": "none", "kernel": %s,
        "parameters": {"mu": 0.05}, "solvers": [%s "clip-mdm"], "stop": {"rule": "rch-gap", "tolerance": 1e-6}%s}' \
        '{"type": "rbf", "width": 40}' "$1" "$2"
}
# is_kept_out SENTENCE: the latest plugin fails for it, and the other solver's records are the same as without it.
is_kept_out() {
    for memory in '' ', "gram_megabytes": 0.5'; do
        shared '' "$memory" >without.json && shared '"my-mdm",' "$memory" >shared.json && rm -rf without shared
        program run without.json --out without --quiet
        program run shared.json --plugin "./$name.so" --out shared --quiet --jobs 1
        if ! ended 0 1 || ! says "wrote into a row" ||
            [ "$(grep -c '"my-mdm".*wrote into a row' shared/records.jsonl)" != 2 ] ||
            ! grep '"clip-mdm"' shared/records.jsonl | same_files without/records.jsonl /dev/stdin; then
            status=
            break
        fi
    done
    [ "$status" = 0 ]
    check "$1"
}
globals='s/^static enum status init/static _Thread_local int updates;\nstatic _Thread_local double *last;\n\n&/'
from_0='s/^    arena_take(&arena, sizeof \*self);/&\n    updates = 0;\n    last = NULL;/'
plugin writes_late "$globals" "$from_0" \
    's/^    double length2 = .*/    if (++updates == 40)\n        ((double *)row_low)[0] += 1e-3;\n&/' &&
    is_kept_out "a late write into the shared matrix fails the solver's record, and no other record changes"
plugin writes_last "$globals" "$from_0" \
    's/^    double length2 = .*/    if (++updates == 40)\n        last = (double *)row_low;\n&/' \
    's/^static const struct solver/static void alpha(const void *state, double *out)\n{\n    if (last)\n        '\
'last[0] += 1e-3;\n    hull_alpha(state, out);\n}\n\n&/' 's/HULL_SOLVER,/HULL_SOLVER, .alpha = alpha,/' &&
    is_kept_out "and so does a write by the function that hands out the multipliers"
plugin writes_behind 's/^    double length2 = .*/    ((double *)row_low)[oracle_padded(oracle)] = 0;\n&/' &&
    fails_with "wrote into a row" "a value behind a row is written"
plugin reads_behind 's/^    double length2 = .*/    self->hull.products[0][0] += 0 * row_low[oracle_padded(oracle)];'\
'\n&/' &&
    fails_with "outside a row" "a value behind a row is read"
plugin small 's/problem->n);$/problem->n) - 8;/' &&
    fails_with "bytes of its state: state_size is too small" "state_size 8 bytes too small"
plugin past_alpha 's/^static const struct solver/static void alpha(const void *state, double *out)\n{\n    '\
'hull_alpha(state, out);\n    out[((const struct hull *)state)->n] = 1;\n}\n\n&/' \
    's/HULL_SOLVER,/HULL_SOLVER, .alpha = alpha,/' && fails_with "alpha wrote outside" "one multiplier too many"

# Impossible multipliers are judged, and not set to 0.
handed_out() {
    plugin "$1" "s/^static const struct solver/static void alpha(const void *state, double *out)\n{\n    \
hull_alpha(state, out);\n    out[1] = $2;\n}\n\n&/" \
        's/HULL_SOLVER,/HULL_SOLVER, .alpha = alpha,/' && solve_by "$1" && ended 3 1 && says "$3" &&
        grep -q '"outcome":"failed","reason":"[^"]*'"$3" "$work/out"
    check "the record of a solver that hands out $2 is failed and says why"
}
handed_out not_a_number '1e308 * 10 - 1e308 * 10' "a multiplier or a sum of multipliers is not finite"
handed_out negative '-0.25' "a constraint is violated by 0."

plugin below_zero 's/^    self->class = progress->updated_class;$/&\n    progress->norm2 = -1;/' &&
    solve_by below_zero && ended 0 &&
    grep -q '"outcome":"stalled","reason":"[^"]*-1[^"]*cannot be negative' out
check "a solver that reports a negative norm is stalled for that, and not because hulls meet"

program solve --plugin ./small.so --solver my-mdm --data points.svm -v 3
ended 3 1 && says "no accuracy" && [ ! -s out ]
check "no accuracy is printed where a fold failed"

cat >config.json <<'EOF'
{"name": "two", "datasets": ["twonorm"], "splits": "1-2", "standardise": "full-set", "kernel": {"type": "rbf",
 "width": 40},
 "parameters": {"mu": 0.05}, "solvers": ["my-mdm", "clip-mdm"], "stop": {"rule": "rch-gap", "tolerance": 1e-4}}
EOF
program run config.json --plugin ./from_init.so --out run
ended 0 && grep -q '2 failed' out &&
    [ "$(grep -c '"my-mdm".*"outcome":"failed","reason":"[^"]*expired' run/records.jsonl)" -eq 2 ]
check "run records it"
# one line more warns that the solvers have no budget
says 'records failed, of solver my-mdm; the first failed on twonorm, split 1: ' && says expired && ended 0 2 &&
    [ "$(grep -c '"job":\[.*\],.*"failed":"[^"]*expired' run/timings.jsonl)" -eq 2 ] &&
    [ "$(wc -l <run/timings.jsonl)" -eq 4 ]
check "and says so on standard error; the reason is in the neighbour of the records"
program run config.json --plugin ./from_init.so --out quiet --quiet
ended 0 1 && says '2 of 4 records failed, of solver my-mdm; the first failed on twonorm, split 1: '
check "also with --quiet"
program run config.json --plugin ./from_init.so --solvers my-mdm --out nothing --quiet
ended 3 1 && says '2 of 2 records failed' && [ -s nothing/records.jsonl ]
check "where all records failed nothing was measured"
program run config.json --plugin ./from_init.so --out quiet --quiet
ended 0 1 && says '2 of 4 records failed, of solver my-mdm; the first failed on twonorm, split 1: ' && says expired &&
    program run config.json --plugin ./from_init.so --solvers my-mdm --out nothing && ended 3 &&
    says '2 of 2 records failed' && grep -q 'already complete' out
check "the same command on the finished folder says the same"
plugin no_start 's/^    return hull_start.*/    return STATUS_BAD_INPUT;/' 's/my-mdm/no-start/'
sed 's/"my-mdm", "clip-mdm"/"no-start", "clip-mdm"/' config.json >no_start.json
program run no_start.json --plugin ./no_start.so --out no_start --quiet
ended 0 1 && says 'of solver no-start; the first failed on twonorm, split 1: the solver could not start'
check "a solver whose init refuses without a word has a reason, too"
program verify --plugin ./no_start.so no-start
grep -q '^it stays within its own memory  *holds' out && grep -q '^The solver did not start in ' out
check "and verify does not call this a write outside its memory"

# A plugin whose solver crashes, ends the process or never returns costs its jobs alone; the other solver's records are
# those of a run without it.
program run config.json --plugin ./sound.so --solvers clip-mdm --out intact --quiet
jobs=$(sanitized && echo 1 || echo 2) # copies of a process of several threads: CONTRIBUTING.md
# costs_its_jobs WAY REASON SENTENCE: so does the latest plugin, in a call of run with the options PATIENCE
costs_its_jobs() {
    # shellcheck disable=SC2086 # an option and its value
    program run config.json --plugin "./$1.so" --out "cost_$1" --jobs "$jobs" --quiet ${patience-}
    ended 0 1 && says "2 of 4 records failed, of solver my-mdm; the first failed on twonorm, split 1: $2" &&
        [ "$(grep -c "\"my-mdm\".*\"outcome\":\"failed\",\"reason\":\"$2" "cost_$1/records.jsonl")" -eq 2 ] &&
        grep '"clip-mdm"' "cost_$1/records.jsonl" | same_files intact/records.jsonl /dev/stdin
    check "$3"
}
crash='s/^    double length2 = .*/    if (self->hull.n > 50)\n        '
plugin segv "$crash"'*(volatile int *)8 = 0;\n&/'
costs_its_jobs segv 'SIGSEGV in update, iteration 0' "a crash in update costs the solver's jobs alone"
solve_by segv
[ "$status" -eq 139 ] && says 'of plugin ./segv.so ended the program by SIGSEGV on twonorm' && ! says 'resume'
check "solve names it, too, and does not promise to resume"
plugin abrt "$crash"'abort();\n&/' 's/^#include <hullbench.*/&\n#include <stdlib.h>/'
costs_its_jobs abrt 'SIGABRT in update, iteration 0' "so does an abort"
plugin quits "$crash"'exit(0);\n&/' 's/^#include <hullbench.*/&\n#include <stdlib.h>/'
costs_its_jobs quits 'the process was ended with status 0 in update, iteration 0' "so does a call to exit"
plugin endless 's/^    self->class = progress->updated_class;$/    for (volatile int i = 0; self->hull.n > 50;)\n'\
'        i = 0;\n&/'
patience='--patience 0.5' costs_its_jobs endless 'no return within 0.5 s in select, iteration 0' \
    "so does a call that never returns"
plugin lingering 's/^static const struct solver/static void finish(void *state)\n{\n    (void)state;\n'\
'    for (volatile int i = 0;;)\n        i = 0;\n}\n\n&/' 's/^    \.update = update,/&\n    .finish = finish,/'
patience='--patience 0.5' costs_its_jobs lingering 'no return within 0.5 s in finish, iteration ' "also in finish"
plugin whole 's/^static const struct solver/static enum status whole(const struct problem *problem, '\
'const struct points *patterns,\n    const struct kernel *kernel, double *alpha, uint64_t *iterations)\n{\n'\
'    for (volatile int i = 0;;)\n        i = (problem \&\& patterns \&\& kernel \&\& alpha \&\& iterations);\n}\n\n&/' \
    's/^    HULL_SOLVER,.*/&\n    .stops = 1u << STOP_RCH_GAP,/' \
    's/^    \.update = update,/&\n    .solve_external = whole,/'
patience='--patience 0.5' costs_its_jobs whole 'no return within 0.5 s in solve_external, iteration 0' \
    "also in solve_external"
plugin greedy 's/^    self->class = progress->updated_class;$/    self->class = 1;\n    for (int i = 0; i < 8; i++)\n'\
'        raise(SIGKILL);\n&/' 's/^#include <hullbench.*/&\n#include <signal.h>/'
costs_its_jobs greedy 'SIGKILL in select, iteration 0' "so does one that the system kills"
solve_by abrt
[ "$status" -eq 134 ] && says 'of plugin ./abrt.so ended the program by SIGABRT on twonorm'
check "so is one that aborts"
for fault in 'abort()' '*(volatile int *)8 = 0'; do
    plugin loaded 's/^HULLBENCH_PLUGIN.*/__attribute__((constructor)) '\
'static void begin(void)\n{\n    '"$fault"';\n}\n&/' \
        's/^#include <hullbench.*/&\n#include <stdlib.h>/'
    program list solvers --plugin ./loaded.so
    echo "$status" >>loaded
    says 'hullbench: plugin ./loaded.so ended the program by SIG' && says 'loaded it' && echo named >>loaded
done
[ "$(tr '\n' ' ' <loaded)" = '134 named 139 named ' ]
check "so is one that ends the program while it is loaded"
# If a plugin calls exit, its status would mean success, or that a difference was found.
for value in 0 1; do
    plugin exits 's/^HULLBENCH_PLUGIN.*/__attribute__((constructor)) '\
'static void begin(void)\n{\n    exit('"$value"');\n}\n&/' 's/^#include <hullbench.*/&\n#include <stdlib.h>/'
    program run config.json --plugin ./exits.so --out exits --quiet
    said='hullbench: plugin ./exits.so ended the program by a call to exit while hullbench loaded it'
    if ! ended 2 1 || ! says "$said"; then
        status=
        break
    fi
    plugin exits "$crash$(printf 'exit(%s);' "$value")\\n&/" 's/^#include <hullbench.*/&\n#include <stdlib.h>/'
    solve_by exits
    if ! ended 2 1 || ! says 'solver my-mdm of plugin ./exits.so ended the program by a call to exit on twonorm'; then
        status=
        break
    fi
done
[ "$status" = 2 ]
check "so is one that calls exit, with status 2"
"$hullbench" compare config.json --plugin ./segv.so --baseline clip-mdm --solver my-mdm --out compared --quiet \
    --no-render >out 2>err && grep -q 'did not converge): 2 of 2 pairs for my-mdm, 0 for clip-mdm' out
check "compare counts these jobs as failures"
program run config.json --plugin ./segv.so --solvers clip-mdm --out alone --quiet
ended 0 0
check "nothing is said where another solver runs"
# While an archive is replayed, its temporary folder is removed, too.
plugin later "$crash"'switch (atoi(getenv("FAULT"))) { case 1: *(volatile int *)8 = 0; break; case 2: abort(); }\n&/' \
    's/^#include <hullbench.*/&\n#include <stdlib.h>/'
mkdir unpacked
FAULT=0 "$hullbench" run config.json --plugin ./later.so --out later --quiet 2>err &&
    "$hullbench" bundle later --plugin-source later.c --out later.tar >out 2>err &&
    TMPDIR=$work/unpacked FAULT=0 "$hullbench" replay later.tar --plugin ./later.so >out 2>err &&
    grep -q ' 0 different' out
check "an archive of a run with a plugin is replayed"
for fault in 1-SEGV 2-ABRT; do
    number=${fault#*-}
    TMPDIR=$work/unpacked FAULT=${fault%%-*} "$hullbench" replay later.tar --plugin ./later.so --jobs 1 \
        >out 2>err
    status=$?
    [ "$status" -eq 1 ] && [ -z "$(ls unpacked)" ] && ! says resumes && grep -q " 2 different" out
    check "SIG${number%-*} in the replay of an archive makes two records different, and nothing stays of the archive"
done

program run config.json --plugin ./sound.so --solvers clip-mdm --out unchecked --quiet &&
    program run config.json --plugin ./sound.so --solvers clip-mdm --out checked --quiet --check-rows
ended 0 0 && same_files unchecked/records.jsonl checked/records.jsonl &&
    grep '"clip-mdm"' run/records.jsonl | same_files unchecked/records.jsonl /dev/stdin &&
    grep -q '"check_rows":[[:space:]]*true' checked/run.json && ! grep -q check_rows unchecked/run.json
check "run --check-rows gives the same bytes, and run.json says so; others beside the faulty one are as alone"
finish
