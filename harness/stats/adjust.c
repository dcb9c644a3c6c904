/* Holm (1979) steps down from the smallest p and multiplies p_(k) by n - k + 1. */
#include "harness/stats/adjust.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

enum status adjust_holm(const double *p, size_t n, double *adjusted, struct error *error)
{
    for (size_t i = 0; i < n; i++)
        if (!(p[i] >= 0 && p[i] <= 1))
            return error_set(error, STATUS_BAD_INPUT, "adjustment: p %zu of %zu is %g, not in [0, 1]", i, n, p[i]);
    size_t *order = calloc(n + 1, sizeof *order);
    if (!order)
        return error_set(error, STATUS_NO_MEMORY, "%zu tests: out of memory", n);
    gsl_sort_index(order, p, 1, n);
    double last = 0;
    for (size_t k = 0; k < n; k++) {
        last = fmax(last, fmin(1, (double)(n - k) * p[order[k]]));
        adjusted[order[k]] = last;
    }
    free(order);
    return STATUS_OK;
}
