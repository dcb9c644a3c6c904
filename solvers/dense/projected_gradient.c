/*
 * Accelerated projected gradient on the product of two capped simplices: min f(alpha) = 1/2 |W|^2 over
 * 0 <= alpha_j <= mu, each class of sum 1.
 *
 * FISTA (Beck and Teboulle 2009, Section 4, after Nesterov 1983) with the adaptive restart of O'Donoghue and Candes
 * (2015, Section 3.2, gradient scheme):
 *
 *     beta = alpha_k + (t_k - 1) / t_(k+1) (alpha_k - alpha_(k-1)),  t_(k+1) = (1 + sqrt(1 + 4 t_k^2)) / 2
 *     alpha_(k+1) = P(beta - f'(beta) / L)
 *     restart with t = 1 if (beta - alpha_(k+1)) . (alpha_(k+1) - alpha_k) > 0
 *
 * P is the projection, class by class (projection.c). f' is linear, so f'(beta) follows from W . X_j at alpha_k and
 * alpha_(k-1), and an iteration requests W . X_j at alpha_(k+1) only: N kernel operations for each multiplier above 0.
 *
 * L bounds d'Qd / d'd, Q_ij = y_i y_j k_ij, over the d that sum to 0 in each class, since all differences do. So L is
 * the largest eigenvalue of Q with each class centred, which may be far below that of Q. POWER_STEPS steps of power
 * iteration from f' at the barycentres estimate it from below, at N^2 kernel operations each, as part of the set-up. If
 * a step shows a larger value, L is raised above that from the next iteration on, and t = 1; this happens finitely
 * often.
 *
 * The objective may increase from one iteration to the next, as momentum carries it past the minimum. The largest
 * eigenvalue limits the step length, so the method is slow if others are smaller by many powers of ten.
 */
#include <math.h>
#include <string.h>

#include "solvers/dense/projected_gradient.h"

enum { POWER_STEPS = 10 };

static void layout(struct projected_gradient *state, struct arena *arena, size_t n)
{
    projection_layout(&state->projection, arena, n);
    for (int c = 0; c < 2; c++) {
        state->last_weights[c] = arena_doubles(arena, n);
        state->last_products[c] = arena_doubles(arena, n);
    }
    state->middle = arena_doubles(arena, n);
    state->slope = arena_doubles(arena, n);
    state->compact = arena_doubles(arena, n);
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {.used = hull_state_size(sizeof(struct projected_gradient), 0, problem->n)};
    struct projected_gradient state;
    if (arena.used != SIZE_MAX)
        layout(&state, &arena, problem->n);
    return arena.used;
}

static double mean_of(const struct hull *hull, int c, const double *v)
{
    double sum = 0;
    for (size_t k = 0; k < hull->count[c]; k++)
        sum += v[hull->members[c][k]];
    return sum / (double)hull->count[c];
}

/* Subtracts the mean in each class from v. */
static void centre(const struct hull *hull, double *v)
{
    for (int c = 0; c < 2; c++) {
        double mean = mean_of(hull, c, v);
        for (size_t k = 0; k < hull->count[c]; k++)
            v[hull->members[c][k]] -= mean;
    }
}

static double largest_of(size_t n, const double *v)
{
    double largest = 0;
    for (size_t j = 0; j < n; j++)
        largest = fmax(largest, fabs(v[j]));
    return largest;
}

/* Returns the Rayleigh quotient of Q at `v`, scaled to a largest element of 1, and sets v to the centred Q v. Requests
 * all rows. */
static double power_step(struct projected_gradient *state, struct oracle *oracle, double *v)
{
    const struct hull *hull = &state->hull;
    double *signed_v = state->compact, *image = state->middle, largest = largest_of(hull->n, v), product = 0, norm2 = 0;
    for (size_t j = 0; j < hull->n; j++) {
        v[j] = largest > 0 ? v[j] / largest : 0;
        signed_v[j] = hull->y[j] * v[j];
    }
    memset(image, 0, hull->n_padded * sizeof *image);
    for (size_t j = 0; j < hull->n; j++)
        oracle_add_rows(oracle, &j, &signed_v[j], 1, image);
    for (size_t j = 0; j < hull->n; j++) {
        image[j] *= hull->y[j];
        product += v[j] * image[j];
        norm2 += v[j] * v[j];
    }
    memcpy(v, image, hull->n * sizeof *v);
    centre(hull, v);
    return norm2 > 0 ? product / norm2 : 0;
}

static void estimate_largest(struct projected_gradient *state, struct oracle *oracle)
{
    const struct hull *hull = &state->hull;
    struct hull_norms norms = hull_norms(hull);
    double *v = state->slope, size = norms.a + norms.b;
    for (size_t j = 0; j < hull->n; j++)
        v[j] = hull->y[j] * hull_projection(hull, j);
    centre(hull, v);
    for (int k = 0; k < POWER_STEPS; k++)
        state->largest = fmax(state->largest, power_step(state, oracle, v));
    if (!(state->largest > 0)) /* f' is constant in each class: the barycentres are optimal */
        state->largest = size > 0 ? size : 1;
}

static enum status init(void *block, const struct problem *problem, struct oracle *oracle)
{
    struct projected_gradient *state = block;
    struct arena arena = {.block = block};
    arena_take(&arena, sizeof *state);
    enum status status = hull_start(&state->hull, &arena, problem, hull_mu(problem), oracle);
    layout(state, &arena, problem->n);
    if (status != STATUS_OK)
        return status;
    estimate_largest(state, oracle);
    for (int c = 0; c < 2; c++) {
        memcpy(state->last_weights[c], state->hull.weights[c], state->hull.n_padded * sizeof(double));
        memcpy(state->last_products[c], state->hull.products[c], state->hull.n_padded * sizeof(double));
    }
    state->momentum = 1;
    return STATUS_OK;
}

static enum status select(void *block, struct progress *progress)
{
    struct projected_gradient *state = block;
    dense_fill_progress(&state->hull, progress);
    return STATUS_OK;
}

/* Computes beta and f'(beta). */
static void look_ahead(struct projected_gradient *state, double share)
{
    const struct hull *hull = &state->hull;
    for (size_t j = 0; j < hull->n; j++) {
        int c = class_index(hull->y[j]);
        double now = hull_projection(hull, j), last = state->last_products[0][j] - state->last_products[1][j];
        state->middle[j] = hull->weights[c][j] + share * (hull->weights[c][j] - state->last_weights[c][j]);
        state->slope[j] = hull->y[j] * (now + share * (now - last));
    }
}

/* alpha_k becomes alpha_(k-1), and the arrays of alpha_(k-1) will hold alpha_(k+1). */
static void exchange(struct projected_gradient *state)
{
    struct hull *hull = &state->hull;
    for (int c = 0; c < 2; c++) {
        double *weights = hull->weights[c], *products = hull->products[c];
        hull->weights[c] = state->last_weights[c];
        hull->products[c] = state->last_products[c];
        state->last_weights[c] = weights;
        state->last_products[c] = products;
    }
    hull->norms_state = NORMS_STALE;
}

/* alpha_(k+1) = P(beta - f'(beta) / L). The mean of f' in a class, which may be large, does not affect P. */
static void project(struct projected_gradient *state)
{
    struct hull *hull = &state->hull;
    double *z = state->compact;
    for (int c = 0; c < 2; c++) {
        size_t count = hull->count[c];
        const size_t *members = hull->members[c];
        double mean = mean_of(hull, c, state->slope);
        for (size_t k = 0; k < count; k++)
            z[k] = state->middle[members[k]] - (state->slope[members[k]] - mean) / state->largest;
        projection_find(&state->projection, count, hull->mu, z, z);
        memset(hull->weights[c], 0, hull->n_padded * sizeof(double));
        for (size_t k = 0; k < count; k++)
            hull->weights[c][members[k]] = z[k];
    }
}

static int is_where_it_was(const struct projected_gradient *state)
{
    const struct hull *hull = &state->hull;
    for (int c = 0; c < 2; c++)
        if (memcmp(hull->weights[c], state->last_weights[c], hull->n * sizeof(double)) != 0)
            return 0;
    return 1;
}

/* Updates L and the momentum after a step. */
static void learn(struct projected_gradient *state, double next_momentum)
{
    const double rounding = 1e-13; /* for sums of some thousand terms, relative to their largest */
    const double above = 1.1;      /* avoids raising L repeatedly by small amounts */
    struct hull *hull = &state->hull;
    double curvature = 0, length2 = 0, length = 0, against = 0, size = 0;
    for (size_t j = 0; j < hull->n; j++) {
        int c = class_index(hull->y[j]);
        double d = hull->weights[c][j] - state->middle[j], step = hull->weights[c][j] - state->last_weights[c][j];
        curvature += d * (hull->y[j] * hull_projection(hull, j) - state->slope[j]);
        length2 += d * d;
        length += fabs(d);
        against -= d * step;
        size = fmax(size, fmax(fabs(hull->products[0][j]), fabs(hull->products[1][j])));
    }
    int is_too_small = curvature - rounding * size * length > state->largest * length2;
    if (is_too_small)
        state->largest = above * curvature / length2;
    state->momentum = is_too_small || against > 0 ? 1 : next_momentum;
}

static enum status update(void *block, struct oracle *oracle)
{
    struct projected_gradient *state = block;
    struct hull *hull = &state->hull;
    double next_momentum = 0.5 * (1 + sqrt(1 + 4 * state->momentum * state->momentum));
    look_ahead(state, (state->momentum - 1) / next_momentum);
    exchange(state);
    project(state);
    if (state->momentum == 1 && is_where_it_was(state)) {
        exchange(state);
        return STATUS_STALLED;
    }
    for (int c = 0; c < 2; c++) {
        memset(hull->products[c], 0, hull->n_padded * sizeof(double));
        oracle_expand(oracle, hull->weights[c], hull->products[c]);
    }
    learn(state, next_momentum);
    return STATUS_OK;
}

extern const struct solver solver_projected_gradient;
const struct solver solver_projected_gradient = {
    .name = "projected-gradient",
    .title = "FISTA with restarts on mu-reduced hulls",
    .reference = "Beck and Teboulle 2009; O'Donoghue and Candes 2015; projection by Kiwiel 2008",
    HULL_SOLVER_STOPPED_BY(HULL_STOPS & ~(1u << STOP_DUAL_CHANGE)), /* f changes little when it starts to increase,
                                                                     * too */
    .parameters = PARAMETERS(&parameter_mu),
    .setup_cost = {.is_stated = 1, .n2 = 1 + POWER_STEPS},
    .iteration_cost = {.is_stated = 1, .at_most = 1, .n2 = 1},
    .ignores_tolerance = 1,
    .converges_slowly = 1, /* if the eigenvalues of Q differ by many powers of ten */
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
};
