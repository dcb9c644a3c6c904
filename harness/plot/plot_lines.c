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

#include "harness/plot/sweep.h"
#include "harness/base/pool.h"

enum { MAX_SERIES_SHOWN = 12, MAX_LINES = 2 * MAX_SERIES_SHOWN, MAX_COLUMNS = 8, MAX_ROWS = 3, MIN_LEVELS = 3 };

struct line {
    size_t series, column;
    const struct records *records; /* all records of the series */
    const struct setting *held;    /* use only records at this level; NULL: all */
    int reference; /* nonzero: the records lack the setting and form one level across the axis */
};

struct column {
    const char *setting;
    const char *tics; /* NULL if the axis shows numbers */
    struct plot_range x;
    struct plot_tics values;
};

struct row {
    enum record_field field;
    struct plot_range y;
};

struct chart {
    const struct plot_sweep *sweep;
    size_t n_lines, n_columns, n_rows, n_series, n_blocks;
    struct line lines[MAX_LINES];
    struct column columns[MAX_COLUMNS];
    struct row rows[MAX_ROWS];
    const char *labels[MAX_SERIES_SHOWN];
    double reference[MAX_SERIES_SHOWN]; /* 1 for series without the setting */
    double first[MAX_ROWS * MAX_COLUMNS], last[MAX_ROWS * MAX_COLUMNS];
    double series_of[MAX_ROWS * MAX_LINES]; /* of each block, from 1 */
};

static void add_row(struct chart *chart, enum record_field field)
{
    const struct plot_sweep *sweep = chart->sweep;
    size_t known = 0;
    while (known < sweep->records.count && !isfinite(sweep->records.items[known]->field[field]))
        known++;
    if (known < sweep->records.count)
        chart->rows[chart->n_rows++] = (struct row){field, {HUGE_VAL, -HUGE_VAL}};
}

/* Returns the setting's column, or MAX_COLUMNS if there are too many. */
static size_t column_of(struct chart *chart, const char *setting)
{
    size_t at = 0;
    while (at < chart->n_columns && strcmp(chart->columns[at].setting, setting) != 0)
        at++;
    if (at == chart->n_columns && at < MAX_COLUMNS)
        chart->columns[chart->n_columns++] = (struct column){setting, NULL, {HUGE_VAL, -HUGE_VAL}, {{0}, 0, 0}};
    return at;
}

static void add_line(struct chart *chart, const struct plot_series *series, const char *setting,
                     const struct setting *held)
{
    size_t column = column_of(chart, setting);
    if (column < MAX_COLUMNS && chart->n_lines < MAX_LINES)
        chart->lines[chart->n_lines++] = (struct line){chart->n_series, column, &series->records, held, 0};
}

/* Prints the row of a series that lacks the setting: its level is NaN. */
static void print_reference(struct chart *chart, const struct line *line, struct row *row, FILE *dat)
{
    const int positive = measure_is_ratio(row->field);
    const struct plot_level_cell cell = plot_level_cell(line->records, NULL, NULL, row->field, chart->sweep->values);
    const struct plot_spread *spread = &cell.spread;
    const double numbers[] = {spread->mean,   spread->sd,            spread->low_quartile,
                              spread->median, spread->high_quartile, (double)cell.unfinished};
    if (cell.n == 0 || (positive && spread->mean <= 0))
        return;
    fprintf(dat, "%s# %s, without %s: %s\nNaN %zu ", chart->n_blocks ? "\n\n" : "", measure_label(row->field),
            chart->columns[line->column].setting, chart->labels[line->series], cell.n);
    plot_numbers(dat, numbers, sizeof numbers / sizeof *numbers, "\n");
    plot_range_widen(&row->y, spread->mean, positive);
    plot_range_widen(&row->y, spread->low_quartile, positive);
    plot_range_widen(&row->y, spread->high_quartile, positive);
    chart->series_of[chart->n_blocks++] = (double)(line->series + 1);
}

/* Prints the block of a line in a row, unless no level has a value. */
static void print_line(struct chart *chart, const struct line *line, struct row *row, FILE *dat)
{
    struct column *column = &chart->columns[line->column];
    struct plot_levels levels;
    size_t shown = 0;
    int positive = measure_is_ratio(row->field);
    plot_levels_take(line->records, column->setting, &levels);
    int numbers = plot_levels_are_numbers(&levels);
    for (size_t i = 0; i < levels.n; i++) {
        struct plot_level_cell cell =
            plot_level_cell(line->records, levels.items[i], line->held, row->field, chart->sweep->values);
        const struct plot_spread *spread = &cell.spread;
        const double of_level[] = {spread->mean, spread->sd, spread->low_quartile, spread->median,
                                   spread->high_quartile, (double)cell.unfinished};
        double x = numbers ? levels.items[i]->number : (double)(i + 1);
        if (cell.n == 0 || (positive && spread->mean <= 0))
            continue;
        if (shown++ == 0)
            fprintf(dat, "%s# %s, %s: %s\n", chart->n_blocks ? "\n\n" : "", measure_label(row->field),
                    column->setting, chart->labels[line->series]);
        plot_number(dat, x);
        fprintf(dat, " %zu ", cell.n);
        plot_numbers(dat, of_level, sizeof of_level / sizeof *of_level, "\n");
        plot_range_widen(&row->y, spread->mean, positive);
        plot_range_widen(&row->y, spread->low_quartile, positive);
        plot_range_widen(&row->y, spread->high_quartile, positive);
        plot_range_widen(&column->x, x, 0);
        plot_tics_add(&column->values, x);
    }
    if (shown == 0)
        return;
    chart->series_of[chart->n_blocks++] = (double)(line->series + 1);
    if (!numbers && !column->tics)
        column->tics = plot_level_tics(chart->sweep->request->pool, &levels);
}

static void print_panels(struct chart *chart, FILE *dat)
{
    fputs("# level n mean sd quartile_1 median quartile_3 at_limit\n", dat);
    for (size_t r = 0; r < chart->n_rows; r++)
        for (size_t c = 0; c < chart->n_columns; c++) {
            size_t panel = r * chart->n_columns + c;
            chart->first[panel] = (double)(chart->n_blocks + 1);
            for (size_t i = 0; i < chart->n_lines; i++)
                if (chart->lines[i].column == c)
                    (chart->lines[i].reference ? print_reference : print_line)(chart, &chart->lines[i], &chart->rows[r],
                                                                               dat);
            chart->last[panel] = (double)chart->n_blocks;
        }
}

static void assign(const struct chart *chart, struct plot_figure *figure)
{
    char names[MAX_COLUMNS][100];
    const char *x_axes[MAX_COLUMNS], *tics[MAX_COLUMNS], *y_axes[MAX_ROWS];
    char *value_tics[MAX_COLUMNS];
    struct plot_range x[MAX_COLUMNS], y[MAX_ROWS];
    double logarithmic[MAX_ROWS], scales[MAX_COLUMNS];
    for (size_t c = 0; c < chart->n_columns; c++) {
        x_axes[c] =
            plot_setting_axis(chart->sweep->request->data, chart->columns[c].setting, names[c], sizeof names[c]);
        tics[c] = chart->columns[c].tics ? chart->columns[c].tics : "";
        x[c] = chart->columns[c].x;
        scales[c] = plot_setting_scale(chart->sweep->request->data, chart->columns[c].setting);
        value_tics[c] = plot_tics_text(&chart->columns[c].values, scales[c]);
    }
    for (size_t r = 0; r < chart->n_rows; r++) {
        y_axes[r] = measure_label(chart->rows[r].field);
        logarithmic[r] = measure_is_ratio(chart->rows[r].field);
        y[r] = chart->rows[r].y;
    }
    plot_figure_series(figure, chart->labels, chart->n_series);
    plot_figure_numbers(figure, "reference", chart->reference, chart->n_series);
    plot_figure_numbers(figure, "x_scale", scales, chart->n_columns);
    plot_figure_texts(figure, "x_axes", x_axes, chart->n_columns);
    plot_figure_texts(figure, "x_tics", tics, chart->n_columns);
    plot_figure_texts(figure, "x_value_tics", (const char *const *)value_tics, chart->n_columns);
    for (size_t c = 0; c < chart->n_columns; c++)
        free(value_tics[c]);
    plot_figure_ranges(figure, "x_", x, chart->n_columns);
    plot_figure_texts(figure, "y_axes", y_axes, chart->n_rows);
    plot_figure_numbers(figure, "logarithmic", logarithmic, chart->n_rows);
    plot_figure_ranges(figure, "", y, chart->n_rows);
    plot_figure_panels(figure, NULL, chart->n_rows * chart->n_columns);
    plot_figure_numbers(figure, "first_block", chart->first, chart->n_rows * chart->n_columns);
    plot_figure_numbers(figure, "last_block", chart->last, chart->n_rows * chart->n_columns);
    plot_figure_numbers(figure, "block_series", chart->series_of, chart->n_blocks);
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
    for (size_t r = 0; r < chart->n_rows; r++)
        operations |= chart->rows[r].field == FIELD_KERNEL_OPERATIONS;
    fprintf(figure->heading, "%s: ", title);
    plot_describe(figure->heading, sweep->request->data, &sweep->records);
    fputs("Marks: mean over splits; bars: quartiles. ", caption);
    plot_ringed(&sweep->records, caption);
    for (size_t s = 0; s < chart->n_series; s++)
        if (chart->reference[s] > 0) {
            fputs("Horizontal lines: mean of a solver that does not read the parameter; band: its quartiles. ",
                  caption);
            break;
        }
    list_held(chart, caption);
    plot_sweep_describe(sweep, caption, operations);
    plot_origin(caption, sweep->request->data, &sweep->records);
    figure->caption_columns = chart->n_columns == 1 ? 80 : chart->n_columns == 2 ? 145 : 200; /* plots/lines.gp */
}

static int has_range(const struct chart *chart)
{
    for (size_t r = 0; r < chart->n_rows; r++)
        if (plot_range_empty(&chart->rows[r].y))
            return 0;
    return chart->n_rows > 0;
}

/* Finishes the chart; returns 0 if it shows nothing. */
static int draw(struct chart *chart, const char *title, struct plot_figure *figure)
{
    print_panels(chart, figure->dat);
    int drawn = chart->n_blocks > 0 && has_range(chart);
    if (drawn) {
        assign(chart, figure);
        describe(chart, title, figure);
    }
    return drawn;
}

/* Starts a chart; if there are too many series, it omits the last ones, with a note. */
static struct chart *chart_new(const struct plot_sweep *sweep)
{
    struct chart *chart = pool_alloc(sweep->request->pool, sizeof *chart);
    chart->sweep = sweep;
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
    for (size_t c = 0; c < chart->n_columns; c++)
        if (!has_setting(&series->records, chart->columns[c].setting) && chart->n_lines < MAX_LINES) {
            chart->lines[chart->n_lines++] = (struct line){chart->n_series, c, &series->records, NULL, 1};
            chart->reference[chart->n_series] = added = 1;
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
        chart->labels[chart->n_series++] = series->label;
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
    chart->labels[chart->n_series++] = series->label;
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
