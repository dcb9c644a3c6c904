/*
 * From pairs to figures. A data set weighs the same however many cases it has: its ratio is the geometric mean of those
 * of its cases, its difference their mean. Costs are compared over data sets by the logarithms of the ratios; test
 * errors by the differences, which are in one unit on all sets and may be 0.
 */
#include "harness/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"
#include "harness/run/run_info.h"

const struct compare_metric_text compare_metric_texts[COMPARE_METRICS] = {
    [COMPARE_ERROR] = {"error_percent", "test error"},
    [COMPARE_SUPPORT_VECTORS] = {"support_vectors", "support vectors"},
    [COMPARE_ITERATIONS] = {"iterations", "iterations"},
    [COMPARE_KERNEL_OPERATIONS] = {"kernel_operations", "kernel operations"},
    [COMPARE_ALL_OPERATIONS] = {"kernel_operations_with_setup", "kernel operations with the start-up"},
    [COMPARE_SECONDS] = {"seconds", "time"},
};

static int uses(const struct pair *pair, int same_accuracy)
{
    return pair->mark == PAIR_FINE || (pair->mark != PAIR_UNENDED && !same_accuracy);
}

int compare_uses(const struct comparison *comparison, const struct pair *pair)
{
    return uses(pair, comparison->options.same_accuracy);
}

double compare_value(const struct comparison *comparison, const struct pair *pair, enum arm arm,
                     enum compare_metric metric)
{
    const struct record *record = pair->records[arm];
    static const enum record_field fields[COMPARE_METRICS] = {[COMPARE_ERROR] = FIELD_ERROR,
                                                              [COMPARE_SUPPORT_VECTORS] = FIELD_SUPPORT_VECTORS,
                                                              [COMPARE_ITERATIONS] = FIELD_ITERATIONS,
                                                              [COMPARE_KERNEL_OPERATIONS] = FIELD_KERNEL_OPERATIONS};
    if (metric == COMPARE_SECONDS)
        return arms_seconds(&comparison->arms, pair, arm);
    if (metric == COMPARE_ALL_OPERATIONS)
        return record->field[FIELD_SETUP_OPERATIONS] + record->field[FIELD_KERNEL_OPERATIONS];
    return record->field[fields[metric]];
}

static enum contrast_test deciding_test(const struct contrast_row *row, enum compare_metric metric)
{
    return metric == COMPARE_ERROR && !isnan(row->adjusted[CONTRAST_CORRECTED_T]) ? CONTRAST_CORRECTED_T
                                                                                  : CONTRAST_SIGNED_RANK;
}

double compare_p(const struct contrast_row *row, enum compare_metric metric)
{
    return row->adjusted[deciding_test(row, metric)];
}

/* Making one figure's result. */
struct metric_context {
    const struct comparison *comparison;
    enum compare_metric metric;
    int same_accuracy;
    double *values[ARMS]; /* room for all pairs or data sets */
};

static void fill_row(const struct metric_context *context, const struct pair_case *at, struct contrast_row *row)
{
    const struct comparison *comparison = context->comparison;
    struct contrast_sample sample = {.values = {context->values[BASELINE], context->values[CANDIDATE]}};
    for (size_t p = at->first; p < at->first + at->count; p++) {
        const struct pair *pair = &comparison->pairing.pairs[p];
        double first = compare_value(comparison, pair, BASELINE, context->metric);
        double second = compare_value(comparison, pair, CANDIDATE, context->metric);
        if (!uses(pair, context->same_accuracy) || !isfinite(first) || !isfinite(second))
            continue;
        context->values[BASELINE][sample.n] = first;
        context->values[CANDIDATE][sample.n++] = second;
    }
    const struct run_info_data *data = run_info_data(&comparison->arms.runs.items[0].run, at->dataset);
    if (data) {
        sample.n_train = data->n_train;
        sample.n_test = data->n_test;
    }
    contrast_row_of(&sample, row);
}

/* Puts the data sets' ratios and what is tested of them into the room; how many have both. */
static size_t sum_up_datasets(const struct metric_context *context, const struct contrast_row *rows)
{
    const struct pairing *pairing = &context->comparison->pairing;
    size_t n = 0;
    for (size_t c = 0, end; c < pairing->n_cases; c = end) {
        double logarithms = 0, differences = 0;
        size_t used = 0;
        for (end = c; end < pairing->n_cases && strcmp(pairing->cases[end].dataset, pairing->cases[c].dataset) == 0;
             end++) {
            if (rows[end].n == 0 || (context->metric != COMPARE_ERROR && !(rows[end].ratio.estimate > 0)))
                continue; /* a difference of errors needs no ratio: one of them may be 0 */
            logarithms += log(rows[end].ratio.estimate);
            differences += rows[end].means[CANDIDATE] - rows[end].means[BASELINE];
            used++;
        }
        if (used == 0)
            continue;
        context->values[0][n] = exp(logarithms / (double)used);
        context->values[1][n++] = (context->metric == COMPARE_ERROR ? differences : logarithms) / (double)used;
    }
    return n;
}

static void count_cases(const struct metric_context *context, struct compare_result *result)
{
    for (size_t c = 0; c < context->comparison->pairing.n_cases; c++) {
        const struct contrast_row *row = &result->rows[c];
        if (row->n == 0)
            continue;
        enum contrast_test test = deciding_test(row, context->metric);
        double difference = row->means[CANDIDATE] - row->means[BASELINE];
        if (contrast_count(row, test, &result->cases))
            result->opposed += (size_t)contrast_opposed(contrast_direction(row, test), difference);
        result->n_pairs += row->n;
    }
}

static void fill_result(const struct metric_context *context, struct compare_result *result)
{
    const struct pairing *pairing = &context->comparison->pairing;
    result->rows = xcalloc(pairing->n_cases, sizeof *result->rows);
    for (size_t c = 0; c < pairing->n_cases; c++)
        fill_row(context, &pairing->cases[c], &result->rows[c]);
    contrast_adjust(result->rows, pairing->n_cases);
    count_cases(context, result);
    size_t n = sum_up_datasets(context, result->rows);
    contrast_total_of(context->values[0], context->values[1], n, &result->total);
}

static int pair_alike(const struct comparison *comparison, const struct pair *pair)
{
    static const enum compare_metric sampled[] = {COMPARE_ERROR, COMPARE_SUPPORT_VECTORS, COMPARE_ITERATIONS,
                                                    COMPARE_KERNEL_OPERATIONS};
    for (size_t i = 0; i < sizeof sampled / sizeof *sampled; i++) {
        double first = compare_value(comparison, pair, BASELINE, sampled[i]);
        double second = compare_value(comparison, pair, CANDIDATE, sampled[i]);
        if (first != second && !(isnan(first) && isnan(second)))
            return 0;
    }
    return 1;
}

static void count_pairs(struct comparison *comparison)
{
    for (size_t p = 0; p < comparison->pairing.n_pairs; p++) {
        const struct pair *pair = &comparison->pairing.pairs[p];
        double start_ups[ARMS] = {0, 0};
        comparison->marks[pair->mark]++;
        for (int s = 0; s < ARMS; s++) {
            comparison->unended[s] += !pair_ended(pair, (enum arm)s);
            record_number(pair->records[s], "kernel_operations.setup", &start_ups[s]);
        }
        if (!compare_uses(comparison, pair))
            continue;
        comparison->compared++;
        comparison->alike += (size_t)pair_alike(comparison, pair);
        comparison->start_ups_differ |= start_ups[0] != start_ups[1];
    }
}

static enum compare_metric cost_of(const struct compare_result *results)
{
    if (results[COMPARE_KERNEL_OPERATIONS].n_pairs > 0)
        return COMPARE_KERNEL_OPERATIONS;
    return results[COMPARE_SECONDS].n_pairs > 0 ? COMPARE_SECONDS : COMPARE_ITERATIONS;
}

static void fill_results(struct comparison *comparison)
{
    size_t room = comparison->pairing.n_pairs;
    double *values = xcalloc(2 * room, sizeof *values);
    struct metric_context context = {.comparison = comparison,
                                     .same_accuracy = comparison->options.same_accuracy,
                                     .values = {values, values + room}};
    for (int m = 0; m < COMPARE_METRICS; m++) {
        context.metric = (enum compare_metric)m;
        fill_result(&context, &comparison->results[m]);
    }
    context.metric = comparison->cost = cost_of(comparison->results);
    context.same_accuracy = 1;
    fill_result(&context, &comparison->fine);
    free(values);
}

enum status compare_folders(const struct compare_options *options, struct comparison *comparison, struct error *error)
{
    *comparison = (struct comparison){.options = *options};
    struct arms *arms = &comparison->arms;
    enum status status = arms_read(options->folders, options->solvers, arms, error);
    if (status != STATUS_OK)
        return status;
    const struct pairing_arm halves[ARMS] = {{arms->records[BASELINE], arms->solvers[BASELINE]},
                                               {arms->records[CANDIDATE], arms->solvers[CANDIDATE]}};
    status = pairing_make(halves, &comparison->pairing, error);
    if (status != STATUS_OK)
        return status;
    comparison->problems = problems_of(arms->solvers[BASELINE], arms->solvers[CANDIDATE]);
    accuracy_mark(&comparison->pairing, comparison->problems, options->gap_factor);
    count_pairs(comparison);
    if (comparison->compared == 0)
        return error_set(error, STATUS_NOT_FOUND, "nothing to compare: on %zu of %zu pairs %s or %s did not converge%s",
                         comparison->marks[PAIR_UNENDED], comparison->pairing.n_pairs, arms->labels[BASELINE],
                         arms->labels[CANDIDATE],
                         options->same_accuracy ? ", on the others they did not come to the same accuracy" : "");
    fill_results(comparison);
    return STATUS_OK;
}

void compare_free(struct comparison *comparison)
{
    for (int m = 0; m < COMPARE_METRICS; m++)
        free(comparison->results[m].rows);
    free(comparison->fine.rows);
    pairing_free(&comparison->pairing);
    arms_free(&comparison->arms);
}
