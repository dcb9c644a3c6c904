/*
 * Where the time of a run goes. Each thread has a struct stage_times of its own, which is added to the run's when it is
 * through.
 *
 * Select, stopping rule and update are too short to be timed each time. One turn of the loop in SAMPLE_EVERY is,
 * counted on from job to job, and the seconds of all loops, which are measured, are divided as those turns were.
 */
#ifndef HULLBENCH_STAGE_TIMES_H
#define HULLBENCH_STAGE_TIMES_H

#include <stdint.h>

enum stage {
    STAGE_KERNELS,    /* rows of a whole kernel matrix */
    STAGE_START,      /* patterns of a split brought together, memory, a solver's init, C-SVMs for mu */
    STAGE_SELECTION,  /* select */
    STAGE_STOPPING,   /* stopping rule, and a point of a trace */
    STAGE_UPDATE,     /* update, and all of a solver that is `whole` */
    STAGE_JUDGING,    /* what the harness computes from the multipliers */
    STAGE_PREDICTION, /* test patterns, kernel values included */
    STAGE_FILES,      /* reading data, journal, traces, records; waiting for the journal */
    STAGES
};
/* "kernels", "start", ... */
const char *stage_name(enum stage stage);

enum { SAMPLE_EVERY = 64 };

struct stage_times {
    double seconds[STAGES];
    double sampled[STAGES]; /* of one turn in SAMPLE_EVERY, rows of a whole matrix taken off */
    double loops;            /* of all turns */
    uint64_t turns;
    double processor;        /* seconds on processors; of the whole process, so set for the run alone */
};

/* Whether the turn that begins is to be timed; spent may be NULL. */
static inline int stage_times_sample(struct stage_times *stage_times)
{
    return stage_times && stage_times->turns++ % SAMPLE_EVERY == 0;
}

/* Adds what a thread has spent, its loops divided. */
void stage_times_add(struct stage_times *sum, const struct stage_times *thread);

/* Seconds of all stages. */
double stage_times_total(const struct stage_times *stage_times);

#endif
