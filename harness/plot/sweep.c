/*
 * Sweeps: the records of one data set with varied settings, a figure for each data set and metric. "heatmap" draws two
 * swept settings (heatmap.c). "lines" draws one at a time: mean and quartiles over splits at each level, with a column
 * of panels for each setting (an SVM sweeps C where a reduced hull sweeps mu), and a line for each series.
 */
#include "harness/plot/sweep.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "harness/base/pool.h"

enum { MAX_LINES = 12, MAX_SETTINGS = 8, AUTOMATIC_LEVELS = 3 };

void plot_sweep_describe(const struct plot_sweep *sweep, FILE *caption)
{
    int has_width = 0;
    for (size_t s = 0; s < sweep->series.n; s++)
        for (int k = 0; k < 2; k++) {
            const char *axis = sweep->series.items[s].axis[k];
            has_width |= axis && strcmp(axis, "width") == 0;
        }
    if (has_width) /* with no-break spaces */
        fputs("k(x, z) = exp(−‖x − z‖² / kernel width). ", caption);
    if (sweep->field == FIELD_KERNEL_OPERATIONS)
        fputs("Kernel operations of the iterations, without the set-up. ", caption);
}

/* ---- lines ---- */

static int has_setting(const struct records *records, const char *setting)
{
    size_t i = 0;
    while (i < records->count && !record_setting(records->items[i], setting))
        i++;
    return i < records->count;
}

/* Prints a row: the records at a level, or all of a series that lacks the setting, whose x is NaN. Returns 0 without a
 * value that the axis can show. */
static int print_row(const struct plot_sweep *sweep, const struct records *records, const struct setting *level,
                     double x, int named, FILE *dat)
{
    const struct plot_level_cell cell = plot_level_cell(records, level, sweep->field, sweep->values);
    const struct plot_spread *spread = &cell.spread;
    const double numbers[] = {spread->mean,   spread->sd,            spread->low_quartile,
                              spread->median, spread->high_quartile, (double)cell.unfinished};
    char text[40];
    if (cell.n == 0 || (measure_is_ratio(sweep->field) && spread->mean <= 0))
        return 0;
    plot_number(dat, x);
    fprintf(dat, " %zu ", cell.n);
    plot_numbers(dat, numbers, sizeof numbers / sizeof *numbers, named ? " " : "\n");
    if (named) {
        plot_data_text(dat, level ? plot_level_text(level, text, sizeof text) : "");
        fputc('\n', dat);
    }
    return 1;
}

/* Prints the block of a series in the column of a setting; returns its number of rows. */
static size_t print_block(const struct plot_sweep *sweep, const struct plot_series *series, const char *setting,
                          const struct plot_levels *levels, FILE *dat)
{
    const int named = !plot_levels_are_numbers(levels), is_reference = !has_setting(&series->records, setting);
    size_t rows = 0;
    fprintf(dat, "# %s, %s%s: %s\n", measure_label(sweep->field), is_reference ? "without " : "", setting,
            series->label);
    if (is_reference && !series->axis[0])
        rows += (size_t)print_row(sweep, &series->records, NULL, (double)NAN, named, dat);
    for (size_t i = 0; i < levels->n && series->axis[0] && strcmp(series->axis[0], setting) == 0; i++)
        rows += (size_t)print_row(sweep, &series->records, levels->items[i],
                                  named ? (double)(i + 1) : levels->items[i]->number, named, dat);
    if (rows == 0)
        plot_empty_block(dat, 8);
    return rows;
}

/* Chooses the series with a swept setting, and those that lack one of these settings: lines across its panel. Stores
 * the settings; returns their number. */
static size_t choose_lines(const struct plot_sweep *sweep, const char *settings[MAX_SETTINGS],
                           const struct plot_series *lines[MAX_LINES], size_t *n_lines)
{
    size_t n_settings = 0, n_series = sweep->series.n < MAX_LINES ? sweep->series.n : MAX_LINES;
    *n_lines = 0;
    for (size_t s = 0; s < n_series; s++) {
        const char *axis = sweep->series.items[s].axis[0];
        size_t known = 0;
        while (known < n_settings && axis && strcmp(settings[known], axis) != 0)
            known++;
        if (axis && known == n_settings && known < MAX_SETTINGS)
            settings[n_settings++] = axis;
    }
    for (size_t s = 0; s < n_series; s++) {
        const struct plot_series *series = &sweep->series.items[s];
        int is_shown = series->axis[0] != NULL;
        for (size_t c = 0; c < n_settings; c++)
            is_shown |= !has_setting(&series->records, settings[c]);
        if (is_shown)
            lines[(*n_lines)++] = series;
    }
    if (sweep->series.n > MAX_LINES)
        plot_note(sweep->request, "%zu of %zu lines of %s", sweep->series.n - MAX_LINES, sweep->series.n,
                  sweep->dataset);
    return n_settings;
}

static int draw_lines(const struct plot_sweep *sweep, struct plot_figure *figure)
{
    const struct plot_data *data = sweep->request->data;
    const struct plot_series *lines[MAX_LINES];
    const char *settings[MAX_SETTINGS], *axes[MAX_SETTINGS], *labels[MAX_LINES], *metric = measure_label(sweep->field);
    double scales[MAX_SETTINGS], named[MAX_SETTINGS], reference[MAX_LINES];
    const double logarithmic = measure_is_ratio(sweep->field);
    size_t n_lines, rows = 0, n_settings = choose_lines(sweep, settings, lines, &n_lines);
    int has_reference = 0;
    fputs("# level n mean sd quartile_1 median quartile_3 at_limit\n", figure->dat);
    for (size_t c = 0; c < n_settings; c++) {
        struct plot_levels levels;
        char axis[100];
        plot_levels_take(&sweep->records, settings[c], &levels);
        axes[c] = pool_strdup(figure->pool, plot_setting_axis(data, settings[c], axis, sizeof axis));
        scales[c] = plot_setting_scale(data, settings[c]);
        named[c] = !plot_levels_are_numbers(&levels);
        for (size_t s = 0; s < n_lines; s++) {
            fputs(c + s ? "\n\n" : "", figure->dat);
            rows += print_block(sweep, lines[s], settings[c], &levels, figure->dat);
        }
    }
    for (size_t s = 0; s < n_lines; s++) {
        labels[s] = lines[s]->label;
        reference[s] = !lines[s]->axis[0];
        has_reference |= !lines[s]->axis[0];
    }
    plot_figure_series(figure, labels, n_lines);
    plot_figure_numbers(figure, "reference", reference, n_lines);
    plot_figure_texts(figure, "x_axes", axes, n_settings);
    plot_figure_numbers(figure, "x_scale", scales, n_settings);
    plot_figure_numbers(figure, "x_named", named, n_settings);
    plot_figure_texts(figure, "y_axes", &metric, 1);
    plot_figure_numbers(figure, "logarithmic", &logarithmic, 1);
    plot_figure_panels(figure, axes, n_settings);
    fprintf(figure->heading, "%s: ", measure_title(sweep->field));
    plot_describe(figure->heading, data, &sweep->records);
    fputs("Marks: mean over splits; bars: quartiles. ", figure->caption);
    plot_ringed(&sweep->records, figure->caption);
    if (has_reference)
        fputs("Horizontal lines: mean of a solver that does not read the parameter; band: its quartiles. ",
              figure->caption);
    plot_sweep_describe(sweep, figure->caption);
    plot_origin(figure->caption, data, &sweep->records);
    return rows > 0;
}

/* ---- data sets and metrics ---- */

/* How a kind draws: its template, and the number of swept settings on axes. */
static const struct form {
    const char *kind;
    size_t n_axes;
    int (*fill)(const struct plot_sweep *sweep, struct plot_figure *figure);
} lines_form = {"lines", 1, draw_lines}, heatmap_form = {"heatmap", 2, plot_sweep_grids};

/* Nonzero if some series has enough levels to be drawn without a request. */
static int worth_drawing(const struct plot_sweep *sweep)
{
    struct plot_levels levels;
    for (size_t s = 0; s < sweep->series.n; s++) {
        const struct plot_series *series = &sweep->series.items[s];
        if (!series->axis[0])
            continue;
        plot_levels_take(&series->records, series->axis[0], &levels);
        if (sweep->request->entry || levels.n >= AUTOMATIC_LEVELS)
            return 1;
    }
    return 0;
}

/* Draws the figure NAME-METRIC-DATASET, without the parts that the entry fixes. */
static void draw_figure(const struct plot_sweep *sweep, const struct form *form)
{
    struct plot_figure figure;
    const cJSON *entry = sweep->request->entry;
    const char *parts[3] = {NULL}, *metric = measure_row(sweep->field)->measure;
    size_t n = 0;
    if (!cJSON_HasObjectItem(entry, "metric"))
        parts[n++] = metric;
    if (!cJSON_HasObjectItem(entry, "dataset"))
        parts[n++] = sweep->dataset;
    plot_figure_open(&figure, form->kind, sweep->request->name, parts[0], parts[1]);
    if (form->fill(sweep, &figure)) {
        plot_finish(sweep->request->run, &figure);
        return;
    }
    plot_note(sweep->request, "no %s of %s that the figure can show", metric, sweep->dataset);
    plot_figure_free(&figure);
}

static void draw_dataset(const struct plot_request *request, const char *dataset, const struct form *form)
{
    static const enum record_field usual[] = {FIELD_ERROR, FIELD_ITERATIONS, FIELD_KERNEL_OPERATIONS};
    struct plot_sweep sweep = {.request = request, .dataset = dataset};
    const char *metric = plot_entry_text(request, "metric");
    sweep.records = plot_select(request->pool, request->data, request->entry, dataset);
    sweep.values = pool_array(request->pool, sweep.records.count, sizeof *sweep.values);
    sweep.series = plot_series_build(request->pool, request->data, &sweep.records, form->n_axes, request->entry);
    if (form == &heatmap_form && sweep.series.n == 0 && request->entry) {
        form = &lines_form;
        sweep.series = plot_series_build(request->pool, request->data, &sweep.records, 1, request->entry);
    }
    if (!worth_drawing(&sweep)) {
        if (sweep.records.count > 0)
            plot_note(request, "%s takes several values for %s",
                      form->n_axes == 2 ? "no pair of settings" : "no setting", dataset);
        return;
    }
    const size_t named = metric ? measure_find(metric, MEMBER_FIGURE) : 0;
    if (named >= RECORD_FIELDS)
        plot_die_metric(request, "error, iterations, kernel-operations, support-vectors");
    for (size_t i = 0; i < (metric ? 1 : sizeof usual / sizeof *usual); i++) {
        sweep.field = metric ? (enum record_field)named : usual[i];
        draw_figure(&sweep, form);
    }
}

void plot_sweeps(const struct plot_request *request)
{
    const struct form *form = strcmp(request->kind, "lines") == 0 ? &lines_form : &heatmap_form;
    for (size_t d = 0; d < request->data->datasets.count; d++)
        draw_dataset(request, request->data->datasets.names[d], form);
}
