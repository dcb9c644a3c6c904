/*
 * Figures of shares that solvers reach (harness/figure/ecdf.h). "profile", of an entry's series (series_set.h): a
 * performance profile per metric, and a data profile of kernel operations, in units of a row of the kernel matrix if
 * run.json has the number of training patterns. "runtime-distribution": the share of tasks (pairs of problem and
 * target, fixed_targets.h) that a solver completes within a budget of kernel operations, a data profile over tasks.
 */
#include <string.h>

#include "harness/compare/fixed_targets.h"
#include "harness/figure/ecdf.h"
#include "harness/plot/kinds.h"
#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/records/conditions.h"

enum { MAX_METRICS = 2 };

static const char *label_of(enum record_field field)
{
    return field == FIELD_SECONDS ? "seconds" : measure_label(field);
}

static const char *budget_axis(int units_known)
{
    return units_known ? "kernel operations / training patterns" : "kernel operations";
}

/* Sets the unit of every problem: the patterns of its data set, or 1 if unknown. Returns nonzero if all are known. */
static int fill_units(const struct plot_request *request, const struct series_set *set, double *units)
{
    int known = 1;
    for (size_t p = 0; p < set->n_problems; p++) {
        const char *dataset = set->datasets[p];
        const struct run_info_data *data = run_info_data(&request->data->folder->run, dataset);
        units[p] = data ? (double)data->n_train : 0;
        known = known && units[p] > 0;
    }
    for (size_t p = 0; p < set->n_problems && !known; p++)
        units[p] = 1;
    return known;
}

/* Selects the metrics: the entry's, or iterations and kernel operations. 0 if the entry's is not a cost. */
static size_t choose_fields(const struct plot_request *request, enum record_field fields[MAX_METRICS])
{
    static const enum record_field costs[] = {FIELD_ITERATIONS, FIELD_KERNEL_OPERATIONS, FIELD_SECONDS};
    const char *metric = json_text(request->entry, "metric");
    size_t n = 0;
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        if (metric ? strcmp(metric, measure_row(costs[i])->measure) == 0 : i < MAX_METRICS)
            fields[n++] = costs[i];
    return n;
}

static const char *describe_cost(const struct series_set *set, enum record_field field, int with_operations)
{
    if (field != FIELD_SECONDS)
        return with_operations ? "Kernel operations without the set-up. " : "";
    for (size_t i = 0; i < set->records.count; i++)
        if (set->records.items[i]->cpu.repeats > 0) /* failed runs are not repeated */
            return "Seconds: medians of the processor time over repeats. ";
    return "Seconds: elapsed time of single runs. ";
}

static void draw_profile(const struct plot_request *request, struct series_set *set, const enum record_field *fields,
                         size_t n_fields)
{
    struct plot_figure figure;
    struct ecdf ecdf = {&figure, set->labels, set->n_series, set->n_problems, set->datasets, {NULL}, 0};
    const int with_data = fields[n_fields - 1] == FIELD_KERNEL_OPERATIONS;
    plot_figure_open(&figure, "profile", request->name, NULL, NULL);
    fputs(with_data ? "Performance and data profiles: " : "Performance profiles: ", figure.heading);
    plot_describe(figure.heading, request->data, &set->records);
    fprintf(figure.caption,
            "Share of the %zu problems (data set, split, kernel, C or μ, stopping rule) that a solver finishes within "
            "a given multiple of the cost of the best of these solvers. At 1: how often it is the best; ties count for "
            "all. A run that did not converge counts as never finished. ",
            set->n_problems);
    series_set_print_gaps(set, figure.caption);
    fprintf(figure.caption, "%s%s", describe_cost(set, fields[0], with_data),
            with_data ? "Last panel: the share that it finishes within a budget. " : "");
    for (size_t k = 0; k < n_fields; k++) {
        series_set_fill_costs(set, fields[k]);
        ecdf_add(&ecdf, label_of(fields[k]),
                 pool_printf(request->pool, "%s, times those of the best", label_of(fields[k])), set->cost, NULL);
    }
    if (with_data) { /* the costs are those of the last panel */
        double *units = pool_array(request->pool, set->n_problems, sizeof *units);
        const char *axis = budget_axis(fill_units(request, set, units));
        ecdf_add(&ecdf, "data profile", axis, set->cost, units);
    }
    ecdf_finish(&ecdf, "share of problems");
    plot_origin(figure.caption, request->data, &set->records);
    plot_finish(request->run, &figure);
}

/* Reads the times of the series; returns the reason why they are not drawn, or NULL. */
static const char *take_times(const struct plot_request *request, const struct series_set *set)
{
    struct run_folder *folder = request->data->folder;
    return run_folder_read_times(folder)
               ? records_time_obstacle(request->pool, &(const struct run_folders){folder, 1}, &set->records)
               : pool_printf(request->pool, "%s has no timings.jsonl", folder->path);
}

void plot_profile(const struct plot_request *request)
{
    enum record_field fields[MAX_METRICS];
    size_t n_fields = choose_fields(request, fields);
    if (!request->entry)
        return; /* the user has to choose the solvers to compare */
    if (n_fields == 0)
        plot_die_metric(request, json_text(request->entry, "metric"), "iterations, kernel-operations, seconds");
    struct series_set set = series_set_take(request->pool, request->data, request->entry, 1);
    const char *obstacle = fields[0] == FIELD_SECONDS ? take_times(request, &set) : NULL;
    if (obstacle)
        plot_note(request, "%s", obstacle);
    else if (set.too_many)
        plot_note(request,
                  "more than %d solvers or combinations of their parameters; select some with \"solvers\" or \"where\"",
                  MAX_SERIES);
    else if (set.n_series < 2)
        plot_note(request, "fewer than two solvers to compare");
    else if (set.budgets)
        plot_note(request, "the solvers cannot be compared: %s", set.budgets);
    else if (set.n_problems == 0)
        plot_note(request, "no problem has records of all solvers: %s", set.gaps);
    else
        draw_profile(request, &set, fields, n_fields);
}

/* ---- runtimes ---- */

static void describe_targets(const struct fixed_targets *targets, FILE *caption)
{
    size_t listed = 0;
    fputs("Share of the pairs of problem (data set, split, kernel, C or μ, stopping rule) and target that a solver "
          "reaches within a budget. A target is a relative duality gap (gap / |objective|); with their numbers of "
          "problems: ",
          caption);
    for (size_t k = 0; k < FIXED_TARGETS; k++) {
        const size_t n = fixed_targets_costs(targets, 0, NULL, k).n;
        if (n > 0)
            fprintf(caption, "%s1e-%zu (%zu)", listed++ ? ", " : "", k + 1, n);
    }
    fputs(". Pairs that are never reached count in the share. ", caption);
    if (targets->n_below_stop_rule)
        fprintf(caption, "Left out: %zu pairs whose target a run missed because its stopping rule ended it earlier. ",
                targets->n_below_stop_rule);
    if (targets->n_untraced)
        fprintf(caption, "Left out: %zu problems without a valid trace of every run. ", targets->n_untraced);
    series_set_print_gaps(&targets->series, caption);
    if (targets->series.budgets) /* which plot_origin_of_splits states */
        fputs("A solver's share stops growing at its budget. ", caption);
    fputs("Kernel operations without the set-up, overestimated by up to 5 %. ", caption);
}

static void draw_runtimes(const struct plot_request *request, const struct fixed_targets *targets)
{
    const struct series_set *series = &targets->series;
    const char **datasets = pool_array(request->pool, targets->n, sizeof *datasets);
    double *units = pool_array(request->pool, targets->n, sizeof *units);
    struct plot_figure figure;
    struct ecdf ecdf = {&figure, series->labels, series->n_series, targets->n, datasets, {NULL}, 0};
    for (size_t t = 0; t < targets->n; t++) {
        datasets[t] = targets->tasks[t].dataset;
        units[t] = targets->tasks[t].unit;
    }
    plot_figure_open(&figure, "profile", request->name, NULL, NULL);
    fputs("Runtime to fixed targets: ", figure.heading);
    plot_describe(figure.heading, request->data, &series->records);
    describe_targets(targets, figure.caption);
    ecdf_add(&ecdf, "runtime distribution", budget_axis(targets->units_known), targets->cube.cost, units);
    ecdf_finish(&ecdf, "share of problems and targets");
    plot_origin(figure.caption, request->data, &series->records);
    plot_finish(request->run, &figure);
}

void plot_runtimes(const struct plot_request *request)
{
    const struct fixed_targets targets = fixed_targets_take(request->pool, request->data, request->entry);
    const char *obstacle = fixed_targets_obstacle(&targets, request->entry);
    if (obstacle)
        plot_note(request, "%s", obstacle);
    else
        draw_runtimes(request, &targets);
}
