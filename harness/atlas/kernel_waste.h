/* The kernel values that a run computes beyond those that its solution needs, and how often it asks for each. */
#ifndef HULLBENCH_KERNEL_WASTE_H
#define HULLBENCH_KERNEL_WASTE_H

#include "harness/atlas/atlas.h"

/* For a series at a target, over the problems on which it reached it. */
struct kernel_waste {
    size_t n;
    struct interval evaluations; /* mean share of the kernel evaluations beyond SV * N */
    struct interval operations;  /* the same for kernel operations, set-up included */
    struct interval reuse;       /* operations over evaluations, geometric mean: the saving by keeping rows */
};

struct kernel_waste_table {
    const struct atlas_family *family;
    struct kernel_waste *rows; /* n_series x n_targets; n = 0 if not counted or the target not reached */
};

/* Fills *table; returns 0 if sizes are unknown. */
int kernel_waste_of(struct atlas *atlas, const struct atlas_family *family, struct kernel_waste_table *table);

#endif
