/*
 * Projection onto a capped simplex {0 <= x_k <= mu, sum x = 1}: x_k = min(max(z_k - tau, 0), mu) with the tau for which
 * h(tau) = sum x_k = 1.
 *
 * h is decreasing, and linear between the breakpoints z_k - mu and z_k. Breakpoints enclose tau: h at the median of
 * those inside the interval shows which half to keep (as Kiwiel 2008 does for continuous quadratic knapsacks; Wang and
 * Lu 2015 sort instead). A number with no breakpoint inside is decided: it adds 0, mu or z_k - tau to h throughout the
 * interval. So each round costs half of the previous one, and all of them O(n), as the median is found in expected time
 * O(n).
 */
#include "solvers/dense/projection.h"

#include <math.h>

#include "solvers/hull/smallest.h"

void projection_layout(struct projection *projection, struct arena *arena, size_t n)
{
    projection->breakpoint = arena_doubles(arena, 2 * n);
    projection->open = arena_take(arena, 2 * n * sizeof *projection->open);
    projection->undecided = arena_take(arena, n * sizeof *projection->undecided);
}

/* tau is in [low, high]; the decided numbers contribute full mu + sum - count tau to h. */
struct interval {
    double low, high, sum;
    size_t count, full;
};

static double clamped(double value, double mu)
{
    return fmin(fmax(value, 0), mu);
}

static double sum_at(const struct interval *interval, const size_t *undecided, size_t n, const double *z, double mu,
                     double tau)
{
    double sum = (double)interval->full * mu + (interval->sum - (double)interval->count * tau);
    for (size_t k = 0; k < n; k++)
        sum += clamped(z[undecided[k]] - tau, mu);
    return sum;
}

/* Removes the decided numbers from the list. Returns how many remain. */
static size_t decide(struct interval *interval, size_t *undecided, size_t n, const double *z, double mu)
{
    size_t left = 0;
    for (size_t k = 0; k < n; k++) {
        double upper = z[undecided[k]], lower = upper - mu;
        if (upper <= interval->low)
            continue;
        if (lower >= interval->high)
            interval->full++;
        else if (lower <= interval->low && upper >= interval->high) {
            interval->sum += upper;
            interval->count++;
        } else
            undecided[left++] = undecided[k];
    }
    return left;
}

static size_t keep_inside(const struct interval *interval, size_t *open, size_t n, const double *breakpoint)
{
    size_t left = 0;
    for (size_t k = 0; k < n; k++)
        if (breakpoint[open[k]] > interval->low && breakpoint[open[k]] < interval->high)
            open[left++] = open[k];
    return left;
}

/* tau, once no breakpoint is inside. */
static double tau_of(const struct interval *interval, double mu)
{
    if (interval->count == 0)
        return interval->low > -INFINITY ? interval->low : interval->high;
    double tau = ((interval->sum + (double)interval->full * mu) - 1) / (double)interval->count;
    return fmin(fmax(tau, interval->low), interval->high);
}

/* Distributes the rounding error 1 - sum x equally over the values between the bounds. */
static void correct_sum(size_t n, double mu, double *x)
{
    double rest = 1;
    size_t between = 0;
    for (size_t k = 0; k < n; k++) {
        rest -= x[k];
        between += x[k] > 0 && x[k] < mu;
    }
    for (size_t k = 0; k < n && between > 0; k++)
        if (x[k] > 0 && x[k] < mu)
            x[k] = clamped(x[k] + rest / (double)between, mu);
}

void projection_find(const struct projection *projection, size_t n, double mu, const double *z, double *x)
{
    struct interval interval = {.low = -INFINITY, .high = INFINITY};
    size_t n_open = 2 * n, n_undecided = n;
    for (size_t k = 0; k < n; k++) {
        projection->breakpoint[2 * k] = z[k] - mu;
        projection->breakpoint[2 * k + 1] = z[k];
        projection->open[2 * k] = 2 * k;
        projection->open[2 * k + 1] = 2 * k + 1;
        projection->undecided[k] = k;
    }
    while (n_open > 0) {
        size_t half = (n_open + 1) / 2;
        smallest_partition(projection->open, n_open, half, projection->breakpoint);
        double median = projection->breakpoint[projection->open[half - 1]];
        if (sum_at(&interval, projection->undecided, n_undecided, z, mu, median) >= 1)
            interval.low = median;
        else
            interval.high = median;
        n_open = keep_inside(&interval, projection->open, n_open, projection->breakpoint);
        n_undecided = decide(&interval, projection->undecided, n_undecided, z, mu);
    }
    double tau = tau_of(&interval, mu);
    for (size_t k = 0; k < n; k++)
        x[k] = clamped(z[k] - tau, mu);
    correct_sum(n, mu, x);
}
