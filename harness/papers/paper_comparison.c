/*
 * Every cell of a printed table is filled from the records its column selects and compared by harness/verdict. Every
 * row gets the tests the table asks for and the marks they give.
 */
#include "harness/papers/paper_comparison.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/papers/paired.h"
#include "harness/program/memory.h"

static void find_reason(const struct cJSON *missing, const char *dataset, struct comparison_row *row)
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

/* Where the printed figure of a single split lies among ours. */
static void find_place(const struct printed *printed, const struct sample *sample, struct comparison_cell *cell)
{
    double unit = 1, below = 0, above = 0;
    cell->at_most = cell->at_least = (double)NAN;
    if (printed->n != 1 || sample->n == 0)
        return;
    for (int d = 0; d < printed->decimals; d++)
        unit /= 10;
    for (size_t i = 0; i < sample->n; i++) {
        /* a unit rather than half of one: a figure may have been cut off instead of rounded */
        below += sample->values[i] < printed->mean - unit;
        above += sample->values[i] > printed->mean + unit;
    }
    cell->at_most = 1 - above / (double)sample->n;
    cell->at_least = 1 - below / (double)sample->n;
}

static enum status fill_cell(const struct paper_column *column, const struct printed *printed,
                             const struct sample *sample, struct comparison_cell *cell, struct error *error)
{
    cell->compared = printed->n > 0 && column->statistic != STATISTIC_VALUE;
    cell->n_null = sample->without;
    find_place(printed, sample, cell);
    enum status status = summary_of(sample->values, sample->n, &cell->measured, error);
    if (status != STATUS_OK || !cell->compared)
        return status;
    cell->synthetic = sample->generated > 0;
    if (column->statistic == STATISTIC_MINIMUM)
        return verdict_minimum(printed, sample->values, sample->n, &cell->comparison, error);
    return verdict_mean(printed, &cell->measured, &cell->comparison, error);
}

static enum status take_sample(const struct records *records, const struct paper_column *column, const char *dataset,
                               struct sample *sample, struct records *used, struct error *error)
{
    struct sample left = {0}, right = {0};
    if (column->statistic != STATISTIC_REDUCTION)
        return sample_take(records, &column->from, dataset, column->unit, sample, used, error);
    enum status status = sample_take(records, &column->from, dataset, 1, &left, used, error);
    if (status == STATUS_OK)
        status = sample_take(records, &column->right, dataset, 1, &right, used, error);
    if (status == STATUS_OK)
        sample_reduction(&left, &right, column->unit, sample);
    sample_free(&left);
    sample_free(&right);
    return status;
}

static enum status fill_row(const struct paper_table *table, const struct paper_row *paper,
                            const struct records *records, struct records *used, struct comparison_row *row,
                            struct error *error)
{
    enum status status = STATUS_OK;
    struct sample *samples = xcalloc(table->n_columns, sizeof *samples);
    row->cells = xcalloc(table->n_columns, sizeof *row->cells);
    row->tests = xcalloc(table->n_tests, sizeof *row->tests);
    row->marked = xcalloc(table->n_tests, sizeof *row->marked);
    for (size_t j = 0; j < table->n_columns; j++) {
        const struct paper_column *column = &table->columns[j];
        if (column->statistic != STATISTIC_VALUE)
            status = take_sample(records, column, paper->dataset, &samples[j], used, error);
        if (status == STATUS_OK)
            status = fill_cell(column, &paper->cells[j], &samples[j], &row->cells[j], error);
        if (status != STATUS_OK)
            goto done;
    }
    for (size_t k = 0; k < table->n_tests && status == STATUS_OK; k++) {
        status = marks_test(&table->tests[k], samples, &row->tests[k], error);
        row->marked[k] = row->tests[k].marked;
    }
done:
    for (size_t j = 0; j < table->n_columns; j++)
        sample_free(&samples[j]);
    free(samples);
    return status;
}

static void count_marks(struct paper_comparison *comparison)
{
    const struct paper_table *table = comparison->table;
    for (size_t i = 0; i < table->n_rows; i++)
        for (size_t k = 0; k < table->n_tests; k++) {
            int compared = comparison_mark_compared(comparison, i, k);
            comparison->marks.compared += compared != 0;
            comparison->marks.untested += table->tests[k].mark && !compared;
            comparison->marks.agree += compared && comparison_mark_agrees(comparison, i, k);
        }
}

enum status comparison_fill(const struct paper_table *table, const struct records *records, const struct cJSON *missing,
                           struct paper_comparison **comparison, struct error *error)
{
    struct records used = {0};
    struct paper_comparison *made = xcalloc(1, sizeof *made);
    enum status status = STATUS_OK;
    made->table = table;
    made->rows = xcalloc(table->n_rows, sizeof *made->rows);
    for (size_t i = 0; i < table->n_rows && status == STATUS_OK; i++) {
        status = fill_row(table, &table->rows[i], records, &used, &made->rows[i], error);
        find_reason(missing, table->rows[i].dataset, &made->rows[i]);
    }
    if (status == STATUS_OK) {
        count_marks(made);
        made->splits = records_describe_splits(&used);
    } else {
        comparison_free(made);
        made = NULL;
    }
    *comparison = made;
    records_free(&used);
    return status;
}

void comparison_free(struct paper_comparison *comparison)
{
    if (!comparison)
        return;
    for (size_t i = 0; i < comparison->table->n_rows; i++) {
        free(comparison->rows[i].cells);
        free(comparison->rows[i].tests);
        free(comparison->rows[i].marked);
    }
    free(comparison->rows);
    free(comparison->splits);
    free(comparison);
}

double comparison_measured(const struct paper_comparison *comparison, size_t row, size_t column)
{
    const struct summary *measured = &comparison->rows[row].cells[column].measured;
    return comparison->table->columns[column].statistic == STATISTIC_MINIMUM ? measured->min : measured->mean;
}

int comparison_mark_compared(const struct paper_comparison *comparison, size_t row, size_t test)
{
    const struct paper_test *asked = &comparison->table->tests[test];
    const size_t n = comparison->rows[row].tests[test].n;
    /* the least p-value n pairs can have is 2 / 2^n */
    int decisive = asked->kind == TEST_RANK_SUM ? n > 0 : ldexp(2, n < 1000 ? -(int)n : -1000) < asked->level;
    return asked->mark && decisive;
}

int comparison_mark_agrees(const struct paper_comparison *comparison, size_t row, size_t test)
{
    const struct paper_test *asked = &comparison->table->tests[test];
    return marked_side(asked, comparison->rows[row].marked[test]) ==
           marked_side(asked, comparison->table->rows[row].marked[test]);
}

int comparison_is_measured(const struct paper_comparison *comparison)
{
    for (size_t j = 0; j < comparison->table->n_columns; j++)
        if (comparison->table->columns[j].statistic != STATISTIC_VALUE)
            return 1;
    return 0;
}

int comparison_row_has_records(const struct paper_comparison *comparison, size_t row)
{
    for (size_t j = 0; j < comparison->table->n_columns; j++)
        if (comparison->rows[row].cells[j].measured.n + comparison->rows[row].cells[j].n_null > 0)
            return 1;
    return 0;
}
