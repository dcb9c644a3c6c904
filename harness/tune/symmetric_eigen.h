/* Eigenvalues and eigenvectors of a small symmetric matrix. */
#ifndef HULLBENCH_SYMMETRIC_EIGEN_H
#define HULLBENCH_SYMMETRIC_EIGEN_H

#include <stddef.h>

/* a: n x n, symmetric, row by row; destroyed. values gets the n eigenvalues, in no order; column k of vectors (n x n,
 * row by row) the eigenvector of unit length to values[k]. The same bits on every machine: sums, products, quotients
 * and square roots in a fixed order. */
void symmetric_eigen(size_t n, double *a, double *vectors, double *values);

#endif
