/* Traces of one data set, grouped into lines of a figure: a solver with its parameters, kernel and stopping rule. */
#ifndef HULLBENCH_TRACE_LINES_H
#define HULLBENCH_TRACE_LINES_H

#include "harness/plot/kinds.h"
#include "harness/records/run_traces.h"

enum { PLOT_TRACE_LINES = 12 };

struct plot_trace_line {
    char *label; /* the solver, and the settings that differ from its other lines */
    size_t n;
    const struct run_trace **traces; /* one per split */
};

struct plot_trace_lines {
    size_t n, left_out; /* left_out: traces beyond PLOT_TRACE_LINES lines */
    struct plot_trace_line items[PLOT_TRACE_LINES];
};

/* Takes the traces of the data set, and of the split unless it is 0, that the request's entry selects, with solvers in
 * the order of the run; skips traces without a point. */
struct plot_trace_lines plot_trace_lines_take(const struct plot_request *request, const struct run_traces *traces,
                                              const char *dataset, size_t split);

/* Stores the same traces in `found`, at most `max`; returns their number. */
size_t plot_traces_choose(const struct plot_request *request, const struct run_traces *traces, const char *dataset,
                          size_t split, const struct run_trace **found, size_t max);

/* The label of the trace's series. */
const char *plot_trace_name(const struct plot_data *data, const struct run_trace *trace, char *label, size_t size);
/* Nonzero if the entry selects the trace for the data set and, unless it is 0, the split. */
int plot_trace_fits(const struct plot_request *request, const struct run_trace *trace, const char *dataset,
                    size_t split);

#endif
