/* The traces of a run folder (docs/formats.md), for figures and tables. */
#ifndef HULLBENCH_RUN_TRACES_H
#define HULLBENCH_RUN_TRACES_H

#include "harness/records/record.h"

struct run_folder;

struct run_trace_point {
    double iteration, kernel_operations, gap;
    double w[2]; /* if the trace has a plane */
    double objective;
};

/* A training pattern of a trace with a plane. */
struct run_trace_pattern {
    double y, x[2];
};

struct run_trace {
    const char *name; /* file name in the folder traces */
    char *text;       /* the file, split up; the strings below point into it */
    const char *dataset, *solver;
    const char *settings[SETTING_GROUPS];    /* JSON objects; NULL if the file lacks them */
    const struct cJSON *objects[SETTING_GROUPS]; /* the same, parsed */
    size_t split, n;
    struct run_trace_point *points;          /* n points, in file order */
    int plane;                               /* nonzero: the points have w */
    size_t n_patterns;
    struct run_trace_pattern *patterns;      /* none without `plane` */
    char *problem;                           /* equal for traces of the same problem */
    const struct record *record; /* the first record of its run; NULL: the folder's records have none */
    int is_ambiguous;            /* nonzero: it may be of further records */
    double sign;                             /* turns the objective into one to minimise: -1 if the trace's grows */
    double best, floor; /* the lowest final objective, as minimised, of any trace of the problem, and that trace's gap,
                         * which bounds how far it is above the minimum */
};

struct run_traces {
    size_t n;
    struct run_trace *items;
    const struct run_folder *folder;
    const struct run_trace **of_record; /* see run_trace_of */
};

/* Reads FOLDER/traces, by data set and then in the order of the files' names, and finds the records of the traces among
 * those of the folder, which are read already. Without that subfolder there are no traces. STATUS_BAD_INPUT names the
 * file, and the line of a damaged one; a trace that run.json lists and that is missing or changed is an error too. */
struct run_traces *run_traces_read(struct pool *pool, const struct run_folder *folder);

/* Whether the trace is of the record's run: data set, split, solver, and params, kernel and stop as far as it has them.
 * */
int run_trace_is_of(const struct run_trace *trace, const struct record *record);
/* The first trace with a point of the record's run; NULL if there is none. */
const struct run_trace *run_trace_of(const struct run_traces *traces, const struct record *record);

/* The difference between a point's objective and the best of the trace's problem. */
double run_trace_excess(const struct run_trace *trace, size_t point);

#endif
