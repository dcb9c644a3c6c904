/* The results of verify (trace_solver.h). */
#include "harness/verify/trace_solver.h"

#include <stdarg.h>
#include <string.h>

#include "harness/programs/program.h"
#include "solvers/registry.h"

const char *const width_names[WIDTHS] = {"generic", "avx2", "avx512"};

const char *call_name(enum call call)
{
    static const char *const names[CALLS] = {
        "none of the solver's functions", "state_size", "init", "select", "update", "gap", "alpha", "the run"};
    return (unsigned)call < CALLS ? names[call] : names[0];
}

void check(struct check_results *results, enum expectation expectation, int holds, const char *format, ...)
{
    struct finding *finding = &results->findings[expectation];
    struct trial *best = &finding->trial;
    const struct trial *now = &results->now;
    va_list arguments;
    finding->checks++;
    if (holds)
        return;
    finding->failures++;
    if (best->n != 0 && (best->n < now->n || (best->n == now->n && best->iteration <= now->iteration)))
        return;
    *best = *now;
    va_start(arguments, format);
    vsnprintf(finding->text, sizeof finding->text, format, arguments);
    va_end(arguments);
}

void note_breach(struct check_results *results, const struct solver *solver, const char *reason)
{
    const enum expectation broken = strstr(reason, " row") ? EXPECT_ROWS : EXPECT_MEMORY;
    check(results, solver_is_program(solver) ? EXPECT_END : broken, 0, "%s", reason);
}

void note_refusal(struct check_results *results, const char *reason)
{
    if (results->refused++ == 0)
        snprintf(results->refusal, sizeof results->refusal, "%.280s", reason);
}

int check_feasible(struct check_results *results, const struct judgement *judged)
{
    const double most = 1e-9; /* as in records, which are `failed` above it */
    const int is_feasible = judged->feasibility <= most;
    check(results, EXPECT_FEASIBLE, is_feasible, "a constraint is violated by %.3g; expected: at most %.0e",
          judged->feasibility, most);
    return is_feasible;
}

double minimised(const struct solver *solver, const struct judgement *judged)
{
    return formulation_is_norm(solver->formulation) ? judged->objective : -judged->objective;
}

void check_largest(struct check_results *results, enum expectation expectation, double value)
{
    struct finding *finding = &results->findings[expectation];
    if (value > finding->largest)
        finding->largest = value;
}

/* ---- the table ---- */

static const char *const expectations[] = {
    [EXPECT_END] = "every call returns, without a crash",
    [EXPECT_PROCESS] = "it leaves processes and open files alone",
    [EXPECT_MEMORY] = "it stays within its own memory",
    [EXPECT_ROWS] = "it uses no expired kernel row",
    [EXPECT_NO_ALLOCATION] = "it allocates nothing",
    [EXPECT_FEASIBLE] = "its multipliers satisfy the constraints",
    [EXPECT_FIGURES] = "it reports the values that its stopping rules read",
    [EXPECT_MONOTONE] = "its objective never grows",
    [EXPECT_OBJECTIVE] = "the objective it reports is that of its multipliers",
    [EXPECT_DELTA] = "the violation it reports is no underestimate",
    [EXPECT_GAP] = "the gap it reports is that of its multipliers",
    [EXPECT_NO_DRIFT] = "its sums do not drift in a long run",
    [EXPECT_SETUP_COST] = "its set-up has the declared cost",
    [EXPECT_ITERATION_COST] = "each iteration has the declared cost",
    [EXPECT_OPTIMUM] = "it ends at the optimum",
    [EXPECT_REPEATS] = "a second run gives the same bytes",
    [EXPECT_WIDTHS] = "all vector widths give the same bytes",
};
_Static_assert(sizeof expectations / sizeof *expectations == EXPECTATIONS, "one name each");

/* Why an expectation does not apply to the solver; NULL if it does. */
static const char *not_asked(const struct solver *solver, const struct check_results *results,
                             enum expectation expectation)
{
    if (expectation == EXPECT_MONOTONE && !solver->is_monotone)
        return "not declared    is_monotone is 0";
    if (expectation == EXPECT_SETUP_COST && !solver->setup_cost.is_stated && !solver->solve_external)
        return "not declared    setup_cost is not stated";
    if (expectation == EXPECT_ITERATION_COST && !solver->iteration_cost.is_stated && !solver->solve_external)
        return "not declared    iteration_cost is not stated";
    if (expectation == EXPECT_NO_ALLOCATION && results->cannot_watch)
        return "not checked     allocations cannot be observed on this machine";
    if (results->findings[expectation].checks > 0)
        return NULL;
    if (solver->solve_external)
        return "not applicable  an external library runs all iterations";
    if (expectation == EXPECT_PROCESS && solver_is_program(solver))
        return "not applicable  a program is a process of its own";
    if (expectation == EXPECT_DELTA && solver->may_stall)
        return "not applicable  may_stall: it chooses only among some patterns";
    if (expectation == EXPECT_OPTIMUM && results->excused)
        return "not applicable  may_miss_optimum, at these values of its parameters";
    if (expectation == EXPECT_WIDTHS && results->widths == 1)
        return "not checked     this processor has only one vector width";
    if (results->findings[EXPECT_END].failures || results->findings[EXPECT_MEMORY].failures)
        return "not checked     no run got that far";
    if (expectation == EXPECT_WIDTHS || expectation == EXPECT_REPEATS)
        return "not checked     none of the problems that were run tests this";
    return "not applicable  never seen";
}

/* "; 3 not reached (may_stall)", if there are any. */
static void print_count(FILE *stream, uint64_t count, const char *what)
{
    if (count)
        fprintf(stream, "; %lu %s", (unsigned long)count, what);
}

static void print_row(const struct solver *solver, const struct check_results *results, enum expectation expectation,
                      FILE *stream)
{
    const struct finding *finding = &results->findings[expectation];
    const char *why = not_asked(solver, results, expectation);
    const unsigned long checks = (unsigned long)finding->checks;
    fprintf(stream, "%-52s ", expectations[expectation]);
    if (finding->failures) {
        fprintf(stream, "DOES NOT HOLD   %lu of %lu checks\n    %s, iteration %lu:\n    %s\n",
                (unsigned long)finding->failures, checks, finding->trial.problem,
                (unsigned long)finding->trial.iteration, finding->text);
        return;
    }
    if (why) {
        fprintf(stream, "%s\n", why);
        return;
    }
    fprintf(stream, "holds           %lu checks", checks);
    if (expectation == EXPECT_NO_DRIFT)
        fprintf(stream, ", %.1e at most, %lu iterations", finding->largest, (unsigned long)results->longest);
    if (expectation == EXPECT_WIDTHS)
        fprintf(stream, ", %u widths", results->widths);
    if (expectation == EXPECT_OPTIMUM) {
        print_count(stream, results->unfinished,
                    solver->may_stall ? "not reached (may_stall)" : "not reached (converges_slowly)");
        print_count(stream, results->excused, "not required (may_miss_optimum)");
        print_count(stream, results->unproved, "without a duality gap");
    }
    fputc('\n', stream);
}

size_t print_results(const struct solver *solver, const struct check_results *results, FILE *stream)
{
    const struct solver_origin *origin = solver_origin(solver);
    const size_t n_settings = results->n_settings;
    size_t failing = 0;
    fprintf(stream, "%s (%s%s), %s, %zu setting%s of its parameters\n\n", solver->name, origin ? "from " : "built in",
            origin ? origin->file : "", formulation_name(solver->formulation), n_settings, n_settings == 1 ? "" : "s");
    for (unsigned e = 0; e < EXPECTATIONS; e++) {
        print_row(solver, results, (enum expectation)e, stream);
        failing += results->findings[e].failures > 0;
    }
    fputc('\n', stream);
    if (results->refused)
        fprintf(stream, "The solver did not start in %lu runs: %s\n", (unsigned long)results->refused,
                results->refusal);
    for (size_t k = 0; k < WIDTHS; k++)
        if (!simd_select(width_names[k]))
            fprintf(stream, "Not checked: vector width %s, which this processor or build lacks.\n", width_names[k]);
    if (failing)
        fprintf(stream, "%s: %zu of %d expectations do not hold.\n", solver->name, failing, EXPECTATIONS);
    else
        fprintf(stream, "%s: no violated expectation was found.\n", solver->name);
    return failing;
}
