/* The results of verify (trace_solver.h). */
#include "harness/verify/trace_solver.h"

#include <stdarg.h>
#include <string.h>

#include "harness/base/terminal.h"
#include "harness/programs/program.h"

const char *const width_names[WIDTHS] = {"generic", "avx2", "avx512"};

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

/* ---- the table ----
 * Texts of at most 44 columns leave room for the usual results on a terminal of 80. */

static const struct {
    const char *text;
    int is_of_process; /* nonzero: is checked in the process that calls the solver, which says nothing of a program */
} expectations[] = {
    [EXPECT_END] = {"every call returns, without a crash", 0},
    [EXPECT_PROCESS] = {"it leaves processes and open files alone", 1},
    [EXPECT_MEMORY] = {"it stays within its own memory", 1},
    [EXPECT_ROWS] = {"it uses no expired kernel row", 1},
    [EXPECT_NO_ALLOCATION] = {"it allocates nothing", 1},
    [EXPECT_FEASIBLE] = {"its multipliers satisfy the constraints", 0},
    [EXPECT_FIGURES] = {"it reports what its stopping rules read", 0},
    [EXPECT_MONOTONE] = {"its objective never grows", 0},
    [EXPECT_OBJECTIVE] = {"its objective is that of its multipliers", 0},
    [EXPECT_DELTA] = {"the violation it reports is no underestimate", 0},
    [EXPECT_GAP] = {"its gap is that of its multipliers", 0},
    [EXPECT_NO_DRIFT] = {"its sums do not drift in a long run", 0},
    [EXPECT_SETUP_COST] = {"its set-up has the declared cost", 0},
    [EXPECT_ITERATION_COST] = {"each iteration has the declared cost", 0},
    [EXPECT_OPTIMUM] = {"it ends at the optimum", 0},
    [EXPECT_REPEATS] = {"a second run gives the same bytes", 0},
    [EXPECT_WIDTHS] = {"all vector widths give the same bytes", 0},
};
_Static_assert(sizeof expectations / sizeof *expectations == EXPECTATIONS, "one row each");

/* Why an expectation has no result; NULL if it has one. */
static const char *not_asked(const struct solver *solver, const struct check_results *results,
                             enum expectation expectation)
{
    const int is_external = solver->solve_external != NULL;
    const struct finding *findings = results->findings;
    const struct {
        int applies;
        const char *why;
    } reasons[] = {
        {expectations[expectation].is_of_process && solver_is_program(solver),
         "not applicable  a program is a process of its own"},
        {expectation == EXPECT_MONOTONE && !solver->is_monotone, "not declared    is_monotone is 0"},
        {expectation == EXPECT_SETUP_COST && !solver->setup_cost.is_stated && !is_external,
         "not declared    setup_cost is not stated"},
        {expectation == EXPECT_ITERATION_COST && !solver->iteration_cost.is_stated && !is_external,
         "not declared    iteration_cost is not stated"},
        {expectation == EXPECT_NO_ALLOCATION && results->cannot_watch,
         "not checked     allocations cannot be observed on this machine"},
        {findings[expectation].checks > 0, NULL},
        {is_external, "not applicable  an external library runs all iterations"},
        {expectation == EXPECT_DELTA && solver->may_stall,
         "not applicable  may_stall: it chooses only among some patterns"},
        {expectation == EXPECT_OPTIMUM && results->excused,
         "not applicable  may_miss_optimum, at these values of its parameters"},
        {expectation == EXPECT_WIDTHS && results->widths == 1,
         "not checked     this processor has only one vector width"},
        {findings[EXPECT_END].failures || findings[EXPECT_MEMORY].failures, "not checked     no run got that far"},
        {expectation == EXPECT_WIDTHS || expectation == EXPECT_REPEATS,
         "not checked     none of the problems that were run tests this"},
        {1, "not applicable  never seen"},
    };
    size_t first = 0;
    while (!reasons[first].applies)
        first++;
    return reasons[first].why;
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
    fprintf(stream, "%-45s", expectations[expectation].text);
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
        fprintf(stream, ", %.1e at most, %lu iterations", results->largest_drift, (unsigned long)results->longest);
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

size_t print_results(struct pool *pool, const struct solver *solver, const struct check_results *results, FILE *out)
{
    const struct solver_origin *origin = solver_origin(solver);
    const size_t n_settings = results->n_settings;
    struct pool_text *text = pool_text_open(pool);
    FILE *stream = text->stream;
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
    terminal_print(out, pool_text_end(text));
    return failing;
}
