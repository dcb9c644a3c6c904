/*
 * From pairs to figures. Each data set has the same weight, however many cases it has: its difference is the mean over
 * its cases. A run that did not converge is not left out. It costs a penalty, a multiple of the largest cost that any
 * run of either arm has on that case (PAR-k, the penalised average runtime of algorithm configuration: Hutter, Hoos,
 * Leyton-Brown and Stuetzle 2009), which is the same for both arms. A case with such runs is compared by the ratio of
 * its two mean costs, others by the geometric mean of the ratios. If both failed, the pair is a tie.
 */
#include "harness/compare/compare.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/records/conditions.h"
#include "harness/run/run_info.h"

const char *compare_key(size_t measure)
{
    return measure == COMPARE_FAILURES ? "failures" : measure_row(measure)->measure;
}

int compare_has(size_t measure)
{
    return (measure_row(measure)->flags & MEMBER_COMPARED) != 0;
}

/* Whether a run that did not converge gets the penalty. */
static int is_cost(size_t measure)
{
    return (measure_row(measure)->flags & MEMBER_COST) != 0;
}

/* The record's own cost, whether or not the run converged. */
static double cost_at_end(const struct comparison *comparison, const struct pair *pair, enum arm arm, size_t measure)
{
    const double *field = pair->records[arm]->field;
    if (measure == MEASURE_SECONDS)
        return arms_seconds(&comparison->arms, pair, arm);
    return measure == MEASURE_ALL_OPERATIONS ? field[FIELD_SETUP_OPERATIONS] + field[FIELD_KERNEL_OPERATIONS]
                                             : field[measure];
}

static double cost_of_pair(const struct comparison *comparison, const struct pair *pair, enum arm arm, size_t measure)
{
    const struct equal_targets *targets = &comparison->targets;
    if (!pair_converged(pair, arm))
        return (double)NAN;
    if (targets->used && pair_converged(pair, arm == BASELINE ? CANDIDATE : BASELINE)) {
        const struct target_cost *cost = &targets->costs[arm][pair - comparison->pairing.pairs];
        if (measure == FIELD_ITERATIONS)
            return cost->iterations;
        if (measure == FIELD_KERNEL_OPERATIONS)
            return cost->kernel_operations;
        if (measure == MEASURE_ALL_OPERATIONS)
            return pair->records[arm]->field[FIELD_SETUP_OPERATIONS] + cost->kernel_operations;
    }
    return cost_at_end(comparison, pair, arm, measure);
}

double compare_value(const struct comparison *comparison, const struct pair *pair, enum arm arm, size_t measure)
{
    if (measure == COMPARE_FAILURES)
        return pair_converged(pair, arm) ? 0 : 100;
    if (is_cost(measure))
        return cost_of_pair(comparison, pair, arm, measure);
    if (pair->mark == PAIR_NOT_CONVERGED)
        return (double)NAN;
    if (measure == FIELD_DUALITY_GAP)
        return accuracy_gap_of(pair, arm, comparison->problems);
    return pair->records[arm]->field[measure];
}

/* Context for computing one figure's result. */
struct metric_context {
    struct pool *pool;
    const struct comparison *comparison;
    size_t measure;
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
                                        context->measure));
    return context->comparison->options.penalty * (max > 0 ? max : 1);
}

/* A run that did not converge has the penalty if the arm has such costs at all, even if this run has none. */
static double value_or_penalty(const struct metric_context *context, const struct pair *pair, enum arm arm,
                               double penalty)
{
    const struct comparison *comparison = context->comparison;
    const size_t measure = context->measure;
    if (!is_cost(measure) || pair_converged(pair, arm))
        return compare_value(comparison, pair, arm, measure);
    const int is_known = measure == FIELD_KERNEL_OPERATIONS || measure == MEASURE_ALL_OPERATIONS
                             ? comparison->arms.counted[arm]
                             : measure == FIELD_ITERATIONS || !isnan(cost_at_end(comparison, pair, arm, measure));
    return is_known ? penalty : (double)NAN;
}

static struct estimate row_of(const struct metric_context *context, const struct pair_case *at)
{
    const struct comparison *comparison = context->comparison;
    const struct run_folders *runs = &comparison->arms.runs;
    const struct run_info_data *data = run_info_data(&runs->items[0].run, at->dataset);
    const double penalty = is_cost(context->measure) ? penalty_of(context, at) : 0;
    struct contrast_sample sample = {.values = {context->values[BASELINE], context->values[CANDIDATE]},
                                     .logarithmic = measure_is_ratio(context->measure)};
    for (size_t p = at->first; p < at->first + at->count; p++) {
        const struct pair *pair = &comparison->pairing.pairs[p];
        double first = value_or_penalty(context, pair, BASELINE, penalty);
        double second = value_or_penalty(context, pair, CANDIDATE, penalty);
        if ((context->both_converged && pair->mark == PAIR_NOT_CONVERGED) || !isfinite(first) || !isfinite(second))
            continue;
        sample.penalised |= is_cost(context->measure) && pair->mark == PAIR_NOT_CONVERGED;
        context->values[BASELINE][sample.n] = first;
        context->values[CANDIDATE][sample.n++] = second;
    }
    data = data ? data : run_info_data(&runs->items[runs->count - 1].run, at->dataset);
    const unsigned is_tested = measure_row(context->measure)->flags & MEMBER_TESTED;
    const enum contrast_basis basis = is_tested ? CONTRAST_TESTED : CONTRAST_TRAINED;
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
        (comparison->cost == MEASURE_SECONDS && times[BASELINE] != times[CANDIDATE]))
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
        comparison->marks[pair->mark]++;
        for (int s = 0; s < ARMS; s++)
            comparison->failed[s] += !pair_converged(pair, (enum arm)s);
        comparison->both_failed += !pair_converged(pair, BASELINE) && !pair_converged(pair, CANDIDATE);
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
    for (size_t m = 0; m < MEASURES; m++) {
        context.measure = m;
        context.margin = measure_is_ratio(m)                     ? log1p(options->cost_margin / 100)
                         : measure_row(m)->flags & MEMBER_TESTED ? options->error_margin
                                                                 : 0;
        if (compare_has(m))
            fill_result(&context, &comparison->results[m]);
    }
    context.margin = log1p(options->cost_margin / 100);
    comparison->cost = options->cost < MEASURES                                   ? options->cost
                       : comparison->results[FIELD_KERNEL_OPERATIONS].n_pairs > 0 ? FIELD_KERNEL_OPERATIONS
                       : comparison->results[MEASURE_SECONDS].n_pairs > 0         ? MEASURE_SECONDS
                                                                                  : FIELD_ITERATIONS;
    context.measure = comparison->cost;
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
    const size_t cost = comparison->options.cost;
    const struct arms *arms = &comparison->arms;
    if (cost == MEASURES || comparison->results[cost].n_pairs > 0)
        return;
    if (cost == MEASURE_SECONDS && *arms->without_times)
        die(STATUS_BAD_INPUT, "--metric: %s", arms->without_times);
    die(STATUS_BAD_INPUT, "--metric: no pair of %s and %s has both values of %s", arms->labels[CANDIDATE],
        arms->labels[BASELINE], measure_row(cost)->title);
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
