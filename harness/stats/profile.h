/* Profiles of solvers over problems: the share solved within a multiple of the best cost, or within a budget. */
#ifndef HULLBENCH_PROFILE_H
#define HULLBENCH_PROFILE_H

#include <stddef.h>

/* The cost of solver s on problem p is costs[s * problems + p]; infinite: not solved. A cost that is negative or not a
 * number is an error, STATUS_BAD_INPUT. */

/* ratios[s * problems + p] = cost / the smallest cost of any solver on p, at least 1; infinite if s did not solve it,
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

#endif
