/* The memory that training needs besides the data, checked before training begins. */
#ifndef HULLBENCH_TRAINING_MEMORY_H
#define HULLBENCH_TRAINING_MEMORY_H

#include "harness/support/available_memory.h"
#include "solvers/kernel/patterns.h"

struct training {
    const char *name;                /* of the data, for messages */
    const struct patterns *patterns; /* each job uses all of them for training or testing */
    size_t n_train;                  /* training patterns of one job */
    size_t at_once;                  /* number of concurrent jobs */
    int makes_model;                 /* whether a model may contain any training pattern */
    int is_precomputed;              /* the patterns are the kernel matrix */
    int is_copied;                   /* each job has its own table of the patterns, which are dense */
};

/*
 * Fits training into the available memory. *cache_bytes is the memory for kernel values of all jobs. If it is too large
 * it is reduced, which changes no result. But if the user requested this size, it is STATUS_BAD_INPUT and the message
 * names a size that fits. STATUS_BAD_INPUT also if even the smallest cache does not fit.
 */
void training_memory_fit(const struct training *training, const struct available_memory *available, int was_asked,
                         size_t *cache_bytes);

#endif
