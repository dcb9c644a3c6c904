/*
 * Families of generated sets: moments computed from the definitions, splits that share no rows and do not depend on the
 * number of splits, and the hash.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset.h"
#include "tests/load_dataset.h"

static const struct dataset_family usual = {.shape = FAMILY_GAUSSIANS,
                                            .features = 3,
                                            .separation = 2,
                                            .condition = 100,
                                            .density = 1,
                                            .positives = 0.25};
static const struct dataset_family chessboard = {
    .shape = FAMILY_CHESSBOARD, .features = 2, .condition = 1, .density = 1, .positives = 0.5};

static struct dataset *draw_named(const char *name, const struct dataset_family *family, size_t splits, size_t n,
                                  uint64_t seed)
{
    const struct dataset_request request = {
        .set.name = name, .set.family = family, .want_splits = splits, .set.n_train = n, .set.n_test = n, .seed = seed};
    struct dataset *dataset = NULL;
    struct error error = {STATUS_OK, ""};
    if (load_dataset(&request, &dataset, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    return dataset;
}

static struct dataset *draw(const struct dataset_family *family, size_t splits, size_t n)
{
    return draw_named("drawn", family, splits, n, 1);
}

/* Within five standard errors; value i of a class has this mean and standard deviation. */
static void expect_moments(const struct dataset *dataset, int label, size_t feature, double mean, double deviation)
{
    double sum = 0, squares = 0, count = 0;
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        if (dataset->y[i] == label) {
            double value = patterns_value(&dataset->patterns, i, feature);
            count++;
            sum += value;
            squares += (value - mean) * (value - mean);
        }
    assert_true(fabs(sum / count - mean) < 5 * deviation / sqrt(count));
    assert_true(fabs(squares / count - deviation * deviation) < 5 * deviation * deviation * sqrt(2 / count));
}

static double share_of_positives(const struct dataset *dataset)
{
    double positives = 0;
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        positives += dataset->y[i] > 0;
    return positives / (double)dataset->patterns.rows;
}

static void gaussians_have_the_moments_of_their_definition(void **state)
{
    (void)state;
    struct dataset *dataset = draw(&usual, 2, 2000);
    const double n = (double)dataset->patterns.rows, scale[] = {1, 0.1, 0.01};
    assert_int_equal(dataset->patterns.rows, 8000);
    assert_true(fabs(share_of_positives(dataset) - 0.25) < 5 * sqrt(0.25 * 0.75 / n));
    for (int label = -1; label <= 1; label += 2)
        for (size_t j = 0; j < 3; j++)
            expect_moments(dataset, label, j, j == 0 ? label : 0, scale[j]);
    release_dataset(dataset);
}

static void the_error_of_the_best_rule_follows_from_separation_and_noise(void **state)
{
    (void)state;
    struct dataset_family noisy = usual;
    noisy.positives = 0.5;
    noisy.label_noise = 0.2;
    struct dataset *dataset = draw(&noisy, 1, 5000);
    double wrong = 0, n = (double)dataset->patterns.rows;
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        wrong += (patterns_value(&dataset->patterns, i, 0) > 0) != (dataset->y[i] > 0);
    const double clean = erfc(1 / sqrt(2.0)) / 2, expected = 0.8 * clean + 0.2 * (1 - clean);
    assert_true(fabs(wrong / n - expected) < 5 * sqrt(expected * (1 - expected) / n));
    release_dataset(dataset);
}

static void the_chessboard_has_its_classes_on_their_squares(void **state)
{
    (void)state;
    struct dataset *dataset = draw(&chessboard, 1, 500);
    size_t squares[16] = {0};
    for (size_t i = 0; i < dataset->patterns.rows; i++) {
        const int x = (int)patterns_value(&dataset->patterns, i, 0), y = (int)patterns_value(&dataset->patterns, i, 1);
        assert_in_range(x, 0, 3);
        assert_in_range(y, 0, 3);
        assert_int_equal((x + y) % 2 == 0 ? 1 : -1, dataset->y[i]);
        squares[4 * x + y]++;
    }
    for (size_t s = 0; s < 16; s++) /* expected 62.5, standard deviation 7.7 */
        assert_in_range(squares[s], 24, 101);
    release_dataset(dataset);
}

static void values_are_kept_with_the_density_and_compressed_where_few_are(void **state)
{
    (void)state;
    struct dataset_family sparse = usual;
    sparse.features = 100;
    sparse.density = 0.05;
    struct dataset *dataset = draw(&sparse, 1, 500);
    const double values = 1000.0 * 100, kept = (double)patterns_nonzeros(&dataset->patterns);
    assert_true(fabs(kept / values - 0.05) < 5 * sqrt(0.05 * 0.95 / values));
    if (!getenv("HULLBENCH_STORAGE"))
        assert_true(patterns_are_compressed(&dataset->patterns));
    release_dataset(dataset);
}

static void a_split_shares_no_rows_and_does_not_depend_on_the_number_of_splits(void **state)
{
    (void)state;
    struct dataset *one = draw(&usual, 1, 40), *three = draw(&usual, 3, 40);
    unsigned char seen[240] = {0};
    assert_int_equal(three->n_splits, 3);
    for (size_t s = 0; s < 3; s++) {
        const struct split *split = &three->splits[s];
        assert_int_equal(split->number, s + 1);
        assert_int_equal(split->source, SPLIT_GENERATED);
        for (size_t i = 0; i < split->n_train; i++)
            assert_int_equal(seen[split->train[i]]++, 0);
        for (size_t i = 0; i < split->n_test; i++)
            assert_int_equal(seen[split->test[i]]++, 0);
    }
    assert_memory_equal(one->patterns.values, three->patterns.values, 80 * 3 * sizeof(double));
    assert_memory_not_equal(three->patterns.values, three->patterns.values + 240, 80 * 3 * sizeof(double));
    assert_string_equal(one->sha256, three->sha256);
    release_dataset(one);
    release_dataset(three);
}

static void another_seed_or_name_draws_other_rows(void **state)
{
    (void)state;
    struct dataset *set = draw(&usual, 1, 40), *seed = draw_named("drawn", &usual, 1, 40, 2),
                   *name = draw_named("drown", &usual, 1, 40, 1);
    assert_string_not_equal(set->sha256, seed->sha256);
    assert_string_not_equal(set->sha256, name->sha256);
    release_dataset(set);
    release_dataset(seed);
    release_dataset(name);
}

static void a_split_that_trains_on_one_class_is_refused(void **state)
{
    (void)state;
    struct dataset_family rare = usual;
    rare.positives = 1e-9;
    const struct dataset_request request = {
        .set.name = "rare", .set.family = &rare, .want_splits = 1, .set.n_train = 10, .set.n_test = 10};
    struct dataset *dataset = NULL;
    struct error error = {STATUS_OK, ""};
    assert_int_equal(load_dataset(&request, &dataset, &error), STATUS_BAD_INPUT);
    assert_null(dataset);
    assert_non_null(strstr(error.message, "rare: the training part of split 1 has only one class"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaussians_have_the_moments_of_their_definition),
        cmocka_unit_test(the_error_of_the_best_rule_follows_from_separation_and_noise),
        cmocka_unit_test(the_chessboard_has_its_classes_on_their_squares),
        cmocka_unit_test(values_are_kept_with_the_density_and_compressed_where_few_are),
        cmocka_unit_test(a_split_shares_no_rows_and_does_not_depend_on_the_number_of_splits),
        cmocka_unit_test(another_seed_or_name_draws_other_rows),
        cmocka_unit_test(a_split_that_trains_on_one_class_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
