/* How a cost grows with a size: the exponent of a power law. */
#ifndef HULLBENCH_POWER_LAW_H
#define HULLBENCH_POWER_LAW_H

#include <stddef.h>

#include "harness/stats/interval.h"
#include "solvers/error.h"

/* What is known of the true exponent when some costs are only lower bounds. */
enum power_law_bound {
    POWER_LAW_EXACT,    /* no cost was a bound */
    POWER_LAW_AT_LEAST, /* raising them could only raise the exponent */
    POWER_LAW_AT_MOST,  /* ... only lower it */
    POWER_LAW_UNKNOWN
};

struct power_law {
    size_t n;
    struct interval exponent; /* b; ends NAN and level 0 with fewer than three points */
    double factor;            /* a of a x^b */
    double deviation;         /* of the logarithms from the line, standard deviation with divisor n - 2 */
    enum power_law_bound bound;
};

/* Fits log y = log a + b log x to n points by least squares; x and y are positive and finite. bounded[i] nonzero: the
 * true y[i] is y[i] or more; NULL: none is. The interval takes the points for independent, with equal and normal
 * errors of their logarithms; it does not allow for bounded costs. Fewer than two different x: the exponent is NAN.
 * What is not positive and finite is STATUS_BAD_INPUT naming its place. */
enum status power_law_fit(const double *x, const double *y, const unsigned char *bounded, size_t n, double level,
                          struct power_law *law, struct error *error);

#endif
