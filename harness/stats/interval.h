/* An estimate with its confidence interval. */
#ifndef HULLBENCH_INTERVAL_H
#define HULLBENCH_INTERVAL_H

struct interval {
    double estimate, low, high; /* NAN where there are no data */
    double level;               /* the chance with which such intervals cover what is estimated, 0.95 say */
};

#endif
