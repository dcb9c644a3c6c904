/* Several solvers on several problems: Friedman's test of their ranks. What may follow it is in nemenyi.h. */
#ifndef HULLBENCH_FRIEDMAN_H
#define HULLBENCH_FRIEDMAN_H

#include <stddef.h>

#include "harness/stats/adjust.h"

struct friedman {
    size_t solvers, problems;
    double *mean_ranks;  /* one for each solver, 1 the best; NAN without problems; owned */
    double chi2, chi2_p; /* Friedman (1937), corrected for ties; chi-squared with k - 1 degrees of freedom */
    double f, f_p;       /* Iman and Davenport (1980); F with k - 1 and (k - 1)(n - 1) */
};

/* Ranks k = `solvers` costs within each of n = `problems`; cost of solver s on problem p is costs[s * problems + p],
 * the lower the better. Infinite is not solved: last, alike where several are. Ties share the mean of their places.
 * chi2 and chi2_p are those of R's friedman.test. Where all solvers tie on every problem, and with fewer than two
 * solvers or no problem, nothing speaks for a difference: statistics 0, p 1; so for f with one problem. Where all
 * problems agree on the order, f is infinite and f_p 0. A NaN is STATUS_BAD_INPUT naming its place. Freed with
 * friedman_free. */
enum status friedman_test(const double *costs, size_t solvers, size_t problems, struct friedman *friedman,
                          struct error *error);
/* Accepts NULL and zeroed results. */
void friedman_free(struct friedman *friedman);

/* The standard deviation of the difference of two mean ranks where nothing differs: sqrt(k(k+1)/(6n)). */
double friedman_deviation(const struct friedman *friedman);

/* The solvers by mean rank, best first, equal ones by index: order has room for all. */
void friedman_order(const struct friedman *friedman, size_t *order);

/* Each solver against one of them, the control: two-sided p of the difference of mean ranks as normal with that
 * deviation, corrected by Holm for the k - 1 comparisons (Demsar 2006, 3.2.2). p has room for all and is 1 for the
 * control. The result has two solvers and one problem at least, else STATUS_BAD_INPUT. */
enum status friedman_against(const struct friedman *friedman, size_t control, double *p, struct error *error);

#endif
