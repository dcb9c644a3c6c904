/* The search for the C and width of one solver on one data set: the printed point, the grid, CMA-ES. */
#ifndef HULLBENCH_SEARCH_H
#define HULLBENCH_SEARCH_H

#include "harness/tune/objective.h"

struct search {
    size_t dataset, solver; /* places in the configuration */
    const char *dataset_name, *solver_name;
    struct job job; /* parameters and stop */
    size_t first;   /* place of the first evaluation's first fold in the journal */
    size_t folds;   /* of an evaluation */
    struct evaluation *evaluations;
    size_t n, most;              /* evaluations done, and in all */
    struct fold_result *results; /* most x folds */
    int has_printed;
    double printed[TUNE_AXES]; /* C, width */
    /* Least error, the first of equal ones; NULL where there is none. */
    const struct evaluation *best[EVALUATION_KINDS];
    size_t tied[EVALUATION_KINDS]; /* evaluations with that error, at different points */
    size_t repeated;               /* evaluations at a point met before */
    double *path;                  /* (generations + 1) x 2: CMA-ES's mean, log2 */
    double step;                   /* of CMA-ES at the end, as a share of the ranges' logarithms */
};

/* How many evaluations a search has. */
size_t search_size(const struct tune_config *config, int has_printed);
/* Runs the search, whose fields up to `printed` but `evaluations`, `n` and `results` are set; allocates the others. */
enum status search_run(struct search *search, const struct tune_config *config, struct objective *objective,
                       struct error *error);
/* Releases what the search holds, not the search. */
void search_free(struct search *search);

/* Log2 distance between two evaluations' points. */
double search_distance(const struct evaluation *a, const struct evaluation *b);
/* Summary over the folds of the error of a less that of b; n = 0 where one has none. */
enum status search_difference(const struct search *search, const struct evaluation *a, const struct evaluation *b,
                              struct summary *difference, struct error *error);

#endif
