/*
 * Our means against the printed ones for every cell of the published tables, one panel a field, both axes logarithmic,
 * with the line on which they agree. A panel names the points farthest from that line, by |log(ours / printed)|.
 */
#include <math.h>
#include <stdlib.h>

#include "harness/plot/cells.h"
#include "harness/program/memory.h"

enum { MAX_NAMED = 3 };
#define NAMED_FROM 0.1 /* relative: points nearer to the line are not worth a name */

struct point {
    double paper, ours;
    const char *dataset, *named; /* named: what the figure writes beside the point, "" for most */
    size_t series, n;
};

/* What the template is told: one block of the .dat is one series of one panel. */
struct blocks {
    size_t n_panels, n;
    const char *labels[SHOWN_FIELDS];
    double first[SHOWN_FIELDS], last[SHOWN_FIELDS];
    struct plot_range range[SHOWN_FIELDS];
    double *series; /* of each block, from 1 */
};

static size_t take_points(const struct plot_request *request, const struct plot_cells *cells, enum record_field field,
                          struct point *points)
{
    size_t n = 0;
    for (size_t s = 0; s < cells->series.n; s++)
        for (size_t d = 0; d < request->data->n_datasets; d++) {
            const char *dataset = request->data->datasets[d];
            struct plot_cell cell = plot_cells_at(request, cells, &cells->series.items[s], dataset, field);
            if (cell.ours.mean > 0 && cell.paper.mean > 0)
                points[n++] = (struct point){cell.paper.mean, cell.ours.mean, dataset, "", s, cell.ours.n};
        }
    return n;
}

static double distance(const struct point *point)
{
    return fabs(log(point->ours / point->paper));
}

/* Whether the names of two points would meet, on axes that are `span` long in logarithms: a name is at most a third of
 * an axis long and a twentieth high. */
static int would_meet(const struct point *a, const struct point *b, double span)
{
    return fabs(log(a->paper / b->paper)) < span / 3 && fabs(log(a->ours / b->ours)) < span / 20;
}

/* Whether the point is far enough off the line for a name, and there is room for it. A data set is named once. */
static int can_be_named(const struct point *points, size_t n, size_t at, double span)
{
    if (*points[at].named || distance(&points[at]) <= log1p(NAMED_FROM))
        return 0;
    for (size_t i = 0; i < n; i++)
        if (*points[i].named &&
            (points[i].dataset == points[at].dataset || would_meet(&points[i], &points[at], span)))
            return 0;
    return 1;
}

static void name_farthest(struct point *points, size_t n, const struct plot_range *range)
{
    for (int named = 0; named < MAX_NAMED; named++) {
        struct point *farthest = NULL;
        for (size_t i = 0; i < n; i++)
            if (can_be_named(points, n, i, log(range->high / range->low)) &&
                (!farthest || distance(&points[i]) > distance(farthest)))
                farthest = &points[i];
        if (!farthest)
            return;
        farthest->named = farthest->dataset;
    }
}

static void add_panel(const struct plot_cells *cells, enum record_field field, struct point *points, size_t n,
                      FILE *dat, struct blocks *blocks)
{
    size_t panel = blocks->n_panels++;
    struct plot_range *range = &blocks->range[panel];
    *range = (struct plot_range){HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < n; i++) {
        plot_range_widen(range, points[i].paper, 1);
        plot_range_widen(range, points[i].ours, 1);
    }
    name_farthest(points, n, range);
    blocks->labels[panel] = plot_field_texts[field].label;
    blocks->first[panel] = (double)(blocks->n + 1);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || points[i].series != points[i - 1].series) {
            fprintf(dat, "%s# %s: %s\n", blocks->n ? "\n\n" : "", plot_field_texts[field].label,
                    cells->series.items[points[i].series].label);
            blocks->series[blocks->n++] = (double)(points[i].series + 1);
        }
        const double means[] = {points[i].paper, points[i].ours};
        plot_numbers(dat, means, 2, " ");
        plot_data_text(dat, points[i].dataset);
        fprintf(dat, " %zu ", points[i].n);
        plot_data_text(dat, points[i].named);
        fputc('\n', dat);
    }
    blocks->last[panel] = (double)blocks->n;
}

/* Lists the series that have points and numbers the blocks by that list: the legend shows no other. */
static void name_series(const struct plot_cells *cells, struct blocks *blocks, struct plot_figure *figure)
{
    size_t n = 0;
    const char **labels = xcalloc(cells->series.n, sizeof *labels);
    for (size_t s = 0; s < cells->series.n; s++) {
        int used = 0;
        for (size_t b = 0; b < blocks->n; b++)
            if (blocks->series[b] == (double)(s + 1)) {
                blocks->series[b] = (double)(n + 1); /* n <= s: not taken for a later series */
                used = 1;
            }
        if (used)
            labels[n++] = cells->series.items[s].label;
    }
    plot_figure_texts(figure, "series", labels, n);
    free(labels);
}

static void describe(const struct plot_request *request, const struct plot_cells *cells, struct blocks *blocks,
                     struct plot_figure *figure)
{
    name_series(cells, blocks, figure);
    plot_figure_texts(figure, "panels", blocks->labels, blocks->n_panels);
    plot_figure_numbers(figure, "first_block", blocks->first, blocks->n_panels);
    plot_figure_numbers(figure, "last_block", blocks->last, blocks->n_panels);
    plot_figure_ranges(figure, "", blocks->range, blocks->n_panels);
    plot_figure_numbers(figure, "block_series", blocks->series, blocks->n);
    fputs("Measured against printed means: ", figure->heading);
    plot_describe(figure->heading, request->data, &cells->records);
    fputs("A point is one data set; on the line both means are equal. Named: at most three data sets a panel, those "
          "farthest from the line if more than 10 % off it. Kernel operations without the start-up. ",
          figure->caption);
    plot_origin(figure->caption, request->data, &cells->records);
    plot_papers_missing(figure->caption, request->papers, request->data);
    figure->caption_columns = blocks->n_panels == 1 ? 90 : 145; /* the width in plots/scatter.gp */
}

static enum status draw(const struct plot_request *request, const struct plot_cells *cells, struct point *points,
                        struct blocks *blocks, struct error *error)
{
    static const enum record_field order[] = {FIELD_ITERATIONS, FIELD_KERNEL_OPERATIONS, FIELD_SUPPORT_VECTORS,
                                              FIELD_ERROR};
    struct plot_figure figure;
    plot_figure_open(&figure, "scatter", request->name, NULL, NULL);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        size_t n = take_points(request, cells, order[i], points);
        if (n)
            add_panel(cells, order[i], points, n, figure.dat, blocks);
    }
    if (blocks->n_panels == 0) {
        plot_note(request, "no printed mean belongs to these records (config.json names the tables under \"tables\")");
        plot_figure_free(&figure);
        return STATUS_OK;
    }
    describe(request, cells, blocks, &figure);
    return plot_finish(request->run, &figure, error);
}

enum status plot_scatter(const struct plot_request *request, struct error *error)
{
    struct plot_cells cells;
    enum status status = STATUS_OK;
    if (plot_cells_take(request, &cells)) {
        struct blocks blocks = {.series = xcalloc(SHOWN_FIELDS * cells.series.n, sizeof *blocks.series)};
        struct point *points = xcalloc(request->data->n_datasets * cells.series.n, sizeof *points);
        status = draw(request, &cells, points, &blocks, error);
        free(points);
        free(blocks.series);
    }
    plot_cells_free(&cells);
    return status;
}
