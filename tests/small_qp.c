/*
 * A primal-dual path-following method (Wright, Primal-Dual Interior-Point Methods, 1997, Chapter 5). With slacks
 * w = u - x, multipliers z of x >= 0, v of w >= 0, and lambda of Ax = b, each iteration is a Newton step towards
 *
 *     Qx - p - A'lambda - z + v = 0,   Ax = b,   x_j z_j = w_j v_j = t
 *
 * with t a tenth of the current mean, shortened so that x, w, z and v stay positive. It shares only the problem with
 * the solvers.
 *
 * small_qp_quad.c includes this file with another number type.
 */
#include "tests/small_qp.h"

#include <math.h>
#include <stdlib.h>

#ifndef QP_REAL
#define QP_REAL long double
#define QP_STRUCT small_qp
#define QP_SOLVE small_qp_solve
#define QP_EPSILON 1e-19L /* about one unit in the last place */
#endif

typedef QP_REAL real;

struct point {
    real w[MAX_QP], z[MAX_QP], v[MAX_QP];
};

static real size_of(real x)
{
    return x < 0 ? -x : x;
}

static real larger(real a, real b)
{
    return a > b ? a : b;
}

static int bounded(const struct QP_STRUCT *qp)
{
    return qp->upper < (real)HUGE_VAL;
}

static real mean_product(const struct QP_STRUCT *qp, const struct point *at)
{
    real sum = 0;
    for (size_t j = 0; j < qp->n; j++)
        sum += qp->x[j] * at->z[j] + (bounded(qp) ? at->w[j] * at->v[j] : 0);
    return sum / (real)(qp->n * (bounded(qp) ? 2 : 1));
}

/* Gaussian elimination with row pivots; the solution replaces the right-hand side. */
static void eliminate(size_t n, real m[QP_SYSTEM][QP_SYSTEM + 1])
{
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < n; i++)
            if (size_of(m[i][k]) > size_of(m[pivot][k]))
                pivot = i;
        for (size_t j = 0; j <= n; j++) {
            real kept = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = kept;
        }
        for (size_t i = 0; i < n; i++) {
            real factor = i == k ? 0 : m[i][k] / m[k][k];
            for (size_t j = k; factor != 0 && j <= n; j++)
                m[i][j] -= factor * m[k][j];
        }
    }
    for (size_t k = 0; k < n; k++)
        m[k][n] /= m[k][k];
}

/* The linear system of the step in x and lambda. */
static void set_system(const struct QP_STRUCT *qp, const struct point *at, real t,
                       real m[QP_SYSTEM][QP_SYSTEM + 1])
{
    size_t n = qp->n, all = n + qp->rows;
    for (size_t i = 0; i < n; i++) {
        real right = qp->p[i] + t / qp->x[i];
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
            right += qp->a[r][i] * qp->lambda[r];
        }
        m[i][all] = right;
    }
    for (size_t r = 0; r < qp->rows; r++) {
        real left = qp->b[r];
        for (size_t j = 0; j < n; j++)
            left -= qp->a[r][j] * qp->x[j];
        for (size_t s = 0; s < qp->rows; s++)
            m[n + r][n + s] = 0;
        m[n + r][all] = left;
    }
}

/* Limits the step to the largest fraction, at most 1, with value + share * change > 0. */
static void cut(real *share, real value, real change)
{
    if (change < 0 && -(real)0.99 * value / change < *share)
        *share = -(real)0.99 * value / change;
}

static void step(struct QP_STRUCT *qp, struct point *at)
{
    real m[QP_SYSTEM][QP_SYSTEM + 1], dz[MAX_QP], dv[MAX_QP] = {0}, share = 1, t = (real)0.1 * mean_product(qp, at);
    size_t n = qp->n, all = n + qp->rows;
    set_system(qp, at, t, m);
    eliminate(all, m);
    for (size_t j = 0; j < n; j++) {
        real dx = m[j][all];
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
        qp->lambda[r] += share * m[n + r][all];
}

static real value_of(const struct QP_STRUCT *qp)
{
    real value = 0;
    for (size_t i = 0; i < qp->n; i++) {
        value -= qp->p[i] * qp->x[i];
        for (size_t j = 0; j < qp->n; j++)
            value += (real)0.5 * qp->x[i] * qp->q[i][j] * qp->x[j];
    }
    return value;
}

/* The residual of the first of the three conditions, relative to its terms. */
static real residual_of(const struct QP_STRUCT *qp, const struct point *at)
{
    real worst = 0;
    for (size_t i = 0; i < qp->n; i++) {
        real sum = at->v[i] - at->z[i] - qp->p[i], size = 1;
        for (size_t j = 0; j < qp->n; j++) {
            sum += qp->q[i][j] * qp->x[j];
            size += size_of(qp->q[i][j] * qp->x[j]);
        }
        for (size_t r = 0; r < qp->rows; r++)
            sum -= qp->a[r][i] * qp->lambda[r];
        worst = larger(worst, size_of(sum) / size);
    }
    return worst;
}

real QP_SOLVE(struct QP_STRUCT *qp)
{
    struct QP_STRUCT best = *qp;
    struct point at;
    real merit = (real)HUGE_VAL, unit = 1;
    for (size_t j = 0; j < qp->n; j++) {
        at.w[j] = bounded(qp) ? qp->upper - qp->x[j] : 1;
        at.z[j] = 1;
        at.v[j] = bounded(qp) ? 1 : 0;
    }
    for (int turn = 0; turn < 400; turn++) {
        real mean = mean_product(qp, &at), residual = residual_of(qp, &at);
        unit = larger(1, size_of(value_of(qp)));
        if (isnan(mean))
            break;
        if (mean <= 100000 * (real)QP_EPSILON * unit && residual <= 10000 * (real)QP_EPSILON)
            return value_of(qp);
        if (larger(mean / unit, residual) <= merit) {
            best = *qp;
            merit = larger(mean / unit, residual);
        }
        step(qp, &at);
    }
    *qp = best; /* rounding grows as t shrinks if a solution lacks strict complementarity */
    return (real)NAN;
}
