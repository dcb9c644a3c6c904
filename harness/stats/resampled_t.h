/* The corrected resampled t test: comparing solvers on overlapping splits. */
#ifndef HULLBENCH_RESAMPLED_T_H
#define HULLBENCH_RESAMPLED_T_H

#include <stddef.h>

#include "harness/stats/interval.h"
#include "harness/stats/tail.h"

struct resampled_t {
    struct interval difference; /* the mean of x - y, two-sided interval */
    double t, degrees;          /* degrees = n - 1 */
    double p_value;
};

/* Tests whether x[i] - y[i] over n random splits of one data set into `train` and `test` patterns has mean 0 (Nadeau
 * and Bengio 2003): a paired t test whose variance s^2 (1/n + test/train) allows for the patterns that training sets
 * share. test = 0 is the paired t test, R's t.test(x, y, paired = TRUE). For k folds, once or repeated, test/train is
 * 1/(k - 1) (Bouckaert and Frank 2004). With fewer than two splits p is 1, t is 0 and the interval's level is 0. If all
 * differences are equal, t is 0 and p is 1 if they are 0; otherwise t is infinite and p is 0, or 1 for the opposite
 * one-sided alternative. Equal means up to rounding: an sd within 10 DBL_EPSILON of the largest |x| or |y| is 0, and
 * such a mean is then 0 too. If a difference is not finite, or if they are too large to sum, p is 1, t is 0 and the
 * interval is NAN with level 0. */
struct resampled_t resampled_t_test(const double *x, const double *y, size_t n, double train, double test,
                                    enum tail tail, double level);

#endif
