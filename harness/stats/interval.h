/* An estimate with its confidence interval. */
#ifndef HULLBENCH_INTERVAL_H
#define HULLBENCH_INTERVAL_H

#include <math.h>

struct interval {
    double estimate, low, high; /* NAN without data */
    double level;               /* the coverage probability, such as 0.95 */
};

/* Without data. */
static const struct interval no_interval = {(double)NAN, (double)NAN, (double)NAN, 0};

#endif
