/*
 * The interactive page: what each solver of a run spends on each problem, from which its script (plots/interactive.js)
 * computes profiles, shares, traces and pairs. Runs for the tables of papers are not on it. A run of unlike budgets is
 * compared at fixed targets only, and times only if they are comparable, as everywhere.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/atlas/atlas.h"
#include "harness/base/json_writer.h"
#include "harness/compare/fixed_targets.h"
#include "harness/format/page.h"
#include "harness/records/conditions.h"
#include "harness/report/report.h"

/* Whether each run on each problem converged, null: there is none; and its costs, null: not counted. */
static void put_problems(cJSON *json, struct pool *pool, const struct report_folder *folder,
                         const struct series_set *set)
{
    static const enum record_field fields[] = {FIELD_ITERATIONS, FIELD_KERNEL_OPERATIONS, FIELD_SECONDS};
    const size_t n = set->n_series * set->n_problems;
    double *numbers = pool_array(pool, n, sizeof *numbers);
    const char *no_times = run_folder_read_times(folder->run)
                               ? records_time_obstacle(pool, &(const struct run_folders){folder->run, 1}, &set->records)
                               : "there is no timings.jsonl";
    for (size_t k = 0; k < n; k++)
        numbers[k] = set->runs[k] ? set->runs[k]->converged : (double)NAN;
    atlas_json_numbers(json, "converged", numbers, n, 1);
    cJSON *costs = json_put_object(json, "costs");
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        for (size_t k = 0; k < n; k++)
            numbers[k] = !set->runs[k]               ? (double)NAN
                         : fields[f] == FIELD_SECONDS ? record_time(set->runs[k])
                                                      : set->runs[k]->field[fields[f]];
        if (fields[f] != FIELD_SECONDS || !no_times)
            atlas_json_numbers(costs, measure_row(fields[f])->measure, numbers, n, 1);
    }
    json_put_text(json, "without_times", no_times);
}

/* The tasks of the traces: data set, target, and the costs up to it; null: never reached. */
static void put_targets(cJSON *json, struct pool *pool, const struct name_order *datasets,
                        const struct fixed_targets *targets)
{
    const size_t n = targets->series.n_series * targets->n;
    double *numbers = pool_array(pool, 2 * targets->n, sizeof *numbers);
    for (size_t t = 0; t < targets->n; t++) {
        numbers[2 * t] = (double)name_order_find(datasets, targets->tasks[t].dataset);
        numbers[2 * t + 1] = (double)targets->tasks[t].target;
    }
    atlas_json_numbers(json, "targets", fixed_targets, FIXED_TARGETS, 1);
    atlas_json_numbers(json, "task_datasets", numbers, targets->n, 2);
    atlas_json_numbers(json, "task_targets", numbers + 1, targets->n, 2);
    cJSON *costs = json_put_object(json, "reached");
    atlas_json_numbers(costs, "iterations", targets->iterations, n, 1);
    atlas_json_numbers(costs, "kernel-operations", targets->cube.cost, n, 1);
}

/* The data sets, and that of each problem. */
static struct name_order put_datasets(cJSON *json, struct pool *pool, const struct run_info *info,
                                      const struct series_set *set)
{
    struct name_order names = {.pool = pool};
    double *numbers = pool_array(pool, set->n_problems, sizeof *numbers);
    cJSON *list = json_put_array(json, "datasets");
    for (size_t p = 0; p < set->n_problems; p++) {
        const size_t known = names.count, at = name_order_add(&names, set->datasets[p]);
        const struct run_info_data *data = run_info_data(info, set->datasets[p]);
        numbers[p] = (double)at;
        if (at < known)
            continue;
        cJSON *item = json_add_object(list);
        json_put_text(item, "name", set->datasets[p]);
        json_put_number(item, "train", data && data->n_train ? (double)data->n_train : (double)NAN);
    }
    atlas_json_numbers(json, "problems", numbers, set->n_problems, 1);
    return names;
}

/* Adds the run if it has several solvers. Returns why it is not on the page although it has, or NULL. */
static const char *put_run(cJSON *runs, struct pool *pool, const struct report_folder *folder)
{
    const struct run_view *view = run_view_take(pool, folder->run);
    const struct series_set set = series_set_take(pool, view, NULL, 0);
    if (!set.runs)
        return pool_printf(pool, "it has more than %d solvers or combinations of their parameters", MAX_CHOICE);
    if (set.n_series < 2)
        return NULL;
    const struct fixed_targets targets = fixed_targets_take(pool, view, NULL);
    if (set.budgets && targets.n == 0)
        return set.budgets;
    cJSON *json = json_add_object(runs), *solvers = json_put_array(json, "solvers");
    json_put_text(json, "label", folder->label);
    json_put_text(json, "budgets", set.budgets);
    for (size_t s = 0; s < set.n_series; s++)
        json_add_text(solvers, set.labels[s]);
    const struct name_order datasets = put_datasets(json, pool, &folder->run->run, &set);
    if (!set.budgets)
        put_problems(json, pool, folder, &set);
    if (targets.n)
        put_targets(json, pool, &datasets, &targets);
    return NULL;
}

int report_print_interactive(struct report *report, const char *path, FILE *stream)
{
    struct pool *pool = report->pool;
    struct page page = {stream, pool, "interactive", NULL};
    cJSON *json = json_keep(pool, json_new_object()), *runs = json_put_array(json, "runs"),
          *omitted = json_put_array(json, "omitted");
    for (size_t i = 0; i < report->count; i++) {
        const struct report_folder *folder = &report->folders[i];
        if (!folder->has_records || folder->run->run.records == 0 || cJSON_GetArraySize(folder->run->tables) > 0)
            continue;
        const char *reason = put_run(runs, pool, folder);
        if (reason)
            json_add_text(omitted, pool_printf(pool, "%s: %s", folder->label, reason));
    }
    if (cJSON_GetArraySize(runs) == 0)
        return 0;
    char *line = json_line(json);
    page_write(&page, "hullbench: solvers side by side", line);
    free(line);
    report->interactive = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    return 1;
}
