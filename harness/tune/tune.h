/* Searches for the best values of one or two numbers: configuration, data, searches, journal, output files. */
#ifndef HULLBENCH_TUNE_H
#define HULLBENCH_TUNE_H

#include "harness/base/pool.h"
#include "harness/figure/render.h"
#include "harness/run/journal.h"
#include "harness/run/run.h"
#include "harness/stats/summary.h"
#include "harness/tune/tune_config.h"

/* ---- evaluations (search.c) ---- */

struct fold_result {
    double error_percent;                 /* of the held-out patterns; NAN if the solver failed */
    double iterations, kernel_operations; /* kernel_operations: those of the iterations */
    enum outcome outcome;
};

enum evaluation_kind { EVALUATION_GRID, EVALUATION_CMA_ES, EVALUATION_PRINTED, EVALUATION_KINDS };
extern const char *const evaluation_kind_names[EVALUATION_KINDS]; /* "grid", "cma-es", "printed" */

/* "54 iteration-limit, 2 failed"; returns text. */
const char *outcomes_text(const size_t outcomes[OUTCOMES], char *text, size_t size);

struct evaluation {
    enum evaluation_kind kind;
    size_t generation;             /* of CMA-ES, from 1; else 0 */
    double place[TUNE_AXES];       /* positions on the scales of the axes; 0 for an unused axis */
    double value[TUNE_AXES];
    const struct evaluation *same; /* an earlier evaluation at the same point, whose results are shared; NULL: none */
    struct fold_result *folds;     /* one per fold of the view; those of `same` if set */
    struct summary error;      /* of error_percent over the folds, the mean to 12 digits; n = 0 if a solver failed */
    size_t outcomes[OUTCOMES]; /* number of folds with each outcome */
};

struct tune {
    struct pool *pool;
    const struct run_options *options; /* without splits and shards */
    struct tune_config *config;
    struct run run; /* opened for the splits to search on: configuration, data, plan and fingerprint. Costs: fold_cost
                     * of each problem */
    struct dataset **folds; /* of each data set of the configuration (inner_folds_make); NULL if it is missing */
    struct search *searches; /* in the order of data sets, then solvers; none for missing sets */
    size_t n_searches;
    size_t n_evaluations, n_problems; /* of all searches; problems: those of folds and tests */
    struct figure_sink figures;
    unsigned threads; /* while the searches run */
};

/* The approximate cost of a fold: patterns squared. */
static inline double fold_cost(const struct dataset *folds)
{
    return (double)folds->splits[0].n_train * (double)folds->splits[0].n_train;
}

/* ---- the search of one solver on one data set: printed point, grid, CMA-ES, and the test of its choice ---- */

/* The chosen point of some evaluations by some folds. */
struct choice {
    const struct evaluation *point; /* NULL: none, see searches_run */
    double error_percent;           /* mean over the folds, to 12 digits */
    size_t tied;                    /* different points with that error */
};

struct search {
    size_t dataset; /* index in the configuration */
    const char *dataset_name, *solver_name;
    struct job job; /* solver, parameters and stop */
    size_t first;   /* journal index of the first evaluation's first fold */
    size_t first_test; /* journal index of the first split's test */
    size_t folds;   /* folds per evaluation */
    size_t n, n_done, max; /* number of evaluations so far, of those with results, and in all */
    double cost;    /* of a problem: fold_cost */
    int has_printed;
    double printed[TUNE_AXES]; /* C, width */

    struct evaluation *evaluations;
    struct fold_result *results; /* max x folds */
    struct choice chosen;        /* of the grid and CMA-ES, by all folds */
    struct choice best[EVALUATION_KINDS]; /* of each kind by all folds, the first of those with the smallest error */
    struct evaluation *tests;    /* n_splits, whose result on the split's test part is folds[split]; NULL: no test */
    struct summary test_error;   /* over the tests; n = 0 if there is none or a solver failed */
    size_t repeated;             /* evaluations at a point met before */
    double *path;                /* (generations + 1) x TUNE_AXES: CMA-ES's mean, as positions */
    double step;                 /* final step of CMA-ES, as a share of the ranges */
    struct cma_es *cma;          /* NULL: none */
    double *points;              /* population x TUNE_AXES: its generation */
    struct fold_unit {
        struct pool *pool;
        struct split_session *unit; /* with its kernel matrix; NULL until a problem needs it */
    } *units;                       /* one per fold */
};

/* The number of evaluations of a search. */
size_t search_size(const struct tune_config *config, int has_printed);
/* Runs the searches of `tune`, whose first group of members except n and n_done is set, and tests their choices. A
 * point is no candidate for a choice if a solver failed there or all its problems ended at a limit of the budget,
 * unless the stopping rule knows no other end. Among equal errors the smallest C is chosen, then the widest kernel, the
 * fewest kernel operations, and the first.
 *
 * The tests are on test parts that the search has not seen. For each split, the point that the split's own folds choose
 * is trained on the split's training part and tested on its test part. Points of CMA-ES depend on all splits, so they
 * are choices only if the search has one split. */
void searches_run(struct tune *tune);
/* Releases the kernel matrices, after an error. */
void tune_close_folds(struct tune *tune);

/* Adds the outcomes of the solved problems. */
void search_count_outcomes(const struct search *search, size_t outcomes[OUTCOMES]);

/* Kernel operations of the iterations, over the folds of an evaluation and over a search without its tests. */
double search_operations_at(const struct search *search, const struct evaluation *evaluation);
double search_operations(const struct search *search);

/* A best point compared with the printed one. */
struct search_comparison {
    double log2[TUNE_AXES];    /* log2 of best over printed, for C and width */
    double distance;           /* length of this vector */
    struct summary difference; /* error at best minus at printed, over the folds; n = 0 if either is missing */
};
/* 0 if the search has no best point of the kind or no printed point. */
int search_compare(const struct search *search, enum evaluation_kind kind, struct search_comparison *comparison);

/* ---- all searches of a configuration (tune.c) ---- */

/* Reads the configuration and the printed values, and loads the data. All is in the pool. Missing data sets are
 * noted, not an error. */
struct tune *tune_open(struct pool *pool, const struct run_options *options);
/* Runs the remaining evaluations and writes the folder. STATUS_BAD_INPUT if it has another finished search, or results
 * of this one that have changed since. Ends with STATUS_INTERRUPTED if asked to stop: the journal has what is done, and
 * the same call resumes the search; with STATUS_NOT_FOUND if all data sets are missing. Pictures that cannot be drawn
 * are no error: tune->figures notes why. */
void tune_execute(struct tune *tune);
/* Prints a line for each search in the folder's tune.json that chose no point, which says why. Returns their number. */
size_t tune_print_unsuccessful(const struct tune *tune, FILE *stream);

/* Write evaluations.jsonl, tune.json, tune.md and surface.csv; and plots/tune-DATASET-SOLVER.* for every search. */
void tune_report_write(const struct tune *tune);
void tune_figures_write(struct tune *tune);
/* Draws missing pictures of a finished search from their .gp and .dat. */
void tune_figures_complete(struct tune *tune);

/* A path inside the folder. */
char *tune_path(const struct tune *tune, const char *name);

#endif
