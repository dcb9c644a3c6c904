/* Cross-validation: each repetition tests every row once unless sizes have to be equal, sizes are as
 * documented, strata are even, and draws depend on their number. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "harness/base/die.h"
#include "harness/data/split.h"

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
        .pool = pool_new_owned(),
        .name = toy->name,
        .source = toy->source,
        .patterns = {.rows = rows, .dims = 1},
        .y = toy->y,
        .multiplicity = toy->multiplicity,
        .full_size = rows + 1};
}

static void toy_close(struct toy *toy)
{
    pool_free(toy->dataset.pool);
}

struct filling {
    struct dataset *dataset;
    const struct fold_plan *plan;
};

static void fill(void *data)
{
    const struct filling *filling = data;
    folds_fill(filling->dataset, filling->plan, "toy.json: ", 1);
}

static size_t positives(const struct toy *toy, const size_t *rows, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += toy->y[rows[i]] > 0;
    return count;
}

/* Checks fold f of repetition r, and adds its test rows to `tested`. */
static void check_fold(const struct toy *toy, const struct fold_plan *plan, size_t r, size_t f, size_t tested[MAX_ROWS])
{
    const size_t full = toy->dataset.full_size, k = plan->folds;
    const size_t used = plan->equal_sizes ? full - full % k : full;
    const struct split *split = &toy->dataset.splits[k * r + f];
    size_t here[MAX_ROWS] = {0}, total = 0;
    assert_int_equal(split->number, k * r + f + 1);
    assert_int_equal(split->source, SPLIT_FOLD);
    assert_int_equal(split->n_test, used / k + (f < used % k));
    assert_int_equal(split->n_train + split->n_test, used);
    size_t trained = positives(toy, split->train, split->n_train);
    assert_true(trained > 0 && trained < split->n_train);
    for (size_t i = 0; i < split->n_train; i++)
        here[split->train[i]]++;
    for (size_t i = 0; i < split->n_test; i++) {
        here[split->test[i]]++;
        tested[split->test[i]]++;
    }
    for (size_t row = 0; row < toy->dataset.patterns.rows; row++) {
        assert_true(plan->equal_sizes ? here[row] <= toy->multiplicity[row] : here[row] == toy->multiplicity[row]);
        total += here[row];
    }
    assert_int_equal(total, used);
}

/* Deals `positive` positive rows and `negative` others by the plan. */
static void check_plan(size_t positive, size_t negative, const struct fold_plan *plan, uint64_t seed)
{
    struct toy toy;
    toy_open(&toy, positive + negative);
    for (size_t i = 0; i < positive + negative; i++)
        toy.y[i] = i < positive ? 1 : -1;
    folds_fill(&toy.dataset, plan, "", seed);
    assert_int_equal(toy.dataset.n_splits, plan->folds * plan->repeats);
    for (size_t r = 0; r < plan->repeats; r++) {
        size_t tested[MAX_ROWS] = {0}, total = 0, min = SIZE_MAX, max = 0;
        for (size_t f = 0; f < plan->folds; f++) {
            const struct split *split = &toy.dataset.splits[plan->folds * r + f];
            const size_t count = positives(&toy, split->test, split->n_test);
            check_fold(&toy, plan, r, f, tested);
            min = count < min ? count : min;
            max = count > max ? count : max;
        }
        assert_true(!plan->stratified || max - min <= 1);
        for (size_t row = 0; row < positive + negative; row++) {
            assert_true(plan->equal_sizes || tested[row] == toy.multiplicity[row]);
            total += tested[row];
        }
        assert_true(plan->equal_sizes || total == toy.dataset.full_size);
    }
    toy_close(&toy);
}

/* Every number of folds, from halves to single rows, of sets down to two rows of a class. */
static void every_row_is_tested_once_and_trained_on_in_the_other_folds(void **state)
{
    (void)state;
    static const size_t counts[][2] = {{2, 2}, {2, 3}, {3, 10}, {2, 60}, {31, 31}, {40, 22}};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int stratified = 0; stratified <= 1; stratified++)
            for (size_t k = 2; k <= counts[c][0] + counts[c][1] + 1; k++)
                check_plan(counts[c][0], counts[c][1], &(struct fold_plan){k, 3, stratified, 0}, k);
}

static void folds_of_equal_size_leave_out_what_does_not_divide(void **state)
{
    (void)state;
    for (int stratified = 0; stratified <= 1; stratified++)
        for (size_t k = 2; k < 20; k++)
            check_plan(20, 42, &(struct fold_plan){k, 4, stratified, 1}, k);
}

static void a_repetition_depends_on_its_number_and_the_seed_only(void **state)
{
    (void)state;
    const struct fold_plan few = {5, 2, 0, 0}, many = {5, 6, 0, 0};
    struct toy a, b, c;
    toy_open(&a, 62);
    toy_open(&b, 62);
    toy_open(&c, 62);
    folds_fill(&a.dataset, &few, "", 7);
    folds_fill(&b.dataset, &many, "", 7);
    folds_fill(&c.dataset, &few, "", 8);
    size_t bytes = 10 * 63 * sizeof(size_t), one = 63 * sizeof(size_t);
    assert_memory_equal(a.dataset.indices, b.dataset.indices, bytes);
    assert_memory_not_equal(a.dataset.indices, c.dataset.indices, one);
    assert_memory_not_equal(a.dataset.indices, a.dataset.indices + 315, one);
    toy_close(&a);
    toy_close(&b);
    toy_close(&c);
}

static void too_few_rows_and_a_single_class_are_errors(void **state)
{
    (void)state;
    const struct fold_plan plan = {10, 1, 0, 0};
    struct toy toy;
    struct error error;
    struct filling filling = {&toy.dataset, &plan};
    toy_open(&toy, 8); /* 9 entries */
    assert_int_equal(attempt(fill, &filling, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "toy.json: splits.folds: 10 is out of range; allowed: at most 9, "));
    toy_close(&toy);
    toy_open(&toy, 40);
    memset(toy.y, 1, sizeof toy.y);
    for (int negative = 0; negative <= 1; negative++) { /* one row of a class is tested by some fold */
        toy.y[5] = negative ? -1 : 1;
        assert_int_equal(attempt(fill, &filling, &error), STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, negative ? "40 and 1 patterns" : "41 and 0 patterns"));
        assert_int_equal(toy.dataset.n_splits, 0);
    }
    toy_close(&toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_tested_once_and_trained_on_in_the_other_folds),
        cmocka_unit_test(folds_of_equal_size_leave_out_what_does_not_divide),
        cmocka_unit_test(a_repetition_depends_on_its_number_and_the_seed_only),
        cmocka_unit_test(too_few_rows_and_a_single_class_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
