/*
 * Fills every cell of a printed table from the records that its column selects, and compares it by
 * harness/papers/verdict.h. Runs the table's tests in every row and derives the marks. Then the files: Markdown and
 * LaTeX with paper and ours side by side and the marks of both as superscripts, JSON and CSV with one row per cell.
 */
#include "harness/papers/reproduction.h"

#include <math.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/json_writer.h"
#include "harness/format/result.h"
#include "harness/support/decimal.h"

void verdict_counts_add(const struct verdict_counts *counts, struct verdict_counts *sum)
{
    for (int v = 0; v < VERDICT_COUNT; v++)
        sum->cells[v] += counts->cells[v];
    sum->can_agree += counts->can_agree;
    sum->expected += counts->expected;
    sum->sds_agree += counts->sds_agree;
    sum->sds_differ += counts->sds_differ;
    sum->repeated += counts->repeated;
    sum->tuned_to_paper += counts->tuned_to_paper;
    sum->marks.agree += counts->marks.agree;
    sum->marks.compared += counts->marks.compared;
    sum->marks.untested += counts->marks.untested;
}

size_t verdict_counts_tested(const struct verdict_counts *counts)
{
    size_t tested = 0;
    for (int v = 0; v < VERDICT_COUNT; v++)
        tested += v == VERDICT_MISSING || v == VERDICT_UNDECIDABLE ? 0 : counts->cells[v];
    return tested;
}

void verdict_counts_print(FILE *stream, const struct verdict_counts *counts)
{
    const size_t *cells = counts->cells;
    fprintf(stream, "%zu agree, %zu compatible, %zu near, %zu differ, %zu undecidable, %zu missing",
            cells[VERDICT_AGREES], cells[VERDICT_COMPATIBLE], cells[VERDICT_NEAR], cells[VERDICT_DIFFERS],
            cells[VERDICT_UNDECIDABLE], cells[VERDICT_MISSING]);
}

static void count_cell(const struct reproduction_cell *cell, struct verdict_counts *counts)
{
    const struct agreement *agreement = &cell->agreement;
    counts->repeated += cell->compared && !cell->counted;
    if (!cell->counted)
        return;
    counts->cells[agreement->verdict]++;
    counts->can_agree += cell->ceiling.can_agree != 0;
    counts->expected += cell->ceiling.chance;
    counts->tuned_to_paper +=
        cell->tuned_to_paper && (agreement->verdict == VERDICT_AGREES || agreement->verdict == VERDICT_COMPATIBLE);
    counts->sds_agree += agreement->sds_agree == SD_AGREES;
    counts->sds_differ += agreement->sds_agree == SD_DIFFERS;
}

static void find_reason(const struct cJSON *missing, struct reproduction_row *row)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, missing) {
        const char *dataset = json_text(item, "dataset");
        if (!dataset || strcmp(dataset, row->dataset) != 0)
            continue;
        row->reason = json_text(item, "reason");
        row->command = json_text(item, "command");
    }
}

/* Locates the printed value of a single split among ours. */
static void find_place(const struct sample *sample, struct reproduction_cell *cell)
{
    double unit = 1, below = 0, above = 0;
    cell->at_most = cell->at_least = (double)NAN;
    if (cell->printed->n != 1 || sample->n == 0)
        return;
    for (int d = 0; d < cell->printed->decimals; d++)
        unit /= 10;
    for (size_t i = 0; i < sample->n; i++) {
        /* a whole unit, not half: a figure may have been truncated instead of rounded */
        below += sample->values[i] < cell->printed->mean - unit;
        above += sample->values[i] > cell->printed->mean + unit;
    }
    cell->at_most = 1 - above / (double)sample->n;
    cell->at_least = 1 - below / (double)sample->n;
}

static void fill_cell(struct reproduction_cell *cell)
{
    const struct sample *sample = &cell->sample;
    const struct summary *measured = &cell->measured;
    const int is_minimum = cell->column->statistic == STATISTIC_MINIMUM;
    cell->measured = summary_of(sample->values, sample->n);
    cell->ours = is_minimum && sample->n ? verdict_expected_least(sample->values, sample->n, cell->printed->n)
                                         : measured->mean;
    cell->n_null = sample->n_null;
    cell->compared = cell->printed->n > 0 && cell->column->statistic != STATISTIC_VALUE;
    cell->counted = cell->compared && !cell->column->same_as;
    cell->synthetic = cell->compared && sample->generated > 0;
    cell->same_split = cell->printed->n == 1 && sample->n == 1 && cell->column->statistic == STATISTIC_MEAN &&
                       strcmp(sample->records[0]->split_source, "official") == 0;
    cell->agreement = agreement_missing;
    find_place(sample, cell);
    if (!cell->compared)
        return;
    if (sample->n && !isfinite(measured->n > 1 ? measured->mean + measured->sd : measured->mean))
        die(STATUS_BAD_INPUT, "%s: ours is %g +- %g over %zu splits: must be finite", cell->id, measured->mean,
            measured->sd, measured->n);
    cell->agreement = cell->same_split ? verdict_same_split(cell->printed, measured->mean)
                      : is_minimum     ? verdict_minimum(cell->printed, measured, sample->values)
                                       : verdict_mean(cell->printed, measured);
    if (sample->n)
        cell->ceiling = cell->same_split ? (struct ceiling){1, 1}
                        : is_minimum     ? verdict_minimum_ceiling(cell->printed, measured, sample->values)
                                         : verdict_ceiling(cell->printed, measured);
}

static struct sample take_sample(struct pool *pool, const struct records *records, const struct paper_column *column,
                                 const char *dataset, size_t folds, struct records *used)
{
    const int is_reduction = column->statistic == STATISTIC_REDUCTION;
    if (column->statistic == STATISTIC_VALUE)
        return (struct sample){0};
    struct sample sample = sample_take(pool, records, &column->from, dataset, is_reduction ? 1 : column->unit, used);
    if (is_reduction) {
        const struct sample right = sample_take(pool, records, &column->right, dataset, 1, used);
        sample = sample_reduction(pool, &sample, &right, column->unit);
    }
    return sample_repetitions(pool, &sample, folds);
}

static void fill_test(struct pool *pool, const struct paper_test *test, const struct sample *samples, uint64_t printed,
                      struct test_finding *finding, struct marks_count *marks)
{
    *finding = marks_test(pool, test, samples);
    finding->test = test;
    finding->printed = printed;
    if (!test->mark)
        return;
    /* n pairs cannot give a p-value below 2 / 2^n */
    const size_t n = finding->n;
    finding->compared = test->kind == TEST_RANK_SUM ? n > 0 : ldexp(2, n < 1000 ? -(int)n : -1000) < test->level;
    finding->agrees = finding->compared && marked_side(test, finding->marked) == marked_side(test, printed);
    marks->compared += finding->compared != 0;
    marks->untested += !finding->compared;
    marks->agree += finding->agrees != 0;
}

/* Where the records are, and where those that cells use are noted. */
struct filling {
    struct pool *pool;
    const struct records *first, *all;
    struct records *used;
};

static void fill_row(const struct filling *filling, struct reproduction *comparison, size_t i)
{
    struct pool *pool = filling->pool, *samples_pool = pool_new();
    const struct paper_table *table = comparison->table;
    const struct paper_row *printed = &table->rows[i];
    struct reproduction_row *row = &comparison->rows[i];
    struct sample *samples = pool_array(samples_pool, table->n_columns, sizeof *samples);
    *row = (struct reproduction_row){.dataset = printed->dataset,
                                     .cells = comparison->cells + i * table->n_columns,
                                     .tests = comparison->tests + i * table->n_tests};
    for (size_t j = 0; j < table->n_columns; j++) {
        struct reproduction_cell *cell = &row->cells[j];
        cell->column = &table->columns[j];
        cell->printed = &printed->cells[j];
        cell->tuned_to_paper = printed->tuned_to_paper[j];
        cell->id = pool_printf(pool, "%s/%s/%s", table->name, row->dataset, cell->column->key);
        samples[j] = take_sample(samples_pool, filling->first, cell->column, row->dataset, table->folds, NULL);
        cell->sample = take_sample(pool, filling->all, cell->column, row->dataset, table->folds, filling->used);
        fill_cell(cell);
        if (cell->sample.n > samples[j].n)
            cell->one_draw = summary_of(samples[j].values, samples[j].n);
        count_cell(cell, &comparison->counts);
        row->has_records = row->has_records || cell->measured.n + cell->n_null > 0;
    }
    for (size_t k = 0; k < table->n_tests; k++) {
        fill_test(samples_pool, &table->tests[k], samples, printed->marked[k], &row->tests[k],
                  &comparison->counts.marks);
        if (table->tests[k].key)
            row->tests[k].id = pool_printf(pool, "%s/%s/%s", table->name, row->dataset, table->tests[k].key);
    }
    pool_free(samples_pool);
}

struct reproduction *reproduction_make(struct pool *pool, const struct paper_table *table,
                                       const struct records *first, const struct records *all,
                                       const struct cJSON *missing)
{
    struct records used = {.pool = pool_new()};
    const struct filling filling = {pool, first, all, &used};
    struct reproduction *made = pool_alloc(pool, sizeof *made);
    made->table = table;
    made->n_cells = table->n_rows * table->n_columns;
    made->n_tests = table->n_rows * table->n_tests;
    made->rows = pool_array(pool, table->n_rows, sizeof *made->rows);
    made->cells = pool_array(pool, made->n_cells, sizeof *made->cells);
    made->tests = pool_array(pool, made->n_tests, sizeof *made->tests);
    for (size_t j = 0; j < table->n_columns; j++)
        made->is_measured = made->is_measured || table->columns[j].statistic != STATISTIC_VALUE;
    for (size_t i = 0; i < table->n_rows; i++) {
        fill_row(&filling, made, i);
        find_reason(missing, &made->rows[i]);
    }
    made->splits = records_describe_splits(pool, &used);
    pool_free(used.pool);
    return made;
}

/* ---- for readers: paper and ours side by side, with the marks of both ---- */

/* The marks of column j, ours or the printed ones, as digits separated by `between`; "" for none. */
static const char *marks_text(struct pool *pool, const struct paper_table *table, const struct reproduction_row *row,
                              size_t j, int ours, const char *const *digits, const char *between)
{
    const char *text = "";
    for (size_t k = 0; k < table->n_tests; k++)
        if ((ours ? row->tests[k].marked : row->tests[k].printed) >> j & 1)
            text = pool_printf(pool, "%s%s%s", text, *text ? between : "", digits[table->tests[k].mark]);
    return text;
}

static const char *const superscripts[] = {"", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

/* "12.3 ± 0.4", or "12.3" if the sd is NAN; nothing if the mean is. */
static struct result_value *put_mean(struct result *page, double mean, int decimals, double sd, int sd_decimals)
{
    return isnan(mean) ? result_none(page)
           : isnan(sd) ? result_shown(page, mean, "%.*f", decimals, mean)
                       : result_shown(page, mean, "%.*f ± %.*f", decimals, mean, sd_decimals, sd);
}

/* "12.3 ± 0.4¹ =" and, if a single split is printed, the shares of ours below and not above it. If the paper prints a
 * standard error, ours is that of the mean of as many splits as the paper's. */
static void put_measured(struct result *page, const struct reproduction_cell *cell, const char *marks)
{
    char shares[40] = "";
    const int decimals = cell->compared ? cell->printed->decimals : 3,
              sd_decimals = cell->compared ? cell->printed->sd_decimals : 3,
              has_sd = cell->column->statistic != STATISTIC_MINIMUM && cell->measured.n > 1;
    if (cell->measured.n == 0) {
        result_text(page, "data missing");
        return;
    }
    if (has_sd && !isnan(cell->at_most))
        snprintf(shares, sizeof shares, " (%.0f–%.0f)", 100 * (1 - cell->at_least), 100 * cell->at_most);
    const double sd = has_sd ? cell->measured.sd / printed_sd_scale(cell->printed) : (double)NAN;
    struct result_value *value = put_mean(page, has_sd ? cell->measured.mean : cell->ours, decimals, sd, sd_decimals);
    value->mark = pool_printf(page->pool, "%s%s%s%s", marks,
                              has_sd && cell->agreement.sds_agree == SD_DIFFERS ? "†" : "",
                              cell->compared && cell->tuned_to_paper ? "‡" : "", shares);
    if (cell->compared) {
        value->sign = verdict_texts[cell->agreement.verdict].sign;
        value->meaning = verdict_texts[cell->agreement.verdict].name;
    }
}

static void put_row(struct result *page, const struct paper_table *table, const struct reproduction_row *row)
{
    result_text(page, "%s", row->dataset);
    for (size_t j = 0; j < table->n_columns; j++) {
        const struct printed *printed = row->cells[j].printed;
        put_mean(page, printed->mean, printed->decimals, printed->sd / printed_sd_scale(printed),
                 printed->sd_decimals)->mark = marks_text(page->pool, table, row, j, 0, superscripts, ",");
        if (table->columns[j].statistic != STATISTIC_VALUE)
            put_measured(page, &row->cells[j], marks_text(page->pool, table, row, j, 1, superscripts, ","));
    }
    for (size_t k = 0; k < table->n_tests; k++) {
        const struct test_finding *test = &row->tests[k];
        if (test->test->mark) /* shown as a superscript */
            continue;
        if (test->n)
            result_shown(page, test->result.p_value, "%.3g", test->result.p_value)->mark = test->significant ? "*" : "";
        else
            result_none(page);
    }
}

/* "a", or "the best of a and b". */
static const char *side_text(struct pool *pool, const struct paper_table *table, const struct test_side *side)
{
    return pool_printf(pool, "%s%s", side->n > 1 ? "the best of " : "",
                       paper_column_keys(pool, table, test_side_columns(side), " and "));
}

static void test_notes(struct result *page, const struct reproduction *comparison)
{
    const struct marks_count *marks = &comparison->counts.marks;
    for (size_t k = 0; k < comparison->table->n_tests; k++) {
        const struct paper_test *test = &comparison->table->tests[k];
        const char *kind = test_kind_names[test->kind],
                   *first = side_text(page->pool, comparison->table, &test->sides[0]),
                   *second = side_text(page->pool, comparison->table, &test->sides[1]);
        if (test->mark)
            result_note(page, "Mark %d: two-sided %s test of %s against %s, p < %g.", test->mark, kind, first, second,
                        test->level);
        else
            result_note(page, "p: two-sided %s test of our values, %s against %s; * marks p < %g.", kind, first, second,
                        test->level);
    }
    if (marks->compared + marks->untested > 0)
        result_note(page, "marks: %zu of %zu agree%s", marks->agree, marks->compared,
                    marks->untested ? "; others could not be tested." : ".");
}

/* Notes on standard deviations that differ, on columns that repeat numbers, and on further draws. */
static void put_counts_note(struct result *page, const struct reproduction *comparison)
{
    const struct verdict_counts *counts = &comparison->counts;
    const size_t sds = counts->sds_agree + counts->sds_differ;
    if (sds)
        result_note(page, "standard deviations: %zu of %zu differ from the printed ones (F test at 99 %%)%s",
                    counts->sds_differ, sds, counts->sds_differ ? ", marked with †." : ".");
    if (counts->repeated)
        result_note(page, "%zu cells repeat the number of another column and are not counted.", counts->repeated);
    for (size_t i = 0; i < comparison->n_cells; i++)
        if (comparison->cells[i].one_draw.n) {
            result_note(page, "Where we have more splits than the paper, mean, deviation and verdict use all of them; "
                              "tests and marks use as many as the paper.");
            break;
        }
    for (size_t j = 0; j < comparison->table->n_columns; j++)
        if (comparison->table->columns[j].statistic == STATISTIC_MEAN_SE)
            result_note(page, "%s: ± is the standard error of the mean of as many splits as the paper has.",
                        comparison->table->columns[j].title);
}

/* Notes each convention once, in the order of the cells. */
static void tuned_notes(struct result *page, const struct reproduction *comparison)
{
    for (size_t i = 0; i < comparison->n_cells; i++) {
        const struct reproduction_cell *cell = &comparison->cells[i];
        size_t before = 0;
        while (before < i && comparison->cells[before].tuned_to_paper != cell->tuned_to_paper)
            before++;
        if (cell->tuned_to_paper && before == i)
            result_note(page, "‡ Agreement is not an independent confirmation: %s.", cell->tuned_to_paper);
    }
}

static void put_notes(struct result *page, const struct reproduction *comparison)
{
    const struct paper_table *table = comparison->table;
    result_note(page, "%s", table->source);
    if (!comparison->is_measured)
        return;
    result_note(page, "%s", comparison->splits);
    put_counts_note(page, comparison);
    tuned_notes(page, comparison);
    test_notes(page, comparison);
    for (size_t i = 0; i < table->n_rows; i++) {
        const struct reproduction_row *row = &comparison->rows[i];
        size_t n_null = 0;
        for (size_t j = 0; j < table->n_columns; j++)
            n_null += row->cells[j].n_null;
        if (n_null)
            result_note(page, "%s: %zu values in records are null and left out.", row->dataset, n_null);
        if (!row->has_records && row->reason)
            result_note(page, "%s: %s%s%s", row->dataset, row->reason, row->command ? "; " : "",
                        row->command ? row->command : "");
    }
}

void reproduction_page(const struct reproduction *comparison, struct result *page)
{
    const struct paper_table *table = comparison->table;
    page->name = table->name;
    result_title(page, "%s: %s", table->name, table->caption);
    result_columns(page, "data set");
    for (size_t j = 0; j < table->n_columns; j++) {
        result_column(page, (struct result_column){.title = table->columns[j].title, .kind = RESULT_NUMBER});
        if (table->columns[j].statistic != STATISTIC_VALUE)
            result_columns(page, "#ours");
    }
    for (size_t k = 0; k < table->n_tests; k++)
        if (!table->tests[k].mark)
            result_columns(page, "#p");
    for (size_t i = 0; i < table->n_rows; i++)
        put_row(page, table, &comparison->rows[i]);
    put_notes(page, comparison);
}

/* ---- for programs: a row for each cell, and one for each test ---- */

static void put_cell(struct result *data, const struct paper_table *table, const struct reproduction_row *row, size_t j)
{
    const struct reproduction_cell *cell = &row->cells[j];
    const struct agreement *agreement = &cell->agreement;
    const struct printed *printed = cell->printed;
    const struct summary *measured = &cell->measured, *one_draw = &cell->one_draw;
    const int is_measured = cell->column->statistic != STATISTIC_VALUE;
    result_row(data, "%s\t%s\t%s", table->name, row->dataset, cell->column->key);
    result_number(data, cell->column->unit);
    result_numbers(data, is_measured, measured->mean, measured->sd, (double)measured->n, measured->min, measured->max,
                   measured->median, (double)cell->n_null);
    result_numbers(data, one_draw->n > 0, one_draw->mean, one_draw->sd, (double)one_draw->n, one_draw->min);
    result_numbers(data, 1, printed->mean, printed->sd);
    result_numbers(data, printed->is_error, printed->sd / printed_sd_scale(printed));
    result_numbers(data, printed->n > 0, (double)printed->n, printed->decimals);
    result_name(data, cell->compared ? verdict_texts[agreement->verdict].name : NULL);
    result_name(data, cell->compared ? cell->tuned_to_paper : NULL);
    result_name(data, cell->column->same_as);
    result_numbers(data, cell->compared, agreement->difference, round_to_12_digits(agreement->low),
                   round_to_12_digits(agreement->high), round_to_12_digits(agreement->bound),
                   round_to_12_digits(agreement->allowed), agreement->sd_ratio);
    result_numbers(data, cell->compared && agreement->sds_agree != SD_UNDECIDABLE, agreement->sds_agree == SD_AGREES);
    result_numbers(data, cell->compared, cell->at_most, cell->at_least);
    for (int ours = 1; ours >= 0; ours--) {
        const char *marks = marks_text(data->pool, table, row, j, ours, digits, " ");
        result_name(data, *marks ? marks : NULL);
    }
}

static void put_test(struct result *tests, const struct paper_table *table, const struct reproduction_row *row,
                     const struct test_finding *finding)
{
    const struct paper_test *test = finding->test;
    result_row(tests, "%s\t%s\t%s\t%s", row->dataset, test_kind_names[test->kind],
               table->columns[finding->columns[0]].key, table->columns[finding->columns[1]].key);
    result_numbers(tests, 1, test->level, (double)finding->n);
    result_numbers(tests, finding->n > 0, finding->result.p_value, finding->result.exact, finding->significant);
    result_name(tests, test->mark ? test->key : NULL);
    result_numbers(tests, test->mark, test->mark);
    result_name(tests, finding->compared ? paper_column_keys(tests->pool, table, finding->marked, " ") : NULL);
    result_name(tests, test->mark ? paper_column_keys(tests->pool, table, finding->printed, " ") : NULL);
    result_numbers(tests, finding->compared, finding->agrees);
}

static void put_facts(const struct reproduction *comparison, cJSON *facts)
{
    const struct marks_count *marks = &comparison->counts.marks;
    json_put_text(facts, "source", comparison->table->source);
    json_put_text(facts, "splits", comparison->splits);
    if (marks->compared + marks->untested > 0) {
        cJSON *count = json_put_object(facts, "marks");
        json_put_number(count, "agree", (double)marks->agree);
        json_put_number(count, "compared", (double)marks->compared);
        json_put_number(count, "untested", (double)marks->untested);
    }
    cJSON *missing = json_put_array(facts, "missing");
    for (size_t i = 0; comparison->is_measured && i < comparison->table->n_rows; i++) {
        const struct reproduction_row *row = &comparison->rows[i];
        if (row->has_records)
            continue;
        cJSON *item = json_add_object(missing);
        json_put_text(item, "dataset", row->dataset);
        json_put_text(item, "reason", row->reason ? row->reason : "no records");
        if (row->command)
            json_put_text(item, "command", row->command);
    }
}

void reproduction_data(const struct reproduction *comparison, int with_ids, struct result *cells, struct result *tests)
{
    const struct paper_table *table = comparison->table;
    if (!cells->columns.count) {
        result_columns(cells, "table\tdataset\tcolumn\t#unit\t#ours.mean\t#ours.sd\t#ours.n\t#ours.min\t#ours.max\t"
                              "#ours.median\t#ours.without_value\t#ours.one_draw.mean\t#ours.one_draw.sd\t"
                              "#ours.one_draw.n\t#ours.one_draw.min\t#paper.mean\t#paper.sd\t#paper.se\t#paper.n\t"
                              "#paper.decimals\tverdict\ttuned_to_paper\tsame_as\t#difference\t#low\t#high\t"
                              "#bound\t#allowed\t#sd_ratio\t?sds_agree\t#share_at_most\t#share_at_least\t"
                              "ours_marks\tpaper_marks");
        result_columns(tests, "dataset\tkind\tfirst\tsecond\t#level\t#n\t#6p_value\t?exact\t?significant\tkey\t#mark"
                              "\tours_on\tpaper_on\t?agrees");
        for (int k = 0; with_ids && k < 2; k++)
            result_columns(k ? tests : cells, "id");
    }
    for (size_t i = 0; i < table->n_rows; i++) {
        for (size_t j = 0; j < table->n_columns; j++) {
            put_cell(cells, table, &comparison->rows[i], j);
            if (with_ids)
                result_name(cells, comparison->rows[i].cells[j].id);
        }
        for (size_t k = 0; k < table->n_tests; k++) {
            put_test(tests, table, &comparison->rows[i], &comparison->rows[i].tests[k]);
            if (with_ids)
                result_name(tests, comparison->rows[i].tests[k].id);
        }
    }
}

void reproduction_write(const struct reproduction *comparison, const char *folder)
{
    struct pool *pool = pool_new();
    struct result page = {.pool = pool}, data = {.pool = pool};
    reproduction_page(comparison, &page);
    if (comparison->is_measured)
        result_note(&page, "After the printed value: our value over the splits, and the verdict. %s",
                    verdict_explanation);
    put_facts(comparison, result_facts(&page));
    reproduction_data(comparison, 0, &data, result_part(&data, "tests", NULL));
    result_write_files(&page, &data, folder);
    pool_free(pool);
}
