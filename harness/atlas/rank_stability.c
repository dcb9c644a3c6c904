/*
 * The ranking at target t orders the series by M(s, t), the mean over data sets of the mean log cost over the data
 * set's problems, censored runs penalised. Its agreement with the ranking at the reference r is Kendall's tau-b of
 * M(., r) and M(., t), recomputed in each resample of data sets for the interval.
 *
 * On one problem the winners at a target are the series that reached it at the smallest cost, often only one. A problem
 * counts by the share of the winners at r that are also winners at t.
 */
#include <math.h>

#include "harness/atlas/atlas.h"
#include "harness/stats/rank_tests.h"

struct ranking {
    struct atlas *atlas;
    const struct atlas_family *family;
    const struct cube *cube;
    double *problems; /* for each data set */
};

/* means[k * n_datasets + d] of the k-th series that counts the cost; 0 without problems. */
static void take_means(const struct ranking *ranking, size_t target, double *means)
{
    const struct cube *cube = ranking->cube;
    const size_t n = ranking->atlas->n_datasets;
    for (size_t i = 0; i < cube->n_counting * n; i++)
        means[i] = 0;
    for (size_t k = 0; k < cube->n_counting; k++)
        for (size_t p = 0; p < ranking->family->n_problems; p++) {
            const size_t d = ranking->family->problems[p].dataset;
            means[k * n + d] += cube_log(cube, cube->counting[k], p * ranking->family->n_targets + target) /
                                ranking->problems[d];
        }
}

/* Tau of the rankings if data set d counts times[d] times; NULL: once each. */
static double tau_of(const struct ranking *ranking, const double *reference, const double *means, const double *times,
                     double *rank)
{
    const size_t n = ranking->atlas->n_datasets, k = ranking->cube->n_counting;
    for (size_t s = 0; s < 2 * k; s++) {
        const double *values = (s < k ? reference : means) + s % k * n;
        rank[s] = 0;
        for (size_t d = 0; d < n; d++)
            rank[s] += ranking->problems[d] > 0 ? (times ? times[d] : 1) * values[d] : 0;
    }
    const struct pair_orders orders = pair_orders_of(rank, rank + k, k);
    return kendall_tau(&orders);
}

static struct interval tau_interval(const struct ranking *ranking, const double *reference, const double *means)
{
    struct atlas *atlas = ranking->atlas;
    size_t with_problems = 0;
    double *rank = pool_array(atlas->scratch, 2 * ranking->cube->n_counting, sizeof *rank);
    for (size_t d = 0; d < atlas->n_datasets; d++)
        with_problems += ranking->problems[d] > 0;
    for (size_t b = 0; b < atlas->draws.resamples && with_problems > 1; b++)
        atlas->draws.values[b] =
            tau_of(ranking, reference, means, atlas->draws.times + b * atlas->n_datasets, rank);
    const double estimate = tau_of(ranking, reference, means, NULL, rank);
    return with_problems > 1 ? bootstrap_percentiles(&atlas->draws, estimate, ATLAS_LEVEL)
                             : (struct interval){estimate, (double)NAN, (double)NAN, 0};
}

/* On each problem, the share of the reference's winners that win here too, and the mean log of their cost over the
 * smallest. */
static void put_winners(const struct ranking *ranking, size_t reference, size_t target, struct atlas_table *table)
{
    const struct cube *cube = ranking->cube;
    struct tally same = tally_new(ranking->atlas), loss = tally_new(ranking->atlas);
    size_t n = 0; /* problems on which some solver reaches both targets */
    for (size_t p = 0; p < ranking->family->n_problems; p++) {
        const size_t first = p * ranking->family->n_targets + reference, here = first - reference + target,
                     d = ranking->family->problems[p].dataset;
        const double before = cube_least(cube, first), now = cube_least(cube, here);
        double winners = 0, also = 0, logs = 0, least = (double)INFINITY;
        if (!isfinite(before) || !isfinite(now))
            continue;
        for (size_t k = 0; k < cube->n_counting; k++)
            least = fmin(least, cube_log(cube, cube->counting[k], here));
        for (size_t k = 0; k < cube->n_counting; k++) {
            const double *costs = cube->cost + cube->counting[k] * cube->n_tasks;
            if (costs[first] != before)
                continue;
            winners++;
            also += costs[here] == now;
            logs += cube_log(cube, cube->counting[k], here) - least;
        }
        tally_add(&same, d, also / winners, 1);
        tally_add(&loss, d, logs / winners, 1);
        n++;
    }
    atlas_table_tally(table, 100, 2, &same, 0);
    atlas_table_tally(table, 1, 4, &loss, 1);
    result_number(&table->data, (double)n);
}

void rank_stability_put(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    struct atlas *atlas = table->out->atlas;
    const struct cube *cube = &family->costs[cost];
    size_t shown[2];
    if (cube->n_counting < 2 || family->n_targets < 2)
        return;
    const struct ranking ranking = {atlas, family, cube,
                                    pool_array(atlas->scratch, atlas->n_datasets, sizeof *ranking.problems)};
    for (size_t p = 0; p < family->n_problems; p++)
        ranking.problems[family->problems[p].dataset]++;
    const size_t size = cube->n_counting * atlas->n_datasets, n_shown = atlas_shown_targets(family, shown);
    const double from = family->targets[shown[0]];
    double *reference = pool_array(atlas->scratch, 2 * size, sizeof *reference), *means = reference + size;
    take_means(&ranking, shown[0], reference);
    for (size_t t = 0; t < family->n_targets; t++) {
        take_means(&ranking, t, means);
        const struct interval tau = tau_interval(&ranking, reference, means);
        result_row(&table->data, "%s\t%s\t%g → %g\t%g\t%g", family->key, atlas_cost_texts[cost].key, from,
                   family->targets[t], from, family->targets[t]);
        atlas_table_interval(table, 1, 2, &tau);
        put_winners(&ranking, shown[0], t, table);
        if (n_shown > 1 && t == shown[1])
            atlas_table_show(table);
    }
}
