/*
 * mu-MDM (Tao, Wu and Wang 2008, as given by Lopez, Barbero and Dorronsoro 2011, Section 3, eq. 10): move weight from
 * the worst pattern U of a class (alpha_U > 0) to the extreme point X^ = mu (X_1 + ... + X_K) + sigma X_(K+1) of its
 * reduced hull, W' = W + lambda y (X^ - X_U): alpha_k += lambda mu, alpha_(K+1) += lambda sigma, alpha_U -= lambda.
 *
 * The papers do not specify the clipping of lambda or the choice of the patterns. Here lambda is clipped so that every
 * multiplier stays in [0, mu]; a step of length zero ends as "stalled" (Fig. 1). Parameter `selection`:
 *   extreme  X^ is the extreme point, whatever its multipliers: the literal algorithm, whose update is infeasible as
 *            soon as one of the K + 1 patterns is at its bound
 *   free     X^ consists of the K + 1 best patterns with alpha < mu; if there are fewer, the class has no update
 * The rows of X^ and of U cost (K + 2) N kernel operations per iteration ((K + 1) N if sigma = 0), plus those of
 * |X^|^2.
 */
#include <math.h>

#include "solvers/hull/hull.h"
#include "solvers/hull/smallest.h"

const struct parameter parameter_selection = {
    .name = "selection",
    .meaning = "move towards the extreme point regardless of its multipliers (extreme), or towards the best point of "
               "patterns below their bound (free)",
    .type = PARAMETER_CHOICE, .choices = (const char *const[]){"extreme", "free", NULL},
    .fallback = SELECTION_EXTREME};

struct mu_mdm {
    struct hull hull;
    enum selection selection;
    double *row;            /* X^ . X_j; n_padded */
    size_t *candidates[2];  /* patterns of X^, or those below their bound for selection `free`; n_padded + SIMD_LANES */
    struct hull_point vertex[2];
    size_t high[2];
    int empty[2]; /* the class has too few patterns below its bound */
    double delta[2];
    double value[2]; /* s W . X^ */
    double drift[2]; /* what putting multipliers on bounds has added to the sum of the class */
    int class;
};

static size_t state_size(const struct problem *problem)
{
    /* one array of doubles, two of indices with room for SIMD_LANES more */
    size_t more = 2 * SIMD_LANES * sizeof(size_t);
    return hull_state_size(sizeof(struct mu_mdm) + more, 3, problem->n);
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct mu_mdm *mu = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *mu);
    double bound = parameter_get(&problem->parameters, &parameter_mu);
    enum status status = hull_start(&mu->hull, &arena, problem, bound, oracle);
    mu->row = arena_doubles(&arena, problem->n);
    for (int c = 0; c < 2; c++)
        mu->candidates[c] = arena_take(&arena, (mu->hull.n_padded + SIMD_LANES) * sizeof(size_t));
    mu->selection = (enum selection)parameter_get(&problem->parameters, &parameter_selection);
    return status;
}

/* Like hull_extreme_point, among the patterns with alpha < mu. Returns 0 if there are too few. Also finds U. */
static int free_point(struct mu_mdm *mu, int class, struct hull_point *point, double *value)
{
    struct hull *hull = &mu->hull;
    int c = class_index(class);
    size_t *chosen = mu->candidates[c];
    const double *v = hull->search->value;
    size_t n_full = hull->n_full_weights, needed = n_full + (hull->rest_weight > 0);
    size_t candidates = hull->simd->differences_free(
        hull->n_padded, class, hull->products[0], hull->products[1], hull->class_set[c], hull->weights[c], hull->mu,
        hull->search->value, chosen, hull->search->key, &mu->high[c]);
    if (candidates < needed)
        return 0;
    smallest_partition_by_keys(hull->simd, chosen, hull->search->key, candidates, needed, v);
    size_t last = chosen[needed - 1];
    double sum = 0;
    for (size_t k = 0; k < n_full; k++)
        sum += hull->search->key[k];
    *value = hull->mu * sum + (hull->rest_weight > 0 ? hull->rest_weight * v[last] : 0);
    *point = (struct hull_point){chosen, n_full, hull->mu, last, hull->rest_weight};
    return 1;
}

/* U = argmax v_j over alpha_j > 0 */
static void find_high(struct mu_mdm *mu, int c)
{
    const struct hull *hull = &mu->hull;
    double largest = -INFINITY;
    for (size_t k = 0; k < hull->count[c]; k++) {
        size_t j = hull->members[c][k];
        if (hull->weights[c][j] > 0 && hull->search->value[j] > largest) {
            largest = hull->search->value[j];
            mu->high[c] = j;
        }
    }
}

static void find_update(struct mu_mdm *mu, int class)
{
    struct hull *hull = &mu->hull;
    int c = class_index(class);
    mu->delta[c] = 0;
    mu->empty[c] = mu->selection == SELECTION_FREE && !free_point(mu, class, &mu->vertex[c], &mu->value[c]);
    if (mu->empty[c])
        return;
    if (mu->selection == SELECTION_EXTREME) {
        mu->vertex[c] = hull_extreme_point(hull, class, mu->candidates[c], &mu->value[c]);
        find_high(mu, c);
    }
    mu->delta[c] = hull->search->value[mu->high[c]] - mu->value[c];
}

/* The gaps according to X^: exact if it is the extreme point, a bound if it is another point of the hull. */
static void fill_gaps(const struct mu_mdm *mu, struct progress *progress)
{
    const struct hull *hull = &mu->hull;
    int c = class_index(mu->class);
    if (mu->selection == SELECTION_EXTREME)
        for (int k = 0; k < 2; k++)
            progress->class_gap[k] = hull_own_value(&hull->norms, k ? -1 : 1) - mu->value[k];
    else if (!mu->empty[c])
        progress->gap_lower_bound =
            hull_gap_bound(hull, mu->class, hull_own_value(&hull->norms, mu->class) - mu->value[c]);
}

static enum status select(void *state, struct progress *progress)
{
    struct mu_mdm *mu = state;
    mu->hull.norms = hull_norms(&mu->hull);
    mu->hull.norms_state = NORMS_EXACT;
    hull_fill_progress(&mu->hull.norms, progress);
    find_update(mu, 1);
    find_update(mu, -1);
    mu->class = mu->delta[0] > mu->delta[1] ? 1 : -1;
    fill_gaps(mu, progress);
    progress->updated_class = mu->class;
    progress->delta = mu->delta[class_index(mu->class)];
    progress->class_stuck = mu->empty[1 - class_index(mu->class)];
    return mu->empty[class_index(mu->class)] ? STATUS_STALLED : STATUS_OK;
}

/* fmin, which compilers call, without NaN */
static double smaller(double a, double b)
{
    return b < a ? b : a;
}

/* The largest lambda for which alpha + lambda * rate stays in [0, mu]. */
static double max_step_of(double alpha, double rate, double mu)
{
    if (rate > 0)
        return (mu - alpha) / rate;
    return rate < 0 ? alpha / -rate : INFINITY;
}

/* The rate of pattern j in the direction X^ - X_U. */
static double rate(const struct mu_mdm *mu, int c, size_t j, double weight)
{
    return weight - (j == mu->high[c] ? 1 : 0);
}

static double max_step(const struct mu_mdm *mu, int c)
{
    const struct hull_point *vertex = &mu->vertex[c];
    const double *weights = mu->hull.weights[c], bound = mu->hull.mu;
    size_t high = mu->high[c];
    double largest = -INFINITY, step = INFINITY; /* of the patterns of weight mu except U, which allow the least */
    int meets = 0;
    for (size_t k = 0; k < vertex->count; k++) {
        size_t j = vertex->indices[k];
        double weight = j == high ? -INFINITY : weights[j];
        meets |= j == high;
        largest = weight > largest ? weight : largest;
    }
    if (largest > -INFINITY)
        step = max_step_of(largest, vertex->weight, bound);
    if (meets)
        step = smaller(step, max_step_of(weights[high], rate(mu, c, high, vertex->weight), bound));
    if (vertex->last_weight != 0) {
        meets |= vertex->last == high;
        step = smaller(step, max_step_of(weights[vertex->last], rate(mu, c, vertex->last, vertex->last_weight), bound));
    }
    return meets ? step : smaller(step, weights[high]);
}

/* Puts a multiplier within rounding of a bound on the bound, to which it was clipped, unless this would have changed
 * the sum of the class too much by now. */
static void land(struct mu_mdm *mu, int c, size_t j)
{
    const double rounding = 1e-14; /* relative to mu: some 50 units in the last place */
    const double most_drift = 1e-10; /* of a sum of 1 */
    double *weight = &mu->hull.weights[c][j], bound = mu->hull.mu;
    if (*weight >= rounding * bound && *weight <= bound * (1 - rounding))
        return;
    double landed = *weight < rounding * bound ? 0 : bound;
    double drift = mu->drift[c] + (landed - *weight);
    if (fabs(drift) <= most_drift)
        mu->drift[c] = drift;
    else
        landed = fmin(fmax(*weight, 0), bound);
    *weight = landed;
}

/* alpha += lambda (X^ - X_U). The indices may include U, so bounds are checked last. */
static void move(struct mu_mdm *mu, int c, double lambda)
{
    const struct hull_point *vertex = &mu->vertex[c];
    double *weights = mu->hull.weights[c];
    weights[mu->high[c]] -= lambda;
    for (size_t k = 0; k < vertex->count; k++)
        weights[vertex->indices[k]] += lambda * vertex->weight;
    if (vertex->last_weight != 0)
        weights[vertex->last] += lambda * vertex->last_weight;
    land(mu, c, mu->high[c]);
    for (size_t k = 0; k < vertex->count; k++)
        land(mu, c, vertex->indices[k]);
    if (vertex->last_weight != 0)
        land(mu, c, vertex->last);
}

static enum status update(void *state, struct oracle *oracle)
{
    struct mu_mdm *mu = state;
    struct hull *hull = &mu->hull;
    int c = class_index(mu->class);
    const struct hull_point *vertex = &mu->vertex[c];
    size_t high = mu->high[c];
    if (!(mu->delta[c] > 0))
        return STATUS_STALLED; /* X^ is no better than any pattern with positive weight */
    double limit = max_step(mu, c);
    if (!(limit > 0))
        return STATUS_STALLED;
    oracle_hull_point_row(oracle, vertex, mu->row);
    double norm2 = oracle_hull_point_norm2(oracle, vertex); /* before the row, which would otherwise expire */
    const double *row = oracle_row(oracle, high);
    double length2 = norm2 - 2 * mu->row[high] + row[high];
    double lambda = hull_step(mu->delta[c], length2, limit); /* eq. (10), clipped */
    hull->simd->add_difference(hull->n_padded, lambda, mu->row, row, hull->products[c]);
    move(mu, c, lambda);
    hull->norms_state = NORMS_STALE;
    return STATUS_OK;
}

extern const struct solver solver_mu_mdm;
const struct solver solver_mu_mdm = {
    .name = "mu-mdm",
    .title = "Tao's MDM on mu-reduced hulls (may stall)",
    .reference = "Lopez, Barbero and Dorronsoro 2011, Section 3, eq. 10; Tao, Wu and Wang 2008",
    HULL_SOLVER,
    .parameters = PARAMETERS(&parameter_mu, &parameter_selection),
    .setup_cost = {.is_stated = 1, .n2 = 1},
    .iteration_cost = {.is_stated = 1, .n = 1, .rows_point = 1, .norms_point = 1},
    .is_monotone = 1,
    .may_stall = 1,
    .converges_slowly = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
};
