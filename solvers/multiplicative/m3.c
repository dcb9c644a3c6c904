/*
 * M3: multiplicative updates for any kernel. Sha, Saul and Lee (2003), who call them multiplicative margin
 * maximisation; Potluru et al. (2008) compare with it.
 *
 *   alpha_j' = alpha_j (1 + sqrt(1 + 4 a_j c_j)) / (2 a_j),      soft margin: at most C
 *
 * a = A+ alpha and c = A- alpha, where A+ has the positive entries of A and A- the absolute values of the negative
 * ones. All coefficients are updated at once; an iteration is a sweep, N^2 kernel operations.
 */
#include "solvers/multiplicative/nonnegative.h"

#include <math.h>

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    return nonnegative_init(state, problem, 0, oracle);
}

static enum status update(void *state, struct oracle *oracle)
{
    struct nonnegative *m3 = state;
    for (size_t j = 0; j < m3->n; j++) {
        double a = nonnegative_own(m3, j), c = nonnegative_other(m3, j);
        m3->alpha[j] = nonnegative_times(m3, j, (1 + sqrt(1 + 4 * a * c)) / (2 * a));
    }
    nonnegative_sum(m3, oracle);
    return STATUS_OK;
}

/* The members that both share. */
#define ALIKE                                                                                \
    NONNEGATIVE_SOLVER, .setup_cost = {.is_stated = 1, .n2 = 1, .n = 1},                     \
    .iteration_cost = {.is_stated = 1, .n2 = 1}, .is_monotone = 1, .converges_slowly = 1, .stays_positive = 1, \
    .ignores_tolerance = 1, .state_size = nonnegative_state_size, .init = init, .update = update

extern const struct solver solver_m3, solver_m3_soft;

const struct solver solver_m3 = {
    .name = "m3",
    .title = "multiplicative, any kernel, hard margin",
    .reference = "Sha, Saul and Lee 2003; Potluru et al. 2008",
    .formulation = FORMULATION_NO_BIAS_HARD_MARGIN,
    ALIKE,
};

const struct solver solver_m3_soft = {
    .name = "m3-soft",
    .title = "multiplicative, any kernel, soft margin",
    .reference = "Sha, Saul and Lee 2003; Potluru et al. 2008, eq. 8",
    .formulation = FORMULATION_NO_BIAS_SVM,
    .parameters = PARAMETERS(&parameter_c),
    ALIKE,
};
