/*
 * Readings of mu-MDM, Tao's extension of MDM to mu-reduced hulls, for docs/study-mu-mdm.md. Compile this plugin in the
 * root of the source tree:
 *     cc -std=c11 -O2 -ffp-contract=off -fPIC -shared -I. docs/examples/mu_mdm_readings.c -o mu_mdm_readings.so
 *
 * Lopez, Barbero and Dorronsoro (2011), Section 3: with v_j = s W . X_j in the class of sign s, W moves to
 * W + s lambda (X_in - X_out), lambda* = Delta / |X_in - X_out|^2 (at most 1), Delta = v_out - v_in (eq. 10). X_in is
 * the extreme point mu (X_1 + ... + X_K) + sigma X_(K+1) of smallest v; X_out is the pattern of largest v with
 * alpha > 0. The paper does not specify how lambda is clipped or which patterns are eligible. Each row of `readings` is
 * one interpretation. A run without a feasible step ends as "stalled".
 *
 * An iteration requests N kernel operations for each pattern of X_in and X_out. If the step does not go along
 * X_in - X_out, it requests N more for each pattern that moves.
 */
#include <math.h>
#include <string.h>

#include "solvers/hull/smallest.h"
#include "solvers/plugin.h"

enum in {
    IN_EXTREME, /* the extreme point, whatever its multipliers */
    IN_BELOW,   /* the K + 1 best patterns with alpha < mu; no step if there are fewer */
    IN_ROOM,    /* the patterns of the extreme point with alpha < mu, weights normalised to sum 1 */
    IN_PATTERN  /* the best pattern with alpha < mu */
};
enum out {
    OUT_PATTERN, /* the worst pattern with alpha > 0, eq. (7) */
    OUT_ANY,     /* the worst pattern, as in Section 2.2 before eq. (7) */
    OUT_OUTSIDE, /* the worst pattern with alpha > 0 that is not in X_in */
    OUT_POINT    /* mu on the K worst patterns with alpha > 0 and sigma on the next */
};
enum step {
    STEP_LARGEST,    /* min(lambda*, the largest lambda that keeps every multiplier in [0, mu]) */
    STEP_WHOLE,      /* lambda*; no step if it is infeasible */
    STEP_SHARE, /* alpha_out min(lambda*, 1): a misreading of MDM's original step W + t alpha_U (X_L - X_U), t <= 1 */
    STEP_EACH,       /* each multiplier grows to at most mu; the excess stays at X_out */
    STEP_PROJECTED,  /* lambda*, then projection onto the feasible multipliers */
    STEP_NORMALISED  /* lambda*, then each multiplier clipped to [0, mu], then all scaled to sum 1 */
};

struct reading {
    enum in in;
    enum out out;
    enum step step;
    int takes_other_class; /* if the class of the larger Delta has no step */
    int chooses_by_gap;    /* choose the class of the larger s W . (W_s - X_in) */
    int starts_at_vertex;  /* start at the extreme points in the direction of the barycentres, not at the barycentres */
};

struct direction {
    size_t *index; /* distinct patterns */
    double *rate;  /* rates of their multipliers; n_padded */
    size_t count;
    double delta, score, limit; /* score: criterion for choosing the class; limit: the largest feasible lambda */
};

struct mu_mdm {
    struct hull hull; /* first, so that hull_alpha and hull_gap_of_state accept the state */
    const struct reading *reading;
    struct direction direction[2];
    double *row, *wanted, *v, *zeros; /* n_padded */
    size_t *order, *vertex;
    int class;
};

static const struct reading *reading_of(const struct solver *solver);

static size_t state_size(const struct problem *problem)
{
    return hull_state_size(sizeof(struct mu_mdm), 10, problem->n);
}

static void start_at_vertices(struct mu_mdm *mu, struct oracle *oracle)
{
    struct hull *hull = &mu->hull;
    struct hull_point point[2];
    double value;
    for (int c = 0; c < 2; c++) /* both classes, before W moves */
        point[c] = hull_extreme_point(hull, c ? -1 : 1, mu->direction[c].index, &value);
    for (int c = 0; c < 2; c++) {
        for (size_t k = 0; k < hull->count[c]; k++)
            hull_set_weight(hull, hull->members[c][k], 0);
        for (size_t k = 0; k < point[c].count; k++)
            hull_set_weight(hull, point[c].indices[k], point[c].weight);
        if (point[c].last_weight != 0)
            hull_set_weight(hull, point[c].last, point[c].last_weight);
        memset(hull->products[c], 0, hull->n_padded * sizeof(double));
        oracle_hull_point_row(oracle, &point[c], hull->products[c]);
    }
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct mu_mdm *mu = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *mu);
    double bound = parameter_get(&problem->parameters, &parameter_mu);
    enum status status = hull_start(&mu->hull, &arena, problem, bound, oracle);
    for (int c = 0; c < 2; c++) {
        mu->direction[c].index = arena_take(&arena, problem->n * sizeof(size_t));
        mu->direction[c].rate = arena_doubles(&arena, problem->n);
    }
    mu->row = arena_doubles(&arena, problem->n);
    mu->wanted = arena_doubles(&arena, problem->n);
    mu->v = arena_doubles(&arena, problem->n);
    mu->zeros = arena_doubles(&arena, problem->n);
    mu->order = arena_take(&arena, problem->n * sizeof(size_t));
    mu->vertex = arena_take(&arena, problem->n * sizeof(size_t));
    mu->reading = reading_of(problem->solver);
    if (status == STATUS_OK && mu->reading->starts_at_vertex)
        start_at_vertices(mu, oracle);
    return status;
}

/* Adds `rate` to the rate of pattern j. Returns its contribution to the sum of rate times v. */
static double add(const struct mu_mdm *mu, struct direction *direction, size_t j, double rate)
{
    size_t k = 0;
    while (k < direction->count && direction->index[k] != j)
        k++;
    if (k == direction->count) {
        direction->index[k] = j;
        direction->rate[k] = 0;
        direction->count++;
    }
    direction->rate[k] += rate;
    return rate * mu->v[j];
}

/* Adds rates sign * mu for the K patterns in `order` with the smallest sign * v, and sign * sigma for the next one.
 * Returns the sum of rate times v, or NAN if `order` has too few patterns. */
static double add_point(struct mu_mdm *mu, struct direction *direction, size_t *order, size_t count, int sign)
{
    const struct hull *hull = &mu->hull;
    size_t n_full = hull->n_full_weights, needed = n_full + (hull->rest_weight > 0);
    double sum = 0;
    if (count < needed)
        return NAN;
    if (sign < 0)
        for (size_t k = 0; k < count; k++)
            mu->wanted[order[k]] = -mu->v[order[k]];
    smallest_partition(order, count, needed, sign < 0 ? mu->wanted : mu->v);
    for (size_t k = 0; k < n_full; k++)
        sum += add(mu, direction, order[k], sign * hull->mu);
    return needed > n_full ? sum + add(mu, direction, order[n_full], sign * hull->rest_weight) : sum;
}

/* Adds X_in to the direction. Returns its v, or NAN if there is no X_in. */
static double add_in(struct mu_mdm *mu, struct direction *direction, int c)
{
    const struct hull *hull = &mu->hull;
    const double *weights = hull->weights[c];
    enum in in = mu->reading->in;
    size_t count = 0, best = hull->n;
    for (size_t k = 0; k < hull->count[c]; k++) {
        size_t j = hull->members[c][k];
        if (in == IN_EXTREME || in == IN_ROOM || weights[j] < hull->mu)
            mu->order[count++] = j;
        if (weights[j] < hull->mu && (best == hull->n || mu->v[j] < mu->v[best]))
            best = j;
    }
    if (in == IN_PATTERN)
        return best < hull->n ? add(mu, direction, best, 1) : NAN;
    double value = add_point(mu, direction, mu->order, count, 1);
    if (in != IN_ROOM)
        return value;
    double sum = 0;
    size_t kept = 0;
    for (size_t k = 0; k < direction->count; k++)
        if (weights[direction->index[k]] < hull->mu) {
            direction->index[kept] = direction->index[k];
            direction->rate[kept++] = direction->rate[k];
            sum += direction->rate[k];
        }
    direction->count = kept;
    value = 0;
    for (size_t k = 0; k < kept; k++) {
        direction->rate[k] /= sum;
        value += direction->rate[k] * mu->v[direction->index[k]];
    }
    return kept ? value : NAN;
}

static int is_in(const struct direction *direction, size_t count, size_t j)
{
    for (size_t k = 0; k < count; k++)
        if (direction->index[k] == j)
            return 1;
    return 0;
}

/* Adds -X_out to the direction. Returns its v, or NAN if there is no X_out. */
static double add_out(struct mu_mdm *mu, struct direction *direction, int c)
{
    const struct hull *hull = &mu->hull;
    enum out out = mu->reading->out;
    size_t count = 0, worst = hull->n, in_count = direction->count;
    for (size_t k = 0; k < hull->count[c]; k++) {
        size_t j = hull->members[c][k];
        if (out != OUT_ANY && !(hull->weights[c][j] > 0))
            continue;
        mu->order[count++] = j;
        if ((worst == hull->n || mu->v[j] > mu->v[worst]) && !(out == OUT_OUTSIDE && is_in(direction, in_count, j)))
            worst = j;
    }
    if (out == OUT_POINT)
        return -add_point(mu, direction, mu->order, count, -1);
    return worst < hull->n ? -add(mu, direction, worst, -1) : NAN;
}

/* The largest lambda for which every multiplier stays in [0, mu]. */
static double largest_step(const struct mu_mdm *mu, const struct direction *direction, int c)
{
    double limit = INFINITY;
    for (size_t k = 0; k < direction->count; k++) {
        double weight = mu->hull.weights[c][direction->index[k]], rate = direction->rate[k];
        if (rate > 0)
            limit = fmin(limit, (mu->hull.mu - weight) / rate);
        if (rate < 0)
            limit = fmin(limit, weight / -rate);
    }
    return limit;
}

static void find_direction(struct mu_mdm *mu, const struct hull_norms *norms, int class)
{
    int c = class_index(class);
    struct direction *direction = &mu->direction[c];
    for (size_t k = 0; k < mu->hull.count[c]; k++)
        mu->v[mu->hull.members[c][k]] = class * hull_projection(&mu->hull, mu->hull.members[c][k]);
    direction->count = 0;
    double in = add_in(mu, direction, c), out = in == in ? add_out(mu, direction, c) : NAN;
    int found = in == in && out == out;
    direction->delta = found ? out - in : 0;
    direction->score = !found ? -INFINITY : mu->reading->chooses_by_gap ? hull_own_value(norms, class) - in : out - in;
    direction->limit = found ? largest_step(mu, direction, c) : 0;
    if (!(direction->limit < INFINITY)) /* X_in = X_out */
        direction->delta = 0;
}

/* Returns whether the reading can move the class. It cannot if the reduced hull is a single point, or if the step is
 * clipped and no positive step is feasible. */
static int has_step(const struct mu_mdm *mu, int c)
{
    int is_clipped = mu->reading->step == STEP_LARGEST || mu->reading->step == STEP_WHOLE ||
                     mu->reading->step == STEP_SHARE;
    int is_point = (double)mu->hull.count[c] * mu->hull.mu < 1 + 1e-12;
    return mu->direction[c].delta > 0 && !is_point && (!is_clipped || mu->direction[c].limit > 0);
}

static enum status select(void *state, struct progress *progress)
{
    struct mu_mdm *mu = state;
    struct hull_norms norms = hull_norms(&mu->hull);
    hull_fill_progress(&norms, progress);
    find_direction(mu, &norms, 1);
    find_direction(mu, &norms, -1);
    int c = mu->direction[0].score > mu->direction[1].score ? 0 : 1;
    if (mu->reading->takes_other_class && !has_step(mu, c) && has_step(mu, 1 - c))
        c = 1 - c;
    mu->class = c ? -1 : 1;
    progress->updated_class = mu->class;
    progress->delta = mu->direction[c].delta;
    progress->class_stuck = mu->direction[1 - c].score == -INFINITY;
    return mu->direction[c].score == -INFINITY ? STATUS_STALLED : STATUS_OK;
}

/* The sum over the class of the multipliers min(mu, max(0, wanted + shift)), or min(mu, factor max(0, wanted)). */
static double sum_of(const struct mu_mdm *mu, int c, double shift, double factor)
{
    double sum = 0;
    for (size_t k = 0; k < mu->hull.count[c]; k++)
        sum += fmin(mu->hull.mu, factor * fmax(0, mu->wanted[mu->hull.members[c][k]] + shift));
    return sum;
}

/* Makes `wanted` feasible by a shift (the Euclidean projection) or by a factor. Returns 0 if no factor does. */
static int make_feasible(struct mu_mdm *mu, int c, int by_factor)
{
    double low = by_factor ? 0 : -2, high = by_factor ? 1 : 2;
    while (by_factor && sum_of(mu, c, 0, high) < 1)
        if ((high *= 2) > 1e12)
            return 0;
    for (int k = 0; k < 100; k++) {
        double middle = 0.5 * (low + high);
        if (sum_of(mu, c, by_factor ? 0 : middle, by_factor ? middle : 1) < 1)
            low = middle;
        else
            high = middle;
    }
    for (size_t k = 0; k < mu->hull.count[c]; k++) {
        size_t j = mu->hull.members[c][k];
        mu->wanted[j] = fmin(mu->hull.mu, (by_factor ? high : 1) * fmax(0, mu->wanted[j] + (by_factor ? 0 : high)));
    }
    return 1;
}

/* Clips growing multipliers at mu and reduces those of X_out by the sum of what was added. */
static void add_each(struct mu_mdm *mu, const struct direction *direction, int c, double lambda)
{
    double asked = 0, added = 0;
    for (size_t k = 0; k < direction->count; k++) {
        double rate = direction->rate[k], weight = mu->hull.weights[c][direction->index[k]];
        if (rate > 0) {
            asked += lambda * rate;
            added += fmin(lambda * rate, mu->hull.mu - weight);
        }
    }
    double share = asked > 0 ? added / asked : 0;
    for (size_t k = 0; k < direction->count; k++) {
        double rate = direction->rate[k], weight = mu->hull.weights[c][direction->index[k]];
        mu->wanted[direction->index[k]] =
            rate > 0 ? fmin(mu->hull.mu, weight + lambda * rate) : fmax(0, weight + share * lambda * rate);
    }
}

/* The largest lambda for which no multiplier of X_out falls below 0. */
static double step_to_empty(const struct mu_mdm *mu, const struct direction *direction, int c)
{
    double limit = INFINITY;
    for (size_t k = 0; k < direction->count; k++)
        if (direction->rate[k] < 0)
            limit = fmin(limit, mu->hull.weights[c][direction->index[k]] / -direction->rate[k]);
    return limit;
}

/* Sets a multiplier within rounding of a bound to the bound. */
static double snapped(double weight, double bound)
{
    if (weight < 1e-14 * bound)
        return 0;
    return weight > bound * (1 - 1e-14) ? bound : weight;
}

/* Writes the multipliers that the reading wants after the step to `wanted`. Returns lambda if the step is lambda times
 * the direction, 0 for any other step, -1 if no step exists. */
static double find_wanted(struct mu_mdm *mu, const struct direction *direction, int c, double unclipped)
{
    enum step step = mu->reading->step;
    double lambda = unclipped;
    memcpy(mu->wanted, mu->hull.weights[c], mu->hull.n_padded * sizeof(double));
    if (step == STEP_EACH) {
        add_each(mu, direction, c, fmin(unclipped, step_to_empty(mu, direction, c)));
        return 0;
    }
    if (step == STEP_WHOLE && unclipped > direction->limit)
        return -1;
    if (step == STEP_SHARE)
        lambda = fmin(step_to_empty(mu, direction, c) * fmin(unclipped, 1), direction->limit);
    if (step == STEP_LARGEST)
        lambda = fmin(unclipped, direction->limit);
    for (size_t k = 0; k < direction->count; k++)
        mu->wanted[direction->index[k]] += lambda * direction->rate[k];
    if (step == STEP_PROJECTED || step == STEP_NORMALISED)
        return make_feasible(mu, c, step == STEP_NORMALISED) ? 0 : -1;
    return lambda;
}

/* Updates D or E of the class after its multipliers moved by lambda times `row`. */
static void move_products(struct mu_mdm *mu, int c, double lambda)
{
    mu->hull.simd->add_difference(mu->hull.n_padded, lambda, mu->row, mu->zeros, mu->hull.products[c]);
}

/* Requests the row of the direction. Returns |X_in - X_out|^2. */
static double look_up(struct mu_mdm *mu, const struct direction *direction, struct oracle *oracle)
{
    double length2 = 0;
    memset(mu->row, 0, mu->hull.n_padded * sizeof(double));
    oracle_add_rows(oracle, direction->index, direction->rate, direction->count, mu->row);
    for (size_t k = 0; k < direction->count; k++)
        length2 += direction->rate[k] * mu->row[direction->index[k]];
    return length2;
}

/* Moves the class to `wanted`. Requests the rows of the patterns that moved, unless the step is lambda times the
 * direction. Returns 0 if nothing moves. */
static int move(struct mu_mdm *mu, int c, double lambda, struct oracle *oracle)
{
    struct hull *hull = &mu->hull;
    double *change = mu->v;
    size_t count = 0;
    for (size_t k = 0; k < hull->count[c]; k++) {
        size_t j = hull->members[c][k];
        double weight = snapped(mu->wanted[j], hull->mu);
        if (weight == hull->weights[c][j])
            continue;
        mu->order[count] = j;
        change[count++] = weight - hull->weights[c][j];
        hull_set_weight(hull, j, weight);
    }
    if (count > 0 && !(lambda > 0)) {
        memset(mu->row, 0, hull->n_padded * sizeof(double));
        oracle_add_rows(oracle, mu->order, change, count, mu->row);
        lambda = 1;
    }
    if (count > 0)
        move_products(mu, c, lambda);
    return count > 0;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct mu_mdm *mu = state;
    int c = class_index(mu->class);
    const struct direction *direction = &mu->direction[c];
    if (!has_step(mu, c))
        return STATUS_STALLED;
    double lambda = hull_step(direction->delta, look_up(mu, direction, oracle), 1);
    double taken = find_wanted(mu, direction, c, lambda);
    return taken >= 0 && move(mu, c, taken, oracle) ? STATUS_OK : STATUS_STALLED;
}

#define READINGS(X)                                                                                               \
    X(extreme, "lambda clipped; a class without a step stalls", {IN_EXTREME, OUT_PATTERN, STEP_LARGEST, 0, 0, 0}) \
    X(below, "only patterns below mu", {IN_BELOW, OUT_PATTERN, STEP_LARGEST, 0, 0, 0})                            \
    X(other, "the other class where one has no step", {IN_EXTREME, OUT_PATTERN, STEP_LARGEST, 1, 0, 0})           \
    X(outside, "U outside the extreme point", {IN_EXTREME, OUT_OUTSIDE, STEP_LARGEST, 1, 0, 0})                   \
    X(gap, "the class of the larger gap", {IN_EXTREME, OUT_PATTERN, STEP_LARGEST, 1, 1, 0})                       \
    X(room, "those of the extreme point with room", {IN_ROOM, OUT_PATTERN, STEP_LARGEST, 1, 0, 0})                \
    X(points, "extreme point against extreme point", {IN_EXTREME, OUT_POINT, STEP_LARGEST, 1, 0, 0})              \
    X(reversed, "one pattern in, an extreme point out", {IN_PATTERN, OUT_POINT, STEP_LARGEST, 1, 0, 0})           \
    X(any, "U of any multiplier", {IN_EXTREME, OUT_ANY, STEP_LARGEST, 1, 0, 0})                                   \
    X(vertex, "start at extreme points", {IN_EXTREME, OUT_PATTERN, STEP_LARGEST, 1, 0, 1})                        \
    X(whole, "infeasible steps refused", {IN_EXTREME, OUT_PATTERN, STEP_WHOLE, 1, 0, 0})                          \
    X(share, "alpha_U times lambda", {IN_EXTREME, OUT_PATTERN, STEP_SHARE, 1, 0, 0})                              \
    X(each, "each multiplier clipped by itself", {IN_EXTREME, OUT_PATTERN, STEP_EACH, 1, 0, 0})                   \
    X(normalised, "clamped and normalised", {IN_EXTREME, OUT_PATTERN, STEP_NORMALISED, 1, 0, 0})                  \
    X(projected, "unclipped and projected", {IN_EXTREME, OUT_PATTERN, STEP_PROJECTED, 1, 0, 0})                   \
    X(anynormalised, "U of any multiplier, normalised", {IN_EXTREME, OUT_ANY, STEP_NORMALISED, 1, 0, 0})          \
    X(anyprojected, "U of any multiplier, projected", {IN_EXTREME, OUT_ANY, STEP_PROJECTED, 1, 0, 0})    \
    X(anyroom, "U of any multiplier, those with room, projected", {IN_ROOM, OUT_ANY, STEP_PROJECTED, 1, 0, 0})

#define ADDRESS(id, text, ...) &solver_##id,
#define ROW(id, text, ...) {&solver_##id, __VA_ARGS__},
#define SOLVER(id, text, ...)                                                                     \
    static const struct solver solver_##id = {                                                    \
        .name = "mu-mdm-" #id,                                                                    \
        .title = "a reading of mu-MDM: " text,                                                    \
        .reference = "after Lopez, Barbero and Dorronsoro 2011, Section 3, eq. 10",               \
        HULL_SOLVER,                                                                              \
        .parameters = PARAMETERS(&parameter_mu),                                                         \
        .may_stall = 1,                                                                           \
        .converges_slowly = 1,                                                                    \
        .state_size = state_size,                                                                 \
        .init = init,                                                                             \
        .select = select,                                                                         \
        .update = update,                                                                         \
    };

READINGS(SOLVER)

static const struct {
    const struct solver *solver;
    struct reading reading;
} readings[] = {READINGS(ROW)};

static const struct reading *reading_of(const struct solver *solver)
{
    size_t k = 0;
    while (readings[k].solver != solver)
        k++;
    return &readings[k].reading;
}

HULLBENCH_PLUGIN(READINGS(ADDRESS) NULL);
