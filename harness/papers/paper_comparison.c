/*
 * Fills every cell of a printed table from the records that its column selects, and compares it by
 * harness/papers/verdict.h. Runs the table's tests in every row and derives the marks.
 */
#include "harness/papers/paper_comparison.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"

void marks_add(const struct marks_count *marks, struct marks_count *sum)
{
    sum->agree += marks->agree;
    sum->compared += marks->compared;
    sum->untested += marks->untested;
}

void verdict_counts_add(const struct verdict_counts *counts, struct verdict_counts *sum)
{
    for (int v = 0; v < VERDICT_COUNT; v++)
        sum->cells[v] += counts->cells[v];
    for (int v = 0; v < PREVIOUS_COUNT; v++)
        sum->previous[v] += counts->previous[v];
    sum->sds_agree += counts->sds_agree;
    sum->sds_differ += counts->sds_differ;
    sum->repeated += counts->repeated;
    sum->fitted += counts->fitted;
}

size_t verdict_counts_decided(const struct verdict_counts *counts)
{
    size_t decided = 0;
    for (int v = 0; v < VERDICT_COUNT; v++)
        decided += v == VERDICT_MISSING || v == VERDICT_UNDECIDABLE ? 0 : counts->cells[v];
    return decided;
}

void verdict_counts_print(FILE *stream, const struct verdict_counts *counts)
{
    const size_t *cells = counts->cells;
    fprintf(stream, "%zu agree, %zu compatible, %zu near, %zu differ, %zu undecidable, %zu missing",
            cells[VERDICT_AGREES], cells[VERDICT_COMPATIBLE], cells[VERDICT_NEAR], cells[VERDICT_DIFFERS],
            cells[VERDICT_UNDECIDABLE], cells[VERDICT_MISSING]);
}

static void count_cell(const struct comparison_cell *cell, struct verdict_counts *counts)
{
    const struct agreement *agreement = &cell->agreement;
    counts->repeated += cell->compared && !cell->counted;
    counts->previous[agreement->previous] += cell->compared != 0;
    if (!cell->counted)
        return;
    counts->cells[agreement->verdict]++;
    counts->fitted +=
        cell->fitted && (agreement->verdict == VERDICT_AGREES || agreement->verdict == VERDICT_COMPATIBLE);
    counts->sds_agree += agreement->sds_agree == SD_AGREES;
    counts->sds_differ += agreement->sds_agree == SD_DIFFERS;
}

static void find_reason(const struct cJSON *missing, struct comparison_row *row)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, missing) {
        const char *dataset = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "dataset"));
        if (!dataset || strcmp(dataset, row->dataset) != 0)
            continue;
        row->reason = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "reason"));
        row->command = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "command"));
    }
}

/* Locates the printed value of a single split among ours. */
static void find_place(const struct sample *sample, struct comparison_cell *cell)
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

static void fill_cell(struct comparison_cell *cell)
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
    struct summary judged = *measured;
    if (is_minimum)
        judged.min = cell->ours;
    cell->agreement = cell->same_split ? verdict_same_split(cell->printed, measured->mean)
                      : is_minimum     ? verdict_minimum(cell->printed, &judged, sample->values)
                                       : verdict_mean(cell->printed, &judged);
}

static struct sample take_sample(struct pool *pool, const struct records *records, const struct paper_column *column,
                                 const char *dataset, struct records *used)
{
    if (column->statistic == STATISTIC_VALUE)
        return (struct sample){0};
    if (column->statistic != STATISTIC_REDUCTION)
        return sample_take(pool, records, &column->from, dataset, column->unit, used);
    const struct sample left = sample_take(pool, records, &column->from, dataset, 1, used);
    const struct sample right = sample_take(pool, records, &column->right, dataset, 1, used);
    return sample_reduction(pool, &left, &right, column->unit);
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

static void fill_row(const struct filling *filling, struct paper_comparison *comparison, size_t i)
{
    struct pool *pool = filling->pool, *samples_pool = pool_new();
    const struct paper_table *table = comparison->table;
    const struct paper_row *printed = &table->rows[i];
    struct comparison_row *row = &comparison->rows[i];
    struct sample *samples = pool_array(samples_pool, table->n_columns, sizeof *samples);
    *row = (struct comparison_row){.dataset = printed->dataset,
                                   .cells = comparison->cells + i * table->n_columns,
                                   .tests = comparison->tests + i * table->n_tests};
    for (size_t j = 0; j < table->n_columns; j++) {
        struct comparison_cell *cell = &row->cells[j];
        cell->column = &table->columns[j];
        cell->printed = &printed->cells[j];
        cell->fitted = printed->fitted[j];
        cell->id = pool_printf(pool, "%s/%s/%s", table->name, row->dataset, cell->column->key);
        samples[j] = take_sample(samples_pool, filling->first, cell->column, row->dataset, NULL);
        cell->sample = take_sample(pool, filling->all, cell->column, row->dataset, filling->used);
        fill_cell(cell);
        if (cell->sample.n > samples[j].n)
            cell->one_draw = summary_of(samples[j].values, samples[j].n);
        count_cell(cell, &comparison->counts);
        row->has_records = row->has_records || cell->measured.n + cell->n_null > 0;
    }
    for (size_t k = 0; k < table->n_tests; k++) {
        fill_test(samples_pool, &table->tests[k], samples, printed->marked[k], &row->tests[k], &comparison->marks);
        if (table->tests[k].key)
            row->tests[k].id = pool_printf(pool, "%s/%s/%s", table->name, row->dataset, table->tests[k].key);
    }
    pool_free(samples_pool);
}

struct paper_comparison *comparison_fill(struct pool *pool, const struct paper_table *table,
                                         const struct records *first, const struct records *all,
                                         const struct cJSON *missing)
{
    struct records used = {.pool = pool_new()};
    const struct filling filling = {pool, first, all, &used};
    struct paper_comparison *made = pool_alloc(pool, sizeof *made);
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
