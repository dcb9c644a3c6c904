/*
 * Unary MDM for the minimum norm problem: min |W|^2 over W in the convex hull of z_j = y_j (X_j, 1), square penalty.
 * Mitchell, Dem'yanov and Malozemov (1974); Lopez (2008), Section 3.2.1, eqs. (3.2.1) to (3.2.9); Barbero, Lopez and
 * Dorronsoro (2008), Section 1.
 *
 *   L = argmin W . z_j,  U = argmax W . z_j over alpha_j > 0,  Delta = W . z_U - W . z_L
 *   W' = W + lambda (z_L - z_U),  lambda = min(alpha_U, Delta / |z_L - z_U|^2)
 *
 * |z_L - z_U|^2 = k_LL + k_UU - 2 y_L y_U k_LU + (y_L - y_U)^2 is requested value by value. With the rows of L and U
 * this gives 2N + 3 kernel operations per iteration, which agrees with the counts printed in 2008.
 */
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
    mdm->pair = min_norm_choose_pair(&mdm->norm, progress); /* eqs. (3.2.2), (3.2.3) and (3.2.5) */
    return STATUS_OK;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct unary_mdm *mdm = state;
    if (!(mdm->pair.delta > 0))
        return STATUS_STALLED; /* optimal */
    min_norm_move_pair(&mdm->norm, &mdm->pair, oracle);
    return STATUS_OK;
}

extern const struct solver solver_unary_mdm;

const struct solver solver_unary_mdm = {
    .name = "unary-mdm",
    .title = "MDM on one hull, no bias, square penalty",
    .reference = "Lopez 2008, Section 3.2.1; Barbero, Lopez and Dorronsoro 2008",
    MIN_NORM_SOLVER,
    .parameters = PARAMETERS(&parameter_c),
    .setup_cost = {.is_stated = 1, .n = 1},
    .iteration_cost = {.is_stated = 1, .n = 2, .constant = 3},
    .is_monotone = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
};
