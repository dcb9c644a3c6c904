/*
 * Wolfe's minimum norm point algorithm on the polytope of the differences W+ - W- of two mu-reduced hulls.
 *
 * P. Wolfe, Finding the nearest point in a polytope, Mathematical Programming 11 (1976) 128-149. W is kept as the
 * smallest point of the convex hull of a corral: affinely independent vertices P_p of the polytope, all with positive
 * weight. Then W . P_p = |W|^2 for each of them. A major cycle, which is an iteration here, finds the vertex P^ of
 * smallest W . P and ends the algorithm if W . P^ = |W|^2. Otherwise P^ enters the corral, and minor cycles (corral.c)
 * move towards the smallest point of its affine hull, dropping points, until that point is in the convex hull. |W|
 * decreases in each major cycle and is determined by the corral, so no corral recurs and the algorithm is finite.
 *
 * The vertex is P^ = X^+ - X^-, the extreme points that mu-gsk finds (Lopez, Barbero and Dorronsoro 2011, Section 3),
 * and the duality gap is |W|^2 - W . P^. Vertices are stored as lists of their patterns, with the products of X^+ and
 * X^- with all patterns. These give the products of vertices with each other and, at the end of each major cycle, D and
 * E. So an iteration requests the rows of the two extreme points, 2 (K + 1) N kernel operations (2 K N if sigma = 0),
 * and minor cycles request none.
 *
 * Differences from Wolfe:
 *
 *   - The first point is not the vertex of smallest norm, which is unknown for a reduced hull. It is the difference of
 *     the means of the first 1/mu patterns of each class, rounded up: not a vertex if 1/mu is not whole. It may leave
 *     the corral like any other point.
 *   - The corral has room for min(N, `corral`) points. At most N - 1 are affinely independent, so with up to `corral`
 *     patterns there is always room. If it is full, the corral is replaced by its point W. |W| still decreases, and
 *     converges, but the number of cycles is no longer bounded.
 *   - Rounding may keep the gap above 0: the algorithm ends (`stalled`) when neither |W|^2 nor the gap has decreased in
 *     MAX_IDLE major cycles.
 *
 * Besides kernel operations, it needs some 4 M^2 additions and multiplications per minor cycle and 2 M N per major
 * cycle, with M points in the corral.
 */
#include <math.h>
#include <string.h>

#include "solvers/dense/dense.h"
#include "solvers/dense/wolfe_mnp.h"

enum { MAX_IDLE = 20 };

const struct parameter parameter_corral = {
    .name = "corral",
    .meaning = "largest number of vertices in Wolfe's corral; if more are needed, it restarts at W",
    .type = PARAMETER_INTEGER,
    .min = 2,
    .max = 65536,
    .scale = PARAMETER_LOG,
    .fallback = 1000,
};

static size_t parts_of(const struct problem *problem)
{
    double mu = parameter_get(&problem->parameters, &parameter_mu);
    return mu * (double)problem->n > 1 ? (size_t)ceil(1 / mu) + 1 : problem->n;
}

/* Places the parts of the state after the hull. */
static void layout(struct wolfe *wolfe, struct arena *arena, const struct problem *problem)
{
    size_t n = problem->n, limit = (size_t)parameter_get(&problem->parameters, &parameter_corral);
    size_t max = n < limit ? n : limit;
    wolfe->n_parts = parts_of(problem);
    for (int c = 0; c < 2; c++)
        wolfe->base_weights[c] = arena_doubles(arena, n);
    corral_layout(&wolfe->corral, arena, max);
    wolfe->parts = arena_take(arena, max * 2 * wolfe->n_parts * sizeof *wolfe->parts);
    wolfe->rows = arena_doubles(arena, max * 2 * simd_padded(n));
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {.used = hull_state_size(sizeof(struct wolfe), 0, problem->n)};
    struct wolfe wolfe;
    if (arena.used != SIZE_MAX)
        layout(&wolfe, &arena, problem);
    return arena.used;
}

static double *row_of(const struct wolfe *wolfe, size_t place, int c)
{
    return wolfe->rows + (2 * place + (size_t)c) * wolfe->hull.n_padded;
}

static uint32_t *parts_in(const struct wolfe *wolfe, size_t place, int c)
{
    return wolfe->parts + (2 * place + (size_t)c) * wolfe->n_parts;
}

/* Resets the corral to W alone. */
static void begin_at_point(struct wolfe *wolfe)
{
    const struct hull *hull = &wolfe->hull;
    struct hull_norms norms = hull_norms(hull);
    for (int c = 0; c < 2; c++) {
        memcpy(wolfe->base_weights[c], hull->weights[c], hull->n_padded * sizeof(double));
        memcpy(row_of(wolfe, 0, c), hull->products[c], hull->n_padded * sizeof(double));
    }
    corral_reset(&wolfe->corral, hull_norm2(&norms));
    wolfe->base = 0;
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct wolfe *wolfe = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *wolfe);
    enum status status = hull_start_at_few(&wolfe->hull, &arena, problem, hull_mu(problem), oracle);
    layout(wolfe, &arena, problem);
    wolfe->corral.simd = oracle_simd(oracle);
    wolfe->least_gap = wolfe->least_norm2 = INFINITY;
    if (status == STATUS_OK)
        begin_at_point(wolfe);
    return status;
}

static enum status select(void *state, struct progress *progress)
{
    struct wolfe *wolfe = state;
    dense_fill_progress(&wolfe->hull, progress);
    wolfe->gap = progress->delta;
    wolfe->norm2 = progress->norm2;
    return STATUS_OK;
}

/* X^_s as hull_gap has stored it. */
static struct hull_point vertex_of(const struct hull *hull, int c)
{
    const size_t *indices = hull->search->vertex[c];
    return (struct hull_point){indices, hull->n_full_weights, hull->mu, indices[hull->n_full_weights],
                               hull->rest_weight};
}

/* X^_s . P for the point at a place. */
static double product_with(const struct wolfe *wolfe, const struct hull_point *vertex, size_t place)
{
    return hull_along(vertex, row_of(wolfe, place, 0)) - hull_along(vertex, row_of(wolfe, place, 1));
}

/* Puts the vertex X^+ - X^- into a free place of the corral, with its products with all points. */
static void put_vertex(struct wolfe *wolfe, size_t place, struct oracle *oracle)
{
    const struct hull *hull = &wolfe->hull;
    struct corral *corral = &wolfe->corral;
    struct hull_point vertex[2] = {vertex_of(hull, 0), vertex_of(hull, 1)};
    size_t count = hull->n_full_weights + (hull->rest_weight > 0);
    for (int c = 0; c < 2; c++) {
        oracle_hull_point_row(oracle, &vertex[c], row_of(wolfe, place, c));
        for (size_t k = 0; k < count; k++)
            parts_in(wolfe, place, c)[k] = (uint32_t)vertex[c].indices[k];
    }
    double *products = corral_products(corral, place);
    products[place] = product_with(wolfe, &vertex[0], place) - product_with(wolfe, &vertex[1], place);
    for (size_t p = 0; p < corral->count; p++) {
        size_t other = corral->place[p];
        products[other] = product_with(wolfe, &vertex[0], other) - product_with(wolfe, &vertex[1], other);
    }
}

/* The distance of P^ from the span of the corral, with the coordinate r = sqrt(shift) appended to all points. The
 * vector z = (W, -|W|^2 / r) is orthogonal to all (P_p, r), and (P^, r) . z = -gap. */
static double distance2_of_vertex(const struct wolfe *wolfe)
{
    double length2 = wolfe->norm2 * (1 + wolfe->norm2 / wolfe->corral.shift); /* |z|^2 */
    return wolfe->gap * (wolfe->gap / length2);
}

static void add_vertex(const struct wolfe *wolfe, size_t place, int c, double weight)
{
    const struct hull *hull = &wolfe->hull;
    const uint32_t *parts = parts_in(wolfe, place, c);
    for (size_t k = 0; k < hull->n_full_weights; k++)
        hull->weights[c][parts[k]] += weight * hull->mu;
    if (hull->rest_weight > 0)
        hull->weights[c][parts[hull->n_full_weights]] += weight * hull->rest_weight;
}

/* Computes multipliers, D and E from the weights of the corral. */
static void take_point(struct wolfe *wolfe)
{
    struct hull *hull = &wolfe->hull;
    const struct corral *corral = &wolfe->corral;
    for (int c = 0; c < 2; c++) {
        memset(hull->weights[c], 0, hull->n_padded * sizeof(double));
        memset(hull->products[c], 0, hull->n_padded * sizeof(double));
        for (size_t p = 0; p < corral->count; p++) {
            size_t place = corral->place[p];
            double weight = corral->weight[place];
            hull->simd->axpy(hull->n_padded, weight, row_of(wolfe, place, c), hull->products[c]);
            if (place == wolfe->base)
                hull->simd->axpy(hull->n_padded, weight, wolfe->base_weights[c], hull->weights[c]);
            else
                add_vertex(wolfe, place, c, weight);
        }
        for (size_t k = 0; k < hull->count[c]; k++) /* a sum of mu may round to more than mu */
            hull->weights[c][hull->members[c][k]] = fmin(hull->weights[c][hull->members[c][k]], hull->mu);
    }
    hull->norms_state = NORMS_STALE;
}

/* Whether rounding prevents further progress. */
static int is_idle(struct wolfe *wolfe)
{
    int falls = wolfe->norm2 < wolfe->least_norm2 || wolfe->gap < wolfe->least_gap;
    wolfe->least_norm2 = fmin(wolfe->least_norm2, wolfe->norm2);
    wolfe->least_gap = fmin(wolfe->least_gap, wolfe->gap);
    wolfe->idle = falls ? 0 : wolfe->idle + 1;
    return wolfe->idle > MAX_IDLE;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct wolfe *wolfe = state;
    struct corral *corral = &wolfe->corral;
    if (!(wolfe->gap > 0) || is_idle(wolfe))
        return STATUS_STALLED;
    if (corral->count == corral->max)
        begin_at_point(wolfe);
    size_t place = corral_free_place(corral);
    if (place == wolfe->base)
        wolfe->base = corral->max;
    put_vertex(wolfe, place, oracle);
    corral_enter(corral, distance2_of_vertex(wolfe));
    corral_minimise(corral);
    take_point(wolfe);
    return STATUS_OK;
}

extern const struct solver solver_wolfe_mnp;
const struct solver solver_wolfe_mnp = {
    .name = "wolfe-mnp",
    .title = "Wolfe's minimum norm point, mu-reduced hulls",
    .reference = "Wolfe 1976; extreme points by Lopez, Barbero and Dorronsoro 2011, Section 3",
    HULL_SOLVER,
    .parameters = PARAMETERS(&parameter_mu, &parameter_corral),
    .setup_cost = {.is_stated = 1, .rows_point = 2},
    .iteration_cost = {.is_stated = 1, .rows_point = 2},
    .is_monotone = 1,
    .ignores_tolerance = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
};
