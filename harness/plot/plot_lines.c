/*
 * Metrics against one swept setting at a time: mean and quartiles over splits at each of its levels. There is one row
 * of panels per metric, one column per setting (an SVM sweeps C where a reduced hull sweeps mu), and one line per
 * series.
 *
 * "lines" draws series with one swept setting. "sensitivity" draws cross-sections of series with two: along each of the
 * two with the other at its middle level, which for a sweep around a chosen value is that value.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/figure/lines_figure.h"
#include "harness/plot/sweep.h"
#include "harness/base/pool.h"

enum { MAX_SERIES_SHOWN = 12, MAX_LINES = 2 * MAX_SERIES_SHOWN, MIN_LEVELS = 3 };

struct line {
    size_t series, column;
    const struct records *records; /* all records of the series */
    const struct setting *held;    /* use only records at this level; NULL: all */
    int reference; /* nonzero: the records lack the setting and form one level across the axis */
};

struct chart {
    const struct plot_sweep *sweep;
    size_t n_lines;
    struct line lines[MAX_LINES];
    const char *settings[LINES_COLUMNS];
    enum record_field fields[LINES_ROWS];
    struct lines_series series[MAX_SERIES_SHOWN];
    struct lines_figure shown;
};

static void add_row(struct chart *chart, enum record_field field)
{
    const struct plot_sweep *sweep = chart->sweep;
    size_t known = 0;
    while (known < sweep->records.count && !isfinite(sweep->records.items[known]->field[field]))
        known++;
    if (known < sweep->records.count) {
        chart->fields[chart->shown.n_rows] = field;
        chart->shown.rows[chart->shown.n_rows++] =
            (struct lines_row){measure_label(field), measure_is_ratio(field), {HUGE_VAL, -HUGE_VAL}};
    }
}

/* Returns the setting's column, or LINES_COLUMNS if there are too many. */
static size_t column_of(struct chart *chart, const char *setting)
{
    const struct plot_data *data = chart->sweep->request->data;
    size_t at = 0;
    char axis[100];
    while (at < chart->shown.n_columns && strcmp(chart->settings[at], setting) != 0)
        at++;
    if (at == chart->shown.n_columns && at < LINES_COLUMNS) {
        chart->settings[at] = setting;
        chart->shown.columns[chart->shown.n_columns++] = (struct lines_column){
            .axis = pool_strdup(chart->sweep->request->pool, plot_setting_axis(data, setting, axis, sizeof axis)),
            .scale = plot_setting_scale(data, setting),
            .range = {HUGE_VAL, -HUGE_VAL}};
    }
    return at;
}

static void add_line(struct chart *chart, const struct plot_series *series, const char *setting,
                     const struct setting *held)
{
    size_t column = column_of(chart, setting);
    if (column < LINES_COLUMNS && chart->n_lines < MAX_LINES)
        chart->lines[chart->n_lines++] = (struct line){chart->shown.n_series, column, &series->records, held, 0};
}

/* Prints the row of a series that lacks the setting: its level is NaN. */
static void print_reference(struct chart *chart, const struct line *line, size_t row, FILE *dat)
{
    const enum record_field field = chart->fields[row];
    struct plot_range *y = &chart->shown.rows[row].range;
    const int positive = measure_is_ratio(field);
    const struct plot_level_cell cell = plot_level_cell(line->records, NULL, NULL, field, chart->sweep->values);
    const struct plot_spread *spread = &cell.spread;
    const double numbers[] = {spread->mean,   spread->sd,            spread->low_quartile,
                              spread->median, spread->high_quartile, (double)cell.unfinished};
    if (cell.n == 0 || (positive && spread->mean <= 0))
        return;
    fprintf(dat, "%s# %s, without %s: %s\nNaN %zu ", chart->shown.n_blocks ? "\n\n" : "", measure_label(field),
            chart->settings[line->column], chart->series[line->series].label, cell.n);
    plot_numbers(dat, numbers, sizeof numbers / sizeof *numbers, "\n");
    plot_range_widen(y, spread->mean, positive);
    plot_range_widen(y, spread->low_quartile, positive);
    plot_range_widen(y, spread->high_quartile, positive);
    lines_add_block(chart->sweep->request->pool, &chart->shown, line->series);
}

/* Prints the block of a line in a row, unless no level has a value. */
static void print_line(struct chart *chart, const struct line *line, size_t row, FILE *dat)
{
    struct lines_column *column = &chart->shown.columns[line->column];
    const char *setting = chart->settings[line->column];
    const enum record_field field = chart->fields[row];
    struct plot_range *y = &chart->shown.rows[row].range;
    struct plot_levels levels;
    size_t shown = 0;
    int positive = measure_is_ratio(field);
    plot_levels_take(line->records, setting, &levels);
    int numbers = plot_levels_are_numbers(&levels);
    for (size_t i = 0; i < levels.n; i++) {
        struct plot_level_cell cell =
            plot_level_cell(line->records, levels.items[i], line->held, field, chart->sweep->values);
        const struct plot_spread *spread = &cell.spread;
        const double of_level[] = {spread->mean, spread->sd, spread->low_quartile, spread->median,
                                   spread->high_quartile, (double)cell.unfinished};
        double x = numbers ? levels.items[i]->number : (double)(i + 1);
        if (cell.n == 0 || (positive && spread->mean <= 0))
            continue;
        if (shown++ == 0)
            fprintf(dat, "%s# %s, %s: %s\n", chart->shown.n_blocks ? "\n\n" : "", measure_label(field),
                    setting, chart->series[line->series].label);
        plot_number(dat, x);
        fprintf(dat, " %zu ", cell.n);
        plot_numbers(dat, of_level, sizeof of_level / sizeof *of_level, "\n");
        plot_range_widen(y, spread->mean, positive);
        plot_range_widen(y, spread->low_quartile, positive);
        plot_range_widen(y, spread->high_quartile, positive);
        plot_range_widen(&column->range, x, 0);
        plot_tics_add(&column->values, x);
    }
    if (shown == 0)
        return;
    lines_add_block(chart->sweep->request->pool, &chart->shown, line->series);
    if (!numbers && !column->tics)
        column->tics = plot_level_tics(chart->sweep->request->pool, &levels);
}

static void print_panels(struct chart *chart, FILE *dat)
{
    fputs("# level n mean sd quartile_1 median quartile_3 at_limit\n", dat);
    for (size_t r = 0; r < chart->shown.n_rows; r++)
        for (size_t c = 0; c < chart->shown.n_columns; c++) {
            size_t panel = r * chart->shown.n_columns + c;
            chart->shown.first[panel] = (double)(chart->shown.n_blocks + 1);
            for (size_t i = 0; i < chart->n_lines; i++)
                if (chart->lines[i].column == c)
                    (chart->lines[i].reference ? print_reference : print_line)(chart, &chart->lines[i], r,
                                                                               dat);
            chart->shown.last[panel] = (double)chart->shown.n_blocks;
        }
}

/* Lists the levels that lines are held at, each once: "μ = 0.1, kernel width = 120". */
static void list_held(const struct chart *chart, FILE *caption)
{
    size_t found = 0;
    char text[40];
    for (size_t i = 0; i < chart->n_lines; i++) {
        const struct setting *held = chart->lines[i].held;
        int known = held == NULL;
        for (size_t j = 0; j < i && !known; j++) {
            const struct setting *other = chart->lines[j].held;
            known = other && other->name == held->name && other->text == held->text;
        }
        if (!known)
            fprintf(caption, "%s%s = %s", found++ ? ", " : "Parameters that are not varied have the middle of their "
                                                           "values: ",
                    plot_setting_label(held->name), plot_level_text(held, text, sizeof text));
    }
    if (found)
        fputs(". ", caption);
}

static void describe(const struct chart *chart, const char *title, struct plot_figure *figure)
{
    const struct plot_sweep *sweep = chart->sweep;
    FILE *caption = figure->caption;
    int operations = 0;
    for (size_t r = 0; r < chart->shown.n_rows; r++)
        operations |= chart->fields[r] == FIELD_KERNEL_OPERATIONS;
    fprintf(figure->heading, "%s: ", title);
    plot_describe(figure->heading, sweep->request->data, &sweep->records);
    fputs("Marks: mean over splits; bars: quartiles. ", caption);
    plot_ringed(&sweep->records, caption);
    for (size_t s = 0; s < chart->shown.n_series; s++)
        if (chart->series[s].is_reference) {
            fputs("Horizontal lines: mean of a solver that does not read the parameter; band: its quartiles. ",
                  caption);
            break;
        }
    list_held(chart, caption);
    plot_sweep_describe(sweep, caption, operations);
    plot_origin(caption, sweep->request->data, &sweep->records);
    const size_t columns = chart->shown.n_columns;
    figure->caption_columns = columns == 1 ? 80 : columns == 2 ? 145 : 200; /* plots/lines.gp */
}

static int has_range(const struct chart *chart)
{
    for (size_t r = 0; r < chart->shown.n_rows; r++)
        if (plot_range_empty(&chart->shown.rows[r].range))
            return 0;
    return chart->shown.n_rows > 0;
}

/* Finishes the chart; returns 0 if it shows nothing. */
static int draw(struct chart *chart, const char *title, struct plot_figure *figure)
{
    print_panels(chart, figure->dat);
    int drawn = chart->shown.n_blocks > 0 && has_range(chart);
    if (drawn) {
        lines_assign(&chart->shown, figure);
        describe(chart, title, figure);
    }
    return drawn;
}

/* Starts a chart; if there are too many series, it omits the last ones, with a note. */
static struct chart *chart_new(const struct plot_sweep *sweep)
{
    struct chart *chart = pool_alloc(sweep->request->pool, sizeof *chart);
    chart->sweep = sweep;
    chart->shown.series = chart->series;
    if (sweep->series.n > MAX_SERIES_SHOWN)
        plot_note(sweep->request, "%zu of %zu lines of %s", sweep->series.n - MAX_SERIES_SHOWN, sweep->series.n,
                  sweep->dataset);
    return chart;
}

static int has_setting(const struct records *records, const char *setting)
{
    size_t i = 0;
    while (i < records->count && !record_setting(records->items[i], setting))
        i++;
    return i < records->count;
}

/* Draws a baseline in the columns of settings that it lacks. A single value of a setting makes no line across others.
 * Returns nonzero if there is such a column. */
static int add_reference(struct chart *chart, const struct plot_series *series)
{
    int added = 0;
    for (size_t c = 0; c < chart->shown.n_columns; c++)
        if (!has_setting(&series->records, chart->settings[c]) && chart->n_lines < MAX_LINES) {
            chart->lines[chart->n_lines++] = (struct line){chart->shown.n_series, c, &series->records, NULL, 1};
            chart->series[chart->shown.n_series].is_reference = added = 1;
        }
    return added;
}

int plot_sweep_lines(const struct plot_sweep *sweep, struct plot_figure *figure)
{
    struct chart *chart = chart_new(sweep);
    add_row(chart, sweep->field);
    for (size_t s = 0; s < sweep->series.n && s < MAX_SERIES_SHOWN; s++)
        if (sweep->series.items[s].axis[0]) /* all columns must be known before a baseline looks for those it lacks */
            column_of(chart, sweep->series.items[s].axis[0]);
    for (size_t s = 0; s < sweep->series.n && s < MAX_SERIES_SHOWN; s++) {
        const struct plot_series *series = &sweep->series.items[s];
        if (series->axis[0])
            add_line(chart, series, series->axis[0], NULL);
        else if (!add_reference(chart, series))
            continue;
        chart->series[chart->shown.n_series++].label = series->label;
    }
    return draw(chart, measure_title(sweep->field), figure);
}

/* Adds the two cross-sections of a series; a setting with few levels is not an axis. */
static void add_sections(struct chart *chart, const struct plot_series *series)
{
    struct plot_levels levels[2];
    for (int k = 0; k < 2; k++)
        plot_levels_take(&series->records, series->axis[k], &levels[k]);
    for (int k = 0; k < 2; k++)
        if (levels[k].n >= MIN_LEVELS)
            add_line(chart, series, series->axis[k], levels[!k].items[(levels[!k].n - 1) / 2]);
    chart->series[chart->shown.n_series++].label = series->label;
}

int plot_sweep_sensitivity(const struct plot_sweep *sweep, struct plot_figure *figure)
{
    struct chart *chart = chart_new(sweep);
    add_row(chart, FIELD_ERROR);
    add_row(chart, FIELD_ITERATIONS);
    add_row(chart, FIELD_KERNEL_OPERATIONS);
    for (size_t s = 0; s < sweep->series.n && s < MAX_SERIES_SHOWN;
         s++) /* all first axes come before the second ones */
        column_of(chart, sweep->series.items[s].axis[0]);
    for (size_t s = 0; s < sweep->series.n && s < MAX_SERIES_SHOWN; s++)
        add_sections(chart, &sweep->series.items[s]);
    return draw(chart, "Sensitivity", figure);
}
