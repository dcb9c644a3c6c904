/* The figures of an atlas: shares within budgets, one figure a cost; maps, a panel a target. */
#include <math.h>
#include <stdlib.h>

#include "harness/atlas/atlas_output.h"
#include "harness/figure/figure.h"
#include "harness/figure/render.h"
#include "harness/program/memory.h"
#include "harness/support/file.h"

enum { MAX_CURVES = 12 };

/* How figures are written. */
struct sink {
    const char *plots;
    int no_render, broken; /* broken: a picture could not be drawn, the numbers of all are written */
};

/* Writes, draws and frees the figure. What gnuplot says of the first picture that cannot be drawn stays in *error. */
static enum status finish(struct sink *sink, struct plot_figure *figure, struct error *error)
{
    struct error cause = {0};
    enum status status = plot_figure_write(figure, sink->plots, &figure_style_screen, error);
    if (status == STATUS_OK && !sink->no_render && !sink->broken &&
        plot_render(sink->plots, figure->name, NULL, 0, &cause) != STATUS_OK) {
        error_set(error, STATUS_IO, "pictures are missing, all else is complete: %.900s", cause.message);
        sink->broken = 1;
    }
    plot_figure_free(figure);
    return status;
}

/* ---- shares ---- */

struct ranked {
    double area;
    size_t series;
};

static int larger_first(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    return a->area != b->area ? (a->area < b->area) - (a->area > b->area)
                              : (a->series > b->series) - (a->series < b->series);
}

static int by_number(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    return (a->series > b->series) - (a->series < b->series);
}

/* The series with the largest areas, at most MAX_CURVES, in their order. */
static size_t choose_curves(const struct budget_shares *shares, struct ranked *chosen)
{
    const struct atlas_family *family = shares->family;
    size_t n = 0;
    for (size_t s = 0; s < family->n_series; s++)
        if (family->counts[shares->cost][s])
            chosen[n++] = (struct ranked){share_curve_area(&shares->curves[s]), s};
    qsort(chosen, n, sizeof *chosen, larger_first);
    n = n < MAX_CURVES ? n : MAX_CURVES;
    qsort(chosen, n, sizeof *chosen, by_number);
    return n;
}

static void put_curve(const struct budget_shares *shares, const struct share_curve *curve, FILE *dat)
{
    for (size_t k = 0; k < SHARE_PLACES; k++) {
        const double numbers[] = {shares->place[k], curve->at[k].estimate};
        plot_numbers(dat, numbers, 2, "\n");
    }
    if (!shares->has_bands)
        return;
    fputs("\n\n# its band\n", dat);
    for (size_t k = 0; k < SHARE_PLACES; k++) {
        const double numbers[] = {shares->place[k], curve->at[k].low, curve->at[k].high};
        plot_numbers(dat, numbers, 3, "\n");
    }
}

static void describe_shares(const struct atlas *atlas, const struct budget_shares *shares, size_t n_chosen,
                            struct plot_figure *figure)
{
    const struct atlas_family *family = shares->family;
    const struct atlas_cost_text *cost = &atlas_cost_texts[shares->cost];
    plot_figure_texts(figure, "panels", NULL, 0);
    plot_figure_numbers(figure, "high", NULL, 0);
    plot_figure_text(figure, "data_axis", atlas->sizes_known ? cost->budget : cost->title);
    plot_figure_text(figure, "data_share", "share of problems and targets");
    plot_figure_number(figure, "data_low", shares->place[0]);
    plot_figure_number(figure, "data_high", shares->place[SHARE_PLACES - 1]);
    plot_figure_number(figure, "bands", shares->has_bands);
    fprintf(figure->heading, "Targets reached: %s, %s", family->title, cost->title);
    fprintf(figure->caption,
            "Share of the %zu pairs of problem (data set, split, kernel, C) and target (%s from %g to %g) that a "
            "solver reaches within a budget. A run that was stopped before it reached its target counts as not "
            "reached. ",
            shares->n_pairs, atlas->rule, family->targets[0], family->targets[family->n_targets - 1]);
    if (atlas->sizes_known)
        fprintf(figure->caption, "Budgets are divided by %s so that data sets of %s can be pooled, N the training "
                "patterns. ", cost->per, "different sizes");
    fputs(shares->has_bands ? "Bands: at each place a 95 % bootstrap interval that resamples data sets, with all their "
                              "splits. "
                            : "One data set does not tell how others would differ: no bands. ",
          figure->caption);
    if (n_chosen < family->n_counting[shares->cost])
        fprintf(figure->caption, "The %zu solvers of %zu with the largest area below their curve. ", n_chosen,
                family->n_counting[shares->cost]);
    figure->caption_columns = 115; /* the width in plots/profile.gp */
}

static enum status write_shares(const struct atlas *atlas, const struct budget_shares *shares, struct sink *sink,
                                struct error *error)
{
    const struct atlas_family *family = shares->family;
    struct ranked *chosen = xcalloc(family->n_series, sizeof *chosen);
    const char **labels = xcalloc(family->n_series, sizeof *labels);
    const size_t n = choose_curves(shares, chosen);
    struct plot_figure figure;
    plot_figure_open(&figure, "profile", "atlas-ecdf", family->key, atlas_cost_texts[shares->cost].key);
    for (size_t i = 0; i < n; i++) {
        labels[i] = family->series[chosen[i].series].label;
        fprintf(figure.dat, "%s# %s\n", i ? "\n\n" : "", labels[i]);
        put_curve(shares, &shares->curves[chosen[i].series], figure.dat);
    }
    plot_figure_series(&figure, labels, n);
    describe_shares(atlas, shares, n, &figure);
    free(chosen);
    free(labels);
    return finish(sink, &figure, error);
}

/* ---- maps ---- */

/* The maps of one figure, and the solvers that are best somewhere in them, in the order of their numbers. */
struct atlas_sheet {
    const struct regime_map *maps[2];
    size_t n_maps;
    size_t *places; /* of each series: from 1, or 0 */
    const char **labels;
    size_t n_labels;
};

static void take_winners(struct atlas_sheet *sheet)
{
    const struct atlas_family *family = sheet->maps[0]->family;
    sheet->places = xcalloc(family->n_series, sizeof *sheet->places);
    sheet->labels = xcalloc(family->n_series, sizeof *sheet->labels);
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
    fprintf(dat, "%s# target %g\n# x y winner decided candidates n ratio low high p\n", m ? "\n\n" : "",
            family->targets[map->target]);
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

/* "('1' 1, '4' 2)" of the values, powers of two below 1 and from 64 on as such. malloc'ed. */
static char *tics_of(const double *values, size_t n)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&text, &size);
    for (size_t i = 0; i < n; i++) {
        const double value = values[i];
        if (value < 1 && 1 / value == rint(1 / value))
            fprintf(stream, "%s'1/%.0f' %zu", i ? ", " : "(", 1 / value, i + 1);
        else
            fprintf(stream, "%s'%g' %zu", i ? ", " : "(", value, i + 1);
    }
    fputs(n ? ")" : "()", stream);
    xclose_text(stream);
    return text;
}

static void describe_maps(const struct atlas *atlas, const struct atlas_sheet *sheet, struct plot_figure *figure)
{
    const struct atlas_family *family = sheet->maps[0]->family;
    const struct atlas_cost_text *cost = &atlas_cost_texts[sheet->maps[0]->cost];
    char *titles[2], *x_tics = tics_of(family->factors, family->n_factors), *y_tics = tics_of(family->c_values,
                                                                                            family->n_c);
    for (size_t m = 0; m < sheet->n_maps; m++) {
        size_t cells, decided;
        regime_map_count(sheet->maps[m], &cells, &decided);
        titles[m] = xasprintf("%s %g: decided in %zu of %zu cells", atlas->rule,
                              family->targets[sheet->maps[m]->target], decided, cells);
    }
    plot_figure_texts(figure, "panels", (const char *const *)titles, sheet->n_maps);
    plot_figure_panels(figure, (const char *const *)titles, sheet->n_maps);
    plot_figure_text(figure, "x_tics", x_tics);
    plot_figure_text(figure, "y_tics", y_tics);
    plot_figure_text(figure, "x_label", "kernel width / tuned width");
    plot_figure_number(figure, "x_count", (double)family->n_factors);
    plot_figure_number(figure, "y_count", (double)family->n_c);
    plot_figure_series(figure, sheet->labels, sheet->n_labels);
    fprintf(figure->heading, "Best solver: %s, %s", family->title, cost->title);
    fprintf(figure->caption,
            "The solver with the lowest geometric mean cost over data sets and their splits; a run that did not reach "
            "the target counts at %g times the most that any solver spent there. Full colour: signed-rank tests over "
            "data sets find it better than every other solver (5 %%, corrected for choosing the best of %zu). Light, "
            "in parentheses: not decided. –: no solver reaches the target.",
            ATLAS_PENALTY, family->n_counting[sheet->maps[0]->cost]);
    figure->caption_columns = sheet->n_maps > 1 ? 120 : 70; /* the width in plots/regime.gp */
    for (size_t m = 0; m < sheet->n_maps; m++)
        free(titles[m]);
    free(x_tics);
    free(y_tics);
}

static enum status write_sheet(const struct atlas *atlas, struct atlas_sheet *sheet, struct sink *sink,
                               struct error *error)
{
    const struct regime_map *first = sheet->maps[0];
    struct plot_figure figure;
    enum status status = STATUS_OK;
    take_winners(sheet);
    if (sheet->n_labels > 0) {
        plot_figure_open(&figure, "regime", "atlas-map", first->family->key, atlas_cost_texts[first->cost].key);
        for (size_t m = 0; m < sheet->n_maps; m++)
            put_map_block(sheet, m, figure.dat);
        describe_maps(atlas, sheet, &figure);
        status = finish(sink, &figure, error);
    }
    free(sheet->places);
    free(sheet->labels);
    return status;
}

/* The shown maps over data sets of the family and cost. */
static void take_sheet(const struct atlas_results *results, const struct atlas_family *family, enum atlas_cost cost,
                       struct atlas_sheet *sheet)
{
    size_t shown[2];
    const size_t n = atlas_shown_targets(family, shown);
    *sheet = (struct atlas_sheet){0};
    for (size_t i = 0; i < results->n_maps; i++) {
        const struct regime_map *map = &results->maps[i];
        if (map->family == family && map->cost == cost && map->dataset == ALL_DATASETS &&
            (map->target == shown[0] || map->target == shown[n - 1]))
            sheet->maps[sheet->n_maps++] = map;
    }
}

enum status atlas_figures_write(const struct atlas *atlas, const struct atlas_results *results, const char *folder,
                                int no_render, struct error *error)
{
    char *plots = xasprintf("%s/plots", folder);
    struct sink sink = {plots, no_render, 0};
    enum status status = folder_make(plots, error);
    for (size_t i = 0; i < results->n_shares && status == STATUS_OK; i++)
        if (results->shares[i].target == ALL_TARGETS)
            status = write_shares(atlas, &results->shares[i], &sink, error);
    for (size_t i = 0; i < atlas->n_families * ATLAS_COSTS && status == STATUS_OK; i++) {
        struct atlas_sheet sheet;
        take_sheet(results, &atlas->families[i / ATLAS_COSTS], (enum atlas_cost)(i % ATLAS_COSTS), &sheet);
        if (sheet.n_maps > 0)
            status = write_sheet(atlas, &sheet, &sink, error);
    }
    free(plots);
    return status == STATUS_OK && sink.broken ? STATUS_IO : status;
}
