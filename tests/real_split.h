/* The training part of a split of a data set, from patterns to oracle, for tests. */
#ifndef HULLBENCH_TESTS_REAL_SPLIT_H
#define HULLBENCH_TESTS_REAL_SPLIT_H

#include "solvers/kernel/oracle.h"
#include "solvers/solver.h"

struct real_split {
    double *x; /* n x dims, owned */
    signed char *y;
    size_t *rows, n, dims;
    struct points points;
    struct gram *gram;
    struct oracle *oracle;
    struct problem problem; /* parameters at their fallbacks */
};

/* Split `split` (from 1) of a data set found along HULLBENCH_DATA, standardised over the whole set. Returns 0 if the
 * data are missing. Stops the test program on any other failure. */
int real_split_open(struct real_split *real, const char *dataset, size_t split, const struct kernel *kernel);
void real_split_close(struct real_split *real);

#endif
