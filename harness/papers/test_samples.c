/* The reduction of one mean relative to another, on hand-made samples. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stats/summary.h"
#include "harness/papers/paper.h"
#include "harness/papers/reproduction.h"
#include "tests/paper_trial.h"

enum { MAX_SPLITS = 400 };

/* A sample with built-in storage. */
struct made {
    struct record records[MAX_SPLITS];
    const struct record *list[MAX_SPLITS];
    double values[MAX_SPLITS];
};

static struct sample make(struct made *made, const double *values, size_t first_split, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        made->records[i] = (struct record){.dataset = "p", .split = first_split + i, .split_source = "fold"};
        made->list[i] = &made->records[i];
        made->values[i] = values[i];
    }
    return (struct sample){.values = made->values, .records = made->list, .n = n};
}

static void it_is_one_less_the_ratio_of_the_means(void **state)
{
    (void)state;
    static struct made a, b;
    struct sample less = make(&a, (const double[]){1, 2, 3}, 1, 3);
    struct sample than = make(&b, (const double[]){4, 4, 16}, 1, 3), made;
    struct summary summary;
    made = sample_reduction(trial_pool(), &less, &than, 1);
    assert_int_equal(made.n, 3);
    summary = summary_of(made.values, made.n);
    assert_true(fabs(summary.mean - 75) < 1e-12); /* 100 (1 - 2 / 8) */
    /* 100 (1 - 1/4 - (1 - 4/4) / 8) and so on */
    assert_true(fabs(made.values[0] - 75) < 1e-12 && fabs(made.values[1] - 62.5) < 1e-12 &&
                fabs(made.values[2] - 87.5) < 1e-12);
}

static void splits_of_one_sample_alone_are_left_out_and_counted(void **state)
{
    (void)state;
    static struct made a, b;
    struct sample less = make(&a, (const double[]){1, 2, 3}, 1, 3);
    struct sample than = make(&b, (const double[]){4, 6, 5, 7}, 2, 4), made;
    made = sample_reduction(trial_pool(), &less, &than, 1);
    assert_true(made.n == 2 && made.n_null == 2); /* splits 2 and 3 of 2 to 5 */
    assert_true(fabs(0.5 * (made.values[0] + made.values[1]) - 50) < 1e-12); /* 5 / 10 */
    than.n = 0;
    made = sample_reduction(trial_pool(), &less, &than, 1);
    assert_true(made.n == 0 && made.n_null == 3);
    const double nothing[] = {0, 0, 0};
    than = make(&b, nothing, 1, 3);
    made = sample_reduction(trial_pool(), &less, &than, 1);
    assert_int_equal(made.n, 0); /* no ratio with a zero mean */
}

/* Over many repetitions of an experiment the spread of the reductions matches the standard error of each. */
static void its_spread_is_that_of_repeated_experiments(void **state)
{
    (void)state;
    static struct made a, b;
    enum { TIMES = 400 };
    double reductions[TIMES], error2 = 0;
    uint64_t draw = 1;
    for (int t = 0; t < TIMES; t++) {
        double less[MAX_SPLITS], than[MAX_SPLITS];
        struct sample made;
        struct summary summary;
        for (size_t i = 0; i < MAX_SPLITS;
             i++) { /* Knuth's linear congruence; values in 10 +- 5, and a share of them */
            draw = draw * 6364136223846793005u + 1442695040888963407u;
            than[i] = 5 + 10 * ((double)(draw >> 11) / 9007199254740992.0);
            draw = draw * 6364136223846793005u + 1442695040888963407u;
            less[i] = than[i] * (0.3 + 0.4 * ((double)(draw >> 11) / 9007199254740992.0));
        }
        struct sample first = make(&a, less, 1, MAX_SPLITS), second = make(&b, than, 1, MAX_SPLITS);
        made = sample_reduction(trial_pool(), &first, &second, 1);
        summary = summary_of(made.values, made.n);
        reductions[t] = summary.mean;
        error2 += summary.sd * summary.sd / MAX_SPLITS / TIMES;
    }
    struct summary spread;
    spread = summary_of(reductions, TIMES);
    /* the sd of 400 values is within 15 % of its expectation, some four of its standard deviations */
    assert_true(fabs(spread.sd / sqrt(error2) - 1) < 0.15);
}

/* The printed figures are consistent with each other and with the folds' size N = 9 floor(n / 10), at 2N + 3 operations
 * per iteration. */
static void the_paper_of_2008_is_whole(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double n;
    } sets[] = {{"breast-cancer", 277}, {"heart", 270}, {"german", 1000}, {"diabetis", 768},
                {"banana", 5300},       {"thyroid", 215}, {"splice", 3175}};
    struct error error;
    const struct paper *paper = paper_find_or_null(trial_pool(), "barbero2008.table2", &error);
    assert_non_null(paper);
    const struct paper_table *table = paper_table_named(paper, "barbero2008.table2");
    assert_int_equal(table->n_columns, 5);
    assert_int_equal(table->n_rows, 7);
    for (size_t i = 0; i < 7; i++) {
        const struct printed *cells = table->rows[i].cells;
        double train = 9 * floor(sets[i].n / 10);
        assert_string_equal(table->rows[i].dataset, sets[i].name);
        /* iterations are printed with two digits, truncated; heart's is 5.52 by its operations, 5.51 in print */
        assert_true(fabs(cells[0].mean / (2 * train + 3) - cells[1].mean) < 0.011);
        assert_true(fabs(100 * (1 - cells[2].mean / cells[0].mean) - cells[4].mean) <= 0.005 + 1e-9);
        for (size_t j = 0; j < 5; j++)
            assert_true(cells[j].n == 10 && isnan(cells[j].sd));
    }
    assert_true(table->columns[4].statistic == STATISTIC_REDUCTION && table->columns[0].statistic == STATISTIC_MEAN);
}

/* Folds 1 and 2 are one repetition, and so on; the last one lacks a fold, and the order does not matter. */
static void repetitions_are_the_means_of_their_folds(void **state)
{
    (void)state;
    static struct made a;
    const struct sample folds = make(&a, (const double[]){1, 4, 10, 20, 7}, 1, 5);
    a.list[1] = &a.records[4]; /* 7 belongs to split 2, and 4 to split 5 */
    a.list[4] = &a.records[1];
    const struct sample means = sample_repetitions(trial_pool(), &folds, 2);
    assert_int_equal(means.n, 3);
    assert_true(means.values[0] == 4 && means.values[1] == 4 && means.values[2] == 15);
    assert_true(means.records[0]->split == 1 && means.records[1]->split == 5 && means.records[2]->split == 3);
    const struct sample same = sample_repetitions(trial_pool(), &folds, 1);
    assert_true(same.n == 5 && same.values == folds.values);
    const struct sample equal = make(&a, (const double[]){0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, 1, 6);
    const struct sample means_of_equal = sample_repetitions(trial_pool(), &equal, 3);
    assert_true(means_of_equal.n == 2 && summary_of(means_of_equal.values, 2).sd == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_one_less_the_ratio_of_the_means),
        cmocka_unit_test(splits_of_one_sample_alone_are_left_out_and_counted),
        cmocka_unit_test(its_spread_is_that_of_repeated_experiments),
        cmocka_unit_test(repetitions_are_the_means_of_their_folds),
        cmocka_unit_test(the_paper_of_2008_is_whole),
    };
    return cmocka_run_group_tests_name("reduction", tests, NULL, NULL);
}
