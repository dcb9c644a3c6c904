/* Holm (1979): the k-th smallest of n values of p is multiplied by n - k + 1, and none may be below one before it. */
#include "harness/stats/holm.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

enum status holm_adjust(const double *p, size_t n, double *adjusted, struct error *error)
{
    double largest = 0;
    size_t *order = malloc((n + 1) * sizeof *order);
    if (!order)
        return error_set(error, STATUS_NO_MEMORY, "%zu tests: out of memory", n);
    gsl_sort_index(order, p, 1, n);
    for (size_t k = 0; k < n; k++) {
        largest = fmax(largest, fmin(1, (double)(n - k) * p[order[k]]));
        adjusted[order[k]] = largest;
    }
    free(order);
    return STATUS_OK;
}
