/*
 * Writes a filled table four times: JSON with everything known about each cell, Markdown and LaTeX with paper and ours
 * side by side and the marks of both as superscripts, CSV with one line per cell.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

#include "harness/format/text_table.h"
#include "harness/papers/paper_comparison.h"
#include "harness/base/json_writer.h"
#include "harness/support/round_to_12_digits.h"

/* Writes true or false, or null if it is not known. */
static void put_answer(cJSON *json, const char *key, int known, int answer)
{
    if (known)
        json_put_bool(json, key, answer);
    else
        json_put_null(json, key);
}

static void put_one_draw(cJSON *ours, const struct summary *draw)
{
    cJSON *json = json_put_object(ours, "one_draw");
    json_put_number(json, "mean", draw->mean);
    json_put_number(json, "sd", draw->sd);
    json_put_number(json, "n", (double)draw->n);
    json_put_number(json, "min", draw->min);
}

static void cell_json(cJSON *row, const struct comparison_cell *cell)
{
    const struct printed *printed = cell->printed;
    const struct summary *measured = &cell->measured;
    cJSON *json = json_put_object(row, cell->column->key);
    if (cell->column->statistic == STATISTIC_VALUE)
        json_put_null(json, "ours");
    else {
        cJSON *ours = json_put_object(json, "ours");
        json_put_number(ours, "mean", measured->mean);
        json_put_number(ours, "sd", measured->sd);
        json_put_number(ours, "n", (double)measured->n);
        json_put_number(ours, "min", measured->min);
        json_put_number(ours, "max", measured->max);
        json_put_number(ours, "median", measured->median);
        json_put_number(ours, "without_value", (double)cell->n_null);
        if (cell->one_draw.n)
            put_one_draw(ours, &cell->one_draw);
    }
    if (printed->n == 0)
        json_put_null(json, "paper");
    else {
        cJSON *paper = json_put_object(json, "paper");
        json_put_number(paper, "mean", printed->mean);
        json_put_number(paper, "sd", printed->sd);
        if (printed->is_error)
            json_put_number(paper, "se", printed->sd / printed_sd_scale(printed));
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
    json_put_text(json, "verdict", verdict_texts[cell->agreement.verdict].name);
    if (cell->fitted)
        json_put_text(json, "not_independent", cell->fitted);
    json_put_text(json, "previous_verdict", previous_verdict_names[cell->agreement.previous]);
    if (cell->column->same_as)
        json_put_text(json, "same_as", cell->column->same_as);
    json_put_number(json, "difference", cell->agreement.difference);
    json_put_number(json, "low", round_to_12_digits(cell->agreement.low));
    json_put_number(json, "high", round_to_12_digits(cell->agreement.high));
    json_put_number(json, "bound", round_to_12_digits(cell->agreement.bound));
    json_put_number(json, "allowed", round_to_12_digits(cell->agreement.allowed));
    json_put_number(json, "sd_ratio", cell->agreement.sd_ratio);
    put_answer(json, "sds_agree", cell->agreement.sds_agree != SD_UNDECIDABLE, cell->agreement.sds_agree == SD_AGREES);
}

static void test_json(cJSON *item, const struct paper_table *table, const struct test_finding *finding)
{
    const struct paper_test *test = finding->test;
    json_put_text(item, "kind", test_kind_names[test->kind]);
    json_put_text(item, "first", table->columns[finding->columns[0]].key);
    json_put_text(item, "second", table->columns[finding->columns[1]].key);
    json_put_number(item, "level", test->level);
    json_put_number(item, "n", (double)finding->n);
    json_put_rounded(item, "p_value", finding->n ? finding->result.p_value : (double)NAN);
    if (finding->n)
        json_put_bool(item, "exact", finding->result.exact);
    put_answer(item, "significant", finding->n > 0, finding->significant);
    if (!test->mark)
        return;
    json_put_text(item, "key", test->key);
    json_put_number(item, "mark", test->mark);
    if (finding->compared)
        marks_json(item, "ours_on", table, finding->marked);
    else
        json_put_null(item, "ours_on");
    put_answer(item, "agrees", finding->compared, finding->agrees);
    marks_json(item, "paper_on", table, finding->printed);
}

static void row_json(cJSON *json, const struct paper_comparison *comparison, const struct comparison_row *row)
{
    cJSON *cells = json_put_object(json, "cells");
    for (size_t j = 0; j < comparison->table->n_columns; j++)
        cell_json(cells, &row->cells[j]);
    cJSON *tests = json_put_array(json, "tests");
    for (size_t k = 0; k < comparison->table->n_tests; k++)
        test_json(json_add_object(tests), comparison->table, &row->tests[k]);
    if (!comparison->is_measured || row->has_records)
        return;
    json_put_text(json, "missing", row->reason ? row->reason : "no records");
    if (row->command)
        json_put_text(json, "command", row->command);
}

static cJSON *table_json(const struct paper_comparison *comparison)
{
    const struct paper_table *table = comparison->table;
    const struct marks_count *marks = &comparison->marks;
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 1);
    json_put_text(json, "table", table->name);
    json_put_text(json, "caption", table->caption);
    json_put_text(json, "source", table->source);
    json_put_text(json, "splits", comparison->splits);
    if (marks->compared + marks->untested > 0) {
        cJSON *count = json_put_object(json, "marks");
        json_put_number(count, "agree", (double)marks->agree);
        json_put_number(count, "compared", (double)marks->compared);
        json_put_number(count, "untested", (double)marks->untested);
    }
    cJSON *columns = json_put_array(json, "columns");
    for (size_t j = 0; j < table->n_columns; j++) {
        cJSON *column = json_add_object(columns);
        json_put_text(column, "key", table->columns[j].key);
        json_put_text(column, "title", table->columns[j].title);
        json_put_number(column, "unit", table->columns[j].unit);
    }
    cJSON *rows = json_put_object(json, "rows");
    for (size_t i = 0; i < table->n_rows; i++)
        row_json(json_put_object(rows, comparison->rows[i].dataset), comparison, &comparison->rows[i]);
    return json;
}

/* ---- Markdown and LaTeX ---- */

enum { MARKS_SIZE = 64, SIDE_SIZE = 512 };

const char *verdict_sign(const struct comparison_cell *cell)
{
    const enum verdict verdict = cell->agreement.verdict;
    return cell->compared && verdict != VERDICT_MISSING ? verdict_texts[verdict].sign : "";
}

/* The marks of column j, ours or the printed ones, as digits separated by `between`; "" for none. */
static void marks_text(const struct paper_table *table, const struct comparison_row *row, size_t j, int ours,
                       const char *const *digits, const char *between, char *text)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < table->n_tests && used < MARKS_SIZE; k++)
        if ((ours ? row->tests[k].marked : row->tests[k].printed) >> j & 1)
            used += (size_t)snprintf(text + used, MARKS_SIZE - used, "%s%s", used ? between : "",
                                     digits[table->tests[k].mark]);
}

static const char *const superscripts[] = {"", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

static void put_printed(struct text_table *text, const struct printed *printed, const char *marks)
{
    if (printed->n == 0)
        text_table_cell(text, "–");
    else if (isnan(printed->sd))
        text_table_cell(text, "%.*f%s", printed->decimals, printed->mean, marks);
    else
        text_table_cell(text, "%.*f ± %.*f%s", printed->decimals, printed->mean, printed->sd_decimals,
                        printed->sd / printed_sd_scale(printed), marks);
}

double comparison_one_draw(const struct comparison_cell *cell)
{
    return cell->column->statistic == STATISTIC_MINIMUM ? cell->one_draw.min : cell->one_draw.mean;
}

/* Writes "12.3 ± 0.4¹ =" and, if a single split is printed, the shares of ours below and not above it. If the paper
 * prints a standard error, ours is that of the mean of as many splits as the paper's. */
static void put_measured(struct text_table *text, const struct comparison_cell *cell, const char *marks)
{
    char shares[40] = "", one_draw[60] = "";
    const char *double_dagger = cell->compared && cell->fitted ? "‡" : "";
    int decimals = cell->compared ? cell->printed->decimals : 3;
    int sd_decimals = cell->compared ? cell->printed->sd_decimals : 3;
    if (!isnan(cell->at_most))
        snprintf(shares, sizeof shares, " (%.0f–%.0f)", 100 * (1 - cell->at_least), 100 * cell->at_most);
    if (cell->one_draw.n)
        snprintf(one_draw, sizeof one_draw, " (one draw: %.*f)", decimals, comparison_one_draw(cell));
    if (cell->measured.n == 0)
        text_table_cell(text, "data missing");
    else if (cell->column->statistic == STATISTIC_MINIMUM || cell->measured.n == 1)
        text_table_cell(text, "%.*f%s %s%s%s", decimals, cell->ours, marks, verdict_sign(cell), double_dagger,
                        one_draw);
    else
        text_table_cell(text, "%.*f ± %.*f%s%s %s%s%s%s", decimals, cell->measured.mean, sd_decimals,
                        cell->measured.sd / printed_sd_scale(cell->printed), marks,
                        cell->agreement.sds_agree == SD_DIFFERS ? "†" : "", verdict_sign(cell), double_dagger, shares,
                        one_draw);
}

static void put_row(struct text_table *text, const struct paper_table *table, const struct comparison_row *row)
{
    char marks[MARKS_SIZE];
    text_table_cell(text, "%s", row->dataset);
    for (size_t j = 0; j < table->n_columns; j++) {
        marks_text(table, row, j, 0, superscripts, ",", marks);
        put_printed(text, row->cells[j].printed, marks);
        marks_text(table, row, j, 1, superscripts, ",", marks);
        if (table->columns[j].statistic != STATISTIC_VALUE)
            put_measured(text, &row->cells[j], marks);
    }
    for (size_t k = 0; k < table->n_tests; k++) {
        const struct test_finding *test = &row->tests[k];
        if (test->test->mark) /* shown as a superscript */
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
    const struct marks_count *marks = &comparison->marks;
    for (size_t k = 0; k < comparison->table->n_tests; k++) {
        char first[SIDE_SIZE], second[SIDE_SIZE];
        const struct paper_test *test = &comparison->table->tests[k];
        const char *kind = test_kind_names[test->kind];
        side_text(comparison->table, &test->sides[0], first);
        side_text(comparison->table, &test->sides[1], second);
        if (test->mark)
            text_table_footnote(text, "Mark %d: two-sided %s test of %s against %s, p < %g.", test->mark, kind, first,
                                second, test->level);
        else
            text_table_footnote(text, "p: two-sided %s test of our values, %s against %s; * marks p < %g.", kind, first,
                                second, test->level);
    }
    if (marks->compared + marks->untested > 0)
        text_table_footnote(text, "marks: %zu of %zu agree%s", marks->agree, marks->compared,
                            marks->untested ? "; others could not be tested." : ".");
}

static void put_draws_note(struct text_table *text, const struct paper_comparison *comparison)
{
    int is_drawn_again = 0;
    for (size_t i = 0; i < comparison->n_cells; i++)
        is_drawn_again = is_drawn_again || comparison->cells[i].one_draw.n;
    if (is_drawn_again)
        text_table_footnote(text, "One draw: our mean over as many splits as the paper has. In these cells the mean, "
                                  "the deviation and the verdict use several draws; tests and marks use one.");
}

/* Notes on standard deviations that differ and on columns that repeat numbers. */
static void put_counts_note(struct text_table *text, const struct paper_comparison *comparison)
{
    const struct verdict_counts *counts = &comparison->counts;
    const size_t sds = counts->sds_agree + counts->sds_differ;
    if (sds)
        text_table_footnote(text, "standard deviations: %zu of %zu differ from the printed ones (F test at 99 %%)%s",
                            counts->sds_differ, sds, counts->sds_differ ? ", marked with †." : ".");
    if (counts->repeated)
        text_table_footnote(text, "%zu cells repeat the number of another column and are not counted.",
                            counts->repeated);
    for (size_t j = 0; j < comparison->table->n_columns; j++)
        if (comparison->table->columns[j].statistic == STATISTIC_MEAN_SE)
            text_table_footnote(text, "%s: ± is the standard error of the mean of as many splits as the paper has.",
                                comparison->table->columns[j].title);
}

/* Notes each convention once, in the order of the cells. */
static void fitted_notes(struct text_table *text, const struct paper_comparison *comparison)
{
    for (size_t i = 0; i < comparison->n_cells; i++) {
        const struct comparison_cell *cell = &comparison->cells[i];
        size_t before = 0;
        while (before < i && comparison->cells[before].fitted != cell->fitted)
            before++;
        if (cell->fitted && before == i)
            text_table_footnote(text, "‡ Agreement is not an independent confirmation: %s.", cell->fitted);
    }
}

static void put_notes(struct text_table *text, const struct paper_comparison *comparison)
{
    const struct paper_table *table = comparison->table;
    text_table_footnote(text, "%s", table->source);
    if (!comparison->is_measured)
        return;
    text_table_footnote(text, "%s", comparison->splits);
    text_table_footnote(text, "After the printed value: our value over the splits, and the verdict. %s",
                        verdict_explanation);
    put_draws_note(text, comparison);
    put_counts_note(text, comparison);
    fitted_notes(text, comparison);
    test_notes(text, comparison);
    for (size_t i = 0; i < table->n_rows; i++) {
        const struct comparison_row *row = &comparison->rows[i];
        size_t n_null = 0;
        for (size_t j = 0; j < table->n_columns; j++)
            n_null += row->cells[j].n_null;
        if (n_null)
            text_table_footnote(text, "%s: %zu values in records are null and left out.", row->dataset, n_null);
        if (!row->has_records && row->reason)
            text_table_footnote(text, "%s: %s%s%s", row->dataset, row->reason, row->command ? "; " : "",
                                row->command ? row->command : "");
    }
}

void comparison_table(const struct paper_comparison *comparison, struct text_table *text)
{
    const struct paper_table *table = comparison->table;
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
    text->columns = text->count;
    for (size_t i = 0; i < table->n_rows; i++)
        put_row(text, table, &comparison->rows[i]);
    put_notes(text, comparison);
}

/* ---- CSV ---- */

static void csv_cell(struct text_table *csv, const struct paper_table *table, const struct comparison_row *row,
                     size_t j)
{
    const struct comparison_cell *cell = &row->cells[j];
    const struct printed *printed = cell->printed;
    char marks[MARKS_SIZE];
    text_table_cell(csv, "%s", table->name);
    text_table_cell(csv, "%s", row->dataset);
    text_table_cell(csv, "%s", cell->column->key);
    text_table_number(csv, 15, cell->column->unit);
    text_table_number(csv, 15, cell->measured.mean);
    text_table_number(csv, 15, cell->measured.sd);
    text_table_number(csv, 15, cell->measured.min);
    text_table_number(csv, 15, (double)cell->measured.n);
    text_table_number(csv, 15, printed->mean);
    text_table_number(csv, 15, printed->sd);
    text_table_number(csv, 15, printed->n ? (double)printed->n : (double)NAN);
    text_table_number(csv, 15, printed->n ? printed->decimals : (double)NAN);
    text_table_cell(csv, "%s", cell->compared ? verdict_texts[cell->agreement.verdict].name : "");
    text_table_number(csv, 15, cell->agreement.sd_ratio);
    text_table_number(csv, 15, cell->agreement.sds_agree == SD_UNDECIDABLE ? (double)NAN
                               : cell->agreement.sds_agree == SD_AGREES    ? 1.0
                                                                           : 0.0);
    for (int ours = 1; ours >= 0; ours--) {
        marks_text(table, row, j, ours, digits, " ", marks);
        text_table_cell(csv, "%s", marks);
    }
    text_table_number(csv, 12, cell->agreement.low);
    text_table_number(csv, 12, cell->agreement.high);
    text_table_number(csv, 12, cell->agreement.bound);
    text_table_cell(csv, "%s", cell->compared ? previous_verdict_names[cell->agreement.previous] : "");
    text_table_cell(csv, "%s", cell->column->same_as ? cell->column->same_as : "");
    text_table_number(csv, 15, cell->one_draw.n ? comparison_one_draw(cell) : (double)NAN);
}

static void fill_csv(struct text_table *csv, const struct paper_comparison *comparison)
{
    static const char *const header[] = {
        "table",      "dataset",  "column",  "unit",           "ours_mean", "ours_sd",  "ours_min",  "ours_n",
        "paper_mean", "paper_sd", "paper_n", "paper_decimals", "verdict",   "sd_ratio", "sds_agree", "ours_marks",
        "paper_marks", "low", "high", "bound", "previous_verdict", "same_as",
        "ours_one_draw"};
    const struct paper_table *table = comparison->table;
    csv->columns = sizeof header / sizeof *header;
    text_table_cells(csv, header, csv->columns);
    for (size_t i = 0; i < table->n_rows; i++)
        for (size_t j = 0; j < table->n_columns; j++)
            csv_cell(csv, table, &comparison->rows[i], j);
}

void comparison_write(const struct paper_comparison *comparison, const char *folder)
{
    struct pool *pool = pool_new();
    struct text_table table = {.pool = pool}, csv = {.pool = pool};
    cJSON *json = table_json(comparison);
    comparison_table(comparison, &table);
    fill_csv(&csv, comparison);
    text_table_write_files(folder, comparison->table->name, json, &table, &csv);
    cJSON_Delete(json);
    pool_free(pool);
}
