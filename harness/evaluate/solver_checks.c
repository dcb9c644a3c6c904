/* Checks guards, rows and markers around a solver's functions, see solver_checks.h. */
#include "harness/evaluate/solver_checks.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "solvers/kernel/marker.h"
#include "solvers/registry.h"

static void free_blocks(struct solver_checks *checks)
{
    guarded_block_free(&checks->state);
    guarded_block_free(&checks->alpha);
    guarded_block_free(&checks->labels);
}

enum status solver_checks_open(struct solver_checks *checks, const struct solver *solver, struct problem *problem,
                               struct oracle *oracle, struct error *error)
{
    *checks = (struct solver_checks){.solver = solver, .oracle = oracle};
    checks->samples_rows = solver_origin(solver) && !oracle_checks_rows(oracle);
    checks->y = problem->y;
    int is_open = guarded_block_open(&checks->labels, problem->n);
    if (is_open)
        problem->y = memcpy(checks->labels.block, checks->y, problem->n);
    const size_t size = is_open ? solver->state_size(problem) : SIZE_MAX; /* SIZE_MAX: too large */
    is_open = size != SIZE_MAX && guarded_block_open(&checks->state, size) &&
              guarded_block_open(&checks->alpha, problem->n * sizeof(double));
    if (!is_open || (checks->samples_rows && (oracle_check_rows(oracle, 1, NULL) != STATUS_OK ||
                                              gram_watch(oracle_gram(oracle), NULL) != STATUS_OK))) {
        if (checks->samples_rows)
            (void)oracle_check_rows(oracle, 0, NULL); /* cannot fail */
        free_blocks(checks);
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory for %zu patterns", solver->name, problem->n);
    }
    checks->checks_rows = oracle_checks_rows(oracle);
    return STATUS_OK;
}

void solver_checks_close(struct solver_checks *checks)
{
    if (checks->samples_rows) {
        (void)oracle_check_rows(checks->oracle, 0, NULL); /* cannot fail */
        (void)gram_unwatch(oracle_gram(checks->oracle)); /* if there was no final check */
    }
    free_blocks(checks);
}

/* ---- the checks ---- */

__attribute__((format(printf, 2, 3))) static int fails(struct solver_checks *checks, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(checks->reason, sizeof checks->reason, format, arguments);
    va_end(arguments);
    return 0;
}

static int rows_are_sound(struct solver_checks *checks, int are_written)
{
    return !are_written || fails(checks, "the solver wrote into a row of the kernel matrix");
}

static int lent_rows_are_sound(struct solver_checks *checks)
{
    oracle_expire_rows(checks->oracle);
    return rows_are_sound(checks, oracle_rows_written(checks->oracle));
}

/* Checks the state's guards and the labels. */
static int state_is_sound(struct solver_checks *checks)
{
    const struct guarded_block *labels = &checks->labels;
    if (!guarded_block_is_intact(labels) || memcmp(labels->block, checks->y, labels->size) != 0)
        return fails(checks, "the solver wrote into the labels of the problem or beside them");
    return guarded_block_is_intact(&checks->state) ||
           fails(checks, "the solver wrote outside the %zu bytes of its state: state_size is too small",
                 checks->state.size);
}

/* Searches for values read from memory that the solver may not read. */
static int has_no_marker(struct solver_checks *checks, const struct guarded_block *guarded)
{
    switch (marker_find(guarded->block, guarded->size)) {
    case MARKER_EXPIRED_ROW:
        return fails(checks,
                     "the solver used a kernel row after it had expired: a row lasts until %d further rows are asked "
                     "for, and no longer than the init or update it was asked for in",
                     GRAM_MIN_ROWS);
    case MARKER_ROW_END:
        return fails(checks, "the solver used what it read outside a row of the kernel matrix");
    case MARKER_BLOCK_END:
        return fails(checks, "the solver used what it read outside the %zu bytes of its state: state_size is too small",
                     checks->state.size);
    default:
        return 1;
    }
}

int solver_checks_look(struct solver_checks *checks, uint64_t iterations)
{
    if (checks->checks_rows && !lent_rows_are_sound(checks))
        return 0;
    if (solver_checks_milestone(iterations) && !state_is_sound(checks))
        return 0;
    int looks_for_markers = checks->samples_rows ? iterations == 0 || iterations >= SAMPLE_FIRST : checks->checks_rows;
    if (looks_for_markers && (iterations & (iterations - 1)) == 0 && !has_no_marker(checks, &checks->state))
        return 0;
    if (checks->samples_rows) { /* for the next iteration */
        const int sampled = iterations < SAMPLE_FIRST || iterations % CHECK_GUARDS_EVERY < SAMPLE_LENGTH;
        if (sampled != checks->checks_rows)
            (void)oracle_check_rows(checks->oracle, sampled, NULL); /* can fail only the first time */
        checks->checks_rows = sampled;
    }
    return 1;
}

int solver_checks_keeps_row(const struct solver_checks *checks)
{
    return (checks->samples_rows || oracle_checks_rows(checks->oracle)) &&
           oracle_row_address_in(checks->oracle, checks->state.block, checks->state.size);
}

int solver_checks_finish(struct solver_checks *checks, double *out)
{
    size_t size = checks->alpha.size;
    memset(out, 0, size);
    if (*checks->reason || !lent_rows_are_sound(checks) || !state_is_sound(checks) ||
        !has_no_marker(checks, &checks->state))
        return 0;
    checks->solver->alpha(checks->state.block, checks->alpha.block);
    /* Rows that were lent without a copy belong to the matrix that other solvers and the judge use. */
    if (!rows_are_sound(checks, gram_unwatch(oracle_gram(checks->oracle))))
        return 0;
    if (!guarded_block_is_intact(&checks->alpha))
        return fails(checks, "the solver's alpha wrote outside the %zu multipliers of the problem",
                     size / sizeof(double));
    if (!state_is_sound(checks) || !has_no_marker(checks, &checks->alpha))
        return 0;
    memcpy(out, checks->alpha.block, size);
    return 1;
}
