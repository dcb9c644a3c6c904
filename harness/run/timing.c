/* Times of repeats, see timing.h. Printed to nanoseconds: runs of a few microseconds are common. */
#include "harness/run/timing.h"

#include <gsl/gsl_sort.h>
#include <math.h>

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

const struct member timing_members[] = {
    {"index", MEMBER_COUNT, FIELD(struct timing_line, index), MEMBER_REQUIRED,
     .doc = "The position of the record, from 0."},
    {"seconds", SECONDS(seconds)},
    {"job", MEMBER_JSON_LIST, FIELD(struct timing_line, job),
     .doc = "The position of the job in the plan of the whole configuration."},
    {"cpu_seconds", MEMBER_PART, .size = sizeof(struct timing_line), .inner = cpu_seconds_members,
     .doc = "Only if the solver ran again to be timed."},
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

void cpu_seconds_print(const struct cpu_seconds *cpu, const char *before, FILE *stream)
{
    if (cpu->repeats > 0)
        fprintf(stream,
                "%s\"cpu_seconds\":{\"median\":%.9f,\"min\":%.9f,\"max\":%.9f,\"spread\":%.6f,\"repeats\":%u}",
                before, cpu->median, cpu->min, cpu->max, cpu->spread, cpu->repeats);
}
