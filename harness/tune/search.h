/* The search for the best point of one solver on one data set: the printed point, the grid, CMA-ES. */
#ifndef HULLBENCH_SEARCH_H
#define HULLBENCH_SEARCH_H

#include "harness/tune/objective.h"

struct search {
    size_t dataset; /* index in the configuration */
    const char *dataset_name, *solver_name;
    struct job job; /* solver, parameters and stop */
    size_t first;   /* journal index of the first evaluation's first fold */
    size_t folds;   /* folds per evaluation */
    size_t n, max;  /* number of evaluations so far, and in all */
    int has_printed;
    double printed[TUNE_AXES]; /* C, width */

    struct evaluation *evaluations;
    struct fold_result *results; /* max x folds */
    /* Smallest error, the first of equal ones; NULL if there is none. */
    const struct evaluation *best[EVALUATION_KINDS];
    size_t tied[EVALUATION_KINDS]; /* evaluations with that error at different points */
    size_t repeated;               /* evaluations at a point met before */
    double *path;                  /* (generations + 1) x TUNE_AXES: CMA-ES's mean, as positions */
    double step;                   /* final step of CMA-ES, as a share of the ranges */
};

/* The number of evaluations of a search. */
size_t search_size(const struct tune_config *config, int has_printed);
/* Runs the search. The caller sets the first group of members except n; this call allocates the others. */
enum status search_run(struct search *search, struct tune_context *context, struct objective *objective,
                       struct error *error);
/* Releases the contents of the search, not the search. */
void search_free(struct search *search);

/* Adds the outcomes of the solved problems. */
void search_count_outcomes(const struct search *search, size_t outcomes[OUTCOMES]);

/* A best point compared with the printed one. */
struct search_comparison {
    double log2[TUNE_AXES];    /* log2 of best over printed, for C and width */
    double distance;           /* length of this vector */
    struct summary difference; /* error at best minus at printed, over the folds; n = 0 if either is missing */
};
/* 0 if the search has no best point of the kind or no printed point. */
int search_compare(const struct search *search, enum evaluation_kind kind, struct search_comparison *comparison);

#endif
