/*
 * Which tasks the members of a comparison cover. Means over different data sets or splits compare the tasks, not the
 * solvers. So a comparison uses the tasks that all its members cover, or names no best one and says what is lacking. A
 * task is a data set with a split and its source, or a problem of the caller (coverage_begin).
 */
#ifndef HULLBENCH_COVERAGE_H
#define HULLBENCH_COVERAGE_H

#include "harness/records/record.h"

struct coverage {
    size_t n_members, n_tasks;
    const char **datasets; /* of each task */
    unsigned char *has;    /* n_members x n_tasks: whether the member covers the task */
};

/* A coverage in which no member covers anything yet. The data sets of the tasks are borrowed. */
struct coverage coverage_begin(struct pool *pool, size_t n_members, const char **datasets, size_t n_tasks);
/* The coverage of members that are lists of records. Tasks are the data sets and splits of all of them; with
 * `within_datasets`, a member counts as covering data sets of which it has no record at all. */
struct coverage coverage_of_records(struct pool *pool, const struct records *members, size_t n_members,
                                    int within_datasets);

/* Whether the task is covered by all members, and whether the member covers all tasks. */
int coverage_is_common(const struct coverage *coverage, size_t task);
int coverage_is_full(const struct coverage *coverage, size_t member);
/* "A lacks 21 of 40 splits (heart 20 of 20, titanic 1 of 20); B lacks 1 of 40 splits (titanic 1 of 20)", for tasks
 * called `tasks`. NULL: all members cover all tasks. */
const char *coverage_gaps(struct pool *pool, const struct coverage *coverage, const char *const *labels,
                          const char *tasks);

/* Whether the records of a, sorted by compare_training_sets, have all data sets and splits of b, sorted likewise. */
int records_cover(const struct records *a, const struct records *b);
/* Sorts by data set, split and source. */
void records_sort_by_training_set(struct records *records);

#endif
