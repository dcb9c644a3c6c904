/*
 * Sweeps: the records of one data set with varied settings, a figure for each data set and metric. "heatmap" draws two
 * swept settings. "lines" draws one at a time: mean and quartiles over splits at each level, with a column
 * of panels for each setting (an SVM sweeps C where a reduced hull sweeps mu), and a line for each series.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "harness/compare/case_statistics.h"
#include "harness/plot/kinds.h"
#include "harness/records/coverage.h"
#include "harness/stats/several_solvers.h"
#include "harness/support/decimal.h"

enum { MAX_LINES = 12, MAX_SETTINGS = 8, AUTOMATIC_LEVELS = 3, MAX_PANELS = 12, MAX_METRICS = 4 };

/* One figure: the records of a data set and the field to show, in a heat map one or several. */
struct plot_sweep {
    const struct plot_request *request;
    enum record_field field, fields[MAX_METRICS];
    size_t n_fields;
    struct records records;
    struct plot_series_list series;
    double *values; /* space for one value per record */
};

/* Prints what a kernel width is and which kernel operations are counted. */
static void describe_settings(const struct plot_sweep *sweep, FILE *caption)
{
    int has_width = 0;
    for (size_t s = 0; s < sweep->series.n; s++)
        for (int k = 0; k < 2; k++) {
            const char *axis = sweep->series.items[s].axis[k];
            has_width |= axis && strcmp(axis, "width") == 0;
        }
    if (has_width) /* with no-break spaces */
        fputs("k(x, z) = exp(−‖x − z‖² / kernel width). ", caption);
    for (size_t m = 0; m < sweep->n_fields; m++)
        if (sweep->fields[m] == FIELD_KERNEL_OPERATIONS)
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
    const struct summary *spread = &cell.spread;
    const double numbers[] = {spread->mean,   spread->sd,            spread->low_quartile,
                              spread->median, spread->high_quartile, (double)cell.unfinished};
    if (cell.n == 0 || (measure_is_ratio(sweep->field) && spread->mean <= 0))
        return 0;
    plot_number(dat, x);
    fprintf(dat, " %zu ", cell.n);
    plot_numbers(dat, numbers, sizeof numbers / sizeof *numbers, named ? " " : "\n");
    if (named) {
        plot_data_text(dat, level ? plot_level_text(sweep->request->pool, level) : "");
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

/* Chooses the series with a swept setting, and those that lack one of these settings: lines across its panel. Adds the
 * settings; returns the number of lines. */
static size_t choose_lines(const struct plot_sweep *sweep, struct name_order *settings,
                           const struct plot_series *lines[MAX_LINES])
{
    const size_t n_series = sweep->series.n < MAX_LINES ? sweep->series.n : MAX_LINES;
    size_t n = 0;
    for (size_t s = 0; s < n_series; s++)
        if (sweep->series.items[s].axis[0] && settings->count < MAX_SETTINGS)
            name_order_add(settings, sweep->series.items[s].axis[0]);
    for (size_t s = 0; s < n_series; s++) {
        const struct plot_series *series = &sweep->series.items[s];
        int is_shown = series->axis[0] != NULL;
        for (size_t c = 0; c < settings->count; c++)
            is_shown |= !has_setting(&series->records, settings->names[c]);
        if (is_shown)
            lines[n++] = series;
    }
    if (sweep->series.n > MAX_LINES)
        plot_note(sweep->request, "%zu of %zu lines of %s", sweep->series.n - MAX_LINES, sweep->series.n,
                  sweep->request->dataset);
    return n;
}

static int draw_lines(const struct plot_sweep *sweep, struct plot_figure *figure)
{
    const struct run_view *data = sweep->request->data;
    const struct plot_series *lines[MAX_LINES];
    struct name_order settings = {.pool = sweep->request->pool};
    const char *axes[MAX_SETTINGS], *labels[MAX_LINES], *metric = measure_label(sweep->field);
    double scales[MAX_SETTINGS], named[MAX_SETTINGS], reference[MAX_LINES];
    const double logarithmic = measure_is_ratio(sweep->field);
    const size_t n_lines = choose_lines(sweep, &settings, lines), n_settings = settings.count;
    size_t rows = 0;
    int has_reference = 0;
    fputs("# level n mean sd quartile_1 median quartile_3 at_limit\n", figure->dat);
    for (size_t c = 0; c < n_settings; c++) {
        struct plot_levels levels;
        plot_levels_take(&sweep->records, settings.names[c], &levels);
        axes[c] = plot_setting_axis(data, settings.names[c]);
        scales[c] = plot_setting_scale(data, settings.names[c]);
        named[c] = !plot_levels_are_numbers(&levels);
        for (size_t s = 0; s < n_lines; s++) {
            fputs(c + s ? "\n\n" : "", figure->dat);
            rows += print_block(sweep, lines[s], settings.names[c], &levels, figure->dat);
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
    plot_ringed(&sweep->records, "Rings", figure->caption);
    if (has_reference)
        fputs("Horizontal lines: mean of a solver that does not read the parameter; band: its quartiles. ",
              figure->caption);
    describe_settings(sweep, figure->caption);
    plot_origin(figure->caption, data, &sweep->records);
    return rows > 0;
}

/* ---- grids ----
 *
 * A metric over two swept settings: a grid of cells, one panel per series, and per metric if a figure has several.
 * Levels are in ascending order at equal distances, whatever their ratio, because a sweep spaces them evenly on its own
 * scale. Colours of counts are log10 of their mean.
 *
 * Framed is the lowest of the cells with a value on all splits of the panel: with fewer splits a mean may be low
 * because they are the easy ones. Is it the lowest over all splits of the data set? Given its patterns, splits are
 * independent draws, so paired t tests over splits answer this, without the correction for the patterns that splits
 * share: that one is for new patterns. Let x_c be the mean of cell c and m_c its expectation, b the cell of the lowest
 * m_b, k the number of cells that differ on some split, and t s_cd the half-width of the interval of x_c - x_d whose
 * ends are each of level 1 - 0.05/(k - 1). With a probability of 95 %, x_b - x_c <= m_b - m_c + t s_bc for all cells c
 * at once (Bonferroni). Then
 *   - b is framed or among the cells that may be the lowest, those for which the test does not reject (best_set);
 *   - the framed cell f is above b by at most max_c (x_f - x_c + t s_fc), the bound (Hsu 1984, Annals of Statistics 12,
 *     1136: multiple comparisons with the best).
 * Both hold although the same splits choose f. Each end of x_r - x_f -+ t s_rf, for a reference r that they do not
 * choose, likewise holds with 95 %. With fewer than MIN_PAIRS_FOR_A_CLAIM splits nothing of this is shown: the t
 * quantile of two splits is 12.7, and a few equal differences of error rates have no spread. */

/* The template's variables, by panel; axis 0 is x, 1 is y. */
struct grids {
    size_t n;
    const char *title[MAX_PANELS], *label[2][MAX_PANELS];
    double count[2][MAX_PANELS], metric[MAX_PANELS]; /* metric: from 1 */
    size_t least_splits; /* of a panel */
    size_t n_incomplete; /* cells that lack splits of their panel */
    int tested, has_references;
};

struct grid_cell {
    struct records records; /* in the order of training sets */
    struct plot_level_cell all;
    double shown;                 /* the mean, of counts its log10; NAN without any */
    int complete, framed, reference;
    struct interval above_framed; /* level 0: not tested */
    unsigned char may_be_lowest;
};

/* A panel. */
struct grid {
    const struct plot_sweep *sweep;
    const struct plot_series *series;
    struct plot_levels levels[2];
    struct grid_cell *cells; /* row by row from the lowest level of y */
    size_t n_cells, n_splits, lowest; /* lowest: index of a framed cell; n_cells: none */
    double bound;                     /* of the framed cell; NAN: not tested */
};

/* The index of the record's level; levels->n if it has none of them. */
static size_t level_of(const struct record *record, const char *setting, const struct plot_levels *levels)
{
    const struct setting *found = record_setting(record, setting);
    size_t at = 0;
    while (at < levels->n && !(found && found->text == levels->items[at]->text))
        at++;
    return at;
}

/* Whether the entry's "references" select the cell. */
static int is_reference(const struct plot_sweep *sweep, const struct records *records)
{
    const cJSON *item, *list = json_member(sweep->request->entry, "references");
    cJSON_ArrayForEach (item, list)
        if (records->count > 0 && selection_matches(item, records->items[0]))
            return 1;
    return 0;
}

static void summarise_cell(const struct grid *grid, struct grid_cell *cell)
{
    records_sort_by_training_set(&cell->records);
    cell->all = plot_level_cell(&cell->records, NULL, grid->sweep->field, grid->sweep->values);
    const double mean = cell->all.spread.mean;
    cell->shown = !measure_is_ratio(grid->sweep->field) ? mean
                  : mean > 0                            ? round_to_12_digits(log10(mean))
                                                        : (double)NAN;
    cell->complete = cell->all.n == grid->n_splits && isfinite(cell->shown);
    cell->reference = is_reference(grid->sweep, &cell->records);
    cell->above_framed = no_interval;
}

static struct grid grid_make(const struct plot_sweep *sweep, const struct plot_series *series)
{
    struct pool *pool = sweep->request->pool;
    struct grid grid = {.sweep = sweep, .series = series, .bound = (double)NAN};
    grid.n_splits = coverage_of_records(pool, &series->records, 1, 0).n_tasks; /* of one data set */
    for (int k = 0; k < 2; k++)
        plot_levels_take(&series->records, series->axis[k], &grid.levels[k]);
    grid.lowest = grid.n_cells = grid.levels[0].n * grid.levels[1].n;
    grid.cells = pool_array(pool, grid.n_cells, sizeof *grid.cells);
    for (size_t i = 0; i < grid.n_cells; i++)
        grid.cells[i].records.pool = pool;
    for (size_t i = 0; i < series->records.count; i++) {
        const struct record *record = series->records.items[i];
        const size_t x = level_of(record, series->axis[0], &grid.levels[0]),
                     y = level_of(record, series->axis[1], &grid.levels[1]);
        if (x < grid.levels[0].n && y < grid.levels[1].n)
            records_add(&grid.cells[y * grid.levels[0].n + x].records, record);
    }
    for (size_t i = 0; i < grid.n_cells; i++) {
        summarise_cell(&grid, &grid.cells[i]);
        if (grid.cells[i].complete && !(grid.lowest < grid.n_cells &&
                                        grid.cells[grid.lowest].shown <= grid.cells[i].shown))
            grid.lowest = i;
    }
    for (size_t i = 0; i < grid.n_cells && grid.lowest < grid.n_cells; i++)
        grid.cells[i].framed = grid.cells[i].complete && grid.cells[i].shown <= grid.cells[grid.lowest].shown;
    return grid;
}

/* Compares the complete cells with the framed one. */
static void grid_test(struct grid *grid)
{
    const struct plot_sweep *sweep = grid->sweep;
    struct pool *pool = sweep->request->pool;
    const size_t n = grid->n_splits;
    double *values = pool_array(pool, grid->n_cells * n, sizeof *values);
    size_t *of = pool_array(pool, grid->n_cells, sizeof *of), count = 0, framed = 0;
    unsigned char *member = pool_array(pool, grid->n_cells, 1);
    if (grid->lowest == grid->n_cells || n < MIN_PAIRS_FOR_A_CLAIM)
        return;
    for (size_t c = 0; c < grid->n_cells; c++) {
        for (size_t i = 0; i < n && grid->cells[c].complete; i++)
            values[count * n + i] = grid->cells[c].records.items[i]->field[sweep->field];
        framed = c == grid->lowest ? count : framed;
        of[count] = c;
        count += (size_t)grid->cells[c].complete;
    }
    const struct contest contest = {values, count, n, CONTRAST_SIGNIFICANT, 0, MIN_PAIRS_FOR_A_CLAIM, NULL};
    const size_t rivals = best_set(&contest, member).distinct - 1;
    const double level = 1 - 2 * CONTRAST_SIGNIFICANT / (double)(rivals > 0 ? rivals : 1);
    grid->bound = 0;
    for (size_t k = 0; k < count; k++) {
        const struct interval found = resampled_t_test(values + k * n, values + framed * n, n, 0, TAIL_TWO_SIDED,
                                                       level).difference;
        grid->cells[of[k]].may_be_lowest = member[k];
        grid->cells[of[k]].above_framed = (struct interval){round_to_12_digits(found.estimate),
                                                            round_to_12_digits(found.low),
                                                            round_to_12_digits(found.high), found.level};
        grid->bound = found.low < -grid->bound ? -grid->cells[of[k]].above_framed.low : grid->bound;
    }
}

/* A mean count: "8.5", "120", "12k". */
static const char *count_text(struct pool *pool, double number)
{
    static const char *const units[] = {"", "k", "M", "G", "T"};
    size_t unit = 0;
    for (; number >= 999.5 && unit + 1 < sizeof units / sizeof *units; unit++)
        number /= 1000;
    return pool_printf(pool, "%.*f%s", number < 9.95, number, units[unit]);
}

/* What is known of the framed cell, and of a reference: "≤+0.8" and "-0.1…+1.4"; of counts "≤+3%" and "×0.95…1.30". */
static const char *cell_text(const struct grid *grid, const struct grid_cell *cell)
{
    struct pool *pool = grid->sweep->request->pool;
    const int is_ratio = measure_is_ratio(grid->sweep->field);
    const double unit = is_ratio ? grid->cells[grid->lowest].all.spread.mean : 1, low = cell->above_framed.low / unit,
                 high = cell->above_framed.high / unit;
    if (!(cell->above_framed.level > 0) || !(cell->framed || cell->reference))
        return "";
    if (cell->framed)
        return is_ratio ? pool_printf(pool, "≤+%.0f%%", 100 * grid->bound / unit)
                        : pool_printf(pool, "≤+%.1f", grid->bound);
    return is_ratio ? pool_printf(pool, "×%.*f…%.*f", 2 * (high < 9), 1 + low, 2 * (high < 9), 1 + high)
                    : pool_printf(pool, "%+.1f…%+.1f", low, high);
}

static void print_cell(const struct grid *grid, size_t at, FILE *dat)
{
    const struct grid_cell *cell = &grid->cells[at];
    const size_t place[] = {at % grid->levels[0].n, at / grid->levels[0].n};
    struct pool *pool = grid->sweep->request->pool;
    const char *label = measure_is_ratio(grid->sweep->field) ? count_text(pool, cell->all.spread.mean)
                                                             : pool_printf(pool, "%.1f", cell->shown);
    fprintf(dat, "%zu %zu ", place[0] + 1, place[1] + 1);
    for (int k = 0; k < 2; k++) {
        plot_data_text(dat, plot_level_text(pool, grid->levels[k].items[place[k]]));
        fputc(' ', dat);
    }
    fprintf(dat, "%zu ", cell->all.n);
    plot_numbers(dat, (const double[]){cell->all.spread.mean, cell->shown}, 2, "");
    fprintf(dat, " \"%s%s\" %d %d ", label, cell->all.unfinished ? "*" : "", cell->framed, cell->reference);
    plot_numbers(dat, (const double[]){cell->above_framed.estimate, cell->above_framed.low, cell->above_framed.high}, 3,
                 " ");
    fprintf(dat, "\"%s\" %d\n", cell_text(grid, cell),
            !(cell->above_framed.level > 0) ? 0 : cell->may_be_lowest ? 1 : 2);
}

/* Prints one panel: its block of the .dat, and its variables. Cells without a record stay white. */
static void print_grid(const struct plot_sweep *sweep, const struct plot_series *series, size_t metric, FILE *dat,
                       struct grids *grids)
{
    struct grid grid = grid_make(sweep, series);
    size_t n_values = 0;
    for (size_t i = 0; i < grid.n_cells; i++)
        n_values += isfinite(grid.cells[i].shown) != 0;
    if (n_values == 0)
        return;
    grid_test(&grid);
    fprintf(dat, "%s# %s\n", grids->n ? "\n\n" : "", series->label);
    grids->title[grids->n] = series->label;
    grids->metric[grids->n] = (double)metric + 1;
    for (int k = 0; k < 2; k++) {
        grids->label[k][grids->n] = plot_setting_label(series->axis[k]);
        grids->count[k][grids->n] = (double)grid.levels[k].n;
    }
    grids->n++;
    grids->least_splits = grid.n_splits < grids->least_splits ? grid.n_splits : grids->least_splits;
    grids->tested |= !isnan(grid.bound);
    for (size_t i = 0; i < grid.n_cells; i++) {
        grids->n_incomplete += grid.cells[i].all.n > 0 && !grid.cells[i].complete;
        grids->has_references |= grid.cells[i].reference;
        if (isfinite(grid.cells[i].shown))
            print_cell(&grid, i, dat);
    }
}

/* On paper, a cell has room only for its mean. */
static void describe_grids(const struct plot_sweep *sweep, const struct grids *grids, FILE *caption)
{
    const int is_paper = sweep->request->style->paper;
    fputs("Mean over splits (k: thousand, M: million). Framed: the lowest of a panel. ", caption);
    if (grids->has_references)
        fputs("Diamond: reference. ", caption);
    if (!grids->tested)
        fprintf(caption, "%zu split%s: no interval. ", grids->least_splits, grids->least_splits == 1 ? "" : "s");
    else
        fputs("Dashed: not told from it; with 95 % the lowest over all splits of the data set is framed or dashed. ",
              caption);
    if (grids->tested && !is_paper)
        fputs("In the framed cell: at most so far is it above the lowest, in points or percent. ", caption);
    if (grids->tested && !is_paper && grids->has_references)
        fputs("In a reference: how far it is above the framed cell, in points or as a factor. ", caption);
    fprintf(caption, "White: not run. %s",
            is_paper ? "Numbers that do not fit into their cells are left out. " : "");
    if (grids->n_incomplete)
        fprintf(caption,
                "Not framed, because splits of the panel are missing (failed runs, or not made): %zu cell%s. ",
                grids->n_incomplete, grids->n_incomplete == 1 ? "" : "s");
    describe_settings(sweep, caption);
    plot_ringed(&sweep->records, "*", caption);
    plot_origin_of_splits(caption, sweep->request->data, &sweep->records);
}

/* Draws the panels of each of the metrics. */
static int draw_grids(const struct plot_sweep *sweep, struct plot_figure *figure)
{
    const char *quantities[MAX_METRICS], *titles[MAX_PANELS], *name = NULL;
    struct grids grids = {.least_splits = (size_t)-1};
    fputs("# x y x_level y_level n mean shown label lowest reference above_lowest low high text may_be_lowest\n",
          figure->dat);
    for (size_t m = 0; m < sweep->n_fields; m++) {
        struct plot_sweep one = *sweep;
        one.field = sweep->fields[m];
        quantities[m] = pool_printf(figure->pool, "%s%s", measure_is_ratio(one.field) ? "log₁₀ of mean " : "",
                                    measure_label(one.field));
        for (size_t s = 0; s < sweep->series.n && grids.n < MAX_PANELS; s++)
            print_grid(&one, &sweep->series.items[s], m, figure->dat, &grids);
        name = m == 0 ? measure_title(one.field) : pool_printf(figure->pool, "%s, %s", name, measure_label(one.field));
    }
    if (grids.n == 0)
        return 0;
    for (size_t p = 0; p < grids.n; p++)
        titles[p] = sweep->n_fields == 1 ? grids.title[p]
                                         : pool_printf(figure->pool, "%s, %s", grids.title[p],
                                                       measure_label(sweep->fields[(size_t)grids.metric[p] - 1]));
    plot_figure_panels(figure, titles, grids.n);
    plot_figure_texts(figure, "title", grids.title, grids.n);
    plot_figure_numbers(figure, "metric", grids.metric, grids.n);
    plot_figure_texts(figure, "x_label", grids.label[0], grids.n);
    plot_figure_texts(figure, "y_label", grids.label[1], grids.n);
    plot_figure_numbers(figure, "x_count", grids.count[0], grids.n);
    plot_figure_numbers(figure, "y_count", grids.count[1], grids.n);
    plot_figure_texts(figure, "quantity", quantities, sweep->n_fields);
    plot_figure_number(figure, "differences", !sweep->request->style->paper);
    fprintf(figure->heading, "%s: ", name);
    plot_describe(figure->heading, sweep->request->data, &sweep->records);
    describe_grids(sweep, &grids, figure->caption);
    if (sweep->series.n * sweep->n_fields > MAX_PANELS)
        plot_note(sweep->request, "%zu of %zu panels of %s", sweep->series.n * sweep->n_fields - MAX_PANELS,
                  sweep->series.n * sweep->n_fields, sweep->request->dataset);
    return 1;
}

/* ---- data sets and metrics ---- */

/* How a kind draws: its template, and the number of swept settings on axes. */
static const struct form {
    const char *kind;
    size_t n_axes;
    int (*fill)(const struct plot_sweep *sweep, struct plot_figure *figure);
} lines_form = {"lines", 1, draw_lines}, heatmap_form = {"heatmap", 2, draw_grids};

/* Nonzero if an axis of some series has enough levels to be drawn without a request. */
static int worth_drawing(const struct plot_sweep *sweep)
{
    struct plot_levels levels;
    for (size_t s = 0; s < sweep->series.n; s++) {
        const struct plot_series *series = &sweep->series.items[s];
        for (int k = 0; k < 2 && series->axis[k]; k++) {
            plot_levels_take(&series->records, series->axis[k], &levels);
            if (sweep->request->entry || levels.n >= AUTOMATIC_LEVELS)
                return 1;
        }
    }
    return 0;
}

/* Notes which settings could be axes. */
static void note_axes(const struct plot_sweep *sweep)
{
    const struct plot_request *request = sweep->request;
    const struct name_order *swept = &sweep->series.swept;
    const char *names = "";
    for (size_t i = 0; i < swept->count; i++)
        names = pool_printf(request->pool, "%s%s%s", names, i ? ", " : "", swept->names[i]);
    if (swept->count)
        plot_note(request, "swept for %s: %s; %s", request->dataset, names,
                  strcmp(request->kind, "lines") == 0 ? "\"x\" must be one of them"
                                                      : "\"x\" and \"y\" must be two of them");
    else if (sweep->records.count > 0)
        plot_note(request, "no setting takes several values for %s", request->dataset);
}

/* Draws the figure NAME-METRIC-DATASET, without the parts that the entry fixes. */
static void draw_figure(const struct plot_sweep *sweep, const struct form *form)
{
    struct plot_figure figure;
    const cJSON *entry = sweep->request->entry;
    const char *parts[3] = {NULL}, *metric = measure_row(sweep->field)->measure;
    size_t n = 0;
    if (!cJSON_HasObjectItem(entry, "metric") && sweep->n_fields == 1)
        parts[n++] = metric;
    if (!cJSON_HasObjectItem(entry, "dataset"))
        parts[n++] = sweep->request->dataset;
    plot_figure_open(&figure, form->kind, sweep->request->name, parts[0], parts[1]);
    if (form->fill(sweep, &figure)) {
        plot_finish(sweep->request->run, &figure);
        return;
    }
    plot_note(sweep->request, "no %s of %s that the figure can show", metric, sweep->request->dataset);
    pool_free(figure.pool);
}

/* The metrics of the entry, or the usual ones; returns their number. */
static size_t choose_metrics(const struct plot_request *request, enum record_field fields[MAX_METRICS])
{
    static const enum record_field usual[] = {FIELD_ERROR, FIELD_ITERATIONS, FIELD_KERNEL_OPERATIONS};
    const cJSON *one = json_member(request->entry, "metric"), *item = NULL,
                *list = one ? one : json_member(request->entry, "metrics");
    size_t n = 0;
    for (item = one ? one : list ? list->child : NULL; item && n < MAX_METRICS; item = one ? NULL : item->next) {
        const char *metric = cJSON_GetStringValue(item);
        const size_t named = metric ? measure_find(metric, MEMBER_FIGURE) : RECORD_FIELDS;
        if (named >= RECORD_FIELDS)
            plot_die_metric(request, metric, "error, iterations, kernel-operations, support-vectors");
        fields[n++] = (enum record_field)named;
    }
    for (size_t i = 0; !list && i < sizeof usual / sizeof *usual; i++)
        fields[n++] = usual[i];
    return n;
}

void plot_sweeps(const struct plot_request *request)
{
    const struct form *form = strcmp(request->kind, "lines") == 0 ? &lines_form : &heatmap_form;
    struct plot_sweep sweep = {.request = request};
    enum record_field fields[MAX_METRICS];
    sweep.records = plot_select(request->pool, request->data, request->entry, request->dataset);
    sweep.values = pool_array(request->pool, sweep.records.count, sizeof *sweep.values);
    sweep.series = plot_series_build(request->pool, request->data, &sweep.records, form->n_axes, request->entry);
    if (form == &heatmap_form && sweep.series.n == 0 && request->entry) {
        form = &lines_form;
        sweep.series = plot_series_build(request->pool, request->data, &sweep.records, 1, request->entry);
    }
    if (!worth_drawing(&sweep)) {
        note_axes(&sweep);
        return;
    }
    const size_t n = choose_metrics(request, fields),
                 together = form == &heatmap_form && cJSON_HasObjectItem(request->entry, "metrics") ? n : 1;
    for (size_t i = 0; i < n; i += together) {
        memcpy(sweep.fields, fields + i, together * sizeof *fields);
        sweep.n_fields = together;
        sweep.field = fields[i];
        draw_figure(&sweep, form);
    }
}
