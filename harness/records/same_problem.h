/*
 * Defines which records measure the same problem, for pairing, profiles, rankings and traces. A problem is a training
 * set, that is a data set and a split, with a kernel and the parameters that change what is minimised.
 */
#ifndef HULLBENCH_SAME_PROBLEM_H
#define HULLBENCH_SAME_PROBLEM_H

#include "harness/records/record.h"

/* Additional requirements of a comparison; docs/architecture.md explains why they differ. */
enum problem_rule {
    /* A pair of records. Parameters are compared only if both records have them, since a solver with mu may be compared
     * with one with C. The stopping rule is ignored: each solver may have its own. */
    PROBLEM_OF_PAIR,
    /* Series of a profile or a ranking. Both records have the same parameters or neither has them, and the same kind of
     * penalty, linear or square (hulls with the mu of C have the linear one). Both have the same stopping rule and
     * tolerance, since costs to different tolerances are costs of different tasks. nu and the added coordinate belong
     * to the series. */
    PROBLEM_OF_SERIES,
};

/* Whether two records measure the same problem by PROBLEM_OF_PAIR. */
int same_pair_problem(const struct record *a, const struct record *b);
/* The bits of the problem's parameters that are numbers in the record. */
unsigned problem_parameters(const struct record *record);
/* A text that is equal for two records of same_pair_problem that have all these parameters, and maybe others.
 * malloc'ed. */
char *pair_key(const struct record *record, unsigned parameters);
/* A text that is equal for two records of the same file if, and only if, they measure the same problem by
 * PROBLEM_OF_SERIES; and one for the series, that is the solver with the settings that do not belong to the problem.
 * name_order_take numbers them. malloc'ed. */
char *problem_key(const struct record *record);
char *series_key(const struct record *record);
/* Whether the setting of the record belongs to its series and has several values among the records of its solver. */
int series_shows(const struct record *record, const struct setting *setting, const struct records *records);
/* The name of the series: the solver, and the settings that series_shows: "mdm, history = 45", or "mdm[history=45]". */
const char *series_label(struct pool *pool, const struct record *record, const struct records *records, int as_choice);
/* Whether the setting belongs to the problem; all others belong to the solver. */
int is_of_problem(const struct setting *setting, enum problem_rule rule);
/* Orders records by data set, split and source of the split; 0 if they have the same training set. */
int compare_training_sets(const struct record *a, const struct record *b);

/* A string that is equal for traces of the same problem: data set, split, formulation, kernel and the problem's
 * parameters. `kernel` is a JSON text or NULL, `params` an object or NULL. */
char *problem_name(struct pool *pool, const char *dataset, size_t split, const char *formulation, const char *kernel,
                   const struct cJSON *params);

#endif
