/*
 * A method that converges linearly multiplies the gap by about the same factor in each iteration near the solution, so
 * every decade of the gap takes as many iterations as the previous one. Between targets t > t' it is measured as
 *     (iterations at t' - iterations at t) / (N log10(t / t')).
 * The rule is only tested from time to time, so both counts are too large by up to a few per cent.
 *
 * Quartiles are order statistics, the k-th smallest with k = q n / 4 rounded up, so runs that did not reach t' need no
 * value: they are the largest.
 */
#include "harness/atlas/local_rates.h"

#include <gsl/gsl_sort.h>
#include <math.h>


static void fill_row(const struct atlas *atlas, const struct local_rates *rates, size_t series, size_t step,
                     double *values, struct local_rate *row)
{
    const struct atlas_family *family = rates->family;
    const double decades = log10(family->targets[step] / family->targets[step + 1]);
    for (size_t p = 0; p < family->n_problems; p++) {
        const struct atlas_problem *problem = &family->problems[p];
        const size_t at = atlas_at(family, series, p, step);
        if ((rates->dataset != (size_t)-1 && problem->dataset != rates->dataset) || !atlas_reached(family, at))
            continue;
        const double more = atlas_cost_of(family, ATLAS_ITERATIONS, at + 1) - family->spent[ATLAS_ITERATIONS][at];
        values[row->n++] = more / (decades * atlas->datasets[problem->dataset].n_train);
        row->missed += !atlas_reached(family, at + 1);
    }
    gsl_sort(values, 1, row->n);
    for (size_t q = 1; q <= 3; q++)
        row->quartiles[q - 1] = row->n ? values[(q * row->n + 3) / 4 - 1] : (double)NAN;
}

int local_rates_of(const struct atlas *atlas, const struct atlas_family *family, size_t dataset,
                   struct local_rates *rates)
{
    *rates = (struct local_rates){.family = family, .dataset = dataset};
    if (family->n_targets < 2 || !atlas->sizes_known || family->n_counting[ATLAS_ITERATIONS] == 0)
        return 0;
    const size_t steps = family->n_targets - 1;
    double *values = pool_array(atlas->scratch, family->n_problems, sizeof *values);
    rates->rows = pool_array(atlas->pool, family->n_series * steps, sizeof *rates->rows);
    for (size_t s = 0; s < family->n_series; s++)
        for (size_t k = 0; k < steps && family->counts[ATLAS_ITERATIONS][s]; k++)
            fill_row(atlas, rates, s, k, values, &rates->rows[s * steps + k]);
    return 1;
}

