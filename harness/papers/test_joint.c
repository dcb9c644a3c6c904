/*
 * Joint tests of all cells, on tables built in memory: their level on simulated identical experiments whose cells fail
 * together, and their findings on experiments that differ.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/papers/reproduction.h"
#include "tests/all_tests.h"

enum { SETS = 12, COLUMNS = 6, SPLITS = 20 };
static const char *const names[SETS] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};

/* A table of SETS rows with values for every split. */
struct made {
    struct paper_column columns[COLUMNS];
    struct paper_table table;
    struct printed printed[SETS * COLUMNS];
    struct record records[SETS][SPLITS];
    struct reproduction_cell cells[SETS * COLUMNS];
    struct reproduction_row rows[SETS];
    struct reproduction comparison, *list[1];
};

/* Creates a table with all cells compared, n printed splits and no values yet. */
static struct made *make(enum statistic statistic, size_t n)
{
    struct made *made = xcalloc(1, sizeof *made);
    made->table = (struct paper_table){.name = "toy.t", .columns = made->columns, .n_columns = COLUMNS, .n_rows = SETS};
    for (size_t j = 0; j < COLUMNS; j++)
        made->columns[j].statistic = statistic;
    for (size_t i = 0; i < SETS; i++) {
        made->rows[i] = (struct reproduction_row){.dataset = names[i], .cells = made->cells + i * COLUMNS};
        for (size_t k = 0; k < SPLITS; k++)
            made->records[i][k] = (struct record){.dataset = names[i], .split = k + 1, .split_source = "resampled"};
    }
    for (size_t c = 0; c < SETS * COLUMNS; c++) {
        made->printed[c] = (struct printed){.n = n, .decimals = 2, .sd_decimals = 2};
        made->cells[c] = (struct reproduction_cell){.column = &made->columns[c % COLUMNS], .printed = &made->printed[c],
                                                  .compared = 1, .counted = 1};
        made->cells[c].sample.n = SPLITS;
        made->cells[c].sample.values = xcalloc(SPLITS, sizeof(double));
        made->cells[c].sample.records = xcalloc(SPLITS, sizeof(struct record *));
        for (size_t k = 0; k < SPLITS; k++)
            made->cells[c].sample.records[k] = &made->records[c / COLUMNS][k];
    }
    made->comparison = (struct reproduction){
        .table = &made->table, .rows = made->rows, .cells = made->cells, .n_cells = SETS * COLUMNS};
    made->list[0] = &made->comparison;
    return made;
}

static void made_free(struct made *made)
{
    for (size_t c = 0; c < SETS * COLUMNS; c++) {
        free(made->cells[c].sample.values);
        free(made->cells[c].sample.records);
    }
    free(made);
}

static double rounded(double x)
{
    return nearbyint(100 * x) / 100;
}

/* Draws values of n splits of one row: the sum of a part that all columns share and an independent one, each of
 * variance 1/2. */
static void draw_row(gsl_rng *generator, double (*values)[SPLITS], size_t n, double shared_sd)
{
    for (size_t k = 0; k < n; k++) {
        const double shared = gsl_ran_gaussian_ziggurat(generator, shared_sd);
        for (size_t j = 0; j < COLUMNS; j++)
            values[j][k] = 10 + shared + gsl_ran_gaussian_ziggurat(generator, sqrt(1 - shared_sd * shared_sd));
    }
}

/* Draws two experiments: the printed one, which is `shift` higher, and ours in the samples. */
static void draw_study(gsl_rng *generator, struct made *made, double shift)
{
    double values[COLUMNS][SPLITS];
    for (size_t i = 0; i < SETS; i++) {
        draw_row(generator, values, made->printed[0].n, 0.95);
        for (size_t j = 0; j < COLUMNS; j++) {
            struct printed *printed = &made->printed[i * COLUMNS + j];
            struct summary theirs;
            theirs = summary_of(values[j], printed->n);
            printed->mean = rounded(theirs.mean + shift);
            printed->sd = printed->n > 1 ? rounded(theirs.sd) : (double)NAN;
        }
        draw_row(generator, values, SPLITS, 0.95);
        for (size_t j = 0; j < COLUMNS; j++) {
            struct reproduction_cell *cell = &made->cells[i * COLUMNS + j];
            memcpy(cell->sample.values, values[j], sizeof values[j]);
            cell->measured = summary_of(values[j], SPLITS);
            cell->agreement = verdict_mean(cell->printed, &cell->measured);
        }
    }
}

/* In 60 pairs (120 in all tests) of identical experiments whose cells are nearly copies of each other, p < 0.05 occurs
 * in one of twenty at most (3.5 standard deviations of the share: 0.1; of 120 pairs 0.07). A binomial test, which
 * treats cells as independent, errs more often. The expected number of rejections is one in a hundred: 72 cells,
 * 0.72. */
static void the_count_keeps_its_level_where_cells_fail_together(void **state)
{
    (void)state;
    const int studies = all_tests() ? 120 : 60;
    const double beyond = all_tests() ? 0.07 : 0.1;
    struct made *made = make(STATISTIC_MEAN_SD, 20);
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    size_t low = 0, binomial = 0, low_sds = 0, outside = 0;
    double expected = 0;
    gsl_rng_set(generator, 1);
    for (int study = 0; study < studies; study++) {
        struct joint joint, all;
        draw_study(generator, made, 0);
        joint_test(made->list, 1, &joint, &all);
        assert_int_equal(joint.means.cells, SETS * COLUMNS);
        assert_int_equal(joint.sds.cells, SETS * COLUMNS);
        assert_true(joint.means.p_value == all.means.p_value && joint.sds.outside == all.sds.outside);
        low += joint.means.p_value < 0.05;
        low_sds += joint.sds.p_value < 0.05;
        outside += joint.means.outside;
        expected += joint.means.expected;
        const unsigned n = (unsigned)joint.means.outside;
        binomial += n > 0 && gsl_cdf_binomial_Q(n - 1, 0.01, SETS * COLUMNS) < 0.05;
    }
    assert_true((double)low <= studies * (0.05 + beyond));
    assert_true((double)low_sds <= studies * (0.05 + beyond));
    assert_true(expected / studies < 0.76 && expected / studies > 0.5);
    /* some 14 rows of 1440 fail, with up to six cells each: the mean of 120 studies is known to about 0.2, of 60
     * to 0.28 */
    assert_true(fabs((double)outside / studies - expected / studies) < (all_tests() ? 0.7 : 1));
    assert_true(binomial > low);
    gsl_rng_free(generator);
    made_free(made);
}

static void experiments_that_differ_are_found(void **state)
{
    (void)state;
    struct made *made = make(STATISTIC_MEAN_SD, 20);
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    struct joint joint, all;
    gsl_rng_set(generator, 2);
    draw_study(generator, made, 2.5); /* eight standard errors of the difference */
    joint_test(made->list, 1, &joint, &all);
    assert_int_equal(joint.means.outside, SETS * COLUMNS);
    assert_true(joint.means.p_value == 1.0 / 2000);
    assert_true(joint.places.cells == 0 && isnan(joint.places.p_value));
    /* minima, repeated numbers, synthetic data sets and missing cells are left out */
    made->columns[0].statistic = STATISTIC_MINIMUM;
    for (size_t i = 0; i < SETS; i++) {
        made->cells[i * COLUMNS + 1].counted = 0;
        made->cells[i * COLUMNS + 2].synthetic = 1;
        made->cells[i * COLUMNS + 3].agreement = agreement_missing;
    }
    joint_test(made->list, 1, &joint, &all);
    assert_int_equal(joint.means.cells, SETS * 2);
    /* and data sets with fewer than eight splits */
    for (size_t c = 0; c < 2 * COLUMNS; c++)
        made->cells[c].sample.n = c < COLUMNS ? 7 : 8;
    joint_test(made->list, 1, &joint, &all);
    assert_int_equal(joint.means.cells, (SETS - 1) * 2);
    gsl_rng_free(generator);
    made_free(made);
}

/* All columns but one have only five of a data set's 20 splits. Of 20 drawn splits, some five then have a value of such
 * a cell, and the drawn mean is as uncertain as one of five values: of identical experiments the test rejects up to
 * 1.4 % (verdict.c). Taken for a mean of 20 values, it would be rejected far more often. */
static void a_drawn_mean_is_as_uncertain_as_its_values_are_few(void **state)
{
    (void)state;
    struct made *made = make(STATISTIC_MEAN_SD, 20);
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    struct joint joint, all;
    gsl_rng_set(generator, 5);
    draw_study(generator, made, 0);
    for (size_t c = 0; c < SETS * COLUMNS; c++)
        if (c % COLUMNS != 0) {
            struct reproduction_cell *cell = &made->cells[c];
            cell->sample.n = 5;
            cell->measured = summary_of(cell->sample.values, cell->sample.n);
            cell->agreement = verdict_mean(cell->printed, &cell->measured);
        }
    joint_test(made->list, 1, &joint, &all);
    assert_int_equal(joint.means.cells, SETS * COLUMNS);
    assert_true(joint.means.expected > 0 && joint.means.expected < 0.014 * SETS * COLUMNS);
    gsl_rng_free(generator);
    made_free(made);
}

/* The same rows in two tables are resampled together, so copies are rejected in pairs. */
static void tables_of_one_paper_share_their_splits(void **state)
{
    (void)state;
    struct made *made = make(STATISTIC_MEAN_SD, 20);
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    struct reproduction *both[] = {&made->comparison, &made->comparison};
    struct joint joints[2], one, all;
    gsl_rng_set(generator, 3);
    draw_study(generator, made, 0.8);
    joint_test(made->list, 1, joints, &one);
    joint_test(both, 2, joints, &all);
    assert_true(one.means.outside > 0 && all.means.outside == 2 * one.means.outside);
    assert_true(all.means.p_value == one.means.p_value && all.means.expected == 2 * one.means.expected);
    assert_true(joints[0].means.p_value == joints[1].means.p_value);
    gsl_rng_free(generator);
    made_free(made);
}

/* Two rows have values 1 to 20 in one column. The printed values are below all of ours in both. Of 21^2 choices of a
 * vector from each row, two are as far from the middle: all lowest and all highest. */
static void a_place_below_all_of_ours_has_the_chance_of_its_rank(void **state)
{
    (void)state;
    struct made *made = make(STATISTIC_MEAN, 1);
    struct joint joint, all;
    for (size_t c = 0; c < SETS * COLUMNS; c++) {
        struct reproduction_cell *cell = &made->cells[c];
        cell->counted = c % COLUMNS == 0 && c / COLUMNS < 2;
        made->printed[c].mean = 0.5;
        for (size_t k = 0; k < SPLITS; k++)
            cell->sample.values[k] = (double)(k + 1);
        cell->measured = summary_of(cell->sample.values, SPLITS);
        cell->agreement = verdict_mean(cell->printed, &cell->measured);
    }
    joint_test(made->list, 1, &joint, &all);
    assert_int_equal(joint.places.cells, 2);
    assert_true(joint.places.share == 0 && joint.means.cells == 0);
    /* 2 / 441 from 99 999 draws has a standard deviation of 0.0002 */
    assert_true(fabs(joint.places.p_value - 2.0 / 441) < 0.0008);
    assert_true(joint_places_differ(&joint.places) && joint_places_differ(&all.places));
    made->printed[COLUMNS].mean = 40; /* above all in the second row: extreme in each row, but together in the middle */
    joint_test(made->list, 1, &joint, &all);
    assert_true(joint.places.share == 0.5 && joint.places.p_value == 1 && !joint_places_differ(&joint.places));
    made->printed[0].mean = 7; /* six below, one equal, which counts half */
    made->cells[COLUMNS].counted = 0;
    joint_test(made->list, 1, &joint, &all);
    assert_true(fabs(joint.places.share - 6.5 / 20) < 1e-12);
    /* Splits that lack one of the row's cells are left out: among the first 10 alone, six are below. */
    made->cells[1].counted = 1;
    made->printed[1].mean = 7;
    made->cells[1].sample.n = 10;
    joint_test(made->list, 1, &joint, &all);
    assert_true(fabs(joint.places.share - 6.5 / 10) < 1e-12);
    made_free(made);
}

/* If the printed splits are drawn as ours are, one study in a hundred differs jointly, even with columns that are
 * nearly copies, and the p-values are uniform. 3.5 standard deviations of a share among 100 are 0.035 for 1 % and 0.14
 * for 20 %; among 50, 0.05 and 0.198. */
static void places_keep_their_level_where_columns_are_alike(void **state)
{
    (void)state;
    const int studies = all_tests() ? 100 : 50;
    const double beyond[] = {all_tests() ? 0.035 : 0.05, all_tests() ? 0.14 : 0.198};
    struct made *made = make(STATISTIC_MEAN, 1);
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    size_t differ = 0, low = 0;
    gsl_rng_set(generator, 4);
    for (int study = 0; study < studies; study++) {
        struct joint joint, all;
        draw_study(generator, made, 0);
        joint_test(made->list, 1, &joint, &all);
        assert_int_equal(joint.places.cells, SETS * COLUMNS);
        differ += joint_places_differ(&joint.places) != 0;
        low += joint.places.p_value < 0.2;
    }
    assert_true((double)differ <= studies * (0.01 + beyond[0]));
    assert_true((double)low >= studies * (0.2 - beyond[1]) && (double)low <= studies * (0.2 + beyond[1]));
    gsl_rng_free(generator);
    made_free(made);
}

/* Patterns over the splits whose correlations are exactly 1 or 0. */
static void cells_that_move_together_are_one_fact(void **state)
{
    (void)state;
    struct made *made = make(STATISTIC_MEAN_SD, 20);
    for (size_t c = 0; c < SETS * COLUMNS; c++)
        for (size_t k = 0; k < SPLITS; k++) /* +-+- in the first three columns, ++-- in the others, of other units */
            made->cells[c].sample.values[k] =
                (double)(c + 1) * (c % COLUMNS < 3 ? (k % 2 ? 1 : -1) : (k % 4 < 2 ? 1 : -1));
    struct joint_facts facts = joint_facts(made->list, 1);
    assert_int_equal(facts.cells, SETS * COLUMNS);
    assert_true(fabs(facts.facts - 2 * SETS) < 1e-9); /* 36 / (9 + 9) in each set */
    assert_int_equal(facts.correlated, 4 * SETS);
    /* a minimum has no value on each split, a constant moves with nothing: each is a fact of its own */
    made->columns[5].statistic = STATISTIC_MINIMUM;
    for (size_t i = 0; i < SETS; i++)
        for (size_t k = 0; k < SPLITS; k++)
            made->cells[i * COLUMNS + 4].sample.values[k] = 7;
    facts = joint_facts(made->list, 1);
    /* in each set the minimum, and 25 / (9 + 1 + 1) of the others */
    assert_true(fabs(facts.facts - (1 + 25.0 / 11) * SETS) < 1e-9);
    assert_int_equal(facts.correlated, 2 * SETS);
    for (size_t c = 0; c < SETS * COLUMNS; c++) /* cells that are missing or repeated are no facts */
        made->cells[c].counted = c % COLUMNS == 0;
    assert_true(joint_facts(made->list, 1).cells == SETS && fabs(joint_facts(made->list, 1).facts - SETS) < 1e-9);
    made_free(made);
}

/* 72 independent cells: the correction for 20 splits leaves at least three quarters of them, and none correlates. */
static void independent_cells_are_as_many_facts(void **state)
{
    (void)state;
    struct made *made = make(STATISTIC_MEAN_SD, 20);
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t c = 0; c < SETS * COLUMNS; c++)
        for (size_t k = 0; k < SPLITS; k++)
            made->cells[c].sample.values[k] = gsl_ran_gaussian(generator, 1);
    const struct joint_facts facts = joint_facts(made->list, 1);
    assert_true(facts.facts > 0.75 * SETS * COLUMNS && facts.facts <= SETS * COLUMNS && facts.correlated == 0);
    gsl_rng_free(generator);
    made_free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_count_keeps_its_level_where_cells_fail_together),
        cmocka_unit_test(experiments_that_differ_are_found),
        cmocka_unit_test(a_drawn_mean_is_as_uncertain_as_its_values_are_few),
        cmocka_unit_test(tables_of_one_paper_share_their_splits),
        cmocka_unit_test(a_place_below_all_of_ours_has_the_chance_of_its_rank),
        cmocka_unit_test(cells_that_move_together_are_one_fact),
        cmocka_unit_test(independent_cells_are_as_many_facts),
        cmocka_unit_test(places_keep_their_level_where_columns_are_alike),
    };
    gsl_set_error_handler_off();
    return cmocka_run_group_tests_name("joint", tests, NULL, NULL);
}
