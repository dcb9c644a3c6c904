/* Traces of one data set parted into lines of a figure: a solver with its parameters, kernel and stopping rule. */
#ifndef HULLBENCH_TRACE_LINES_H
#define HULLBENCH_TRACE_LINES_H

#include "harness/plot/kinds.h"
#include "harness/records/run_traces.h"

enum { PLOT_TRACE_LINES = 12 };

struct plot_trace_line {
    char *label; /* the solver, and those of its settings in which it differs from other lines of the solver */
    size_t n;
    const struct run_trace **traces; /* one a split */
};

struct plot_trace_lines {
    size_t n, left_out; /* left_out: traces beyond PLOT_TRACE_LINES lines */
    struct plot_trace_line items[PLOT_TRACE_LINES];
};

/* Takes the traces of the data set, and of the split unless it is 0, that the request's entry keeps, solvers in the
 * order of the run; traces without a point are passed over. Released with plot_trace_lines_free. */
void plot_trace_lines_take(const struct plot_request *request, const struct run_traces *traces, const char *dataset,
                           size_t split, struct plot_trace_lines *lines);
void plot_trace_lines_free(struct plot_trace_lines *lines);

/* Puts the same traces into `found`, at most `max`; returns how many. */
size_t plot_traces_choose(const struct plot_request *request, const struct run_traces *traces, const char *dataset,
                          size_t split, const struct run_trace **found, size_t max);

/* The record of the run that the trace is of; NULL where the data have none. */
const struct record *plot_trace_record(const struct plot_data *data, const struct run_trace *trace);
/* What the trace's series is called. */
const char *plot_trace_name(const struct plot_data *data, const struct run_trace *trace, char *label, size_t size);
/* Whether the entry keeps the trace as one of the data set and, unless it is 0, the split. */
int plot_trace_fits(const struct plot_request *request, const struct run_trace *trace, const char *dataset,
                    size_t split);

#endif
