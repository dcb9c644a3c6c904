/*
 * Sequential minimal optimisation with the maximal violating pair, Keerthi, Shevade, Bhattacharyya and Murthy (2001),
 * second modification; Lopez (2008), Algorithms 2 and 3.
 *
 *   min 1/2 sum alpha_i alpha_j y_i y_j k(x_i, x_j) - sum alpha_i,  0 <= alpha <= C,  sum y_i alpha_i = 0
 *
 *   1-smo  as it stands: the linear penalty C sum xi
 *   2-smo  the square penalty C/2 sum xi^2: no upper bound (here C = infinity), and the oracle answers with K + I/C
 *
 * With F_i = sum_j alpha_j y_j k(x_i, x_j) - y_i, y_i alpha_i may grow in I_up = {y = 1, alpha < C} u {y = -1, alpha >
 * 0} and shrink in I_low = {y = 1, alpha > 0} u {y = -1, alpha < C}. The pair is i = argmin F over I_up, j = argmax F
 * over I_low; the KKT violation is Delta = F_j - F_i, optimal when <= 0. The step t = Delta / (k_ii + k_jj - 2 k_ij),
 * clipped to the box, is added to y_i alpha_i and taken from y_j alpha_j. 2N kernel operations an iteration.
 */
#include <math.h>

#include "solvers/decomposition/box.h"

struct smo {
    struct box box; /* first, so that box_alpha takes the state */
    double ridge;   /* 1/C of the square penalty; 0 under the linear one */
    struct box_pair pair;
};

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct box box;
    arena_take(&arena, sizeof(struct smo));
    box_layout(&box, &arena, problem->n);
    return arena.used;
}

static enum status start(void *state, const struct problem *problem, double c, struct oracle *oracle)
{
    struct smo *smo = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *smo);
    box_layout(&smo->box, &arena, problem->n);
    box_start(&smo->box, problem, c, box_start_of(problem), oracle);
    return STATUS_OK;
}

static enum status init_linear(void *state, const struct problem *problem, struct oracle *oracle)
{
    return start(state, problem, problem->parameters.value[PARAMETER_C], oracle);
}

static enum status init_square(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct smo *smo = state;
    smo->ridge = 1 / problem->parameters.value[PARAMETER_C];
    return start(state, problem, INFINITY, oracle);
}

static enum status select(void *state, struct progress *progress)
{
    struct smo *smo = state;
    struct box_pair pair = BOX_NO_PAIR;
    for (size_t i = 0; i < smo->box.n; i++)
        box_consider(&smo->box, i, &pair);
    smo->pair = pair;
    progress->delta = pair.f_low - pair.f_up;
    progress->violation = 0.5 * progress->delta; /* at the bias midway between the thresholds */
    progress->updated_class = 0;
    if (progress->want_values)
        box_fill_progress(&smo->box, progress);
    return STATUS_OK;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct smo *smo = state;
    struct box *box = &smo->box;
    if (!(smo->pair.f_low > smo->pair.f_up))
        return STATUS_STALLED; /* optimal */
    const double *row_up = oracle_row(oracle, smo->pair.up), *row_low = oracle_row(oracle, smo->pair.low);
    double step = box_pair_step(box, &smo->pair, box_curvature(&smo->pair, row_up, row_low));
    if (!(step > 0))
        return STATUS_STALLED;
    box->lanes->add_difference(box->n_padded, step, row_up, row_low, box->f);
    box_move_pair(box, &smo->pair, step);
    return STATUS_OK;
}

/* Primal less dual at the bias midway between the thresholds, xi_i = max(0, -y_i (F_i + b)): |W|^2 - sum alpha + C sum
 * xi. */
static double gap_linear(const void *state, int class)
{
    const struct smo *smo = state;
    const struct box *box = &smo->box;
    (void)class;
    double bias = -0.5 * (smo->pair.f_up + smo->pair.f_low), slack = 0, sum = box_sum_alpha(box);
    for (size_t i = 0; i < box->n; i++)
        slack += fmax(0, -box->y[i] * (box->f[i] + bias));
    return box_norm2(box, sum) - sum + box->c * slack;
}

/* The same for C/2 sum xi^2, where F has alpha_i y_i / C in it that is no part of w . x_i:
 * |W|^2 - sum alpha^2 / 2C - sum alpha + C/2 sum xi^2, |W|^2 that of K + I/C. */
static double gap_square(const void *state, int class)
{
    const struct smo *smo = state;
    const struct box *box = &smo->box;
    (void)class;
    double bias = -0.5 * (smo->pair.f_up + smo->pair.f_low), slack2 = 0, alpha2 = 0, sum = box_sum_alpha(box);
    for (size_t i = 0; i < box->n; i++) {
        double f = box->f[i] - smo->ridge * box->signed_alpha[i], slack = fmax(0, -box->y[i] * (f + bias));
        slack2 += slack * slack;
        alpha2 += box->alpha[i] * box->alpha[i];
    }
    return box_norm2(box, sum) - 0.5 * smo->ridge * alpha2 - sum + 0.5 * slack2 / smo->ridge;
}

#define SMO_SOLVER                                                                                       \
    .stops = 1u << STOP_DELTA | 1u << STOP_DUAL_CHANGE | 1u << STOP_KKT | 1u << STOP_KKT_RELAXED |       \
             1u << STOP_ITERATIONS,                                                                      \
    .parameters = 1u << PARAMETER_C | 1u << PARAMETER_START, .state_size = state_size, .select = select, \
    .update = update, .alpha = box_alpha

extern const struct solver solver_one_smo, solver_two_smo;

const struct solver solver_one_smo = {
    .name = "1-smo",
    .title = "SMO with the maximal violating pair, linear penalty",
    .reference = "Keerthi et al. 2001, modification 2; Lopez 2008, Algorithm 3",
    .formulation = FORMULATION_C_SVM,
    SMO_SOLVER,
    .init = init_linear,
    .gap = gap_linear,
};

const struct solver solver_two_smo = {
    .name = "2-smo",
    .title = "SMO with the maximal violating pair, square penalty",
    .reference = "Lopez 2008, Algorithm 2",
    .formulation = FORMULATION_SQUARE_SVM,
    .square_penalty = 1,
    SMO_SOLVER,
    .init = init_square,
    .gap = gap_square,
};
