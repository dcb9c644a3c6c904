/* The memory that training needs, against made-up available memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/run/training_memory.h"

enum { ROWS = 1000, DIMS = 50 };

static const size_t wide = (size_t)1 << 29; /* the default cache */

/* With compression, each row has one nonzero value. */
static struct patterns make_patterns(int is_compressed)
{
    struct patterns patterns;
    assert_int_equal(patterns_create(&patterns, ROWS, DIMS, ROWS, is_compressed ? PATTERNS_COMPRESSED : PATTERNS_DENSE,
                                     NULL),
                     STATUS_OK);
    for (size_t i = 0; i < ROWS; i++)
        if (is_compressed) {
            patterns.values[i] = 1;
            patterns.feature[i] = (uint32_t)(i % DIMS);
            patterns.begin[i + 1] = i + 1;
        }
    return patterns;
}

static struct training make_training(const struct patterns *patterns, size_t jobs)
{
    return (struct training){.name = "x", .patterns = patterns, .n_train = ROWS, .at_once = jobs, .makes_model = 1};
}

struct fitting {
    const struct training *training;
    struct available_memory available;
    int was_asked;
    size_t *cache;
};

static void fit_it(void *data)
{
    const struct fitting *fitting = data;
    training_memory_fit(fitting->training, &fitting->available, fitting->was_asked, fitting->cache);
}

static enum status fit(const struct training *training, double megabytes, int was_asked, size_t *cache,
                       struct error *error)
{
    struct fitting fitting = {training, {megabytes * 1e6, "a test"}, was_asked, cache};
    return attempt(fit_it, &fitting, error);
}

static void where_all_fits_the_cache_stays(void **state)
{
    (void)state;
    for (int is_compressed = 0; is_compressed < 2; is_compressed++) {
        struct patterns patterns = make_patterns(is_compressed);
        struct training training = make_training(&patterns, 1);
        size_t cache = wide;
        assert_int_equal(fit(&training, HUGE_VAL, 1, &cache, NULL), STATUS_OK);
        assert_int_equal(fit(&training, 12, 1, &cache, NULL), STATUS_OK); /* 8 MB of matrix, 1.7 of other data */
        assert_int_equal(cache, wide);
        training.at_once = 4;
        assert_int_equal(fit(&training, 12, 1, &cache, NULL), STATUS_BAD_INPUT);
        patterns_free(&patterns);
    }
}

static void a_cache_that_nobody_asked_for_shrinks_with_what_is_available(void **state)
{
    (void)state;
    for (int is_compressed = 0; is_compressed < 2; is_compressed++) {
        struct patterns patterns = make_patterns(is_compressed);
        struct training training = make_training(&patterns, 1);
        size_t before = 0;
        for (double megabytes = 4; megabytes < 9; megabytes += 0.5) {
            size_t cache = wide;
            assert_int_equal(fit(&training, megabytes, 0, &cache, NULL), STATUS_OK);
            assert_true(cache > before && (double)cache < megabytes * 1e6);
            before = cache;
        }
        patterns_free(&patterns);
    }
}

static void a_cache_that_was_asked_for_is_refused_and_the_size_named_fits(void **state)
{
    (void)state;
    for (int is_compressed = 0; is_compressed < 2; is_compressed++) {
        struct patterns patterns = make_patterns(is_compressed);
        struct training training = make_training(&patterns, 1);
        struct error error = {STATUS_OK, ""};
        size_t cache = wide;
        unsigned megabytes;
        assert_int_equal(fit(&training, 7, 1, &cache, &error), STATUS_BAD_INPUT);
        assert_int_equal(cache, wide);
        assert_non_null(strstr(error.message, " 7 MB are available (a test)"));
        const char *advice = strstr(error.message, "give -m ");
        assert_non_null(advice);
        assert_int_equal(sscanf(advice, "give -m %u, or less", &megabytes), 1);
        cache = (size_t)megabytes << 20;
        assert_int_equal(fit(&training, 7, 1, &cache, &error), STATUS_OK);
        cache = (size_t)(megabytes + 1) << 20;
        assert_int_equal(fit(&training, 7, 1, &cache, &error), STATUS_BAD_INPUT);
        patterns_free(&patterns);
    }
}

static void what_no_cache_makes_fit_is_refused_whoever_asked(void **state)
{
    (void)state;
    for (int was_asked = 0; was_asked < 2; was_asked++) {
        struct patterns patterns = make_patterns(0);
        struct training training = make_training(&patterns, 1);
        struct error error = {STATUS_OK, ""};
        size_t cache = wide;
        assert_int_equal(fit(&training, 1, was_asked, &cache, &error), STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, "give fewer rows or features"));
        patterns_free(&patterns);
    }
}

/* 50 000 values take 600 kB in a model, and rows add 16 kB. */
static void a_model_of_all_rows_is_counted(void **state)
{
    (void)state;
    struct patterns patterns = make_patterns(0);
    struct training training = make_training(&patterns, 1);
    size_t with = wide, without = wide;
    for (size_t k = 0; k < (size_t)ROWS * DIMS; k++)
        patterns.values[k] = 1;
    assert_int_equal(fit(&training, 6, 0, &with, NULL), STATUS_OK);
    training.makes_model = 0;
    assert_int_equal(fit(&training, 6, 0, &without, NULL), STATUS_OK);
    assert_in_range(without - with, 616000 - 1, 616000 + 1);
    patterns_free(&patterns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_all_fits_the_cache_stays),
        cmocka_unit_test(a_cache_that_nobody_asked_for_shrinks_with_what_is_available),
        cmocka_unit_test(a_cache_that_was_asked_for_is_refused_and_the_size_named_fits),
        cmocka_unit_test(what_no_cache_makes_fit_is_refused_whoever_asked),
        cmocka_unit_test(a_model_of_all_rows_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
