/* Convergence traces: objective and gap against iterations and kernel operations, at iterations growing by some 5 %;
 * for a linear kernel and two features also the way of W, sum y_i alpha_i x_i. */
#ifndef HULLBENCH_TRACE_H
#define HULLBENCH_TRACE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "solvers/error.h"
#include "solvers/kernel/kernel.h"

struct trace_point {
    uint64_t iteration, kernel_operations;
    double objective, gap;
    double w[2]; /* where the trace has a plane */
};

/* Zero-initialise; released by trace_free. */
struct trace {
    struct trace_point *points;
    size_t count, capacity;
    uint64_t next;  /* the iteration that is due */
    const struct points *plane; /* training patterns of two features under a linear kernel, else NULL; borrowed */
    const signed char *y;       /* their labels; borrowed */
};

/* W of the multipliers, where the trace has a plane. */
void trace_place(const struct trace *trace, const double *alpha, double w[2]);

/* Nonzero when the iteration is to be recorded. */
int trace_due(const struct trace *trace, uint64_t iteration);
/* The iteration that is due after this one: max(iteration + 1, 1.05 iteration). */
uint64_t trace_next(uint64_t iteration);
/* Appends a point and sets the next due iteration. A second point for the
 * iteration of the last one replaces it. */
enum status trace_add(struct trace *trace, const struct trace_point *point, struct error *error);
/* Prints the trace as tab-separated text with `comment` lines (each ending in a newline, starting with '#') before it.
 * With a plane the patterns come as comments, too, and W in two further columns. Errors of the stream are the caller's
 * to look at. */
void trace_print(const struct trace *trace, const char *comment, FILE *stream);
/* The same as a whole file. */
enum status trace_write(const struct trace *trace, const char *path, const char *comment, struct error *error);
void trace_free(struct trace *trace);

#endif
