/*
 * The kinds of claims: how the values of one data set decide a claim (docs/verdicts.md, "Claims").
 *
 * Most kinds are systems of inequalities between expectations over the splits, sum_k c_k E x_k < b or <= b. Each is
 * tested both ways by the paired t test on the splits that all samples have. A data set supports the claim if every
 * inequality is shown, opposes it if the converse of one is shown, and otherwise leaves it not decided. The
 * expectations are those of the data set, from which random splits are independent draws. That two test errors are the
 * same is a claim about solvers, and so about unseen patterns: its variance allows for overlapping splits
 * (harness/compare/case_statistics.h).
 */
#ifndef HULLBENCH_CLAIM_KINDS_H
#define HULLBENCH_CLAIM_KINDS_H

#include "harness/papers/claims.h"
#include "harness/records/sample.h"

enum { CLAIM_SELECTIONS_MAX = 4, CLAIM_NUMBERS_MAX = 2 };

struct claim_kind;

/* A claim, with the figures of the data set that is being decided. */
struct question {
    const struct paper *paper;
    const struct claim_kind *kind;
    int printed; /* judged by the paper's tables rather than by records */
    struct record_filter from[CLAIM_SELECTIONS_MAX];
    double numbers[CLAIM_NUMBERS_MAX];
    double half_unit;     /* half a unit of the last digit, which the claim allows for; 0: exact */
    int test, reciprocal; /* test: enum test_kind */
    int converged;        /* the claim is about runs that converged */
    /* the data set's figures */
    struct sample samples[CLAIM_SELECTIONS_MAX], shared[CLAIM_SELECTIONS_MAX]; /* empty if `printed` */
    double means[CLAIM_SELECTIONS_MAX]; /* of `shared`, or printed; NaN if there are no figures */
    size_t n_train, n_test;             /* of its splits; 0: unknown */
    int negated;                        /* the claim excepts the data set and says that the converse holds there */
    double share_for, share_against;    /* factors on the level for a finding for and against the claim */
};

/* BY_MEANS: undecided while a mean is missing; OPTIONAL: the numbers may be absent and are then 0; ENDS: needs no
 * "field"; NEGATES: the function handles negated claims itself; SAME: claims that two means are alike. */
enum { CLAIM_BY_MEANS = 1, CLAIM_OPTIONAL = 2, CLAIM_ENDS = 4, CLAIM_NEGATES = 8, CLAIM_SAME = 16 };

struct claim_kind {
    const char *name;
    void (*decide)(const struct question *question, struct claim_case *one); /* fills answer and detail */
    const char *selections[CLAIM_SELECTIONS_MAX]; /* members that select records */
    const char *numbers[CLAIM_NUMBERS_MAX];       /* members that are numbers */
    int flags;
};

enum { CLAIM_KINDS = 12 };
extern const struct claim_kind claim_kinds[CLAIM_KINDS];

/* The level of the inequalities' tests, one-sided. */
extern const double claim_level;

/* Whether the column of a printed table shows the selected records. */
int claim_column_fits(const struct paper_column *column, const struct record_filter *wanted);
/* The table's row for the data set, or NULL. */
const struct paper_row *claim_row_of(const struct paper_table *table, const char *dataset);

#endif
