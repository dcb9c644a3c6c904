/*
 * Formats a grid: cells rounded for readers (harness/format/number_text.h) in Markdown and LaTeX, all numbers of each
 * cell in CSV and JSON.
 */
#include "harness/tables/own_table.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare/data.h"
#include "harness/format/text_table.h"
#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/records/sample.h"
#include "harness/tables/run_tables.h"
#include "harness/tables/table_grid.h"

/* ---- names for readers ---- */

static const char *label_of(const struct table_spec *spec, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(spec->labels, name));
}

/* The label of a dimension. */
static const char *dimension_label(const struct table_spec *spec, const struct table_dimension *dimension)
{
    static const char *const labels[] = {"data set", "solver", "splits", "metric", "settings"};
    const char *given = label_of(spec, dimension->name);
    if (!given && dimension->setting)
        given = label_of(spec, dimension->setting);
    if (given)
        return given;
    return dimension->kind == DIMENSION_SETTING ? plot_setting_label(dimension->setting) : labels[dimension->kind];
}

/* Returns the baseline's label if one is given, else its `text`. */
static const char *baseline_label(const struct table_spec *spec, const struct solver_choices *baseline,
                                  char text[NUMBER_TEXT_SIZE])
{
    const char *given = label_of(spec, baseline->items->text);
    return given ? given : plot_solver_label(baseline->items->text, text, NUMBER_TEXT_SIZE);
}

/* For example "kernel operations (thousands)" or "iterations / mdm". */
static char *metric_title(struct pool *pool, const struct table_spec *spec, const struct table_metric *metric)
{
    static const struct {
        double divisor;
        const char *name;
    } known[] = {{1e3, "thousands"}, {1e6, "millions"}, {1e9, "billions"}};
    const struct member *row = measure_row(metric->measure);
    const char *title = metric->title ? metric->title : row->title,
               *unit = metric->unit ? metric->unit : row->unit ? row->unit : "";
    char number[40], own[64] = "", shown[NUMBER_TEXT_SIZE];
    if (metric->ratio_to.count)
        return metric->title ? pool_strdup(pool, title)
                             : pool_printf(pool, "%s /\u00a0%s", title, baseline_label(spec, &metric->ratio_to, shown));
    if (metric->statistic == STATISTIC_OF_SHARE && !metric->unit)
        unit = "%";
    if (metric->divisor != 1 && !metric->unit) {
        snprintf(own, sizeof own, "%s%s%s", unit, *unit ? " × " : "",
                 json_number_to_text(metric->divisor, number, sizeof number));
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (metric->divisor == known[i].divisor && !*unit)
                snprintf(own, sizeof own, "%s", known[i].name);
        unit = own;
    }
    return *unit ? pool_printf(pool, "%s (%s)", title, unit) : pool_strdup(pool, title);
}

/* A row's or column's value in a dimension, such as "heart" or "10⁻³". */
static const char *value_text(const struct table_grid *grid, size_t dimension, size_t row_or_column)
{
    const struct table_spec *spec = grid->spec;
    const struct table_dimension *at = &grid->dimensions[dimension];
    const size_t place = table_grid_place(grid, dimension, row_or_column);
    if (at->kind == DIMENSION_METRIC)
        return metric_title(grid->pool, spec, &spec->metrics[place]);
    const char *text = grid->values[dimension].names[place], *label = label_of(spec, text);
    char shown[NUMBER_TEXT_SIZE];
    if (label)
        return label;
    if (at->kind == DIMENSION_SOLVER)
        return pool_strdup(grid->pool, plot_solver_label(text, shown, sizeof shown));
    if (at->kind == DIMENSION_SETTING) {
        number_text_setting(text, shown);
        return pool_strdup(grid->pool, shown);
    }
    return text;
}

/* ---- cells ---- */

static void interval_text(const struct estimate *row, char text[NUMBER_TEXT_SIZE])
{
    const struct number_format plain = {-1, 0};
    char parts[3][NUMBER_TEXT_SIZE];
    number_text(exp(row->difference.estimate), 3, &plain, parts[0]);
    number_text(exp(row->difference.low), 3, &plain, parts[1]);
    number_text(exp(row->difference.high), 3, &plain, parts[2]);
    snprintf(text, NUMBER_TEXT_SIZE, "%.40s [%.40s, %.40s]", parts[0], parts[1], parts[2]);
}

static void quartiles_text(const struct table_cell *cell, const struct number_format *format,
                           char text[NUMBER_TEXT_SIZE])
{
    char parts[3][NUMBER_TEXT_SIZE];
    number_text(cell->summary.median, 4, format, parts[0]);
    number_text(cell->quartiles[0], 4, format, parts[1]);
    number_text(cell->quartiles[1], 4, format, parts[2]);
    snprintf(text, NUMBER_TEXT_SIZE, "%.40s [%.40s, %.40s]", parts[0], parts[1], parts[2]);
}

/* The number without its marks. */
static void number_of_cell(const struct table_cell *cell, const struct table_metric *metric,
                           char text[NUMBER_TEXT_SIZE])
{
    const struct summary *summary = &cell->summary;
    const struct number_format *format = &metric->format;
    switch (metric->statistic) {
    case STATISTIC_OF_MEAN_SD:
    case STATISTIC_OF_MEAN_SD_PARENTHESES:
        number_text_mean_sd(summary->mean, summary->sd, metric->statistic == STATISTIC_OF_MEAN_SD_PARENTHESES, format,
                            text);
        break;
    case STATISTIC_OF_MEAN:
        number_text_mean(summary->mean, summary->sd / sqrt((double)summary->n), format, text);
        break;
    case STATISTIC_OF_QUARTILES: quartiles_text(cell, format, text); break;
    case STATISTIC_OF_SHARE:
        number_text(100.0 * (double)cell->n_converged / (double)cell->n_records, 3, format, text);
        break;
    case STATISTIC_OF_COUNT:
        snprintf(text, NUMBER_TEXT_SIZE, "%zu/%zu", cell->n_converged, cell->n_records);
        break;
    case STATISTIC_OF_INTERVAL:
        if (cell->ratio.n > 0 && isfinite(cell->ratio.difference.low)) {
            interval_text(&cell->ratio, text);
            break;
        } /* fall through */
    default: number_text(table_cell_value(cell, metric), metric->ratio_to.count ? 3 : 4, format, text);
    }
}

static int has_metric(const struct table_spec *spec, size_t info)
{
    for (size_t m = 0; m < spec->n_metrics; m++)
        if (spec->metrics[m].measure == info)
            return 1;
    return 0;
}

/* Whether the cell shows that some of its runs did not converge. */
static int shows_unconverged(const struct table_grid *grid, const struct table_cell *cell)
{
    return cell->n_records > 0 && cell->n_converged < cell->n_records &&
           grid->spec->metrics[cell->metric].measure != MEASURE_CONVERGED; /* whose number already shows it */
}

static void cell_text(const struct table_grid *grid, const struct table_cell *cell, char text[NUMBER_TEXT_SIZE])
{
    if (cell->n_records == 0)
        snprintf(text, NUMBER_TEXT_SIZE, "–");
    else
        number_of_cell(cell, &grid->spec->metrics[cell->metric], text);
}

/* The printed number itself, without its spread: "38" of "38(5)", "1.0·10⁻⁷" of "(1.0 ± 0.2)·10⁻⁷". */
static void printed_value(const struct table_grid *grid, const struct table_cell *cell, char value[NUMBER_TEXT_SIZE])
{
    char text[NUMBER_TEXT_SIZE];
    cell_text(grid, cell, text);
    const char *first = text + (*text == '('), *power = strstr(text, "·"), *end = strpbrk(first, "([");
    const char *spread = strstr(first, " ±");
    end = spread ? spread : end ? end - (*end == '[') : first + strlen(first);
    snprintf(value, NUMBER_TEXT_SIZE, "%.*s%s", (int)(end - first), first, power && power >= end ? power : "");
}

/* Whether two cells print the same number, as 38(5) and 38.0(4) do. */
static int prints_alike(const struct table_grid *grid, const struct table_cell *a, const struct table_cell *b)
{
    char texts[2][NUMBER_TEXT_SIZE], *ends[2];
    printed_value(grid, a, texts[0]);
    printed_value(grid, b, texts[1]);
    const double one = strtod(texts[0], &ends[0]), other = strtod(texts[1], &ends[1]);
    return one == other && strcmp(ends[0], ends[1]) == 0;
}

/* A cell that prints the same number as a best cell of its row or column is best too. */
static void extend_best(struct table_grid *grid)
{
    const int rows = grid->spec->best_in != 1;
    const size_t lines = grid->n[rows ? SIDE_ROWS : SIDE_COLUMNS], length = grid->n[rows ? SIDE_COLUMNS : SIDE_ROWS];
    for (size_t i = 0; i < lines; i++)
        for (size_t k = 0; k < length; k++)
            for (size_t j = 0; j < length; j++) {
                struct table_cell *best = rows ? table_grid_cell(grid, i, k) : table_grid_cell(grid, k, i);
                struct table_cell *other = rows ? table_grid_cell(grid, i, j) : table_grid_cell(grid, j, i);
                if (best->best && table_cells_compete(grid, best, other) && prints_alike(grid, best, other))
                    other->best = 1;
            }
}

/* ---- Markdown and LaTeX ---- */

/* Whether headings name the metric. If there is only one, the notes name it, unless it is the only column heading. */
static int names_metric(const struct table_grid *grid)
{
    size_t columns = 0;
    for (size_t i = 0; i < grid->n_dimensions; i++)
        columns += grid->dimensions[i].side == SIDE_COLUMNS;
    return grid->spec->n_metrics > 1 || columns < 2;
}

/* Heading levels separated by newlines: "mdm\nμ = 0.1\niterations". */
static char *heading_of(const struct table_grid *grid, size_t column)
{
    char *heading = NULL;
    size_t size = 0, levels = 0;
    FILE *stream = xopen_text(&heading, &size);
    for (size_t i = 0; i < grid->n_dimensions; i++) {
        const struct table_dimension *dimension = &grid->dimensions[i];
        if (dimension->side != SIDE_COLUMNS || (dimension->kind == DIMENSION_METRIC && !names_metric(grid)))
            continue;
        const char *text = value_text(grid, i, column);
        fprintf(stream, "%s", levels++ ? "\n" : "");
        if (dimension->kind == DIMENSION_SETTING && strcmp(text, "–") != 0)
            fprintf(stream, "%s = %s", dimension_label(grid->spec, dimension), text);
        else if (dimension->kind != DIMENSION_SETTING)
            fputs(text, stream);
    }
    xclose_text(stream);
    pool_keep(grid->pool, free, heading);
    return heading;
}

static void fill_headings(const struct table_grid *grid, struct text_table *text)
{
    text->heads = 0;
    for (size_t i = 0; i < grid->n_dimensions; i++)
        if (grid->dimensions[i].side == SIDE_ROWS) {
            text_table_cell(text, "%s", dimension_label(grid->spec, &grid->dimensions[i]));
            text->heads++;
        }
    text->columns = text->heads + grid->n[SIDE_COLUMNS];
    for (size_t c = 0; c < grid->n[SIDE_COLUMNS]; c++)
        text_table_cell(text, "%s", heading_of(grid, c));
}

/* " (n = 19)" with no-break spaces, where the reader has to know it and does not see it; else "". */
static void n_text(const struct table_grid *grid, const struct table_cell *cell, char *text, size_t size)
{
    *text = '\0';
    if (cell->shows_n && grid->spec->metrics[cell->metric].statistic != STATISTIC_OF_COUNT)
        snprintf(text, size, " (n\u00a0=\u00a0%zu)", cell->tasks.count);
}

static void fill_rows(const struct table_grid *grid, struct text_table *text)
{
    char number[NUMBER_TEXT_SIZE], runs[40];
    for (size_t r = 0; r < grid->n[SIDE_ROWS]; r++) {
        for (size_t i = 0; i < grid->n_dimensions; i++)
            if (grid->dimensions[i].side == SIDE_ROWS)
                text_table_cell(text, "%s", value_text(grid, i, r));
        for (size_t c = 0; c < grid->n[SIDE_COLUMNS]; c++) {
            const struct table_cell *cell = table_grid_cell(grid, r, c);
            cell_text(grid, cell, number);
            n_text(grid, cell, runs, sizeof runs);
            text_table_cell(text, "%s%s%s%s", number, table_cell_marked(grid, cell) ? "†" : "",
                            shows_unconverged(grid, cell) ? "‡" : "", runs);
            if (cell->best)
                text_table_bold(text);
        }
    }
}

/* ---- notes ---- */

/* Writes "Mean ± sd over splits of iterations, kernel operations." for each statistic. */
static void note_statistics(const struct table_grid *grid, struct text_table *text)
{
    static const char *const words[TABLE_STATISTICS] = {
        [STATISTIC_OF_MEAN_SD] = "mean ± sd",
        [STATISTIC_OF_MEAN_SD_PARENTHESES] = "mean(sd)",
        [STATISTIC_OF_MEAN] = "mean",
        [STATISTIC_OF_SD] = "sd",
        [STATISTIC_OF_MEDIAN] = "median",
        [STATISTIC_OF_QUARTILES] = "median [quartiles]",
        [STATISTIC_OF_MINIMUM] = "minimum",
        [STATISTIC_OF_MAXIMUM] = "maximum",
        [STATISTIC_OF_SHARE] = "share of the runs",
        [STATISTIC_OF_COUNT] = "number of runs, of all runs",
        [STATISTIC_OF_RATIO] = "geometric mean, where both converged,",
        [STATISTIC_OF_INTERVAL] = "geometric mean, where both converged, [95 % interval]"};
    for (size_t s = 0; s < TABLE_STATISTICS; s++) {
        char *list = NULL;
        size_t size = 0, n = 0;
        FILE *stream = xopen_text(&list, &size);
        for (size_t m = 0; m < grid->spec->n_metrics; m++)
            if (grid->spec->metrics[m].statistic == s) {
                char *title = metric_title(grid->pool, grid->spec, &grid->spec->metrics[m]);
                if (n == 0 && !grid->spec->metrics[m].title && *title >= 'a' && *title <= 'z')
                    *title -= 32; /* the note begins with a capital; the author's titles stay as they are */
                fprintf(stream, "%s%s", n++ ? ", " : "", title);
            }
        xclose_text(stream);
        if (n > 0)
            text_table_footnote(text, "%s: %s%s.", list, words[s],
                                s == STATISTIC_OF_SHARE || s == STATISTIC_OF_COUNT ? ""
                                : grid->over_datasets                              ? " over data sets"
                                                                                   : " over splits");
        free(list);
    }
    if (has_metric(grid->spec, FIELD_KERNEL_OPERATIONS))
        text_table_footnote(text, "Kernel operations are those of the iterations, without set-up and prediction.");
}

/* Writes "titanic 2, heart 120": the last value of each data set that has one. */
static void list_by_dataset(const struct table_grid *grid, const char *setting, FILE *stream)
{
    struct name_order datasets = {.pool = grid->pool};
    char shown[NUMBER_TEXT_SIZE];
    for (size_t r = 0; r < grid->kept.count; r++) {
        const struct record *record = grid->kept.items[r];
        const struct setting *own = record_setting(record, setting);
        const size_t before = datasets.count;
        if (!own || name_order_add(&datasets, record->dataset) < before)
            continue;
        const char *label = label_of(grid->spec, record->dataset);
        number_text_setting(own->text, shown);
        fprintf(stream, "%s%s %s", before ? ", " : "", label ? label : record->dataset, shown);
    }
}

/* Lists the settings that rows and columns do not name: those common to all runs, those that depend on the data set,
 * and the others. */
static void note_settings(const struct table_grid *grid, struct text_table *text)
{
    static const char *const notes[] = {[VARIES_NOWHERE] = "Settings that all runs share: %s.",
                                        [VARIES_BY_DATASET] = "By data set: %s.",
                                        [VARIES_WITHIN_DATASETS] = "Not shown, and different between cells: %s."};
    struct name_order names = {.pool = grid->pool};
    char *lists[3], shown[NUMBER_TEXT_SIZE];
    size_t sizes[3], n[3] = {0};
    FILE *streams[3];
    for (size_t k = 0; k < 3; k++)
        streams[k] = xopen_text(&lists[k], &sizes[k]);
    for (size_t r = 0; r < grid->kept.count; r++)
        for (size_t s = 0; s < grid->kept.items[r]->n_settings; s++)
            name_order_add(&names, grid->kept.items[r]->settings[s].name);
    for (size_t i = 0; i < names.count; i++) {
        const struct table_dimension setting = {DIMENSION_SETTING, names.names[i], names.names[i], SIDE_ROWS};
        const enum table_variation variation = table_setting_varies(&grid->kept, names.names[i]);
        const struct setting *value = NULL;
        if (table_grid_has_setting(grid, names.names[i]))
            continue;
        for (size_t r = 0; r < grid->kept.count && !value; r++)
            value = record_setting(grid->kept.items[r], names.names[i]);
        fprintf(streams[variation], "%s%s", n[variation]++ ? "; " : "", dimension_label(grid->spec, &setting));
        number_text_setting(value->text, shown);
        if (variation == VARIES_NOWHERE)
            fprintf(streams[variation], " = %s", shown);
        else if (variation == VARIES_BY_DATASET) {
            fputs(" of ", streams[variation]);
            list_by_dataset(grid, names.names[i], streams[variation]);
        }
    }
    for (size_t k = 0; k < 3; k++) {
        xclose_text(streams[k]);
        if (n[k])
            text_table_footnote(text, notes[k], lists[k]);
        free(lists[k]);
    }
}

/* The meaning of a solver's own parameter in run.json, or NULL. */
static const char *meaning_of(const struct table_grid *grid, const char *setting)
{
    const cJSON *of_solver = NULL;
    for (size_t i = 0; i < grid->folders->count; i++)
        cJSON_ArrayForEach (of_solver, cJSON_GetObjectItemCaseSensitive(grid->folders->items[i].info, "parameters")) {
            const cJSON *parameter = cJSON_GetObjectItemCaseSensitive(of_solver, setting);
            if (parameter)
                return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(parameter, "meaning"));
        }
    return NULL;
}

/* Explains parameters in rows and columns, unless they have a standard symbol. */
static void note_meanings(const struct table_grid *grid, struct text_table *text)
{
    for (size_t i = 0; i < grid->n_dimensions; i++) {
        const struct table_dimension *dimension = &grid->dimensions[i];
        const char *meaning = dimension->kind == DIMENSION_SETTING ? meaning_of(grid, dimension->setting) : NULL;
        if (meaning && strcmp(plot_setting_label(dimension->setting), dimension->setting) == 0)
            text_table_footnote(text, "%s: %s.", dimension_label(grid->spec, dimension), meaning);
    }
}

/* Says which numbers are not of the same runs, and which runs not of the same conditions. */
static void note_conditions(const struct table_grid *grid, struct text_table *text)
{
    if (grid->uneven)
        text_table_footnote(text, "n: number of runs that the number rests on, where cells to be read together differ "
                                  "in it.");
    if (grid->gaps)
        text_table_footnote(text, "The cells do not have the same data sets and splits, so they are not compared where "
                                  "they differ: %s.",
                            grid->gaps);
    if (grid->budget_obstacle)
        text_table_footnote(text, "Some cells are not compared: %s.", grid->budget_obstacle);
    if (grid->time_obstacle)
        text_table_footnote(text, "Times are not compared: %s.", grid->time_obstacle);
}

static void note_marks(const struct table_grid *grid, struct text_table *text)
{
    const struct table_spec *spec = grid->spec;
    const size_t n_cells = grid->n[SIDE_ROWS] * grid->n[SIDE_COLUMNS];
    int unconverged = 0, stopped = 0, failed = 0, bold = 0;
    char shown[NUMBER_TEXT_SIZE];
    for (size_t c = 0; c < n_cells; c++) {
        const struct table_cell *cell = &grid->cells[c];
        bold |= cell->best;
        if (!shows_unconverged(grid, cell))
            continue;
        unconverged = 1;
        failed |= cell->n_failed > 0;
        stopped |= !spec->metrics[cell->metric].ratio_to.count && cell->n_converged + cell->n_failed < cell->n_records;
    }
    if (bold)
        text_table_footnote(text, "Bold: the best cell of the %s for one problem, among cells in which all runs "
                                  "converged and that rest on the same data sets and splits, and those that "
                                  "print the same number.",
                            spec->best_in != 1 ? "row" : "column");
    if (unconverged)
        text_table_footnote(text, "‡ Some runs did not converge.%s%s",
                            stopped ? " Runs that stopped before count with the values at which they stopped." : "",
                            failed ? " Failed runs have no values and are left out." : "");
    if (grid->optima_differ)
        text_table_footnote(text, "Pairs whose certified optima differ from those of the baseline are left out: they "
                                  "are not of the same problem.");
    if (grid->problems_differ)
        text_table_footnote(text, "Some cells have a formulation that differs from that of their baseline.");
    if (grid->problems_unknown)
        text_table_footnote(text, "Some solvers were not registered when this table was written, so it is unknown "
                                  "whether they solve the problem of the baseline (give --plugin FILE).");
    if (!spec->against.count)
        return;
    const char *baseline = baseline_label(spec, &spec->against, shown);
    if (grid->n_tests)
        text_table_footnote(text, "† Differs from %s at %g %%: %s, p adjusted by Holm over the %zu tests of the table.",
                            baseline, 100 * spec->level,
                            grid->over_datasets ? "signed-rank test over data sets"
                                                : "t test corrected for splits that overlap (Nadeau and Bengio 2003), "
                                                  "of logarithms except for the test error, where both converged",
                            grid->n_tests);
    if (grid->n_untested)
        text_table_footnote(
            text, "%zu cells could not be tested against %s: fewer than %d pairs, or unknown sizes of splits.",
            grid->n_untested, baseline, MIN_PAIRS_FOR_A_CLAIM);
}

static void fill_text(const struct table_grid *grid, const char *splits, struct text_table *text)
{
    const struct table_spec *spec = grid->spec;
    fill_headings(grid, text);
    fill_rows(grid, text);
    text_table_title(text, "%s", spec->caption ? spec->caption : spec->name);
    note_statistics(grid, text);
    note_meanings(grid, text);
    note_settings(grid, text);
    note_conditions(grid, text);
    note_marks(grid, text);
    text_table_footnote(text, "%s", splits);
    text->page = (struct text_table_page){spec->name, spec->points, spec->width == 1};
}

/* ---- CSV: one line per cell ---- */

static const char *const csv_numbers[] = {"records", "converged", "failed", "n",     "mean",       "sd",
                                          "min",     "q1",        "median", "q3",    "max",        "ratio",
                                          "ratio_low", "ratio_high", "p",   "p_adjusted", "ratio_level"};
enum { CSV_NUMBERS = sizeof csv_numbers / sizeof *csv_numbers, FIRST_RATIO = 11, RATIO_LEVEL = CSV_NUMBERS - 1 };

static double exp_of(double value, const struct estimate *row)
{
    return row->n > 0 ? exp(value) : (double)NAN;
}

static void cell_numbers(const struct table_cell *cell, double numbers[CSV_NUMBERS])
{
    const struct summary *summary = &cell->summary;
    const struct estimate *ratio = &cell->ratio, *test = &cell->test;
    const double all[CSV_NUMBERS] = {(double)cell->n_records,
                                     (double)cell->n_converged,
                                     (double)cell->n_failed,
                                     (double)summary->n,
                                     summary->mean,
                                     summary->sd,
                                     summary->min,
                                     cell->quartiles[0],
                                     summary->median,
                                     cell->quartiles[1],
                                     summary->max,
                                     exp_of(ratio->difference.estimate, ratio),
                                     exp_of(ratio->difference.low, ratio),
                                     exp_of(ratio->difference.high, ratio),
                                     test->p,
                                     test->adjusted,
                                     ratio->difference.level};
    memcpy(numbers, all, sizeof all);
}

static void fill_csv(const struct table_grid *grid, struct text_table *csv)
{
    double numbers[CSV_NUMBERS];
    size_t n_cells = grid->n[SIDE_ROWS] * grid->n[SIDE_COLUMNS];
    text_table_cell(csv, "table");
    for (size_t i = 0; i < grid->n_dimensions; i++)
        text_table_cell(csv, "%s", grid->dimensions[i].name);
    text_table_cell(csv, "statistic");
    text_table_cell(csv, "divisor");
    for (size_t k = 0; k < CSV_NUMBERS; k++)
        text_table_cell(csv, "%s", csv_numbers[k]);
    text_table_cell(csv, "best");
    csv->columns = csv->count;
    for (size_t c = 0; c < n_cells; c++) {
        const struct table_cell *cell = &grid->cells[c];
        const size_t at[] = {c / grid->n[SIDE_COLUMNS], c % grid->n[SIDE_COLUMNS]};
        if (cell->n_records == 0)
            continue;
        const struct table_metric *metric = &grid->spec->metrics[cell->metric];
        text_table_cell(csv, "%s", grid->spec->name);
        for (size_t i = 0; i < grid->n_dimensions; i++) {
            const size_t place = table_grid_place(grid, i, at[grid->dimensions[i].side]);
            const int is_metric = grid->dimensions[i].kind == DIMENSION_METRIC;
            const char *value = is_metric ? measure_row(metric->measure)->measure : grid->values[i].names[place];
            text_table_cell(csv, "%s", strcmp(value, "–") == 0 ? "" : value);
        }
        text_table_cell(csv, "%s", table_statistics[metric->statistic]);
        text_table_number(csv, 15, metric->divisor);
        cell_numbers(cell, numbers);
        for (size_t k = 0; k < CSV_NUMBERS; k++)
            text_table_number(csv, k < FIRST_RATIO ? 15 : 6, numbers[k]);
        text_table_cell(csv, "%d", cell->best);
    }
}

/* ---- JSON ---- */

static void put_place(cJSON *json, const struct table_grid *grid, enum table_side side, size_t row_or_column)
{
    for (size_t i = 0; i < grid->n_dimensions; i++) {
        const struct table_dimension *dimension = &grid->dimensions[i];
        if (dimension->side != side)
            continue;
        const size_t place = table_grid_place(grid, i, row_or_column);
        if (dimension->kind == DIMENSION_METRIC)
            json_put_text(json, dimension->name, measure_row(grid->spec->metrics[place].measure)->measure);
        else if (strcmp(grid->values[i].names[place], "–") != 0)
            json_put_text(json, dimension->name, grid->values[i].names[place]);
        else
            json_put_null(json, dimension->name);
    }
}

/* For example "mdm.mu=0.1.iterations". */
static char *column_key(const struct table_grid *grid, size_t column)
{
    char *key = NULL;
    size_t size = 0, n = 0;
    FILE *stream = xopen_text(&key, &size);
    for (size_t i = 0; i < grid->n_dimensions; i++) {
        const struct table_dimension *dimension = &grid->dimensions[i];
        const size_t place = dimension->side == SIDE_COLUMNS ? table_grid_place(grid, i, column) : 0;
        if (dimension->side != SIDE_COLUMNS)
            continue;
        fputs(n++ ? "." : "", stream);
        if (dimension->kind == DIMENSION_METRIC) {
            const struct table_metric *metric = &grid->spec->metrics[place];
            fprintf(stream, "%s.%s", measure_row(metric->measure)->measure, table_statistics[metric->statistic]);
        } else if (dimension->kind == DIMENSION_SETTING)
            fprintf(stream, "%s=%s", dimension->name, grid->values[i].names[place]);
        else
            fputs(grid->values[i].names[place], stream);
    }
    xclose_text(stream);
    pool_keep(grid->pool, free, key);
    return key;
}

static void put_column(cJSON *columns, const struct table_grid *grid, size_t column)
{
    cJSON *json = json_add_object(columns);
    char *title = heading_of(grid, column);
    for (char *at = title; *at; at++)
        *at = *at == '\n' ? ' ' : *at;
    json_put_text(json, "key", column_key(grid, column));
    json_put_text(json, "title", title);
    put_place(json, grid, SIDE_COLUMNS, column);
}

static void put_outcomes(cJSON *json, const struct table_cell *cell)
{
    cJSON *outcomes = json_put_object(json, "outcomes");
    for (size_t k = 0; k < OUTCOMES; k++) {
        size_t n = 0;
        for (size_t i = 0; i < cell->n_records; i++)
            n += strcmp(cell->records[i]->outcome, outcome_name((enum outcome)k)) == 0;
        if (n > 0)
            json_put_number(outcomes, outcome_name((enum outcome)k), (double)n);
    }
}

static void put_cell(cJSON *json, const struct table_grid *grid, const struct table_cell *cell)
{
    const struct table_metric *metric = &grid->spec->metrics[cell->metric];
    double numbers[CSV_NUMBERS];
    char text[NUMBER_TEXT_SIZE];
    cJSON *ours = json_put_object(json, "ours");
    cell_numbers(cell, numbers);
    for (size_t k = 0; k < FIRST_RATIO; k++)
        json_put_number(ours, csv_numbers[k], numbers[k]);
    json_put_number(ours, "runs", (double)cell->tasks.count);
    put_outcomes(ours, cell);
    json_put_text(json, "metric", measure_row(metric->measure)->measure);
    json_put_text(json, "statistic", table_statistics[metric->statistic]);
    json_put_number(json, "unit", metric->divisor);
    cell_text(grid, cell, text);
    json_put_text(json, "text", text);
    json_put_bool(json, "best", cell->best);
    if (metric->ratio_to.count && cell->ratio.n > 0) {
        cJSON *ratio = json_put_object(json, "ratio");
        json_put_text(ratio, "to", metric->ratio_to.items->text);
        json_put_number(ratio, "n", (double)cell->ratio.n);
        json_put_rounded(ratio, "estimate", numbers[FIRST_RATIO]);
        json_put_rounded(ratio, "low", numbers[FIRST_RATIO + 1]);
        json_put_rounded(ratio, "high", numbers[FIRST_RATIO + 2]);
        json_put_rounded(ratio, "level", numbers[RATIO_LEVEL]);
    }
    if (grid->spec->against.count && cell->test.n > 0) {
        cJSON *test = json_put_object(json, "test");
        json_put_number(test, "n", (double)cell->test.n);
        json_put_rounded(test, "p", cell->test.p);
        json_put_rounded(test, "p_adjusted", cell->test.adjusted);
        json_put_bool(test, "differs", table_cell_marked(grid, cell));
    }
}

static cJSON *grid_json(const struct table_grid *grid, const char *splits)
{
    const struct table_spec *spec = grid->spec;
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 2);
    json_put_text(json, "table", spec->name);
    json_put_text(json, "caption", spec->caption ? spec->caption : "");
    json_put_text(json, "splits", splits);
    json_put_copy(json, "specification", spec->json);
    if (spec->against.count) {
        cJSON *marks = json_put_object(json, "marks");
        json_put_text(marks, "against", spec->against.items->text);
        json_put_text(marks, "test", grid->over_datasets ? "signed-rank" : "corrected resampled t");
        json_put_text(marks, "adjustment", "Holm");
        json_put_number(marks, "level", spec->level);
        json_put_number(marks, "tested", (double)grid->n_tests);
        json_put_number(marks, "untested", (double)grid->n_untested);
    }
    const char *const obstacles[] = {grid->gaps, grid->budget_obstacle, grid->time_obstacle};
    static const char *const keys[] = {"gaps", "budgets", "times"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (obstacles[i])
            json_put_text(json, keys[i], obstacles[i]);
    cJSON *columns = json_put_array(json, "columns");
    for (size_t c = 0; c < grid->n[SIDE_COLUMNS]; c++)
        put_column(columns, grid, c);
    json_put_rows(json, "rows");
    return json;
}

struct grid_rows {
    struct table_grid *grid;
    const cJSON *columns; /* of the JSON */
};

static void put_row(cJSON *json, const void *data, size_t row)
{
    const struct grid_rows *of = data;
    const cJSON *column;
    put_place(json, of->grid, SIDE_ROWS, row);
    cJSON *cells = json_put_object(json, "cells");
    size_t c = 0;
    cJSON_ArrayForEach (column, of->columns) {
        const struct table_cell *cell = table_grid_cell(of->grid, row, c++);
        const char *key = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(column, "key"));
        if (cell->n_records > 0)
            put_cell(json_put_object(cells, key), of->grid, cell);
    }
}

/* ---- files ---- */

static void warn_of_width(const struct text_table *text, const char *tables, const char *name, FILE *warned)
{
    const struct latex_setting setting = latex_table_choose(text);
    if (warned && setting.width > text->page.points)
        fprintf(warned,
                "hullbench: %s/%s.tex: too wide: about %.1f cm in \\scriptsize, allowed: %.1f cm; its columns are "
                "divided into %zu tables\n",
                tables, name, setting.width * 2.54 / 72.27, text->page.points * 2.54 / 72.27, setting.parts);
}

static void write_grid(struct table_grid *grid, const char *tables, struct table_log *log)
{
    const struct table_spec *spec = grid->spec;
    struct records used = {.pool = grid->pool};
    records_append(&used, &grid->kept);
    const char *splits = records_describe_splits(grid->pool, &used);
    if (spec->best_in >= 0)
        extend_best(grid);
    struct table_files files = table_files_new(grid_json(grid, splits));
    const struct grid_rows rows = {grid, cJSON_GetObjectItemCaseSensitive(files.json, "columns")};
    files.rows = (struct json_rows){grid->n[SIDE_ROWS], put_row, &rows};
    fill_text(grid, splits, &files.text);
    fill_csv(grid, &files.csv);
    warn_of_width(&files.text, tables, spec->name, log->warned);
    table_files_write(&files, grid->folders, tables, "", spec->name, log);
}

static void read_times(const struct table_spec *spec, const struct json_path *place, const struct run_folders *folders)
{
    for (size_t i = 0; has_metric(spec, MEASURE_SECONDS) && i < folders->count; i++)
        if (!run_folder_read_times(&folders->items[i]))
            json_die(place, "seconds: %s has no timings.jsonl", folders->items[i].path);
}

void own_table_write(struct pool *pool, const cJSON *json, const struct json_path *place,
                     const struct table_names *names, const struct run_folders *folders, const char *tables,
                     struct table_log *log)
{
    const struct table_spec *spec = table_spec_read(pool, json, place, names);
    read_times(spec, place, folders);
    write_grid(table_grid_make(pool, spec, place, folders, log->warned), tables, log);
}
