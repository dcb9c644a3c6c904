/* Small problems given by their patterns, for tests: everything from patterns to oracle in one place. The oracle checks
 * rows: a solver that uses an expired row gets NaN. */
#ifndef HULLBENCH_TESTS_GEOMETRY_H
#define HULLBENCH_TESTS_GEOMETRY_H

#include "solvers/kernel/oracle.h"
#include "solvers/solver.h"

enum { MAX_GEOMETRY = 512 };

struct geometry {
    const struct simd *simd;
    double *x; /* n x dims, owned */
    signed char y[MAX_GEOMETRY];
    size_t rows[MAX_GEOMETRY], n, dims;
    struct points points;
    struct gram *gram;
    struct oracle *oracle;
    struct problem problem;
};

/* Copies n x dims patterns and labels. Parameters have their fallbacks, mu = 1. Stops the test program when out of
 * memory. */
void geometry_open(struct geometry *geometry, size_t n, size_t dims, const double *x, const signed char *y,
                   const struct kernel *kernel);
/* n patterns in `dims` dimensions around +-shift, each class at least one fifth, drawn from a seed. */
void geometry_random(struct geometry *geometry, size_t n, size_t dims, double shift, unsigned long seed,
                     const struct kernel *kernel);
/* The training patterns of a data set's first split, standardised, at most MAX_GEOMETRY. STATUS_NOT_FOUND, with nothing
 * to close, if $HULLBENCH_DATA does not contain the set. */
enum status geometry_split(struct geometry *geometry, const char *name, const struct kernel *kernel);
void geometry_close(struct geometry *geometry);

/* The first of rch-gap-both, kkt, kkt-relaxed and gap-max-w2 that the solver has, else its default rule; for tests that
 * run all solvers to their optimum. */
enum stop_rule geometry_rule(const struct solver *solver);

/* A started state of the solver on the problem, with the oracle's ridge set to the solver's. Free it with free(). */
void *geometry_start(struct geometry *geometry, const struct solver *solver);

#endif
