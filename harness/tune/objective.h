/*
 * What is minimised: the mean error over the folds of a data set at a point, a value of each number that is searched,
 * and the evaluations of it. Each fold is an ordinary job of a run, and its record is in the journal as soon as it is
 * there.
 */
#ifndef HULLBENCH_OBJECTIVE_H
#define HULLBENCH_OBJECTIVE_H

#include "harness/run/journal.h"
#include "harness/run/run.h"
#include "harness/stats/summary.h"
#include "harness/tune/tune_config.h"

struct fold_result {
    int known;
    double error_percent;                 /* of the held-out patterns; NAN where the solver failed */
    double iterations, kernel_operations; /* operations: those of the iterations */
    enum outcome outcome;
};

enum evaluation_kind { EVALUATION_PRINTED, EVALUATION_GRID, EVALUATION_CMA_ES, EVALUATION_KINDS };
/* "printed", "grid", "cma-es". */
const char *evaluation_kind_name(enum evaluation_kind kind);

struct evaluation {
    enum evaluation_kind kind;
    size_t generation;             /* of CMA-ES, from 1; 0 for others */
    double place[TUNE_AXES];       /* on the scales of the axes; 0 for one that there is not */
    double value[TUNE_AXES];
    const struct evaluation *same; /* an earlier one at the same point, whose results these are; NULL: none */
    struct fold_result *folds;     /* one for each fold of the view; those of `same` where there is one */
    struct summary error;      /* of error_percent over the folds, the mean to 12 digits; n = 0 where a solver failed */
    size_t outcomes[OUTCOMES]; /* of the folds */
};

/* What the evaluations of all data sets and solvers share. */
struct tune_context {
    struct run *run; /* options, configuration and data; its times are added to */
    const struct tune_config *config;
    struct journal *journal;
    unsigned threads;
    size_t done, total; /* folds */
    /* Patterns squared a fold; found: in the journal, or at a point met before. */
    struct run_costs costs;
};

/* What a fold costs, roughly. */
static inline double fold_cost(const struct dataset *folds)
{
    return (double)folds->splits[0].n_train * (double)folds->splits[0].n_train;
}

/* The folds of a data set with their kernel matrices, kept between evaluations where they all fit the memory budget. */
struct objective;

/* `folds` must outlive it. */
struct objective *objective_open(struct tune_context *context, const struct dataset *folds);
/* Accepts NULL. */
void objective_close(struct objective *objective);

/* Fills in folds, error and outcomes of `count` evaluations, in parallel over the folds. job: solver and parameters;
 * first: the place in the journal of the first evaluation's first fold, all folds of an evaluation following each
 * other. Folds that are in the journal are taken from it. STATUS_INTERRUPTED when asked to stop. */
enum status objective_evaluate(struct objective *objective, const struct job *job, struct evaluation *evaluations,
                               size_t count, size_t first, struct error *error);

/* Summary of n values that are numbers. */
struct summary summary_of_numbers(const double *values, size_t n);

#endif
