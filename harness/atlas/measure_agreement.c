/*
 * With x and y the two costs, two solvers of a problem and target are concordant if (x_i - x_j)(y_i - y_j) > 0. The
 * spread is max_i (y_i / x_i) / min_i (y_i / x_i): the worst error of estimating y from x alone. Intervals resample
 * data sets.
 */
#include "harness/atlas/measure_agreement.h"

#include <math.h>

#include "harness/stats/rank_tests.h"

/* Sums for each data set. */
struct tallies {
    double *alike, *ordered, *tau, *with_tau, *spread, *with_spread;
};

/* Collects the costs of the solvers that reached the target; returns their number. */
static size_t take_costs(const struct atlas_family *family, const enum atlas_cost costs[2], size_t problem,
                         size_t target, double *x, double *y)
{
    size_t n = 0;
    for (size_t s = 0; s < family->n_series; s++) {
        const size_t at = atlas_at(family, s, problem, target);
        if (!family->counts[costs[0]][s] || !family->counts[costs[1]][s] || !atlas_reached(family, at))
            continue;
        x[n] = family->spent[costs[0]][at];
        y[n++] = family->spent[costs[1]][at];
    }
    return n;
}

/* The logarithm of the spread; NAN if a cost is 0. */
static double spread_of(const double *x, const double *y, size_t n)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        if (!(x[i] > 0 && y[i] > 0))
            return (double)NAN;
        low = fmin(low, log(y[i] / x[i]));
        high = fmax(high, log(y[i] / x[i]));
    }
    return high - low;
}

static void add_task(struct measure_agreement *agreement, const double *x, const double *y, size_t n, size_t dataset,
                     struct tallies *tallies)
{
    const struct pair_orders orders = pair_orders_of(x, y, n);
    const double tau = kendall_tau(&orders), spread = spread_of(x, y, n);
    agreement->pairs += (double)(n * (n - 1)) / 2;
    agreement->equal += orders.equal_x + orders.equal_y + orders.equal_both;
    tallies->alike[dataset] += orders.alike;
    tallies->ordered[dataset] += orders.alike + orders.against;
    tallies->tau[dataset] += isnan(tau) ? 0 : tau;
    tallies->with_tau[dataset] += !isnan(tau);
    tallies->spread[dataset] += isnan(spread) ? 0 : spread;
    tallies->with_spread[dataset] += !isnan(spread);
}

int measure_agreement_of(struct atlas *atlas, const struct atlas_family *family, enum atlas_cost one,
                         enum atlas_cost other, struct measure_agreement *agreement)
{
    const size_t n = atlas->n_datasets;
    double *memory = pool_array(atlas->scratch, 6 * n, sizeof *memory),
           *x = pool_array(atlas->scratch, 2 * family->n_series, sizeof *x), *y = x + family->n_series;
    struct tallies tallies = {memory, memory + n, memory + 2 * n, memory + 3 * n, memory + 4 * n, memory + 5 * n};
    *agreement = (struct measure_agreement){.family = family, .costs = {one, other}};
    for (size_t p = 0; p < family->n_problems; p++)
        for (size_t t = 0; t < family->n_targets; t++) {
            const size_t count = take_costs(family, agreement->costs, p, t, x, y);
            if (count > 1)
                add_task(agreement, x, y, count, family->problems[p].dataset, &tallies);
        }
    agreement->concordant = atlas_interval(atlas, tallies.alike, tallies.ordered, 0);
    agreement->tau = atlas_interval(atlas, tallies.tau, tallies.with_tau, 0);
    agreement->spread = atlas_interval(atlas, tallies.spread, tallies.with_spread, 1);
    return agreement->pairs > 0;
}
