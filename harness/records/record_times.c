/* A single shot below a millisecond measures the clock, the caches and the scheduler more than the solver. */
#include "harness/records/record_times.h"

#include <math.h>

#include "harness/program/memory.h"

double record_time(const struct record *record)
{
    return record->cpu.repeats > 0 ? record->cpu.median : record->seconds;
}

char *records_time_obstacle(const struct records *records)
{
    size_t times = 0, single = 0, brief = 0;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = records->items[i];
        if (record->failed || isnan(record->seconds))
            continue;
        times++;
        single += record->cpu.repeats == 0;
        brief += record->cpu.repeats == 0 && record->seconds < TIMING_SHORT;
    }
    if (brief > 0)
        return xasprintf("%zu of %zu times are single measurements below 1 ms; set \"repeats\" in the configuration",
                         brief, times);
    if (single > 0 && single < times)
        return xasprintf("%zu of %zu times are single measurements, the others are medians over repeats",
                         single, times);
    return NULL;
}
