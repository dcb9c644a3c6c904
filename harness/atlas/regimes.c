/*
 * In a cell the cost of series s on data set d is m(s, d) = mean over its splits of log cost, penalised if the target
 * was not reached. The best has the smallest mean of m over data sets, that is, the lowest geometric mean cost. The
 * others that may be the best instead form a confidence set (several_solvers.h) with data sets as blocks. It includes
 * the correction for choosing the best of many, and a cell is decided if the set has one member. Series with the same
 * costs everywhere count as one.
 *
 * A map of one data set uses splits instead of data sets and does not generalise to other data sets: its test is the
 * corrected resampled t test, since splits overlap.
 */
#include "harness/atlas/regimes.h"

#include <math.h>
#include <string.h>

#include "harness/compare/case_statistics.h"
#include "harness/stats/several_solvers.h"

/* The series that count the cost, and their costs in the cell: costs[k * n + i], block i of n. */
struct cell_costs {
    size_t *series, n_series;
    double *costs;
    size_t *blocks; /* the block of each problem of the cell */
    size_t *problems, n_problems, n;
    double overlap; /* for a map of one data set; `fewest`: the fewest splits for a decision */
    size_t fewest;
    size_t *dataset_of; /* for each block */
};

/* The problems of the cell, and their blocks: one per data set or, in a map of one data set, one per problem. */
static void take_problems(const struct regime_map *map, size_t c, size_t factor, struct cell_costs *cell)
{
    const struct atlas_family *family = map->family;
    cell->n = cell->n_problems = 0;
    for (size_t p = 0; p < family->n_problems; p++) {
        const struct atlas_problem *problem = &family->problems[p];
        if (problem->c_level != c || problem->factor_level != factor ||
            (map->dataset != ALL_DATASETS && problem->dataset != map->dataset))
            continue;
        size_t block = cell->n;
        for (size_t b = 0; b < cell->n && map->dataset == ALL_DATASETS; b++)
            if (cell->dataset_of[b] == problem->dataset)
                block = b;
        if (block == cell->n)
            cell->dataset_of[cell->n++] = problem->dataset;
        cell->blocks[cell->n_problems] = block;
        cell->problems[cell->n_problems++] = p;
    }
}

static void fill_costs(const struct atlas *atlas, const struct regime_map *map, struct cell_costs *cell)
{
    double *counts = pool_array(atlas->scratch, cell->n, sizeof *counts);
    for (size_t i = 0; i < cell->n_problems; i++)
        counts[cell->blocks[i]]++;
    for (size_t k = 0; k < cell->n_series; k++) {
        double *costs = cell->costs + k * cell->n;
        memset(costs, 0, cell->n * sizeof *costs);
        for (size_t i = 0; i < cell->n_problems; i++)
            costs[cell->blocks[i]] +=
                atlas_log_cost(map->family, map->cost, cell->series[k], cell->problems[i], map->target) /
                counts[cell->blocks[i]];
    }
}

static size_t count_reached(const struct regime_map *map, const struct cell_costs *cell, size_t series)
{
    size_t n = 0;
    for (size_t i = 0; i < cell->n_problems; i++)
        n += (size_t)atlas_reached(map->family, atlas_at(map->family, series, cell->problems[i], map->target));
    return n;
}

/* The second's cost over the best's: over data sets with the atlas's draws, for one data set without an interval. */
static void fill_ratio(struct atlas *atlas, const struct regime_map *map, const struct cell_costs *cell, size_t best,
                       size_t second, struct regime_cell *result)
{
    double *logs = pool_array(atlas->scratch, 2 * atlas->n_datasets, sizeof *logs), *ones = logs + atlas->n_datasets,
           sum = 0;
    for (size_t b = 0; b < cell->n; b++) {
        const double difference = cell->costs[second * cell->n + b] - cell->costs[best * cell->n + b];
        sum += difference;
        result->best_cost += cell->costs[best * cell->n + b] / (double)cell->n;
        logs[cell->dataset_of[b]] = difference;
        ones[cell->dataset_of[b]] = 1;
    }
    result->best_cost = exp(result->best_cost);
    result->ratio = map->dataset == ALL_DATASETS
                        ? atlas_interval(atlas, logs, ones, 1)
                        : (struct interval){exp(sum / (double)cell->n), (double)NAN, (double)NAN, 0};
}

static void judge_cell(struct atlas *atlas, const struct regime_map *map, struct cell_costs *cell,
                       struct regime_cell *result)
{
    unsigned char *member = pool_alloc(atlas->scratch, cell->n_series);
    const double level = 1 - ATLAS_LEVEL;
    fill_costs(atlas, map, cell);
    const struct best_set set =
        map->dataset == ALL_DATASETS
            ? best_set_over_blocks(cell->costs, cell->n_series, cell->n, level, member)
            : best_set_over_splits(cell->costs, cell->n_series, cell->n, cell->fewest, cell->overlap, level, member);
    for (size_t k = 0; k < cell->n_series; k++) {
        result->may_be_best[cell->series[k]] = member[k];
        result->reached |= count_reached(map, cell, cell->series[k]) > 0;
    }
    if (!result->reached)
        return;
    result->best = cell->series[set.best];
    result->second = cell->series[set.second];
    result->candidates = set.members;
    result->p = set.p;
    result->best_reached = (double)count_reached(map, cell, result->best) / (double)cell->n_problems;
    fill_ratio(atlas, map, cell, set.best, set.second, result);
}

static void fill_map(struct atlas *atlas, struct regime_map *map, struct cell_costs *cell)
{
    const struct atlas_family *family = map->family;
    for (size_t at = 0; at < family->n_c * family->n_factors; at++) {
        struct regime_cell *result = &map->cells[at];
        result->may_be_best = map->members + at * family->n_series;
        take_problems(map, at / family->n_factors, at % family->n_factors, cell);
        result->n = cell->n;
        if (cell->n > 0)
            judge_cell(atlas, map, cell, result);
    }
}

static void start_cell(const struct atlas *atlas, const struct regime_map *map, struct cell_costs *cell)
{
    const struct atlas_family *family = map->family;
    const size_t n = family->n_problems;
    *cell = (struct cell_costs){.series = pool_array(atlas->scratch, family->n_series, sizeof *cell->series),
                                .costs = pool_array(atlas->scratch, family->n_series * n, sizeof *cell->costs),
                                .blocks = pool_array(atlas->scratch, n, sizeof *cell->blocks),
                                .problems = pool_array(atlas->scratch, n, sizeof *cell->problems),
                                .dataset_of = pool_array(atlas->scratch, n, sizeof *cell->dataset_of),
                                .fewest = MIN_PAIRS_FOR_A_CLAIM};
    for (size_t s = 0; s < family->n_series; s++)
        if (family->counts[map->cost][s])
            cell->series[cell->n_series++] = s;
    if (map->dataset == ALL_DATASETS)
        return;
    const struct atlas_dataset *dataset = &atlas->datasets[map->dataset];
    cell->overlap = contrast_overlap(CONTRAST_TRAINED, (size_t)dataset->n_train, (size_t)dataset->n_test);
    if (isnan(cell->overlap)) { /* without the sizes the cell cannot be decided */
        cell->overlap = 0;
        cell->fewest = (size_t)-1;
    }
}

int regime_map_of(struct atlas *atlas, const struct atlas_family *family, enum atlas_cost cost, size_t target,
                  size_t dataset, struct regime_map *map)
{
    const size_t cells = family->n_c * family->n_factors;
    struct cell_costs cell;
    *map = (struct regime_map){.family = family, .cost = cost, .target = target, .dataset = dataset};
    if (family->n_counting[cost] < 2 || cells == 0)
        return 0;
    map->cells = pool_array(atlas->pool, cells, sizeof *map->cells);
    map->members = pool_alloc(atlas->pool, cells * family->n_series);
    start_cell(atlas, map, &cell);
    fill_map(atlas, map, &cell);
    return 1;
}

void regime_map_count(const struct regime_map *map, size_t *cells, size_t *decided)
{
    *cells = *decided = 0;
    for (size_t at = 0; at < map->family->n_c * map->family->n_factors; at++) {
        *cells += map->cells[at].reached != 0;
        *decided += map->cells[at].candidates == 1;
    }
}
