/*
 * The ranking at target t orders the series by M(s, t), the mean over data sets of the mean log cost over the data
 * set's problems, censored runs penalised. Its agreement with the ranking at the reference r is Kendall's tau-b of
 * M(., r) and M(., t), recomputed in each resample of data sets for the interval.
 *
 * On one problem the winners at a target are the series that reached it at the smallest cost, often only one. A problem
 * counts by the share of the winners at r that are also winners at t.
 */
#include "harness/atlas/rank_stability.h"

#include <math.h>

#include "harness/atlas/atlas_results.h"
#include "harness/stats/rank_tests.h"

struct ranking {
    const struct atlas *atlas;
    const struct atlas_family *family;
    enum atlas_cost cost;
    size_t *series, n_series; /* those that count the cost */
    double *problems;         /* for each data set */
};

/* means[k * n_datasets + d], NAN without problems. */
static void take_means(const struct ranking *ranking, size_t target, double *means)
{
    const size_t n = ranking->atlas->n_datasets;
    for (size_t i = 0; i < ranking->n_series * n; i++)
        means[i] = 0;
    for (size_t k = 0; k < ranking->n_series; k++)
        for (size_t p = 0; p < ranking->family->n_problems; p++) {
            const size_t d = ranking->family->problems[p].dataset;
            means[k * n + d] +=
                atlas_log_cost(ranking->family, ranking->cost, ranking->series[k], p, target) / ranking->problems[d];
        }
}

/* Tau of the rankings if data set d counts times[d] times; NULL: once each. */
static double tau_of(const struct ranking *ranking, const double *reference, const double *means, const double *times,
                     double *rank)
{
    const size_t n = ranking->atlas->n_datasets, k = ranking->n_series;
    for (size_t s = 0; s < 2 * k; s++) {
        const double *values = (s < k ? reference : means) + s % k * n;
        rank[s] = 0;
        for (size_t d = 0; d < n; d++)
            rank[s] += ranking->problems[d] > 0 ? (times ? times[d] : 1) * values[d] : 0;
    }
    const struct pair_orders orders = pair_orders_of(rank, rank + k, k);
    return kendall_tau(&orders);
}

static void fill_tau(struct atlas *atlas, const struct ranking *ranking, const double *reference, const double *means,
                     struct interval *tau)
{
    size_t with_problems = 0;
    double *rank = pool_array(atlas->scratch, 2 * ranking->n_series, sizeof *rank);
    for (size_t d = 0; d < atlas->n_datasets; d++)
        with_problems += ranking->problems[d] > 0;
    for (size_t b = 0; b < atlas->draws.resamples && with_problems > 1; b++)
        atlas->draws.values[b] =
            tau_of(ranking, reference, means, atlas->draws.times + b * atlas->n_datasets, rank);
    const double estimate = tau_of(ranking, reference, means, NULL, rank);
    *tau = with_problems > 1 ? bootstrap_percentiles(&atlas->draws, estimate, ATLAS_LEVEL)
                             : (struct interval){estimate, (double)NAN, (double)NAN, 0};
}

/* The share of the reference's winners that win here too, and the mean log of their cost over the smallest. */
static void follow_winners(const struct ranking *ranking, size_t problem, size_t reference, size_t target, double *same,
                           double *loss)
{
    const double before = atlas_least_cost(ranking->family, ranking->cost, problem, reference),
                 now = atlas_least_cost(ranking->family, ranking->cost, problem, target);
    double winners = 0, least = (double)INFINITY;
    *same = *loss = 0;
    for (size_t k = 0; k < ranking->n_series; k++)
        least = fmin(least, atlas_log_cost(ranking->family, ranking->cost, ranking->series[k], problem, target));
    for (size_t k = 0; k < ranking->n_series; k++) {
        const size_t s = ranking->series[k];
        if (atlas_cost_of(ranking->family, ranking->cost, atlas_at(ranking->family, s, problem, reference)) != before)
            continue;
        winners++;
        *same += atlas_cost_of(ranking->family, ranking->cost, atlas_at(ranking->family, s, problem, target)) == now;
        *loss += atlas_log_cost(ranking->family, ranking->cost, s, problem, target) - least;
    }
    *same /= winners;
    *loss /= winners;
}

static void fill_winners(struct atlas *atlas, const struct ranking *ranking, size_t reference, size_t target,
                         struct stability_row *row)
{
    const size_t n = atlas->n_datasets;
    double *same = pool_array(atlas->scratch, 3 * n, sizeof *same), *loss = same + n, *all = loss + n;
    for (size_t p = 0; p < ranking->family->n_problems; p++) {
        const size_t d = ranking->family->problems[p].dataset;
        double one, other;
        if (!isfinite(atlas_least_cost(ranking->family, ranking->cost, p, reference)) ||
            !isfinite(atlas_least_cost(ranking->family, ranking->cost, p, target)))
            continue;
        follow_winners(ranking, p, reference, target, &one, &other);
        same[d] += one;
        loss[d] += other;
        all[d]++;
        row->n++;
    }
    row->same_winner = atlas_interval(atlas, same, all, 0);
    row->loss = atlas_interval(atlas, loss, all, 1);
}

int rank_stability_of(struct atlas *atlas, const struct atlas_family *family, enum atlas_cost cost,
                      struct rank_stability *stability)
{
    size_t shown[2];
    *stability = (struct rank_stability){.family = family, .cost = cost};
    if (family->n_counting[cost] < 2 || family->n_targets < 2 || family->n_problems == 0)
        return 0;
    struct ranking ranking = {atlas, family, cost, pool_array(atlas->scratch, family->n_series, sizeof *ranking.series),
                              0, pool_array(atlas->scratch, atlas->n_datasets, sizeof *ranking.problems)};
    for (size_t s = 0; s < family->n_series; s++)
        if (family->counts[cost][s])
            ranking.series[ranking.n_series++] = s;
    for (size_t p = 0; p < family->n_problems; p++)
        ranking.problems[family->problems[p].dataset]++;
    const size_t size = ranking.n_series * atlas->n_datasets;
    double *reference = pool_array(atlas->scratch, 2 * size, sizeof *reference), *means = reference + size;
    atlas_shown_targets(family, shown);
    stability->reference = shown[0];
    stability->rows = pool_array(atlas->pool, family->n_targets, sizeof *stability->rows);
    take_means(&ranking, stability->reference, reference);
    for (size_t t = 0; t < family->n_targets; t++) {
        take_means(&ranking, t, means);
        fill_tau(atlas, &ranking, reference, means, &stability->rows[t].tau);
        fill_winners(atlas, &ranking, stability->reference, t, &stability->rows[t]);
    }
    return 1;
}

