/*
 * In a cell the cost of series s on data set d is m(s, d), the logarithm of its mean over splits, penalised if the
 * target was not reached. The best is the series that is cheaper than each other one on the most data sets: than each
 * of them on more than half, if there is one. The others that may be the best instead form a confidence set
 * (several_solvers.h) with data sets as blocks. It includes the correction for choosing the best of many, and a cell is
 * decided if the set has one member. Series with the same costs everywhere count as one.
 *
 * A map of one data set uses splits instead of data sets and does not generalise to other data sets: the best has the
 * lowest mean logarithm, and the test is the corrected resampled t test, since splits overlap.
 */
#include <math.h>

#include "harness/atlas/atlas.h"
#include "harness/base/json_writer.h"
#include "harness/compare/case_statistics.h"
#include "harness/stats/several_solvers.h"

struct regime_cell {
    size_t n;                /* data sets, or splits for a map of one data set; 0: no problem in the cell */
    const char *best, *second; /* labels; equal if all have the same costs */
    struct best_set set;     /* by places in cube.counting. One member: decided; none: no solver reaches the target on
                                any problem, and nothing else is known */
    const char *may_be_best; /* the labels of its members */
    double best_cost;        /* geometric mean over the blocks, censored runs penalised */
    double best_reached;     /* share of the cell's problems on which the best reaches the target */
    struct cluster_mean log_ratio; /* of the second's cost to the best's, over data sets */
    struct interval ratio;   /* exp of it; ends NAN: unknown */
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

/* The blocks of the cell at `at`: one per data set or, in a map of one data set, one per problem. */
static size_t take_blocks(const struct regime_map *map, size_t at, struct atlas_cell *blocks)
{
    const struct atlas_family *family = map->family;
    size_t n = 0;
    for (const struct atlas_cell *cell = family->cells; cell < family->cells + family->n_cells; cell++) {
        const struct atlas_problem *place = cell->place;
        if (place->c_level != at / family->n_factors || place->factor_level != at % family->n_factors)
            continue;
        if (map->dataset == ATLAS_ALL)
            blocks[n++] = *cell;
        for (size_t i = 0; i < cell->n && place->dataset == map->dataset; i++)
            blocks[n++] = (struct atlas_cell){place, cell->problems + i, 1};
    }
    return n;
}

/* contest: the overlap of splits, and the fewest for a decision. */
static void judge_cell(struct atlas *atlas, const struct regime_map *map, struct contest contest, size_t at)
{
    const struct atlas_family *family = map->family;
    const struct cube *cube = &family->costs[map->cost];
    const double none = (double)NAN;
    struct atlas_cell *blocks = pool_array(atlas->scratch, family->n_problems, sizeof *blocks);
    const size_t n = take_blocks(map, at, blocks), n_series = cube->n_counting, *series = cube->counting;
    double *costs = pool_array(atlas->scratch, n_series * n, sizeof *costs), best_cost = 0;
    size_t *reached = pool_array(atlas->scratch, n_series, sizeof *reached), n_problems = 0, any = 0;
    unsigned char *member = pool_alloc(atlas->scratch, n_series);
    struct regime_cell *result = &map->cells[at];
    struct tally logs = tally_new(atlas);
    *result = (struct regime_cell){.n = n, .best = "", .second = "", .may_be_best = "", .set = {.p = none},
                                   .best_cost = none, .ratio = no_interval};
    for (size_t k = 0; k < n_series; k++)
        for (size_t b = 0; b < n; b++) {
            costs[k * n + b] = atlas_cell_log(family, &blocks[b], map->cost, series[k], map->target);
            reached[k] += atlas_cell_reached(family, &blocks[b], series[k], map->target);
            any += reached[k];
        }
    if (any == 0)
        return;
    contest.costs = costs;
    contest.solvers = n_series;
    contest.problems = n;
    contest.reached = reached;
    const struct best_set set = result->set = best_set(&contest, member);
    for (size_t k = 0; k < n_series; k++)
        if (member[k])
            result->may_be_best = pool_printf(atlas->pool, "%s%s%s", result->may_be_best,
                                              *result->may_be_best ? "; " : "", family->series[series[k]].label);
    result->best = family->series[series[set.best]].label;
    result->second = family->series[series[set.second]].label;
    for (size_t b = 0; b < n; b++) {
        n_problems += blocks[b].n;
        best_cost += costs[set.best * n + b] / (double)n;
        tally_add(&logs, blocks[b].place->dataset, costs[set.second * n + b] - costs[set.best * n + b], 1);
    }
    result->best_reached = (double)reached[set.best] / (double)n_problems;
    result->best_cost = exp(best_cost);
    result->log_ratio = tally_mean(atlas, &logs);
    result->ratio = tally_interval(atlas, &logs, 1);
}

static struct regime_map take_map(struct atlas *atlas, struct regime_map map)
{
    struct contest contest = {.level = 1 - ATLAS_LEVEL, .overlap = (double)NAN, .fewest = MIN_PAIRS_FOR_A_CLAIM};
    if (map.dataset != ATLAS_ALL) {
        const struct atlas_dataset *dataset = &atlas->datasets[map.dataset];
        contest.overlap = contrast_overlap(CONTRAST_TRAINED, (size_t)dataset->n_train, (size_t)dataset->n_test);
        if (isnan(contest.overlap)) { /* without the sizes the cell cannot be decided */
            contest.overlap = 0;
            contest.fewest = (size_t)-1;
        }
    }
    map.n_cells = map.family->n_c * map.family->n_factors;
    map.cells = pool_array(atlas->pool, map.n_cells, sizeof *map.cells);
    for (size_t at = 0; at < map.n_cells; at++) {
        judge_cell(atlas, &map, contest, at);
        map.n_reached += map.cells[at].set.members > 0;
        map.n_decided += map.cells[at].set.members == 1;
    }
    pool_reset(atlas->scratch);
    return map;
}

/* ---- output ---- */

static void put_rows(struct atlas_table *table, const struct regime_map *map)
{
    const struct atlas_family *family = map->family;
    struct result *data = &table->data;
    const double n_series = (double)family->costs[map->cost].n_counting, n_pairs = n_series * (n_series - 1) / 2;
    double *candidates = pool_array(table->out->atlas->scratch, 2 * map->n_cells, sizeof *candidates),
           *best = candidates + map->n_cells;
    cJSON *json = atlas_json_add(table->out, "maps", family, map->cost, map->target);
    for (size_t at = 0; at < map->n_cells; at++) {
        const struct regime_cell *cell = &map->cells[at];
        candidates[at] = (double)cell->set.members;
        best[at] = cell->set.members ? (double)family->costs[map->cost].counting[cell->set.best] : (double)NAN;
        if (cell->n == 0)
            continue;
        result_row(data, "%s\t%s\t%s\t%s\t%g\t%g\t%zu", family->key, atlas_cost_texts[map->cost].key,
                   atlas_target_name(data->pool, family, map->target),
                   map->dataset == ATLAS_ALL ? "all" : table->out->atlas->datasets[map->dataset].name,
                   family->c_values[at / family->n_factors], family->factors[at % family->n_factors], cell->n);
        if (cell->set.members == 0)
            result_text(data, "not reached");
        else if (cell->set.members == 1)
            result_text(data, "%s", cell->best)->is_bold = 1;
        else
            result_text(data, "(%s, %zu)", cell->best, cell->set.members);
        result_row(data, "%s\t%zu\t%s", cell->best, cell->set.members, cell->second);
        result_number(data, cell->best_cost);
        result_number(data, cell->best_reached);
        atlas_table_interval(table, 1, 3, &cell->ratio);
        const struct interval of_map = interval_exp(cluster_mean_interval(
            &cell->log_ratio, 1 - (1 - ATLAS_LEVEL) / (n_pairs * (double)map->n_reached)));
        result_number(data, of_map.low);
        result_number(data, of_map.high);
        result_number(data, cell->set.p);
        result_text(data, "%s", cell->may_be_best);
        if (map->dataset == ATLAS_ALL)
            atlas_table_show(table, family, map->target);
    }
    json_put_number(json, "dataset", map->dataset == ATLAS_ALL ? (double)NAN : (double)map->dataset);
    atlas_json_numbers(json, "candidates", candidates, map->n_cells, 1);
    atlas_json_numbers(json, "best", best, map->n_cells, 1);
}

/* numbers: of the solvers. */
static void put_map_block(const struct regime_map *map, const size_t *numbers, int is_first, FILE *dat)
{
    const struct atlas_family *family = map->family;
    fprintf(dat, "%s# target %g%s\n# x y winner decided candidates n ratio low high p\n", is_first ? "" : "\n\n",
            family->targets[map->target], map->dataset == ATLAS_ALL ? "" : ", one data set");
    for (size_t at = 0; at < map->n_cells; at++) {
        const struct regime_cell *cell = &map->cells[at];
        if (cell->n == 0)
            continue;
        const size_t best = family->costs[map->cost].counting[cell->set.best];
        fprintf(dat, "%zu %zu %zu %d %zu %zu ", at % family->n_factors + 1, at / family->n_factors + 1,
                cell->set.members ? numbers[best] : 0, cell->set.members == 1, cell->set.members, cell->n);
        plot_numbers(dat, &cell->ratio.estimate, 3, " ");
        plot_numbers(dat, &cell->set.p, 1, "\n");
    }
}

/* Draws the maps of a family and cost: over data sets at both shown targets, or of each at the looser one. The solvers
 * that are best somewhere in them have numbers from 1. */
static void draw(struct atlas_output *out, const struct regime_map *all, size_t n_all, int of_sets)
{
    struct pool *pool = out->atlas->scratch;
    const struct regime_map **maps = pool_array(pool, n_all, sizeof *maps), *first = all;
    const struct atlas_family *family = all->family;
    size_t n = 0;
    for (const struct regime_map *map = all; map < all + n_all; map++)
        if ((map->dataset != ATLAS_ALL) == of_sets && map->n_reached > 0 &&
            (map->target == family->loose || (!of_sets && map->target == family->tight)))
            maps[n++] = map;
    if (n == 0)
        return;
    const char **titles = pool_array(pool, n, sizeof *titles),
               **labels = pool_array(pool, family->n_series, sizeof *labels);
    size_t *numbers = pool_array(pool, family->n_series, sizeof *numbers), n_labels = 0;
    struct plot_figure figure;
    for (size_t at = 0; at < n * first->n_cells; at++) {
        const struct regime_cell *cell = &maps[at / first->n_cells]->cells[at % first->n_cells];
        if (cell->set.members > 0)
            numbers[family->costs[first->cost].counting[cell->set.best]] = 1;
    }
    for (size_t s = 0; s < family->n_series; s++)
        if (numbers[s]) {
            labels[n_labels++] = family->series[s].label;
            numbers[s] = n_labels;
        }
    plot_figure_open(&figure, "regime", of_sets ? "atlas-sets" : "atlas-map", family->key,
                     atlas_cost_texts[first->cost].key);
    for (size_t m = 0; m < n; m++) {
        const struct regime_map *map = maps[m];
        put_map_block(map, numbers, m == 0, figure.dat);
        titles[m] = of_sets ? pool_printf(pool, "%s: %zu of %zu", out->atlas->datasets[map->dataset].name,
                                          map->n_decided, map->n_reached)
                            : pool_printf(pool, "%s %g: decided in %zu of %zu cells", out->atlas->rule,
                                          family->targets[map->target], map->n_decided, map->n_reached);
    }
    plot_figure_panels(&figure, titles, n);
    plot_figure_numbers(&figure, "x_values", family->factors, family->n_factors);
    plot_figure_numbers(&figure, "y_values", family->c_values, family->n_c);
    plot_figure_text(&figure, "x_label", "kernel width / tuned width");
    plot_figure_series(&figure, labels, n_labels);
    fprintf(figure.heading, "Best solver: %s, %s", family->title, atlas_cost_texts[first->cost].title);
    fprintf(figure.caption,
            "The solver %s; a run that did not reach the target counts as %g times the largest cost of any solver "
            "there. Full colour: %s find it better than every other solver (5 %%, corrected for choosing the best of "
            "%zu), and none reaches the target more often. Light colour, in parentheses: undecided. –: no solver "
            "reaches the target. ",
            of_sets ? "with the lowest geometric mean cost over splits"
                    : "that is cheaper than each other one on the most data sets",
            PENALTY_FACTOR, of_sets ? "t tests corrected for the overlap of splits" : "sign tests over data sets",
            family->costs[first->cost].n_counting);
    if (of_sets)
        fprintf(figure.caption, "Target: %s %g. After the name of a data set: the number of its cells that are "
                                "decided. Width factor: kernel width divided by the tuned width. ",
                out->atlas->rule, family->targets[family->loose]);
    atlas_put_figure(out, &figure);
}

void regime_maps_put(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    struct atlas *atlas = table->out->atlas;
    const size_t sets = atlas->n_datasets + 1, n = family->n_targets * sets;
    struct regime_map *maps = pool_array(atlas->pool, n, sizeof *maps);
    if (family->costs[cost].n_counting < 2 || family->n_c == 0)
        return;
    for (size_t i = 0; i < n; i++) { /* by target: over data sets, and of each data set */
        maps[i] = take_map(atlas, (struct regime_map){.family = family, .cost = cost, .target = i / sets,
                                                      .dataset = i % sets ? i % sets - 1 : ATLAS_ALL});
        put_rows(table, &maps[i]);
    }
    draw(table->out, maps, n, 0);
    if (cost != ATLAS_ALL_OPERATIONS && cost != ATLAS_EVALUATIONS) /* maps of single data sets take whole pages */
        draw(table->out, maps, n, 1);
}
