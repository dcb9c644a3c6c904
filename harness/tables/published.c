/*
 * Every cell of a printed table is filled from the records its column selects, compared by harness/verdict, and every
 * row gets the tests the table asks for. The same filled table is then written four times: JSON with all that is known
 * about a cell, Markdown and LaTeX with paper and ours beside each other, CSV with one line a cell.
 */
#include "harness/tables/published.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/file.h"
#include "harness/stats/rank_sum.h"
#include "harness/tables/grid.h"
#include "harness/tables/json_build.h"

static void find_reason(const struct cJSON *missing, const char *dataset, struct published_row *row)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, missing) {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "dataset");
        if (!cJSON_IsString(name) || strcmp(name->valuestring, dataset) != 0)
            continue;
        const cJSON *reason = cJSON_GetObjectItemCaseSensitive(item, "reason");
        const cJSON *command = cJSON_GetObjectItemCaseSensitive(item, "command");
        row->reason = cJSON_IsString(reason) ? reason->valuestring : NULL;
        row->command = cJSON_IsString(command) ? command->valuestring : NULL;
    }
}

static enum status fill_cell(const struct paper_column *column, const struct printed *printed,
                             const struct sample *sample, struct published_cell *cell, struct error *error)
{
    cell->compared = printed->n > 0 && column->statistic != STATISTIC_VALUE;
    cell->without = sample->without;
    enum status status = summary_of(sample->values, sample->n, &cell->ours, error);
    if (status != STATUS_OK || !cell->compared)
        return status;
    cell->made_here = sample->generated > 0;
    if (column->statistic == STATISTIC_MINIMUM)
        return verdict_minimum(printed, sample->values, sample->n, &cell->comparison, error);
    return verdict_mean(printed, &cell->ours, &cell->comparison, error);
}

static enum status run_test(const struct paper_test *test, const struct sample *samples, struct published_test *result,
                            struct error *error)
{
    const struct sample *first = &samples[test->first], *second = &samples[test->second];
    result->n_first = first->n;
    result->n_second = second->n;
    enum status status = rank_sum_test(first->values, first->n, second->values, second->n, &result->result, error);
    result->significant = first->n && second->n && result->result.p_value < test->level;
    return status;
}

static enum status fill_row(const struct paper_table *table, const struct paper_row *paper,
                            const struct records *records, struct used_records *used, struct published_row *row,
                            struct error *error)
{
    enum status status = STATUS_OK;
    struct sample *samples = calloc(table->n_columns, sizeof *samples);
    row->cells = calloc(table->n_columns, sizeof *row->cells);
    row->tests = calloc(table->n_tests + 1, sizeof *row->tests);
    if (!samples || !row->cells || !row->tests) {
        status = error_set(error, STATUS_NO_MEMORY, "%s: out of memory", table->name);
        goto done;
    }
    for (size_t j = 0; j < table->n_columns; j++) {
        const struct paper_column *column = &table->columns[j];
        if (column->statistic != STATISTIC_VALUE)
            status = sample_take(records, &column->from, paper->dataset, column->unit, &samples[j], used, error);
        if (status == STATUS_OK)
            status = fill_cell(column, &paper->cells[j], &samples[j], &row->cells[j], error);
        if (status != STATUS_OK)
            goto done;
    }
    for (size_t j = 0; j < table->n_tests && status == STATUS_OK; j++)
        status = run_test(&table->tests[j], samples, &row->tests[j], error);
done:
    for (size_t j = 0; samples && j < table->n_columns; j++)
        sample_free(&samples[j]);
    free(samples);
    return status;
}

enum status published_fill(const struct paper_table *table, const struct records *records, const struct cJSON *missing,
                           struct published **published, struct error *error)
{
    struct used_records used = {0};
    enum status status = STATUS_OK;
    *published = NULL;
    struct published *made = calloc(1, sizeof *made);
    if (made)
        made->rows = calloc(table->n_rows + 1, sizeof *made->rows);
    if (!made || !made->rows) {
        status = error_set(error, STATUS_NO_MEMORY, "%s: out of memory", table->name);
        goto done;
    }
    made->table = table;
    for (size_t i = 0; i < table->n_rows; i++) {
        status = fill_row(table, &table->rows[i], records, &used, &made->rows[i], error);
        if (status != STATUS_OK)
            goto done;
        find_reason(missing, table->rows[i].dataset, &made->rows[i]);
    }
    status = used_records_describe(&used, &made->splits, error);
    if (status != STATUS_OK)
        goto done;
    *published = made;
    made = NULL;
done:
    published_free(made);
    used_records_free(&used);
    return status;
}

void published_free(struct published *published)
{
    if (!published)
        return;
    for (size_t i = 0; published->rows && published->table && i < published->table->n_rows; i++) {
        free(published->rows[i].cells);
        free(published->rows[i].tests);
    }
    free(published->rows);
    free(published->splits);
    free(published);
}

double published_ours(const struct published *published, size_t row, size_t column)
{
    const struct summary *ours = &published->rows[row].cells[column].ours;
    return published->table->columns[column].statistic == STATISTIC_MINIMUM ? ours->min : ours->mean;
}

/* ---- JSON ---- */

static void cell_json(cJSON *row, const struct published *published, size_t i, size_t j, int *failed)
{
    const struct paper_column *column = &published->table->columns[j];
    const struct printed *printed = &published->table->rows[i].cells[j];
    const struct published_cell *cell = &published->rows[i].cells[j];
    cJSON *json = json_put_object(row, column->key, failed);
    if (column->statistic == STATISTIC_VALUE)
        json_put_null(json, "ours", failed);
    else {
        cJSON *ours = json_put_object(json, "ours", failed);
        json_put_number(ours, "mean", cell->ours.mean, failed);
        json_put_number(ours, "sd", cell->ours.sd, failed);
        json_put_number(ours, "n", (double)cell->ours.n, failed);
        json_put_number(ours, "min", cell->ours.min, failed);
        json_put_number(ours, "max", cell->ours.max, failed);
        json_put_number(ours, "median", cell->ours.median, failed);
        json_put_number(ours, "without_value", (double)cell->without, failed);
    }
    if (printed->n == 0)
        json_put_null(json, "paper", failed);
    else {
        cJSON *paper = json_put_object(json, "paper", failed);
        json_put_number(paper, "mean", printed->mean, failed);
        json_put_number(paper, "sd", column->statistic == STATISTIC_MEAN_SD ? printed->sd : (double)NAN, failed);
        json_put_number(paper, "n", (double)printed->n, failed);
        json_put_number(paper, "decimals", printed->decimals, failed);
    }
    if (!cell->compared) {
        json_put_null(json, "verdict", failed);
        return;
    }
    json_put_text(json, "verdict", verdict_name(cell->comparison.verdict), failed);
    json_put_number(json, "difference", cell->comparison.difference, failed);
    json_put_number(json, "allowed", cell->comparison.allowed, failed);
    json_put_number(json, "sd_ratio", cell->comparison.sd_ratio, failed);
    if (cell->comparison.sds_agree < 0)
        json_put_null(json, "sds_agree", failed);
    else
        json_put_bool(json, "sds_agree", cell->comparison.sds_agree, failed);
}

static void tests_json(cJSON *json, const struct published *published, size_t i, int *failed)
{
    const struct paper_table *table = published->table;
    cJSON *tests = json_put_array(json, "tests", failed);
    for (size_t k = 0; k < table->n_tests; k++) {
        const struct published_test *test = &published->rows[i].tests[k];
        int tested = test->n_first && test->n_second;
        cJSON *item = json_add_object(tests, failed);
        json_put_text(item, "kind", "rank-sum", failed);
        json_put_text(item, "first", table->columns[table->tests[k].first].key, failed);
        json_put_text(item, "second", table->columns[table->tests[k].second].key, failed);
        json_put_number(item, "level", table->tests[k].level, failed);
        json_put_number(item, "p_value", tested ? test->result.p_value : (double)NAN, failed);
        if (tested) {
            json_put_bool(item, "exact", test->result.exact, failed);
            json_put_bool(item, "significant", test->significant, failed);
        } else
            json_put_null(item, "significant", failed);
    }
}

static int row_has_records(const struct published *published, size_t i)
{
    for (size_t j = 0; j < published->table->n_columns; j++)
        if (published->rows[i].cells[j].ours.n + published->rows[i].cells[j].without > 0)
            return 1;
    return 0;
}

static enum status write_json(const struct published *published, const char *path, struct error *error)
{
    int failed = 0;
    const struct paper_table *table = published->table;
    cJSON *json = json_new_object(&failed);
    json_put_number(json, "schema", 1, &failed);
    json_put_text(json, "table", table->name, &failed);
    json_put_text(json, "caption", table->caption, &failed);
    json_put_text(json, "source", table->source, &failed);
    json_put_text(json, "splits", published->splits, &failed);
    cJSON *columns = json_put_array(json, "columns", &failed);
    for (size_t j = 0; j < table->n_columns; j++) {
        cJSON *column = json_add_object(columns, &failed);
        json_put_text(column, "key", table->columns[j].key, &failed);
        json_put_text(column, "title", table->columns[j].title, &failed);
        json_put_number(column, "unit", table->columns[j].unit, &failed);
    }
    cJSON *rows = json_put_object(json, "rows", &failed);
    for (size_t i = 0; i < table->n_rows; i++) {
        cJSON *row = json_put_object(rows, table->rows[i].dataset, &failed);
        cJSON *cells = json_put_object(row, "cells", &failed);
        for (size_t j = 0; j < table->n_columns; j++)
            cell_json(cells, published, i, j, &failed);
        tests_json(row, published, i, &failed);
        if (!row_has_records(published, i)) {
            json_put_text(row, "missing", published->rows[i].reason ? published->rows[i].reason : "no records",
                          &failed);
            if (published->rows[i].command)
                json_put_text(row, "command", published->rows[i].command, &failed);
        }
    }
    enum status status =
        failed ? error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path) : json_write(path, json, error);
    cJSON_Delete(json);
    return status;
}

/* ---- Markdown and LaTeX ---- */

static void grid_printed(struct grid *grid, const struct paper_column *column, const struct printed *printed)
{
    if (printed->n == 0)
        grid_cell(grid, "–");
    else if (column->statistic == STATISTIC_MEAN_SD)
        grid_cell(grid, "%.*f ± %.*f", printed->decimals, printed->mean, printed->sd_decimals, printed->sd);
    else
        grid_cell(grid, "%.*f", printed->decimals, printed->mean);
}

static void grid_ours(struct grid *grid, const struct published *published, size_t i, size_t j)
{
    static const char *const marks[] = {
        [VERDICT_MATCH] = "=", [VERDICT_NEAR] = "≈", [VERDICT_DIFFERS] = "≠", [VERDICT_MISSING] = ""};
    const struct published_cell *cell = &published->rows[i].cells[j];
    const struct printed *printed = &published->table->rows[i].cells[j];
    const char *mark = cell->compared ? marks[cell->comparison.verdict] : "";
    int decimals = cell->compared ? printed->decimals : 3, sd_decimals = cell->compared ? printed->sd_decimals : 3;
    if (cell->ours.n == 0)
        grid_cell(grid, "data missing");
    else if (published->table->columns[j].statistic == STATISTIC_MINIMUM || cell->ours.n == 1)
        grid_cell(grid, "%.*f %s", decimals, published_ours(published, i, j), mark);
    else
        grid_cell(grid, "%.*f ± %.*f %s", decimals, cell->ours.mean, sd_decimals, cell->ours.sd, mark);
}

static void grid_rows(struct grid *grid, const struct published *published)
{
    const struct paper_table *table = published->table;
    for (size_t i = 0; i < table->n_rows; i++) {
        grid_cell(grid, "%s", table->rows[i].dataset);
        for (size_t j = 0; j < table->n_columns; j++) {
            grid_printed(grid, &table->columns[j], &table->rows[i].cells[j]);
            if (table->columns[j].statistic != STATISTIC_VALUE)
                grid_ours(grid, published, i, j);
        }
        for (size_t k = 0; k < table->n_tests; k++) {
            const struct published_test *test = &published->rows[i].tests[k];
            if (test->n_first && test->n_second)
                grid_cell(grid, "%.3g%s", test->result.p_value, test->significant ? " *" : "");
            else
                grid_cell(grid, "–");
        }
    }
}

static void grid_notes(struct grid *grid, const struct published *published)
{
    const struct paper_table *table = published->table;
    grid_note(grid, "%s", table->source);
    grid_note(grid, "%s", published->splits);
    grid_note(grid, "Beside the printed figure ours over the splits and the verdict: = match, ≈ near, ≠ differs.");
    for (size_t k = 0; k < table->n_tests; k++)
        grid_note(grid, "p: two-sided rank-sum test of ours, %s against %s; * marks p < %g.",
                  table->columns[table->tests[k].first].key, table->columns[table->tests[k].second].key,
                  table->tests[k].level);
    for (size_t i = 0; i < table->n_rows; i++) {
        size_t without = 0;
        for (size_t j = 0; j < table->n_columns; j++)
            without += published->rows[i].cells[j].without;
        if (without)
            grid_note(grid, "%s: %zu figures of records are null and left out.", table->rows[i].dataset, without);
        if (!row_has_records(published, i) && published->rows[i].reason)
            grid_note(grid, "%s: %s%s%s", table->rows[i].dataset, published->rows[i].reason,
                      published->rows[i].command ? "; " : "",
                      published->rows[i].command ? published->rows[i].command : "");
    }
}

static void fill_grid(struct grid *grid, const struct published *published)
{
    const struct paper_table *table = published->table;
    grid->columns = 1 + table->n_tests;
    for (size_t j = 0; j < table->n_columns; j++)
        grid->columns += table->columns[j].statistic == STATISTIC_VALUE ? 1 : 2;
    grid_title(grid, "%s: %s", table->name, table->caption);
    grid_cell(grid, "data set");
    for (size_t j = 0; j < table->n_columns; j++) {
        grid_cell(grid, "%s", table->columns[j].title);
        if (table->columns[j].statistic != STATISTIC_VALUE)
            grid_cell(grid, "ours");
    }
    for (size_t k = 0; k < table->n_tests; k++)
        grid_cell(grid, "p");
    grid_rows(grid, published);
    grid_notes(grid, published);
}

/* ---- CSV ---- */

static void csv_number(struct grid *grid, double value)
{
    if (isfinite(value))
        grid_cell(grid, "%.15g", value);
    else
        grid_cell(grid, "%s", "");
}

static void fill_csv(struct grid *grid, const struct published *published)
{
    static const char *const header[] = {"table",   "dataset",        "column",  "unit",       "ours_mean",
                                         "ours_sd", "ours_min",       "ours_n",  "paper_mean", "paper_sd",
                                         "paper_n", "paper_decimals", "verdict", "sd_ratio",   "sds_agree"};
    const struct paper_table *table = published->table;
    grid->columns = sizeof header / sizeof *header;
    for (size_t k = 0; k < grid->columns; k++)
        grid_cell(grid, "%s", header[k]);
    for (size_t i = 0; i < table->n_rows; i++)
        for (size_t j = 0; j < table->n_columns; j++) {
            const struct published_cell *cell = &published->rows[i].cells[j];
            const struct printed *printed = &table->rows[i].cells[j];
            int spread = table->columns[j].statistic == STATISTIC_MEAN_SD;
            grid_cell(grid, "%s", table->name);
            grid_cell(grid, "%s", table->rows[i].dataset);
            grid_cell(grid, "%s", table->columns[j].key);
            csv_number(grid, table->columns[j].unit);
            csv_number(grid, cell->ours.mean);
            csv_number(grid, cell->ours.sd);
            csv_number(grid, cell->ours.min);
            csv_number(grid, (double)cell->ours.n);
            csv_number(grid, printed->n ? printed->mean : (double)NAN);
            csv_number(grid, printed->n && spread ? printed->sd : (double)NAN);
            csv_number(grid, printed->n ? (double)printed->n : (double)NAN);
            csv_number(grid, printed->n ? printed->decimals : (double)NAN);
            grid_cell(grid, "%s", cell->compared ? verdict_name(cell->comparison.verdict) : "");
            csv_number(grid, cell->compared ? cell->comparison.sd_ratio : (double)NAN);
            csv_number(grid,
                       cell->compared && cell->comparison.sds_agree >= 0 ? cell->comparison.sds_agree : (double)NAN);
        }
}

enum status published_write(const struct published *published, const char *folder, struct error *error)
{
    struct grid text = {0}, flat = {0};
    char path[4096];
    const char *const endings[] = {"json", "md", "tex", "csv"};
    enum status status = STATUS_OK;
    fill_grid(&text, published);
    fill_csv(&flat, published);
    for (int i = 0; i < 4 && status == STATUS_OK; i++) {
        int length = snprintf(path, sizeof path, "%s/%s.%s", folder, published->table->name, endings[i]);
        if (length < 0 || (size_t)length >= sizeof path)
            status = error_set(error, STATUS_BAD_INPUT, "%s: the path is too long", folder);
        else if (i == 0)
            status = write_json(published, path, error);
        else
            status = grid_write(i == 3 ? &flat : &text,
                                i == 1   ? GRID_MARKDOWN
                                : i == 2 ? GRID_LATEX
                                         : GRID_CSV,
                                path, error);
    }
    grid_free(&text);
    grid_free(&flat);
    return status;
}
