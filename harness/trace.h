/* Convergence traces: objective and gap against iterations and kernel operations, at iterations growing by some 5 %. */
#ifndef HULLBENCH_TRACE_H
#define HULLBENCH_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "solvers/error.h"

struct trace_point {
    uint64_t iteration, kernel_operations;
    double objective, gap;
};

/* Zero-initialise; released by trace_free. */
struct trace {
    struct trace_point *points;
    size_t count, capacity;
    uint64_t next;  /* the iteration that is due */
};

/* Nonzero when the iteration is to be recorded. */
int trace_due(const struct trace *trace, uint64_t iteration);
/* Appends a point and sets the next due iteration to max(iteration + 1, 1.05 iteration). A second point for the iteration
 * of the last one replaces it. */
enum status trace_add(struct trace *trace, const struct trace_point *point, struct error *error);
/* Writes the trace as tab-separated text with `comment` lines (each ending in a newline, starting with '#') before it. */
enum status trace_write(const struct trace *trace, const char *path, const char *comment, struct error *error);
void trace_free(struct trace *trace);

#endif
