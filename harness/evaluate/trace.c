/* Convergence traces, see trace.h. */
#include "harness/evaluate/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

uint64_t trace_next(uint64_t iteration)
{
    uint64_t grown = iteration + iteration / 20;
    return grown > iteration ? grown : iteration + 1;
}

enum status trace_add(struct trace *trace, const struct trace_point *point, struct error *error)
{
    if (trace->count > 0 && trace->points[trace->count - 1].iteration == point->iteration)
        trace->count--;
    if (trace->count == trace->capacity) {
        size_t wanted = trace->capacity ? 2 * trace->capacity : 256;
        struct trace_point *grown = realloc(trace->points, wanted * sizeof *grown);
        if (!grown)
            return error_set(error, STATUS_NO_MEMORY, "out of memory for a trace of %zu points", wanted);
        trace->points = grown;
        trace->capacity = wanted;
    }
    trace->points[trace->count++] = *point;
    trace->next = trace_next(point->iteration);
    return STATUS_OK;
}

void trace_place(const struct trace *trace, const double *alpha, double w[2])
{
    const struct points *plane = trace->plane;
    for (size_t d = 0; d < 2; d++) {
        w[d] = 0;
        for (size_t i = 0; i < plane->n; i++)
            w[d] += trace->y[i] * alpha[i] * points_value(plane, i, d);
    }
}

void trace_print(const struct trace *trace, const char *comment, FILE *stream)
{
    const struct points *plane = trace->plane;
    fputs(comment, stream);
    for (size_t i = 0; plane && i < plane->n; i++)
        fprintf(stream, "# pattern %d %.17g %.17g\n", trace->y[i], points_value(plane, i, 0),
                points_value(plane, i, 1));
    fprintf(stream, "iteration\tkernel_operations\tobjective\tgap%s\n", trace->plane ? "\tw1\tw2" : "");
    for (size_t i = 0; i < trace->count; i++) {
        const struct trace_point *point = &trace->points[i];
        fprintf(stream, "%" PRIu64 "\t%" PRIu64 "\t%.17g\t%.17g", point->iteration, point->kernel_operations,
                point->objective, point->gap);
        if (trace->plane)
            fprintf(stream, "\t%.17g\t%.17g", point->w[0], point->w[1]);
        fputc('\n', stream);
    }
}

void trace_free(struct trace *trace)
{
    free(trace->points);
    memset(trace, 0, sizeof *trace);
}
