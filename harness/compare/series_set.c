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

static char *label_of(struct pool *pool, const struct plot_data *data, const struct series_set *set,
                      const struct record *record)
{
    char solver[200], *text = pool_strdup(pool, plot_series_name(data, record->solver, record, solver, sizeof solver));
    for (size_t i = 0; i < record->n_settings; i++) {
        const struct setting *setting = &record->settings[i];
        if (series_shows(record, setting, &set->records) && !plot_name_covers(data, record, setting->name))
            text = pool_printf(pool, "%s, %s = %s", text, plot_setting_label(setting->name), setting->text);
    }
    return text;
}

static void number_problem(struct series_set *set, size_t i, struct name_order *problems)
{
    const size_t p = set->problem_of[i] = name_order_take(problems, problem_key(set->records.items[i]));
    if (p < set->n_problems)
        return;
    set->datasets[p] = set->records.items[i]->dataset;
    set->first_of[set->n_problems++] = i;
}

static void number_series(struct pool *pool, const struct plot_data *data, struct series_set *set, size_t i,
                          struct name_order *series)
{
    const size_t s = set->series_of[i] = name_order_take(series, series_key(set->records.items[i]));
    set->too_many = s == MAX_SERIES;
    if (s == set->n_series && !set->too_many)
        set->labels[set->n_series++] = label_of(pool, data, set, set->records.items[i]);
}

/* Which series lack which problems. */
static struct coverage coverage_of(struct pool *pool, const struct series_set *set)
{
    struct coverage coverage = coverage_begin(pool, set->n_series, set->datasets, set->n_problems);
    for (size_t i = 0; i < set->records.count; i++)
        coverage.has[set->series_of[i] * set->n_problems + set->problem_of[i]] = 1;
    return coverage;
}

static void keep_common(struct pool *pool, struct series_set *set)
{
    const struct coverage coverage = coverage_of(pool, set);
    size_t *new_number = pool_array(pool, set->n_problems, sizeof *new_number), kept = 0, records = 0;
    for (size_t p = 0; p < set->n_problems; p++) {
        new_number[p] = kept;
        set->datasets[kept] = set->datasets[p];
        kept += (size_t)coverage_is_common(&coverage, p);
    }
    for (size_t i = 0; i < set->records.count; i++) {
        const size_t problem = set->problem_of[i];
        if (!coverage_is_common(&coverage, problem))
            continue;
        if (set->first_of[problem] == i)
            set->first_of[new_number[problem]] = records;
        set->problem_of[records] = new_number[problem];
        set->series_of[records] = set->series_of[i];
        set->records.items[records++] = set->records.items[i];
    }
    set->n_left_out = set->n_problems - kept;
    set->n_problems = kept;
    set->records.count = records;
}

void series_set_print_gaps(const struct series_set *set, FILE *stream)
{
    if (set->n_left_out)
        fprintf(stream, "Left out: %zu problems that not all of these solvers ran; %s. ", set->n_left_out, set->gaps);
}

struct series_set series_set_take(struct pool *pool, const struct plot_data *data, const cJSON *entry, int common)
{
    const struct record_filter filter = {.entry = entry};
    const struct run_folders alone = {data->folder, data->folder != NULL};
    struct series_set set = {.records.pool = pool};
    records_select(data->records, &filter, &set.records);
    set.budgets = records_budget_obstacle(pool, &alone, &set.records);
    size_t n = set.records.count;
    set.series_of = pool_array(pool, n, sizeof *set.series_of);
    set.problem_of = pool_array(pool, n, sizeof *set.problem_of);
    set.first_of = pool_array(pool, n, sizeof *set.first_of);
    set.datasets = pool_array(pool, n, sizeof *set.datasets);
    struct name_order problems = {.pool = pool}, series = {.pool = pool};
    for (size_t i = 0; i < n && !set.too_many; i++) {
        number_problem(&set, i, &problems);
        number_series(pool, data, &set, i, &series);
    }
    if (!set.too_many) {
        const struct coverage coverage = coverage_of(pool, &set);
        set.gaps = coverage_gaps(pool, &coverage, (const char *const *)set.labels, "problems");
    }
    set.cost = pool_array(pool, set.n_series * set.n_problems, sizeof *set.cost);
    if (common && set.gaps)
        keep_common(pool, &set);
    return set;
}

void series_set_fill_costs(struct series_set *set, enum record_field field)
{
    for (size_t k = 0; k < set->n_series * set->n_problems; k++)
        set->cost[k] = INFINITY;
    for (size_t i = 0; i < set->records.count; i++) {
        const struct record *record = set->records.items[i];
        double cost = field == FIELD_SECONDS ? record_time(record) : record->field[field];
        if (record->converged && isfinite(cost))
            set->cost[set->series_of[i] * set->n_problems + set->problem_of[i]] = cost;
    }
}
