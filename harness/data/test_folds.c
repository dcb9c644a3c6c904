/* Cross-validation: each repetition tests every row once, sizes are as documented, strata are even, and draws depend on
 * their number. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "harness/data/folds.h"

enum { MAX_ROWS = 64 };

struct toy {
    signed char y[MAX_ROWS];
    size_t multiplicity[MAX_ROWS];
    char name[8], source[8];
    struct dataset dataset;
};

/* `rows` rows, every third negative, row 0 occurring twice. */
static void toy_open(struct toy *toy, size_t rows)
{
    memset(toy, 0, sizeof *toy);
    for (size_t i = 0; i < rows; i++) {
        toy->y[i] = i % 3 == 2 ? -1 : 1;
        toy->multiplicity[i] = i == 0 ? 2 : 1;
    }
    strcpy(toy->name, "toy");
    strcpy(toy->source, "toy.csv");
    toy->dataset = (struct dataset){
        .name = toy->name,
        .source = toy->source,
        .patterns = {.rows = rows, .dims = 1},
        .y = toy->y,
        .multiplicity = toy->multiplicity,
        .full_size = rows + 1};
}

static void toy_close(struct toy *toy)
{
    free(toy->dataset.splits);
    free(toy->dataset.indices);
}

static void every_kept_row_is_tested_once_and_trained_on_in_the_other_folds(void **state)
{
    (void)state;
    const struct fold_plan plan = {5, 4, 0};
    struct toy toy;
    struct error error;
    toy_open(&toy, 62); /* 63 entries: 5 folds of 12, 3 left over */
    assert_int_equal(folds_fill(&toy.dataset, &plan, 7, &error), STATUS_OK);
    assert_int_equal(toy.dataset.n_splits, 20);
    for (size_t r = 0; r < 4; r++) {
        size_t tested[MAX_ROWS] = {0}, total = 0;
        for (size_t f = 0; f < 5; f++) {
            const struct split *split = &toy.dataset.splits[5 * r + f];
            assert_int_equal(split->number, 5 * r + f + 1);
            assert_int_equal(split->source, SPLIT_FOLD);
            assert_int_equal(split->n_test, 12);
            assert_int_equal(split->n_train, 48);
            for (size_t i = 0; i < split->n_test; i++)
                tested[split->test[i]]++;
        }
        for (size_t f = 0; f < 5; f++) {
            size_t here[MAX_ROWS] = {0};
            const struct split *split = &toy.dataset.splits[5 * r + f];
            for (size_t i = 0; i < split->n_train; i++)
                here[split->train[i]]++;
            for (size_t i = 0; i < split->n_test; i++)
                here[split->test[i]]++;
            assert_memory_equal(here, tested, sizeof here); /* the same multiset of rows in every fold */
        }
        for (size_t row = 0; row < 62; row++) {
            assert_true(tested[row] <= toy.multiplicity[row]);
            total += tested[row];
        }
        assert_int_equal(total, 60);
    }
    toy_close(&toy);
}

static void strata_differ_by_one_at_most(void **state)
{
    (void)state;
    const struct fold_plan plan = {7, 3, 1};
    struct toy toy;
    struct error error;
    toy_open(&toy, 60);
    assert_int_equal(folds_fill(&toy.dataset, &plan, 1, &error), STATUS_OK);
    for (size_t r = 0; r < 3; r++) {
        size_t min = SIZE_MAX, max = 0;
        for (size_t f = 0; f < 7; f++) {
            size_t positives = 0;
            for (size_t i = 0; i < 8; i++)
                positives += toy.y[toy.dataset.splits[7 * r + f].test[i]] > 0;
            min = positives < min ? positives : min;
            max = positives > max ? positives : max;
        }
        assert_true(max - min <= 1);
    }
    toy_close(&toy);
}

static void a_repetition_depends_on_its_number_and_the_seed_only(void **state)
{
    (void)state;
    const struct fold_plan few = {5, 2, 0}, many = {5, 6, 0};
    struct toy a, b, c;
    struct error error;
    toy_open(&a, 62);
    toy_open(&b, 62);
    toy_open(&c, 62);
    assert_int_equal(folds_fill(&a.dataset, &few, 7, &error), STATUS_OK);
    assert_int_equal(folds_fill(&b.dataset, &many, 7, &error), STATUS_OK);
    assert_int_equal(folds_fill(&c.dataset, &few, 8, &error), STATUS_OK);
    size_t bytes = 10 * 60 * sizeof(size_t), one = 60 * sizeof(size_t);
    assert_memory_equal(a.dataset.indices, b.dataset.indices, bytes);
    assert_memory_not_equal(a.dataset.indices, c.dataset.indices, one);
    assert_memory_not_equal(a.dataset.indices, a.dataset.indices + 300, one);
    toy_close(&a);
    toy_close(&b);
    toy_close(&c);
}

static void too_few_rows_and_a_single_class_are_errors(void **state)
{
    (void)state;
    const struct fold_plan plan = {10, 1, 0};
    struct toy toy;
    struct error error;
    toy_open(&toy, 8); /* 9 entries */
    assert_int_equal(folds_fill(&toy.dataset, &plan, 1, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "splits.folds: 10 is out of range; allowed: at most 9, "));
    toy_close(&toy);
    toy_open(&toy, 40);
    memset(toy.y, 1, sizeof toy.y);
    assert_int_equal(folds_fill(&toy.dataset, &plan, 1, &error), STATUS_BAD_INPUT);
    assert_string_equal(error.message, "splits: fold 1 of repetition 1 of toy leaves only one class for training");
    assert_int_equal(toy.dataset.n_splits, 0);
    toy_close(&toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kept_row_is_tested_once_and_trained_on_in_the_other_folds),
        cmocka_unit_test(strata_differ_by_one_at_most),
        cmocka_unit_test(a_repetition_depends_on_its_number_and_the_seed_only),
        cmocka_unit_test(too_few_rows_and_a_single_class_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
