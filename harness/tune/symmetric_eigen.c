/*
 * Cyclic Jacobi method (Golub and Van Loan, Matrix Computations, Section 8.5): A <- J' A J and V <- V J with the
 * rotation in the plane (p, q) that makes a_pq zero, for all p < q in turn, until what is off the diagonal no longer
 * changes it.
 *
 *   theta = (a_qq - a_pp) / (2 a_pq),  t = sign(theta) / (|theta| + sqrt(theta^2 + 1)),  c = 1 / sqrt(t^2 + 1),  s = t
 * c
 */
#include "harness/tune/symmetric_eigen.h"

#include <math.h>

/* Columns p and q of the n x n matrix m become c m_p - s m_q and s m_p + c m_q; with stride n and step 1 the rows
 * do. */
static void rotate(size_t n, double *m, size_t p, size_t q, size_t stride, size_t step, double c, double s)
{
    for (size_t k = 0; k < n; k++) {
        double *at_p = &m[p * step + k * stride], *at_q = &m[q * step + k * stride], old = *at_p;
        *at_p = c * old - s * *at_q;
        *at_q = s * old + c * *at_q;
    }
}

static int annihilate(size_t n, double *a, double *vectors, size_t p, size_t q)
{
    double off = a[p * n + q], at_p = a[p * n + p], at_q = a[q * n + q];
    if (fabs(at_p) + fabs(off) == fabs(at_p) && fabs(at_q) + fabs(off) == fabs(at_q)) {
        a[p * n + q] = a[q * n + p] = 0;
        return 0;
    }
    double theta = 0.5 * (at_q - at_p) / off;
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1)); /* an infinite theta gives t = 0 */
    double c = 1 / sqrt(t * t + 1), s = t * c;
    rotate(n, a, p, q, n, 1, c, s);
    rotate(n, a, p, q, 1, n, c, s);
    rotate(n, vectors, p, q, n, 1, c, s);
    a[p * n + q] = a[q * n + p] = 0;
    return 1;
}

void symmetric_eigen(size_t n, double *a, double *vectors, double *values)
{
    enum { MOST_SWEEPS = 60 }; /* convergence is quadratic; ten are rarely needed */
    for (size_t i = 0; i < n * n; i++)
        vectors[i] = i % (n + 1) == 0;
    for (int sweep = 0, turned = 1; sweep < MOST_SWEEPS && turned; sweep++) {
        turned = 0;
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++)
                turned |= annihilate(n, a, vectors, p, q);
    }
    for (size_t k = 0; k < n; k++)
        values[k] = a[k * n + k];
}
