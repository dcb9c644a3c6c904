/*
 * Alternates between steps along pairs and conjugate gradients on faces.
 *
 * A pair moves weight from one variable to another, so sum d = 0 is preserved. The first variable has the smallest
 * gradient among those that may increase; the second lowers the objective most together with it (Fan, Chen and Lin
 * 2005, but with the true decrease of the clipped step, so that a pair without curvature, two equal patterns, needs no
 * special case). The pairs identify the active bounds. On the face of the free variables, the residual r is minus the
 * gradient less its mean. Conjugate gradients along r end at the first bound or after as many steps as the face has
 * dimensions. They handle a singular block directly: r has no component in the null space of K, except along a
 * direction in which the objective falls linearly until a bound.
 *
 * Every step is the exact minimum along its line, so the objective never increases. Each pair lowers it by at least as
 * much as the most violating pair would, and only finitely many pairs lower it by more than a given amount. The number
 * of steps is limited nevertheless, in case of rounding.
 */
#include "solvers/decomposition/inner_qp.h"

#include <float.h>
#include <math.h>

void inner_qp_layout(struct inner_qp *qp, struct arena *arena, size_t max)
{
    qp->k = arena_take(arena, max * max * sizeof *qp->k);
    qp->x = arena_doubles(arena, max);
    qp->g = arena_doubles(arena, max);
    qp->lower = arena_doubles(arena, max);
    qp->upper = arena_doubles(arena, max);
    qp->direction = arena_doubles(arena, max);
    qp->product = arena_doubles(arena, max);
}

static double curvature(const struct inner_qp *qp, size_t i, size_t j)
{
    size_t n = qp->count;
    return (qp->k[i * n + i] - qp->k[i * n + j]) + (qp->k[j * n + j] - qp->k[j * n + i]);
}

/* The step of the pair and the decrease of the objective. */
static double pair_step(const struct inner_qp *qp, size_t up, size_t low, double *decrease)
{
    double max_step = fmin(qp->upper[up] - qp->x[up], qp->x[low] - qp->lower[low]), delta = qp->g[low] - qp->g[up];
    double bend = curvature(qp, up, low), step = bend > 0 && delta < max_step * bend ? delta / bend : max_step;
    *decrease = step * (delta - 0.5 * step * fmax(bend, 0));
    return step;
}

/* The variable of smallest gradient that may increase, and the largest violation of a pair with it; -INFINITY if
 * none. */
static double find_up(const struct inner_qp *qp, size_t *up)
{
    double min = INFINITY, max = -INFINITY;
    for (size_t i = 0; i < qp->count; i++) {
        if (qp->g[i] < min && qp->x[i] < qp->upper[i]) {
            min = qp->g[i];
            *up = i;
        }
        if (qp->g[i] > max && qp->x[i] > qp->lower[i])
            max = qp->g[i];
    }
    return max - min;
}

/* x_i += change, exactly to a bound that is reached. Nonzero if x_i has changed. */
static int shift(struct inner_qp *qp, size_t i, double change)
{
    double moved = fmin(fmax(qp->x[i] + change, qp->lower[i]), qp->upper[i]);
    int changed = moved != qp->x[i];
    qp->x[i] = moved;
    return changed;
}

/* Nonzero if both variables have moved. */
static int move_best_pair(struct inner_qp *qp, size_t up)
{
    size_t n = qp->count, low = n;
    double best = 0, best_step = 0, decrease;
    for (size_t j = 0; j < n; j++) {
        if (!(qp->g[j] > qp->g[up] && qp->x[j] > qp->lower[j]))
            continue;
        double step = pair_step(qp, up, j, &decrease);
        if (decrease > best) {
            best = decrease;
            best_step = step;
            low = j;
        }
    }
    if (low == n)
        return 0;
    double room_up = qp->upper[up] - qp->x[up], room_low = qp->x[low] - qp->lower[low];
    for (size_t t = 0; t < n; t++)
        qp->g[t] += best_step * (qp->k[up * n + t] - qp->k[low * n + t]);
    int moved = best_step >= room_up ? (qp->x[up] = qp->upper[up], 1) : shift(qp, up, best_step);
    return (best_step >= room_low ? (qp->x[low] = qp->lower[low], 1) : shift(qp, low, -best_step)) && moved;
}

static int is_free(const struct inner_qp *qp, size_t i)
{
    return qp->x[i] > qp->lower[i] && qp->x[i] < qp->upper[i];
}

/* The face of the free variables: their number, the mean of their gradients, and r . r for r_i = mean - g_i. */
struct face {
    size_t members;
    double mean, square;
};

static struct face look_at_face(const struct inner_qp *qp)
{
    struct face face = {0};
    for (size_t i = 0; i < qp->count; i++)
        if (is_free(qp, i)) {
            face.mean += qp->g[i];
            face.members++;
        }
    face.mean /= (double)(face.members ? face.members : 1);
    for (size_t i = 0; i < qp->count; i++)
        if (is_free(qp, i))
            face.square += (face.mean - qp->g[i]) * (face.mean - qp->g[i]);
    return face;
}

/* Minimises along the direction; nonzero if a bound ended the step. */
static int move_along(struct inner_qp *qp)
{
    size_t n = qp->count, blocking = n;
    double slope = 0, bend = 0, max_step = INFINITY;
    for (size_t i = 0; i < n; i++) {
        double sum = 0, p = qp->direction[i];
        for (size_t j = 0; j < n; j++)
            sum += qp->k[i * n + j] * qp->direction[j];
        qp->product[i] = sum;
        bend += p * sum;
        slope -= p * qp->g[i];
        double to_bound = p > 0 ? (qp->upper[i] - qp->x[i]) / p : p < 0 ? (qp->lower[i] - qp->x[i]) / p : INFINITY;
        if (to_bound < max_step) {
            max_step = to_bound;
            blocking = i;
        }
    }
    if (!(slope > 0) || blocking == n)
        return 1;
    int inside = bend > 0 && slope < max_step * bend;
    double step = inside ? slope / bend : max_step;
    for (size_t i = 0; i < n; i++) {
        qp->g[i] += step * qp->product[i];
        shift(qp, i, step * qp->direction[i]);
    }
    if (!inside)
        qp->x[blocking] = qp->direction[blocking] > 0 ? qp->upper[blocking] : qp->lower[blocking];
    return !inside;
}

/* direction = r + beta direction on the face, 0 elsewhere. r is a difference of larger numbers, so its sum is 0 only up
 * to their rounding error, which a long step would amplify. Subtracting the mean again leaves only the rounding error
 * of r itself. */
static void turn(struct inner_qp *qp, const struct face *face, double beta)
{
    double sum = 0;
    for (size_t i = 0; i < qp->count; i++) {
        qp->direction[i] = is_free(qp, i) ? face->mean - qp->g[i] + beta * qp->direction[i] : 0;
        sum += qp->direction[i];
    }
    for (size_t i = 0; i < qp->count; i++)
        if (is_free(qp, i))
            qp->direction[i] -= sum / (double)face->members;
}

static void minimise_on_face(struct inner_qp *qp, double tolerance)
{
    struct face face = look_at_face(qp);
    double before = INFINITY; /* r . r of the last step; initially beta = 0 */
    for (size_t k = 1; k < face.members && face.square > tolerance * tolerance; k++) {
        turn(qp, &face, face.square / before);
        before = face.square;
        if (move_along(qp))
            return;
        face = look_at_face(qp);
    }
}

/* Smaller violations do not justify a step: 1e-12 of the gradient's magnitude, plus the rounding error of its
 * products. */
static double smallest_violation(const struct inner_qp *qp, double scale)
{
    double largest = 0, sum = 0;
    for (size_t i = 0; i < qp->count; i++) {
        largest = fmax(largest, qp->k[i * qp->count + i]); /* no entry of K exceeds its largest diagonal entry */
        sum += fabs(qp->x[i]);
    }
    return fmax(1e-12 * scale, 4 * DBL_EPSILON * largest * sum);
}

static double sum_of(const struct inner_qp *qp)
{
    double sum = 0;
    for (size_t i = 0; i < qp->count; i++)
        sum += qp->x[i];
    return sum;
}

/* Subtracts the rounding error in sum x from the free variable farthest from its bounds, so that it does not accumulate
 * over iterations. */
static void restore_sum(struct inner_qp *qp, double before)
{
    size_t best = qp->count;
    double max = 0, added = sum_of(qp) - before;
    for (size_t i = 0; i < qp->count; i++) {
        double to_bound = fmin(qp->upper[i] - qp->x[i], qp->x[i] - qp->lower[i]);
        if (to_bound > max) {
            max = to_bound;
            best = i;
        }
    }
    if (fabs(added) < max)
        qp->x[best] -= added;
}

void inner_qp_solve(struct inner_qp *qp)
{
    size_t up = 0, limit = 1000 + 100 * qp->count;
    double scale = 1, before = sum_of(qp);
    for (size_t i = 0; i < qp->count; i++)
        scale = fmax(scale, fabs(qp->g[i]));
    double tolerance = smallest_violation(qp, scale);
    for (size_t k = 1; k <= limit && find_up(qp, &up) > tolerance && move_best_pair(qp, up); k++)
        if (k % qp->count == 0) {
            minimise_on_face(qp, tolerance);
            tolerance = smallest_violation(qp, scale);
        }
    restore_sum(qp, before);
}
