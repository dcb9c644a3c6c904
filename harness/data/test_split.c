/* Drawn splits: their contents, what they depend on, and their fairness. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/data/split.h"

/* Five rows that occur 1, 2, 3, 2 and 4 times: twelve in all. */
static size_t multiplicity[] = {1, 2, 3, 2, 4};
static signed char labels[] = {1, 1, -1, -1, 1};
static char name[] = "toy", source[] = "toy.mat";
static const struct dataset toy = {
    .name = name, .source = source, .patterns = {.rows = 5, .dims = 1}, .y = labels,
    .multiplicity = multiplicity, .full_size = 12};

struct resampling {
    uint64_t seed;
    const struct dataset *dataset;
    size_t number, n_train, n_test, *indices;
};

static void resample(void *data)
{
    const struct resampling *r = data;
    split_resample(r->seed, r->dataset, r->number, r->n_train, r->n_test, r->indices);
}

static void a_complete_split_deals_out_every_row_as_often_as_it_occurs(void **state)
{
    (void)state;
    for (size_t number = 1; number <= 50; number++) {
        size_t indices[12], seen[5] = {0};
        split_resample(3, &toy, number, 5, 7, indices);
        for (size_t i = 0; i < 12; i++) {
            assert_in_range(indices[i], 0, 4);
            seen[indices[i]]++;
        }
        assert_memory_equal(seen, multiplicity, sizeof seen);
    }
}

static void the_train_part_always_has_both_classes(void **state)
{
    (void)state;
    for (size_t number = 1; number <= 200; number++) {
        size_t indices[2];
        split_resample(1, &toy, number, 2, 0, indices);
        assert_int_not_equal(labels[indices[0]], labels[indices[1]]);
    }
}

static void a_split_depends_on_seed_name_and_number_and_nothing_else(void **state)
{
    (void)state;
    size_t base[12], other[12];
    char renamed[] = "toys";
    struct dataset named = toy;
    named.name = renamed;
    split_resample(1, &toy, 1, 5, 7, base);
    split_resample(1, &toy, 1, 5, 7, other);
    assert_memory_equal(base, other, sizeof base);
    split_resample(1, &toy, 1, 5, 3, other);
    assert_memory_equal(base, other, 8 * sizeof *base);
    split_resample(2, &toy, 1, 5, 7, other);
    assert_memory_not_equal(base, other, sizeof base);
    split_resample(1, &toy, 2, 5, 7, other);
    assert_memory_not_equal(base, other, sizeof base);
    split_resample(1, &named, 1, 5, 7, other);
    assert_memory_not_equal(base, other, sizeof base);
}

/* FNV-1a and the finaliser, implemented independently with another loop. */
static void the_seed_is_the_documented_mixture(void **state)
{
    (void)state;
    const unsigned char bytes[] = {0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, 'a', 'b',
                                   0,    9,    0,    0,    0,    0,    0,    0,    0};
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV's offset and prime in decimal, as in its definition */
    for (size_t i = 0; i < sizeof bytes; i++) {
        hash ^= bytes[i];
        hash *= UINT64_C(1099511628211);
    }
    hash ^= hash >> 30;
    hash *= UINT64_C(13787848793156543929);
    hash ^= hash >> 27;
    hash *= UINT64_C(10723151780598845931);
    hash ^= hash >> 31;
    assert_int_equal(split_seed(UINT64_C(0x0102030405060708), "ab", 9), (uint32_t)(hash >> 32) ^ (uint32_t)hash);
}

static void different_splits_get_different_seeds(void **state)
{
    (void)state;
    uint32_t seeds[400];
    size_t count = 0;
    for (uint64_t seed = 1; seed <= 4; seed++)
        for (uint64_t number = 0; number < 100; number++)
            seeds[count++] = split_seed(seed, "banana", number);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(seeds[i], seeds[j]);
}

/* Row 2 occurs 3 times among 12, so 5 training entries hold 5/4 copies on average without redraws. Of the C(12,5) = 792
 * training parts, C(7,5) = 21 are all positive (no copy of row 2) and 1 is all negative (all 3 copies); without these
 * the mean is (792 * 5/4 - 3) / 770. The variance is that of the hypergeometric count, 5 (3/12) (9/12) (7/11) = 0.597,
 * up to the effect of the 22 excluded ones; the bound is 5 standard errors. */
static void every_row_trains_as_often_as_its_share(void **state)
{
    (void)state;
    const size_t draws = 4000;
    size_t seen = 0;
    for (size_t number = 1; number <= draws; number++) {
        size_t indices[12];
        split_resample(7, &toy, number, 5, 7, indices);
        for (size_t i = 0; i < 5; i++)
            seen += indices[i] == 2;
    }
    double mean = (double)seen / (double)draws;
    assert_true(fabs(mean - (792 * 1.25 - 3) / 770) < 5 * sqrt(0.6 / (double)draws));
}

static void sizes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    struct error error;
    size_t indices[16] = {0};
    static const size_t sizes[][2] = {{0, 4}, {1, 4}, {13, 0}, {12, 1}, {2, 11}, {2, SIZE_MAX}, {SIZE_MAX, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct resampling resampling = {1, &toy, 1, sizes[i][0], sizes[i][1], indices};
        assert_int_equal(attempt(resample, &resampling, &error), STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, "allowed: at least 2 training rows, at most 12 rows together"));
    }
}

static void a_set_of_one_class_gives_up_after_a_thousand_draws(void **state)
{
    (void)state;
    struct error error;
    size_t indices[4] = {0};
    signed char alike[] = {1, 1, 1, 1, 1};
    struct dataset one = toy;
    one.y = alike;
    struct resampling resampling = {1, &one, 4, 2, 2, indices};
    assert_int_equal(attempt(resample, &resampling, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "toy: split 4: 1000 random draws of 2 training rows all had only one class"));
}

static void splits_of_the_same_rows_are_found_whatever_their_order(void **state)
{
    (void)state;
    static const size_t rows[][6] = {{0, 1, 1, 2, 3, 4}, {0, 1, 2, 1, 3, 4}, {1, 0, 1, 2, 4, 3}, {0, 1, 1, 2, 3, 3},
                                     {0, 2, 2, 1, 3, 4}, {0, 1, 2, 1, 3, 4}};
    static const size_t expected[] = {0, 1, 0, 3, 4, 1};
    struct split splits[6] = {{0}};
    for (size_t s = 0; s < 6; s++)
        splits[s] = (struct split){.number = s + 1, .n_train = 3, .n_test = 3, .train = rows[s], .test = rows[s] + 3};
    struct dataset with_splits = toy;
    with_splits.splits = splits;
    with_splits.n_splits = 6;
    for (size_t s = 0; s < 6; s++)
        assert_int_equal(split_same_as(&with_splits, s), expected[s]);
    splits[5].n_test = 2; /* of a different size */
    assert_int_equal(split_same_as(&with_splits, 5), 5);
}

static void sources_have_their_names(void **state)
{
    (void)state;
    assert_string_equal(split_source_name(SPLIT_OFFICIAL), "official");
    assert_string_equal(split_source_name(SPLIT_RESAMPLED), "resampled");
    assert_string_equal(split_source_name(SPLIT_GENERATED), "generated");
    assert_string_equal(split_source_name(SPLIT_FOLD), "fold");
}

int main(void)
{
    gsl_set_error_handler_off();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_complete_split_deals_out_every_row_as_often_as_it_occurs),
        cmocka_unit_test(the_train_part_always_has_both_classes),
        cmocka_unit_test(a_split_depends_on_seed_name_and_number_and_nothing_else),
        cmocka_unit_test(the_seed_is_the_documented_mixture),
        cmocka_unit_test(different_splits_get_different_seeds),
        cmocka_unit_test(every_row_trains_as_often_as_its_share),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused),
        cmocka_unit_test(a_set_of_one_class_gives_up_after_a_thousand_draws),
        cmocka_unit_test(splits_of_the_same_rows_are_found_whatever_their_order),
        cmocka_unit_test(sources_have_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
