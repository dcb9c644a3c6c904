/*
 * With r_p = log(cost of the second / cost of the first) on problem p, R_d the mean of r_p over the problems of data
 * set d, the ratio is exp of the mean of R_d over data sets; its interval resamples data sets. Runs that did not reach
 * the target are counted but have no ratio, since their full cost is unknown.
 */
#include "harness/atlas/series_ratios.h"

#include <math.h>
#include <string.h>

#include "harness/records/same_problem.h"

/* The number of a's series settings that have another value in b, or none. */
static size_t count_differences(const struct record *a, const struct record *b)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n_settings; i++) {
        const struct setting *other = record_setting(b, a->settings[i].name);
        n += !is_of_problem(&a->settings[i], PROBLEM_OF_SERIES) && (!other || strcmp(other->text, a->settings[i].text));
    }
    return n;
}

static int is_variant(const struct atlas_series *one, const struct atlas_series *other)
{
    return strcmp(one->solver, other->solver) == 0 && count_differences(one->first, other->first) == 1 &&
           count_differences(other->first, one->first) == 1;
}

/* Whether the options name the pair, as "LABEL:LABEL". */
static int is_asked_for(const struct atlas_options *options, const char *first, const char *second)
{
    const size_t length = strlen(first);
    for (size_t i = 0; i < options->n_pairs; i++)
        if (strncmp(options->pairs[i], first, length) == 0 && options->pairs[i][length] == ':' &&
            strcmp(options->pairs[i] + length + 1, second) == 0)
            return 1;
    return 0;
}

static void fill_ratio(struct atlas *atlas, const struct series_ratios *ratios, enum atlas_cost cost, size_t target,
                       struct series_ratio *row)
{
    const struct atlas_family *family = ratios->family;
    const size_t n = atlas->n_datasets;
    double *logs = pool_array(atlas->scratch, 2 * n, sizeof *logs), *counts = logs + n;
    for (size_t p = 0; p < family->n_problems; p++) {
        const size_t one = atlas_at(family, ratios->first, p, target),
                     other = atlas_at(family, ratios->second, p, target);
        const int first = atlas_reached(family, one), second = atlas_reached(family, other);
        row->both += first && second;
        row->first_alone += first && !second;
        row->second_alone += second && !first;
        row->neither += !first && !second;
        if (!first || !second)
            continue;
        logs[family->problems[p].dataset] += atlas_log_cost(family, cost, ratios->second, p, target) -
                                             atlas_log_cost(family, cost, ratios->first, p, target);
        counts[family->problems[p].dataset]++;
    }
    for (size_t d = 0; d < n; d++)
        if (counts[d] > 0) {
            logs[d] /= counts[d];
            counts[d] = 1;
            row->datasets++;
            row->cheaper += logs[d] < 0;
        }
    row->ratio = atlas_interval(atlas, logs, counts, 1);
}

size_t series_ratios_of(struct atlas *atlas, const struct atlas_family *family, struct series_ratios *all)
{
    const size_t n = family->n_series;
    size_t count = 0;
    for (size_t k = 0; k < n * n; k++) {
        const size_t first = k / n, second = k % n;
        const struct atlas_series *one = &family->series[first], *other = &family->series[second];
        if (!(first < second && is_variant(one, other)) && !is_asked_for(&atlas->options, one->label, other->label))
            continue;
        struct series_ratios *ratios = &all[count++];
        *ratios = (struct series_ratios){
            family, first, second, pool_array(atlas->pool, ATLAS_COSTS * family->n_targets, sizeof *ratios->rows)};
        for (size_t i = 0; i < ATLAS_COSTS * family->n_targets; i++) {
            const enum atlas_cost cost = (enum atlas_cost)(i / family->n_targets);
            if (family->counts[cost][first] && family->counts[cost][second])
                fill_ratio(atlas, ratios, cost, i % family->n_targets, &ratios->rows[i]);
        }
    }
    return count;
}
