/* Convergence traces, see trace.h. */
#include "harness/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/file.h"

int trace_due(const struct trace *trace, uint64_t iteration)
{
    return iteration >= trace->next;
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
    uint64_t grown = point->iteration + point->iteration / 20;
    trace->next = grown > point->iteration ? grown : point->iteration + 1;
    return STATUS_OK;
}

enum status trace_write(const struct trace *trace, const char *path, const char *comment, struct error *error)
{
    struct outfile out;
    enum status status = outfile_open(&out, path, error);
    if (status != STATUS_OK)
        return status;
    fprintf(out.stream, "%siteration\tkernel_operations\tobjective\tgap\n", comment);
    for (size_t i = 0; i < trace->count; i++) {
        const struct trace_point *point = &trace->points[i];
        fprintf(out.stream, "%" PRIu64 "\t%" PRIu64 "\t%.17g\t%.17g\n", point->iteration, point->kernel_operations,
                point->objective, point->gap);
    }
    return outfile_commit(&out, error);
}

void trace_free(struct trace *trace)
{
    free(trace->points);
    memset(trace, 0, sizeof *trace);
}
