/*
 * With c(s, p, t) the penalised cost of series s on problem p at target t, and l(p, t) the smallest cost of a series
 * that reached it, the ratio is exp of the mean of log c/l: the factor paid for not knowing which solver is best. l is
 * a minimum over the solvers in the atlas, so ratios grow when better solvers are added. Intervals resample data sets.
 */
#include "harness/atlas/near_best.h"

#include <math.h>


struct tallies {
    double *logs, *near, *best, *all; /* for each data set */
};

static void add_target(const struct near_best *near, const double *least, size_t series, size_t target,
                       struct tallies *tallies)
{
    const struct atlas_family *family = near->family;
    for (size_t p = 0; p < family->n_problems; p++) {
        const size_t d = family->problems[p].dataset;
        const double lowest = least[p * family->n_targets + target],
                     cost = atlas_cost_of(family, near->cost, atlas_at(family, series, p, target));
        if (!isfinite(lowest))
            continue;
        tallies->logs[d] +=
            atlas_log_cost(family, near->cost, series, p, target) - log(atlas_positive(near->cost, lowest));
        tallies->near[d] += cost <= ATLAS_NEAR * lowest;
        tallies->best[d] += cost <= lowest;
        tallies->all[d]++;
    }
}

static void fill_row(struct atlas *atlas, const struct near_best *near, const double *least, size_t series,
                     size_t first, size_t end, struct near_best_row *row)
{
    const size_t n = atlas->n_datasets;
    double *memory = pool_array(atlas->scratch, 4 * n, sizeof *memory);
    struct tallies tallies = {memory, memory + n, memory + 2 * n, memory + 3 * n};
    for (size_t t = first; t < end; t++)
        add_target(near, least, series, t, &tallies);
    row->ratio = atlas_interval(atlas, tallies.logs, tallies.all, 1);
    row->near = atlas_interval(atlas, tallies.near, tallies.all, 0);
    row->best = atlas_interval(atlas, tallies.best, tallies.all, 0);
}

int near_best_of(struct atlas *atlas, const struct atlas_family *family, enum atlas_cost cost, struct near_best *near)
{
    const size_t targets = family->n_targets;
    *near = (struct near_best){.family = family, .cost = cost};
    if (family->n_counting[cost] < 2 || family->n_problems == 0)
        return 0;
    near->rows = pool_array(atlas->pool, family->n_series * (targets + 1), sizeof *near->rows);
    near->n = pool_array(atlas->pool, targets + 1, sizeof *near->n);
    double *least = pool_array(atlas->scratch, family->n_problems * targets, sizeof *least);
    for (size_t k = 0; k < family->n_problems * targets; k++) {
        least[k] = atlas_least_cost(family, cost, k / targets, k % targets);
        near->n[k % targets] += isfinite(least[k]) != 0;
        near->n[targets] += isfinite(least[k]) != 0;
    }
    for (size_t s = 0; s < family->n_series; s++)
        for (size_t t = 0; t <= targets && family->counts[cost][s]; t++)
            fill_row(atlas, near, least, s, t < targets ? t : 0, t < targets ? t + 1 : targets,
                     &near->rows[s * (targets + 1) + t]);
    return 1;
}

