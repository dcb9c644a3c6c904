/*
 * The superscripts by which a table shows significant differences, derived from our figures by the paper's rule.
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
#ifndef HULLBENCH_MARKS_H
#define HULLBENCH_MARKS_H

#include "harness/papers/paper.h"
#include "harness/records/record_filter.h"
#include "harness/stats/rank_tests.h"
#include "harness/stats/summary.h"

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

/* ---- marks ---- */

struct explanation;

/* The result of one test in one row. */
struct test_finding {
    struct rank_test result;
    size_t columns[2]; /* the two compared; if nothing was tested, the first of each side */
    size_t n;          /* splits that all columns have or, unpaired, the smaller sample; 0: not tested */
    int significant;
    uint64_t marked; /* bit j: our mark is on column j */
    /* Set by harness/papers/reproduction.h: */
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

/* The keys of the columns in `marked` as array `key` of `object`. */
void marks_json(struct cJSON *object, const char *key, const struct paper_table *table, uint64_t marked);

#endif
