/*
 * The time of a record. A job's solver runs once for the record. Without repeats, the wall-clock seconds of that run
 * are its time, a single shot. With repeats, the solver runs that many more times on the same problem, and each repeat
 * gives the CPU time of its thread. A repeat shorter than TIMING_SHORT is the mean of as many runs as are needed to
 * reach that time.
 */
#ifndef HULLBENCH_TIMING_H
#define HULLBENCH_TIMING_H

#include "harness/evaluate/solve.h"
#include "harness/support/members.h"

/* In seconds; docs/comparing.md uses the same limit for single shots. */
#define TIMING_SHORT 1e-3

/* Statistics over the repeats. Quartiles interpolate linearly between order statistics (summary_quantile). */
struct cpu_seconds {
    unsigned repeats; /* 0: a single shot, and all other members are 0 */
    double median, min, max;
    double spread; /* (upper quartile - lower quartile) / median */
};

struct timing {
    double seconds; /* wall-clock time of the single run, or the median over the repeats */
    struct cpu_seconds cpu;
    /* What the record was made from, and does not have: */
    struct budget budget;
    uint64_t rows; /* unit_rows_hash; 0: unknown */
};

/* For n >= 2 repeats; sorts their wall-clock and CPU seconds. */
struct timing timing_of_repeats(double *wall, double *cpu, size_t n);

/* A line of timings.jsonl; a line of the journal has its index, which is that of a job, and the times. */
struct timing_line {
    size_t index;
    struct timing timing;
    const struct cJSON *job; /* place in the plan (struct job), a list; NULL in folders of early versions */
    const char *failed;      /* the reason, of a failed record */
};
extern const struct member timing_members[], cpu_seconds_members[], timing_budget_members[];

/* Prints `,"rows":"HEX"`, unless it is 0, `,"budget":{...}`, unless there is none, and `,"cpu_seconds":{"median":M,
 * "min":A,"max":B,"spread":S,"repeats":N}`, unless it is a single shot. */
void timing_print(const struct timing *timing, FILE *stream);

#endif
