/*
 * Mid-ranks: a group of t equal values at positions k+1 ... k+t of the sorted sample shares the rank k + (t+1)/2. Such
 * a group lowers the variance of a sum of ranks in proportion to t^3 - t.
 *
 * Kendall's tau-b (Kendall 1945, The treatment of ties in ranking problems, Biometrika 33) is the correlation of the
 * signs of x_i - x_j and y_i - y_j over all pairs, where ties have sign 0.
 */
#include "harness/stats/ranks.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"

double ranks_of(const double *values, size_t n, double *ranks)
{
    double ties = 0;
    size_t *order = xcalloc(n, sizeof *order);
    gsl_sort_index(order, values, 1, n);
    for (size_t first = 0, next; first < n; first = next) {
        for (next = first + 1; next < n && values[order[next]] == values[order[first]]; next++)
            continue;
        double size = (double)(next - first);
        for (size_t i = first; i < next; i++)
            ranks[order[i]] = (double)first + (size + 1) / 2;
        ties += size * size * size - size;
    }
    free(order);
    return ties;
}

struct pair_orders pair_orders_of(const double *x, const double *y, size_t n)
{
    struct pair_orders orders = {0};
    for (size_t i = 1; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            const int by_x = (x[i] > x[j]) - (x[i] < x[j]), by_y = (y[i] > y[j]) - (y[i] < y[j]);
            double *count = by_x && by_y ? (by_x == by_y ? &orders.alike : &orders.against)
                            : by_y       ? &orders.equal_x
                            : by_x       ? &orders.equal_y
                                         : &orders.equal_both;
            ++*count;
        }
    return orders;
}

double kendall_tau(const struct pair_orders *orders)
{
    const double ordered = orders->alike + orders->against;
    return (orders->alike - orders->against) / sqrt((ordered + orders->equal_x) * (ordered + orders->equal_y));
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
