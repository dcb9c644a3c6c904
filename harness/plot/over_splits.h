/*
 * Traces of the same solver on several splits, made into one curve: on a logarithmic grid of iterations or kernel
 * operations the quartiles over the splits of what a run has reached by then.
 */
#ifndef HULLBENCH_OVER_SPLITS_H
#define HULLBENCH_OVER_SPLITS_H

#include "harness/records/run_traces.h"

struct plot_over_splits_row {
    double at;                /* iterations or kernel operations */
    double gap[3], excess[3]; /* first quartile, median, third quartile; NAN where it is not known or not positive */
};

/* Fills at most n_rows rows, 2 or more, from the smallest positive place of any of the n traces to the largest, and
 * returns how many there are: 0 where no trace has a positive place. operations: nonzero for kernel operations, 0 for
 * iterations. A trace is a step function: its values hold until its next point, and those of its last point to the end.
 * `values` has room for n. */
size_t plot_over_splits(const struct run_trace *const *traces, size_t n, int operations, double *values,
                        struct plot_over_splits_row *rows, size_t n_rows);

#endif
