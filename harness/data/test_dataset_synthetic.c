/*
 * The synthetic sets: shapes, moments computed from the definitions, identical bytes for identical seeds, and (if the
 * benchmark file is present) agreement with the real sets.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset.h"
#include "harness/data/split.h"
#include "tests/all_tests.h"
#include "tests/load_dataset.h"

static struct dataset *load(const char *name, const char *search_path, int allow_generated, uint64_t seed)
{
    const struct dataset_request request = {
        .set.name = name, .search_path = search_path, .allow_generated = allow_generated, .seed = seed,
        .want_splits = 3};
    struct dataset *dataset = NULL;
    struct error error = {STATUS_OK, ""};
    enum status status = load_dataset(&request, &dataset, &error);
    if (status != STATUS_OK && (allow_generated || status != STATUS_NOT_FOUND))
        fail_msg("%s", error.message);
    return dataset;
}

static struct dataset *make(const char *name)
{
    return load(name, NULL, 1, 0);
}

/* Mean and variance of one feature in one class. */
static void moments(const struct dataset *dataset, int label, size_t feature, double *mean, double *variance,
                    double *count)
{
    double sum = 0, squares = 0;
    *count = 0;
    for (size_t i = 0; i < dataset->patterns.rows; i++) {
        double weight = dataset->y[i] == label ? (double)dataset->multiplicity[i] : 0;
        double value = dataset->patterns.values[i * dataset->patterns.dims + feature];
        *count += weight;
        sum += weight * value;
        squares += weight * value * value;
    }
    *mean = sum / *count;
    *variance = squares / *count - *mean * *mean;
}

/* Five standard errors: over all comparisons in this file a correct generator fails with probability below 1e-4. */
static void expect_moments(const struct dataset *dataset, int label, size_t feature, double mean, double variance)
{
    double got_mean, got_variance, count;
    moments(dataset, label, feature, &got_mean, &got_variance, &count);
    assert_true(fabs(got_mean - mean) < 5 * sqrt(variance / count));
    /* For a normal variable the variance of the estimate is 2 sigma^4 / n; the mixtures of waveform are flatter. */
    assert_true(fabs(got_variance - variance) < 5 * variance * sqrt(2 / count));
}

static void expect_even_classes(const struct dataset *dataset, double share)
{
    double count = 0, n = (double)dataset->patterns.rows;
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        count += dataset->y[i] > 0;
    assert_true(fabs(count / n - share) < 5 * sqrt(share * (1 - share) / n));
}

static void twonorm_has_the_moments_of_its_definition(void **state)
{
    (void)state;
    struct dataset *dataset = make("twonorm");
    assert_int_equal(dataset->patterns.rows, 7400);
    assert_int_equal(dataset->patterns.dims, 20);
    expect_even_classes(dataset, 0.5);
    for (size_t i = 0; i < 20; i++) {
        expect_moments(dataset, 1, i, 2 / sqrt(20), 1);
        expect_moments(dataset, -1, i, -2 / sqrt(20), 1);
    }
    release_dataset(dataset);
}

static void ringnorm_has_the_moments_of_its_definition(void **state)
{
    (void)state;
    struct dataset *dataset = make("ringnorm");
    assert_int_equal(dataset->patterns.rows, 7400);
    assert_int_equal(dataset->patterns.dims, 20);
    expect_even_classes(dataset, 0.5);
    for (size_t i = 0; i < 20; i++) {
        expect_moments(dataset, 1, i, 0, 4);
        expect_moments(dataset, -1, i, 2 / sqrt(20), 1);
    }
    release_dataset(dataset);
}

/* x = u g + (1 - u) h + e with uniform u has mean (g + h) / 2 and variance (g - h)^2 / 12 + 1. */
static void waveform_has_the_moments_of_its_definition(void **state)
{
    (void)state;
    struct dataset *dataset = make("waveform");
    assert_int_equal(dataset->patterns.rows, 5000);
    assert_int_equal(dataset->patterns.dims, 21);
    expect_even_classes(dataset, 1.0 / 3);
    for (int i = 1; i <= 21; i++) {
        double h1 = fmax(6 - abs(i - 11), 0), h2 = fmax(6 - abs(i - 4 - 11), 0), h3 = fmax(6 - abs(i + 4 - 11), 0);
        expect_moments(dataset, 1, (size_t)i - 1, (h1 + h3) / 2, (h1 - h3) * (h1 - h3) / 12 + 1);
        /* The other two classes together: mean of the means; mean of the variances plus variance of the means. */
        double a = (h1 + h2) / 2, b = (h2 + h3) / 2;
        expect_moments(dataset, -1, (size_t)i - 1, (a + b) / 2,
                       ((h1 - h2) * (h1 - h2) + (h2 - h3) * (h2 - h3)) / 24 + 1 + (a - b) * (a - b) / 4);
    }
    release_dataset(dataset);
}

static void features_of_twonorm_are_uncorrelated_within_a_class(void **state)
{
    (void)state;
    struct dataset *dataset = make("twonorm");
    double a = 2 / sqrt(20), n = (double)dataset->patterns.rows;
    for (size_t i = 0; i + 1 < 20; i++) {
        double product = 0;
        for (size_t row = 0; row < dataset->patterns.rows; row++) {
            const double *x = dataset->patterns.values + row * 20;
            product += (x[i] - dataset->y[row] * a) * (x[i + 1] - dataset->y[row] * a);
        }
        assert_true(fabs(product / n) < 5 / sqrt(n)); /* the product of two standard normals has variance 1 */
    }
    release_dataset(dataset);
}

static void the_same_seed_makes_the_same_bytes_and_another_does_not(void **state)
{
    (void)state;
    static const char *const names[] = {"twonorm", "ringnorm", "waveform"};
    for (size_t i = 0; i < 3; i++) {
        struct dataset *first = load(names[i], NULL, 1, 0), *again = load(names[i], NULL, 1, 1);
        struct dataset *other = load(names[i], NULL, 1, 2);
        size_t size = first->patterns.rows * first->patterns.dims * sizeof *first->patterns.values;
        assert_memory_equal(first->patterns.values, again->patterns.values, size);
        assert_memory_equal(first->y, again->y, first->patterns.rows);
        assert_string_equal(first->sha256, again->sha256);
        assert_memory_not_equal(first->patterns.values, other->patterns.values, size);
        assert_string_not_equal(first->sha256, other->sha256);
        for (size_t k = 0; k < first->n_splits; k++) {
            assert_memory_equal(first->splits[k].train, again->splits[k].train, 400 * sizeof(size_t));
            assert_memory_not_equal(first->splits[k].train, other->splits[k].train, 400 * sizeof(size_t));
        }
        release_dataset(first);
        release_dataset(again);
        release_dataset(other);
    }
}

static void several_draws_begin_with_the_first(void **state)
{
    (void)state;
    struct dataset_request request = {.set.name = "titanic", .set.synthetic = 1};
    struct dataset *first = NULL, *all = NULL;
    assert_int_equal(load_dataset(&request, &first, NULL), STATUS_OK);
    request.draws = 3;
    assert_int_equal(load_dataset(&request, &all, NULL), STATUS_OK);
    assert_int_equal(first->n_splits, 100);
    assert_int_equal(all->n_splits, 300);
    for (size_t s = 0; s < all->n_splits; s++) {
        assert_int_equal(all->splits[s].number, s + 1);
        assert_int_equal(all->splits[s].source, SPLIT_GENERATED);
        if (s < first->n_splits)
            assert_memory_equal(all->splits[s].train, first->splits[s].train, 150 * sizeof(size_t));
        assert_int_equal(split_same_as(all, s), s); /* no split is drawn twice */
    }
    release_dataset(first);
    release_dataset(all);
}

static void made_sets_say_so(void **state)
{
    (void)state;
    static const char *const names[] = {"twonorm", "ringnorm", "waveform", "titanic"};
    for (size_t i = 0; i < 4; i++) {
        struct dataset *dataset = make(names[i]);
        assert_string_equal(dataset->source, "made here");
        assert_int_equal(strlen(dataset->sha256), 64);
        assert_int_equal(dataset->n_splits, 3);
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(dataset->splits[k].source, SPLIT_GENERATED);
            assert_int_equal(dataset->splits[k].n_train + dataset->splits[k].n_test, dataset->full_size);
        }
        release_dataset(dataset);
    }
    assert_null(load("twonorm", NULL, 0, 0));
}

/* The marginal totals of the published table: 2201 persons, 711 survivors, 325 + 285 + 706 + 885 by class, 109
 * children, 470 women and girls. */
static void titanic_adds_up_to_the_published_totals(void **state)
{
    (void)state;
    struct dataset *dataset = make("titanic");
    size_t total = 0, survived = 0, children = 0, female = 0, by_class[5] = {0};
    for (size_t i = 0; i < dataset->patterns.rows; i++) {
        const double *x = dataset->patterns.values + 3 * i;
        size_t count = dataset->multiplicity[i];
        total += count;
        survived += dataset->y[i] > 0 ? count : 0;
        children += x[1] > 0 ? count : 0;
        female += x[2] > 0 ? 0 : count;
        by_class[(size_t)x[0]] += count;
    }
    assert_int_equal(dataset->patterns.rows, 24);
    assert_int_equal(total, 2201);
    assert_int_equal(dataset->full_size, 2201);
    assert_int_equal(survived, 711);
    assert_int_equal(children, 109);
    assert_int_equal(female, 470);
    assert_int_equal(by_class[1], 325);
    assert_int_equal(by_class[2], 285);
    assert_int_equal(by_class[3], 706);
    assert_int_equal(by_class[4], 885);
    release_dataset(dataset);
}

static size_t titanic_count(const struct dataset *dataset, int class, int child, int male, int survived)
{
    for (size_t i = 0; i < dataset->patterns.rows; i++) {
        const double *x = dataset->patterns.values + 3 * i;
        if (x[0] == class && x[1] == child && x[2] == male && (dataset->y[i] > 0) == survived)
            return dataset->multiplicity[i];
    }
    return 0;
}

static void titanic_is_the_table_in_r(void **state)
{
    (void)state;
    /* R's array is class x sex x age x survived, the first index varying fastest; male, child and No come first. */
    FILE *pipe = popen("Rscript --vanilla -e 'cat(datasets::Titanic)' 2>/dev/null", "r");
    struct dataset *dataset = make("titanic");
    size_t read = 0, wrong = 0, count = 0;
    for (int cell = 0; pipe && cell < 32 && fscanf(pipe, "%zu", &count) == 1; cell++, read++)
        wrong += count != titanic_count(dataset, cell % 4 + 1, cell / 8 % 2 == 0, cell / 4 % 2 == 0, cell / 16);
    int ended = pipe ? pclose(pipe) : -1;
    release_dataset(dataset);
    if (ended != 0)
        skip_for(no_rscript);
    assert_int_equal(read, 32);
    assert_int_equal(wrong, 0);
}

static int row_order(const void *a, const void *b)
{
    const double *left = a, *right = b;
    for (size_t i = 0; i < 5; i++)
        if (fabs(left[i] - right[i]) > 1e-3) /* coarser than the sets' differences, finer than the values' distances */
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

static void titanic_rows(const struct dataset *dataset, double rows[24][5])
{
    assert_int_equal(dataset->patterns.rows, 24);
    for (size_t i = 0; i < 24; i++) {
        memcpy(rows[i], dataset->patterns.values + 3 * i, 3 * sizeof(double));
        rows[i][3] = dataset->y[i];
        rows[i][4] = (double)dataset->multiplicity[i];
    }
    qsort(rows, 24, sizeof *rows, row_order);
}

/* The file prints eight significant digits of values below 10, so each is off by up to 5e-8 (half a unit of the eighth
 * digit of a number from 1 to 10). Features of two values are exact after standardisation; the class, with four values,
 * is within twice that. */
static void titanic_is_the_benchmark_set_after_standardising(void **state)
{
    (void)state;
    struct dataset *real = load("titanic", getenv("HULLBENCH_DATA"), 0, 0);
    if (!real)
        skip_for(no_data);
    struct dataset *made = make("titanic");
    double expected[24][5], got[24][5], largest[3] = {0};
    dataset_standardise(real, STANDARDISE_FULL_SET);
    dataset_standardise(made, STANDARDISE_FULL_SET);
    titanic_rows(real, expected);
    titanic_rows(made, got);
    release_dataset(real);
    release_dataset(made);
    for (size_t i = 0; i < 24; i++) {
        for (size_t k = 0; k < 3; k++)
            largest[k] = fmax(largest[k], fabs(expected[i][k] - got[i][k]));
        assert_true(expected[i][3] == got[i][3]);
        assert_true(expected[i][4] == got[i][4]);
    }
    print_message("# largest differences %g %g %g\n", largest[0], largest[1], largest[2]);
    assert_true(largest[0] < 1e-7);
    assert_true(largest[1] < 1e-12 && largest[2] < 1e-12); /* rounding only */
}

/* Difference of the class means in units of the standard deviation of class -1, averaged over the features. The real
 * and the synthetic set estimate the same number. Its standard error for one feature is sqrt(var+/n+ + 1/n-) in those
 * units, 0.037 for ringnorm and less for twonorm, and the features are independent. */
static double distance(const struct dataset *dataset)
{
    double sum = 0;
    for (size_t i = 0; i < dataset->patterns.dims; i++) {
        double plus, minus, variance, ignored, count;
        moments(dataset, 1, i, &plus, &ignored, &count);
        moments(dataset, -1, i, &minus, &variance, &count);
        sum += (plus - minus) / sqrt(variance);
    }
    return sum / (double)dataset->patterns.dims;
}

static void twonorm_and_ringnorm_have_the_class_distance_of_the_benchmark_sets(void **state)
{
    (void)state;
    static const char *const names[] = {"twonorm", "ringnorm"};
    size_t compared = 0;
    for (size_t i = 0; i < 2; i++) {
        struct dataset *real = load(names[i], getenv("HULLBENCH_DATA"), 0, 0);
        if (!real)
            continue;
        struct dataset *made = make(names[i]);
        double expected = distance(real), got = distance(made);
        release_dataset(real);
        release_dataset(made);
        print_message("# %s: %g in the file, %g made\n", names[i], expected, got);
        assert_true(fabs(expected - got) < 5 * sqrt(2) * 0.037 / sqrt(20));
        compared++;
    }
    if (compared == 0)
        skip_for(no_data);
}

/* Over standardised features the standard error of a difference of class means is about sqrt(1/1647 + 1/3353) = 0.03
 * for either set; if another of the three classes were +1, some features would be off by more than 1. */
static void waveform_has_the_class_means_of_the_benchmark_set(void **state)
{
    (void)state;
    struct dataset *real = load("waveform", getenv("HULLBENCH_DATA"), 0, 0);
    if (!real)
        skip_for(no_data);
    struct dataset *made = make("waveform");
    double largest = 0;
    dataset_standardise(real, STANDARDISE_FULL_SET);
    dataset_standardise(made, STANDARDISE_FULL_SET);
    for (size_t i = 0; i < 21; i++) {
        double plus[2], minus[2], ignored, count;
        moments(real, 1, i, &plus[0], &ignored, &count);
        moments(real, -1, i, &minus[0], &ignored, &count);
        moments(made, 1, i, &plus[1], &ignored, &count);
        moments(made, -1, i, &minus[1], &ignored, &count);
        largest = fmax(largest, fabs(plus[0] - minus[0] - plus[1] + minus[1]));
    }
    release_dataset(real);
    release_dataset(made);
    print_message("# largest difference %g\n", largest);
    assert_true(largest < 5 * sqrt(2) * 0.03);
}

int main(void)
{
    gsl_set_error_handler_off();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twonorm_has_the_moments_of_its_definition),
        cmocka_unit_test(ringnorm_has_the_moments_of_its_definition),
        cmocka_unit_test(waveform_has_the_moments_of_its_definition),
        cmocka_unit_test(features_of_twonorm_are_uncorrelated_within_a_class),
        cmocka_unit_test(the_same_seed_makes_the_same_bytes_and_another_does_not),
        cmocka_unit_test(several_draws_begin_with_the_first),
        cmocka_unit_test(made_sets_say_so),
        cmocka_unit_test(titanic_adds_up_to_the_published_totals),
        cmocka_unit_test(titanic_is_the_table_in_r),
        cmocka_unit_test(titanic_is_the_benchmark_set_after_standardising),
        cmocka_unit_test(twonorm_and_ringnorm_have_the_class_distance_of_the_benchmark_sets),
        cmocka_unit_test(waveform_has_the_class_means_of_the_benchmark_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
