/* Friedman's test of the ranks of several solvers on several problems. Post-hoc tests are in nemenyi.h. */
#ifndef HULLBENCH_FRIEDMAN_H
#define HULLBENCH_FRIEDMAN_H

#include <stddef.h>

#include "harness/base/pool.h"

struct friedman {
    size_t solvers, problems;
    double *mean_ranks;  /* one per solver, 1 is the best; NAN without problems */
    double chi2, chi2_p; /* Friedman (1937), corrected for ties; chi-squared with k - 1 degrees of freedom */
    double f, f_p;       /* Iman and Davenport (1980); F with k - 1 and (k - 1)(n - 1) */
};

/* Ranks k = `solvers` costs within each of n = `problems`; the cost of solver s on problem p is
 * costs[s * problems + p], lower is better. Infinite means not solved: last, and tied with other such costs. Ties share
 * the mean of their ranks. chi2 and chi2_p are those of R's friedman.test. If all solvers tie on every problem, or
 * there are fewer than two solvers or no problems, the statistics are 0 and p is 1; so too f with one problem. If all
 * problems have the same order, f is infinite and f_p 0. No cost is a NAN. */
struct friedman friedman_test(struct pool *pool, const double *costs, size_t solvers, size_t problems);

/* The standard deviation of the difference of two mean ranks under the null hypothesis: sqrt(k(k+1)/(6n)). */
double friedman_deviation(const struct friedman *friedman);

/* The solvers by mean rank, best first, equal ones by index; order has capacity for all. */
void friedman_order(const struct friedman *friedman, size_t *order);

/* Compares each solver with the control: two-sided p of the difference of mean ranks, as normal with that standard
 * deviation, corrected by Holm for the k - 1 comparisons (Demsar 2006, 3.2.2). p has capacity for all and is 1 for the
 * control. *friedman has at least two solvers and one problem. */
void friedman_against(const struct friedman *friedman, size_t control, double *p);

#endif
