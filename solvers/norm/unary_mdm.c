/*
 * Unary MDM for the minimum norm problem: min |W|^2 over W in the convex hull of z_j = y_j (X_j, 1), square penalty.
 * Mitchell, Dem'yanov and Malozemov (1974); Lopez (2008), Section 3.2.1, eqs. (3.2.1) to (3.2.9); Barbero, Lopez and
 * Dorronsoro (2008), Section 1.
 *
 *   L = argmin W . z_j,  U = argmax W . z_j over alpha_j > 0,  Delta = W . z_U - W . z_L
 *   W' = W + lambda (z_L - z_U),  lambda = min(alpha_U, Delta / |z_L - z_U|^2)
 *
 * |z_L - z_U|^2 = k_LL + k_UU - 2 y_L y_U k_LU + (y_L - y_U)^2 is asked for value by value: with the rows of L and U
 * that makes the 2N + 3 kernel operations an iteration that the counts printed in 2008 come to.
 */
#include <math.h>

#include "solvers/norm/min_norm.h"

struct unary_mdm {
    struct min_norm norm;
    struct min_norm_pair pair;
};

static size_t state_size(const struct problem *problem)
{
    return min_norm_state_size(sizeof(struct unary_mdm), problem->n);
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct unary_mdm *mdm = state;
    min_norm_start(&mdm->norm, sizeof *mdm, problem, oracle);
    return STATUS_OK;
}

static enum status select(void *state, struct progress *progress)
{
    struct unary_mdm *mdm = state;
    mdm->pair = min_norm_pair(&mdm->norm); /* eqs. (3.2.2), (3.2.3) and (3.2.5) */
    progress->delta = mdm->pair.delta;
    progress->updated_class = 0;
    if (progress->want_values)
        min_norm_fill_progress(min_norm_norm2(&mdm->norm), progress);
    return STATUS_OK;
}

static double length2(const struct unary_mdm *mdm, struct oracle *oracle)
{
    size_t l = mdm->pair.low, u = mdm->pair.high;
    double low = oracle_value(oracle, l, l), high = oracle_value(oracle, u, u), cross = oracle_value(oracle, l, u);
    return mdm->norm.y[l] == mdm->norm.y[u] ? (low - cross) + (high - cross) : (low + cross) + (high + cross) + 4;
}

/* W += lambda (z_L - z_U) */
static void move(struct min_norm *norm, const struct min_norm_pair *pair, double lambda, const double *row_low,
                 const double *row_high)
{
    double step = lambda * norm->y[pair->low];
    if (norm->y[pair->low] == norm->y[pair->high])
        norm->lanes->add_difference(norm->n_padded, step, row_low, row_high, norm->f);
    else {
        norm->lanes->axpy(norm->n_padded, step, row_low, norm->f);
        norm->lanes->axpy(norm->n_padded, step, row_high, norm->f);
    }
    norm->alpha[pair->low] += lambda;  /* eq. (3.2.8) */
    norm->alpha[pair->high] -= lambda; /* eq. (3.2.9) */
    min_norm_sum_bias(norm);
}

static enum status update(void *state, struct oracle *oracle)
{
    struct unary_mdm *mdm = state;
    const struct min_norm_pair *pair = &mdm->pair;
    if (!(pair->delta > 0))
        return STATUS_STALLED; /* optimal */
    const double *row_low = oracle_row(oracle, pair->low), *row_high = oracle_row(oracle, pair->high);
    double norm2 = length2(mdm, oracle), most = mdm->norm.alpha[pair->high];
    double lambda = norm2 > 0 ? fmin(most, pair->delta / norm2) : most; /* eq. (3.2.6) */
    move(&mdm->norm, pair, lambda, row_low, row_high);
    return STATUS_OK;
}

extern const struct solver solver_unary_mdm;

const struct solver solver_unary_mdm = {
    .name = "unary-mdm",
    .title = "MDM for the minimum norm problem without bias, square penalty",
    .reference = "Lopez 2008, Section 3.2.1; Barbero, Lopez and Dorronsoro 2008",
    MIN_NORM_SOLVER,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
};
