/*
 * libhullbench: one problem, patterns and labels in memory, solved by a solver of the registry, counted and judged as
 * `hullbench solve` does it. Link with `pkg-config --libs hullbench`; docs/library.md has an example.
 *
 * Nothing is kept from one call to the next and nothing is printed. Calls from several threads do not meet.
 */
#ifndef HULLBENCH_HULLBENCH_H
#define HULLBENCH_HULLBENCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is asked for. Zero-initialise; all is borrowed. */
struct hullbench_problem {
    size_t n, dims;         /* patterns, features */
    const double *x;        /* n x dims, pattern by pattern; taken as they are. Kernel precomputed: its n x n values */
    const int *y;           /* n labels, +1 or -1, both of them there */
    const char *solver;     /* name, as in `hullbench list solvers` */
    const char *parameters; /* "NAME=VALUE,...", as in `hullbench list parameters`; NULL: none */
    const char *kernel;     /* "TYPE,NAME=VALUE,...", as in `hullbench list kernels`; NULL: linear */
    const char *stop;       /* stopping rule, as in `hullbench list stops`; NULL: that of `hullbench solve` */
    double tolerance;       /* its tolerance; 0: 1e-5, for svm-light without a rule 1e-3 */
    uint64_t iterations;    /* most of them; 0: 100000 */
};

/* What came out. Everything from objective on is computed anew from the multipliers. */
struct hullbench_result {
    const char *outcome; /* "converged", "iteration-limit", "stalled" or "failed"; a constant */
    uint64_t iterations;
    uint64_t setup_operations, iteration_operations; /* kernel values asked for */
    double seconds;
    double objective;   /* 1/2 |W|^2 of hulls and the minimum norm; the dual objective of SVMs */
    double duality_gap; /* primal less dual value */
    double kkt_violation, feasibility;
    double bias;            /* of the decision sum alpha_i y_i k(x_i, x) + bias */
    double mu;              /* that was used: raised to 1 / min(N+, N-) where smaller; NAN where there is none */
    size_t support_vectors; /* multipliers above 1e-6 */
};

/* The exit statuses of the program. */
enum hullbench_status { HULLBENCH_OK = 0, HULLBENCH_BAD_INPUT = 2, HULLBENCH_FAILED = 4 };
#define HULLBENCH_FINE HULLBENCH_OK /* its name in version 0.2.0 */

/* Solves. alpha, n numbers, gets the multipliers. When the status is not HULLBENCH_OK, a line of text that names
 * the field and what is allowed is in message (`size` bytes; may be NULL, 0), and *result is all zeros. When it is,
 * message is empty, or says why the outcome is "stalled" or "failed" where recomputed figures decided that. */
enum hullbench_status hullbench_train(const struct hullbench_problem *problem, double *alpha,
                                      struct hullbench_result *result, char *message, size_t size);

/* decision[t] = sum alpha_i y_i k(x_i, z_t) + bias for m patterns z, m x dims; its sign is the class, 0 that of +1.
 * *problem is the one that alpha is of; its kernel may not be precomputed. */
enum hullbench_status hullbench_decide(const struct hullbench_problem *problem, const double *alpha, double bias,
                                       size_t m, const double *z, double *decision, char *message, size_t size);

/* Version of the library, such as "0.2.0". */
const char *hullbench_version(void);

#ifdef __cplusplus
}
#endif

#endif
