/*
 * Midranks: a group of t equal values standing at places k+1 ... k+t of the sorted sample shares the rank k + (t+1)/2.
 * Such a group lowers the variance of a sum of ranks in proportion to t^3 - t.
 */
#include "harness/stats/ranks.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

enum status ranks_of(const double *values, size_t n, double *ranks, double *ties, struct error *error)
{
    *ties = 0;
    for (size_t i = 0; i < n; i++)
        if (isnan(values[i]))
            return error_set(error, STATUS_BAD_INPUT, "ranks: value %zu of %zu is not a number", i, n);
    if (n == 0)
        return STATUS_OK;
    size_t *order = malloc(n * sizeof *order);
    if (!order)
        return error_set(error, STATUS_NO_MEMORY, "ranks: out of memory for %zu values", n);
    gsl_sort_index(order, values, 1, n);
    for (size_t first = 0, next; first < n; first = next) {
        for (next = first + 1; next < n && values[order[next]] == values[order[first]]; next++)
            continue;
        double size = (double)(next - first);
        for (size_t i = first; i < next; i++)
            ranks[order[i]] = (double)first + (size + 1) / 2;
        *ties += size * size * size - size;
    }
    free(order);
    return STATUS_OK;
}

double rank_normal_p(double above, double sigma, enum tail tail)
{
    if (!(sigma > 0))
        return 1;
    int up = tail == TAIL_GREATER || (tail == TAIL_TWO_SIDED && above > 0);
    int down = tail == TAIL_LESS || (tail == TAIL_TWO_SIDED && above < 0);
    double z = (above - 0.5 * (up - down)) / sigma;
    return tail_p(tail, gsl_cdf_ugaussian_P(z), gsl_cdf_ugaussian_Q(z));
}
