/*
 * MUNK: multiplicative updates for the SVM without bias and kernels without negative values. Potluru et al. (2008).
 *
 *   alpha_j' = alpha_j (c_j + 1) / a_j                                      eq. (7), hard margin
 *   alpha_j' = min(C, the same)                                             eq. (8), soft margin
 *
 * a_j is the sum of alpha_i k_ij over the pattern's own class, c_j that over the other. An iteration is a sweep over
 * all coefficients, N^2 kernel operations. The paper writes both classes' updates with the same alpha and calls them
 * alternating:
 *
 *   munk, munk-soft   both classes at once. This version is about twice as fast as m3.
 *   munk-in-turn      class +1 first, then class -1 with the new products of class +1
 *
 * S never increases with either. With D = diag(a_j / alpha_j) the step is -D^-1 grad S. D - blockdiag(K_AA, K_BB) is
 * positive semidefinite for entries >= 0 (Lee and Seung), and 2 blockdiag(K_AA, K_BB) - A is K itself, so 2 D - A is
 * positive semidefinite, too. Then S decreases by 1/2 grad' D^-1 (2 D - A) D^-1 grad. Steps shortened by eq. (8)
 * preserve this: delta = -T D^-1 grad with 0 <= T <= 1 has grad' delta + delta' D delta = -sum t (1 - t) grad^2 / D.
 */
#include "solvers/multiplicative/nonnegative.h"

#include <math.h>

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    return nonnegative_init(state, problem, 1, oracle);
}

static void multiply_class(struct nonnegative *munk, size_t side)
{
    for (size_t j = 0; j < munk->n; j++)
        if (nonnegative_side(munk, j) == side)
            munk->alpha[j] = nonnegative_times(munk, j, (nonnegative_other(munk, j) + 1) / nonnegative_own(munk, j));
}

static enum status update(void *state, struct oracle *oracle)
{
    struct nonnegative *munk = state;
    for (size_t side = 0; side < 2; side++)
        multiply_class(munk, side);
    nonnegative_sum(munk, oracle);
    return STATUS_OK;
}

static enum status update_in_turn(void *state, struct oracle *oracle)
{
    struct nonnegative *munk = state;
    for (size_t side = 0; side < 2; side++) {
        multiply_class(munk, side);
        nonnegative_sum_class(munk, side, oracle);
    }
    return STATUS_OK;
}

/* The members that all share. */
#define ALIKE                                                                                \
    NONNEGATIVE_SOLVER, .setup_cost = {.is_stated = 1, .n2 = 1, .n = 1},                     \
    .iteration_cost = {.is_stated = 1, .n2 = 1}, .is_monotone = 1, .converges_slowly = 1, .stays_positive = 1, \
    .ignores_tolerance = 1, .state_size = nonnegative_state_size, .init = init

extern const struct solver solver_munk, solver_munk_soft, solver_munk_in_turn;

const struct solver solver_munk = {
    .name = "munk",
    .title = "multiplicative, kernel >= 0, hard margin",
    .reference = "Potluru et al. 2008, eq. 7",
    .formulation = FORMULATION_NO_BIAS_HARD_MARGIN,
    .update = update,
    ALIKE,
};

const struct solver solver_munk_soft = {
    .name = "munk-soft",
    .title = "multiplicative, kernel >= 0, soft margin",
    .reference = "Potluru et al. 2008, eqs. 7 and 8",
    .formulation = FORMULATION_NO_BIAS_SVM,
    .parameters = PARAMETERS(&parameter_c),
    .update = update,
    ALIKE,
};

const struct solver solver_munk_in_turn = {
    .name = "munk-in-turn",
    .title = "munk, the classes one after the other",
    .reference = "Potluru et al. 2008, eq. 7 and Section 4",
    .formulation = FORMULATION_NO_BIAS_HARD_MARGIN,
    .update = update_in_turn,
    ALIKE,
};
