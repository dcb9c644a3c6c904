/* Checks guards, rows and markers around a solver's functions, see solver_checks.h. */
#include "harness/evaluate/solver_checks.h"

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

/* Gives the problem a copy of its labels; returns zero when out of memory. */
static int lend_labels(struct solver_checks *checks, struct problem *problem)
{
    if (!guarded_block_open(&checks->labels, problem->n))
        return 0;
    checks->y = problem->y;
    problem->y = memcpy(checks->labels.block, checks->y, problem->n);
    return 1;
}

/* Returns zero when out of memory. */
static int open_state(struct solver_checks *checks, const struct problem *problem)
{
    size_t size = checks->solver->state_size(problem);
    return size != SIZE_MAX && guarded_block_open(&checks->state, size);
}

enum status solver_checks_open(struct solver_checks *checks, const struct solver *solver, struct problem *problem,
                               struct oracle *oracle, struct error *error)
{
    *checks = (struct solver_checks){.solver = solver, .oracle = oracle};
    checks->samples_rows = solver_origin(solver) && !oracle_checks_rows(oracle);
    struct gram *gram = oracle_gram(oracle);
    if (!lend_labels(checks, problem) || !open_state(checks, problem) ||
        !guarded_block_open(&checks->alpha, problem->n * sizeof(double)) ||
        (checks->samples_rows && (oracle_check_rows(oracle, 1, NULL) != STATUS_OK ||
                                  gram_watch(gram, NULL) != STATUS_OK))) {
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

static int fails(struct solver_checks *checks, const char *reason)
{
    snprintf(checks->reason, sizeof checks->reason, "%s", reason);
    return 0;
}

static int rows_are_sound(struct solver_checks *checks)
{
    oracle_expire_rows(checks->oracle);
    return !oracle_rows_written(checks->oracle) || fails(checks, "the solver wrote into a row of the kernel matrix");
}

/* The final check of rows that were lent without a copy: they belong to the matrix that other solvers and the judge
 * use. */
static int matrix_is_sound(struct solver_checks *checks)
{
    return !gram_unwatch(oracle_gram(checks->oracle)) ||
           fails(checks, "the solver wrote into a row of the kernel matrix");
}

/* Checks the state's guards and the labels. */
static int state_is_sound(struct solver_checks *checks)
{
    const struct guarded_block *labels = &checks->labels;
    if (!guarded_block_is_intact(labels) || memcmp(labels->block, checks->y, labels->size) != 0)
        return fails(checks, "the solver wrote into the labels of the problem or beside them");
    if (guarded_block_is_intact(&checks->state))
        return 1;
    snprintf(checks->reason, sizeof checks->reason,
             "the solver wrote outside the %zu bytes of its state: state_size is too small", checks->state.size);
    return 0;
}

static int alpha_is_sound(struct solver_checks *checks)
{
    if (guarded_block_is_intact(&checks->alpha))
        return 1;
    snprintf(checks->reason, sizeof checks->reason,
             "the solver's alpha wrote outside the %zu multipliers of the problem",
             checks->alpha.size / sizeof(double));
    return 0;
}

/* Searches for values read from memory that the solver may not read. */
static int has_no_marker(struct solver_checks *checks, const struct guarded_block *guarded)
{
    switch (marker_find(guarded->block, guarded->size)) {
    case MARKER_EXPIRED_ROW:
        snprintf(checks->reason, sizeof checks->reason,
                 "the solver used a kernel row after it had expired: a row lasts until %d further rows are asked for, "
                 "and no longer than the init or update it was asked for in",
                 GRAM_MIN_ROWS);
        return 0;
    case MARKER_ROW_END:
        return fails(checks, "the solver used what it read outside a row of the kernel matrix");
    case MARKER_BLOCK_END:
        snprintf(checks->reason, sizeof checks->reason,
                 "the solver used what it read outside the %zu bytes of its state: state_size is too small",
                 checks->state.size);
        return 0;
    default:
        return 1;
    }
}

/* ---- when checks are made ---- */

/* Switches row checks for a plugin on or off for the next iteration. */
static void sample_rows(struct solver_checks *checks, uint64_t iterations)
{
    int sampled = iterations < SAMPLE_FIRST || iterations % CHECK_GUARDS_EVERY < SAMPLE_LENGTH;
    if (sampled == checks->checks_rows)
        return;
    (void)oracle_check_rows(checks->oracle, sampled, NULL); /* can fail only the first time */
    checks->checks_rows = sampled;
}

int solver_checks_look(struct solver_checks *checks, uint64_t iterations)
{
    if (checks->checks_rows && !rows_are_sound(checks))
        return 0;
    if (solver_checks_milestone(iterations) && !state_is_sound(checks))
        return 0;
    int looks_for_markers = checks->samples_rows ? iterations == 0 || iterations >= SAMPLE_FIRST : checks->checks_rows;
    if (looks_for_markers && (iterations & (iterations - 1)) == 0 && !has_no_marker(checks, &checks->state))
        return 0;
    if (checks->samples_rows)
        sample_rows(checks, iterations);
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
    if (*checks->reason || !rows_are_sound(checks) || !state_is_sound(checks) ||
        !has_no_marker(checks, &checks->state))
        return 0;
    checks->solver->alpha(checks->state.block, checks->alpha.block);
    if (!matrix_is_sound(checks) || !alpha_is_sound(checks) || !state_is_sound(checks) ||
        !has_no_marker(checks, &checks->alpha))
        return 0;
    memcpy(out, checks->alpha.block, size);
    return 1;
}
