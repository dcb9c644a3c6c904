/*
 * The corral, see corral.h.
 *
 * With W = sum w_p P_p and g_p = W . P_p, the path d from W to the smallest point of the affine hull minimises
 * |W + sum d_p P_p|^2 over sum d = 0. Let A = shift 1 1' + P'P, which is positive definite if the points are affinely
 * independent, even if 0 is in their affine hull (Wolfe 1976, Section 6, with 1 for the shift). Then
 *
 *     d = -A^-1 (g - t 1),  t = (1' A^-1 g) / (1' A^-1 1).
 *
 * Wolfe solves for the new weights. Solving for their change, with g from the current weights, makes each step a
 * refinement of the last, so that the error of L does not accumulate. One such step is made after the smallest point is
 * reached. d does not change if a multiple of 1 is subtracted from g; with g minus |W|^2 little is lost if points are
 * nearly dependent.
 *
 * L gains a row when a point enters; when one leaves, its columns are rotated. The new pivot is the squared distance of
 * the point from the span of the others, with sqrt(shift) appended. If points are nearly dependent, rounding may make
 * it smaller than the caller's lower bound, and then that bound is the pivot. d is then long, and its first part swaps
 * points. After REFACTOR points have left, L is recomputed.
 */
#include "solvers/dense/corral.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { REFACTOR = 64, FULL_STEPS = 2 };

void corral_layout(struct corral *corral, struct arena *arena, size_t max)
{
    corral->max = max;
    corral->stride = simd_padded(max);
    corral->place = arena_take(arena, max * sizeof *corral->place);
    corral->gram = arena_doubles(arena, max * corral->stride);
    corral->factor = arena_doubles(arena, max * corral->stride);
    double **const vectors[] = {&corral->weight, &corral->direction, &corral->gradient,
                                &corral->ones,   &corral->rhs,       &corral->solved};
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++)
        *vectors[v] = arena_doubles(arena, max);
}

double *corral_products(const struct corral *corral, size_t place)
{
    return corral->gram + place * corral->stride;
}

size_t corral_free_place(const struct corral *corral)
{
    return corral->place[corral->count];
}

static double *factor_row(const struct corral *corral, size_t p)
{
    return corral->factor + p * corral->stride;
}

/* x = L^-1 b over the first `count` points; x is 0 after them. */
static void solve_lower(const struct corral *corral, size_t count, const double *b, double *x)
{
    memset(x, 0, corral->stride * sizeof *x);
    for (size_t p = 0; p < count; p++) {
        const double *row = factor_row(corral, p);
        x[p] = (b[p] - corral->simd->dot(simd_padded(p), row, x)) / row[p];
    }
}

/* x = L'^-1 x */
static void solve_upper(const struct corral *corral, double *x)
{
    for (size_t p = corral->count; p-- > 0;) {
        const double *row = factor_row(corral, p);
        double value = x[p] / row[p];
        corral->simd->axpy(simd_padded(p), -value, row, x); /* also changes x[p]; row is 0 after p */
        x[p] = value;
    }
}

/* Computes row p of the factor from the rows before it; no pivot is below min_pivot. */
static void factor_point(struct corral *corral, size_t p, double min_pivot)
{
    const double *products = corral_products(corral, corral->place[p]);
    double *row = factor_row(corral, p);
    for (size_t q = 0; q < p; q++)
        corral->rhs[q] = corral->shift + products[corral->place[q]];
    solve_lower(corral, p, corral->rhs, row);
    double pivot = corral->shift + products[corral->place[p]] - corral->simd->dot(simd_padded(p), row, row);
    row[p] = sqrt(pivot > min_pivot ? pivot : min_pivot);
}

static void factor_all(struct corral *corral)
{
    for (size_t p = 0; p < corral->count; p++)
        factor_point(corral, p, DBL_EPSILON * corral->shift);
    corral->rotated = 0;
}

void corral_reset(struct corral *corral, double norm2)
{
    for (size_t p = 0; p < corral->max; p++)
        corral->place[p] = p;
    memset(corral->weight, 0, corral->stride * sizeof *corral->weight);
    memset(corral->direction, 0, corral->stride * sizeof *corral->direction);
    corral->count = corral->used = 1;
    corral->gram[0] = norm2;
    corral->weight[0] = 1;
    corral->shift = norm2;
    factor_all(corral);
}

void corral_enter(struct corral *corral, double distance2)
{
    enum { MUCH_LARGER = 16 };
    size_t place = corral_free_place(corral), p = corral->count++;
    const double *products = corral_products(corral, place);
    if (place >= corral->used)
        corral->used = place + 1;
    for (size_t q = 0; q < p; q++)
        corral_products(corral, corral->place[q])[place] = products[corral->place[q]];
    corral->weight[place] = corral->direction[place] = 0;
    if (products[place] > MUCH_LARGER * corral->shift) {
        corral->shift = products[place];
        factor_all(corral);
    } else
        factor_point(corral, p, distance2);
}

/* Rotates columns q and q + 1 of the rows from q on so that entry (q, q + 1) becomes 0. */
static void rotate(struct corral *corral, size_t q)
{
    double *first = factor_row(corral, q);
    double length = sqrt(first[q] * first[q] + first[q + 1] * first[q + 1]);
    double cosine = first[q] / length, sine = first[q + 1] / length;
    for (size_t p = q; p < corral->count; p++) {
        double *row = factor_row(corral, p), left = row[q], right = row[q + 1];
        row[q] = cosine * left + sine * right;
        row[q + 1] = cosine * right - sine * left;
    }
    first[q + 1] = 0;
}

static void leave(struct corral *corral, size_t p)
{
    size_t place = corral->place[p], behind = --corral->count - p;
    corral->weight[place] = corral->direction[place] = 0;
    memmove(corral->place + p, corral->place + p + 1, behind * sizeof *corral->place);
    corral->place[corral->count] = place;
    memmove(factor_row(corral, p), factor_row(corral, p + 1), behind * corral->stride * sizeof *corral->factor);
    if (++corral->rotated >= REFACTOR)
        factor_all(corral);
    else
        for (size_t q = p; q < corral->count; q++)
            rotate(corral, q);
}

/* gradient = g - (sum w g) 1, which is small if the path is short. */
static void find_gradient(struct corral *corral)
{
    const struct simd *simd = corral->simd;
    double mean = 0;
    for (size_t p = 0; p < corral->count; p++) {
        size_t place = corral->place[p];
        corral->gradient[p] = simd->dot(simd_padded(corral->used), corral_products(corral, place), corral->weight);
        mean += corral->weight[place] * corral->gradient[p];
    }
    for (size_t p = 0; p < corral->count; p++)
        corral->gradient[p] -= mean;
}

/* x = A^-1 b. Returns the sum of x. */
static double solve(const struct corral *corral, const double *b, double *x)
{
    double sum = 0;
    solve_lower(corral, corral->count, b, x);
    solve_upper(corral, x);
    for (size_t p = 0; p < corral->count; p++)
        sum += x[p];
    return sum;
}

/* Fills in `direction`, of sum 0. Returns g . d, the slope of 1/2 |W + t sum d_p P_p|^2 at t = 0. */
static double find_direction(struct corral *corral)
{
    double *direction = corral->direction, sum = 0, slope = 0;
    find_gradient(corral);
    for (size_t p = 0; p < corral->count; p++)
        corral->rhs[p] = 1;
    double level = solve(corral, corral->gradient, corral->solved) / solve(corral, corral->rhs, corral->ones);
    for (size_t p = 0; p < corral->count; p++) {
        direction[corral->place[p]] = level * corral->ones[p] - corral->solved[p];
        sum += direction[corral->place[p]];
    }
    for (size_t p = 0; p < corral->count; p++) { /* removes the rounding error of the sum */
        direction[corral->place[p]] -= sum * corral->weight[corral->place[p]];
        slope += corral->gradient[p] * direction[corral->place[p]];
    }
    return slope;
}

static double curvature_of(const struct corral *corral)
{
    double curvature = 0;
    for (size_t p = 0; p < corral->count; p++)
        curvature += corral->direction[corral->place[p]] *
                     corral->simd->dot(simd_padded(corral->used), corral_products(corral, corral->place[p]),
                                       corral->direction);
    return curvature;
}

/* The largest step along the direction that keeps all weights >= 0, and the point that limits it. */
static double max_step_of(const struct corral *corral, size_t *at)
{
    double most = INFINITY;
    for (size_t p = 0; p < corral->count; p++) {
        double d = corral->direction[corral->place[p]], weight = corral->weight[corral->place[p]];
        if (d < 0 && weight < -d * most) {
            most = weight / -d;
            *at = p;
        }
    }
    return most;
}

/* Normalises the weights: rounding errors in their sum would accumulate. */
static void move(struct corral *corral, double step)
{
    double sum = 0;
    for (size_t p = 0; p < corral->count; p++) {
        double *weight = &corral->weight[corral->place[p]];
        *weight = fmax(*weight + step * corral->direction[corral->place[p]], 0);
        sum += *weight;
    }
    corral->simd->scale(simd_padded(corral->used), 1 / sum, corral->weight);
}

size_t corral_minimise(struct corral *corral)
{
    size_t left = 0, at = 0;
    for (int full = 0; full < FULL_STEPS && corral->count > 1;) {
        double slope = find_direction(corral);
        if (!(slope < 0))
            break;
        double curvature = curvature_of(corral), most = max_step_of(corral, &at);
        double step = curvature > -slope ? -slope / curvature : 1; /* 1 except for rounding */
        move(corral, fmin(step, most));
        full += step < most;
        if (step >= most) {
            leave(corral, at);
            left++;
        }
    }
    return left;
}
