/*
 * A printed table compared with the records: samples, marks, cells and verdicts, joint tests, and the files made from
 * them.
 *
 * Marks: the superscripts by which a table shows significant differences, derived from our figures by the paper's rule.
 *
 * López (2008) explains his marks with "a statistically significant difference in the paired samples" between two
 * columns, or between the best column of each of two pairs. That and the 240 places where he could have set a mark give
 * the rule:
 * - Paired tests, and the means that go with them, use the splits that all columns of the test have. Otherwise the mark
 *     could be on the side that lost on the splits behind the p-value.
 * - The best column of a side is the one with the lowest mean (unrounded; the first of them on a tie).
 * - The mark is on the better of the two columns tested, the one with the lower mean, if the two-sided p-value is below
 *     the level. In the thesis it is never on the higher mean. Equal means carry no mark, and neither do samples that
 *     agree on every split.
 * - On a side of several columns, each other column is marked too if it (a) does not differ significantly from the
 *     side's best and (b) differs significantly, with a lower mean, from the best of the other side. (a) keeps mark 3
 *     off a column that mark 1 or 2 ranks below its partner: the thesis never prints it there. Rounded means play no
 *     role: Table 5.3.3 has the mark on both 89.6 and 89.5 (banana), 5.3.7 on 269.1 and 271.3 (heart). (b) explains why
 *     10.7 has none next to 10.6 (5.3.2, splice, against 10.8), and 3.0 none next to 2.9 (5.3.5, image, against 3.1).
 * All tests of one mark share its kind and level.
 */
#ifndef HULLBENCH_REPRODUCTION_H
#define HULLBENCH_REPRODUCTION_H

#include <stdio.h>

#include "harness/papers/paper.h"
#include "harness/stats/rank_tests.h"

struct explanation;
struct result;

/* ---- samples, which may come from several run folders ---- */

/* Restricts `count` samples to the splits for which all of them have a value: shared[k] gets the values of samples[k],
 * in the order of the first sample, and its record counts. Official and resampled splits with the same number hold
 * different patterns, so they are different splits. */
void samples_shared(struct pool *pool, const struct sample *const *samples, size_t count, struct sample *shared);

/* The rank-sum test of two samples, or the signed-rank test of two samples from samples_shared on the differences that
 * pairs_differences (harness/stats/rank_tests.h) computes. Without values or pairs, p is 1. Returns the number of
 * pairs or, for the rank-sum test, the size of the smaller sample. */
size_t samples_test(enum test_kind kind, const struct sample *first, const struct sample *second,
                    struct rank_test *test);

/*
 * 100 (1 - R) per cent, divided by unit, with R = mean(left) / mean(right) over the n splits that both samples have.
 * The result holds n values with that mean,
 *
 *     100 (1 - R - (left_i - R right_i) / mean(right)),
 *
 * whose sd / sqrt(n) is the standard error of the ratio to first order in the deviations (the delta method). Its
 * records are those of left. n_null counts splits that one sample lacks and records without a number. If
 * mean(right) is 0, it is empty.
 */
struct sample sample_reduction(struct pool *pool, const struct sample *left, const struct sample *right, double unit);

/* The means over the folds of each repetition of a cross-validation, with the record of its first fold. The folds of
 * one repetition share most of their patterns, so only repetitions are independent draws given the data set. folds = 1
 * gives the sample itself. */
struct sample sample_repetitions(struct pool *pool, const struct sample *sample, size_t folds);

/* ---- marks ---- */

/* The result of one test in one row. */
struct test_finding {
    struct rank_test result;
    size_t columns[2]; /* the two compared; if nothing was tested, the first of each side */
    size_t n;          /* splits that all columns have or, unpaired, the smaller sample; 0: not tested */
    int significant;
    uint64_t marked; /* bit j: our mark is on column j */
    /* Set by reproduction_make: */
    const struct paper_test *test;
    uint64_t printed; /* bit j: the paper's mark is on column j */
    const char *id;   /* "TABLE/DATA SET/KEY" */
    int compared;     /* it has a mark, and the records decided it */
    int agrees;       /* compared, and both marks are on the same side, or neither exists */
    const struct explanation *explanation; /* of a deviation, or NULL; set by harness/papers/conform.h */
};

/* Tests one row; samples has one sample for each column of the table, in reading order. If a column of a side has no
 * values, or no split is common to all columns of a paired test, nothing is tested. */
struct test_finding marks_test(struct pool *pool, const struct paper_test *test, const struct sample *samples);

enum marked_side { MARKED_FIRST, MARKED_SECOND, MARKED_NOWHERE, MARKED_BOTH };
/* The side of the test that carries a mark. Two sets of marks agree if they are on the same side or both empty. */
enum marked_side marked_side(const struct paper_test *test, uint64_t marked);

/* ---- cells ---- */

struct reproduction_cell {
    const struct paper_column *column;
    const struct printed *printed;
    const char *id;          /* "TABLE/DATA SET/COLUMN" */
    int compared;            /* zero: no printed value, or a set-up value */
    int counted;             /* compared, and does not repeat another column's number (same_as) */
    struct sample sample;    /* the values and their records, which must outlive the comparison */
    struct summary measured; /* in the printed unit, over all draws */
    struct summary one_draw; /* the first of these draws; n = 0 if it is the only draw or has no records */
    double ours;             /* what is compared with the printed figure: the mean, or for a minimum over more splits
                                than the paper has, the mean of the minima over as many splits */
    int synthetic;           /* nonzero: from a synthetic data set, which is not the paper's */
    int same_split;          /* nonzero: printed for one split, and ours is one record of a split listed in a file */
    size_t n_null;           /* records for the cell without a number */
    int absent;              /* no record, although a run for the table was to measure it; set by conform.h */
    double at_most, at_least; /* printed for one split only: the shares of ours that are no higher and no lower, to the
                                 printed digit; else NaN */
    struct agreement agreement;
    struct ceiling ceiling; /* zeros if missing */
    const char *tuned_to_paper; /* the convention that makes an agreement not independent, as in the printed row */
    /* the entry that lists the cell, or its standard deviation, as a deviation, or NULL; set by
     * harness/papers/conform.h */
    const struct explanation *explanation, *sd_explanation;
};

struct reproduction_row {
    const char *dataset;
    struct reproduction_cell *cells; /* one per column */
    struct test_finding *tests;    /* one per test of the table */
    int has_records;
    const char *reason, *command; /* why there are no records, and how to get the data; NULL if unknown */
};

/* Possible marks: one for each row and marked test. */
struct marks_count {
    size_t agree, compared, untested; /* untested: without records, or with too few to decide */
};

/* The number of cells with each verdict. A number that a table repeats counts once. */
struct verdict_counts {
    size_t cells[VERDICT_COUNT];
    size_t can_agree; /* cells that can agree at all, with unlimited splits */
    double expected;  /* agreements expected of a perfect reproduction with as many splits as ours */
    size_t sds_agree, sds_differ; /* standard deviations compared */
    size_t tuned_to_paper;                /* agree or are compatible, but are not independent: cell->tuned_to_paper */
    size_t repeated;              /* compared, but left out of the counts above: repeats a number of the table */
    struct marks_count marks;
};
void verdict_counts_add(const struct verdict_counts *counts, struct verdict_counts *sum);
/* The cells whose test would notice a difference of half the printed value, so those whose verdict is neither missing
 * nor undecidable: the denominator of shares. */
size_t verdict_counts_tested(const struct verdict_counts *counts);
/* "12 agree, 3 compatible, 1 near, 2 differ, 0 undecidable, 0 missing" */
void verdict_counts_print(FILE *stream, const struct verdict_counts *counts);

/* ---- joint tests: whether more of the cells of a table or a paper are rejected than chance explains, given that the
 * cells of one data set rest on the same splits and so fail together (joint.c) ---- */

/* `outside` of `cells` tests at 99 % reject. Resampling gives the number `expected` for identical experiments, and
 * p_value is the chance of at least as many. Without cells, expected is 0 and p_value is NaN. */
struct joint_count {
    size_t outside, cells;
    double expected, p_value;
};

/* Values printed for one split each. share is the mean rank of the printed values among ours, from 0 (below all) to 1;
 * p_value is the two-sided chance of one as far from 1/2. Without cells both are NaN. */
struct joint_place {
    size_t cells;
    double share, p_value;
};

struct joint {
    struct joint_count means, sds;
    struct joint_place places;
};

/* ---- a table ---- */

struct reproduction {
    const struct paper_table *table; /* not owned */
    struct reproduction_row *rows;     /* one per row of the table */
    struct reproduction_cell *cells;   /* of all rows, n_cells */
    struct test_finding *tests;      /* of all rows, n_tests */
    size_t n_cells, n_tests;
    struct verdict_counts counts;
    int is_measured;              /* zero: every column is a set-up value */
    const char *splits;           /* the line about official and other splits */
    /* set by harness/papers/conform.h: */
    struct joint joint;
    const char *one_split;                           /* "TABLE/one-split": its values printed for one split each */
    const struct explanation *one_split_explanation; /* the entry that lists this as a deviation, or NULL */
};

/* Compares the table, which must outlive the comparison, with the records. Cells use all draws, since more splits of
 * the same kind estimate the same mean better; tests and marks use the first draw, since their outcome depends on the
 * number of splits. Both lists may be the same. `missing` is run.json's array of {"dataset", "reason", "command"},
 * whose texts must outlive the comparison, or NULL. Ends with STATUS_BAD_INPUT after records that are not a sample. */
struct reproduction *reproduction_make(struct pool *pool, const struct paper_table *table,
                                         const struct records *first, const struct records *all,
                                         const struct cJSON *missing);

/* Fills a table for readers: the data sets; for each column of the paper's the printed figure and, unless it is a
 * set-up value, ours with the sign of its verdict; then the tests without a mark. The notes do not explain the signs.
 */
void reproduction_page(const struct reproduction *comparison, struct result *page);
/* Adds a row for programs for each cell and each test, at first also the columns; with_ids: with their ids. */
void reproduction_data(const struct reproduction *comparison, int with_ids, struct result *cells, struct result *tests);
/* Writes FOLDER/NAME.json, .md, .tex and .csv; the folder must exist. */
void reproduction_write(const struct reproduction *comparison, const char *folder);

/* Tests `count` tables of one paper, each separately into tables[i], and all of them together into *all. Minima,
 * repeated numbers, missing cells and synthetic data sets are left out, and the counts also leave out data sets with
 * fewer than eight splits. */
void joint_test(struct reproduction *const *comparisons, size_t count, struct joint *tables, struct joint *all);

/* How many independent facts the counted cells of all tables, of several papers, are, if cells that move together over
 * the splits of a data set are one. Minima, and other cells without a value on each split, count as one each. */
struct joint_facts {
    size_t cells;
    size_t correlated; /* cells with a correlation above joint_same with an earlier one */
    double facts;
};
extern const double joint_same;
struct joint_facts joint_facts(struct reproduction *const *tables, size_t count);

/* Whether the values printed for one split each differ jointly, at 99 %. */
int joint_places_differ(const struct joint_place *places);

#endif
