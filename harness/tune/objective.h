/*
 * The objective of a search: the mean error over the folds of a data set at a point, which is one value for each
 * searched number; and its evaluations. Each fold is an ordinary job of a run, whose record goes to the journal once it
 * is done.
 */
#ifndef HULLBENCH_OBJECTIVE_H
#define HULLBENCH_OBJECTIVE_H

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/run/journal.h"
#include "harness/run/run.h"
#include "harness/stats/summary.h"
#include "harness/tune/tune_config.h"

struct fold_result {
    int known;
    double error_percent;                 /* of the held-out patterns; NAN if the solver failed */
    double iterations, kernel_operations; /* kernel_operations: those of the iterations */
    enum outcome outcome;
};

enum evaluation_kind { EVALUATION_PRINTED, EVALUATION_GRID, EVALUATION_CMA_ES, EVALUATION_KINDS };
/* "printed", "grid", "cma-es". */
const char *evaluation_kind_name(enum evaluation_kind kind);

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

/* State shared by the evaluations of all data sets and solvers. */
struct tune_context {
    struct pool *pool;
    struct run *run; /* options, configuration and data; its times are added up */
    const struct tune_config *config;
    struct journal *journal;
    unsigned threads;
    size_t done, total; /* folds */
    /* Cost of a fold: patterns squared. Found: from the journal, or at a repeated point. */
    struct run_costs costs;
};

/* The approximate cost of a fold. */
static inline double fold_cost(const struct dataset *folds)
{
    return (double)folds->splits[0].n_train * (double)folds->splits[0].n_train;
}

/* The folds of a data set with their kernel matrices, kept between evaluations if they all fit the memory budget. */
struct objective;

/* `folds` must outlive the objective. */
struct objective *objective_open(struct tune_context *context, const struct dataset *folds);
/* Accepts NULL. Releases the kernel matrices; the rest is in the context's pool. */
void objective_close(struct objective *objective);

/* Computes folds, error and outcomes of `count` evaluations, in parallel over the folds. job: solver and parameters;
 * first: the journal index of the first evaluation's first fold; the folds of an evaluation are consecutive. Folds in
 * the journal are reused. Ends with STATUS_INTERRUPTED if asked to stop. */
void objective_evaluate(struct objective *objective, const struct job *job, struct evaluation *evaluations,
                        size_t count, size_t first);

#endif
