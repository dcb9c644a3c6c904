/*
 * A primal-dual interior-point method with predictor and corrector (Mehrotra 1992) for the nearest points of mu-reduced
 * hulls: min 1/2 alpha'Q alpha, 0 <= alpha <= mu, each class c of sum 1, Q_ij = y_i y_j k_ij. Interior-point methods
 * for SVMs: Fine and Scheinberg (2001), Ferris and Munson (2003). Here the matrix is dense, without any approximation.
 *
 * With s = mu - alpha, multipliers z and v of the bounds 0 and mu, and lambda_c of the sums, the optimality conditions
 * are
 *
 *     Q alpha - lambda - z + v = 0,  sum_c alpha = 1,  alpha z = 0,  s v = 0,  alpha, s, z, v >= 0.
 *
 * An iteration is a Newton step for these with alpha z = s v = sigma m instead of 0, m = (alpha'z + s'v) / 2n:
 *
 *     (Q + z/alpha + v/s) d_alpha - d_lambda = -(Q alpha - lambda) + sigma m (1/alpha - 1/s) - corrections,
 *
 * once with sigma = 0 (predictor: d_alpha d_z and d_alpha d_v of that step are the corrections, and sigma = (m after
 * it / m)^3), once with both (corrector). All variables take the same step length, INTERIOR_STEP_SHARE of the distance
 * to the first bound, at most 1. All start in the interior: alpha at the barycentres, z and v around the slopes there.
 *
 * rho E is added to the matrix, where E_ij = 1 if i and j are in the same class and rho is the median of the diagonal
 * of Q, or its mean if half of it is 0. As the sums of d_alpha are known, this changes only d_lambda. Without it,
 * directions that do not move W but change the sums of alpha would be determined only by z/alpha and v/s, which vanish
 * where alpha is inside: for kernel matrices of low rank all digits would be lost.
 *
 * The matrix is factored in each iteration, by Cholesky's method row by row: some N^3 / 6 multiplications and as many
 * additions, in sums of fixed order, so that the bits do not depend on the vector width. This, not kernel operations,
 * determines the cost of an iteration. It requests the lower half of the rows, and N^2 operations for Q alpha, as no
 * multiplier is 0. A class whose reduced hull is a single point does not move. Memory: 8 N^2 bytes.
 *
 * No multiplier is 0 at the end either: those that are 0 at the optimum become as small as the gap. The method ends
 * (`stalled`) when alpha'z + s'v is at the level of rounding, when the gap has not decreased in MAX_IDLE iterations, or
 * when a step would change the sums of alpha, because d_alpha is so large that only rounding is left.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solvers/dense/interior_point.h"
#include "solvers/dense/interior_step.h"
#include "solvers/hull/smallest.h"

enum { MAX_IDLE = 5 };

static void layout(struct interior_point *ip, struct arena *arena, size_t n)
{
    double **const vectors[] = {&ip->alpha,           &ip->s,           &ip->z,           &ip->v,           &ip->slope,
                                &ip->predictor.alpha, &ip->predictor.z, &ip->predictor.v, &ip->corrector.alpha,
                                &ip->corrector.z,     &ip->corrector.v, &ip->column[0],
                                &ip->column[1],       &ip->row};
    ip->free = arena_take(arena, n * sizeof *ip->free);
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = arena_doubles(arena, n);
    ip->factor = arena_doubles(arena, n * simd_padded(n));
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {.used = hull_state_size(sizeof(struct interior_point), 0, problem->n)};
    struct interior_point ip;
    if (arena.used != SIZE_MAX)
        layout(&ip, &arena, problem->n);
    return arena.used;
}

static int class_of(const struct interior_point *ip, size_t k)
{
    return class_index(ip->hull.y[ip->free[k]]);
}

/* Q alpha, from D and E. */
static void find_slope(struct interior_point *ip)
{
    for (size_t k = 0; k < ip->n_free; k++)
        ip->slope[k] = ip->hull.y[ip->free[k]] * hull_projection(&ip->hull, ip->free[k]);
}

/* lambda are the mean slopes, and z - v = slope - lambda, so that only alpha z and s v are nonzero. */
static void start_multipliers(struct interior_point *ip)
{
    double distance = 0;
    find_slope(ip);
    for (int c = 0; c < 2; c++) {
        double sum = 0;
        for (size_t k = 0; k < ip->n_free; k++)
            sum += class_of(ip, k) == c ? ip->slope[k] : 0;
        ip->lambda[c] = sum / (double)ip->hull.count[c];
    }
    for (size_t k = 0; k < ip->n_free; k++)
        distance += fabs(ip->slope[k] - ip->lambda[class_of(ip, k)]) / (double)ip->n_free;
    for (size_t k = 0; k < ip->n_free; k++) {
        double above = ip->slope[k] - ip->lambda[class_of(ip, k)];
        ip->z[k] = fmax(above, 0) + distance;
        ip->v[k] = fmax(-above, 0) + distance;
    }
}

/* The median of the diagonal of Q, or its mean if that is 0; notes its largest element. Uses `row` and `free` as
 * scratch. */
static double penalty_of_diagonal(struct interior_point *ip, struct oracle *oracle)
{
    size_t n = ip->hull.n, half = (n + 1) / 2;
    double sum = 0;
    oracle_diagonal(oracle, ip->row);
    for (size_t j = 0; j < n; j++) {
        ip->free[j] = j;
        sum += ip->row[j];
        ip->hull.largest_norm2 = fmax(ip->hull.largest_norm2, ip->row[j]);
    }
    smallest_partition(ip->free, n, half, ip->row);
    double median = ip->row[ip->free[half - 1]];
    return median > 0 ? median : sum / (double)n;
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    const double rounding = 1e-12; /* as in hull.c for a sigma of 0 */
    struct interior_point *ip = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *ip);
    enum status status = hull_start(&ip->hull, &arena, problem, hull_mu(problem), oracle);
    layout(ip, &arena, problem->n);
    if (status != STATUS_OK)
        return status;
    ip->penalty = penalty_of_diagonal(ip, oracle);
    for (int c = 0; c < 2; c++) {
        double count = (double)ip->hull.count[c];
        ip->is_fixed[c] = count == 1 || ip->hull.mu * count <= 1 + rounding;
    }
    for (size_t j = 0; j < problem->n; j++)
        if (!ip->is_fixed[class_index(problem->y[j])])
            ip->free[ip->n_free++] = j;
    for (size_t k = 0; k < ip->n_free; k++) {
        ip->alpha[k] = ip->hull.weights[class_of(ip, k)][ip->free[k]];
        ip->s[k] = ip->hull.mu - ip->alpha[k];
    }
    start_multipliers(ip);
    ip->least_gap = INFINITY;
    return STATUS_OK;
}

static enum status select(void *state, struct progress *progress)
{
    struct interior_point *ip = state;
    dense_fill_progress(&ip->hull, progress);
    ip->gap = progress->delta;
    return STATUS_OK;
}

static double *factor_row(const struct interior_point *ip, size_t k)
{
    return ip->factor + k * ip->hull.n_padded;
}

/* L L' = Q + rho E + z/alpha + v/s. A pivot that is pure rounding error is made so large that its variable does not
 * move. */
static void factor(struct interior_point *ip, struct oracle *oracle)
{
    const double huge = 1e100; /* relative to the diagonal element */
    const struct hull *hull = &ip->hull;
    for (size_t k = 0; k < ip->n_free; k++) {
        size_t i = ip->free[k];
        const double *kernel = oracle_row_part(oracle, i, k + 1);
        double *row = factor_row(ip, k);
        for (size_t l = 0; l <= k; l++)
            ip->row[l] = hull->y[i] * hull->y[ip->free[l]] * kernel[ip->free[l]] +
                         (hull->y[i] == hull->y[ip->free[l]] ? ip->penalty : 0);
        memset(row, 0, hull->n_padded * sizeof *row);
        for (size_t l = 0; l < k; l++) {
            const double *other = factor_row(ip, l);
            row[l] = (ip->row[l] - hull->simd->dot(simd_padded(l), row, other)) / other[l];
        }
        double diagonal = ip->row[k] + (ip->z[k] / ip->alpha[k] + ip->v[k] / ip->s[k]);
        double pivot = diagonal - hull->simd->dot(simd_padded(k), row, row);
        row[k] = sqrt(pivot > DBL_EPSILON * diagonal ? pivot : huge * diagonal);
    }
}

/* x = (L L')^-1 x; x is 0 from n_free on. */
static void solve(const struct interior_point *ip, double *x)
{
    const struct simd *simd = ip->hull.simd;
    for (size_t k = 0; k < ip->n_free; k++) {
        const double *row = factor_row(ip, k);
        double right = x[k], left;
        size_t whole = k / SIMD_LANES * SIMD_LANES;
        left = simd->dot(whole, row, x);
        for (size_t l = whole; l < k; l++)
            left += row[l] * x[l];
        x[k] = (right - left) / row[k];
    }
    for (size_t k = ip->n_free; k-- > 0;) {
        const double *row = factor_row(ip, k);
        double value = x[k] / row[k];
        simd->axpy(simd_padded(k), -value, row, x); /* also changes x[k]; row is 0 after k */
        x[k] = value;
    }
}

static double class_sum(const struct interior_point *ip, int c, const double *x)
{
    double sum = 0;
    for (size_t k = 0; k < ip->n_free; k++)
        sum += class_of(ip, k) == c ? x[k] : 0;
    return sum;
}

/* The inverse times 1 on the patterns of each class. */
static void find_columns(struct interior_point *ip)
{
    for (int c = 0; c < 2; c++) {
        memset(ip->column[c], 0, ip->hull.n_padded * sizeof(double));
        for (size_t k = 0; k < ip->n_free; k++)
            ip->column[c][k] = class_of(ip, k) == c;
        solve(ip, ip->column[c]);
    }
}

/* d_lambda for which both sums of d_alpha = x + d_lambda columns correct the sums of alpha. */
static void find_lambda(const struct interior_point *ip, const double *x, double *lambda)
{
    double m[2][2], lack[2];
    for (int c = 0; c < 2; c++) {
        lack[c] = ip->is_fixed[c] ? 0 : (1 - class_sum(ip, c, ip->alpha)) - class_sum(ip, c, x);
        for (int d = 0; d < 2; d++)
            m[c][d] = ip->is_fixed[c] ? c == d : class_sum(ip, c, ip->column[d]);
    }
    double determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    lambda[0] = (lack[0] * m[1][1] - lack[1] * m[0][1]) / determinant;
    lambda[1] = (lack[1] * m[0][0] - lack[0] * m[1][0]) / determinant;
}

/* Distributes the rounding error in the sums of d_alpha over variables far from their bounds. */
static void correct_sums(const struct interior_point *ip, double *x)
{
    for (int c = 0; c < 2; c++) {
        double lack = (1 - class_sum(ip, c, ip->alpha)) - class_sum(ip, c, x), room = 0;
        for (size_t k = 0; k < ip->n_free; k++)
            room += class_of(ip, k) == c ? fmin(ip->alpha[k], ip->s[k]) : 0;
        for (size_t k = 0; k < ip->n_free; k++)
            if (class_of(ip, k) == c)
                x[k] += lack * (fmin(ip->alpha[k], ip->s[k]) / room);
    }
}

/* The step for alpha z = s v = target, with the corrections of `before`, or none if that is NULL. */
static void find_step(struct interior_point *ip, double target, const struct step *before, struct step *step)
{
    double *x = step->alpha;
    for (size_t k = 0; k < ip->n_free; k++) {
        double to_z = target - (before ? before->alpha[k] * before->z[k] : 0);
        double to_v = target + (before ? before->alpha[k] * before->v[k] : 0); /* d_s = -d_alpha */
        x[k] = ip->lambda[class_of(ip, k)] - ip->slope[k] + to_z / ip->alpha[k] - to_v / ip->s[k];
        step->z[k] = to_z / ip->alpha[k] - ip->z[k];
        step->v[k] = to_v / ip->s[k] - ip->v[k];
    }
    solve(ip, x);
    find_lambda(ip, x, step->lambda);
    for (size_t k = 0; k < ip->n_free; k++)
        x[k] += step->lambda[0] * ip->column[0][k] + step->lambda[1] * ip->column[1][k];
    correct_sums(ip, x);
    for (size_t k = 0; k < ip->n_free; k++) {
        step->z[k] -= ip->z[k] / ip->alpha[k] * x[k];
        step->v[k] += ip->v[k] / ip->s[k] * x[k];
    }
}

static struct interior_values values_of(const struct interior_point *ip)
{
    return (struct interior_values){ip->n_free, ip->alpha, ip->s, ip->z, ip->v};
}

static struct interior_step step_of(const struct step *step)
{
    return (struct interior_step){step->alpha, step->z, step->v};
}

/* m after a step of that length. */
static double mean_product(const struct interior_values *values, const struct interior_step *step, double length)
{
    return interior_products(values, step, length) / (2 * (double)values->n);
}

/* Whether each class still sums to 1 after a step of that length. */
static int keeps_sums(const struct interior_point *ip, const struct step *step, double length)
{
    const double most = 1e-12; /* usually some units in the last place */
    double sum[2] = {0, 0};
    for (size_t k = 0; k < ip->n_free; k++)
        sum[class_of(ip, k)] += ip->alpha[k] + length * step->alpha[k];
    return (ip->is_fixed[0] || fabs(sum[0] - 1) <= most) && (ip->is_fixed[1] || fabs(sum[1] - 1) <= most);
}

static void move(struct interior_point *ip, const struct step *step, double length)
{
    struct hull *hull = &ip->hull;
    const struct interior_values values = values_of(ip);
    const struct interior_step change = step_of(step);
    interior_move(&values, &change, length);
    for (size_t k = 0; k < ip->n_free; k++)
        hull->weights[class_of(ip, k)][ip->free[k]] = fmin(ip->alpha[k], hull->mu);
    for (int c = 0; c < 2; c++)
        ip->lambda[c] += length * step->lambda[c];
    hull->norms_state = NORMS_STALE;
}

/* Whether rounding prevents further progress: the gap does not decrease, or alpha'z + s'v, with which it decreases, is
 * below the rounding of |W+|^2 and |W-|^2. Where both hulls hold the origin, these may tend to 0 as well; but no W is
 * known better than to the rounding of the |X_j|. */
static int is_done(struct interior_point *ip)
{
    const struct interior_values values = values_of(ip);
    const struct interior_step predictor = step_of(&ip->predictor);
    double products = 2 * (double)ip->n_free * mean_product(&values, &predictor, 0);
    ip->idle = ip->gap < ip->least_gap ? 0 : ip->idle + 1;
    ip->least_gap = fmin(ip->least_gap, ip->gap);
    double rounding =
        DBL_EPSILON * (ip->hull.norms.a + ip->hull.norms.b + DBL_EPSILON * ip->hull.largest_norm2);
    return ip->idle > MAX_IDLE || !(products > rounding);
}

static enum status update(void *state, struct oracle *oracle)
{
    struct interior_point *ip = state;
    struct hull *hull = &ip->hull;
    const struct interior_values values = values_of(ip);
    const struct interior_step predictor = step_of(&ip->predictor), corrector = step_of(&ip->corrector);
    if (ip->n_free == 0 || is_done(ip))
        return STATUS_STALLED;
    find_slope(ip);
    factor(ip, oracle);
    find_columns(ip);
    find_step(ip, 0, NULL, &ip->predictor);
    double now = mean_product(&values, &predictor, 0);
    double share = mean_product(&values, &predictor, fmin(interior_max_length(&values, &predictor), 1)) / now;
    find_step(ip, share * share * share * now, &ip->predictor, &ip->corrector);
    double length = INTERIOR_STEP_SHARE * interior_max_length(&values, &corrector);
    if (!(length * mean_product(&values, &corrector, 0) > 0) ||
        !(mean_product(&values, &corrector, length) < INFINITY) || !keeps_sums(ip, &ip->corrector, length))
        return STATUS_STALLED; /* the remainder cannot be distinguished from 0 in double precision */
    move(ip, &ip->corrector, length);
    for (int c = 0; c < 2; c++)
        if (!ip->is_fixed[c]) {
            memset(hull->products[c], 0, hull->n_padded * sizeof(double));
            oracle_expand(oracle, hull->weights[c], hull->products[c]);
        }
    return STATUS_OK;
}

extern const struct solver solver_interior_point;
const struct solver solver_interior_point = {
    .name = "interior-point",
    .title = "primal-dual interior point, mu-reduced hulls",
    .reference = "Mehrotra 1992; for SVMs Fine and Scheinberg 2001, Ferris and Munson 2003",
    HULL_SOLVER,
    .parameters = PARAMETERS(&parameter_mu),
    .setup_cost = {.is_stated = 1, .n2 = 1, .n = 1},
    .iteration_cost = {.is_stated = 1, .at_most = 1, .n2 = 2},
    .ignores_tolerance = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
};
