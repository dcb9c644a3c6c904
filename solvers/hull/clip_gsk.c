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
    int is_current;            /* the last update has found `low` and the norms */
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
    size_t low = clip->low[c];
    double own = hull_own_value(&clip->hull.norms, class), v = class * hull_projection(hull, low);
    int there = hull->y[low] == class && hull->weights[c][low] < hull->mu;
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
    if (!clip->is_current) {
        clip->hull.norms = hull_norms(&clip->hull);
        clip->hull.norms_state = NORMS_EXACT;
        hull_find_pairs(&clip->hull);
        clip->low[0] = clip->hull.pair[0].low;
        clip->low[1] = clip->hull.pair[1].low;
    }
    hull_fill_progress(&clip->hull.norms, progress);
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

/* Marks where a pattern's multiplier will be between 0 and mu. */
static void put_weight(struct hull *hull, int c, size_t i, double weight)
{
    simd_set_put(hull->eligible[c ? 3 : 0], i, weight < hull->mu);
    simd_set_put(hull->eligible[c ? 2 : 1], i, weight > 0);
}

/* Prepares for all weights of the class to become `keep` times as large, except that of `low`. */
static void mark_weights(struct clip_gsk *clip, int c, double keep, size_t low, double weight)
{
    struct hull *hull = &clip->hull;
    size_t still = 0;
    for (size_t k = 0; k < clip->fulls[c]; k++) {
        size_t i = clip->full[c][k];
        double kept = keep * hull->weights[c][i];
        put_weight(hull, c, i, kept);
        if (i != low && !(kept < hull->mu))
            clip->full[c][still++] = i;
    }
    put_weight(hull, c, low, weight);
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
    double keep = 1 - lambda, moved = keep * weights[low] + lambda;
    struct blend_step blend = {.moves = c, .keep = keep, .a = lambda, .low = low, .p = row,
                               .weight_low = lambda >= limit ? hull->mu : fmin(moved, hull->mu),
                               .weights = {hull->weights[0], hull->weights[1]},
                               .products = {hull->products[0], hull->products[1]}};
    const unsigned char *const low_sets[2] = {hull->eligible[0], hull->eligible[3]};
    struct argminmax of;
    mark_weights(clip, c, keep, low, blend.weight_low);
    hull->simd->blend_difference_argminmax(hull->n_padded, &blend, low_sets, &of);
    clip->low[0] = of.min_at;
    clip->low[1] = of.max_at;
    if (c)
        hull->norms.b = blend.moved;
    else
        hull->norms.a = blend.moved;
    hull->norms.c = blend.cross;
    clip->is_current = 1;
    return STATUS_OK;
}

extern const struct solver solver_clip_gsk;
const struct solver solver_clip_gsk = {
    .name = "clip-gsk",
    .title = "GSK with multipliers clipped at mu (may stick)",
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
