/*
 * The kinds of figures, one function each: it reads what a "plots" entry selects and passes every finished figure to
 * plot_finish. All share one signature so that harness/plot/plot.c can keep them in a table.
 */
#ifndef HULLBENCH_KINDS_H
#define HULLBENCH_KINDS_H

#include "harness/compare/data.h"
#include "harness/figure/figure.h"
#include "harness/stats/summary.h"

struct paper_table;
struct plot_run; /* harness/plot/plot.c: the run folder being drawn */
struct run_trace;
struct run_traces;

/* Published tables whose values figures show. */
struct plot_papers {
    size_t n;
    const struct paper_table **tables; /* n; the same paper may be read twice */
};

/* The input of a figure. */
struct plot_request {
    struct pool *pool; /* of this figure */
    const struct run_view *data;
    const struct run_folders *folders; /* the data's folder and others, whose records may share a printed table */
    struct plot_papers papers;
    const struct cJSON *entry;        /* of "plots"; NULL: all records, under the kind's default name */
    const char *kind, *name;          /* name: of the figure, or the beginning of its name */
    const char *dataset;              /* of kinds with a figure for each data set */
    const struct run_traces *traces;  /* of kinds that show them: those of the data set */
    const struct figure_style *style;
    struct plot_run *run;
};

/* Whether the entry selects the trace for the request's data set and, unless it is 0, the split. */
int plot_trace_fits(const struct plot_request *request, const struct run_trace *trace, size_t split);
/* Stores the traces with a point that the entry selects for the request's data set and the split in `found`, at most
 * `max`, with solvers in the order of the run; returns their number. */
size_t plot_traces_choose(const struct plot_request *request, size_t split, const struct run_trace **found, size_t max);
/* Starts the figure of the request's data set, called NAME if the entry names exactly this data set, else
 * NAME-DATASET. */
void plot_open_for(const struct plot_request *request, const char *drawing, struct plot_figure *figure);
/* The kinds of figures, NULL-terminated. */
extern const char *const plot_kind_names[];
/* The number of a member of the entry; 0 if it has none. */
size_t plot_entry_number(const struct plot_request *request, const char *key);
/* Ends with a metric of the entry (NULL: no text), which is none of those allowed. */
_Noreturn void plot_die_metric(const struct plot_request *request, const char *metric, const char *allowed);
/* Writes the figure's files, draws it, and frees it; a figure that --only excludes is only freed. */
void plot_finish(struct plot_run *run, struct plot_figure *figure);
/* Notes what was requested but not drawn, and why. Without an entry nothing was requested, so nothing is noted. */
void plot_note(const struct plot_request *request, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- series ---- */

/* A series is shown as one line, one kind of mark or one panel: a solver or, if a setting takes several values on the
 * same split, the solver with one of the values. */
struct plot_series {
    const char *solver;     /* owned by the data */
    const char *label;      /* for readers: "μ-gsk", "ch-mdm, stopping tolerance = 0.001" */
    const char *axis[2];    /* settings on the axes; NULL if fewer: both for a baseline */
    struct records records;
};

struct plot_series_list {
    size_t n, capacity;
    struct plot_series *items;
    struct name_order swept; /* the settings that some solver sweeps */
};

/* Divides records into series, with solvers in the data's order. n_axes (0, 1, 2) swept settings of a solver go on the
 * axes: those that the entry names as "x" and "y", else a kernel width as y and the setting with most values as x. A
 * solver with fewer swept settings is omitted, and so is one with more than one if n_axes is 1 and the entry names no
 * "x". But if n_axes is 1, a solver that sweeps nothing, or only settings other than "x", is kept without an axis. */
struct plot_series_list plot_series_build(struct pool *pool, const struct run_view *data,
                                          const struct records *records, size_t n_axes, const struct cJSON *entry);

enum { PLOT_MAX_LEVELS = 64 };

/* The values of a swept setting: numbers ascending, others in order of appearance. */
struct plot_levels {
    size_t n;
    const struct setting *items[PLOT_MAX_LEVELS];
};
void plot_levels_take(const struct records *records, const char *setting, struct plot_levels *levels);
int plot_levels_are_numbers(const struct plot_levels *levels);

/* A short text of the value, with three significant digits. */
const char *plot_level_text(struct pool *pool, const struct setting *level);
/* The records at a level, or all (NULL): the number with a value in the field, the number that were stopped at a limit
 * or stalled, and the spread of the values. `values` has space for all. */
struct plot_level_cell {
    size_t n, unfinished;
    struct summary spread;
};
struct plot_level_cell plot_level_cell(const struct records *records, const struct setting *level,
                                       enum record_field field, double *values);

/* ---- captions ---- */

/* Prints "12 data sets, 100 splits" (or the data set's name, or "20 to 100 splits") for the records. */
void plot_describe(FILE *stream, const struct run_view *data, const struct records *records);
/* Prints which data sets have resampled or generated splits. */
void plot_origin_of_splits(FILE *stream, const struct run_view *data, const struct records *records);
/* Prints the meaning of the marks, "Rings", if some run of the records was stopped at a limit or stalled. */
void plot_ringed(const struct records *records, const char *marks, FILE *stream);
/* Prints the sentences on records that every figure has: resampled splits, generated data, runs that were stopped at a
 * limit or stalled. */
void plot_origin(FILE *stream, const struct run_view *data, const struct records *records);

/* ---- published values ---- */

/* The tables named in `tables` (array of "FILE.tableN", may be NULL) of papers/FILE.json. Dies with STATUS_BAD_INPUT if
 * a paper or table is missing. */
struct plot_papers plot_papers_read(struct pool *pool, const struct cJSON *tables);

/* ---- kinds ---- */

/* "iterations", "kernel-operations" (logarithmic axes) and "error": mean and sd next to the printed ones. Pages of six
 * series. */
void plot_means(const struct plot_request *request);
/* "paper-ratio": for each printed table the ratios of our values to the printed ones, one panel per column. */
void plot_ratios(const struct plot_request *request);
/* "convergence": gap and objective along the run, over all traced splits of a data set, or for one. */
void plot_convergence(const struct plot_request *request);
/* "heatmap": a metric, or several in one figure, over two swept settings of a data set, or "lines" if there is one.
 * "lines": a metric against one swept setting. */
void plot_sweeps(const struct plot_request *request);
/* "path": the path of W in the plane, from traces of minimum norm problems with two features and a linear kernel. */
void plot_path(const struct plot_request *request);
/* "profile": performance profiles of the entry's solvers. */
void plot_profile(const struct plot_request *request);
/* "runtime-distribution": the share of fixed targets reached within a budget, from traces. */
void plot_runtimes(const struct plot_request *request);
/* "critical-difference": mean ranks of solvers over data sets, and which are not separated (Demsar 2006). */
void plot_critical_difference(const struct plot_request *request);
/* "objective": the objective along the run, and the iterations of the first solver as a multiple of those of the
 * others. */
void plot_objective(const struct plot_request *request);
/* "margin": MinOver's bounds on angle and norm, from its traces in the plane. */
void plot_margin(const struct plot_request *request);

#endif
