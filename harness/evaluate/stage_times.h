/*
 * How long each stage of a run takes. Each thread has its own struct stage_times, which is added to the run's when the
 * thread ends.
 *
 * Selection, stopping rule and update are too short to be timed in every turn of the solver's loop. One turn in
 * SAMPLE_EVERY, counted across jobs, is timed; the measured total of all turns is then divided in the proportions of
 * these samples.
 */
#ifndef HULLBENCH_STAGE_TIMES_H
#define HULLBENCH_STAGE_TIMES_H

#include <stdint.h>

enum stage {
    STAGE_KERNELS,    /* rows of a full kernel matrix */
    STAGE_START,      /* collecting a split's patterns, allocation, a solver's init, C-SVMs that determine mu */
    STAGE_SELECTION,  /* select */
    STAGE_STOPPING,   /* stopping rule and trace points */
    STAGE_UPDATE,     /* update; the whole run of a solver with solve_external */
    STAGE_JUDGING,    /* computations of the harness from the multipliers */
    STAGE_PREDICTION, /* prediction of test patterns, including kernel values */
    STAGE_FILES,      /* reading data, journal, traces, records; waiting for the journal */
    STAGES
};

enum { SAMPLE_EVERY = 64 };

struct stage_times {
    double seconds[STAGES];
    double sampled[STAGES]; /* of the sampled turns, without rows of a full matrix */
    double loops;            /* of all turns */
    uint64_t turns;
    double processor;        /* CPU seconds of the whole process; set only in the run's total */
};

/* Whether to time the turn that begins now; stage_times may be NULL. */
static inline int stage_times_sample(struct stage_times *stage_times)
{
    return stage_times && stage_times->turns++ % SAMPLE_EVERY == 0;
}

/* Adds a thread's times, with its loop time divided among the stages. */
void stage_times_add(struct stage_times *sum, const struct stage_times *thread);

/* Sum over all stages. */
double stage_times_total(const struct stage_times *stage_times);

#endif
