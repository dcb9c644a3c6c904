/* The memory that training takes beside the data, looked at before it begins. */
#ifndef HULLBENCH_TRAINING_MEMORY_H
#define HULLBENCH_TRAINING_MEMORY_H

#include "harness/support/available_memory.h"
#include "solvers/kernel/patterns.h"

struct training {
    const char *name;                /* of the data, for messages */
    const struct patterns *patterns; /* all are trained or tested by each job */
    size_t n_train;                  /* of them, in a job */
    size_t at_once;                  /* jobs */
    int makes_model;                 /* of any of the training patterns */
    int is_precomputed;              /* the patterns are the kernel matrix */
};

/*
 * Makes room for all of it. *cache_bytes is the memory for kernel values of all jobs. Where it is too much for what is
 * available, it is made smaller, which changes no result; unless it was asked for: then STATUS_BAD_INPUT, and the
 * message names a size that fits. STATUS_BAD_INPUT as well where not even the least cache fits.
 */
enum status training_memory_fit(const struct training *training, const struct available_memory *available,
                                int was_asked, size_t *cache_bytes, struct error *error);

#endif
