/*
 * A primal-dual path-following method (Wright, Primal-Dual Interior-Point Methods, 1997, Chapter 5). With slacks w = u - x,
 * multipliers z of x >= 0, v of w >= 0, and lambda of Ax = b, each turn is a Newton step towards
 *
 *     Qx - p - A'lambda - z + v = 0,   Ax = b,   x_j z_j = w_j v_j = t
 *
 * with t a tenth of the present mean, cut so that x, w, z and v stay positive. All it shares with the solvers is the problem.
 */
#include "tests/small_qp.h"

#include <math.h>
#include <stdlib.h>

struct point {
    long double w[QP_MOST], z[QP_MOST], v[QP_MOST], lambda[QP_ROWS];
};

static int bounded(const struct small_qp *qp)
{
    return isfinite(qp->upper) != 0;
}

static long double mean_product(const struct small_qp *qp, const struct point *at)
{
    long double sum = 0;
    for (size_t j = 0; j < qp->n; j++)
        sum += qp->x[j] * at->z[j] + (bounded(qp) ? at->w[j] * at->v[j] : 0);
    return sum / (long double)(qp->n * (bounded(qp) ? 2 : 1));
}

/* Gaussian elimination with row pivots; the solution takes the place of the right-hand side. */
static void eliminate(size_t n, long double m[QP_SYSTEM][QP_SYSTEM + 1])
{
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabsl(m[i][k]) > fabsl(m[pivot][k]))
                pivot = i;
        for (size_t j = 0; j <= n; j++) {
            long double kept = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = kept;
        }
        for (size_t i = 0; i < n; i++) {
            long double factor = i == k ? 0 : m[i][k] / m[k][k];
            for (size_t j = k; factor != 0 && j <= n; j++)
                m[i][j] -= factor * m[k][j];
        }
    }
    for (size_t k = 0; k < n; k++)
        m[k][n] /= m[k][k];
}

/* The linear system of the step in x and lambda. */
static void set_system(const struct small_qp *qp, const struct point *at, long double t,
                       long double m[QP_SYSTEM][QP_SYSTEM + 1])
{
    size_t n = qp->n, all = n + qp->rows;
    for (size_t i = 0; i < n; i++) {
        long double right = qp->p[i] + t / qp->x[i];
        for (size_t j = 0; j < n; j++) {
            m[i][j] = qp->q[i][j];
            right -= qp->q[i][j] * qp->x[j];
        }
        m[i][i] += at->z[i] / qp->x[i];
        if (bounded(qp)) {
            m[i][i] += at->v[i] / at->w[i];
            right -= t / at->w[i];
        }
        for (size_t r = 0; r < qp->rows; r++) {
            m[i][n + r] = -qp->a[r][i];
            m[n + r][i] = qp->a[r][i];
            right += qp->a[r][i] * at->lambda[r];
        }
        m[i][all] = right;
    }
    for (size_t r = 0; r < qp->rows; r++) {
        long double left = qp->b[r];
        for (size_t j = 0; j < n; j++)
            left -= qp->a[r][j] * qp->x[j];
        for (size_t s = 0; s < qp->rows; s++)
            m[n + r][n + s] = 0;
        m[n + r][all] = left;
    }
}

/* The largest share of the step, at most 1, after which value + share * change > 0 still. */
static void cut(long double *share, long double value, long double change)
{
    if (change < 0 && -0.99L * value / change < *share)
        *share = -0.99L * value / change;
}

static void step(struct small_qp *qp, struct point *at)
{
    long double m[QP_SYSTEM][QP_SYSTEM + 1], dz[QP_MOST], dv[QP_MOST] = {0}, share = 1, t = 0.1L * mean_product(qp, at);
    size_t n = qp->n, all = n + qp->rows;
    set_system(qp, at, t, m);
    eliminate(all, m);
    for (size_t j = 0; j < n; j++) {
        long double dx = m[j][all];
        dz[j] = t / qp->x[j] - at->z[j] - at->z[j] / qp->x[j] * dx;
        cut(&share, qp->x[j], dx);
        cut(&share, at->z[j], dz[j]);
        if (bounded(qp)) {
            dv[j] = t / at->w[j] - at->v[j] + at->v[j] / at->w[j] * dx;
            cut(&share, at->w[j], -dx);
            cut(&share, at->v[j], dv[j]);
        }
    }
    for (size_t j = 0; j < n; j++) {
        qp->x[j] += share * m[j][all];
        at->w[j] -= share * m[j][all];
        at->z[j] += share * dz[j];
        at->v[j] += share * dv[j];
    }
    for (size_t r = 0; r < qp->rows; r++)
        at->lambda[r] += share * m[n + r][all];
}

static long double value_of(const struct small_qp *qp)
{
    long double value = 0;
    for (size_t i = 0; i < qp->n; i++) {
        value -= qp->p[i] * qp->x[i];
        for (size_t j = 0; j < qp->n; j++)
            value += 0.5L * qp->x[i] * qp->q[i][j] * qp->x[j];
    }
    return value;
}

/* How far the first of the three conditions is from holding, relative to its terms. */
static long double residual_of(const struct small_qp *qp, const struct point *at)
{
    long double worst = 0;
    for (size_t i = 0; i < qp->n; i++) {
        long double sum = at->v[i] - at->z[i] - qp->p[i], size = 1;
        for (size_t j = 0; j < qp->n; j++) {
            sum += qp->q[i][j] * qp->x[j];
            size += fabsl(qp->q[i][j] * qp->x[j]);
        }
        for (size_t r = 0; r < qp->rows; r++)
            sum -= qp->a[r][i] * at->lambda[r];
        worst = fmaxl(worst, fabsl(sum) / size);
    }
    return worst;
}

long double small_qp_solve(struct small_qp *qp)
{
    struct point at = {.lambda = {0}};
    for (size_t j = 0; j < qp->n; j++) {
        at.z[j] = 1;
        at.v[j] = bounded(qp) ? 1 : 0;
        at.w[j] = bounded(qp) ? qp->upper - qp->x[j] : 1;
    }
    for (int turn = 0; turn < 200; turn++) {
        long double mean = mean_product(qp, &at);
        if (isnan(mean))
            return mean;
        if (mean <= 1e-14L * fmaxl(1, fabsl(value_of(qp))) && residual_of(qp, &at) <= 1e-15L)
            return value_of(qp);
        step(qp, &at);
    }
    return (long double)NAN;
}
