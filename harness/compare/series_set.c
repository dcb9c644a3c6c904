/* A record's settings that do not belong to the problem distinguish the series of a solver. */
#include "harness/compare/series_set.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/records/conditions.h"
#include "harness/records/coverage.h"
#include "harness/records/plan_order.h"
#include "harness/records/same_problem.h"

static const char *label_of(const struct run_view *data, const struct series_set *set, const struct record *record)
{
    const char *label = plot_series_name(data, record->solver, record);
    for (const struct setting *s = record->settings; s < record->settings + record->n_settings; s++)
        if (series_shows(record, s, &set->records))
            label = plot_label_add(data, record, label, s->name, s->text);
    return label;
}

/* Keeps the problems that all series have, and their records; problem_of: of each record. */
static void keep_common(struct pool *pool, struct series_set *set, const struct coverage *coverage,
                        const size_t *problem_of)
{
    struct records all = set->records;
    size_t kept = 0;
    set->records = (struct records){.pool = pool};
    for (size_t p = 0; p < set->n_problems; p++)
        if (coverage_is_common(coverage, p)) {
            set->datasets[kept] = set->datasets[p];
            set->first[kept] = set->first[p];
            for (size_t s = 0; s < set->n_series; s++)
                set->runs[s * set->n_problems + kept] = set->runs[s * set->n_problems + p];
            kept++;
        }
    for (size_t s = 1; s < set->n_series; s++)
        memmove(set->runs + s * kept, set->runs + s * set->n_problems, kept * sizeof *set->runs);
    for (size_t i = 0; i < all.count; i++)
        if (coverage_is_common(coverage, problem_of[i]))
            records_add(&set->records, all.items[i]);
    set->n_left_out = set->n_problems - kept;
    set->n_problems = kept;
}

void series_set_print_gaps(const struct series_set *set, FILE *stream)
{
    if (set->n_left_out)
        fprintf(stream, "Left out: %zu problems that not all of these solvers ran; %s. ", set->n_left_out, set->gaps);
}

struct series_set series_set_take(struct pool *pool, const struct run_view *data, const cJSON *entry, int common)
{
    const struct run_folders alone = {data->folder, data->folder != NULL};
    struct series_set set = {.records.pool = pool};
    struct name_order problems = {.pool = pool}, series = {.pool = pool};
    for (size_t i = 0; i < data->records->count; i++)
        if (selection_matches(entry, data->records->items[i]))
            records_add(&set.records, data->records->items[i]);
    set.budgets = records_budget_obstacle(pool, &alone, &set.records);
    const size_t n = set.records.count;
    size_t *series_of = pool_array(pool, 2 * n, sizeof *series_of), *problem_of = series_of + n;
    set.datasets = pool_array(pool, n, sizeof *set.datasets);
    set.first = pool_array(pool, n, sizeof *set.first);
    for (size_t i = 0; i < n; i++) {
        const struct record *record = set.records.items[i];
        problem_of[i] = name_order_take(&problems, problem_key(record));
        series_of[i] = name_order_take(&series, series_key(record));
        set.too_many = series_of[i] == MAX_SERIES;
        if (set.too_many)
            return set;
        if (problem_of[i] == set.n_problems) {
            set.first[set.n_problems] = record;
            set.datasets[set.n_problems++] = record->dataset;
        }
        if (series_of[i] == set.n_series)
            set.labels[set.n_series++] = label_of(data, &set, record);
    }
    struct coverage coverage = coverage_begin(pool, set.n_series, set.datasets, set.n_problems);
    set.runs = pool_array(pool, set.n_series * set.n_problems, sizeof *set.runs);
    set.cost = pool_array(pool, set.n_series * set.n_problems, sizeof *set.cost);
    for (size_t i = 0; i < n; i++) {
        const size_t at = series_of[i] * set.n_problems + problem_of[i];
        set.runs[at] = set.records.items[i];
        coverage.has[at] = 1;
    }
    set.gaps = coverage_gaps(pool, &coverage, set.labels, "problems");
    if (common && set.gaps)
        keep_common(pool, &set, &coverage, problem_of);
    return set;
}

void series_set_fill_costs(struct series_set *set, enum record_field field)
{
    for (size_t k = 0; k < set->n_series * set->n_problems; k++) {
        const struct record *record = set->runs[k];
        const double cost = !record || !record->converged ? (double)INFINITY
                            : field == FIELD_SECONDS      ? record_time(record)
                                                          : record->field[field];
        set->cost[k] = isfinite(cost) ? cost : (double)INFINITY;
    }
}
