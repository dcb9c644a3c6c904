/* How many iterations each further decade of the gap takes. */
#ifndef HULLBENCH_LOCAL_RATES_H
#define HULLBENCH_LOCAL_RATES_H

#include "harness/atlas/atlas.h"

/* From target `step` to the next, over the problems on which the first was reached: iterations for a decade, divided by
 * N. Infinite where so many runs did not reach the second. */
struct local_rate {
    size_t n, missed;    /* runs that reached the first target; of these, that did not reach the second */
    double quartiles[3]; /* NAN where n is 0 */
};

struct local_rates {
    const struct atlas_family *family;
    size_t dataset;          /* its number; (size_t)-1: all together */
    struct local_rate *rows; /* n_series x (n_targets - 1); owned */
};

/* Fills *rates; returns 0, with nothing to release, where there is one target or sizes are not known. */
int local_rates_of(const struct atlas *atlas, const struct atlas_family *family, size_t dataset,
                   struct local_rates *rates);
void local_rates_free(struct local_rates *rates);

#endif
