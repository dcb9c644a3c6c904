/*
 * Sweeps: a metric over the settings that were varied, one figure for each data set and metric. Over two settings it is
 * a grid of cells, one panel a series; levels stand at equal distances in rising order, whatever their ratio, because a
 * sweep chooses them evenly on its own scale. Counts are shown as log10 of their mean over splits. Over one setting it
 * is a line a series, with quartiles, one panel a setting (an SVM sweeps C where a reduced hull sweeps mu).
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/cells.h"

enum { MOST_LEVELS = 64, MOST_PANELS = 12, MOST_LINES = 12, AUTOMATIC_LEVELS = 3 };

/* The values one setting takes in a series, rising; settings that are no numbers as first met. */
struct levels {
    size_t n;
    const struct plot_setting *items[MOST_LEVELS];
};

static void levels_take(const struct plot_series *series, const char *setting, struct levels *levels)
{
    levels->n = 0;
    for (size_t i = 0; i < series->n; i++) {
        const struct plot_setting *found = plot_setting_find(series->records[i], setting);
        size_t known = 0, at;
        while (found && known < levels->n && levels->items[known]->text != found->text)
            known++;
        if (!found || known < levels->n || levels->n == MOST_LEVELS)
            continue;
        for (at = levels->n++; at > 0 && levels->items[at - 1]->number > found->number; at--)
            levels->items[at] = levels->items[at - 1];
        levels->items[at] = found;
    }
}

static int levels_are_numbers(const struct levels *levels)
{
    for (size_t i = 0; i < levels->n; i++)
        if (!isfinite(levels->items[i]->number))
            return 0;
    return 1;
}

static const char *level_text(const struct plot_setting *level, char *text, size_t size)
{
    if (!isfinite(level->number)) {
        snprintf(text, size, "%s", level->text);
        return text;
    }
    snprintf(text, size, "%.3g", level->number);
    char *exponent = strchr(text, 'e'); /* 1e+05 is 1e5 in little room */
    if (exponent) {
        long power = strtol(exponent + 1, NULL, 10);
        snprintf(exponent + 1, size - (size_t)(exponent + 1 - text), "%ld", power);
    }
    return text;
}

/* gnuplot's list of tics, ("0.1" 1, "0.2" 2): malloc'ed. */
static char *level_tics(const struct levels *levels)
{
    char *list = NULL, text[40];
    size_t size = 0;
    FILE *stream = open_memstream(&list, &size);
    if (!stream)
        return NULL;
    fputc('(', stream);
    for (size_t i = 0; i < levels->n; i++) {
        if (i)
            fputs(", ", stream);
        plot_quoted(stream, level_text(levels->items[i], text, sizeof text));
        fprintf(stream, " %zu", i + 1);
    }
    fputc(')', stream);
    fclose(stream);
    return list;
}

/* What the panels of a figure tell the template; strings are owned by struct sweep_labels, which frees them. */
struct sweep_labels {
    size_t n;
    char *title[MOST_PANELS], *x_tics[MOST_PANELS], *y_tics[MOST_PANELS];
    const char *x_label[MOST_PANELS], *y_label[MOST_PANELS];
    double x_count[MOST_PANELS], y_count[MOST_PANELS];
};

static void labels_free(struct sweep_labels *labels)
{
    for (size_t i = 0; i < labels->n; i++) {
        free(labels->title[i]);
        free(labels->x_tics[i]);
        free(labels->y_tics[i]);
    }
}

/* One figure: the records of a data set, and which of their numbers. */
struct sweep {
    const struct plot_request *request;
    const char *dataset, *prefix;
    enum plot_field field;
    const struct plot_record **records;
    size_t n;
    struct plot_series_list series;
    double *values; /* room for the values of one cell */
};

struct grid_cell {
    size_t n, unfinished;
    struct plot_spread spread;
    double shown; /* what the colour and the label say: the mean, or log10 of it */
};

static struct grid_cell grid_cell_of(const struct sweep *sweep, const struct plot_series *series,
                                     const struct plot_setting *x, const struct plot_setting *y)
{
    struct grid_cell cell = {0};
    struct plot_series here = *series;
    const struct plot_record **kept = malloc(series->n * sizeof *kept);
    here.records = kept;
    here.n = 0;
    for (size_t i = 0; kept && i < series->n; i++) {
        const struct plot_setting *at_x = plot_setting_find(series->records[i], series->axis[0]);
        const struct plot_setting *at_y = y ? plot_setting_find(series->records[i], series->axis[1]) : NULL;
        if (at_x && at_x->text == x->text && (!y || (at_y && at_y->text == y->text))) {
            kept[here.n++] = series->records[i];
            cell.unfinished += (size_t)(series->records[i]->at_limit || series->records[i]->stalled);
        }
    }
    cell.n = plot_series_values(&here, NULL, sweep->field, sweep->values);
    cell.spread = plot_spread_of(sweep->values, cell.n);
    cell.shown = sweep->field == PLOT_ERROR ? cell.spread.mean
                 : cell.spread.mean > 0     ? log10(cell.spread.mean)
                                            : (double)NAN;
    free(kept);
    return cell;
}

static void print_grid_cell(const struct sweep *sweep, FILE *dat, size_t x, size_t y, const struct levels levels[2],
                            const struct grid_cell *cell, double lowest)
{
    char text[40];
    fprintf(dat, "%zu %zu ", x + 1, y + 1);
    plot_data_text(dat, level_text(levels[0].items[x], text, sizeof text));
    fputc(' ', dat);
    plot_data_text(dat, level_text(levels[1].items[y], text, sizeof text));
    fprintf(dat, " %zu ", cell->n);
    plot_number(dat, cell->spread.mean);
    fputc(' ', dat);
    plot_number(dat, cell->shown);
    snprintf(text, sizeof text, sweep->field == PLOT_ERROR ? "%.1f%s" : "%.2f%s", cell->shown,
             cell->unfinished ? "*" : "");
    fprintf(dat, " \"%s\" %d\n", text, cell->shown <= lowest);
}

/* One panel: its block of the .dat and its labels. Cells without a record are left white. */
static enum status draw_grid(const struct sweep *sweep, const struct plot_series *series, FILE *dat,
                             struct plot_range *range, struct sweep_labels *labels, struct error *error)
{
    struct levels levels[2];
    struct plot_range here = {HUGE_VAL, -HUGE_VAL};
    size_t panel = labels->n;
    levels_take(series, series->axis[0], &levels[0]);
    levels_take(series, series->axis[1], &levels[1]);
    size_t count = levels[0].n * levels[1].n;
    struct grid_cell *cells = calloc(count, sizeof *cells);
    if (!cells)
        return error_set(error, STATUS_NO_MEMORY, "figure of %s: out of memory", sweep->dataset);
    for (size_t i = 0; i < count; i++) {
        cells[i] = grid_cell_of(sweep, series, levels[0].items[i % levels[0].n], levels[1].items[i / levels[0].n]);
        plot_range_widen(&here, cells[i].shown, 0);
    }
    if (!plot_range_empty(&here)) {
        plot_range_widen(range, here.low, 0);
        plot_range_widen(range, here.high, 0);
        fprintf(dat, "%s# %s\n", panel ? "\n\n" : "", series->label);
        for (size_t i = 0; i < count; i++)
            if (isfinite(cells[i].shown))
                print_grid_cell(sweep, dat, i % levels[0].n, i / levels[0].n, levels, &cells[i], here.low);
        labels->n++;
        labels->title[panel] = strdup(series->label);
        labels->x_tics[panel] = level_tics(&levels[0]);
        labels->y_tics[panel] = level_tics(&levels[1]);
        labels->x_label[panel] = plot_setting_label(series->axis[0]);
        labels->y_label[panel] = plot_setting_label(series->axis[1]);
        labels->x_count[panel] = (double)levels[0].n;
        labels->y_count[panel] = (double)levels[1].n;
    }
    free(cells);
    return STATUS_OK;
}

static const char *const *read_only(char *const *texts, const char **copy, size_t n)
{
    for (size_t i = 0; i < n; i++)
        copy[i] = texts[i] ? texts[i] : "";
    return copy;
}

static void describe(const struct sweep *sweep, struct plot_figure *figure, const char *counted)
{
    FILE *caption = figure->caption.stream;
    if (*counted && sweep->field != PLOT_ERROR)
        fprintf(figure->heading.stream, "%s%s: ", counted, plot_field_texts[sweep->field].label);
    else
        fprintf(figure->heading.stream, "%s: ", plot_field_texts[sweep->field].title);
    plot_describe(figure->heading.stream, sweep->request->data, sweep->records, sweep->n);
    if (sweep->field == PLOT_KERNEL_OPERATIONS)
        fputs("Kernel operations of the iterations; the start-up is left out. ", caption);
}

static void describe_grids(const struct sweep *sweep, const struct plot_range *range, const struct sweep_labels *labels,
                           struct plot_figure *figure)
{
    const char *copy[MOST_PANELS];
    plot_figure_texts(figure, "panels", read_only(labels->title, copy, labels->n), labels->n);
    plot_figure_texts(figure, "x_tics", read_only(labels->x_tics, copy, labels->n), labels->n);
    plot_figure_texts(figure, "y_tics", read_only(labels->y_tics, copy, labels->n), labels->n);
    plot_figure_texts(figure, "x_label", labels->x_label, labels->n);
    plot_figure_texts(figure, "y_label", labels->y_label, labels->n);
    plot_figure_numbers(figure, "x_count", labels->x_count, labels->n);
    plot_figure_numbers(figure, "y_count", labels->y_count, labels->n);
    plot_figure_number(figure, "low", range->low);
    plot_figure_number(figure, "high", range->high);
    describe(sweep, figure, "log₁₀ of mean ");
    fputs("Mean over splits; framed: the lowest of a panel; white: not run. ", figure->caption.stream);
    for (size_t i = 0; i < sweep->n; i++)
        if (sweep->records[i]->at_limit || sweep->records[i]->stalled) {
            fputs("*: some runs were stopped at a limit or stalled. ", figure->caption.stream);
            break;
        }
    plot_origin_of_splits(figure->caption.stream, sweep->request->data, sweep->records, sweep->n);
    figure->caption_columns = labels->n == 1 ? 80 : labels->n == 2 || labels->n == 4 ? 110 : 150;
}

static enum status draw_grids(const struct sweep *sweep, struct plot_figure *figure, int *drawn, struct error *error)
{
    struct plot_range range = {HUGE_VAL, -HUGE_VAL};
    struct sweep_labels labels = {0};
    enum status status = STATUS_OK;
    fputs("# x y x_level y_level n mean shown label lowest\n", figure->dat.stream);
    for (size_t s = 0; status == STATUS_OK && s < sweep->series.n && labels.n < MOST_PANELS; s++)
        status = draw_grid(sweep, &sweep->series.items[s], figure->dat.stream, &range, &labels, error);
    *drawn = status == STATUS_OK && labels.n > 0;
    if (*drawn)
        describe_grids(sweep, &range, &labels, figure);
    if (*drawn && sweep->series.n > MOST_PANELS)
        plot_note(sweep->request, "%zu of %zu panels of %s", sweep->series.n - MOST_PANELS, sweep->series.n,
                  sweep->dataset);
    labels_free(&labels);
    return status;
}

/* The lines of one panel, all over the same setting. */
struct line_panels {
    size_t n, n_blocks;
    const char *setting[MOST_PANELS];
    char *x_tics[MOST_PANELS]; /* "" where the axis has numbers */
    double first[MOST_PANELS], last[MOST_PANELS], low[MOST_PANELS], high[MOST_PANELS];
    double series[MOST_LINES]; /* of each block, from 1 */
    struct plot_range y;
};

static void print_line(const struct sweep *sweep, size_t s, FILE *dat, struct line_panels *panels)
{
    const struct plot_series *series = &sweep->series.items[s];
    struct levels levels;
    int started = 0, positive = sweep->field != PLOT_ERROR;
    size_t panel = panels->n - 1;
    struct plot_range x = {panels->low[panel], panels->high[panel]};
    levels_take(series, series->axis[0], &levels);
    int numbers = levels_are_numbers(&levels);
    for (size_t i = 0; i < levels.n; i++) {
        struct grid_cell cell = grid_cell_of(sweep, series, levels.items[i], NULL);
        const double row[] = {numbers ? levels.items[i]->number : (double)(i + 1), cell.spread.mean, cell.spread.sd,
                              cell.spread.low_quartile, cell.spread.median, cell.spread.high_quartile};
        if (cell.n == 0 || (positive && cell.spread.mean <= 0))
            continue;
        if (!started++) {
            fprintf(dat, "%s# %s\n", panels->n_blocks ? "\n\n" : "", series->label);
            panels->series[panels->n_blocks++] = (double)(s + 1);
        }
        plot_number(dat, row[0]);
        fprintf(dat, " %zu", cell.n);
        for (size_t k = 1; k < sizeof row / sizeof *row; k++) {
            fputc(' ', dat);
            plot_number(dat, row[k]);
            if (k != 2)
                plot_range_widen(&panels->y, row[k], positive);
        }
        fputc('\n', dat);
        plot_range_widen(&x, row[0], 0);
    }
    panels->low[panel] = x.low;
    panels->high[panel] = x.high;
    if (!numbers && !panels->x_tics[panel])
        panels->x_tics[panel] = level_tics(&levels);
}

/* A panel for the setting, unless no line has a value in it. */
static void add_line_panel(const struct sweep *sweep, const char *setting, FILE *dat, struct line_panels *panels)
{
    size_t panel = panels->n++, before = panels->n_blocks;
    panels->setting[panel] = plot_setting_label(setting);
    panels->low[panel] = HUGE_VAL;
    panels->high[panel] = -HUGE_VAL;
    panels->first[panel] = (double)(before + 1);
    for (size_t s = 0; s < sweep->series.n && panels->n_blocks < MOST_LINES; s++)
        if (strcmp(sweep->series.items[s].axis[0], setting) == 0)
            print_line(sweep, s, dat, panels);
    panels->last[panel] = (double)panels->n_blocks;
    if (panels->n_blocks == before) {
        free(panels->x_tics[panel]);
        panels->x_tics[panel] = NULL;
        panels->n--;
    }
}

static enum status describe_lines(const struct sweep *sweep, const struct line_panels *panels,
                                  struct plot_figure *figure, struct error *error)
{
    const char *copy[MOST_PANELS];
    const char **labels = malloc(sweep->series.n * sizeof *labels);
    if (!labels)
        return error_set(error, STATUS_NO_MEMORY, "figure %s: out of memory", figure->name);
    for (size_t s = 0; s < sweep->series.n; s++)
        labels[s] = sweep->series.items[s].label;
    plot_figure_texts(figure, "series", labels, sweep->series.n);
    free(labels);
    plot_figure_texts(figure, "panels", panels->setting, panels->n);
    plot_figure_texts(figure, "x_tics", read_only(panels->x_tics, copy, panels->n), panels->n);
    plot_figure_numbers(figure, "first_block", panels->first, panels->n);
    plot_figure_numbers(figure, "last_block", panels->last, panels->n);
    plot_figure_numbers(figure, "x_low", panels->low, panels->n);
    plot_figure_numbers(figure, "x_high", panels->high, panels->n);
    plot_figure_numbers(figure, "block_series", panels->series, panels->n_blocks);
    plot_figure_text(figure, "axis", plot_field_texts[sweep->field].label);
    plot_figure_number(figure, "logarithmic", sweep->field != PLOT_ERROR);
    plot_figure_number(figure, "low", panels->y.low);
    plot_figure_number(figure, "high", panels->y.high);
    describe(sweep, figure, "");
    fputs("Marks: mean over splits, bars: quartiles. ", figure->caption.stream);
    plot_origin(figure->caption.stream, sweep->request->data, sweep->records, sweep->n);
    figure->caption_columns = panels->n == 1 ? 80 : 150;
    return STATUS_OK;
}

static enum status draw_line_panels(const struct sweep *sweep, struct plot_figure *figure, int *drawn,
                                    struct error *error)
{
    struct line_panels panels = {.y = {HUGE_VAL, -HUGE_VAL}};
    enum status status = STATUS_OK;
    fputs("# level n mean sd quartile_1 median quartile_3\n", figure->dat.stream);
    for (size_t s = 0; s < sweep->series.n && panels.n < MOST_PANELS; s++) {
        size_t before = 0;
        while (before < s && strcmp(sweep->series.items[before].axis[0], sweep->series.items[s].axis[0]) != 0)
            before++;
        if (before == s)
            add_line_panel(sweep, sweep->series.items[s].axis[0], figure->dat.stream, &panels);
    }
    *drawn = panels.n > 0 && !plot_range_empty(&panels.y);
    if (*drawn)
        status = describe_lines(sweep, &panels, figure, error);
    for (size_t i = 0; i < panels.n; i++)
        free(panels.x_tics[i]);
    return status;
}

/* Whether some series has enough levels to be drawn without being asked for. */
static int worth_drawing(const struct sweep *sweep)
{
    struct levels levels;
    for (size_t s = 0; s < sweep->series.n; s++) {
        levels_take(&sweep->series.items[s], sweep->series.items[s].axis[0], &levels);
        if (sweep->request->entry || levels.n >= AUTOMATIC_LEVELS)
            return 1;
    }
    return 0;
}

static enum status draw_metric(struct sweep *sweep, int grids, struct error *error)
{
    struct plot_figure figure;
    const cJSON *entry = sweep->request->entry;
    const char *metric = plot_field_texts[sweep->field].metric;
    int one_metric = cJSON_HasObjectItem(entry, "metric"), one_dataset = cJSON_HasObjectItem(entry, "dataset");
    int drawn = 0;
    enum status status = plot_figure_open(&figure, grids ? "heatmap" : "lines", sweep->request->name,
                                          one_metric ? one_dataset ? NULL : sweep->dataset : metric,
                                          one_metric || one_dataset ? NULL : sweep->dataset, error);
    if (status != STATUS_OK)
        return status;
    status = grids ? draw_grids(sweep, &figure, &drawn, error) : draw_line_panels(sweep, &figure, &drawn, error);
    if (status == STATUS_OK && drawn)
        return plot_finish(sweep->request->run, &figure, error);
    if (status == STATUS_OK)
        plot_note(sweep->request, "no %s of %s that the figure can show", metric, sweep->dataset);
    plot_figure_free(&figure);
    return status;
}

static enum status draw_metrics(struct sweep *sweep, int grids, struct error *error)
{
    static const enum plot_field fields[] = {PLOT_ERROR, PLOT_ITERATIONS, PLOT_KERNEL_OPERATIONS, PLOT_SUPPORT_VECTORS};
    const char *metric =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(sweep->request->entry, "metric"));
    enum status status = STATUS_OK;
    int known = 0;
    for (size_t i = 0; status == STATUS_OK && i < sizeof fields / sizeof *fields; i++) {
        int asked = metric ? strcmp(metric, plot_field_texts[fields[i]].metric) == 0
                           : fields[i] != PLOT_SUPPORT_VECTORS;
        known |= asked;
        sweep->field = fields[i];
        if (asked)
            status = draw_metric(sweep, grids, error);
    }
    if (!known)
        status = error_set(error, STATUS_BAD_INPUT,
                           "config.json: plot %s: \"metric\" is \"%s\", none of error, iterations, kernel-operations, "
                           "support-vectors",
                           sweep->request->name, metric);
    return status;
}

static enum status draw_dataset(const struct plot_request *request, const char *dataset, int grids,
                                struct error *error)
{
    struct sweep sweep = {.request = request, .dataset = dataset};
    enum status status = plot_select(request->data, request->entry, dataset, NULL, &sweep.records, &sweep.n, error);
    if (status != STATUS_OK || sweep.n == 0)
        return status;
    sweep.values = malloc(sweep.n * sizeof *sweep.values);
    if (!sweep.values)
        status = error_set(error, STATUS_NO_MEMORY, "figure of %s: out of memory", dataset);
    if (status == STATUS_OK)
        status = plot_series_build(request->data, sweep.records, sweep.n, grids ? 2 : 1, request->entry,
                                   &sweep.series, error);
    if (status == STATUS_OK && grids && sweep.series.n == 0 && request->entry) {
        grids = 0;
        status = plot_series_build(request->data, sweep.records, sweep.n, 1, request->entry, &sweep.series, error);
    }
    if (status == STATUS_OK && worth_drawing(&sweep))
        status = draw_metrics(&sweep, grids, error);
    else if (status == STATUS_OK)
        plot_note(request, "no setting takes several values for %s", dataset);
    plot_series_free(&sweep.series);
    free(sweep.values);
    free(sweep.records);
    return status;
}

static enum status draw_datasets(const struct plot_request *request, int grids, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t d = 0; status == STATUS_OK && d < request->data->n_datasets; d++)
        status = draw_dataset(request, request->data->datasets[d], grids, error);
    return status;
}

enum status plot_heatmap(const struct plot_request *request, struct error *error)
{
    return draw_datasets(request, 1, error);
}

enum status plot_lines(const struct plot_request *request, struct error *error)
{
    return draw_datasets(request, 0, error);
}
