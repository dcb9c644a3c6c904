/*
 * A solver that stops at a larger gap has done less, so the costs of the two whole runs belong to different tasks. The
 * larger of the two final gaps is a target that both have reached. Points of traces are some 5 % of the iterations
 * apart, as much as the default margin. Using the first point at or below the target would raise the cost of the run
 * with the smaller final gap by half of that on average. So the cost is interpolated, linearly in the logarithm of the
 * gap, between that point and the previous one.
 */
#include "harness/compare/equal_targets.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/records/run_traces.h"
#include "harness/support/round_to_12_digits.h"

static double gap_at(const struct run_trace *trace, size_t point, enum problems problems)
{
    return accuracy_gap(trace->points[point].objective, trace->points[point].gap, problems);
}

/* The trace of that arm of the pair, if it ends like the record. */
static const struct run_trace *trace_of(const struct run_traces *traces, const struct pair *pair, enum arm arm,
                                        enum problems problems)
{
    const struct record *record = pair->records[arm];
    const struct run_trace *trace = run_trace_of(traces, record);
    const double recomputed = accuracy_gap_of(pair, arm, problems);
    const int same = trace && trace->points[trace->n - 1].iteration == record->field[FIELD_ITERATIONS] &&
                     fabs(gap_at(trace, trace->n - 1, problems) - recomputed) <= 0.01 * recomputed;
    return same ? trace : NULL;
}

static struct target_cost cost_to(const struct run_trace *trace, double target, enum problems problems)
{
    size_t point = 0;
    while (point + 1 < trace->n && !(gap_at(trace, point, problems) <= target))
        point++;
    const struct run_trace_point *at = &trace->points[point], *before = point ? at - 1 : at;
    double above = point ? log(gap_at(trace, point - 1, problems) / target) : 0;
    double fallen = point ? log(gap_at(trace, point - 1, problems) / gap_at(trace, point, problems)) : 0;
    double share = above > 0 && fallen > 0 ? fmin(above / fallen, 1) : 1;
    double operations = at->kernel_operations - before->kernel_operations;
    return (struct target_cost){
        round_to_12_digits(before->iteration + share * (at->iteration - before->iteration)),
        round_to_12_digits(before->kernel_operations + share * operations)};
}

/* Returns 0 if a trace is missing. */
static int take_pair(const struct run_traces *const traces[ARMS], const struct pair *pair, size_t at,
                     enum problems problems, struct equal_targets *targets)
{
    const struct run_trace *found[ARMS];
    double target = 0;
    for (int s = 0; s < ARMS; s++) {
        found[s] = trace_of(traces[s], pair, (enum arm)s, problems);
        if (!found[s])
            return 0;
        target = fmax(target, gap_at(found[s], found[s]->n - 1, problems));
    }
    for (int s = 0; s < ARMS; s++)
        targets->costs[s][at] = cost_to(found[s], target, problems);
    return 1;
}

enum status equal_targets_read(const struct arms *arms, const struct pairing *pairing, enum problems problems,
                               struct equal_targets *targets, struct error *error)
{
    struct run_traces read[ARMS] = {{0}, {0}};
    const struct run_traces *const traces[ARMS] = {&read[0], &read[arms->runs.count - 1]};
    enum status status = STATUS_OK;
    *targets = (struct equal_targets){.used = 0};
    for (size_t i = 0; i < arms->runs.count && status == STATUS_OK; i++)
        status = run_traces_read(&arms->runs.items[i], &read[i], error);
    for (int s = 0; s < ARMS; s++)
        targets->costs[s] = xcalloc(pairing->n_pairs, sizeof *targets->costs[s]);
    targets->used = status == STATUS_OK && traces[BASELINE]->n > 0 && traces[CANDIDATE]->n > 0;
    size_t ended = 0;
    for (size_t p = 0; p < pairing->n_pairs && targets->used; p++)
        if (pairing->pairs[p].mark != PAIR_UNENDED) {
            targets->used = take_pair(traces, &pairing->pairs[p], p, problems, targets);
            ended++;
        }
    targets->used = targets->used && ended > 0;
    for (size_t i = 0; i < ARMS; i++)
        run_traces_free(&read[i]);
    return status;
}

void equal_targets_free(struct equal_targets *targets)
{
    for (int s = 0; s < ARMS; s++)
        free(targets->costs[s]);
    *targets = (struct equal_targets){.used = 0};
}
