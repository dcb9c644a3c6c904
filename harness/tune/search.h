/* The search for the best point of one solver on one data set: the printed point, the grid, CMA-ES; and the test of its
 * choice. */
#ifndef HULLBENCH_SEARCH_H
#define HULLBENCH_SEARCH_H

#include "harness/tune/objective.h"

/* The chosen point of some evaluations by some folds. */
struct choice {
    const struct evaluation *point; /* NULL: none, see search_run */
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
    size_t n, max;  /* number of evaluations so far, and in all */
    int has_printed;
    double printed[TUNE_AXES]; /* C, width */

    struct evaluation *evaluations;
    struct fold_result *results; /* max x folds */
    struct choice chosen;        /* of the grid and CMA-ES, by all folds */
    struct evaluation *tests;    /* n_splits, of one fold each, which is the split's test part; folds NULL: no test */
    struct fold_result *tested;  /* n_splits */
    struct summary test_error;   /* over the tests; n = 0 if there is none or a solver failed */
    /* Smallest error of a candidate, the first of equal ones; NULL if there is none. */
    const struct evaluation *best[EVALUATION_KINDS];
    size_t tied[EVALUATION_KINDS]; /* evaluations with that error at different points */
    size_t repeated;               /* evaluations at a point met before */
    double *path;                  /* (generations + 1) x TUNE_AXES: CMA-ES's mean, as positions */
    double step;                   /* final step of CMA-ES, as a share of the ranges */
};

/* The number of evaluations of a search. */
size_t search_size(const struct tune_config *config, int has_printed);
/* Runs the search. The caller sets the first group of members except n; this call allocates the others in the
 * context's pool. A point is no candidate for a choice if a solver failed there or all its problems ended at a limit
 * of the budget, unless the stopping rule knows no other end. Of candidates with the same error, the one with the
 * smallest C is chosen, then the widest kernel, then the fewest kernel operations, then the first. */
void search_run(struct search *search, struct tune_context *context, struct objective *objective);
/* Tests the search's choice on test parts that it has not seen. For each split, the point that the split's own folds
 * choose is trained on the split's training part and tested on its test part. Points of CMA-ES depend on all splits, so
 * they are choices only if the search has one split. */
void search_test(struct search *search, struct tune_context *context, const struct dataset *dataset);

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

#endif
