/*
 * What a record's time is. A job's solver is run once for the record. Without repeats that run's wall-clock seconds are
 * its time, a single shot. With repeats it is run so many times more on the same problem, and each of these gives a
 * processor time of its thread; a repeat shorter than TIMING_SHORT is the mean of as many runs as fill that.
 */
#ifndef HULLBENCH_TIMING_H
#define HULLBENCH_TIMING_H

#include <stddef.h>

/* Seconds; the limit is docs/comparing.md's for single shots too. */
#define TIMING_SHORT 1e-3

/* Over the repeats. Quartiles lie on the line between order statistics (summary_quantile). */
struct cpu_seconds {
    unsigned repeats; /* 0: a single shot, all else is 0 */
    double median, min, max;
    double spread; /* (upper quartile - lower quartile) / median */
};

struct timing {
    double seconds; /* by the wall clock: of the one run, or the median of the repeats */
    struct cpu_seconds cpu;
};

/* Of n >= 2 repeats, whose wall-clock and processor seconds are sorted. */
struct timing timing_of_repeats(double *wall, double *cpu, size_t n);

/* `"cpu_seconds":{"median":M,"min":A,"max":B,"spread":S,"repeats":N}` into `text`; "" for a single shot. Returns
 * text. */
enum { CPU_SECONDS_SIZE = 192 };
const char *cpu_seconds_print(const struct cpu_seconds *cpu, char text[CPU_SECONDS_SIZE]);
/* Reads that from the beginning of the text; returns its length, 0 where the text begins otherwise. */
size_t cpu_seconds_scan(const char *text, struct cpu_seconds *cpu);

#endif
