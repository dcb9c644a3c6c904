/* The search for the best point of one solver on one data set: the printed point, the grid, CMA-ES. */
#ifndef HULLBENCH_SEARCH_H
#define HULLBENCH_SEARCH_H

#include "harness/tune/objective.h"

struct search {
    size_t dataset; /* place in the configuration */
    const char *dataset_name, *solver_name;
    struct job job; /* solver, parameters and stop */
    size_t first;   /* place of the first evaluation's first fold in the journal */
    size_t folds;   /* of an evaluation */
    size_t n, max;  /* evaluations done, and in all */
    int has_printed;
    double printed[TUNE_AXES]; /* C, width */

    struct evaluation *evaluations;
    struct fold_result *results; /* max x folds */
    /* Least error, the first of equal ones; NULL where there is none. */
    const struct evaluation *best[EVALUATION_KINDS];
    size_t tied[EVALUATION_KINDS]; /* evaluations with that error, at different points */
    size_t repeated;               /* evaluations at a point met before */
    double *path;                  /* (generations + 1) x TUNE_AXES: CMA-ES's mean, places */
    double step;                   /* of CMA-ES at the end, as a share of the ranges */
};

/* How many evaluations a search has. */
size_t search_size(const struct tune_config *config, int has_printed);
/* Runs the search, whose first group of fields is set but for n; allocates the others. */
enum status search_run(struct search *search, struct tune_context *context, struct objective *objective,
                       struct error *error);
/* Releases what the search holds, not the search. */
void search_free(struct search *search);

/* Adds the outcomes of the problems that were solved. */
void search_count_outcomes(const struct search *search, size_t outcomes[OUTCOMES]);

/* How a best point stands to the printed one. */
struct search_comparison {
    double log2[TUNE_AXES];    /* log2 of ours over printed, C and width */
    double distance;           /* length of these */
    struct summary difference; /* over the folds, error of ours less that of printed; n = 0 where one has none */
};
/* 0 where the search has no best point of the kind or nothing printed. */
int search_compare(const struct search *search, enum evaluation_kind kind, struct search_comparison *comparison);

#endif
