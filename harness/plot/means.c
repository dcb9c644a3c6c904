/*
 * Means over splits for each data set, with their standard deviations. Next to them are the means and standard
 * deviations printed in the tables that the configuration names, drawn in the same way: bars show one standard
 * deviation of single splits on either side, not an interval of the mean. A run with more than four variants of one
 * solver is a sweep: side by side its marks could not be distinguished, so heat maps and lines show it.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/papers/paper.h"
#include "harness/plot/kinds.h"

enum { SERIES_PER_PAGE = 6, MAX_VARIANTS = 4 };

/* ---- printed means ----
 *
 * The value comes from the first of the named tables that has a mean for the record's data set, solver and parameters,
 * converted to the unit of the records (printed value times the column's unit). */

static void add_table(struct pool *pool, struct plot_papers *papers, const cJSON *name)
{
    if (!cJSON_IsString(name))
        die(STATUS_BAD_INPUT, "config.json: \"tables\" must hold names of published tables");
    if (paper_names_claims(name->valuestring)) /* claims have no printed means */
        return;
    struct error error;
    const struct paper *paper = paper_find_or_null(pool, name->valuestring, &error);
    if (!paper) /* a missing paper is not a missing run folder */
        die(STATUS_BAD_INPUT, "%s", error.message);
    papers->tables[papers->n] = paper_table_named(paper, name->valuestring);
    if (!papers->tables[papers->n])
        die(STATUS_BAD_INPUT, "%s: unknown table \"%s\"", paper->path, name->valuestring);
    papers->n++;
}

struct plot_papers plot_papers_read(struct pool *pool, const cJSON *tables)
{
    const cJSON *name;
    const size_t count = (size_t)cJSON_GetArraySize(tables);
    struct plot_papers papers = {.tables = pool_array(pool, count, sizeof *papers.tables)};
    cJSON_ArrayForEach(name, tables)
        add_table(pool, &papers, name);
    return papers;
}

/* Prints "Printed but not run: german, banana. " for the tables' data sets that the data lack. */
static void list_missing(FILE *stream, const struct plot_papers *papers, const struct run_view *data)
{
    struct pool *pool = pool_new();
    struct name_order missing = {.pool = pool};
    for (size_t t = 0; t < papers->n; t++)
        for (size_t r = 0; r < papers->tables[t]->n_rows; r++) {
            const char *dataset = papers->tables[t]->rows[r].dataset;
            const size_t n = missing.count;
            if (name_order_find(&data->datasets, dataset) == data->datasets.count &&
                name_order_add(&missing, dataset) == n)
                fprintf(stream, "%s%s", n ? ", " : "Printed but not run: ", dataset);
        }
    fputs(missing.count ? ". " : "", stream);
    pool_free(pool);
}

static int column_fits(const struct paper_column *column, const struct record *record, const char *field)
{
    const struct record_filter *from = &column->from;
    return paper_column_is_mean(column) && strcmp(from->field, field) == 0 &&
           strcmp(from->solver, record->solver) == 0 && record_includes(record->params, from->params) &&
           record_includes(record->kernel, from->kernel) && record_includes(record->stop, from->stop);
}

/* The printed mean and standard deviation over splits for the data set, field and solver of a record with these
 * parameters, in the field's unit; NAN if not printed, or without a record. */
struct published {
    double mean, sd;
};

static struct published published_value(const struct plot_papers *papers, const struct record *record,
                                        enum record_field field)
{
    for (size_t t = 0; record && t < papers->n; t++) {
        const struct paper_table *table = papers->tables[t];
        for (size_t r = 0; r < table->n_rows; r++)
            for (size_t c = 0; c < table->n_columns; c++) {
                const struct printed *cell = &table->rows[r].cells[c];
                if (cell->n > 0 && strcmp(table->rows[r].dataset, record->dataset) == 0 &&
                    column_fits(&table->columns[c], record, measure_path(field)))
                    return (struct published){cell->mean * table->columns[c].unit,
                                                   cell->sd * fabs(table->columns[c].unit)};
            }
    }
    return (struct published){(double)NAN, (double)NAN};
}

/* ---- measured means ---- */

/* A data set's measured values of one series, and the printed ones. */
struct cell {
    struct summary ours;
    size_t unfinished; /* runs stopped at a limit or stalled */
    struct published paper;
};

struct means {
    const struct plot_request *request;
    enum record_field field;
    struct records records;
    struct plot_series_list series;
    struct cell *cells; /* series by series, for each data set of the request */
    size_t n_datasets;  /* those with a value */
    const char **datasets;
};

/* Takes the records that the entry selects. Returns 0, with a note, if there are none, or if they are a sweep. */
static int take_series(struct means *means)
{
    const struct plot_request *request = means->request;
    means->records = plot_select(request->pool, request->data, request->entry, NULL);
    if (means->records.count == 0)
        plot_note(request, "no record matches the entry");
    means->series = plot_series_build(request->pool, request->data, &means->records, 0, NULL);
    for (size_t i = 0, variants = 0; i < means->series.n; i++) {
        const struct plot_series *series = &means->series.items[i];
        variants = i > 0 && series->solver == series[-1].solver ? variants + 1 : 1;
        if (variants > MAX_VARIANTS) {
            plot_note(request, "%s has more than %d combinations of parameters; select some with \"where\"",
                      series->solver, MAX_VARIANTS);
            return 0;
        }
    }
    return means->records.count > 0;
}

static void take_cells(struct means *means)
{
    const struct plot_request *request = means->request;
    const struct name_order *datasets = &request->data->datasets;
    const size_t n = datasets->count;
    struct records *of_dataset = pool_array(request->pool, n, sizeof *of_dataset);
    double *values = pool_array(request->pool, means->records.count, sizeof *values);
    int *is_measured = pool_array(request->pool, n, sizeof *is_measured);
    means->cells = pool_array(request->pool, means->series.n * n, sizeof *means->cells);
    for (size_t s = 0; s < means->series.n; s++) {
        const struct records *records = &means->series.items[s].records;
        for (size_t d = 0; d < n; d++)
            of_dataset[d] = (struct records){.pool = request->pool};
        for (size_t i = 0; i < records->count; i++)
            if (isfinite(records->items[i]->field[means->field]))
                records_add(&of_dataset[name_order_find(datasets, records->items[i]->dataset)], records->items[i]);
        for (size_t d = 0; d < n; d++) {
            const struct plot_level_cell cell = plot_level_cell(&of_dataset[d], NULL, means->field, values);
            const struct record *first = cell.n ? of_dataset[d].items[0] : NULL;
            is_measured[d] |= cell.n > 0;
            means->cells[s * n + d] = (struct cell){cell.spread, cell.unfinished,
                                                    published_value(&request->papers, first, means->field)};
        }
    }
    means->datasets = pool_array(request->pool, n, sizeof *means->datasets);
    for (size_t d = 0; d < n; d++)
        if (is_measured[d])
            means->datasets[means->n_datasets++] = datasets->names[d];
}

static const struct cell *cell_at(const struct means *means, size_t series, const char *dataset)
{
    const struct name_order *datasets = &means->request->data->datasets;
    return &means->cells[series * datasets->count + name_order_find(datasets, dataset)];
}

static void print_row(FILE *dat, size_t position, const char *dataset, const struct cell *cell)
{
    const struct summary *ours = &cell->ours;
    const double numbers[] = {ours->mean,          ours->sd,  ours->low_quartile, ours->median,
                              ours->high_quartile, ours->min, ours->max,          cell->paper.mean,
                              cell->paper.sd,      (double)cell->unfinished};
    fprintf(dat, "%zu ", position);
    plot_data_text(dat, dataset);
    fprintf(dat, " %zu ", ours->n);
    plot_numbers(dat, numbers, sizeof numbers / sizeof *numbers, "\n");
}

/* Describes the page of the series [from, end), the printed values of `n_printed` of which are shown. */
static void describe(const struct means *means, size_t from, size_t end, size_t n_printed, struct plot_figure *figure)
{
    const struct plot_request *request = means->request;
    FILE *caption = figure->caption;
    size_t hidden = 0;
    fprintf(figure->heading, "%s: ", measure_title(means->field));
    plot_describe(figure->heading, request->data, &means->records);
    fputs("Filled marks: mean over splits; bars: ± one standard deviation over splits. ", caption);
    plot_ringed(&means->records, "Rings", caption);
    if (n_printed > 0)
        fputs("Open marks: printed mean; bars: ± the printed standard deviation. ", caption);
    if (measure_is_ratio(means->field))
        fputs("A bar that touches the frame extends below it. ", caption);
    if (means->field == FIELD_KERNEL_OPERATIONS)
        fputs("Kernel operations of the iterations, without the set-up. ", caption);
    plot_origin(caption, request->data, &means->records);
    for (size_t s = from; measure_is_ratio(means->field) && s < end; s++)
        for (size_t d = 0; d < means->n_datasets; d++)
            if (cell_at(means, s, means->datasets[d])->ours.mean <= 0)
                fprintf(caption, "%s%s on %s", hidden++ ? ", " : "Zero and therefore not on the axis: ",
                        means->series.items[s].label, means->datasets[d]);
    fputs(hidden ? ". " : "", caption);
    if (n_printed > 0)
        list_missing(caption, &request->papers, request->data);
}

static void draw_page(const struct means *means, size_t number)
{
    const size_t from = number * SERIES_PER_PAGE, left = means->series.n - from,
                 n = left < SERIES_PER_PAGE ? left : SERIES_PER_PAGE;
    const int is_ratio = measure_is_ratio(means->field);
    struct plot_figure figure;
    const char *labels[SERIES_PER_PAGE];
    double printed[SERIES_PER_PAGE]; /* numbers, from 1, of the series that have printed values */
    size_t n_printed = 0, n_shown = 0;
    plot_figure_open(&figure, "means", means->request->name,
                     number ? pool_printf(means->request->pool, "%zu", number + 1) : NULL, NULL);
    fputs("# position data_set n mean sd quartile_1 median quartile_3 min max printed_mean printed_sd at_limit\n",
          figure.dat);
    for (size_t s = 0; s < n; s++) {
        int is_printed = 0;
        labels[s] = means->series.items[from + s].label;
        fprintf(figure.dat, "%s# %s\n", s ? "\n\n" : "", labels[s]);
        for (size_t d = 0; d < means->n_datasets; d++) {
            const struct cell *cell = cell_at(means, from + s, means->datasets[d]);
            print_row(figure.dat, d + 1, means->datasets[d], cell);
            n_shown += is_ratio ? cell->ours.mean > 0 : isfinite(cell->ours.mean) != 0;
            is_printed |= isfinite(cell->paper.mean);
        }
        if (is_printed)
            printed[n_printed++] = (double)(s + 1);
    }
    if (n_shown == 0) {
        plot_note(means->request, "no %s that the axis can show", measure_label(means->field));
        pool_free(figure.pool);
        return;
    }
    plot_figure_text(&figure, "axis", measure_label(means->field));
    plot_figure_texts(&figure, "datasets", means->datasets, means->n_datasets);
    plot_figure_series(&figure, labels, n);
    plot_figure_number(&figure, "logarithmic", is_ratio);
    plot_figure_number(&figure, "n_printed", (double)n_printed);
    plot_figure_numbers(&figure, "printed", printed, n_printed);
    describe(means, from, from + n, n_printed, &figure);
    plot_finish(means->request->run, &figure);
}

void plot_means(const struct plot_request *request)
{
    const size_t named = measure_find(request->kind, MEMBER_FIGURE);
    struct means means = {.request = request,
                          .field = named < RECORD_FIELDS ? (enum record_field)named : FIELD_ERROR};
    if (!take_series(&means))
        return;
    take_cells(&means);
    for (size_t page = 0; page * SERIES_PER_PAGE < means.series.n; page++)
        draw_page(&means, page);
}
