/*
 * Draws the maps of an atlas. A figure numbers the solvers that are best somewhere in it, in their order, and gives
 * each a colour.
 */
#include <math.h>

#include "harness/atlas/atlas_output.h"

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
    for (size_t m = 0; m < sheet->n_maps; m++)
        for (size_t at = 0; at < family->n_c * family->n_factors; at++)
            if (sheet->maps[m]->cells[at].reached)
                sheet->places[sheet->maps[m]->cells[at].best] = 1;
    for (size_t s = 0; s < family->n_series; s++)
        if (sheet->places[s]) {
            sheet->labels[sheet->n_labels++] = family->series[s].label;
            sheet->places[s] = sheet->n_labels;
        }
}

static void put_map_block(const struct atlas_sheet *sheet, size_t m, FILE *dat)
{
    const struct regime_map *map = sheet->maps[m];
    const struct atlas_family *family = map->family;
    fprintf(dat, "%s# target %g%s\n# x y winner decided candidates n ratio low high p\n", m ? "\n\n" : "",
            family->targets[map->target], map->dataset == ALL_DATASETS ? "" : ", one data set");
    for (size_t at = 0; at < family->n_c * family->n_factors; at++) {
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

/* The panel's title: its content, and the number of cells in which the best is decided. */
static char *title_of(const struct atlas *atlas, const struct regime_map *map)
{
    size_t cells, decided;
    regime_map_count(map, &cells, &decided);
    if (map->dataset == ALL_DATASETS)
        return pool_printf(atlas->scratch, "%s %g: decided in %zu of %zu cells", atlas->rule,
                           map->family->targets[map->target], decided, cells);
    return pool_printf(atlas->scratch, "%s: %zu of %zu", atlas->datasets[map->dataset].name, decided, cells);
}

static void print_caption(const struct atlas *atlas, const struct regime_map *map, FILE *caption)
{
    const int is_all = map->dataset == ALL_DATASETS;
    fprintf(caption,
            "The solver with the lowest geometric mean cost over %s; a run that did not reach the target counts as %g "
            "times the largest cost of any solver there. Full colour: %s find it better than every other solver (5 %%, "
            "corrected for choosing the best of %zu). Light colour, in parentheses: undecided. –: no solver reaches "
            "the target. ",
            is_all ? "data sets and their splits" : "splits", PENALTY_FACTOR,
            is_all ? "signed-rank tests over data sets" : "t tests corrected for the overlap of splits",
            map->family->n_counting[map->cost]);
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
    for (size_t m = 0; m < sheet->n_maps; m++)
        titles[m] = title_of(atlas, sheet->maps[m]);
    plot_figure_texts(figure, "panels", titles, sheet->n_maps);
    plot_figure_panels(figure, titles, sheet->n_maps);
    plot_figure_text(figure, "x_tics", tics_of(atlas->scratch, family->factors, family->n_factors));
    plot_figure_text(figure, "y_tics", tics_of(atlas->scratch, family->c_values, family->n_c));
    plot_figure_text(figure, "x_label", "kernel width / tuned width");
    plot_figure_number(figure, "x_count", (double)family->n_factors);
    plot_figure_number(figure, "y_count", (double)family->n_c);
    plot_figure_series(figure, sheet->labels, sheet->n_labels);
    fprintf(figure->heading, "Best solver: %s, %s", family->title, cost->title);
    print_caption(atlas, sheet->maps[0], figure->caption);
    figure->caption_columns = sheet->n_maps > 2 ? 170 : sheet->n_maps > 1 ? 110 : 60; /* the width in plots/regime.gp */
}

static void write_sheet(struct atlas_output *out, struct atlas_sheet *sheet)
{
    const struct regime_map *first = sheet->maps[0];
    struct plot_figure figure;
    take_winners(out->atlas->scratch, sheet);
    if (sheet->n_labels == 0)
        return;
    plot_figure_open(&figure, "regime", first->dataset == ALL_DATASETS ? "atlas-map" : "atlas-sets", first->family->key,
                     atlas_cost_texts[first->cost].key);
    for (size_t m = 0; m < sheet->n_maps; m++)
        put_map_block(sheet, m, figure.dat);
    describe_maps(out->atlas, sheet, &figure);
    atlas_put_figure(out, &figure);
}

/* Selects a figure's maps of the family and cost: over data sets at both targets, or of each at the looser one. */
static void take_sheet(struct pool *pool, const struct atlas_results *results, const struct atlas_family *family,
                       enum atlas_cost cost, int of_sets, struct atlas_sheet *sheet)
{
    size_t shown[2];
    const size_t n = atlas_shown_targets(family, shown);
    *sheet = (struct atlas_sheet){.maps = pool_array(pool, results->n_maps, sizeof *sheet->maps)};
    for (size_t i = 0; i < results->n_maps; i++) {
        const struct regime_map *map = &results->maps[i];
        size_t cells = 0, decided;
        if (map->family != family || map->cost != cost || (map->dataset != ALL_DATASETS) != of_sets ||
            (map->target != shown[0] && (of_sets || map->target != shown[n - 1])))
            continue;
        regime_map_count(map, &cells, &decided);
        if (cells > 0)
            sheet->maps[sheet->n_maps++] = map;
    }
}

void atlas_map_figures(struct atlas_output *out)
{
    for (size_t i = 0; i < 2 * out->atlas->n_families * ATLAS_COSTS; i++) {
        const enum atlas_cost cost = (enum atlas_cost)(i / 2 % ATLAS_COSTS);
        const int of_sets = i % 2 != 0;
        struct atlas_sheet sheet;
        if (of_sets && (cost == ATLAS_ALL_OPERATIONS || cost == ATLAS_EVALUATIONS))
            continue; /* maps of single data sets take whole pages */
        take_sheet(out->atlas->scratch, out->results, &out->atlas->families[i / 2 / ATLAS_COSTS], cost, of_sets,
                   &sheet);
        if (sheet.n_maps > 0)
            write_sheet(out, &sheet);
    }
}
