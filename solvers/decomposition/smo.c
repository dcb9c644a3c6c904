/*
 * Sequential minimal optimisation with the maximal violating pair, Keerthi, Shevade, Bhattacharyya and Murthy (2001),
 * second modification; Lopez (2008), Algorithms 2 and 3.
 *
 *   min 1/2 sum alpha_i alpha_j y_i y_j k(x_i, x_j) - sum alpha_i,  0 <= alpha <= C,  sum y_i alpha_i = 0
 *
 *   1-smo  as stated: the linear penalty C sum xi
 *   2-smo  the square penalty C/2 sum xi^2: no upper bound (here C = infinity), and the oracle returns K + I/C
 *
 * With F_i = sum_j alpha_j y_j k(x_i, x_j) - y_i, y_i alpha_i may increase in I_up = {y = 1, alpha < C} u {y = -1,
 * alpha > 0} and decrease in I_low = {y = 1, alpha > 0} u {y = -1, alpha < C}. The pair is i = argmin F over I_up,
 * j = argmax F over I_low. The KKT violation is Delta = F_j - F_i; the point is optimal if it is <= 0. The step
 * t = Delta / (k_ii + k_jj - 2 k_ij), clipped to the box, is added to y_i alpha_i and subtracted from y_j alpha_j. An
 * iteration costs 2N kernel operations.
 */
#include "solvers/decomposition/pair_smo.h"

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct pair_smo smo;
    pair_smo_layout(&smo, &arena, sizeof smo, problem->n);
    return arena.used;
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct pair_smo *smo = state;
    struct arena arena = {.block = state};
    pair_smo_layout(smo, &arena, sizeof *smo, problem->n);
    pair_smo_start(smo, problem, oracle);
    return STATUS_OK;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct pair_smo *smo = state;
    if (!(smo->pair.f_low > smo->pair.f_up))
        return STATUS_STALLED; /* optimal */
    const double *row_up = oracle_row(oracle, smo->pair.up), *row_low = oracle_row(oracle, smo->pair.low);
    return pair_smo_step(smo, smo->pair, row_up, row_low) > 0 ? STATUS_OK : STATUS_STALLED;
}

/* `start: first-pair`. */
static const struct kernel_cost from_first_pair[] = {{.is_stated = 1, .n = 2}, {0}};

/* The members that both share. */
#define ALIKE                                                                                            \
    .parameters = PARAMETERS(&parameter_c, &parameter_start), .setup_cost = {.is_stated = 1},             \
    .further_setup_costs = from_first_pair, .iteration_cost = {.is_stated = 1, .n = 2}, .is_monotone = 1, \
    .ignores_tolerance = 1, .state_size = state_size, .init = init, .update = update

extern const struct solver solver_one_smo, solver_two_smo;

const struct solver solver_one_smo = {
    .name = "1-smo",
    .title = "SMO with the maximal violating pair",
    .reference = "Keerthi et al. 2001, modification 2; Lopez 2008, Algorithm 3",
    PAIR_SMO_LINEAR,
    ALIKE,
};

const struct solver solver_two_smo = {
    .name = "2-smo",
    .title = "SMO with the maximal violating pair",
    .reference = "Lopez 2008, Algorithm 2",
    PAIR_SMO_SQUARE,
    ALIKE,
};
