/*
 * The figures a claim rests on: of the records, or of the paper's own tables. A printed mean decides claims about
 * means, a printed mark claims about a signed-rank test.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "harness/papers/claim_kinds.h"
#include "harness/stats/summary.h"
#include "harness/papers/marks.h"

enum status claim_number(const struct context *context, const char *key, int required, double *value,
                         struct error *error)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(context->claim, key);
    if (!item && !required)
        return STATUS_OK;
    if (!cJSON_IsNumber(item))
        return error_set(error, STATUS_BAD_INPUT, "%s: claim %s: \"%s\" must be a number", context->paper->path,
                         context->id, key);
    *value = item->valuedouble;
    return STATUS_OK;
}

enum status claim_filter(const struct context *context, const char *key, const char *field,
                         struct record_filter *filter, struct error *error)
{
    const cJSON *item = paper_member(context->claim, key);
    *filter = (struct record_filter){.field = field ? field : paper_text(context->claim, "field"),
                                     .ceiling = (double)INFINITY};
    if (cJSON_IsObject(item)) {
        filter->solver = paper_text(item, "solver");
        filter->params = cJSON_GetObjectItemCaseSensitive(item, "params");
        filter->kernel = cJSON_GetObjectItemCaseSensitive(item, "kernel");
        filter->stop = cJSON_GetObjectItemCaseSensitive(item, "stop");
    } else if (cJSON_IsString(item))
        filter->solver = item->valuestring;
    if (!filter->solver || !filter->field)
        return error_set(error, STATUS_BAD_INPUT, "%s: claim %s: needs a solver in \"%s\" and a \"field\"",
                         context->paper->path, context->id, key);
    return STATUS_OK;
}

/* Whether the column is fed by what is wanted: the same solver and field, and no condition the column lacks. */
static int column_fits(const struct paper_column *column, const struct record_filter *wanted)
{
    return paper_column_is_mean(column) && strcmp(column->from.solver, wanted->solver) == 0 &&
           strcmp(column->from.field, wanted->field) == 0 && record_includes(column->from.params, wanted->params) &&
           record_includes(column->from.kernel, wanted->kernel) && record_includes(column->from.stop, wanted->stop);
}

/* The printed mean of the first column for this solver and field that has the data set; 0 where there is none. */
static int printed_mean(const struct paper *paper, const struct record_filter *wanted, const char *dataset,
                        double *mean)
{
    for (size_t t = 0; t < paper->n_tables; t++)
        for (size_t j = 0; j < paper->tables[t].n_columns; j++) {
            const struct paper_column *column = &paper->tables[t].columns[j];
            if (!column_fits(column, wanted))
                continue;
            for (size_t i = 0; i < paper->tables[t].n_rows; i++) {
                const struct paper_row *row = &paper->tables[t].rows[i];
                if (strcmp(row->dataset, dataset) != 0 || row->cells[j].n == 0)
                    continue;
                *mean = row->cells[j].mean * column->unit;
                return 1;
            }
        }
    return 0;
}

enum status claim_mean(const struct context *context, const char *key, const char *dataset, double *mean,
                       struct error *error)
{
    struct record_filter filter;
    struct sample sample = {0};
    struct summary summary;
    *mean = (double)NAN;
    enum status status = claim_filter(context, key, NULL, &filter, error);
    if (status != STATUS_OK)
        return status;
    if (context->printed) {
        printed_mean(context->paper, &filter, dataset, mean);
        return STATUS_OK;
    }
    status = sample_take(context->records, &filter, dataset, 1, &sample, NULL, error);
    if (status == STATUS_OK)
        status = summary_of(sample.values, sample.n, &summary, error);
    if (status == STATUS_OK)
        *mean = summary.mean;
    sample_free(&sample);
    return status;
}

/* The test's mark in the row of the data set; 0 where the table has no such row or the paper left its cells empty. */
static int mark_in_row(const struct paper_table *table, size_t k, const char *dataset, int turned, int *mark)
{
    const size_t first = table->tests[k].sides[0].columns[0], second = table->tests[k].sides[1].columns[0];
    for (size_t i = 0; i < table->n_rows; i++) {
        const struct paper_row *row = &table->rows[i];
        if (strcmp(row->dataset, dataset) != 0 || row->cells[first].n == 0 || row->cells[second].n == 0)
            continue;
        enum marked_side side = marked_side(&table->tests[k], row->marked[k]);
        *mark = side == MARKED_NOWHERE ? 0 : (side == MARKED_FIRST) != turned ? -1 : 1;
        return 1;
    }
    return 0;
}

void printed_mark(const struct paper *paper, const struct record_filter *first, const struct record_filter *second,
                  const char *dataset, int *mark, int *decided)
{
    *decided = 0;
    for (size_t t = 0; t < paper->n_tables && !*decided; t++)
        for (size_t k = 0; k < paper->tables[t].n_tests && !*decided; k++) {
            const struct paper_table *table = &paper->tables[t];
            const struct paper_test *test = &table->tests[k];
            if (!test->mark || test->kind != TEST_SIGNED_RANK || test->sides[0].n > 1 || test->sides[1].n > 1)
                continue;
            const struct paper_column *a = &table->columns[test->sides[0].columns[0]];
            const struct paper_column *b = &table->columns[test->sides[1].columns[0]];
            int straight = column_fits(a, first) && column_fits(b, second);
            if (straight || (column_fits(a, second) && column_fits(b, first)))
                *decided = mark_in_row(table, k, dataset, !straight, mark);
        }
}
