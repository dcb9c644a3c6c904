/*
 * clip-mdm with cycle breaking: the acceleration of Barbero, Lopez and Dorronsoro (2008), Section 3, for nearest points
 * of mu-reduced hulls, with bounds on both sides.
 *
 * Class and pair (L, U) are those of clip-mdm. If the same pair was updated K <= `history` updates ago, the updates
 * since then, of both classes, are combined: V = V+ - V-, V_s = sum over the updates of class s of lambda_{T-j}
 * (X_L - X_U) = sum_h mu_h X_h (solvers/cycle.h). Instead of the pair's step, W then moves along V,
 *
 *   lambda = -W . V / |V|^2 = -sum_h mu_h v_h / |V|^2,   v_h = s W . X_h,
 *
 * clipped so that every multiplier involved stays within [0, mu]; the class sums do not change. The pair's step is
 * taken if V does not descend, one of its multipliers cannot move, V has no length, or its updates cancel except for
 * rounding. After a step along V the updates are forgotten, so that a cycle is used once. |W| cannot increase: either
 * kind of step ends at or before the exact minimum along its line.
 *
 * 2N kernel operations for a pair's step, M N for one along a V of M patterns; |V|^2 is computed from the rows, like
 * |X_L - X_U|^2.
 */
#include <math.h>
#include <string.h>

#include "solvers/cycle.h"
#include "solvers/hull/hull.h"

struct cycle_mdm {
    struct hull hull;
    struct hull_pair pair;
    int class;
    struct cycle cycle;
    double *products[2]; /* V+ . X_j and V- . X_j; n_padded */
};

static void place(struct cycle_mdm *mdm, struct arena *arena, const struct problem *problem)
{
    cycle_layout(&mdm->cycle, arena, (size_t)parameter_get(&problem->parameters, &parameter_history));
    for (int c = 0; c < 2; c++)
        mdm->products[c] = arena_doubles(arena, problem->n);
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {.used = hull_state_size(sizeof(struct cycle_mdm), 0, problem->n)};
    struct cycle_mdm mdm;
    if (arena.used < SIZE_MAX)
        place(&mdm, &arena, problem);
    return arena.used;
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct cycle_mdm *mdm = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *mdm);
    double bound = parameter_get(&problem->parameters, &parameter_mu);
    enum status status = problem->starts_anywhere ? hull_start_at_few(&mdm->hull, &arena, problem, bound, oracle)
                                                  : hull_start(&mdm->hull, &arena, problem, bound, oracle);
    place(mdm, &arena, problem);
    return status;
}

static enum status select(void *state, struct progress *progress)
{
    struct cycle_mdm *mdm = state;
    mdm->pair = hull_choose_pair(&mdm->hull, 0, progress);
    mdm->class = progress->updated_class;
    return STATUS_OK;
}

/* -W . V */
static double descent(const struct hull *hull, const struct cycle *cycle)
{
    double sum = 0;
    for (size_t h = 0; h < cycle->members; h++)
        sum -= cycle->weights[h] * hull->y[cycle->indices[h]] * hull_projection(hull, cycle->indices[h]);
    return sum;
}

/* Fills the products; returns |V|^2. */
static double ask_for_products(struct cycle_mdm *mdm, struct oracle *oracle)
{
    const struct hull *hull = &mdm->hull;
    const struct cycle *cycle = &mdm->cycle;
    double norm2 = 0;
    for (int c = 0; c < 2; c++)
        memset(mdm->products[c], 0, hull->n_padded * sizeof *mdm->products[c]);
    for (size_t h = 0; h < cycle->members; h++)
        hull->simd->axpy(hull->n_padded, cycle->weights[h], oracle_row(oracle, cycle->indices[h]),
                          mdm->products[class_index(hull->y[cycle->indices[h]])]);
    for (size_t h = 0; h < cycle->members; h++) {
        size_t i = cycle->indices[h];
        norm2 += cycle->weights[h] * hull->y[i] * (mdm->products[0][i] - mdm->products[1][i]);
    }
    return norm2;
}

static void move_along(struct cycle_mdm *mdm, double step)
{
    struct hull *hull = &mdm->hull;
    for (int c = 0; c < 2; c++)
        hull->simd->axpy(hull->n_padded, step, mdm->products[c], hull->products[c]);
    hull_move_along(hull, mdm->cycle.indices, mdm->cycle.weights, mdm->cycle.members, step);
}

/* The step along the last k updates; nonzero if it was made. */
static int break_cycle(struct cycle_mdm *mdm, size_t k, struct oracle *oracle)
{
    cycle_combine(&mdm->cycle, k);
    const struct cycle *cycle = &mdm->cycle;
    double max_step = hull_max_step_along(&mdm->hull, cycle->indices, cycle->weights, cycle->members);
    double slope = descent(&mdm->hull, cycle);
    if (!(max_step > 0 && slope > 0) || !cycle_is_balanced(&mdm->cycle, mdm->hull.y))
        return 0;
    double norm2 = ask_for_products(mdm, oracle);
    if (!(norm2 > 0))
        return 0;
    move_along(mdm, fmin(slope / norm2, max_step));
    return 1;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct cycle_mdm *mdm = state;
    size_t low = mdm->pair.low, high = mdm->pair.high;
    if (!(mdm->pair.delta > 0))
        return STATUS_STALLED; /* optimal */
    size_t k = cycle_find(&mdm->cycle, low, high);
    if (k > 0 && break_cycle(mdm, k, oracle)) {
        cycle_forget(&mdm->cycle);
        return STATUS_OK;
    }
    const double *row_low = oracle_row(oracle, low), *row_high = oracle_row(oracle, high);
    double length2 = (row_low[low] - row_low[high]) + (row_high[high] - row_high[low]);
    double lambda = hull_step_pair(&mdm->hull, mdm->class, &mdm->pair, length2, row_low, row_high);
    if (!(lambda > 0))
        return STATUS_STALLED;
    cycle_remember(&mdm->cycle, low, high, lambda);
    return STATUS_OK;
}

/* Along a V of M patterns; and along the pair if that V has no length. */
static const struct kernel_cost along_cycle[] = {
    {.is_stated = 1, .rows_cycle = 1}, {.is_stated = 1, .n = 2, .rows_cycle = 1}, {0}};

static const struct kernel_cost from_few[] = {{.is_stated = 1, .rows_point = 2}, {0}};

extern const struct solver solver_cycle_clip_mdm;

const struct solver solver_cycle_clip_mdm = {
    .name = "cycle-clip-mdm",
    .title = "clip-mdm that breaks cycles of updates",
    .reference = "Barbero, Lopez and Dorronsoro 2008, Section 3; Lopez et al. 2011, Section 4.1",
    HULL_SOLVER,
    .parameters = PARAMETERS(&parameter_mu, &parameter_history),
    .setup_cost = {.is_stated = 1, .n2 = 1},
    .further_setup_costs = from_few,
    .iteration_cost = {.is_stated = 1, .n = 2},
    .further_iteration_costs = along_cycle,
    .is_monotone = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
};
