/*
 * MDM with a second-order choice of the pattern that loses weight, in the manner of Fan, Chen and Lin (2005).
 *
 * In the class of sign s, with v_j = s W . X_j, moving lambda from U to L changes 1/2 |W|^2 by
 *
 *   -lambda Delta_U + 1/2 lambda^2 |X_L - X_U|^2,   Delta_U = v_U - v_L.
 *
 * The largest gain of that pair is at lambda = min(Delta_U / |X_L - X_U|^2, mu - alpha_L, alpha_U). The class and L are
 * those of the first-order method: the class with the larger Delta, L = argmin v_j over alpha_j < mu. U is the pattern
 * with alpha_U > 0 and the largest gain, instead of the one with the largest v. Delta in the stopping rules is still
 * that of the most violating pair.
 *
 *   second-order-clip-mdm  on mu-reduced hulls, from the barycentres; Lopez, Barbero and Dorronsoro (2011), eqs. 13, 14
 *   second-order-ch-mdm    on full hulls of the kernel K + I/C, from the first pattern of each class; Lopez (2008),
 *                          Algorithm 1
 *
 * Lopez (2008), Section 6.2.2, raises the question. An iteration requests the rows of L and U, 2N kernel operations;
 * the diagonal is requested once, N operations.
 */
#include <math.h>

#include "solvers/hull/hull.h"

struct second_order {
    struct hull hull;
    double *diagonal; /* n_padded: |X_j|^2 */
    struct hull_pair pair;
    int class;
    int ties_to_positive;
};

static size_t state_size(const struct problem *problem)
{
    return hull_state_size(sizeof(struct second_order), 1, problem->n);
}

/* Algorithm 1 starts at the first pair and updates class +1 if both Delta are equal; clip-mdm updates class -1. */
static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct second_order *mdm = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *mdm);
    mdm->ties_to_positive = problem->solver->square_penalty;
    enum status status = mdm->ties_to_positive ? hull_start_at_first_pair(&mdm->hull, &arena, problem, oracle)
                                               : hull_start(&mdm->hull, &arena, problem, hull_mu(problem), oracle);
    if (status != STATUS_OK)
        return status;
    mdm->diagonal = arena_doubles(&arena, mdm->hull.n);
    oracle_diagonal(oracle, mdm->diagonal);
    return STATUS_OK;
}

static enum status select(void *state, struct progress *progress)
{
    struct second_order *mdm = state;
    mdm->pair = hull_choose_pair(&mdm->hull, mdm->ties_to_positive, progress);
    mdm->class = progress->updated_class;
    return STATUS_OK;
}

/* Replaces U by the pattern with the largest gain; `row` is the row of L. Returns |X_L - X_U|^2. */
static double choose_high(struct second_order *mdm, const double *row)
{
    const struct hull *hull = &mdm->hull;
    int c = class_index(mdm->class);
    size_t low = mdm->pair.low;
    double best = 0, best_length2 = 0, v_low = mdm->class * hull_projection(hull, low);
    for (size_t k = 0; k < hull->count[c]; k++) {
        struct hull_pair pair = {low, hull->members[c][k], 0};
        if (!(hull->weights[c][pair.high] > 0))
            continue;
        pair.delta = mdm->class * hull_projection(hull, pair.high) - v_low;
        if (!(pair.delta > 0))
            continue;
        double length2 = (mdm->diagonal[low] - row[pair.high]) + (mdm->diagonal[pair.high] - row[pair.high]);
        double step = hull_step(pair.delta, length2, hull_pair_max_step(hull, mdm->class, &pair));
        double gain = step * (pair.delta - 0.5 * step * length2);
        if (gain > best) {
            best = gain;
            best_length2 = length2;
            mdm->pair = pair;
        }
    }
    return best_length2;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct second_order *mdm = state;
    if (!(mdm->pair.delta > 0))
        return STATUS_STALLED; /* optimal */
    const double *low = oracle_row(oracle, mdm->pair.low);
    double length2 = choose_high(mdm, low);
    const double *high = oracle_row(oracle, mdm->pair.high);
    return hull_step_pair(&mdm->hull, mdm->class, &mdm->pair, length2, low, high) > 0 ? STATUS_OK : STATUS_STALLED;
}

/* The members that both share. */
#define ALIKE                                                                                        \
    HULL_SOLVER, .iteration_cost = {.is_stated = 1, .n = 2}, .is_monotone = 1, .state_size = state_size, \
    .init = init, .select = select, .update = update

extern const struct solver solver_second_order_clip_mdm, solver_second_order_ch_mdm;

const struct solver solver_second_order_clip_mdm = {
    .name = "second-order-clip-mdm",
    .title = "clip-mdm giving up the pattern of largest gain",
    .reference = "Lopez et al. 2011, Section 4.1, with the choice of Fan, Chen and Lin 2005",
    .parameters = PARAMETERS(&parameter_mu),
    .setup_cost = {.is_stated = 1, .n2 = 1, .n = 1},
    ALIKE,
};

const struct solver solver_second_order_ch_mdm = {
    .name = "second-order-ch-mdm",
    .title = "ch-mdm giving up the pattern of largest gain",
    .reference = "Lopez 2008, Algorithm 1 and Section 6.2.2, with the choice of Fan, Chen and Lin 2005",
    .square_penalty = 1,
    .parameters = PARAMETERS(&parameter_c),
    .setup_cost = {.is_stated = 1, .n = 3},
    ALIKE,
};
