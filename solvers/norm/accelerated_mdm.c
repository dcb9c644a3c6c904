/*
 * Unary MDM with cycle breaking, for the minimum norm problem with a square penalty. Barbero, Lopez and Dorronsoro
 * (2008), Section 3.
 *
 * The pair (L, U) is that of unary-mdm, D = z_L - z_U. If the same pair was updated K <= `history` updates ago, the
 * updates since then are combined (solvers/cycle.h), and W moves along their sum instead of D:
 *
 *   V = sum_{j=1..K} lambda_{T-j} D_{T-j} = sum_{h=1..M} mu_h z_h
 *   W' = W + lambda V,  lambda = -W . V / |V|^2 = -(sum_h mu_h u_h) / |V|^2,  alpha_h' = alpha_h + lambda mu_h,
 *   lambda <= (1 - alpha_h) / mu_h where mu_h > 0,  lambda <= alpha_h / -mu_h where mu_h < 0
 *
 * The paper leaves open, and we chose: how far back a repetition counts (`history`); the latest of several repetitions
 * counts; the update of unary-mdm is made if V does not descend, one of its multipliers cannot move, V has no length,
 * or its updates cancel except for rounding; after a step along V the updates are forgotten, so that each belongs to at
 * most one V. Otherwise the V of an old cycle would be taken repeatedly (docs/deviations.md). |W| cannot increase:
 * either step ends at or before the minimum along its line.
 *
 * Kernel operations: 2N + 3 for a pair, as in unary-mdm; M N + M (M + 1) / 2 for a V, the rows of its patterns and the
 * inner products of |V|^2, which is the same number for M = 2.
 */
#include <math.h>
#include <string.h>

#include "solvers/cycle.h"
#include "solvers/norm/min_norm.h"

struct accelerated_mdm {
    struct min_norm norm;
    struct min_norm_pair pair;
    struct cycle cycle;
    double *products; /* sum_h mu_h y_h k(x_h, x_j); n_padded */
};

/* Bytes of the state up to the arrays of struct min_norm. */
static size_t layout(struct accelerated_mdm *mdm, char *block, const struct problem *problem)
{
    struct arena arena = {.block = block};
    arena_take(&arena, sizeof *mdm);
    cycle_layout(&mdm->cycle, &arena, (size_t)parameter_get(&problem->parameters, &parameter_history));
    mdm->products = arena_doubles(&arena, problem->n);
    return arena.used;
}

static size_t state_size(const struct problem *problem)
{
    struct accelerated_mdm mdm;
    size_t head = layout(&mdm, NULL, problem);
    return head < SIZE_MAX ? min_norm_state_size(head, problem->n) : SIZE_MAX;
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct accelerated_mdm *mdm = state;
    min_norm_start(&mdm->norm, layout(mdm, state, problem), problem, oracle);
    return STATUS_OK;
}

static enum status select(void *state, struct progress *progress)
{
    struct accelerated_mdm *mdm = state;
    mdm->pair = min_norm_choose_pair(&mdm->norm, progress);
    return STATUS_OK;
}

/* -W . V */
static double descent(const struct min_norm *norm, const struct cycle *cycle)
{
    double sum = 0;
    for (size_t h = 0; h < cycle->members; h++)
        sum -= cycle->weights[h] * min_norm_along(norm, cycle->indices[h]);
    return sum;
}

/* How far alpha_i may change in the direction of `weight`. */
static double max_change(const struct min_norm *norm, size_t i, double weight)
{
    return weight > 0 ? 1 - norm->alpha[i] : norm->alpha[i];
}

static double max_step_along(const struct min_norm *norm, const struct cycle *cycle)
{
    double max_step = INFINITY;
    for (size_t h = 0; h < cycle->members; h++)
        max_step = fmin(max_step, max_change(norm, cycle->indices[h], cycle->weights[h]) / fabs(cycle->weights[h]));
    return max_step;
}

/* |V|^2, value by value, with the added coordinate of V separately. */
static double length2(const struct min_norm *norm, const struct cycle *cycle, struct oracle *oracle)
{
    double sum = 0, added = 0;
    for (size_t g = 0; g < cycle->members; g++) {
        size_t i = cycle->indices[g];
        double weight = cycle->weights[g] * norm->y[i], others = 0;
        for (size_t h = 0; h < g; h++)
            others += cycle->weights[h] * norm->y[cycle->indices[h]] * oracle_value(oracle, i, cycle->indices[h]);
        sum += weight * (weight * oracle_value(oracle, i, i) + 2 * others);
        added += weight;
    }
    return sum + added * added;
}

/* W += step V */
static void move_along(struct accelerated_mdm *mdm, double step, struct oracle *oracle)
{
    struct min_norm *norm = &mdm->norm;
    const struct cycle *cycle = &mdm->cycle;
    memset(mdm->products, 0, norm->n_padded * sizeof *mdm->products);
    for (size_t h = 0; h < cycle->members; h++) {
        size_t i = cycle->indices[h];
        double change = step * cycle->weights[h];
        norm->simd->axpy(norm->n_padded, cycle->weights[h] * norm->y[i], oracle_row(oracle, i), mdm->products);
        min_norm_set(norm, i, cycle_land(norm->alpha[i], change, max_change(norm, i, change), change > 0 ? 1 : 0));
    }
    norm->simd->axpy(norm->n_padded, step, mdm->products, norm->f);
    min_norm_sum_bias(norm);
}

/* The step along the last k updates; nonzero if it was made. */
static int break_cycle(struct accelerated_mdm *mdm, size_t k, struct oracle *oracle)
{
    cycle_combine(&mdm->cycle, k);
    double slope = descent(&mdm->norm, &mdm->cycle), max_step = max_step_along(&mdm->norm, &mdm->cycle);
    if (!(slope > 0 && max_step > 0) || !cycle_is_balanced(&mdm->cycle, NULL))
        return 0;
    double norm2 = length2(&mdm->norm, &mdm->cycle, oracle);
    if (!(norm2 > 0))
        return 0;
    move_along(mdm, fmin(slope / norm2, max_step), oracle);
    cycle_forget(&mdm->cycle);
    return 1;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct accelerated_mdm *mdm = state;
    const struct min_norm_pair *pair = &mdm->pair;
    if (!(pair->delta > 0))
        return STATUS_STALLED; /* optimal */
    size_t k = cycle_find(&mdm->cycle, pair->low, pair->high);
    if (k == 0 || !break_cycle(mdm, k, oracle)) {
        double lambda = min_norm_move_pair(&mdm->norm, pair, oracle);
        cycle_remember(&mdm->cycle, pair->low, pair->high, lambda);
    }
    return STATUS_OK;
}

/* Along a V of M patterns; and along the pair if that V has no length. */
static const struct kernel_cost along_cycle[] = {{.is_stated = 1, .rows_cycle = 1, .values_cycle = 1},
                                                 {.is_stated = 1, .n = 2, .constant = 3, .values_cycle = 1},
                                                 {0}};

extern const struct solver solver_accelerated_mdm;

const struct solver solver_accelerated_mdm = {
    .name = "accelerated-mdm",
    .title = "unary-mdm that breaks cycles of updates",
    .reference = "Barbero, Lopez and Dorronsoro 2008, Section 3",
    MIN_NORM_SOLVER,
    .parameters = PARAMETERS(&parameter_c, &parameter_history),
    .setup_cost = {.is_stated = 1, .n = 1},
    .iteration_cost = {.is_stated = 1, .n = 2, .constant = 3},
    .further_iteration_costs = along_cycle,
    .is_monotone = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
};
