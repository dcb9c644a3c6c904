/* Holm (1979) steps down from the smallest p, Hochberg (1988) up from the largest; both multiply p_(k) by n - k + 1. */
#include "harness/stats/adjust.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

enum status adjust_p(enum adjustment adjustment, const double *p, size_t n, double *adjusted, struct error *error)
{
    for (size_t i = 0; i < n; i++)
        if (!(p[i] >= 0 && p[i] <= 1))
            return error_set(error, STATUS_BAD_INPUT, "adjustment: p %zu of %zu is %g, not in [0, 1]", i, n, p[i]);
    size_t *order = calloc(n + 1, sizeof *order);
    if (!order)
        return error_set(error, STATUS_NO_MEMORY, "%zu tests: out of memory", n);
    gsl_sort_index(order, p, 1, n);
    double last = adjustment == ADJUST_HOLM ? 0 : 1;
    for (size_t step = 0; step < n; step++) {
        size_t k = adjustment == ADJUST_HOLM ? step : n - 1 - step;
        double multiple = (double)(n - k) * p[order[k]];
        last = adjustment == ADJUST_HOLM ? fmax(last, fmin(1, multiple)) : fmin(last, multiple);
        adjusted[order[k]] = last;
    }
    free(order);
    return STATUS_OK;
}
