#include "harness/atlas/atlas_results.h"

#include <stdlib.h>

#include "harness/base/memory.h"

static void take_shares(struct atlas *atlas, const struct atlas_family *family, struct atlas_results *results)
{
    for (int cost = 0; cost < ATLAS_COSTS; cost++)
        for (size_t t = 0; t <= family->n_targets; t++)
            results->n_shares += (size_t)budget_shares_of(atlas, family, (enum atlas_cost)cost, t ? t - 1 : ALL_TARGETS,
                                                          &results->shares[results->n_shares]);
}

static void take_maps(struct atlas *atlas, const struct atlas_family *family, struct atlas_results *results)
{
    for (int cost = 0; cost < ATLAS_COSTS; cost++)
        for (size_t t = 0; t < family->n_targets; t++)
            for (size_t d = 0; d <= atlas->n_datasets; d++) {
                struct regime_map *map = &results->maps[results->n_maps++];
                regime_map_of(atlas, family, (enum atlas_cost)cost, t, d ? d - 1 : ALL_DATASETS, map);
                if (!map->cells)
                    results->n_maps--;
            }
}

/* Computes a family's results about solvers and costs. */
static void take_family(struct atlas *atlas, size_t number, struct atlas_results *results)
{
    const struct atlas_family *family = &atlas->families[number];
    for (int cost = 0; cost < ATLAS_COSTS; cost++) {
        results->n_stability += (size_t)rank_stability_of(atlas, family, (enum atlas_cost)cost,
                                                          &results->stability[results->n_stability]);
        results->n_near +=
            (size_t)near_best_of(atlas, family, (enum atlas_cost)cost, &results->near[results->n_near]);
        for (int other = cost + 1; other < ATLAS_COSTS; other++)
            results->n_agreement +=
                (size_t)measure_agreement_of(atlas, family, (enum atlas_cost)cost, (enum atlas_cost)other,
                                             &results->agreement[results->n_agreement]);
    }
    results->n_waste += (size_t)kernel_waste_of(atlas, family, &results->waste[results->n_waste]);
    results->ratios[number] = series_ratios_of(atlas, family, &results->n_ratios[number]);
    results->n_families++;
    for (size_t d = 0; d <= atlas->n_datasets; d++)
        results->n_rates +=
            (size_t)local_rates_of(atlas, family, d ? d - 1 : (size_t)-1, &results->rates[results->n_rates]);
}

void atlas_results_of(struct atlas *atlas, struct atlas_results *results)
{
    const size_t n = atlas->n_families;
    size_t shares = 0, maps = 0;
    for (size_t f = 0; f < atlas->n_families; f++) {
        shares += ATLAS_COSTS * (atlas->families[f].n_targets + 1);
        maps += ATLAS_COSTS * atlas->families[f].n_targets * (atlas->n_datasets + 1);
    }
    *results = (struct atlas_results){.shares = xcalloc(shares, sizeof *results->shares),
                                      .maps = xcalloc(maps, sizeof *results->maps)};
    results->stability = xcalloc(n * ATLAS_COSTS, sizeof *results->stability);
    results->near = xcalloc(n * ATLAS_COSTS, sizeof *results->near);
    results->agreement = xcalloc(n * ATLAS_COSTS * ATLAS_COSTS, sizeof *results->agreement);
    results->waste = xcalloc(n, sizeof *results->waste);
    results->ratios = xcalloc(n, sizeof *results->ratios);
    results->n_ratios = xcalloc(n, sizeof *results->n_ratios);
    results->rates = xcalloc(n * (atlas->n_datasets + 1), sizeof *results->rates);
    for (size_t f = 0; f < atlas->n_families; f++) {
        take_shares(atlas, &atlas->families[f], results);
        take_maps(atlas, &atlas->families[f], results);
        take_family(atlas, f, results);
    }
    size_growth_of(atlas, &results->growth);
}

void atlas_results_free(struct atlas_results *results)
{
    for (size_t i = 0; i < results->n_shares; i++)
        budget_shares_free(&results->shares[i]);
    for (size_t i = 0; i < results->n_maps; i++)
        regime_map_free(&results->maps[i]);
    for (size_t i = 0; i < results->n_stability; i++)
        rank_stability_free(&results->stability[i]);
    for (size_t i = 0; i < results->n_near; i++)
        near_best_free(&results->near[i]);
    for (size_t i = 0; i < results->n_waste; i++)
        kernel_waste_free(&results->waste[i]);
    for (size_t i = 0; i < results->n_rates; i++)
        local_rates_free(&results->rates[i]);
    for (size_t f = 0; f < results->n_families; f++) {
        for (size_t i = 0; i < results->n_ratios[f]; i++)
            series_ratios_free(&results->ratios[f][i]);
        free(results->ratios[f]);
    }
    size_growth_free(&results->growth);
    free(results->shares);
    free(results->maps);
    free(results->stability);
    free(results->near);
    free(results->agreement);
    free(results->waste);
    free(results->ratios);
    free(results->n_ratios);
    free(results->rates);
    *results = (struct atlas_results){0};
}

static size_t find_target(const struct atlas_family *family, double target)
{
    size_t t = 0;
    while (t < family->n_targets && !(family->targets[t] > 0.99 * target && family->targets[t] < 1.01 * target))
        t++;
    return t;
}

size_t atlas_shown_targets(const struct atlas_family *family, size_t shown[2])
{
    const size_t last = family->n_targets - 1, loose = find_target(family, 1e-3), tight = find_target(family, 1e-6);
    shown[0] = loose <= last ? loose : last / 2;
    shown[1] = tight <= last ? tight : last;
    return shown[0] < shown[1] ? 2 : 1;
}
