/* Tasks are kept for all series or for none, so that all series are compared on the same tasks. */
#include "harness/compare/fixed_targets.h"

#include <math.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/compare/cube.h"
#include "harness/records/run_traces.h"

const double fixed_targets[FIXED_TARGETS] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};

/* Points of a trace are 5 % of the iterations apart, so gaps need not agree more closely. */
static const double same_gap = 0.05;

/* Whether the last gap of the trace is the recomputed one, or both are far below the smallest target. */
static int ends_as_judged(const struct run_trace *trace, const struct record *record)
{
    const struct run_trace_point *end = &trace->points[trace->n - 1];
    const double judged = record->field[FIELD_DUALITY_GAP];
    const double smallest = fixed_targets[FIXED_TARGETS - 1] * fabs(record->field[FIELD_OBJECTIVE]);
    return end->iteration == record->field[FIELD_ITERATIONS] &&
           fabs(end->gap - judged) <= same_gap * fmax(fabs(judged), smallest);
}

/* A run with its record. NULL: the run failed. */
struct traced {
    const struct run_trace *trace;
    const struct record *record;
};

/* Kernel operations up to the first point with a relative gap within the target, infinite if there is none. The last
 * point uses the recomputed gap. */
static double cost_to(const struct traced *run, double target)
{
    for (size_t k = 0; run->trace && k < run->trace->n; k++) {
        const struct run_trace_point *point = &run->trace->points[k];
        const double gap = k + 1 < run->trace->n ? point->gap : run->record->field[FIELD_DUALITY_GAP];
        if (gap <= target * fabs(point->objective))
            return point->kernel_operations;
    }
    return (double)INFINITY;
}

/* The runs of one problem. */
struct runs {
    struct traced series[MAX_SERIES];
    size_t n_records, n, usable;
};

/* The runs of each problem. */
static struct runs *runs_of_problems(struct pool *pool, const struct series_set *set, const struct run_traces *traces)
{
    struct runs *all = pool_array(pool, set->n_problems, sizeof *all);
    for (size_t i = 0; i < set->records.count; i++) {
        const struct record *record = set->records.items[i];
        if (record->failed)
            continue;
        struct runs *runs = &all[set->problem_of[i]];
        const struct run_trace *trace = run_trace_of(traces, record);
        runs->series[set->series_of[i]] = (struct traced){trace, record};
        runs->n_records++;
        runs->n += trace != NULL;
        runs->usable += trace && ends_as_judged(trace, record);
    }
    return all;
}

static double spent_by(const struct traced *run)
{
    return run->trace ? run->trace->points[run->trace->n - 1].kernel_operations : 0;
}

/* Adds the task, unless the stopping rule of some run ended it before the target. */
static void add_task(struct fixed_targets *targets, const struct runs *runs, const struct task *task, size_t room)
{
    const size_t n_series = targets->series.n_series;
    const double target = fixed_targets[task->target];
    for (size_t s = 0; s < n_series; s++) {
        const struct traced *run = &runs->series[s];
        if (run->trace && run->record->converged && !isfinite(cost_to(run, target))) {
            targets->n_below_stop_rule++;
            return;
        }
    }
    for (size_t s = 0; s < n_series; s++) {
        const struct traced *run = &runs->series[s];
        targets->cost[s * room + targets->n] = cost_to(run, target);
        targets->spent[s * room + targets->n] = run->trace ? spent_by(run) : task->cutoff;
    }
    targets->tasks[targets->n++] = *task;
}

static void add_problem(const struct runs *runs, const char *dataset, const struct run_info_data *info, size_t room,
                        struct fixed_targets *targets)
{
    const struct series_set *set = &targets->series;
    struct task task = {.dataset = dataset, .unit = info ? (double)info->n_train : 0};
    if (runs->n == 0)
        return;
    if (runs->usable < runs->n_records) {
        targets->n_untraced++;
        return;
    }
    targets->units_known = targets->units_known && task.unit > 0;
    for (size_t s = 0; s < set->n_series; s++)
        task.cutoff = fmax(task.cutoff, spent_by(&runs->series[s]));
    for (task.target = 0; task.target < FIXED_TARGETS; task.target++)
        add_task(targets, runs, &task, room);
}

/* Shortens the rows from `room` to the number of tasks. */
static void close_gaps(double *rows, size_t n_series, size_t n, size_t room)
{
    for (size_t s = 1; s < n_series; s++)
        memmove(rows + s * n, rows + s * room, n * sizeof *rows);
}

static void fill(struct pool *pool, const struct plot_data *data, const struct run_traces *traces,
                 struct fixed_targets *targets)
{
    const size_t n_series = targets->series.n_series, room = targets->series.n_problems * FIXED_TARGETS;
    const struct runs *runs = runs_of_problems(pool, &targets->series, traces);
    const struct run_info_data *info = NULL;
    targets->tasks = pool_array(pool, room, sizeof *targets->tasks);
    targets->cost = pool_array(pool, n_series * room, sizeof *targets->cost);
    targets->spent = pool_array(pool, n_series * room, sizeof *targets->spent);
    for (size_t p = 0; p < targets->series.n_problems; p++) {
        const char *dataset = targets->series.datasets[p];
        if (p == 0 || dataset != targets->series.datasets[p - 1])
            info = run_info_data(&data->folder->run, dataset);
        add_problem(&runs[p], dataset, info, room, targets);
    }
    close_gaps(targets->cost, n_series, targets->n, room);
    close_gaps(targets->spent, n_series, targets->n, room);
    for (size_t t = 0; t < targets->n && !targets->units_known; t++)
        targets->tasks[t].unit = 1;
}

struct fixed_targets fixed_targets_take(struct pool *pool, const struct plot_data *data, const struct cJSON *entry)
{
    const struct run_traces *traces = run_traces_read(pool, data->folder);
    struct fixed_targets targets = {.units_known = 1};
    if (traces->n == 0)
        return targets;
    targets.series = series_set_take(pool, data, entry, 1);
    if (!targets.series.too_many)
        fill(pool, data, traces, &targets);
    return targets;
}

const char *fixed_targets_obstacle(const struct fixed_targets *targets, const struct cJSON *entry)
{
    size_t other = 0;
    while (other < targets->n && strcmp(targets->tasks[other].dataset, targets->tasks[0].dataset) == 0)
        other++;
    if (targets->series.too_many)
        return "too many solvers or combinations of their parameters; select some with \"solvers\" or \"where\"";
    if (targets->n == 0)
        return "no problem has traces of all its runs that reach a target";
    if (!entry && (targets->series.n_series < 2 || other == targets->n))
        return "fewer than two solvers or data sets to compare";
    return NULL;
}

struct target_costs fixed_targets_costs(const struct fixed_targets *targets, size_t series, const char *dataset,
                                        size_t target)
{
    struct target_costs costs = {.n = 0};
    for (size_t t = 0; t < targets->n; t++) {
        const struct task *task = &targets->tasks[t];
        const double cost = targets->cost[series * targets->n + t], spent = targets->spent[series * targets->n + t];
        if (task->target != target || (dataset && strcmp(task->dataset, dataset) != 0))
            continue;
        costs.n++;
        costs.reached += isfinite(cost) != 0;
        costs.ert += (isfinite(cost) ? cost : spent) / task->unit;
        costs.penalised += (isfinite(cost) ? cost : PENALTY_FACTOR * task->cutoff) / task->unit;
    }
    costs.ert = costs.reached ? costs.ert / (double)costs.reached : (double)INFINITY;
    costs.penalised /= costs.n ? (double)costs.n : (double)NAN;
    return costs;
}
