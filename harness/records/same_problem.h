/*
 * Which records are measurements of one problem: the one definition that pairing, profiles, rankings and traces use. A
 * problem is a training set, that is a data set and a split, with a kernel and those parameters that change what is
 * minimised.
 */
#ifndef HULLBENCH_SAME_PROBLEM_H
#define HULLBENCH_SAME_PROBLEM_H

#include "harness/records/record.h"

/* What a comparison may ask beyond that; docs/architecture.md says why these differ. */
enum problem_rule {
    /* A pair of records: parameters are compared where both records have them, since a solver of mu may be set against
     * one of C. The stopping rule is not part of it: each solver may have its own. */
    PROBLEM_OF_PAIR,
    /* Series of a profile or a ranking: both records have the same parameters or neither has them, and the same kind of
     * penalty, linear or square (hulls with the mu of C have the linear one). They have the same stopping rule and
     * tolerance, since costs to different tolerances are costs of different tasks. nu and the added coordinate belong
     * to the series. */
    PROBLEM_OF_SERIES,
};

/* Whether the two records are of one problem. For PROBLEM_OF_SERIES they must be of one file. */
int same_problem(const struct record *a, const struct record *b, enum problem_rule rule);
/* Whether the two records, of one file, have the same solver and the same settings, except those that belong to the
 * problem by PROBLEM_OF_SERIES. */
int same_series(const struct record *a, const struct record *b);
/* Whether the setting belongs to the problem; all others belong to the solver. */
int is_of_problem(const struct setting *setting, enum problem_rule rule);
/* Orders records by data set, split and the split's source: 0 where they have one training set. */
int compare_training_sets(const struct record *a, const struct record *b);

/* A text that is equal for traces of the same problem: data set, split, formulation, kernel and the parameters of the
 * problem. `kernel` and `params` are JSON texts, or NULL. malloc'ed. */
char *problem_name(const char *dataset, size_t split, const char *formulation, const char *kernel, const char *params);

#endif
