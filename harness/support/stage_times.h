/*
 * Where the time of a run goes. Each thread has a struct spent of its own, which is added to the run's when it is through.
 *
 * Select, stopping rule and update are too short to be timed each time. One turn of the loop in SPENT_EVERY is, counted on from
 * job to job, and the seconds of all loops, which are measured, are divided as those turns were.
 */
#ifndef HULLBENCH_SPENT_H
#define HULLBENCH_SPENT_H

#include <stdint.h>

enum stage {
    STAGE_KERNELS,    /* rows of a whole kernel matrix */
    STAGE_START,      /* patterns of a split brought together, memory, a solver's init */
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

enum { SPENT_EVERY = 64 };

struct spent {
    double seconds[STAGES];
    double looked_at[STAGES]; /* of one turn in SPENT_EVERY, rows of a whole matrix taken off */
    double loops;            /* of all turns */
    uint64_t turns;
    double processor;        /* seconds on processors; of the whole process, so set for the run alone */
};

/* Whether the turn that begins is to be timed; spent may be NULL. */
static inline int spent_looks(struct spent *spent)
{
    return spent && spent->turns++ % SPENT_EVERY == 0;
}

/* Adds what a thread has spent, its loops divided. */
void spent_add(struct spent *sum, const struct spent *thread);

/* Seconds of all stages. */
double spent_total(const struct spent *spent);

#endif
