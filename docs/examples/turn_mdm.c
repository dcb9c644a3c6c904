/*
 * MDM on mu-reduced hulls that takes the classes in turn: as clip-mdm (Lopez, Barbero and Dorronsoro 2011, Section 4.1,
 * eqs. 13 and 14), but a class is moved `turns` times in a row, however small its Delta, unless it is optimal.
 *
 * W' = W + lambda y (X_L - X_U), lambda = min(Delta / |X_L - X_U|^2, mu - alpha_L, alpha_U). 2N kernel operations an
 * iteration.
 */
#include <math.h>

#include "solvers/hull/hull.h"

static const struct parameter turns = {
    .name = "turns",
    .meaning = "updates of one class before it is the other's turn",
    .type = PARAMETER_INTEGER,
    .min = 1,
    .max = 1000,
    .scale = PARAMETER_LOG,
    .fallback = 1,
};

struct turn_mdm {
    struct hull hull; /* first, so that hull_alpha and hull_gap_of_state take the state */
    struct hull_pair pair;
    int class, turns, left; /* the class to be moved; how often in a row, and how often it still is */
};

static size_t state_size(const struct problem *problem)
{
    return hull_state_size(sizeof(struct turn_mdm), 0, problem->n);
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct turn_mdm *turn = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *turn);
    turn->turns = (int)parameter_get(&problem->parameters, &turns);
    turn->class = -1; /* so that +1 comes first */
    return hull_start(&turn->hull, &arena, problem, hull_mu(problem), oracle);
}

static enum status select(void *state, struct progress *progress)
{
    struct turn_mdm *turn = state;
    struct hull_norms norms = hull_norms(&turn->hull);
    int next = turn->left > 0 ? turn->class : -turn->class;
    struct hull_pair pair = hull_pair(&turn->hull, next), other = hull_pair(&turn->hull, -next);
    hull_fill_progress(&norms, progress);
    progress->delta = fmax(pair.delta, other.delta); /* of the worst pair, so that small means optimal */
    if (next != turn->class || !(pair.delta > 0))
        turn->left = turn->turns;
    turn->class = pair.delta > 0 ? next : -next;
    turn->pair = pair.delta > 0 ? pair : other;
    progress->updated_class = turn->class;
    return STATUS_OK;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct turn_mdm *turn = state;
    struct hull *hull = &turn->hull;
    size_t low = turn->pair.low, high = turn->pair.high;
    if (!(turn->pair.delta > 0))
        return STATUS_STALLED; /* b_U <= b_L in both classes: optimal */
    const double *row_low = oracle_row(oracle, low), *row_high = oracle_row(oracle, high);
    double length2 = (row_low[low] - row_low[high]) + (row_high[high] - row_high[low]);
    double bound = hull_pair_max_step(hull, turn->class, &turn->pair);
    double lambda = hull_step(turn->pair.delta, length2, bound); /* eq. (14) */
    if (!(lambda > 0))
        return STATUS_STALLED;
    hull->simd->add_difference(hull->n_padded, lambda, row_low, row_high, hull->products[class_index(turn->class)]);
    hull_move_pair(hull, turn->class, &turn->pair, lambda);
    turn->left--;
    return STATUS_OK;
}

extern const struct solver solver_turn_mdm;
const struct solver solver_turn_mdm = {
    .name = "turn-mdm",
    .title = "clip-mdm taking the classes in turn",
    .reference = "after Lopez, Barbero and Dorronsoro 2011, Section 4.1",
    .formulation = FORMULATION_NEAREST_POINTS,
    .parameters = PARAMETERS(&parameter_mu, &turns),
    .stops = HULL_STOPS & ~(1u << STOP_RCH_GAP), /* which looks at one class only */
    .setup_cost = {.is_stated = 1, .n2 = 1},
    .iteration_cost = {.is_stated = 1, .n = 2},
    .is_monotone = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
    .gap = hull_gap_of_state,
    .alpha = hull_alpha,
};
