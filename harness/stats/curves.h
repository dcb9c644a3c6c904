/* Curves of costs: profiles of solvers over problems, and the growth of a cost with a size. */
#ifndef HULLBENCH_CURVES_H
#define HULLBENCH_CURVES_H

#include "harness/stats/summary.h"

/* The cost of solver s on problem p is costs[s * problems + p]; infinite: not solved. No cost is negative or a NAN.
 *
 * ratios[s * problems + p] = cost / the smallest cost of any solver on p, at least 1; infinite if s did not solve it,
 * or if the smallest is 0 and this one is not. Two costs of 0 are both the best (Dolan and More 2002). */
void profile_performance(const double *costs, size_t solvers, size_t problems, double *ratios);

/* ratios[s * problems + p] = cost / units[p]: the budget in units of the problem, such as kernel operations in units of
 * its rows, i.e. its training patterns (More and Wild 2009; theirs are n_p + 1 function values). A cost is the amount
 * spent when the problem's convergence test was first met. */
void profile_data(const double *costs, const double *units, size_t solvers, size_t problems, double *ratios);

/* From `ratio` up to the next step, the share of problems is `share`. */
struct profile_step {
    double ratio, share;
};
/* The steps of one solver's profile from its `problems` ratios, in ascending order, one for each distinct finite ratio;
 * steps has capacity `problems`. Returns their number, 0 if nothing was solved. The share starts at 0. */
size_t profile_steps(const double *ratios, size_t problems, struct profile_step *steps);

/* The bound on the true exponent of a power law when some costs are only lower bounds. */
enum power_law_bound {
    POWER_LAW_EXACT,    /* no cost was a bound */
    POWER_LAW_AT_LEAST, /* larger costs could only raise the exponent */
    POWER_LAW_AT_MOST,  /* ... only lower it */
    POWER_LAW_UNKNOWN
};
struct power_law {
    size_t n;
    struct interval exponent; /* b; with fewer than three points the ends are NAN and the level is 0 */
    double factor;            /* a of a x^b */
    double deviation;         /* sd of the logarithms about the line, with divisor n - 2 */
    enum power_law_bound bound;
};
/* Fits log y = log a + b log x to n points by least squares; x and y are positive and finite. bounded[i] nonzero: the
 * true y[i] is y[i] or more; NULL: none is bounded. The interval assumes independent points with equal normal errors of
 * their logarithms and ignores `bounded`. With fewer than two distinct x the exponent is NAN. */
struct power_law power_law_fit(const double *x, const double *y, const unsigned char *bounded, size_t n, double level);

#endif
