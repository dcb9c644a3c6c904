/*
 * From pairs to figures. Each data set has the same weight, however many cases it has: its difference is the mean over
 * its cases. A run that did not converge is not left out. It costs a penalty, a multiple of the largest cost that any
 * run of either arm has on that case (PAR-k, the penalised average runtime of algorithm configuration: Hutter, Hoos,
 * Leyton-Brown and Stuetzle 2009), which is the same for both arms. If both failed, the pair is a tie.
 */
#include "harness/compare/compare.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/records/conditions.h"
#include "harness/records/measures.h"
#include "harness/run/run_info.h"

const struct compare_metric_text compare_metric_texts[COMPARE_METRICS] = {
    [COMPARE_FAILURES] = {"failed_percent", "runs that did not converge", MEASURE_CONVERGED},
    [COMPARE_ERROR] = {"error_percent", "test error", FIELD_ERROR},
    [COMPARE_SUPPORT_VECTORS] = {"support_vectors", "support vectors", FIELD_SUPPORT_VECTORS},
    [COMPARE_GAP] = {"gap", "recomputed gap", FIELD_DUALITY_GAP},
    [COMPARE_ITERATIONS] = {"iterations", "iterations", FIELD_ITERATIONS},
    [COMPARE_KERNEL_OPERATIONS] = {"kernel_operations", "kernel operations", FIELD_KERNEL_OPERATIONS},
    [COMPARE_ALL_OPERATIONS] = {"kernel_operations_with_setup", "kernel operations with the set-up",
                                MEASURE_ALL_OPERATIONS},
    [COMPARE_SECONDS] = {"seconds", "time", MEASURE_SECONDS},
};

/* Whether the metric is a cost, for which a run that did not converge gets the penalty. */
static int is_cost(enum compare_metric metric)
{
    return (measure_row(compare_metric_texts[metric].measure)->flags & MEMBER_COST) != 0;
}

int compare_is_ratio(enum compare_metric metric)
{
    return measure_is_ratio(compare_metric_texts[metric].measure);
}

/* The record's own cost, whether or not the run converged. */
static double cost_at_end(const struct comparison *comparison, const struct pair *pair, enum arm arm,
                          enum compare_metric metric)
{
    const double *field = pair->records[arm]->field;
    if (metric == COMPARE_SECONDS)
        return arms_seconds(&comparison->arms, pair, arm);
    if (metric == COMPARE_ITERATIONS)
        return field[FIELD_ITERATIONS];
    return (metric == COMPARE_ALL_OPERATIONS ? field[FIELD_SETUP_OPERATIONS] : 0) + field[FIELD_KERNEL_OPERATIONS];
}

static double cost_of_pair(const struct comparison *comparison, const struct pair *pair, enum arm arm,
                           enum compare_metric metric)
{
    const struct equal_targets *targets = &comparison->targets;
    if (!pair_converged(pair, arm))
        return (double)NAN;
    if (!targets->used || metric == COMPARE_SECONDS || !pair_converged(pair, arm == BASELINE ? CANDIDATE : BASELINE))
        return cost_at_end(comparison, pair, arm, metric);
    const struct target_cost *cost = &targets->costs[arm][pair - comparison->pairing.pairs];
    double start_up = metric == COMPARE_ALL_OPERATIONS ? pair->records[arm]->field[FIELD_SETUP_OPERATIONS] : 0;
    return metric == COMPARE_ITERATIONS ? cost->iterations : start_up + cost->kernel_operations;
}

double compare_value(const struct comparison *comparison, const struct pair *pair, enum arm arm,
                     enum compare_metric metric)
{
    if (metric == COMPARE_FAILURES)
        return pair_converged(pair, arm) ? 0 : 100;
    if (is_cost(metric))
        return cost_of_pair(comparison, pair, arm, metric);
    if (pair->mark == PAIR_NOT_CONVERGED)
        return (double)NAN;
    if (metric == COMPARE_GAP)
        return accuracy_gap_of(pair, arm, comparison->problems);
    return pair->records[arm]->field[metric == COMPARE_ERROR ? FIELD_ERROR : FIELD_SUPPORT_VECTORS];
}

/* Context for computing one figure's result. */
struct metric_context {
    struct pool *pool;
    const struct comparison *comparison;
    enum compare_metric metric;
    int both_converged;        /* nonzero: leave out pairs with a run that did not converge */
    double margin;             /* for the posteriors */
    double *values[ARMS];      /* capacity for all pairs */
    double *means;             /* capacity for all data sets */
    struct bayes_draws *draws; /* shared by all results */
};

/* The cost of a run of the case that did not converge; at least the penalty for a cost of 1. */
static double penalty_of(const struct metric_context *context, const struct pair_case *at)
{
    double max = 0;
    for (size_t p = at->first; p < at->first + at->count; p++)
        for (int s = 0; s < ARMS; s++)
            max = fmax(max, cost_at_end(context->comparison, &context->comparison->pairing.pairs[p], (enum arm)s,
                                        context->metric));
    return context->comparison->options.penalty * (max > 0 ? max : 1);
}

/* A run that did not converge has the penalty if the arm has such costs at all, even if this run has none. */
static double value_or_penalty(const struct metric_context *context, const struct pair *pair, enum arm arm,
                               double penalty)
{
    const struct comparison *comparison = context->comparison;
    const enum compare_metric metric = context->metric;
    if (!is_cost(metric) || pair_converged(pair, arm))
        return compare_value(comparison, pair, arm, metric);
    const int is_known = metric == COMPARE_KERNEL_OPERATIONS || metric == COMPARE_ALL_OPERATIONS
                             ? comparison->arms.counted[arm]
                             : metric == COMPARE_ITERATIONS || !isnan(cost_at_end(comparison, pair, arm, metric));
    return is_known ? penalty : (double)NAN;
}

static struct estimate row_of(const struct metric_context *context, const struct pair_case *at)
{
    const struct comparison *comparison = context->comparison;
    const struct run_folders *runs = &comparison->arms.runs;
    const struct run_info_data *data = run_info_data(&runs->items[0].run, at->dataset);
    const double penalty = is_cost(context->metric) ? penalty_of(context, at) : 0;
    struct contrast_sample sample = {.values = {context->values[BASELINE], context->values[CANDIDATE]},
                                     .logarithmic = compare_is_ratio(context->metric)};
    for (size_t p = at->first; p < at->first + at->count; p++) {
        const struct pair *pair = &comparison->pairing.pairs[p];
        double first = value_or_penalty(context, pair, BASELINE, penalty);
        double second = value_or_penalty(context, pair, CANDIDATE, penalty);
        if ((context->both_converged && pair->mark == PAIR_NOT_CONVERGED) || !isfinite(first) || !isfinite(second))
            continue;
        context->values[BASELINE][sample.n] = first;
        context->values[CANDIDATE][sample.n++] = second;
    }
    data = data ? data : run_info_data(&runs->items[runs->count - 1].run, at->dataset);
    enum contrast_basis basis = context->metric == COMPARE_ERROR ? CONTRAST_TESTED : CONTRAST_TRAINED;
    sample.overlap = contrast_overlap(basis, data ? data->n_train : 0, data ? data->n_test : 0);
    struct estimate row = estimate_of_case(&sample);
    estimate_describe_case(&sample, context->margin, &row);
    return row;
}

size_t compare_dataset_values(const struct pairing *pairing, const struct estimate *rows, size_t offset,
                              double *values)
{
    size_t n = 0;
    for (size_t c = 0, end; c < pairing->n_cases; c = end) {
        double sum = 0;
        size_t used = 0;
        for (end = c; end < pairing->n_cases && strcmp(pairing->cases[end].dataset, pairing->cases[c].dataset) == 0;
             end++)
            if (rows[end].n > 0) {
                sum += *(const double *)(const void *)((const char *)&rows[end] + offset);
                used++;
            }
        if (used > 0)
            values[n++] = sum / (double)used;
    }
    return n;
}

static void fill_result(const struct metric_context *context, struct compare_result *result)
{
    const struct pairing *pairing = &context->comparison->pairing;
    struct estimate **rows = pool_array(context->pool, pairing->n_cases, sizeof *rows), *total = &result->total;
    double *means = context->means;
    result->rows = pool_array(context->pool, pairing->n_cases, sizeof *result->rows);
    for (size_t c = 0; c < pairing->n_cases; c++) {
        rows[c] = &result->rows[c];
        *rows[c] = row_of(context, &pairing->cases[c]);
        result->n_pairs += rows[c]->n;
    }
    estimates_adjust(rows, pairing->n_cases);
    const size_t n =
        compare_dataset_values(pairing, result->rows, offsetof(struct estimate, difference.estimate), means);
    *total = estimate_of_datasets(means, n);
    estimate_describe_datasets(means, n, context->margin, context->draws, total);
    compare_dataset_values(pairing, result->rows, offsetof(struct estimate, median), means);
    total->median = estimate_location(means, n);
    compare_dataset_values(pairing, result->rows, offsetof(struct estimate, of_means), means);
    total->of_means = estimate_location(means, n);
}

/* Runs that were stopped have equal counts whatever they did, so their objectives must be equal too. Times count only
 * if they are the cost. */
static int pair_alike(const struct comparison *comparison, const struct pair *pair)
{
    static const enum record_field fields[] = {FIELD_ERROR, FIELD_SUPPORT_VECTORS, FIELD_ITERATIONS,
                                               FIELD_KERNEL_OPERATIONS, FIELD_OBJECTIVE};
    const struct record *first = pair->records[BASELINE], *second = pair->records[CANDIDATE];
    const size_t n = sizeof fields / sizeof *fields - (first->converged != 0);
    const double times[ARMS] = {arms_seconds(&comparison->arms, pair, BASELINE),
                                arms_seconds(&comparison->arms, pair, CANDIDATE)};
    if (strcmp(first->outcome, second->outcome) != 0 ||
        (comparison->cost == COMPARE_SECONDS && times[BASELINE] != times[CANDIDATE]))
        return 0;
    for (size_t i = 0; i < n; i++) {
        const double a = first->field[fields[i]], b = second->field[fields[i]];
        if (a != b && !(isnan(a) && isnan(b)))
            return 0;
    }
    return 1;
}

static void count_pairs(struct comparison *comparison)
{
    for (size_t p = 0; p < comparison->pairing.n_pairs; p++) {
        const struct pair *pair = &comparison->pairing.pairs[p];
        double start_ups[ARMS];
        int known = 1;
        comparison->marks[pair->mark]++;
        for (int s = 0; s < ARMS; s++) {
            comparison->failed[s] += !pair_converged(pair, (enum arm)s);
            start_ups[s] = pair->records[s]->field[FIELD_SETUP_OPERATIONS];
            known = known && !isnan(start_ups[s]);
        }
        comparison->both_failed += !pair_converged(pair, BASELINE) && !pair_converged(pair, CANDIDATE);
        comparison->start_ups_differ |= known && start_ups[BASELINE] != start_ups[CANDIDATE];
    }
}

static void fill_results(struct pool *pool, struct comparison *comparison)
{
    const struct compare_options *options = &comparison->options;
    const size_t n = comparison->pairing.n_pairs;
    double *values = pool_array(pool, 2 * n + comparison->pairing.n_cases, sizeof *values);
    struct bayes_draws draws = {0};
    struct metric_context context = {.pool = pool,
                                     .comparison = comparison,
                                     .draws = &draws,
                                     .values = {values, values + n},
                                     .means = values + 2 * n};
    for (int m = 0; m < COMPARE_METRICS; m++) {
        context.metric = (enum compare_metric)m;
        context.margin = m == COMPARE_FAILURES ? 0
                         : m == COMPARE_ERROR  ? options->error_margin
                                               : log1p(options->cost_margin / 100);
        fill_result(&context, &comparison->results[m]);
    }
    comparison->cost = options->cost < COMPARE_METRICS                                ? options->cost
                       : comparison->results[COMPARE_KERNEL_OPERATIONS].n_pairs > 0 ? COMPARE_KERNEL_OPERATIONS
                       : comparison->results[COMPARE_SECONDS].n_pairs > 0           ? COMPARE_SECONDS
                                                                                      : COMPARE_ITERATIONS;
    context.metric = comparison->cost;
    context.both_converged = 1;
    fill_result(&context, &comparison->results[COMPARE_BOTH_CONVERGED]);
    free(draws.weights);
    for (size_t p = 0; p < n; p++) {
        const struct pair *pair = &comparison->pairing.pairs[p];
        comparison->zeros += compare_value(comparison, pair, BASELINE, comparison->cost) == 0 ||
                             compare_value(comparison, pair, CANDIDATE, comparison->cost) == 0;
        comparison->alike += (size_t)pair_alike(comparison, pair);
    }
}

/* Checks that a requested cost has values. */
static void check_cost(const struct comparison *comparison)
{
    const enum compare_metric cost = comparison->options.cost;
    const struct arms *arms = &comparison->arms;
    if (cost == COMPARE_METRICS || comparison->results[cost].n_pairs > 0)
        return;
    if (cost == COMPARE_SECONDS && *arms->without_times)
        die(STATUS_BAD_INPUT, "--metric: %s", arms->without_times);
    die(STATUS_BAD_INPUT, "--metric: no pair of %s and %s has both values of %s", arms->labels[CANDIDATE],
        arms->labels[BASELINE], compare_metric_texts[cost].title);
}

/* Refuses pairs whose budgets decided which of the two runs converged. */
static void check_budgets(struct pool *pool, const struct comparison *comparison)
{
    const struct arms *arms = &comparison->arms;
    struct records paired = {.pool = pool};
    for (size_t p = 0; p < comparison->pairing.n_pairs; p++)
        for (int s = 0; s < ARMS; s++)
            records_add(&paired, comparison->pairing.pairs[p].records[s]);
    const char *obstacle = records_budget_obstacle(pool, &arms->runs, &paired);
    if (obstacle)
        die(STATUS_BAD_INPUT, "%s and %s cannot be compared: %s; run both with the same budget",
            arms->labels[CANDIDATE], arms->labels[BASELINE], obstacle);
}

/* Pairs the records and marks the pairs. Returns why the arms cannot be compared; NULL if they can. */
static const char *pair_arms(struct pool *pool, struct comparison *comparison)
{
    struct arms *arms = &comparison->arms;
    struct pairing *pairing = &comparison->pairing;
    const struct pairing_arm halves[ARMS] = {{&arms->records[BASELINE], arms->solvers[BASELINE]},
                                             {&arms->records[CANDIDATE], arms->solvers[CANDIDATE]}};
    if (arms->obstacle)
        return arms->obstacle;
    *pairing = pairing_make(pool, halves);
    if (pairing->ambiguity)
        die(STATUS_BAD_INPUT, "%s", pairing->ambiguity);
    if (pairing->n_pairs == 0)
        return pool_printf(pool,
                           "nothing to compare: none of the %zu records of %s and %zu of %s share data set, split, "
                           "kernel and problem",
                           pairing->alone[BASELINE], arms->solvers[BASELINE], pairing->alone[CANDIDATE],
                           arms->solvers[CANDIDATE]);
    check_budgets(pool, comparison);
    comparison->problems = problems_of_pairs(pairing, arms->solvers[BASELINE], arms->solvers[CANDIDATE]);
    accuracy_mark(pairing, comparison->problems);
    comparison->equal_by_rule = accuracy_is_equal_by_rule(pairing);
    if (!comparison->equal_by_rule)
        comparison->targets = equal_targets_read(pool, arms, pairing, comparison->problems);
    count_pairs(comparison);
    if (comparison->both_failed == pairing->n_pairs)
        return pool_printf(pool, "nothing to compare: on none of the %zu pairs did %s or %s converge", pairing->n_pairs,
                           arms->labels[BASELINE], arms->labels[CANDIDATE]);
    return NULL;
}

struct comparison compare_runs(struct pool *pool, const struct compare_options *options,
                               const struct run_folders *runs, const struct solver_choice *const choices[ARMS])
{
    struct comparison comparison = {.options = *options, .arms = arms_choose(pool, runs, choices)};
    comparison.obstacle = pair_arms(pool, &comparison);
    if (!comparison.obstacle) {
        fill_results(pool, &comparison);
        check_cost(&comparison);
    }
    return comparison;
}
