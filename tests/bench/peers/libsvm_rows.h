/* LIBSVM's solver with kernel rows computed by vectorised loops. It is a control: it shows how much of a lead over
 * LIBSVM remains if LIBSVM's rows are cheap, too. */
#ifndef HULLBENCH_LIBSVM_ROWS_H
#define HULLBENCH_LIBSVM_ROWS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct svm_problem;
struct svm_parameter;

/* Trains on the patterns of x (rows of dims features), which must be those of the problem. alpha receives its
 * multipliers. */
void libsvm_rows_train(const struct svm_problem *problem, const struct svm_parameter *parameter, const double *x,
                       size_t dims, double *alpha);

/* row[j] = sign_i y[j] exp(-gamma |x_i - x_j|^2) for j = first .. n - 1. x: columns of `stride` values, one per
 * feature; y: signs. */
void libsvm_rows_row(size_t i, size_t first, size_t n, size_t dims, const double *x, size_t stride, double gamma,
                     const signed char *y, float *row);

#ifdef __cplusplus
}
#endif

#endif
