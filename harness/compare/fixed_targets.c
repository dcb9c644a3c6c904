/* Tasks are kept for all series or for none, so that all series are compared on the same tasks. */
#include "harness/compare/fixed_targets.h"

#include <math.h>
#include <string.h>

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

/* The first point with a relative gap within the target; its counts are infinite if there is none or the run failed
 * (NULL). The last point uses the recomputed gap. */
static const struct run_trace_point *point_at(const struct run_trace *trace, const struct record *record, double target)
{
    static const struct run_trace_point never = {.iteration = (double)INFINITY, .kernel_operations = (double)INFINITY};
    for (size_t k = 0; trace && k < trace->n; k++) {
        const struct run_trace_point *point = &trace->points[k];
        const double gap = k + 1 < trace->n ? point->gap : record->field[FIELD_DUALITY_GAP];
        if (gap <= target * fabs(point->objective))
            return point;
    }
    return &never;
}

/* Whether the stopping rule of some run of the problem ended it before the target. */
static int ends_above(const struct series_set *set, const struct run_trace *const *traces, size_t problem,
                      double target)
{
    for (size_t at = problem; at < set->n_series * set->n_problems; at += set->n_problems)
        if (traces[at] && set->runs[at]->converged &&
            !isfinite(point_at(traces[at], set->runs[at], target)->iteration))
            return 1;
    return 0;
}

/* Lists the tasks of a problem. traces: series x problems. */
static void add_tasks(const struct run_info_data *info, const struct run_trace *const *traces, size_t problem,
                      struct fixed_targets *targets)
{
    const struct series_set *set = &targets->series;
    struct task task = {set->datasets[problem], problem, 0, info ? (double)info->n_train : 0};
    size_t n_traced = 0, n_unusable = 0;
    for (size_t at = problem; at < set->n_series * set->n_problems; at += set->n_problems) {
        n_traced += traces[at] != NULL;
        n_unusable += set->runs[at] && !set->runs[at]->failed &&
                      !(traces[at] && ends_as_judged(traces[at], set->runs[at]));
    }
    if (n_traced == 0 || n_unusable > 0) {
        targets->n_untraced += n_traced > 0;
        return;
    }
    targets->units_known = targets->units_known && task.unit > 0;
    for (; task.target < FIXED_TARGETS; task.target++)
        if (ends_above(set, traces, problem, fixed_targets[task.target]))
            targets->n_below_stop_rule++;
        else
            targets->tasks[targets->n++] = task;
}

static double spent_by(const struct run_trace *trace)
{
    return trace ? trace->points[trace->n - 1].kernel_operations : 0;
}

static void fill(struct pool *pool, const struct run_info *run, const struct run_traces *read,
                 struct fixed_targets *targets)
{
    const struct series_set *set = &targets->series;
    const struct run_trace **traces = pool_array(pool, set->n_series * set->n_problems, sizeof *traces);
    for (size_t at = 0; at < set->n_series * set->n_problems; at++)
        if (set->runs[at] && !set->runs[at]->failed)
            traces[at] = run_trace_of(read, set->runs[at]);
    targets->tasks = pool_array(pool, set->n_problems * FIXED_TARGETS, sizeof *targets->tasks);
    const struct run_info_data *info = NULL;
    for (size_t p = 0; p < set->n_problems; p++) {
        if (p == 0 || set->datasets[p] != set->datasets[p - 1])
            info = run_info_data(run, set->datasets[p]);
        add_tasks(info, traces, p, targets);
    }
    targets->cube = cube_new(pool, set->n_series, targets->n);
    targets->iterations = pool_array(pool, set->n_series * targets->n, sizeof *targets->iterations);
    for (size_t t = 0; t < targets->n; t++) {
        const struct task *task = &targets->tasks[t];
        const struct cube *cube = &targets->cube;
        for (size_t s = 0; s < set->n_series; s++)
            cube->limit[t] = fmax(cube->limit[t], spent_by(traces[s * set->n_problems + task->problem]));
        for (size_t s = 0; s < set->n_series; s++) {
            const size_t at = s * set->n_problems + task->problem;
            const struct run_trace_point *reached = point_at(traces[at], set->runs[at], fixed_targets[task->target]);
            cube->cost[s * targets->n + t] = reached->kernel_operations;
            targets->iterations[s * targets->n + t] = reached->iteration;
            cube->spent[s * targets->n + t] = traces[at] ? spent_by(traces[at]) : cube->limit[t];
        }
        targets->tasks[t].unit = targets->units_known ? task->unit : 1;
    }
}

struct fixed_targets fixed_targets_take(struct pool *pool, const struct run_view *data, const struct cJSON *entry)
{
    const struct run_traces *traces = run_traces_read(pool, data->folder);
    struct fixed_targets targets = {.units_known = 1};
    if (traces->n == 0)
        return targets;
    targets.series = series_set_take(pool, data, entry, 1);
    if (targets.series.runs)
        fill(pool, &data->folder->run, traces, &targets);
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
        const double cost = targets->cube.cost[series * targets->n + t];
        if (task->target != target || (dataset && strcmp(task->dataset, dataset) != 0))
            continue;
        costs.n++;
        costs.reached += isfinite(cost) != 0;
        costs.ert += (isfinite(cost) ? cost : targets->cube.spent[series * targets->n + t]) / task->unit;
        costs.penalised += cube_penalised(&targets->cube, series, t) / task->unit;
    }
    costs.ert = costs.reached ? costs.ert / (double)costs.reached : (double)INFINITY;
    costs.penalised /= costs.n ? (double)costs.n : (double)NAN;
    return costs;
}
