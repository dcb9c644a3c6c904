/* Means of ratios and of times. */
#ifndef HULLBENCH_MEANS_H
#define HULLBENCH_MEANS_H

#include <stddef.h>

#include "solvers/error.h"

/* logs[i] = log(x[i] / y[i]), taken as log x - log y. Values that are not positive and finite are STATUS_BAD_INPUT
 * naming their index. The logarithm is libm's: for files that are to be the same everywhere round what is made of it.
 */
enum status means_log_ratios(const double *x, const double *y, size_t n, double *logs, struct error *error);

/* exp of the mean of log(x[i] / y[i]): the one mean of ratios that is turned over with them (Fleming and Wallace 1986).
 * n = 0: NAN. */
enum status means_geometric_ratio(const double *x, const double *y, size_t n, double *mean, struct error *error);

/* exp(mean log(x[i] + shift)) - shift, shift in the unit of x: a mean of times in which neither the few long ones nor
 * the many too short to matter count for all (Achterberg 2007, A.3). n = 0: NAN. A sum that is not positive and finite,
 * and a negative shift, is STATUS_BAD_INPUT. */
enum status means_shifted_geometric(const double *x, size_t n, double shift, double *mean, struct error *error);

#endif
