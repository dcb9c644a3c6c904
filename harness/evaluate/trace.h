/* Convergence traces: objective and gap against iterations and kernel operations, at iterations that grow by about 5 %;
 * for a linear kernel and two features also the path of W, sum y_i alpha_i x_i. */
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
    double w[2]; /* if the trace has a plane */
};

/* Zero-initialise; free with trace_free. */
struct trace {
    struct trace_point *points;
    size_t count, capacity;
    uint64_t next;  /* the first iteration to record */
    const struct points *plane; /* training patterns if they have two features and the kernel is linear, else NULL;
                                 * borrowed */
    const signed char *y;       /* their labels; borrowed */
};

/* Computes W from the multipliers, if the trace has a plane. */
void trace_place(const struct trace *trace, const double *alpha, double w[2]);

/* The next iteration to record: max(iteration + 1, 1.05 iteration). */
uint64_t trace_next(uint64_t iteration);
/* Appends a point and sets the next iteration to record. A second point for the last iteration replaces it. */
enum status trace_add(struct trace *trace, const struct trace_point *point, struct error *error);
/* Prints the trace as tab-separated text after `comment` lines (each starting with '#' and ending in a newline). With a
 * plane, the patterns follow as comments and W adds two columns. The caller checks the stream for errors. */
void trace_print(const struct trace *trace, const char *comment, FILE *stream);
void trace_free(struct trace *trace);

#endif
