/* Times of repeats, see timing.h. Printed to nanoseconds: runs of a few microseconds are common. */
#include "harness/run/timing.h"

#include <gsl/gsl_sort.h>
#include <inttypes.h>

#include "harness/config/config.h"
#include "harness/stats/summary.h"

#define SECONDS(field) MEMBER_REAL, FIELD(struct timing_line, timing.field), MEMBER_REQUIRED, 0, (double)INFINITY

const struct member cpu_seconds_members[] = {
    {"median", SECONDS(cpu.median)},
    {"min", SECONDS(cpu.min)},
    {"max", SECONDS(cpu.max)},
    {"spread", SECONDS(cpu.spread)},
    {"repeats", MEMBER_COUNT, FIELD(struct timing_line, timing.cpu.repeats), MEMBER_REQUIRED, 1, MAX_REPEATS},
    MEMBERS_END_OTHERS_IGNORED,
};

#define LIMIT(field) FIELD(struct timing_line, timing.budget.field), .high = 1e16
const struct member timing_budget_members[] = {
    {"iterations", MEMBER_COUNT, LIMIT(iterations)},
    {"kernel_operations", MEMBER_COUNT, LIMIT(kernel_operations)},
    {"seconds", MEMBER_REAL, LIMIT(seconds)},
    MEMBERS_END_OTHERS_IGNORED,
};

const struct member timing_members[] = {
    {"index", MEMBER_COUNT, FIELD(struct timing_line, index), MEMBER_REQUIRED,
     .doc = "The position of the record, from 0."},
    {"seconds", SECONDS(seconds)},
    {"job", MEMBER_JSON_LIST, FIELD(struct timing_line, job),
     .doc = "The position of the job in the plan of the whole configuration."},
    {"cpu_seconds", MEMBER_PART, .size = sizeof(struct timing_line), .inner = cpu_seconds_members,
     .doc = "Only if the solver ran again to be timed."},
    {"rows", MEMBER_HASH, FIELD(struct timing_line, timing.rows),
     .doc = "64-bit FNV-1a of the rows of the split with their labels."},
    {"budget", MEMBER_PART, .size = sizeof(struct timing_line), .inner = timing_budget_members,
     .doc = "The limits that the run had, if any; kernel operations also if they were given in matrices."},
    {"failed", MEMBER_TEXT, FIELD(struct timing_line, failed), .doc = "The reason, only if the record failed."},
    MEMBERS_END_OTHERS_IGNORED,
};

struct timing timing_of_repeats(double *wall, double *cpu, size_t n)
{
    gsl_sort(wall, 1, n);
    gsl_sort(cpu, 1, n);
    struct timing timing = {.seconds = summary_quantile(wall, n, 0.5),
                            .cpu = {.repeats = (unsigned)n,
                                    .median = summary_quantile(cpu, n, 0.5),
                                    .min = cpu[0],
                                    .max = cpu[n - 1]}};
    double range = summary_quantile(cpu, n, 0.75) - summary_quantile(cpu, n, 0.25);
    timing.cpu.spread = timing.cpu.median > 0 ? range / timing.cpu.median : 0;
    return timing;
}

static void print_limit(const char *key, double limit, const char **before, FILE *stream)
{
    if (!(limit > 0))
        return;
    fprintf(stream, "%s\"%s\":%.17g", *before, key, limit);
    *before = ",";
}

void timing_print(const struct timing *timing, FILE *stream)
{
    const struct cpu_seconds *cpu = &timing->cpu;
    const struct budget *budget = &timing->budget;
    const char *before = ",\"budget\":{";
    if (timing->rows)
        fprintf(stream, ",\"rows\":\"%016" PRIx64 "\"", timing->rows);
    print_limit("iterations", (double)budget->iterations, &before, stream);
    print_limit("kernel_operations", (double)budget->kernel_operations, &before, stream);
    print_limit("seconds", budget->seconds, &before, stream);
    if (*before == ',' && before[1] == '\0')
        fputc('}', stream);
    if (cpu->repeats > 0)
        fprintf(stream,
                ",\"cpu_seconds\":{\"median\":%.9f,\"min\":%.9f,\"max\":%.9f,\"spread\":%.6f,\"repeats\":%u}",
                cpu->median, cpu->min, cpu->max, cpu->spread, cpu->repeats);
}
