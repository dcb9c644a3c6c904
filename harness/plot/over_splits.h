/*
 * Combines traces of one solver on several splits into one curve: on a logarithmic grid of iterations or kernel
 * operations, the quartiles over the splits of what the runs have reached by then.
 */
#ifndef HULLBENCH_OVER_SPLITS_H
#define HULLBENCH_OVER_SPLITS_H

#include "harness/records/run_traces.h"

struct plot_over_splits_row {
    double at;                /* iterations or kernel operations */
    double gap[3], excess[3]; /* first quartile, median, third quartile; NAN if unknown or not positive */
};

/* Fills at most n_rows rows, 2 or more, from the smallest positive position in any of the n traces to the largest, and
 * returns their number: 0 if no trace has a positive position. operations: nonzero for kernel operations, 0 for
 * iterations. A trace is a step function: its values hold until its next point, and those of its last point to the end.
 * `values` has space for n. */
size_t plot_over_splits(const struct run_trace *const *traces, size_t n, int operations, double *values,
                        struct plot_over_splits_row *rows, size_t n_rows);

#endif
