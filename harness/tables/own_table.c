/* Tables of the user's own, and the summary: cells rounded for readers (harness/format/number_text.h), and for programs
 * all numbers of each cell. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/records/record_filter.h"
#include "harness/support/json_reader.h"
#include "harness/tables/run_tables.h"
#include "harness/tables/table_grid.h"

/* ---- names for readers ---- */

static const char *label_of(const struct table_spec *spec, const char *name)
{
    return json_text(spec->labels, name);
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
static const char *baseline_label(struct pool *pool, const struct table_spec *spec,
                                  const struct solver_choices *baseline)
{
    const char *given = label_of(spec, baseline->items->text);
    return given ? given : plot_solver_label(pool, baseline->items->text);
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
    char own[64] = "";
    if (metric->ratio_to.count)
        return metric->title ? pool_strdup(pool, title)
                             : pool_printf(pool, "%s /\u00a0%s", title, baseline_label(pool, spec, &metric->ratio_to));
    if (metric->statistic == STATISTIC_OF_SHARE && !metric->unit)
        unit = "%";
    if (metric->divisor != 1 && !metric->unit) {
        snprintf(own, sizeof own, "%s%s%s", unit, *unit ? " × " : "", json_number_to_text(metric->divisor));
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
    if (label)
        return label;
    return at->kind == DIMENSION_SOLVER    ? plot_solver_label(grid->pool, text)
           : at->kind == DIMENSION_SETTING ? pool_strdup(grid->pool, number_text_setting(text))
                                           : text;
}

/* ---- cells ---- */

/* The number without its marks (number_text.h). */
static const char *number_of_cell(const struct table_grid *grid, const struct table_cell *cell)
{
    const struct table_metric *metric = &grid->spec->metrics[cell->metric];
    const struct summary *summary = &cell->summary;
    const struct number_format *format = &metric->format;
    const struct interval quartiles = {summary->median, summary->low_quartile, summary->high_quartile, CONTRAST_LEVEL};
    const struct interval *ratio = &cell->ratio.difference;
    switch (metric->statistic) {
    case STATISTIC_OF_MEAN_SD: return number_text_mean_sd(summary->mean, summary->sd, format);
    case STATISTIC_OF_MEAN: return number_text_mean(summary->mean, summary->sd / sqrt((double)summary->n), format);
    case STATISTIC_OF_QUARTILES: return number_text_interval(&quartiles, 4, format);
    case STATISTIC_OF_SHARE:
        return number_text(100.0 * (double)cell->n_converged / (double)cell->records.count, 3, format);
    case STATISTIC_OF_COUNT: return message_text("%zu/%zu", cell->n_converged, cell->records.count);
    case STATISTIC_OF_INTERVAL:
        if (cell->ratio.n > 0 && isfinite(ratio->low))
            return number_text_interval(&(const struct interval){exp(ratio->estimate), exp(ratio->low),
                                                                 exp(ratio->high), ratio->level}, 3, format);
        /* fall through */
    default: return number_text(table_cell_value(cell, metric), metric->ratio_to.count ? 3 : 4, format);
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
    return cell->records.count > 0 && cell->n_converged < cell->records.count &&
           grid->spec->metrics[cell->metric].measure != MEASURE_CONVERGED; /* whose number already shows it */
}

static const char *cell_text(const struct table_grid *grid, const struct table_cell *cell)
{
    return cell->records.count == 0 ? "–" : pool_strdup(grid->pool, number_of_cell(grid, cell));
}

/* The printed number itself, without its spread: "38" of "38 ± 5", "1.0·10⁻⁷" of "(1.0 ± 0.2)·10⁻⁷". */
static const char *printed_value(const struct table_grid *grid, const struct table_cell *cell)
{
    const char *text = cell_text(grid, cell), *first = text + (*text == '('), *spread = strstr(first, " ±"),
               *power = strstr(text, "·"), *bracket = strstr(first, " ["),
               *end = spread ? spread : bracket ? bracket : first + strlen(first);
    return pool_printf(grid->pool, "%.*s%s", (int)(end - first), first, power && power >= end ? power : "");
}

/* Whether two cells print the same number, as 38 ± 5 and 38.0 ± 0.4 do. */
static int prints_alike(const struct table_grid *grid, const struct table_cell *a, const struct table_cell *b)
{
    char *ends[2];
    const double one = strtod(printed_value(grid, a), &ends[0]), other = strtod(printed_value(grid, b), &ends[1]);
    return one == other && strcmp(ends[0], ends[1]) == 0;
}

/* A cell with unconverged runs does not compete, since its costs would have grown; nor does one that lacks runs that
 * others of its line have, since the others may be the harder ones. */
static int competes(const struct table_grid *grid, const struct table_cell *cell)
{
    const struct table_metric *metric = &grid->spec->metrics[cell->metric];
    return cell->complete && isfinite(table_cell_value(cell, metric)) &&
           !(metric->measure == MEASURE_SECONDS && grid->time_obstacle) &&
           (cell->n_converged == cell->records.count || metric->measure == MEASURE_CONVERGED);
}

static int cells_compete(const struct table_grid *grid, const struct table_cell *a, const struct table_cell *b)
{
    return competes(grid, a) && competes(grid, b) && a->metric == b->metric &&
           table_cells_are_of_one_problem(grid, a, b);
}

/* Whether no other cell of the line that competes with the cell is better, and at least one competes. */
static int is_best(const struct table_grid *grid, const struct table_cell *cell, struct table_cell *const *line,
                   size_t length)
{
    const struct table_metric *metric = &grid->spec->metrics[cell->metric];
    size_t others = 0;
    if (metric->best == BEST_NONE)
        return 0;
    for (size_t k = 0; k < length; k++) {
        if (line[k] == cell || !cells_compete(grid, cell, line[k]))
            continue;
        const double mine = table_cell_value(cell, metric), its = table_cell_value(line[k], metric);
        others++;
        if (metric->best == BEST_LOWEST ? its < mine : its > mine)
            return 0;
    }
    return others > 0;
}

/* A cell that prints the same number as a best cell of its row or column is best too. */
static void find_best(struct table_grid *grid)
{
    const int rows = grid->spec->best_in != 1;
    const size_t lines = grid->n[rows ? SIDE_ROWS : SIDE_COLUMNS], length = grid->n[rows ? SIDE_COLUMNS : SIDE_ROWS];
    struct table_cell **line = pool_array(grid->pool, length + 1, sizeof *line);
    for (size_t i = 0; i < lines; i++) {
        for (size_t k = 0; k < length; k++)
            line[k] = rows ? table_grid_cell(grid, i, k) : table_grid_cell(grid, k, i);
        for (size_t k = 0; k < length; k++)
            line[k]->complete = line[k]->records.count > 0 && table_cell_is_complete(grid, line[k], line, length);
        for (size_t k = 0; k < length; k++)
            line[k]->best = is_best(grid, line[k], line, length);
        for (size_t k = 0; k < length; k++)
            for (size_t j = 0; j < length && line[k]->best; j++)
                line[j]->best |= cells_compete(grid, line[k], line[j]) && prints_alike(grid, line[k], line[j]);
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
static const char *heading_of(const struct table_grid *grid, size_t column)
{
    const char *heading = NULL;
    for (size_t i = 0; i < grid->n_dimensions; i++) {
        const struct table_dimension *dimension = &grid->dimensions[i];
        if (dimension->side != SIDE_COLUMNS || (dimension->kind == DIMENSION_METRIC && !names_metric(grid)))
            continue;
        const char *text = value_text(grid, i, column);
        if (dimension->kind == DIMENSION_SETTING && strcmp(text, "–") == 0)
            text = "";
        else if (dimension->kind == DIMENSION_SETTING)
            text = pool_printf(grid->pool, "%s = %s", dimension_label(grid->spec, dimension), text);
        heading = table_join(grid->pool, heading, "\n", text);
    }
    return heading ? heading : "";
}

/* The marks after a number. "(n = 19)" has no-break spaces, and stands where the reader has to know it. */
static const char *marks_of(const struct table_grid *grid, const struct table_cell *cell)
{
    const char *marks = table_cell_marked(grid, cell) ? "†" : "",
               *unconverged = shows_unconverged(grid, cell) ? "‡" : "";
    if (!cell->shows_n || grid->spec->metrics[cell->metric].statistic == STATISTIC_OF_COUNT)
        return pool_printf(grid->pool, "%s%s", marks, unconverged);
    return pool_printf(grid->pool, "%s%s (n\u00a0=\u00a0%zu)", marks, unconverged, cell->tasks.count);
}

static void fill_page(const struct table_grid *grid, struct result *page)
{
    for (size_t i = 0; i < grid->n_dimensions; i++)
        if (grid->dimensions[i].side == SIDE_ROWS)
            result_column(page, (struct result_column){.title = dimension_label(grid->spec, &grid->dimensions[i])});
    page->heads = page->columns.count;
    for (size_t c = 0; c < grid->n[SIDE_COLUMNS]; c++)
        result_column(page, (struct result_column){.title = heading_of(grid, c), .kind = RESULT_NUMBER});
    for (size_t r = 0; r < grid->n[SIDE_ROWS]; r++) {
        for (size_t i = 0; i < grid->n_dimensions; i++)
            if (grid->dimensions[i].side == SIDE_ROWS)
                result_text(page, "%s", value_text(grid, i, r));
        for (size_t c = 0; c < grid->n[SIDE_COLUMNS]; c++) {
            const struct table_cell *cell = table_grid_cell(grid, r, c);
            const struct table_metric *metric = &grid->spec->metrics[cell->metric];
            struct result_value *value = result_number(page, table_cell_value(cell, metric));
            value->text = cell_text(grid, cell);
            value->mark = marks_of(grid, cell);
            value->is_bold = cell->best;
        }
    }
}

/* ---- notes ---- */

/* Writes "Mean ± sd over splits of iterations, kernel operations." for each statistic. */
static void note_statistics(const struct table_grid *grid, struct result *page)
{
    static const char *const words[TABLE_STATISTICS] = {
        [STATISTIC_OF_MEAN_SD] = "mean ± sd",
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
        const char *list = NULL, *over = grid->over_datasets ? " over data sets" : " over splits";
        for (size_t m = 0; m < grid->spec->n_metrics; m++)
            if (grid->spec->metrics[m].statistic == (int)s) {
                char *title = metric_title(grid->pool, grid->spec, &grid->spec->metrics[m]);
                if (!list && !grid->spec->metrics[m].title && *title >= 'a' && *title <= 'z')
                    *title -= 32; /* the note begins with a capital; the author's titles stay as they are */
                list = table_join(grid->pool, list, ", ", title);
            }
        if (list)
            result_note(page, "%s: %s%s.", list, words[s],
                        s == STATISTIC_OF_SHARE || s == STATISTIC_OF_COUNT ? "" : over);
    }
    if (has_metric(grid->spec, FIELD_KERNEL_OPERATIONS))
        result_note(page, "Kernel operations are those of the iterations, without set-up and prediction.");
}

/* "titanic 2, heart 120": the last value of each data set that has one. */
static const char *list_by_dataset(const struct table_grid *grid, const char *setting)
{
    struct name_order datasets = {.pool = grid->pool};
    const char *list = NULL;
    for (size_t r = 0; r < grid->kept.count; r++) {
        const struct record *record = grid->kept.items[r];
        const struct setting *own = record_setting(record, setting);
        const size_t before = datasets.count;
        if (!own || name_order_add(&datasets, record->dataset) < before)
            continue;
        const char *label = label_of(grid->spec, record->dataset);
        list = table_join(grid->pool, list, ", ",
                          pool_printf(grid->pool, "%s %s", label ? label : record->dataset,
                                      number_text_setting(own->text)));
    }
    return list;
}

/* Lists the settings that rows and columns do not name: those common to all runs, those that depend on the data set,
 * and the others. */
static void note_settings(const struct table_grid *grid, struct result *page)
{
    static const char *const notes[] = {[VARIES_NOWHERE] = "Settings that all runs share: %s.",
                                        [VARIES_BY_DATASET] = "By data set: %s.",
                                        [VARIES_WITHIN_DATASETS] = "Not shown, and different between cells: %s."};
    struct name_order names = {.pool = grid->pool};
    const char *lists[3] = {NULL};
    for (size_t r = 0; r < grid->kept.count; r++)
        for (size_t s = 0; s < grid->kept.items[r]->n_settings; s++)
            name_order_add(&names, grid->kept.items[r]->settings[s].name);
    for (size_t i = 0; i < names.count; i++) {
        const struct table_dimension setting = {DIMENSION_SETTING, names.names[i], names.names[i], SIDE_ROWS};
        const enum table_variation variation = table_setting_varies(&grid->kept, names.names[i]);
        const char *text = dimension_label(grid->spec, &setting);
        const struct setting *value = NULL;
        if (table_has_setting(grid->dimensions, grid->n_dimensions, names.names[i]))
            continue;
        for (size_t r = 0; r < grid->kept.count && !value; r++)
            value = record_setting(grid->kept.items[r], names.names[i]);
        if (variation == VARIES_NOWHERE)
            text = pool_printf(grid->pool, "%s = %s", text, number_text_setting(value->text));
        else if (variation == VARIES_BY_DATASET)
            text = pool_printf(grid->pool, "%s of %s", text, list_by_dataset(grid, names.names[i]));
        lists[variation] = table_join(grid->pool, lists[variation], "; ", text);
    }
    for (size_t k = 0; k < 3; k++)
        if (lists[k])
            result_note(page, notes[k], lists[k]);
}

/* Explains parameters in rows and columns, unless they have a standard symbol. */
static void note_meanings(const struct table_grid *grid, struct result *page)
{
    for (size_t i = 0; i < grid->n_dimensions; i++) {
        const struct table_dimension *dimension = &grid->dimensions[i];
        const char *meaning = NULL;
        for (size_t k = 0; k < grid->folders->count && !meaning && dimension->kind == DIMENSION_SETTING; k++)
            meaning = json_text(run_folder_parameter(&grid->folders->items[k], dimension->setting), "meaning");
        if (meaning && strcmp(plot_setting_label(dimension->setting), dimension->setting) == 0)
            result_note(page, "%s: %s.", dimension_label(grid->spec, dimension), meaning);
    }
}

/* Says which numbers are not of the same runs, and which runs not of the same conditions. */
static void note_conditions(const struct table_grid *grid, struct result *page)
{
    if (grid->uneven)
        result_note(page, "n: number of runs that the number rests on, where cells to be read together differ in it.");
    if (grid->gaps)
        result_note(page,
                    "The cells do not have the same data sets and splits, so they are not compared where they differ: "
                    "%s.",
                    grid->gaps);
    if (grid->budget_obstacle)
        result_note(page, "Some cells are not compared: %s.", grid->budget_obstacle);
    if (grid->time_obstacle)
        result_note(page, "Times are not compared: %s.", grid->time_obstacle);
}

static void note_marks(const struct table_grid *grid, struct result *page)
{
    const struct table_spec *spec = grid->spec;
    const size_t n_cells = grid->n[SIDE_ROWS] * grid->n[SIDE_COLUMNS];
    int unconverged = 0, stopped = 0, failed = 0, bold = 0;
    for (size_t c = 0; c < n_cells; c++) {
        const struct table_cell *cell = &grid->cells[c];
        bold |= cell->best;
        if (!shows_unconverged(grid, cell))
            continue;
        unconverged = 1;
        failed |= cell->n_failed > 0;
        stopped |= !spec->metrics[cell->metric].ratio_to.count &&
                   cell->n_converged + cell->n_failed < cell->records.count;
    }
    if (bold)
        result_note(page, "Bold: the best cell of the %s for one problem, among cells in which all runs converged and "
                          "that rest on the same data sets and splits, and those that print the same number.",
                    spec->best_in != 1 ? "row" : "column");
    if (unconverged)
        result_note(page, "‡ Some runs did not converge.%s%s",
                    stopped ? " Runs that stopped before count with the values at which they stopped." : "",
                    failed ? " Failed runs have no values and are left out." : "");
    if (grid->optima_differ)
        result_note(page, "Pairs whose certified optima differ from those of the baseline are left out: they are not "
                          "of the same problem.");
    if (grid->problems_differ)
        result_note(page, "Some cells have a formulation that differs from that of their baseline.");
    if (grid->problems_unknown)
        result_note(page, "Some solvers were not registered when this table was written, so it is unknown whether "
                          "they solve the problem of the baseline (give --plugin FILE).");
    if (!spec->against.count)
        return;
    const char *baseline = baseline_label(grid->pool, spec, &spec->against);
    if (grid->n_tests)
        result_note(page, "† Differs from %s at %g %%: %s, p adjusted by Holm over the %zu tests of the table.",
                    baseline, 100 * spec->level,
                    grid->over_datasets ? "signed-rank test over data sets"
                                        : "t test corrected for splits that overlap (Nadeau and Bengio 2003), of "
                                          "logarithms except for the test error, where both converged",
                    grid->n_tests);
    if (grid->n_untested)
        result_note(page, "%zu cells could not be tested against %s: fewer than %d pairs, or unknown sizes of splits.",
                    grid->n_untested, baseline, MIN_PAIRS_FOR_A_CLAIM);
}

/* ---- the cells for programs, one per row ---- */

/* For example "mdm.mu=0.1.iterations". */
static const char *column_key(const struct table_grid *grid, size_t column)
{
    const char *key = NULL;
    for (size_t i = 0; i < grid->n_dimensions; i++) {
        const struct table_dimension *dimension = &grid->dimensions[i];
        if (dimension->side != SIDE_COLUMNS)
            continue;
        const size_t place = table_grid_place(grid, i, column);
        const char *text;
        if (dimension->kind == DIMENSION_METRIC) {
            const struct table_metric *metric = &grid->spec->metrics[place];
            text = pool_printf(grid->pool, "%s.%s", measure_row(metric->measure)->measure,
                               table_statistics[metric->statistic]);
        } else if (dimension->kind == DIMENSION_SETTING)
            text = pool_printf(grid->pool, "%s=%s", dimension->name, grid->values[i].names[place]);
        else
            text = grid->values[i].names[place];
        key = table_join(grid->pool, key, ".", text);
    }
    return key ? key : "";
}

static size_t count_outcome(const struct records *records, size_t outcome)
{
    size_t count = 0;
    for (size_t i = 0; i < records->count; i++)
        count += strcmp(records->items[i]->outcome, outcome_name((enum outcome)outcome)) == 0;
    return count;
}

static void fill_data(const struct table_grid *grid, struct result *data)
{
    const struct table_spec *spec = grid->spec;
    const size_t n_cells = grid->n[SIDE_ROWS] * grid->n[SIDE_COLUMNS];
    size_t occurs[OUTCOMES];
    int has_ratio = 0;
    result_columns(data, "#row\tcolumn");
    for (size_t i = 0; i < grid->n_dimensions; i++)
        result_column(data, (struct result_column){.key = grid->dimensions[i].name});
    result_columns(data, "statistic\t#unit\t#ours.records\t#ours.converged\t#ours.failed\t#ours.n\t#ours.mean\t"
                         "#ours.sd\t#ours.min\t#ours.q1\t#ours.median\t#ours.q3\t#ours.max\t#ours.runs");
    for (size_t k = 0; k < OUTCOMES; k++)
        if ((occurs[k] = count_outcome(&grid->kept, k)))
            result_columns(data, pool_printf(data->pool, "#ours.outcomes.%s", outcome_name((enum outcome)k)));
    for (size_t m = 0; m < spec->n_metrics; m++)
        has_ratio |= spec->metrics[m].ratio_to.count > 0;
    if (has_ratio)
        result_columns(data, "ratio.to\t#ratio.n\t#6ratio.estimate\t#6ratio.low\t#6ratio.high\t#6ratio.level");
    if (spec->against.count)
        result_columns(data, "#test.n\t#6test.p\t#6test.p_adjusted\t?test.differs");
    result_columns(data, "text\t?best");
    for (size_t c = 0; c < n_cells; c++) {
        const struct table_cell *cell = &grid->cells[c];
        const struct table_metric *metric = &spec->metrics[cell->metric];
        const struct summary *summary = &cell->summary;
        const size_t at[] = {c / grid->n[SIDE_COLUMNS], c % grid->n[SIDE_COLUMNS]};
        if (cell->records.count == 0)
            continue;
        result_row(data, "%zu\t%s", at[SIDE_ROWS], column_key(grid, at[SIDE_COLUMNS]));
        for (size_t i = 0; i < grid->n_dimensions; i++) {
            const size_t place = table_grid_place(grid, i, at[grid->dimensions[i].side]);
            const char *name = grid->dimensions[i].kind == DIMENSION_METRIC ? measure_row(metric->measure)->measure
                                                                            : grid->values[i].names[place];
            result_name(data, strcmp(name, "–") != 0 ? name : NULL);
        }
        result_text(data, "%s", table_statistics[metric->statistic]);
        result_numbers(data, 1, metric->divisor, (double)cell->records.count, (double)cell->n_converged,
                       (double)cell->n_failed, (double)summary->n, summary->mean, summary->sd, summary->min,
                       summary->low_quartile, summary->median, summary->high_quartile, summary->max,
                       (double)cell->tasks.count);
        for (size_t k = 0; k < OUTCOMES; k++)
            if (occurs[k])
                result_number(data, (double)count_outcome(&cell->records, k));
        const struct estimate *ratio = &cell->ratio, *test = &cell->test;
        const struct interval *difference = &ratio->difference;
        const int with_ratio = metric->ratio_to.count && ratio->n > 0;
        if (has_ratio) {
            result_name(data, with_ratio ? metric->ratio_to.items->text : NULL);
            result_numbers(data, with_ratio, (double)ratio->n, exp(difference->estimate), exp(difference->low),
                           exp(difference->high), difference->level);
        }
        if (spec->against.count)
            result_numbers(data, test->n > 0, (double)test->n, test->p, test->adjusted, table_cell_marked(grid, cell));
        result_name(data, cell_text(grid, cell));
        result_number(data, cell->best);
    }
}

static void put_facts(const struct table_grid *grid, const char *splits, cJSON *facts)
{
    const struct table_spec *spec = grid->spec;
    const char *const obstacles[] = {grid->gaps, grid->budget_obstacle, grid->time_obstacle};
    static const char *const keys[] = {"gaps", "budgets", "times"};
    json_put_text(facts, "splits", splits);
    json_put_copy(facts, "specification", spec->json);
    if (spec->against.count) {
        cJSON *marks = json_put_object(facts, "marks");
        json_put_text(marks, "against", spec->against.items->text);
        json_put_text(marks, "test", grid->over_datasets ? "signed-rank" : "corrected resampled t");
        json_put_text(marks, "adjustment", "Holm");
        json_put_number(marks, "level", spec->level);
        json_put_number(marks, "tested", (double)grid->n_tests);
        json_put_number(marks, "untested", (double)grid->n_untested);
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (obstacles[i])
            json_put_text(facts, keys[i], obstacles[i]);
}

/* ---- files ---- */

static void warn_of_width(const struct result *page, const char *tables, FILE *warned)
{
    const struct latex_setting setting = result_latex_setting(page);
    const double points_of_cm = 72.27 / 2.54;
    if (warned && setting.width > setting.limit)
        fprintf(warned,
                "hullbench: %s/%s.tex: too wide: about %.1f cm in \\scriptsize, allowed: %.1f cm; its columns are "
                "divided into %zu tables\n",
                tables, page->name, setting.width / points_of_cm, setting.limit / points_of_cm, setting.parts);
}

static void write_grid(struct table_grid *grid, const char *tables, struct table_log *log)
{
    const struct table_spec *spec = grid->spec;
    struct records used = {.pool = grid->pool};
    struct run_table files = run_table_new(grid->pool, "", spec->name);
    struct result *page = &files.page;
    records_append(&used, &grid->kept);
    const char *splits = records_describe_splits(grid->pool, &used);
    if (spec->best_in >= 0)
        find_best(grid);
    page->points = spec->points;
    page->spans = spec->width == 1;
    result_title(page, "%s", spec->caption ? spec->caption : spec->name);
    put_facts(grid, splits, result_facts(page));
    fill_page(grid, page);
    fill_data(grid, &files.data);
    note_statistics(grid, page);
    note_meanings(grid, page);
    note_settings(grid, page);
    note_conditions(grid, page);
    note_marks(grid, page);
    result_note(page, "%s", splits);
    warn_of_width(page, tables, log->warned);
    run_table_write(&files, grid->folders, tables, log);
}

static void read_times(const struct table_spec *spec, const struct json_path *place, const struct run_folders *folders)
{
    for (size_t i = 0; has_metric(spec, MEASURE_SECONDS) && i < folders->count; i++)
        if (!run_folder_read_times(&folders->items[i]))
            json_die(place, "seconds: %s has no timings.jsonl", folders->items[i].path);
}

void own_table_write(void *own_table)
{
    const struct own_table *own = own_table;
    const struct table_spec *spec = table_spec_read(own->pool, own->json, own->place, own->names);
    read_times(spec, own->place, own->folders);
    write_grid(table_grid_make(own->pool, spec, own->place, own->folders, own->log->warned), own->tables, own->log);
}

/* For each data set, solver and setting that varies: the number of converged runs, and mean and sample sd over the
 * splits of test error, support vectors, iterations, kernel operations and duality gap. */
void summary_table_write(struct pool *pool, struct run_folder *run, const char *folder, struct table_log *log)
{
    static const char text[] = "{\"name\": \"summary\", \"caption\": \"Summary: mean ± sd over splits\","
                               "\"rows\": [\"dataset\", \"solver\", \"settings\"],"
                               "\"metrics\": [{\"metric\": \"converged\", \"statistic\": \"count\"}, \"error\","
                               "\"support-vectors\", \"iterations\", \"kernel-operations\", \"gap\"],"
                               "\"statistic\": \"mean ± sd\"}";
    const struct json_path place = {.file = "summary"};
    const struct run_folders alone = {run, 1};
    struct table_log quiet = {.said = log->said, .pool = log->pool, .written = log->written};
    struct own_table own = {pool, json_parse(pool, place.file, text), &place, NULL, &alone, folder, &quiet};
    own_table_write(&own);
}
