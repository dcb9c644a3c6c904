/*
 * Gilbert's algorithm for the minimum norm problem: min |W|^2 over W in the convex hull of z_j = y_j (X_j, 1), square
 * penalty. Gilbert (1966); Lopez (2008), Section 3.2.
 *
 *   L = argmin W . z_j,  gap = |W|^2 - W . z_L
 *   W' = the point of least norm on the segment from W to z_L = (1 - lambda) W + lambda z_L,
 *   lambda = min(1, gap / |W - z_L|^2),  |W - z_L|^2 = |W|^2 - 2 W . z_L + k_LL + 1
 *
 * N + 1 kernel operations per iteration: the row of L, and k_LL, which is requested separately as in unary-mdm.
 */
#include <math.h>

#include "solvers/norm/min_norm.h"

struct gilbert {
    struct min_norm norm;
    size_t low;
    double norm2, along_low; /* |W|^2, W . z_L */
};

static size_t state_size(const struct problem *problem)
{
    return min_norm_state_size(sizeof(struct gilbert), problem->n);
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct gilbert *gilbert = state;
    min_norm_start(&gilbert->norm, sizeof *gilbert, problem, oracle);
    return STATUS_OK;
}

static enum status select(void *state, struct progress *progress)
{
    struct gilbert *gilbert = state;
    gilbert->low = min_norm_pair(&gilbert->norm).low;
    gilbert->along_low = min_norm_along(&gilbert->norm, gilbert->low);
    gilbert->norm2 = min_norm_norm2(&gilbert->norm);
    min_norm_fill_progress(gilbert->norm2, progress);
    progress->delta = gilbert->norm2 - gilbert->along_low;
    progress->updated_class = 0;
    return STATUS_OK;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct gilbert *gilbert = state;
    struct min_norm *norm = &gilbert->norm;
    double gap = gilbert->norm2 - gilbert->along_low;
    if (!(gap > 0))
        return STATUS_STALLED; /* optimal */
    const double *row = oracle_row(oracle, gilbert->low);
    double length2 = gap + (oracle_value(oracle, gilbert->low, gilbert->low) + 1 - gilbert->along_low);
    double lambda = length2 > 0 ? fmin(1, gap / length2) : 1;
    norm->simd->blend(norm->n_padded, 1 - lambda, lambda * norm->y[gilbert->low], row, norm->f);
    norm->simd->scale(norm->n_padded, 1 - lambda, norm->alpha);
    norm->alpha[gilbert->low] += lambda;
    min_norm_find_support(norm);
    min_norm_sum_bias(norm);
    return STATUS_OK;
}

extern const struct solver solver_gilbert;

const struct solver solver_gilbert = {
    .name = "gilbert",
    .title = "Gilbert's algorithm, no bias, square penalty",
    .reference = "Gilbert 1966; Lopez 2008, Section 3.2",
    MIN_NORM_SOLVER,
    .parameters = PARAMETERS(&parameter_c),
    .setup_cost = {.is_stated = 1, .n = 1},
    .iteration_cost = {.is_stated = 1, .n = 1, .constant = 1},
    .is_monotone = 1,
    .converges_slowly = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
};
