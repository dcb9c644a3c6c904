/*
 * libhullbench solves one problem, given as patterns and labels in memory, with any registered solver. It counts and
 * judges the solution as `hullbench solve` does. Link with `pkg-config --libs hullbench`; docs/library.md has an
 * example.
 *
 * The library prints nothing and keeps no state between calls. Several threads may call it at the same time.
 */
#ifndef HULLBENCH_HULLBENCH_H
#define HULLBENCH_HULLBENCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A problem to solve. Zero-initialise; all pointers are borrowed. */
struct hullbench_problem {
    size_t n, dims;         /* patterns, features */
    const double *x;        /* n x dims, row by row, used unchanged. Kernel precomputed: its n x n values,
                               symmetric up to rounding */
    const int *y;           /* n labels, +1 or -1; both must occur */
    const char *solver;     /* a name from `hullbench list solvers` */
    const char *parameters; /* "NAME=VALUE,..." (`hullbench list parameters`); NULL: none */
    const char *kernel;     /* "TYPE,NAME=VALUE,..." (`hullbench list kernels`); NULL: linear */
    const char *stop;       /* stopping rule (`hullbench list stops`); NULL: the solver's default, as in
                               `hullbench solve --dataset`; for files `solve` uses duality-gap at 1e-3 instead */
    double tolerance;       /* tolerance of the rule; 0: 1e-5. Without a rule, 0: the solver's default, which is 1e-5,
                               or 1e-3 for svm-light */
    uint64_t iterations;    /* maximum number; 0: 100000 */
};

/* The solution. All members from objective on are recomputed from the multipliers. */
struct hullbench_result {
    const char *outcome; /* "converged", "iteration-limit", "stalled" or "failed"; a constant */
    uint64_t iterations;
    uint64_t setup_operations, iteration_operations; /* kernel operations */
    double seconds;
    double objective;   /* 1/2 |W|^2 for hulls and minimum norm; the dual objective for SVMs */
    double duality_gap; /* primal minus dual objective */
    double kkt_violation, feasibility;
    double bias;            /* b in the decision function sum alpha_i y_i k(x_i, x) + b */
    double mu;              /* the value used: at least 1 / min(N+, N-); NAN if the problem has no mu */
    size_t support_vectors; /* number of multipliers above 1e-6 */
};

/* Status of a call; the program uses the same numbers as exit statuses. */
enum hullbench_status { HULLBENCH_OK = 0, HULLBENCH_BAD_INPUT = 2, HULLBENCH_FAILED = 4 };
#define HULLBENCH_FINE HULLBENCH_OK /* the name in version 0.2.0 */

/* Solves the problem and stores the n multipliers in alpha. On error, message (`size` bytes; may be NULL, 0) receives
 * one line that names the field and the allowed values, and *result is all zeros. On HULLBENCH_OK, message is empty, or
 * gives the reason if the recheck turned the outcome into "stalled" or "failed", or if the kernel is not known to be
 * positive semidefinite, so that the gap proves nothing. */
enum hullbench_status hullbench_train(const struct hullbench_problem *problem, double *alpha,
                                      struct hullbench_result *result, char *message, size_t size);

/* Computes decision[t] = sum alpha_i y_i k(x_i, z_t) + bias for m patterns z (m x dims). Its sign is the class; 0
 * counts as +1. Pass the problem that alpha solves; its kernel must not be precomputed. */
enum hullbench_status hullbench_decide(const struct hullbench_problem *problem, const double *alpha, double bias,
                                       size_t m, const double *z, double *decision, char *message, size_t size);

/* Judges the n multipliers alpha of another program, not multiplied by the labels: stores in *result what
 * hullbench_train does, with counts 0. The problem's solver names the formulation and the parameters; its rule is the
 * relative duality gap: the outcome is "converged" if that is at most problem->tolerance (0: 1e-5), "stalled" if it is
 * not, and "failed", with the reason as message, if a constraint is violated. */
enum hullbench_status hullbench_judge(const struct hullbench_problem *problem, const double *alpha,
                                      struct hullbench_result *result, char *message, size_t size);

/* The version of the library, such as "0.2.0". */
const char *hullbench_version(void);

#ifdef __cplusplus
}
#endif

#endif
