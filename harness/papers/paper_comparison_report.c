/*
 * A filled table written four times: JSON with all that is known about a cell, Markdown and LaTeX with paper and ours
 * beside each other and the marks of both as superscripts, CSV with one line a cell.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

#include "harness/format/text_table.h"
#include "harness/papers/paper_comparison.h"
#include "harness/program/json_writer.h"
#include "harness/support/round_to_12_digits.h"

static void cell_json(cJSON *row, const struct paper_comparison *comparison, size_t i, size_t j)
{
    const struct paper_column *column = &comparison->table->columns[j];
    const struct printed *printed = &comparison->table->rows[i].cells[j];
    const struct comparison_cell *cell = &comparison->rows[i].cells[j];
    cJSON *json = json_put_object(row, column->key);
    if (column->statistic == STATISTIC_VALUE)
        json_put_null(json, "ours");
    else {
        cJSON *measured = json_put_object(json, "ours");
        json_put_number(measured, "mean", cell->measured.mean);
        json_put_number(measured, "sd", cell->measured.sd);
        json_put_number(measured, "n", (double)cell->measured.n);
        json_put_number(measured, "min", cell->measured.min);
        json_put_number(measured, "max", cell->measured.max);
        json_put_number(measured, "median", cell->measured.median);
        json_put_number(measured, "without_value", (double)cell->n_null);
    }
    if (printed->n == 0)
        json_put_null(json, "paper");
    else {
        cJSON *paper = json_put_object(json, "paper");
        json_put_number(paper, "mean", printed->mean);
        json_put_number(paper, "sd", column->statistic == STATISTIC_MEAN_SD ? printed->sd : (double)NAN);
        json_put_number(paper, "n", (double)printed->n);
        json_put_number(paper, "decimals", printed->decimals);
    }
    if (!cell->compared) {
        json_put_null(json, "verdict");
        return;
    }
    if (!isnan(cell->at_most)) {
        json_put_number(json, "share_at_most", cell->at_most);
        json_put_number(json, "share_at_least", cell->at_least);
    }
    json_put_text(json, "verdict", verdict_name(cell->comparison.verdict));
    json_put_number(json, "difference", cell->comparison.difference);
    json_put_number(json, "allowed", round_to_12_digits(cell->comparison.allowed));
    json_put_number(json, "sd_ratio", cell->comparison.sd_ratio);
    if (cell->comparison.sds_agree < 0)
        json_put_null(json, "sds_agree");
    else
        json_put_bool(json, "sds_agree", cell->comparison.sds_agree);
}

static void mark_json(cJSON *item, const struct paper_comparison *comparison, size_t i, size_t k)
{
    const struct paper_table *table = comparison->table;
    int compared = comparison_mark_compared(comparison, i, k);
    json_put_text(item, "key", table->tests[k].key);
    json_put_number(item, "mark", table->tests[k].mark);
    if (compared) {
        marks_json(item, "ours_on", table, comparison->rows[i].marked[k]);
        json_put_bool(item, "agrees", comparison_mark_agrees(comparison, i, k));
    } else {
        json_put_null(item, "ours_on");
        json_put_null(item, "agrees");
    }
    marks_json(item, "paper_on", table, table->rows[i].marked[k]);
}

static void tests_json(cJSON *json, const struct paper_comparison *comparison, size_t i)
{
    const struct paper_table *table = comparison->table;
    cJSON *tests = json_put_array(json, "tests");
    for (size_t k = 0; k < table->n_tests; k++) {
        const struct test_finding *test = &comparison->rows[i].tests[k];
        cJSON *item = json_add_object(tests);
        json_put_text(item, "kind", test_kind_name(table->tests[k].kind));
        json_put_text(item, "first", table->columns[test->columns[0]].key);
        json_put_text(item, "second", table->columns[test->columns[1]].key);
        json_put_number(item, "level", table->tests[k].level);
        json_put_number(item, "n", (double)test->n);
        json_put_rounded(item, "p_value", test->n ? test->result.p_value : (double)NAN);
        if (test->n) {
            json_put_bool(item, "exact", test->result.exact);
            json_put_bool(item, "significant", test->significant);
        } else
            json_put_null(item, "significant");
        if (table->tests[k].mark)
            mark_json(item, comparison, i, k);
    }
}

static void count_json(cJSON *json, const struct marks_count *marks)
{
    cJSON *item = json_put_object(json, "marks");
    json_put_number(item, "agree", (double)marks->agree);
    json_put_number(item, "compared", (double)marks->compared);
    json_put_number(item, "untested", (double)marks->untested);
}

static cJSON *table_json(const struct paper_comparison *comparison)
{
    const struct paper_table *table = comparison->table;
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 1);
    json_put_text(json, "table", table->name);
    json_put_text(json, "caption", table->caption);
    json_put_text(json, "source", table->source);
    json_put_text(json, "splits", comparison->splits);
    if (comparison->marks.compared + comparison->marks.untested > 0)
        count_json(json, &comparison->marks);
    cJSON *columns = json_put_array(json, "columns");
    for (size_t j = 0; j < table->n_columns; j++) {
        cJSON *column = json_add_object(columns);
        json_put_text(column, "key", table->columns[j].key);
        json_put_text(column, "title", table->columns[j].title);
        json_put_number(column, "unit", table->columns[j].unit);
    }
    cJSON *rows = json_put_object(json, "rows");
    for (size_t i = 0; i < table->n_rows; i++) {
        cJSON *row = json_put_object(rows, table->rows[i].dataset);
        cJSON *cells = json_put_object(row, "cells");
        for (size_t j = 0; j < table->n_columns; j++)
            cell_json(cells, comparison, i, j);
        tests_json(row, comparison, i);
        if (comparison_is_measured(comparison) && !comparison_row_has_records(comparison, i)) {
            json_put_text(row, "missing", comparison->rows[i].reason ? comparison->rows[i].reason : "no records");
            if (comparison->rows[i].command)
                json_put_text(row, "command", comparison->rows[i].command);
        }
    }
    return json;
}

/* ---- Markdown and LaTeX ---- */

enum { MARKS_SIZE = 64, SIDE_SIZE = 512 };

const char *verdict_sign(const struct comparison_cell *cell)
{
    static const char *const signs[] = {
        [VERDICT_MATCH] = "=", [VERDICT_NEAR] = "≈", [VERDICT_DIFFERS] = "≠", [VERDICT_MISSING] = ""};
    return cell->compared ? signs[cell->comparison.verdict] : "";
}

static void put_printed(struct text_table *text, const struct paper_table *table, size_t i, size_t j)
{
    char marks[MARKS_SIZE];
    const struct printed *printed = &table->rows[i].cells[j];
    marks_text(table, j, table->rows[i].marked, marks, sizeof marks);
    if (printed->n == 0)
        text_table_cell(text, "–");
    else if (table->columns[j].statistic == STATISTIC_MEAN_SD)
        text_table_cell(text, "%.*f ± %.*f%s", printed->decimals, printed->mean, printed->sd_decimals, printed->sd,
                        marks);
    else
        text_table_cell(text, "%.*f%s", printed->decimals, printed->mean, marks);
}

/* "12.3 ± 0.4¹ =", and where a single split is printed the shares of ours below and not above it. */
static void put_measured(struct text_table *text, const struct paper_comparison *comparison, size_t i, size_t j)
{
    char marks[MARKS_SIZE], shares[40] = "";
    const struct comparison_cell *cell = &comparison->rows[i].cells[j];
    const struct printed *printed = &comparison->table->rows[i].cells[j];
    int decimals = cell->compared ? printed->decimals : 3, sd_decimals = cell->compared ? printed->sd_decimals : 3;
    marks_text(comparison->table, j, comparison->rows[i].marked, marks, sizeof marks);
    if (cell->measured.n == 0)
        text_table_cell(text, "data missing");
    else if (comparison->table->columns[j].statistic == STATISTIC_MINIMUM || cell->measured.n == 1)
        text_table_cell(text, "%.*f%s %s", decimals, comparison_measured(comparison, i, j), marks, verdict_sign(cell));
    else {
        if (cell->compared && !isnan(cell->at_most))
            snprintf(shares, sizeof shares, " (%.0f–%.0f)", 100 * (1 - cell->at_least), 100 * cell->at_most);
        text_table_cell(text, "%.*f ± %.*f%s %s%s", decimals, cell->measured.mean, sd_decimals, cell->measured.sd,
                        marks, verdict_sign(cell), shares);
    }
}

static void put_row(struct text_table *text, const struct paper_comparison *comparison, size_t i)
{
    const struct paper_table *table = comparison->table;
    text_table_cell(text, "%s", table->rows[i].dataset);
    for (size_t j = 0; j < table->n_columns; j++) {
        put_printed(text, table, i, j);
        if (table->columns[j].statistic != STATISTIC_VALUE)
            put_measured(text, comparison, i, j);
    }
    for (size_t k = 0; k < table->n_tests; k++) {
        const struct test_finding *test = &comparison->rows[i].tests[k];
        if (table->tests[k].mark) /* shown as superscript */
            continue;
        if (test->n)
            text_table_cell(text, "%.3g%s", test->result.p_value, test->significant ? " *" : "");
        else
            text_table_cell(text, "–");
    }
}

/* "a", or "the best of a and b". */
static void side_text(const struct paper_table *table, const struct test_side *side, char *text)
{
    size_t used = (size_t)snprintf(text, SIDE_SIZE, "%s", side->n > 1 ? "the best of " : "");
    for (size_t i = 0; i < side->n && used < SIDE_SIZE; i++)
        used += (size_t)snprintf(text + used, SIDE_SIZE - used, "%s%s", i ? " and " : "",
                                 table->columns[side->columns[i]].key);
}

static void test_notes(struct text_table *text, const struct paper_comparison *comparison)
{
    const struct paper_table *table = comparison->table;
    const struct marks_count *marks = &comparison->marks;
    for (size_t k = 0; k < table->n_tests; k++) {
        char first[SIDE_SIZE], second[SIDE_SIZE];
        const struct paper_test *test = &table->tests[k];
        const char *kind = test_kind_name(test->kind);
        side_text(table, &test->sides[0], first);
        side_text(table, &test->sides[1], second);
        if (test->mark)
            text_table_footnote(text, "Mark %d: two-sided %s test of %s against %s, p < %g.", test->mark, kind, first,
                                second, test->level);
        else
            text_table_footnote(text, "p: two-sided %s test of ours, %s against %s; * marks p < %g.", kind, first,
                                second, test->level);
    }
    if (marks->compared + marks->untested > 0)
        text_table_footnote(text, "marks: %zu of %zu agree%s", marks->agree, marks->compared,
                            marks->untested ? "; others could not be tested." : ".");
}

static void put_notes(struct text_table *text, const struct paper_comparison *comparison)
{
    const struct paper_table *table = comparison->table;
    text_table_footnote(text, "%s", table->source);
    if (!comparison_is_measured(comparison))
        return;
    text_table_footnote(text, "%s", comparison->splits);
    text_table_footnote(text, "Beside the printed figure ours over the splits and the verdict: "
                              "= match, ≈ near, ≠ differs.");
    test_notes(text, comparison);
    for (size_t i = 0; i < table->n_rows; i++) {
        const struct comparison_row *row = &comparison->rows[i];
        size_t n_null = 0;
        for (size_t j = 0; j < table->n_columns; j++)
            n_null += row->cells[j].n_null;
        if (n_null)
            text_table_footnote(text, "%s: %zu figures of records are null and left out.", table->rows[i].dataset,
                                n_null);
        if (!comparison_row_has_records(comparison, i) && row->reason)
            text_table_footnote(text, "%s: %s%s%s", table->rows[i].dataset, row->reason, row->command ? "; " : "",
                                row->command ? row->command : "");
    }
}

void comparison_table(const struct paper_comparison *comparison, struct text_table *text)
{
    const struct paper_table *table = comparison->table;
    text->columns = 1;
    for (size_t k = 0; k < table->n_tests; k++)
        text->columns += !table->tests[k].mark;
    for (size_t j = 0; j < table->n_columns; j++)
        text->columns += table->columns[j].statistic == STATISTIC_VALUE ? 1 : 2;
    text_table_title(text, "%s: %s", table->name, table->caption);
    text_table_cell(text, "data set");
    for (size_t j = 0; j < table->n_columns; j++) {
        text_table_cell(text, "%s", table->columns[j].title);
        if (table->columns[j].statistic != STATISTIC_VALUE)
            text_table_cell(text, "ours");
    }
    for (size_t k = 0; k < table->n_tests; k++)
        if (!table->tests[k].mark)
            text_table_cell(text, "p");
    for (size_t i = 0; i < table->n_rows; i++)
        put_row(text, comparison, i);
    put_notes(text, comparison);
}

/* ---- CSV ---- */

static void csv_number(struct text_table *csv, double value)
{
    if (isfinite(value))
        text_table_cell(csv, "%.15g", value);
    else
        text_table_cell(csv, "%s", "");
}

/* The digits with spaces between. */
static void csv_marks(struct text_table *csv, const struct paper_table *table, size_t column, const uint64_t *marked)
{
    char text[64] = "";
    size_t used = 0;
    for (size_t k = 0; k < table->n_tests && used < sizeof text; k++)
        if (marked[k] >> column & 1)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%d", used ? " " : "", table->tests[k].mark);
    text_table_cell(csv, "%s", text);
}

static void fill_csv(struct text_table *csv, const struct paper_comparison *comparison)
{
    static const char *const header[] = {
        "table",   "dataset",    "column",   "unit",    "ours_mean",      "ours_sd", "ours_min", "ours_n",
        "paper_mean", "paper_sd", "paper_n", "paper_decimals", "verdict", "sd_ratio", "sds_agree", "ours_marks",
        "paper_marks"};
    const struct paper_table *table = comparison->table;
    csv->columns = sizeof header / sizeof *header;
    for (size_t k = 0; k < csv->columns; k++)
        text_table_cell(csv, "%s", header[k]);
    for (size_t i = 0; i < table->n_rows; i++)
        for (size_t j = 0; j < table->n_columns; j++) {
            const struct comparison_cell *cell = &comparison->rows[i].cells[j];
            const struct printed *printed = &table->rows[i].cells[j];
            int spread = table->columns[j].statistic == STATISTIC_MEAN_SD;
            text_table_cell(csv, "%s", table->name);
            text_table_cell(csv, "%s", table->rows[i].dataset);
            text_table_cell(csv, "%s", table->columns[j].key);
            csv_number(csv, table->columns[j].unit);
            csv_number(csv, cell->measured.mean);
            csv_number(csv, cell->measured.sd);
            csv_number(csv, cell->measured.min);
            csv_number(csv, (double)cell->measured.n);
            csv_number(csv, printed->n ? printed->mean : (double)NAN);
            csv_number(csv, printed->n && spread ? printed->sd : (double)NAN);
            csv_number(csv, printed->n ? (double)printed->n : (double)NAN);
            csv_number(csv, printed->n ? printed->decimals : (double)NAN);
            text_table_cell(csv, "%s", cell->compared ? verdict_name(cell->comparison.verdict) : "");
            csv_number(csv, cell->compared ? cell->comparison.sd_ratio : (double)NAN);
            csv_number(csv,
                       cell->compared && cell->comparison.sds_agree >= 0 ? cell->comparison.sds_agree : (double)NAN);
            csv_marks(csv, table, j, comparison->rows[i].marked);
            csv_marks(csv, table, j, table->rows[i].marked);
        }
}

enum status comparison_write(const struct paper_comparison *comparison, const char *folder, struct error *error)
{
    struct text_table table = {0}, csv = {0};
    cJSON *json = table_json(comparison);
    comparison_table(comparison, &table);
    fill_csv(&csv, comparison);
    enum status status = text_table_write_files(folder, comparison->table->name, json, &table, &csv, error);
    cJSON_Delete(json);
    text_table_free(&table);
    text_table_free(&csv);
    return status;
}
