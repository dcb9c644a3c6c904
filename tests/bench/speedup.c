/* Geometric mean, minimum, and the largest ratio of each problem, see speedup.h. */
#include "tests/bench/speedup.h"

#include <math.h>

struct speedup speedup_of(const double *values, size_t n, size_t stride)
{
    struct speedup speedup = {.geometric_mean = (double)NAN, .min = (double)NAN};
    double logarithms = 0;
    for (size_t i = 0; i < n; i++) {
        double ratio = values[i * stride];
        if (isnan(ratio)) {
            speedup.missing++;
            continue;
        }
        if (speedup.problems++ == 0 || ratio < speedup.min) {
            speedup.min = ratio;
            speedup.min_at = i;
        }
        logarithms += log(ratio);
    }
    if (speedup.problems > 0)
        speedup.geometric_mean = exp(logarithms / (double)speedup.problems);
    return speedup;
}

void speedup_best(const double *ratios, size_t problems, size_t solvers, double *best)
{
    for (size_t i = 0; i < problems; i++) {
        best[i] = (double)NAN;
        for (size_t s = 0; s < solvers; s++)
            best[i] = fmax(best[i], ratios[i * solvers + s]); /* fmax ignores NaN */
    }
}
