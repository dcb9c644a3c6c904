/* The traces of a run folder (docs/formats.md), for figures and tables. */
#ifndef HULLBENCH_RUN_TRACES_H
#define HULLBENCH_RUN_TRACES_H

#include <stddef.h>

#include "solvers/error.h"

struct cJSON;
struct record;

struct run_trace_point {
    double iteration, kernel_operations, gap;
    double w[2]; /* where the trace is of a plane */
    double objective;
};

/* A training pattern of a trace of a plane. */
struct run_trace_pattern {
    double y, x[2];
};

enum { TRACE_PARAMS, TRACE_KERNEL, TRACE_STOP, TRACE_SETTINGS };

struct run_trace {
    char *name; /* of the file, in the folder traces; owned */
    char *text; /* the file, cut up; the words below point into it */
    const char *dataset, *solver;
    const char *settings[TRACE_SETTINGS];    /* JSON objects; NULL where the file does not say */
    struct cJSON *objects[TRACE_SETTINGS];   /* the same parsed; owned */
    size_t split, n;
    struct run_trace_point *points;          /* n of them, as they stand in the file */
    int plane;                               /* nonzero: the points have w */
    size_t n_patterns;
    struct run_trace_pattern *patterns;      /* none unless `plane` */
    char *problem;                           /* the same text for traces of the same problem; owned */
    double sign;                             /* of the objective as it is minimised: -1 where the trace's grows */
    double best, floor; /* the lowest objective, as minimised, that any trace of the problem ends at, and how far above
                           it is still known to be above the minimum: the gap of that trace */
};

struct run_traces {
    size_t n;
    struct run_trace *items;
};

/* Reads DIR/traces, files in the order of their names; no such folder is no traces. STATUS_BAD_INPUT names file and
 * line of a damaged one. *traces is zeroed by the caller and released with run_traces_free, also after an error. */
enum status run_traces_read(const char *run_folder, struct run_traces *traces, struct error *error);
void run_traces_free(struct run_traces *traces);

/* Whether the trace is of the run that the record is of: data set, split, solver, params, kernel and stop, those of the
 * last three that the file says. */
int run_trace_is_of(const struct run_trace *trace, const struct record *record);

/* How far the objective of a point is above the best of the trace's problem. */
double run_trace_excess(const struct run_trace *trace, size_t point);

#endif
