/* Growth of a cost with a size: the exponent of a power law. */
#ifndef HULLBENCH_POWER_LAW_H
#define HULLBENCH_POWER_LAW_H

#include <stddef.h>

#include "harness/stats/interval.h"

/* The bound on the true exponent when some costs are only lower bounds. */
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
