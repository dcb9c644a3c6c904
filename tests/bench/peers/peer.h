/*
 * What a shared object shows that trains a C-SVM with the kernel exp(-gamma |x - z|^2), or x . z, by somebody else's
 * code, so that tests/bench/bench can time it. bench loads each object with names of its own (RTLD_LOCAL), so several
 * forms of one library stand side by side in one process. An object exits with status 4 where memory runs out.
 */
#ifndef HULLBENCH_PEER_H
#define HULLBENCH_PEER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct peer_problem {
    size_t n, dims;
    const double *x;      /* n x dims, row by row; NULL: sparse, which LIBSVM's two plain forms alone take */
    const size_t *begin;  /* sparse: n + 1; row i has values[k] of feature[k], begin[i] <= k < begin[i + 1] */
    const uint32_t *feature; /* from 0, ascending in a row */
    const double *values;
    const signed char *y; /* +1 or -1 */
    int is_linear;        /* the kernel is x . z, which these two forms alone take; else it is the other */
    double gamma, c;
    size_t megabytes; /* of kernel values */
};

#define PEER_SHOWN __attribute__((visibility("default")))

/* Such as "3.24". */
PEER_SHOWN const char *peer_version(void);
/* The patterns in the library's own form; this is not timed. The problem stays until peer_close. */
PEER_SHOWN void *peer_open(const struct peer_problem *problem);
/* From patterns to multipliers; this is timed. alpha: n multipliers from 0 to C. */
PEER_SHOWN void peer_train(void *state, double tolerance, double *alpha);
PEER_SHOWN void peer_close(void *state);

#ifdef __cplusplus
}
#endif

#endif
