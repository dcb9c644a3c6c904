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

#include "harness/atlas/atlas_output.h"
#include "harness/compare/case_statistics.h"
#include "harness/stats/several_solvers.h"

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
    for (size_t k = 0; k < n_series; k++) {
        result->may_be_best[series[k]] = member[k];
        result->reached |= count_reached(map, cell, series[k]) > 0;
    }
    if (!result->reached)
        return;
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

static void take_map(struct atlas_output *out, struct regime_map map)
{
    const struct atlas_family *family = map.family;
    struct atlas *atlas = out->atlas;
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
        result->may_be_best = pool_alloc(atlas->pool, family->n_series);
        take_problems(&map, at / family->n_factors, at % family->n_factors, &cell);
        result->n = cell.n;
        if (cell.n > 0)
            judge_cell(atlas, &map, &cell, result);
        map.n_reached += result->reached != 0;
        map.n_decided += result->candidates == 1;
    }
    *pool_push(atlas->pool, &out->maps) = map;
    pool_reset(atlas->scratch);
}

void regime_maps_take(struct atlas_output *out)
{
    const size_t sets = out->atlas->n_datasets + 1;
    for (size_t f = 0; f < out->atlas->n_families; f++) {
        const struct atlas_family *family = &out->atlas->families[f];
        for (size_t i = 0; i < ATLAS_COSTS * family->n_targets * sets; i++) {
            const size_t cost = i / sets / family->n_targets, dataset = i % sets ? i % sets - 1 : ATLAS_ALL;
            if (family->costs[cost].n_counting > 1 && family->n_c * family->n_factors > 0)
                take_map(out, (struct regime_map){.family = family,
                                                  .cost = (enum atlas_cost)cost,
                                                  .target = i / sets % family->n_targets,
                                                  .dataset = dataset});
        }
    }
}

/* ---- tables ---- */

static void put_cell_text(struct result *page, const struct regime_map *map, const struct regime_cell *cell)
{
    if (cell->n == 0)
        result_text(page, " ");
    else if (!cell->reached)
        result_text(page, "not reached");
    else if (cell->candidates == 1)
        result_text(page, "%s", map->family->series[cell->best].label)->is_bold = 1;
    else
        result_text(page, "(%s, %zu)", map->family->series[cell->best].label, cell->candidates);
}

static void write_page(const struct atlas_output *out, const struct regime_map *map)
{
    const struct atlas_family *family = map->family;
    struct result page = atlas_page_new(out, "atlas-map", family, map->cost);
    page.name = pool_printf(page.pool, "%s-%g", page.name, family->targets[map->target]);
    result_title(&page, "Best solver: %s, %s to %s %g", family->title, atlas_cost_texts[map->cost].title,
                 out->atlas->rule, family->targets[map->target]);
    result_columns(&page, "#C");
    for (size_t j = 0; j < family->n_factors; j++)
        result_columns(&page, pool_printf(page.pool, "width × %g", family->factors[j]));
    for (size_t i = family->n_c; i-- > 0;) {
        result_shown(&page, family->c_values[i], "%g", family->c_values[i]);
        for (size_t j = 0; j < family->n_factors; j++)
            put_cell_text(&page, map, &map->cells[i * family->n_factors + j]);
    }
    result_note(&page,
                "Decided in %zu of %zu cells: the solver in bold has the lowest geometric mean cost over data sets, "
                "and signed-rank tests over data sets find it better than every other solver (5 %%, corrected for "
                "choosing the best of all). In parentheses, where that is undecided: the solver with the lowest mean, "
                "and how many solvers may be the best. A run that did not reach the target counts as %g times the "
                "largest cost of any solver there.",
                map->n_decided, map->n_reached, PENALTY_FACTOR);
    atlas_page_write(out, &page);
}

static void put_rows(struct atlas_table *table, const struct regime_map *map)
{
    const struct atlas_family *family = map->family;
    struct result *data = &table->data;
    for (size_t at = 0; at < map->n_cells; at++) {
        const struct regime_cell *cell = &map->cells[at];
        const double none = (double)NAN;
        if (cell->n == 0)
            continue;
        result_row(data, "%s\t%s\t%s\t%s\t%g\t%g\t%zu\t%s\t%zu\t%s", family->key, atlas_cost_texts[map->cost].key,
                   atlas_target_name(data->pool, family, map->target),
                   map->dataset == ATLAS_ALL ? "all" : table->out->atlas->datasets[map->dataset].name,
                   family->c_values[at / family->n_factors], family->factors[at % family->n_factors], cell->n,
                   cell->reached ? family->series[cell->best].label : "", cell->candidates,
                   cell->reached ? family->series[cell->second].label : "");
        result_number(data, cell->reached ? cell->best_cost : none);
        result_number(data, cell->best_reached);
        atlas_table_interval(table, 1, 6, cell->reached ? &cell->ratio : &no_interval);
        result_number(data, cell->reached ? cell->p : none);
    }
}

static void write_table(struct atlas_output *out)
{
    struct atlas_table table = atlas_table_new(
        out, "atlas-maps", 4,
        "family\tcost\ttarget\tdataset\t>#C\t>#width_factor\t>#n\tbest\t>#candidates\tsecond\t>#6cost_of_best\t"
        ">#6reached\t" ATLAS_ENDS("ratio", "low", "high", "") "\t>#6p");
    for (size_t i = 0; i < out->maps.count; i++)
        put_rows(&table, &out->maps.item[i]);
    atlas_table_write(&table);
}

/* ---- figures ---- */

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

/* "('1' 1, '4' 2)" from the values; a value 1/n is written as such. */
static char *tics_of(struct pool *pool, const double *values, size_t n)
{
    char *text = pool_strdup(pool, "(");
    for (size_t i = 0; i < n; i++) {
        const int is_fraction = values[i] < 1 && 1 / values[i] == rint(1 / values[i]);
        text = pool_printf(pool, is_fraction ? "%s%s'1/%.0f' %zu" : "%s%s'%g' %zu", text, i ? ", " : "",
                           is_fraction ? 1 / values[i] : values[i], i + 1);
    }
    return pool_printf(pool, "%s)", text);
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
    plot_figure_text(figure, "x_tics", tics_of(atlas->scratch, family->factors, family->n_factors));
    plot_figure_text(figure, "y_tics", tics_of(atlas->scratch, family->c_values, family->n_c));
    plot_figure_text(figure, "x_label", "kernel width / tuned width");
    plot_figure_number(figure, "x_count", (double)family->n_factors);
    plot_figure_number(figure, "y_count", (double)family->n_c);
    plot_figure_series(figure, sheet->labels, sheet->n_labels);
    fprintf(figure->heading, "Best solver: %s, %s", family->title, cost->title);
    print_caption(atlas, sheet->maps[0], figure->caption);
}

static void write_sheet(struct atlas_output *out, struct atlas_sheet *sheet)
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
static void write_figure(struct atlas_output *out, const struct atlas_family *family, enum atlas_cost cost, int of_sets)
{
    struct atlas_sheet sheet = {.maps = pool_array(out->atlas->scratch, out->maps.count, sizeof *sheet.maps)};
    for (size_t i = 0; i < out->maps.count; i++) {
        const struct regime_map *map = &out->maps.item[i];
        size_t shown[2];
        if (map->family != family || map->cost != cost || (map->dataset != ATLAS_ALL) != of_sets || map->n_reached == 0)
            continue;
        atlas_shown_targets(family, shown);
        if (of_sets ? map->target == shown[0] : atlas_is_shown(family, map->target))
            sheet.maps[sheet.n_maps++] = map;
    }
    if (sheet.n_maps > 0)
        write_sheet(out, &sheet);
}

void regime_maps_write(struct atlas_output *out)
{
    write_table(out);
    for (size_t i = 0; i < out->maps.count; i++) {
        const struct regime_map *map = &out->maps.item[i];
        if (map->dataset == ATLAS_ALL && atlas_is_shown(map->family, map->target))
            write_page(out, map);
    }
    for (size_t i = 0; i < out->atlas->n_families * ATLAS_COSTS; i++) {
        const struct atlas_family *family = &out->atlas->families[i / ATLAS_COSTS];
        const enum atlas_cost cost = (enum atlas_cost)(i % ATLAS_COSTS);
        write_figure(out, family, cost, 0);
        if (cost != ATLAS_ALL_OPERATIONS && cost != ATLAS_EVALUATIONS) /* maps of single data sets take whole pages */
            write_figure(out, family, cost, 1);
    }
}
