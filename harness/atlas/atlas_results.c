#include "harness/atlas/atlas_results.h"

static void take_shares(struct atlas *atlas, const struct atlas_family *family, struct atlas_results *results)
{
    for (int cost = 0; cost < ATLAS_COSTS; cost++)
        for (size_t t = 0; t <= family->n_targets; t++, pool_reset(atlas->scratch))
            results->n_shares += (size_t)budget_shares_of(atlas, family, (enum atlas_cost)cost, t ? t - 1 : ALL_TARGETS,
                                                          &results->shares[results->n_shares]);
}

static void take_maps(struct atlas *atlas, const struct atlas_family *family, struct atlas_results *results)
{
    for (int cost = 0; cost < ATLAS_COSTS; cost++)
        for (size_t t = 0; t < family->n_targets; t++)
            for (size_t d = 0; d <= atlas->n_datasets; d++, pool_reset(atlas->scratch))
                results->n_maps += (size_t)regime_map_of(atlas, family, (enum atlas_cost)cost, t,
                                                         d ? d - 1 : ALL_DATASETS, &results->maps[results->n_maps]);
}

/* Computes a family's results about solvers and costs. */
static void take_family(struct atlas *atlas, const struct atlas_family *family, struct atlas_results *results)
{
    for (int cost = 0; cost < ATLAS_COSTS; cost++, pool_reset(atlas->scratch)) {
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
    results->n_ratios += series_ratios_of(atlas, family, &results->ratios[results->n_ratios]);
    for (size_t d = 0; d <= atlas->n_datasets; d++)
        results->n_rates +=
            (size_t)local_rates_of(atlas, family, d ? d - 1 : (size_t)-1, &results->rates[results->n_rates]);
    pool_reset(atlas->scratch);
}

struct atlas_results *atlas_results_of(struct atlas *atlas)
{
    struct pool *pool = atlas->pool;
    struct atlas_results *results = pool_alloc(pool, sizeof *results);
    const size_t n = atlas->n_families;
    size_t shares = 0, maps = 0, pairs = 0;
    for (size_t f = 0; f < n; f++) {
        shares += ATLAS_COSTS * (atlas->families[f].n_targets + 1);
        maps += ATLAS_COSTS * atlas->families[f].n_targets * (atlas->n_datasets + 1);
        pairs += atlas->families[f].n_series * atlas->families[f].n_series;
    }
    results->shares = pool_array(pool, shares, sizeof *results->shares);
    results->maps = pool_array(pool, maps, sizeof *results->maps);
    results->stability = pool_array(pool, n * ATLAS_COSTS, sizeof *results->stability);
    results->near = pool_array(pool, n * ATLAS_COSTS, sizeof *results->near);
    results->agreement = pool_array(pool, n * ATLAS_COSTS * ATLAS_COSTS, sizeof *results->agreement);
    results->waste = pool_array(pool, n, sizeof *results->waste);
    results->ratios = pool_array(pool, pairs, sizeof *results->ratios);
    results->rates = pool_array(pool, n * (atlas->n_datasets + 1), sizeof *results->rates);
    for (size_t f = 0; f < n; f++) {
        take_shares(atlas, &atlas->families[f], results);
        take_maps(atlas, &atlas->families[f], results);
        take_family(atlas, &atlas->families[f], results);
    }
    size_growth_of(atlas, &results->growth);
    return results;
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
