/*
 * Clipped GSK on mu-reduced hulls: move a class's point towards its best single pattern X_L below the bound,
 * W_s' = (1 - lambda) W_s + lambda X_L, as far as alpha_L <= mu allows: lambda = min(Delta_L / |X_L - W_s|^2,
 * (mu - alpha_L) / (1 - alpha_L)). Lopez, Barbero and Dorronsoro (2011), Section 4.1, eqs. (11) and (12).
 *
 * Only patterns with v_L < s W . W_s and alpha_L < mu are eligible (eq. 12). If neither class has one, the algorithm is
 * stuck, and the run ends as "stalled"; Section 4.2 shows that this can happen far from the optimum. N kernel
 * operations per iteration.
 */
#include <math.h>

#include "solvers/hull/hull.h"

struct clip_gsk {
    struct hull hull;
    size_t low[2];
    double delta[2]; /* s W . W_s - v_L, or 0 if the class has no candidate */
    int class;
    size_t *full[2], fulls[2]; /* patterns of each class with alpha = mu; n */
};

static size_t state_size(const struct problem *problem)
{
    return hull_state_size(sizeof(struct clip_gsk), 2, problem->n); /* indices */
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct clip_gsk *clip = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *clip);
    struct hull *hull = &clip->hull;
    enum status status = hull_start(hull, &arena, problem, parameter_get(&problem->parameters, &parameter_mu), oracle);
    for (int c = 0; c < 2 && status == STATUS_OK; c++) {
        clip->full[c] = (size_t *)arena_take(&arena, problem->n * sizeof(size_t));
        for (size_t k = 0; k < hull->count[c]; k++)
            if (!(hull->weights[c][hull->members[c][k]] < hull->mu))
                clip->full[c][clip->fulls[c]++] = hull->members[c][k];
    }
    return status;
}

/* eq. (12) */
static void find_low(struct clip_gsk *clip, int class)
{
    const struct hull *hull = &clip->hull;
    int c = class_index(class);
    size_t low = hull->pair[c].low;
    double own = hull_own_value(&clip->hull.norms, class), v = class * hull_projection(hull, low);
    int there = hull->y[low] == class && hull->weights[c][low] < hull->mu;
    clip->low[c] = low;
    clip->delta[c] = there && v < own ? own - v : 0;
}

/* The largest lambda, eq. (11). */
static double max_step(const struct clip_gsk *clip, int c)
{
    double mu = clip->hull.mu, weight = clip->hull.weights[c][clip->low[c]];
    return weight < 1 ? (mu - weight) / (1 - weight) : 0;
}

static enum status select(void *state, struct progress *progress)
{
    struct clip_gsk *clip = state;
    clip->hull.norms = hull_norms(&clip->hull);
    clip->hull.norms_state = NORMS_EXACT;
    hull_fill_progress(&clip->hull.norms, progress);
    hull_find_pairs(&clip->hull);
    find_low(clip, 1);
    find_low(clip, -1);
    clip->class = clip->delta[0] > clip->delta[1] ? 1 : -1;
    progress->updated_class = clip->class;
    progress->class_stuck = !(clip->delta[1 - class_index(clip->class)] > 0);
    int c = class_index(clip->class);
    progress->delta = clip->delta[c];
    if (!(progress->delta > 0))
        return STATUS_STALLED;
    /* To first order, the longest step towards X_L lowers s W . W_s by this much, and one towards X^ by at least as
     * much. */
    progress->gap_lower_bound = hull_gap_bound(&clip->hull, clip->class, clip->delta[c] * max_step(clip, c));
    return STATUS_OK;
}

/* All weights of the class except that of `low` have decreased. */
static void set_weights(struct clip_gsk *clip, int c, size_t low, double weight)
{
    struct hull *hull = &clip->hull;
    size_t still = 0;
    for (size_t k = 0; k < clip->fulls[c]; k++) {
        size_t i = clip->full[c][k];
        hull_set_weight(hull, i, hull->weights[c][i]);
        if (i != low && !(hull->weights[c][i] < hull->mu))
            clip->full[c][still++] = i;
    }
    hull_set_weight(hull, low, weight);
    if (!(weight < hull->mu))
        clip->full[c][still++] = low;
    clip->fulls[c] = still;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct clip_gsk *clip = state;
    struct hull *hull = &clip->hull;
    int c = class_index(clip->class);
    size_t low = clip->low[c];
    double *weights = hull->weights[c], own = c ? hull->norms.b : hull->norms.a;
    const double *row = oracle_row(oracle, low);
    double length2 = own - 2 * hull->products[c][low] + row[low]; /* |X_L - W_s|^2 */
    double limit = max_step(clip, c), lambda = hull_step(clip->delta[c], length2, limit);
    if (!(lambda > 0))
        return STATUS_STALLED;
    int fills = lambda >= limit;
    hull->simd->blend(hull->n_padded, 1 - lambda, lambda, row, hull->products[c]);
    hull->simd->scale(hull->n_padded, 1 - lambda, weights);
    set_weights(clip, c, low, fills ? hull->mu : fmin(weights[low] + lambda, hull->mu));
    return STATUS_OK;
}

extern const struct solver solver_clip_gsk;
const struct solver solver_clip_gsk = {
    .name = "clip-gsk",
    .title = "GSK with clipped multipliers on mu-reduced convex hulls (may stick)",
    .reference = "Lopez, Barbero and Dorronsoro 2011, Section 4.1, eqs. 11 and 12",
    HULL_SOLVER,
    .parameters = PARAMETERS(&parameter_mu),
    .setup_cost = {.is_stated = 1, .n2 = 1},
    .iteration_cost = {.is_stated = 1, .n = 1},
    .is_monotone = 1,
    .may_stall = 1,
    .converges_slowly = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
};
