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
#include <math.h>
#include <string.h>

#include "harness/atlas/atlas.h"
#include "harness/base/json_writer.h"
#include "harness/compare/case_statistics.h"
#include "harness/stats/several_solvers.h"

struct regime_cell {
    size_t n;              /* data sets, or splits for a map of one data set; 0: no problem in the cell */
    int reached;           /* nonzero: some solver reached the target on some problem of the cell; else the rest is 0 */
    size_t best, second;   /* series; equal if all have the same costs */
    size_t candidates;     /* number of series that may be the best; 1: decided */
    const char *may_be_best; /* their labels */
    double p;              /* adjusted, see several_solvers.h */
    double best_cost;      /* geometric mean, censored runs penalised */
    double best_reached;   /* share of the cell's problems on which the best reaches the target */
    struct interval ratio; /* of the second's cost to the best's, geometric mean over data sets; ends NAN: unknown */
};

/* A cell of a map over data sets needs at least five of them to be decided, and more with more series; a map of one
 * data set needs six splits and the sizes of the data set. */
struct regime_map {
    const struct atlas_family *family;
    enum atlas_cost cost;
    size_t target;
    size_t dataset;            /* its index; ATLAS_ALL: over all of them */
    struct regime_cell *cells; /* n_c x n_factors, rows of equal C */
    size_t n_cells;
    size_t n_reached, n_decided; /* cells in which some solver reaches the target; decided ones of these */
};

/* The costs in a cell of the series that count the cost: costs[k * n + i], block i of n. */
struct cell_costs {
    const struct cube *cube;
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
            (map->dataset != ATLAS_ALL && problem->dataset != map->dataset))
            continue;
        size_t block = cell->n;
        for (size_t b = 0; b < cell->n && map->dataset == ATLAS_ALL; b++)
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
    for (size_t k = 0; k < cell->cube->n_counting; k++) {
        double *costs = cell->costs + k * cell->n;
        memset(costs, 0, cell->n * sizeof *costs);
        for (size_t i = 0; i < cell->n_problems; i++)
            costs[cell->blocks[i]] += cube_log(cell->cube, cell->cube->counting[k],
                                               cell->problems[i] * map->family->n_targets + map->target) /
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

static void judge_cell(struct atlas *atlas, const struct regime_map *map, struct cell_costs *cell,
                       struct regime_cell *result)
{
    const size_t n_series = cell->cube->n_counting, *series = cell->cube->counting;
    unsigned char *member = pool_alloc(atlas->scratch, n_series);
    const double level = 1 - ATLAS_LEVEL;
    struct tally logs = tally_new(atlas);
    double sum = 0;
    fill_costs(atlas, map, cell);
    const struct contest contest = {.costs = cell->costs, .solvers = n_series, .problems = cell->n, .level = level,
                                    .overlap = map->dataset == ATLAS_ALL ? (double)NAN : cell->overlap,
                                    .fewest = cell->fewest};
    const struct best_set set = best_set(&contest, member);
    for (size_t k = 0; k < n_series; k++)
        result->reached |= count_reached(map, cell, series[k]) > 0;
    if (!result->reached)
        return;
    for (size_t k = 0; k < n_series; k++)
        if (member[k])
            result->may_be_best = pool_printf(atlas->pool, "%s%s%s", result->may_be_best ? result->may_be_best : "",
                                              result->may_be_best ? "; " : "", map->family->series[series[k]].label);
    result->best = series[set.best];
    result->second = series[set.second];
    result->candidates = set.members;
    result->p = set.p;
    result->best_reached = (double)count_reached(map, cell, result->best) / (double)cell->n_problems;
    for (size_t b = 0; b < cell->n; b++) {
        const double best = cell->costs[set.best * cell->n + b],
                     difference = cell->costs[set.second * cell->n + b] - best;
        sum += difference;
        result->best_cost += best / (double)cell->n;
        if (map->dataset == ATLAS_ALL)
            tally_add(&logs, cell->dataset_of[b], difference, 1);
    }
    result->best_cost = exp(result->best_cost);
    result->ratio = map->dataset == ATLAS_ALL /* over data sets with the atlas's draws, else without an interval */
                        ? tally_interval(atlas, &logs, 1)
                        : (struct interval){exp(sum / (double)cell->n), (double)NAN, (double)NAN, 0};
}

static struct regime_map take_map(struct atlas *atlas, struct regime_map map)
{
    const struct atlas_family *family = map.family;
    const size_t n = family->n_problems;
    struct cell_costs cell = {.cube = &family->costs[map.cost],
                              .costs = pool_array(atlas->scratch, family->n_series * n, sizeof *cell.costs),
                              .blocks = pool_array(atlas->scratch, n, sizeof *cell.blocks),
                              .problems = pool_array(atlas->scratch, n, sizeof *cell.problems),
                              .dataset_of = pool_array(atlas->scratch, n, sizeof *cell.dataset_of),
                              .fewest = MIN_PAIRS_FOR_A_CLAIM};
    if (map.dataset != ATLAS_ALL) {
        const struct atlas_dataset *dataset = &atlas->datasets[map.dataset];
        cell.overlap = contrast_overlap(CONTRAST_TRAINED, (size_t)dataset->n_train, (size_t)dataset->n_test);
    }
    if (isnan(cell.overlap)) { /* without the sizes the cell cannot be decided */
        cell.overlap = 0;
        cell.fewest = (size_t)-1;
    }
    map.n_cells = family->n_c * family->n_factors;
    map.cells = pool_array(atlas->pool, map.n_cells, sizeof *map.cells);
    for (size_t at = 0; at < map.n_cells; at++) {
        struct regime_cell *result = &map.cells[at];
        take_problems(&map, at / family->n_factors, at % family->n_factors, &cell);
        result->n = cell.n;
        if (cell.n > 0)
            judge_cell(atlas, &map, &cell, result);
        map.n_reached += result->reached != 0;
        map.n_decided += result->candidates == 1;
    }
    pool_reset(atlas->scratch);
    return map;
}

/* ---- output ---- */

static void put_rows(struct atlas_table *table, const struct regime_map *map)
{
    const struct atlas_family *family = map->family;
    struct result *data = &table->data;
    for (size_t at = 0; at < map->n_cells; at++) {
        const struct regime_cell *cell = &map->cells[at];
        const char *best = cell->reached ? family->series[cell->best].label : "";
        const double none = (double)NAN;
        if (cell->n == 0)
            continue;
        result_row(data, "%s\t%s\t%s\t%s\t%g\t%g\t%zu", family->key, atlas_cost_texts[map->cost].key,
                   atlas_target_name(data->pool, family, map->target),
                   map->dataset == ATLAS_ALL ? "all" : table->out->atlas->datasets[map->dataset].name,
                   family->c_values[at / family->n_factors], family->factors[at % family->n_factors], cell->n);
        if (!cell->reached)
            result_text(data, "not reached");
        else if (cell->candidates == 1)
            result_text(data, "%s", best)->is_bold = 1;
        else
            result_text(data, "(%s, %zu)", best, cell->candidates);
        result_row(data, "%s\t%zu\t%s", best, cell->candidates,
                   cell->reached ? family->series[cell->second].label : "");
        result_number(data, cell->reached ? cell->best_cost : none);
        result_number(data, cell->best_reached);
        atlas_table_interval(table, 1, 3, cell->reached ? &cell->ratio : &no_interval);
        result_number(data, cell->reached ? cell->p : none);
        result_text(data, "%s", cell->reached ? cell->may_be_best : "");
        if (map->dataset == ATLAS_ALL && atlas_is_shown(family, map->target))
            atlas_table_show(table);
    }
}

/* The numbers of solvers that may be the best. */
static void put_json(const struct atlas_output *out, const struct regime_map *map)
{
    cJSON *json = atlas_json_add(out, "maps", map->family, map->cost, map->target);
    double *candidates = pool_array(out->atlas->scratch, map->n_cells, sizeof *candidates);
    json_put_number(json, "dataset", map->dataset == ATLAS_ALL ? (double)NAN : (double)map->dataset);
    for (size_t at = 0; at < map->n_cells; at++)
        candidates[at] = (double)map->cells[at].candidates;
    atlas_json_numbers(json, "candidates", candidates, map->n_cells);
}

/* The maps of one figure, and the solvers that are best somewhere in them, in the order of their numbers. */
struct atlas_sheet {
    const struct regime_map **maps; /* of one family and cost */
    size_t n_maps;
    size_t *places; /* for each series: its number from 1, or 0 */
    const char **labels;
    size_t n_labels;
};

static void take_winners(struct pool *pool, struct atlas_sheet *sheet)
{
    const struct atlas_family *family = sheet->maps[0]->family;
    sheet->places = pool_array(pool, family->n_series, sizeof *sheet->places);
    sheet->labels = pool_array(pool, family->n_series, sizeof *sheet->labels);
    for (size_t s = 0; s < family->n_series; s++) {
        int wins = 0;
        for (size_t m = 0; m < sheet->n_maps; m++)
            for (size_t at = 0; at < sheet->maps[m]->n_cells; at++)
                wins |= sheet->maps[m]->cells[at].reached && sheet->maps[m]->cells[at].best == s;
        if (!wins)
            continue;
        sheet->labels[sheet->n_labels++] = family->series[s].label;
        sheet->places[s] = sheet->n_labels;
    }
}

static void put_map_block(const struct atlas_sheet *sheet, size_t m, FILE *dat)
{
    const struct regime_map *map = sheet->maps[m];
    const struct atlas_family *family = map->family;
    fprintf(dat, "%s# target %g%s\n# x y winner decided candidates n ratio low high p\n", m ? "\n\n" : "",
            family->targets[map->target], map->dataset == ATLAS_ALL ? "" : ", one data set");
    for (size_t at = 0; at < map->n_cells; at++) {
        const struct regime_cell *cell = &map->cells[at];
        if (cell->n == 0)
            continue;
        fprintf(dat, "%zu %zu %zu %d %zu %zu ", at % family->n_factors + 1, at / family->n_factors + 1,
                cell->reached ? sheet->places[cell->best] : 0, cell->candidates == 1, cell->candidates, cell->n);
        const double numbers[] = {cell->ratio.estimate, cell->ratio.low, cell->ratio.high, cell->p};
        if (cell->reached)
            plot_numbers(dat, numbers, 4, "\n");
        else
            fputs("NaN NaN NaN NaN\n", dat);
    }
}

static void print_caption(const struct atlas *atlas, const struct regime_map *map, FILE *caption)
{
    const int is_all = map->dataset == ATLAS_ALL;
    fprintf(caption,
            "The solver with the lowest geometric mean cost over %s; a run that did not reach the target counts as %g "
            "times the largest cost of any solver there. Full colour: %s find it better than every other solver (5 %%, "
            "corrected for choosing the best of %zu). Light colour, in parentheses: undecided. –: no solver reaches "
            "the target. ",
            is_all ? "data sets and their splits" : "splits", PENALTY_FACTOR,
            is_all ? "signed-rank tests over data sets" : "t tests corrected for the overlap of splits",
            map->family->costs[map->cost].n_counting);
    if (!is_all)
        fprintf(caption, "Target: %s %g. After the name of a data set: the number of its cells that are decided. Width "
                         "factor: kernel width divided by the tuned width. ",
                atlas->rule, map->family->targets[map->target]);
}

static void describe_maps(const struct atlas *atlas, const struct atlas_sheet *sheet, struct plot_figure *figure)
{
    const struct atlas_family *family = sheet->maps[0]->family;
    const struct atlas_cost_text *cost = &atlas_cost_texts[sheet->maps[0]->cost];
    const char **titles = pool_array(atlas->scratch, sheet->n_maps, sizeof *titles);
    for (size_t m = 0; m < sheet->n_maps; m++) { /* with the number of cells in which the best is decided */
        const struct regime_map *map = sheet->maps[m];
        titles[m] = map->dataset != ATLAS_ALL
                        ? pool_printf(atlas->scratch, "%s: %zu of %zu", atlas->datasets[map->dataset].name,
                                      map->n_decided, map->n_reached)
                        : pool_printf(atlas->scratch, "%s %g: decided in %zu of %zu cells", atlas->rule,
                                      family->targets[map->target], map->n_decided, map->n_reached);
    }
    plot_figure_panels(figure, titles, sheet->n_maps);
    plot_figure_numbers(figure, "x_values", family->factors, family->n_factors);
    plot_figure_numbers(figure, "y_values", family->c_values, family->n_c);
    plot_figure_text(figure, "x_label", "kernel width / tuned width");
    plot_figure_series(figure, sheet->labels, sheet->n_labels);
    fprintf(figure->heading, "Best solver: %s, %s", family->title, cost->title);
    print_caption(atlas, sheet->maps[0], figure->caption);
}

static void draw_sheet(struct atlas_output *out, struct atlas_sheet *sheet)
{
    const struct regime_map *first = sheet->maps[0];
    struct plot_figure figure;
    take_winners(out->atlas->scratch, sheet);
    if (sheet->n_labels == 0)
        return;
    plot_figure_open(&figure, "regime", first->dataset == ATLAS_ALL ? "atlas-map" : "atlas-sets", first->family->key,
                     atlas_cost_texts[first->cost].key);
    for (size_t m = 0; m < sheet->n_maps; m++)
        put_map_block(sheet, m, figure.dat);
    describe_maps(out->atlas, sheet, &figure);
    atlas_put_figure(out, &figure);
}

/* Draws the maps of a family and cost: over data sets at both shown targets, or of each at the looser one. */
static void draw(struct atlas_output *out, const struct regime_map *maps, size_t n, int of_sets)
{
    struct atlas_sheet sheet = {.maps = pool_array(out->atlas->scratch, n, sizeof *sheet.maps)};
    size_t shown[2];
    atlas_shown_targets(maps->family, shown);
    for (size_t i = 0; i < n; i++)
        if ((maps[i].dataset != ATLAS_ALL) == of_sets && maps[i].n_reached > 0 &&
            (of_sets ? maps[i].target == shown[0] : atlas_is_shown(maps->family, maps[i].target)))
            sheet.maps[sheet.n_maps++] = &maps[i];
    if (sheet.n_maps > 0)
        draw_sheet(out, &sheet);
}

void regime_maps_put(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    struct atlas *atlas = table->out->atlas;
    const size_t sets = atlas->n_datasets + 1, n = family->n_targets * sets;
    struct regime_map *maps = pool_array(atlas->pool, n, sizeof *maps);
    if (family->costs[cost].n_counting < 2 || family->n_c == 0)
        return;
    for (size_t i = 0; i < n; i++) { /* by target: over data sets, and of each data set */
        maps[i] = take_map(atlas, (struct regime_map){.family = family,
                                                      .cost = cost,
                                                      .target = i / sets,
                                                      .dataset = i % sets ? i % sets - 1 : ATLAS_ALL});
        put_rows(table, &maps[i]);
        put_json(table->out, &maps[i]);
    }
    draw(table->out, maps, n, 0);
    if (cost != ATLAS_ALL_OPERATIONS && cost != ATLAS_EVALUATIONS) /* maps of single data sets take whole pages */
        draw(table->out, maps, n, 1);
}
