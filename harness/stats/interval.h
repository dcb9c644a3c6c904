/* An estimate with its confidence interval. */
#ifndef HULLBENCH_INTERVAL_H
#define HULLBENCH_INTERVAL_H

struct interval {
    double estimate, low, high; /* NAN without data */
    double level;               /* the coverage probability, such as 0.95 */
};

#endif
