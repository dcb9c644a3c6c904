/* Location and spread of one sample. */
#ifndef HULLBENCH_SUMMARY_H
#define HULLBENCH_SUMMARY_H

#include <stddef.h>

#include "solvers/error.h"

/* Everything in the unit of the values. n = 0 leaves all five NaN, n = 1 leaves sd NaN. */
struct summary {
    size_t n;
    double mean, sd, min, max, median; /* sd with divisor n - 1 */
};

/* Summarises n values, which are not changed. A NaN among them is STATUS_BAD_INPUT naming its index. */
enum status summary_of(const double *values, size_t n, struct summary *summary, struct error *error);

#endif
