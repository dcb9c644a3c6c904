/* The number of iterations for each further decade of the gap. */
#ifndef HULLBENCH_LOCAL_RATES_H
#define HULLBENCH_LOCAL_RATES_H

#include "harness/atlas/atlas.h"

/* From target `step` to the next, over the problems on which the first was reached: iterations per decade, divided by
 * N. A quartile is infinite if too many runs missed the second. */
struct local_rate {
    size_t n, missed;    /* runs that reached the first target; the number of these that missed the second */
    double quartiles[3]; /* NAN if n is 0 */
};

struct local_rates {
    const struct atlas_family *family;
    size_t dataset;          /* its index; (size_t)-1: all together */
    struct local_rate *rows; /* n_series x (n_targets - 1) */
};

/* Fills *rates; returns 0 if there is only one target or sizes are unknown. */
int local_rates_of(const struct atlas *atlas, const struct atlas_family *family, size_t dataset,
                   struct local_rates *rates);

#endif
