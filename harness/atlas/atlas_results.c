#include "harness/atlas/atlas_results.h"

#include <stdlib.h>

#include "harness/program/memory.h"

static void take_shares(struct atlas *atlas, const struct atlas_family *family, struct atlas_results *results)
{
    for (int cost = 0; cost < ATLAS_COSTS; cost++)
        for (size_t t = 0; t <= family->n_targets; t++)
            results->n_shares += (size_t)budget_shares_of(atlas, family, (enum atlas_cost)cost, t ? t - 1 : ALL_TARGETS,
                                                          &results->shares[results->n_shares]);
}

static enum status take_maps(struct atlas *atlas, const struct atlas_family *family, struct atlas_results *results,
                             struct error *error)
{
    enum status status = STATUS_OK;
    for (int cost = 0; cost < ATLAS_COSTS; cost++)
        for (size_t t = 0; t < family->n_targets; t++)
            for (size_t d = 0; d <= atlas->n_datasets && status == STATUS_OK; d++) {
                struct regime_map *map = &results->maps[results->n_maps++];
                status = regime_map_of(atlas, family, (enum atlas_cost)cost, t, d ? d - 1 : ALL_DATASETS, map, error);
                if (status == STATUS_OK && !map->cells)
                    results->n_maps--;
            }
    return status;
}

enum status atlas_results_of(struct atlas *atlas, struct atlas_results *results, struct error *error)
{
    size_t shares = 0, maps = 0;
    enum status status = STATUS_OK;
    for (size_t f = 0; f < atlas->n_families; f++) {
        shares += ATLAS_COSTS * (atlas->families[f].n_targets + 1);
        maps += ATLAS_COSTS * atlas->families[f].n_targets * (atlas->n_datasets + 1);
    }
    *results = (struct atlas_results){.shares = xcalloc(shares, sizeof *results->shares),
                                      .maps = xcalloc(maps, sizeof *results->maps)};
    for (size_t f = 0; f < atlas->n_families && status == STATUS_OK; f++) {
        take_shares(atlas, &atlas->families[f], results);
        status = take_maps(atlas, &atlas->families[f], results, error);
    }
    return status;
}

void atlas_results_free(struct atlas_results *results)
{
    for (size_t i = 0; i < results->n_shares; i++)
        budget_shares_free(&results->shares[i]);
    for (size_t i = 0; i < results->n_maps; i++)
        regime_map_free(&results->maps[i]);
    free(results->shares);
    free(results->maps);
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
