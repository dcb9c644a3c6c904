/*
 * Means over splits for each data set, with their standard deviations. Next to them are the means and standard
 * deviations printed in the tables that the configuration names, drawn in the same way: bars show one standard
 * deviation of single splits on either side, not an interval of the mean.
 */
#include <math.h>
#include <string.h>

#include "harness/plot/cells.h"

enum { SERIES_PER_PAGE = 6, MAX_DATASETS = 256 };

/* A page of one figure: the series [from, end), and the template's data on their numbers. */
struct page {
    size_t from, end, n_shown; /* n_shown: means that the axis can show */
    double printed[SERIES_PER_PAGE]; /* numbers, from 1, of the series that have printed values */
    size_t n_printed;
};

static void print_row(FILE *dat, size_t position, const char *dataset, const struct plot_cell *cell)
{
    const struct plot_spread *ours = &cell->ours;
    const double numbers[] = {ours->mean,          ours->sd,  ours->low_quartile, ours->median,
                              ours->high_quartile, ours->min, ours->max,          cell->paper.mean,
                              cell->paper.sd,     (double)cell->unfinished};
    fprintf(dat, "%zu ", position);
    plot_data_text(dat, dataset);
    fprintf(dat, " %zu ", ours->n);
    plot_numbers(dat, numbers, sizeof numbers / sizeof *numbers, "\n");
}

static void print_blocks(const struct plot_request *request, const struct plot_cells *cells, enum record_field field,
                         FILE *dat, struct page *page)
{
    fprintf(dat,
            "# position data_set n mean sd quartile_1 median quartile_3 min max printed_mean printed_sd at_limit\n");
    for (size_t s = page->from; s < page->end; s++) {
        size_t position = 0;
        int printed = 0;
        fprintf(dat, "%s# %s\n", s > page->from ? "\n\n" : "", cells->series.items[s].label);
        for (size_t d = 0; d < request->data->datasets.count; d++) {
            const char *dataset = request->data->datasets.names[d];
            if (!plot_cells_measured(request, cells, dataset, field))
                continue;
            struct plot_cell cell = plot_cells_at(request, cells, &cells->series.items[s], dataset, field);
            print_row(dat, ++position, dataset, &cell);
            page->n_shown += measure_is_ratio(field) ? cell.ours.mean > 0 : isfinite(cell.ours.mean);
            printed |= isfinite(cell.paper.mean);
        }
        if (printed)
            page->printed[page->n_printed++] = (double)(s - page->from + 1);
    }
}

/* Lists means of zero, which a logarithmic axis cannot show. */
static void list_hidden(const struct plot_request *request, const struct plot_cells *cells, enum record_field field,
                        const struct page *page, FILE *caption)
{
    size_t found = 0;
    for (size_t s = page->from; measure_is_ratio(field) && s < page->end; s++)
        for (size_t d = 0; d < request->data->datasets.count; d++) {
            const char *dataset = request->data->datasets.names[d];
            struct plot_cell cell = plot_cells_at(request, cells, &cells->series.items[s], dataset, field);
            if (cell.ours.mean <= 0)
                fprintf(caption, "%s%s on %s", found++ ? ", " : "Zero and therefore not on the axis: ",
                        cells->series.items[s].label, dataset);
        }
    if (found)
        fputs(". ", caption);
}

static void print_caption(const struct plot_request *request, const struct plot_cells *cells, enum record_field field,
                          const struct page *page, FILE *caption)
{
    fprintf(caption, "Filled marks: mean over splits; bars: ± one standard deviation over splits. ");
    plot_ringed(&cells->records, caption);
    if (page->n_printed > 0)
        fprintf(caption, "Open marks: printed mean; bars: ± the printed standard deviation. ");
    if (measure_is_ratio(field))
        fprintf(caption, "A bar that touches the frame extends below it. ");
    if (field == FIELD_KERNEL_OPERATIONS)
        fprintf(caption, "Kernel operations of the iterations, without the set-up. ");
    plot_origin(caption, request->data, &cells->records);
    list_hidden(request, cells, field, page, caption);
    if (page->n_printed > 0)
        plot_papers_missing(caption, request->papers, request->data);
}

static void describe_page(const struct plot_request *request, const struct plot_cells *cells, enum record_field field,
                          const struct page *page, struct plot_figure *figure)
{
    const char *labels[SERIES_PER_PAGE], *datasets[MAX_DATASETS];
    size_t n_datasets = 0;
    for (size_t d = 0; d < request->data->datasets.count && n_datasets < MAX_DATASETS; d++)
        if (plot_cells_measured(request, cells, request->data->datasets.names[d], field))
            datasets[n_datasets++] = request->data->datasets.names[d];
    for (size_t s = page->from; s < page->end; s++)
        labels[s - page->from] = cells->series.items[s].label;
    plot_figure_text(figure, "axis", measure_label(field));
    plot_figure_texts(figure, "datasets", datasets, n_datasets);
    plot_figure_series(figure, labels, page->end - page->from);
    plot_figure_number(figure, "logarithmic", measure_is_ratio(field));
    plot_figure_number(figure, "n_printed", (double)page->n_printed);
    plot_figure_numbers(figure, "printed", page->printed, page->n_printed);
    fprintf(figure->heading, "%s: ", measure_title(field));
    plot_describe(figure->heading, request->data, &cells->records);
    print_caption(request, cells, field, page, figure->caption);
}

static void draw_page(const struct plot_request *request, const struct plot_cells *cells, enum record_field field,
                      size_t number)
{
    struct plot_figure figure;
    struct page page = {.from = number * SERIES_PER_PAGE};
    char suffix[24];
    page.end = page.from + SERIES_PER_PAGE < cells->series.n ? page.from + SERIES_PER_PAGE : cells->series.n;
    snprintf(suffix, sizeof suffix, "%zu", number + 1);
    plot_figure_open(&figure, "means", request->name, number ? suffix : NULL, NULL);
    print_blocks(request, cells, field, figure.dat, &page);
    if (page.n_shown == 0) {
        plot_note(request, "no %s that the axis can show", measure_label(field));
        plot_figure_free(&figure);
        return;
    }
    describe_page(request, cells, field, &page, &figure);
    plot_finish(request->run, &figure);
}

void plot_compare(const struct plot_request *request)
{
    struct plot_cells cells;
    enum record_field field = FIELD_ERROR;
    const size_t named = measure_find(request->kind, MEMBER_FIGURE);
    if (named < RECORD_FIELDS)
        field = (enum record_field)named;
    int usable = plot_cells_take(request, &cells);
    for (size_t page = 0; usable && page * SERIES_PER_PAGE < cells.series.n; page++)
        draw_page(request, &cells, field, page);
}
