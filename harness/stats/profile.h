/* Profiles of solvers over problems: which share each solves within a multiple of the best, or within a budget. */
#ifndef HULLBENCH_PROFILE_H
#define HULLBENCH_PROFILE_H

#include <stddef.h>

#include "solvers/error.h"

/* Cost of solver s on problem p is costs[s * problems + p]; infinite: not solved. A cost that is negative or not a
 * number is STATUS_BAD_INPUT naming its place; so is a unit that is not positive and finite. */

/* ratios[s * problems + p] = cost / the least cost of any solver on p, at least 1; infinite where s did not solve it,
 * and where the least is 0 and this one is not. Two costs of 0 are both the best (Dolan and More 2002). */
enum status profile_performance(const double *costs, size_t solvers, size_t problems, double *ratios,
                                struct error *error);

/* ratios[s * problems + p] = cost / units[p]: the budget in units of the problem, such as kernel operations in units of
 * its rows, its training patterns (More and Wild 2009; theirs are n_p + 1 function values). A cost is what was spent
 * when the problem's convergence test was first met. */
enum status profile_data(const double *costs, const double *units, size_t solvers, size_t problems, double *ratios,
                         struct error *error);

/* From `ratio` on, up to the next step, the share of problems is `share`. */
struct profile_step {
    double ratio, share;
};

/* The steps of one solver's profile, from its `problems` ratios, ascending, one for each different finite ratio; steps
 * has room for `problems`. Returns their number: 0 where it solved nothing. Before the first step the share is 0. */
size_t profile_steps(const double *ratios, size_t problems, struct profile_step *steps);

#endif
