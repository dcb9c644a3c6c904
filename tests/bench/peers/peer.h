/*
 * The interface of a shared object that trains a C-SVM with the kernel exp(-gamma |x - z|^2), or x . z, using
 * third-party code, so that tests/bench/bench can time it. bench loads each object with local symbols (RTLD_LOCAL), so
 * one process can hold several forms of a library. An object exits with status 4 when out of memory.
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
    const double *x;      /* n x dims, row by row; NULL: sparse, which only LIBSVM's two plain forms accept */
    const size_t *begin;  /* sparse: n + 1; row i has values[k] of feature[k], begin[i] <= k < begin[i + 1] */
    const uint32_t *feature; /* from 0, ascending in a row */
    const double *values;
    const signed char *y; /* +1 or -1 */
    int is_linear;        /* the kernel is x . z, which only these two forms accept; otherwise it is the rbf kernel */
    double gamma, c;
    size_t megabytes; /* of kernel values */
};

#define PEER_SHOWN __attribute__((visibility("default")))

/* For example "3.24". */
PEER_SHOWN const char *peer_version(void);
/* Converts the patterns to the library's own format; not timed. The problem must exist until peer_close. */
PEER_SHOWN void *peer_open(const struct peer_problem *problem);
/* Trains from patterns to multipliers; timed. alpha: n multipliers from 0 to C. */
PEER_SHOWN void peer_train(void *state, double tolerance, double *alpha);
PEER_SHOWN void peer_close(void *state);

#ifdef __cplusplus
}
#endif

#endif
