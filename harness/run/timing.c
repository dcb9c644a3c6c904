/* Times of repeats, see timing.h. Printed to nanoseconds: runs of a few microseconds are common. */
#include "harness/run/timing.h"

#include <stdio.h>
#include <string.h>

#include <gsl/gsl_sort.h>

#include "harness/stats/summary.h"

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

const char *cpu_seconds_print(const struct cpu_seconds *cpu, char text[CPU_SECONDS_SIZE])
{
    *text = '\0';
    if (cpu->repeats > 0)
        snprintf(text, CPU_SECONDS_SIZE,
                 "\"cpu_seconds\":{\"median\":%.9f,\"min\":%.9f,\"max\":%.9f,\"spread\":%.6f,\"repeats\":%u}",
                 cpu->median, cpu->min, cpu->max, cpu->spread, cpu->repeats);
    return text;
}

size_t cpu_seconds_scan(const char *text, struct cpu_seconds *cpu)
{
    int length = 0;
    struct cpu_seconds found = {0};
    int read = sscanf(text, "\"cpu_seconds\":{\"median\":%lf,\"min\":%lf,\"max\":%lf,\"spread\":%lf,\"repeats\":%u}%n",
                      &found.median, &found.min, &found.max, &found.spread, &found.repeats, &length);
    if (read != 5 || length == 0)
        return 0;
    *cpu = found;
    return (size_t)length;
}
