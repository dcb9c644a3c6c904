/* The corrected resampled t test: solvers on splits that overlap. */
#ifndef HULLBENCH_RESAMPLED_T_H
#define HULLBENCH_RESAMPLED_T_H

#include <stddef.h>

#include "harness/stats/interval.h"
#include "harness/stats/tail.h"
#include "solvers/error.h"

struct resampled_t {
    struct interval difference; /* the mean of x - y, two-sided interval */
    double t, degrees;          /* degrees = n - 1 */
    double p_value;
};

/* Test that x[i] - y[i] over n random splits of one data set into `train` and `test` patterns has mean 0 (Nadeau and
 * Bengio 2003): a paired t test whose variance s^2 (1/n + test/train) allows for the patterns that training sets share.
 * test = 0 is the paired t test, R's t.test(x, y, paired = TRUE). For k folds, once or repeated, test/train is 1/(k -
 * 1) (Bouckaert and Frank 2004).  Fewer than two splits say nothing: p is 1, t 0, the interval's level 0. Differences
 * that are all equal have no spread: t is 0 and p 1 where they are 0, else t is infinite and p 0 or, on the side not
 * asked for, 1; equal up to rounding is equal: a deviation within 10 DBL_EPSILON of the largest |x| or |y| is 0, and so
 * is such a mean then. A difference that is not finite, differences too large to sum, a level outside (0, 1), train not
 * positive or test negative is STATUS_BAD_INPUT. */
enum status resampled_t_test(const double *x, const double *y, size_t n, double train, double test, enum tail tail,
                             double level, struct resampled_t *result, struct error *error);

#endif
