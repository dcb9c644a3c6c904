/*
 * Clipped GSK on mu-reduced hulls: move a class's point towards its best single pattern X_L below the bound,
 * W_s' = (1 - lambda) W_s + lambda X_L, as far as alpha_L <= mu allows: lambda = min(Delta_L / |X_L - W_s|^2,
 * (mu - alpha_L) / (1 - alpha_L)). Lopez, Barbero and Dorronsoro (2011), Section 4.1, eqs. (11) and (12).
 *
 * Only patterns with v_L < s W . W_s and alpha_L < mu may be chosen (eq. 12); when neither class has one the algorithm is
 * stuck, which Section 4.2 shows can happen far from the optimum. That ends as "stalled". N kernel operations an iteration.
 */
#include <math.h>

#include "solvers/hull/hull.h"

struct clip_gsk {
    struct hull hull;
    struct hull_norms norms;
    size_t low[2];
    double delta[2]; /* s W . W_s - v_L, 0 when the class has no candidate */
    int class;
};

static size_t state_size(const struct problem *problem)
{
    return hull_state_size(sizeof(struct clip_gsk), 0, problem->n);
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct clip_gsk *clip = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *clip);
    return hull_start(&clip->hull, &arena, problem, problem->parameters.value[PARAMETER_MU], oracle);
}

/* eq. (12) */
static void find_low(struct clip_gsk *clip, int class)
{
    const struct hull *hull = &clip->hull;
    int c = class_index(class);
    double own = hull_own_value(&clip->norms, class), smallest = own;
    clip->delta[c] = 0;
    for (size_t k = 0; k < hull->count[c]; k++) {
        size_t j = hull->members[c][k];
        double v = class * hull_projection(hull, j);
        if (v < smallest && hull->weights[c][j] < hull->mu) {
            smallest = v;
            clip->low[c] = j;
            clip->delta[c] = own - v;
        }
    }
}

static enum status select(void *state, struct progress *progress)
{
    struct clip_gsk *clip = state;
    clip->norms = hull_norms(&clip->hull);
    hull_fill_progress(&clip->norms, progress);
    find_low(clip, 1);
    find_low(clip, -1);
    clip->class = clip->delta[0] > clip->delta[1] ? 1 : -1;
    progress->updated_class = clip->class;
    progress->empty_class = !(clip->delta[1 - class_index(clip->class)] > 0);
    progress->delta = clip->delta[class_index(clip->class)];
    return progress->delta > 0 ? STATUS_OK : STATUS_STALLED;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct clip_gsk *clip = state;
    struct hull *hull = &clip->hull;
    int c = class_index(clip->class);
    size_t low = clip->low[c];
    double *weights = hull->weights[c], own = c ? clip->norms.b : clip->norms.a;
    const double *row = oracle_row(oracle, low);
    double length2 = own - 2 * hull->products[c][low] + row[low];                  /* |X_L - W_s|^2 */
    double room = weights[low] < 1 ? (hull->mu - weights[low]) / (1 - weights[low]) : 0; /* eq. (11) */
    double lambda = hull_step(clip->delta[c], length2, room);
    if (!(lambda > 0))
        return STATUS_STALLED;
    int fills = lambda >= room;
    hull->lanes->blend(hull->n_padded, 1 - lambda, lambda, row, hull->products[c]);
    hull->lanes->scale(hull->n_padded, 1 - lambda, weights);
    weights[low] = fills ? hull->mu : fmin(weights[low] + lambda, hull->mu);
    return STATUS_OK;
}

extern const struct solver solver_clip_gsk;
const struct solver solver_clip_gsk = {
    .name = "clip-gsk",
    .title = "GSK with clipped multipliers on mu-reduced convex hulls (may stick)",
    .reference = "Lopez, Barbero and Dorronsoro 2011, Section 4.1, eqs. 11 and 12",
    HULL_SOLVER,
    .parameters = 1u << PARAMETER_MU,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
};
