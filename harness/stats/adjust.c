/* Holm (1979) steps down from the smallest p and multiplies p_(k) by n - k + 1. */
#include "harness/stats/adjust.h"

#include <assert.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"

void adjust_holm(const double *p, size_t n, double *adjusted)
{
    size_t *order = xcalloc(n, sizeof *order);
    gsl_sort_index(order, p, 1, n);
    double last = 0;
    for (size_t k = 0; k < n; k++) {
        assert(p[k] >= 0 && p[k] <= 1);
        last = fmax(last, fmin(1, (double)(n - k) * p[order[k]]));
        adjusted[order[k]] = last;
    }
    free(order);
}
