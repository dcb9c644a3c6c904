/* The corrected resampled t test, which compares solvers on overlapping splits, Bayesian tests of paired differences
 * with a region of practical equivalence, and the power of tests. */
#ifndef HULLBENCH_RESAMPLED_T_H
#define HULLBENCH_RESAMPLED_T_H

#include "harness/stats/distributions.h"
#include "harness/stats/summary.h"

struct resampled_t {
    struct interval difference; /* the mean of x - y, two-sided interval */
    double t, degrees;          /* degrees = n - 1 */
    double p_value;
};

/* Tests whether x[i] - y[i] over n random splits of one data set has mean 0 (Nadeau and Bengio 2003): a paired t test
 * whose variance s^2 (1/n + overlap) allows for the patterns that training sets share. overlap is rho/(1 - rho) for
 * differences of correlation rho: test/train for splits into `train` and `test` patterns; 1/(k - 1) for k folds, once
 * or repeated (Bouckaert and Frank 2004); 0 for independent differences: R's t.test(x, y, paired = TRUE). With fewer
 * than two splits p is 1, t is 0 and the interval's level is 0. If all differences are equal, t is 0 and p is 1 if they
 * are 0; otherwise t is infinite and p is 0, or 1 for the opposite one-sided alternative. Equal means up to rounding:
 * an sd within 10 DBL_EPSILON of the largest |x| or |y| is 0, and such a mean is then 0 too. If a difference is not
 * finite, or if they are too large to sum, p is 1, t is 0 and the interval is NAN with level 0. */
struct resampled_t resampled_t_test(const double *x, const double *y, size_t n, double overlap, enum tail tail,
                                    double level);

/* The posterior probabilities that the difference is below -rope, between -rope and rope, and above rope. They sum to
 * 1; all are NAN if there are too few differences, or if one is not finite. */
struct bayes_posterior {
    double lower, equivalent, higher;
};

/* The correlated t test of n differences on splits of one data set (Corani and Benavoli 2015; Benavoli, Corani, Demsar
 * and Zaffalon 2017, Section 3). overlap as above. rope is in the unit of the differences; if it is 0, so is
 * `equivalent`. Fewer than two differences, or too large ones to sum, give NAN. Differences without spread put all
 * probability where their mean is; a mean at -rope or rope counts as within, and at rope 0 a mean of 0 is split in
 * half. If rounding affects the differences of the values, use pairs_differences (rank_tests.h). */
struct bayes_posterior bayes_correlated_t(const double *differences, size_t n, double overlap, double rope);

/* What the signed-rank test draws for a number of differences, whatever they are. Tests of as many differences, at most
 * 50, share it, which saves most of their time. Begins as zeros; belongs to one thread. Free `weights` at the end. */
struct bayes_draws {
    size_t n;
    double *weights;
};

/* The signed-rank test of n differences over data sets (Benavoli, Mangili, Corani, Zaffalon and Ruggeri 2014; Benavoli
 * et al. 2017, Section 4.2), from 50 000 draws by GSL's mt19937 with seed 1: the standard error of a probability is
 * sqrt(p (1 - p) / 50 000), at most 0.0023. Negated differences in the same order give exactly the mirrored posterior.
 * Time: 0.13 s for 100 differences. */
struct bayes_posterior bayes_signed_rank(const double *differences, size_t n, double rope, struct bayes_draws *draws);

/* The smallest true mean difference, in the unit of sd, for which the two-sided test at level alpha rejects 0 with
 * probability `power`, for n normal differences of standard deviation sd; with overlap 0 that of R's power.t.test(n, sd
 * = sd, power = power, type = "paired", strict = TRUE). INFINITY for fewer than two differences or an sd that is not
 * finite. sd is usually an estimate, and the result is as uncertain. 0 < alpha < power < 1. */
double power_t(double sd, size_t n, double overlap, double alpha, double power);

/* An approximation of the same for the signed-rank test of n normal differences over data sets: the t test on 3n/pi
 * differences, where 3/pi is the asymptotic relative efficiency of the two tests, at the largest level up to alpha that
 * the signed-rank test reaches for n. Within 3 % of simulation from 7 differences on, 7 % too small at 6; INFINITY if
 * no level up to alpha can be reached (5 differences and fewer at 5 %). If differences have heavier tails than the
 * normal distribution, the signed-rank test detects smaller ones than this. */
double power_signed_rank(double sd, size_t n, double alpha, double power);

#endif
