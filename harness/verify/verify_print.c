/* Prints the table of verify. */
#include "harness/verify/verify.h"

#include <stdlib.h>
#include <string.h>

#include "solvers/registry.h"

static const char *const names[] = {
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
_Static_assert(sizeof names / sizeof *names == EXPECTATIONS, "one name each");

/* Why an expectation does not apply to the solver; NULL if it does. */
static const char *not_asked(const struct solver *solver, const struct check_results *results,
                             enum expectation expectation)
{
    int never = results->findings[expectation].checks == 0;
    if (expectation == EXPECT_MONOTONE && !solver->is_monotone)
        return "not declared    is_monotone is 0";
    if (expectation == EXPECT_SETUP_COST && !solver->setup_cost.is_stated && !solver->solve_external)
        return "not declared    setup_cost is not stated";
    if (expectation == EXPECT_ITERATION_COST && !solver->iteration_cost.is_stated && !solver->solve_external)
        return "not declared    iteration_cost is not stated";
    if (expectation == EXPECT_NO_ALLOCATION && results->cannot_watch)
        return "not checked     allocations cannot be observed on this machine";
    if (!never)
        return NULL;
    if (solver->solve_external)
        return "not applicable  an external library runs all iterations";
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

static void print_details(const struct solver *solver, const struct check_results *results,
                          enum expectation expectation, FILE *stream)
{
    const struct finding *finding = &results->findings[expectation];
    fprintf(stream, "%lu checks", (unsigned long)finding->checks);
    if (expectation == EXPECT_NO_DRIFT)
        fprintf(stream, ", %.1e at most, %lu iterations", finding->largest, (unsigned long)results->longest);
    if (expectation == EXPECT_WIDTHS)
        fprintf(stream, ", %u widths", results->widths);
    if (expectation == EXPECT_OPTIMUM) {
        if (results->unfinished)
            fprintf(stream, "; %lu not reached (%s)", (unsigned long)results->unfinished,
                    solver->may_stall ? "may_stall" : "converges_slowly");
        if (results->excused)
            fprintf(stream, "; %lu not required (may_miss_optimum)", (unsigned long)results->excused);
        if (results->unproved)
            fprintf(stream, "; %lu without a duality gap", (unsigned long)results->unproved);
    }
}

static void print_row(const struct solver *solver, const struct check_results *results, enum expectation expectation,
                      FILE *stream)
{
    const struct finding *finding = &results->findings[expectation];
    const char *why = not_asked(solver, results, expectation);
    fprintf(stream, "%-52s ", names[expectation]);
    if (finding->failures) {
        fprintf(stream, "DOES NOT HOLD   %lu of %lu checks\n", (unsigned long)finding->failures,
                (unsigned long)finding->checks);
        fprintf(stream, "    %s, iteration %lu:\n    %s\n", finding->place.problem,
                (unsigned long)finding->place.iteration, finding->text);
        return;
    }
    if (why) {
        fprintf(stream, "%s\n", why);
        return;
    }
    fputs("holds           ", stream);
    print_details(solver, results, expectation, stream);
    fputc('\n', stream);
}

/* Vector widths that were not compared. */
static void print_widths(FILE *stream)
{
    static const char *const widths[] = {"generic", "avx2", "avx512"};
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++)
        if (!simd_select(widths[k]))
            fprintf(stream, "Not checked: vector width %s, which this processor or build lacks.\n", widths[k]);
}

size_t verify_print(const struct solver *solver, const struct check_results *results, FILE *stream)
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
    print_widths(stream);
    if (failing)
        fprintf(stream, "%s: %zu of %d expectations do not hold.\n", solver->name, failing, EXPECTATIONS);
    else
        fprintf(stream, "%s: no violated expectation was found.\n", solver->name);
    return failing;
}
