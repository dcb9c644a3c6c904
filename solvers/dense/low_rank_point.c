/*
 * The point that low-rank-interior-point hands out. In an iterate no multiplier is at a bound, so it has no support
 * vectors to speak of, and the thresholds of its F_j, between which the bias lies, are far apart. So each iterate gives
 * a point of its own:
 *
 *   1. alpha_j becomes 0 where alpha_j < z_j max alpha and alpha_j < s_j, and C where s_j < v_j max alpha: near the end
 *      alpha_j is of the size of the largest multiplier and z_j small, or the other way round.
 *   2. The others are free. If they are few, at most twice the unknowns, those whose rows (beta, g_j) are independent
 *      take Newton steps with all others fixed,
 *
 *          Q_FF d = 1 - y_F W . X_F - lambda y_F,  y_F' d = -y' alpha,
 *
 *      after which their KKT conditions hold with equality. The matrix is that of the products of their rows: it is
 *      Q_FF + beta^2 y_F y_F', which changes only lambda. It is factored by Cholesky's method, in the order of the
 *      distance from the bounds; a row whose pivot is rounding error depends on the others and does not move.
 *      Multipliers that leave their bounds are put there, and the rest step again. If the result is no improvement,
 *      the free multipliers keep their values from the iterate: the equations may lead far outside the bounds.
 *   3. What is left of sum y alpha, after such steps mostly rounding, is distributed over the free multipliers.
 *
 *   4. If the gap is below SMALL_GAP of the dual value, free multipliers whose rows are sums of those of others move to
 *      a bound, while these others move so that W and sum y alpha stay the same. Otherwise all of several equal
 *      patterns would be free, and tied data would have many support vectors.
 *
 * The point with the smallest duality gap so far is handed out. Once the free patterns are those of the optimum, it is
 * optimal to rounding, many iterations before the iterates are.
 */
#include "solvers/dense/low_rank_interior_point.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_STEPS = 4, BALANCINGS = 3, MAX_PASSES = 8 };
static const double MIN_PIVOT = 1e-11; /* relative to the diagonal element */
static const double SAME = 1e-13; /* relative distance of a row from a sum of rows, of which it then is one */
static const double SMALL_GAP = 0.01;

/* Into `sum`: the sum of y_j alpha_j (beta, g_j). */
static void sum_point(struct low_rank *ip, const struct low_rank_point *point)
{
    for (size_t j = 0; j < ip->n; j++)
        ip->weights[j] = ip->y[j] * point->alpha[j];
    kernel_factor_sum(&ip->factor, ip->weights, ip->sum);
}

void low_rank_judge(struct low_rank *ip, struct low_rank_point *point)
{
    const double *f = ip->products;
    double slack = 0;
    sum_point(ip, point);
    ip->sum[0] = 0;
    kernel_factor_products(&ip->factor, ip->sum, ip->products);
    *point = (struct low_rank_point){.alpha = point->alpha, .up = INFINITY, .low = -INFINITY};
    for (size_t j = 0; j < ip->n; j++) {
        double y = ip->y[j], alpha = point->alpha[j], at = f[j] - y;
        if (y > 0 ? alpha < ip->bound : alpha > 0)
            point->up = fmin(point->up, at);
        if (y > 0 ? alpha > 0 : alpha < ip->bound)
            point->low = fmax(point->low, at);
        point->norm2 += alpha * y * f[j];
        point->sum += alpha;
    }
    double bias = -0.5 * (point->up + point->low);
    for (size_t j = 0; j < ip->n; j++)
        slack += fmax(0, 1 - ip->y[j] * (f[j] + bias));
    point->gap = point->norm2 - point->sum + ip->bound * slack;
}

/* The distance of a multiplier from its bounds. */
static double inside(const struct low_rank *ip, const struct low_rank_point *point, size_t j)
{
    return fmin(point->alpha[j], ip->bound - point->alpha[j]);
}

/* Puts multipliers of the iterate on the bounds that they approach, and lists the others. */
static void snap(struct low_rank *ip, struct low_rank_point *point)
{
    double largest = 0;
    for (size_t j = 0; j < ip->n; j++)
        largest = fmax(largest, ip->alpha[j]);
    ip->n_free = 0;
    for (size_t j = 0; j < ip->n; j++) {
        int to_zero = ip->alpha[j] < ip->z[j] * largest && ip->alpha[j] < ip->s[j];
        int to_c = !to_zero && ip->s[j] < ip->v[j] * largest;
        point->alpha[j] = to_zero ? 0 : to_c ? ip->bound : fmin(ip->alpha[j], ip->bound);
        if (inside(ip, point, j) > 0)
            ip->free[ip->n_free++] = j;
    }
}

/* The farthest from the bounds first; ties stay in order. */
static void sort_free(struct low_rank *ip, const struct low_rank_point *point)
{
    for (size_t k = 1; k < ip->n_free; k++) {
        size_t j = ip->free[k], at = k;
        for (; at > 0 && inside(ip, point, ip->free[at - 1]) < inside(ip, point, j); at--)
            ip->free[at] = ip->free[at - 1];
        ip->free[at] = j;
    }
}

/* Moves free patterns with independent rows to the front of the list, and factors the matrix of their products. */
static void choose_moving(struct low_rank *ip)
{
    const struct kernel_factor *factor = &ip->factor;
    ip->n_moving = 0;
    for (size_t k = 0; k < ip->n_free && ip->n_moving <= factor->rank; k++) {
        size_t m = ip->n_moving, i = ip->free[k];
        const double *of_pattern = factor->row[i], square = factor->simd->dot(factor->stride, of_pattern, of_pattern);
        double *row = ip->matrix + m * factor->stride;
        for (size_t l = 0; l < m; l++) {
            const double *other = ip->matrix + l * factor->stride;
            double sign = ip->y[i] * ip->y[ip->free[l]];
            double product = sign * factor->simd->dot(factor->stride, of_pattern, factor->row[ip->free[l]]);
            row[l] = (product - low_rank_dot(factor->simd, l, row, other)) / other[l];
        }
        double pivot = square - low_rank_dot(factor->simd, m, row, row);
        if (!(pivot > MIN_PIVOT * square))
            continue;
        row[m] = sqrt(pivot);
        ip->free[k] = ip->free[m];
        ip->free[m] = i;
        ip->n_moving++;
    }
}

/* A Newton step of the moving multipliers. Returns nonzero if none leaves its bounds. */
static int step_moving(struct low_rank *ip, struct low_rank_point *point)
{
    const struct kernel_factor *factor = &ip->factor;
    double of_moves = 0, of_ones = 0;
    int all_stay = 1;
    sum_point(ip, point);
    double excess = ip->sum[0] / factor->beta;
    ip->sum[0] = 0;
    for (size_t k = 0; k < ip->n_moving; k++) {
        size_t j = ip->free[k];
        ip->ones[k] = ip->y[j];
        ip->moves[k] = 1 - ip->y[j] * factor->simd->dot(factor->stride, factor->row[j], ip->sum);
    }
    low_rank_solve(ip, ip->n_moving, ip->moves);
    low_rank_solve(ip, ip->n_moving, ip->ones);
    for (size_t k = 0; k < ip->n_moving; k++) {
        of_moves += ip->y[ip->free[k]] * ip->moves[k];
        of_ones += ip->y[ip->free[k]] * ip->ones[k];
    }
    double lambda = (excess + of_moves) / of_ones;
    for (size_t k = 0; k < ip->n_moving; k++) {
        size_t j = ip->free[k];
        double moved = point->alpha[j] + (ip->moves[k] - lambda * ip->ones[k]);
        all_stay &= moved > 0 && moved < ip->bound;
        point->alpha[j] = fmin(fmax(moved, 0), ip->bound);
    }
    return all_stay;
}

static void drop_bound(struct low_rank *ip, const struct low_rank_point *point)
{
    size_t kept = 0;
    for (size_t k = 0; k < ip->n_free; k++)
        if (inside(ip, point, ip->free[k]) > 0)
            ip->free[kept++] = ip->free[k];
    ip->n_free = kept;
}

/* Step 2. A second step with the same factor takes away the rounding errors of the first. */
static void solve_for_free(struct low_rank *ip, struct low_rank_point *point)
{
    int refined = 0;
    sort_free(ip, point);
    for (int step = 0; step < MAX_STEPS && ip->n_free > 0 && refined < 2; step++) {
        if (!refined)
            choose_moving(ip);
        refined = step_moving(ip, point) ? refined + 1 : 0;
        drop_bound(ip, point);
    }
}

/* Distributes sum y alpha over the free multipliers, in proportion to their distance from the bounds. Returns zero if
 * that is impossible, or if the multipliers are not finite. */
static int balance(const struct low_rank *ip, struct low_rank_point *point)
{
    const double rounding = DBL_EPSILON * (double)ip->n * ip->bound;
    for (int turn = 0;; turn++) {
        double excess = 0, room = 0;
        for (size_t j = 0; j < ip->n; j++)
            excess += ip->y[j] * point->alpha[j];
        for (size_t k = 0; k < ip->n_free; k++)
            room += inside(ip, point, ip->free[k]);
        if (turn == BALANCINGS || !(fabs(excess) < room) || !(fabs(excess) > 0))
            return fabs(excess) <= rounding;
        for (size_t k = 0; k < ip->n_free; k++) {
            size_t j = ip->free[k];
            double moved = point->alpha[j] - ip->y[j] * (excess * (inside(ip, point, j) / room));
            point->alpha[j] = fmin(fmax(moved, 0), ip->bound);
        }
    }
}

/* Into `moves`: the coefficients of the moving rows whose sum is y_j (beta, g_j). Returns zero if there are none. */
static int express(struct low_rank *ip, size_t j)
{
    const struct kernel_factor *factor = &ip->factor;
    const double *row = factor->row[j], square = factor->simd->dot(factor->stride, row, row);
    for (size_t k = 0; k < ip->n_moving; k++)
        ip->moves[k] = ip->y[j] * ip->y[ip->free[k]] *
                       factor->simd->dot(factor->stride, row, factor->row[ip->free[k]]);
    low_rank_solve(ip, ip->n_moving, ip->moves);
    memset(ip->sum, 0, factor->stride * sizeof(double));
    factor->simd->axpy(factor->stride, ip->y[j], row, ip->sum);
    for (size_t k = 0; k < ip->n_moving; k++)
        factor->simd->axpy(factor->stride, -ip->y[ip->free[k]] * ip->moves[k], factor->row[ip->free[k]], ip->sum);
    return factor->simd->dot(factor->stride, ip->sum, ip->sum) <= SAME * SAME * square;
}

/* The largest part, up to 1, of `step` for multiplier j that keeps the moving ones within their bounds; the first that
 * it puts on a bound. */
static double part_of(const struct low_rank *ip, const struct low_rank_point *point, double step, size_t *first)
{
    double part = 1;
    for (size_t k = 0; k < ip->n_moving; k++) {
        double change = -step * ip->moves[k], alpha = point->alpha[ip->free[k]];
        double room = change < 0 ? alpha : ip->bound - alpha;
        if (fabs(change) * part > room) {
            part = room / fabs(change);
            *first = k;
        }
    }
    return part;
}

/* Step 4 for the free multiplier at place `at`. */
static void move_to_bound(struct low_rank *ip, struct low_rank_point *point, size_t at)
{
    size_t j = ip->free[at], first[2] = {0, 0};
    if (!express(ip, j))
        return;
    const double steps[2] = {-point->alpha[j], ip->bound - point->alpha[j]};
    const double parts[2] = {part_of(ip, point, steps[0], &first[0]), part_of(ip, point, steps[1], &first[1])};
    int up = parts[1] > parts[0];
    for (size_t k = 0; k < ip->n_moving; k++) {
        double *alpha = &point->alpha[ip->free[k]], moved = *alpha - parts[up] * steps[up] * ip->moves[k];
        int arrives = parts[up] < 1 && k == first[up];
        *alpha = arrives ? (steps[up] * ip->moves[k] > 0 ? 0 : ip->bound) : fmin(fmax(moved, 0), ip->bound);
    }
    double moved = point->alpha[j] + parts[up] * steps[up];
    point->alpha[j] = parts[up] < 1 ? fmin(fmax(moved, 0), ip->bound) : up ? ip->bound : 0;
    if (parts[up] < 1 && memcmp(ip->factor.row[j], ip->factor.row[ip->free[first[up]]],
                                ip->factor.stride * sizeof(double)) == 0 &&
        ip->y[j] == ip->y[ip->free[first[up]]]) { /* the same row: it takes the other's place */
        ip->free[at] = ip->free[first[up]];
        ip->free[first[up]] = j;
    }
}

static void move_dependent_to_bounds(struct low_rank *ip, struct low_rank_point *point)
{
    size_t before = SIZE_MAX;
    for (int pass = 0; pass < MAX_PASSES && ip->n_free > ip->factor.rank && ip->n_free < before; pass++) {
        before = ip->n_free;
        choose_moving(ip);
        for (size_t at = ip->n_moving; at < ip->n_free; at++)
            move_to_bound(ip, point, at);
        drop_bound(ip, point);
    }
}

static int improves(struct low_rank *ip)
{
    if (!balance(ip, &ip->trial))
        return 0;
    low_rank_judge(ip, &ip->trial);
    return ip->trial.gap < ip->best.gap;
}

/* Keeps the trial point if its gap is smaller than that of the best one; returns whether it is. */
static int keep_if_better(struct low_rank *ip)
{
    const struct low_rank_point *trial = &ip->trial;
    if (!improves(ip))
        return 0;
    if (ip->n_free > ip->factor.rank && trial->gap <= SMALL_GAP * (trial->sum - 0.5 * trial->norm2)) {
        move_dependent_to_bounds(ip, &ip->trial);
        if (!improves(ip))
            return 0;
    }
    struct low_rank_point last = ip->best;
    ip->best = ip->trial;
    ip->trial = last;
    return 1;
}

void low_rank_hand_out(struct low_rank *ip)
{
    snap(ip, &ip->trial);
    if (ip->n_free <= 2 * (ip->factor.rank + 1)) {
        solve_for_free(ip, &ip->trial);
        if (keep_if_better(ip))
            return;
        snap(ip, &ip->trial);
    }
    keep_if_better(ip);
}
