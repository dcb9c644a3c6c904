/* The power of a study: the smallest true mean difference that a test detects with a given probability. */
#ifndef HULLBENCH_POWER_H
#define HULLBENCH_POWER_H

#include <stddef.h>

/* The smallest true mean difference, in the unit of sd, for which the two-sided corrected resampled t test at level
 * alpha rejects 0 with probability `power`, for n normal differences of standard deviation sd. overlap is rho/(1 - rho)
 * as in bayes.h; with 0, the paired t test, the result is that of R's power.t.test(n, sd = sd, power = power,
 * type = "paired", strict = TRUE). INFINITY for fewer than two differences or an sd that is not finite. sd is usually
 * an estimate, and the result is as uncertain. 0 < alpha < power < 1. */
double power_t(double sd, size_t n, double overlap, double alpha, double power);

/* An approximation of the same for the signed-rank test of n normal differences over data sets: the t test on 3n/pi
 * differences, where 3/pi is the asymptotic relative efficiency of the two tests, at the largest level up to alpha that
 * the signed-rank test reaches for n. Within 3 % of simulation from 7 differences on, 7 % too small at 6; INFINITY if
 * no level up to alpha can be reached (5 differences and fewer at 5 %). If differences have heavier tails than the
 * normal distribution, the signed-rank test detects smaller ones than this. */
double power_signed_rank(double sd, size_t n, double alpha, double power);

#endif
