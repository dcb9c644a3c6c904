/*
 * The superscripts by which a table shows significant differences, placed on our figures as the paper places its own.
 *
 * López (2008) explains his with "a statistically significant difference in the paired samples" between two columns, or
 * between the best column of each of two pairs. That and his 240 places for a mark give the rule:
 * - Paired tests, and the means that go with them, rest on the splits that all columns of the test have. Else the mark
 *     could stand on the side that lost on the splits the p-value comes from.
 * - The best column of a side is the one with the lowest mean (unrounded; the first of them on a tie).
 * - The mark stands on the better of the two columns tested, the one with the lower mean, where the two-sided p-value
 *     is below the level. In the thesis it never stands on the higher mean. Equal means carry no mark, and neither do
 *     samples that agree on every split.
 * - On a side of several columns it stands as well on each other column that (a) does not differ significantly from
 *     the side's best and (b) differs significantly, with a lower mean, from the best of the other side. (a) keeps mark
 *     3 off a column that mark 1 or 2 has put behind its partner: the thesis never prints it there. Rounded means have
 *     no say in it: Table 5.3.3 has it on both 89.6 and 89.5 (banana), 5.3.7 on 269.1 and 271.3 (heart). (b) explains
 *     why 10.7 has none beside 10.6 (5.3.2, splice, against 10.8), and 3.0 none beside 2.9 (5.3.5, image, against 3.1).
 * All tests of one mark have its kind and level.
 */
#ifndef HULLBENCH_MARKS_H
#define HULLBENCH_MARKS_H

#include "harness/papers/paired.h"

struct explanation;

/* What one test found in one row. */
struct test_finding {
    struct rank_test result;
    size_t columns[2]; /* the two compared; where nothing was tested, the first of each side */
    size_t n;          /* splits all columns have or, unpaired, the smaller sample; 0: nothing was tested */
    int significant;
    uint64_t marked; /* bit j: our mark stands on column j */
    /* By harness/papers/paper_comparison.h: */
    const struct paper_test *test;
    uint64_t printed; /* bit j: the paper's mark stands on column j */
    char *id;         /* "TABLE/DATA SET/KEY"; owned */
    int compared;     /* it has a mark and records decided it */
    int agrees;       /* compared, and both marks stand on the same side, or both nowhere */
    const struct explanation *explanation; /* of a deviation, or NULL; by harness/papers/conform.h */
};

/* Tests one row; samples has one sample for each column of the table, in reading order. A side with a column that has
 * no values, or a paired test without a split that all columns have, is not tested. */
struct test_finding marks_test(const struct paper_test *test, const struct sample *samples);

enum marked_side { MARKED_FIRST, MARKED_SECOND, MARKED_NOWHERE, MARKED_BOTH };
/* Which side of the test has a mark. Two rows of marks agree where they are on the same side or both nowhere. */
enum marked_side marked_side(const struct paper_test *test, uint64_t marked);

/* The keys of the columns in `marked` as array `key` of `object`. */
void marks_json(struct cJSON *object, const char *key, const struct paper_table *table, uint64_t marked);

#endif
