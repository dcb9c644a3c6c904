/* Folds: every pattern is tested once, sizes and classes are as documented, and the result depends only on seed, name
 * and split number. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/data/split.h"

enum { ROWS = 103, TRAIN = 61, SPLITS = 3, FOLDS = 5 };

/* A set of ROWS patterns, the first `positive` of them +1, with SPLITS drawn splits of TRAIN training patterns. */
struct sample {
    struct dataset set;
    char name[16], source[16];
    signed char y[ROWS];
    size_t multiplicity[ROWS];
};

static void make(struct sample *sample, size_t positive)
{
    memset(sample, 0, sizeof *sample);
    strcpy(sample->name, "sample");
    strcpy(sample->source, "here");
    for (size_t i = 0; i < ROWS; i++) {
        sample->y[i] = i < positive ? 1 : -1;
        sample->multiplicity[i] = 1;
    }
    sample->set = (struct dataset){.pool = pool_new_owned(),
                                   .name = sample->name,
                                   .source = sample->source,
                                   .patterns = {.rows = ROWS},
                                   .full_size = ROWS,
                                   .y = sample->y,
                                   .scale_by_training = 1,
                                   .multiplicity = sample->multiplicity};
    split_fill(&sample->set, NULL, SPLITS, TRAIN, ROWS - TRAIN, 4, SPLIT_RESAMPLED);
}

static void drop(struct sample *sample)
{
    pool_free(sample->set.pool);
}

/* Folds in the sample's pool. */
static struct dataset *deal(const struct sample *sample, size_t n_splits, int stratified, uint64_t seed)
{
    return inner_folds_make(sample->set.pool, &sample->set, n_splits, FOLDS, stratified, "", seed);
}

static size_t positives(const struct sample *sample, const size_t *rows, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += sample->y[rows[i]] > 0;
    return count;
}

static void check_partition(const struct sample *sample, const struct dataset *folds, int stratified)
{
    assert_int_equal(folds->n_splits, SPLITS * FOLDS);
    assert_true(folds->scale_by_training); /* each fold by the rows that train with it */
    for (size_t s = 0; s < SPLITS; s++) {
        const struct split *split = &sample->set.splits[s];
        size_t tested[ROWS] = {0}, all = positives(sample, split->train, TRAIN);
        for (size_t f = 0; f < FOLDS; f++) {
            const struct split *fold = &folds->splits[s * FOLDS + f];
            size_t seen[ROWS] = {0};
            assert_int_equal(fold->source, SPLIT_FOLD);
            assert_int_equal(fold->number, s * FOLDS + f + 1);
            assert_int_equal(fold->n_train + fold->n_test, TRAIN);
            assert_in_range(fold->n_test, TRAIN / FOLDS, TRAIN / FOLDS + 1);
            for (size_t i = 0; i < fold->n_train; i++)
                seen[fold->train[i]]++;
            for (size_t i = 0; i < fold->n_test; i++) {
                seen[fold->test[i]]++;
                tested[fold->test[i]]++;
            }
            for (size_t i = 0; i < TRAIN; i++)
                assert_int_equal(seen[split->train[i]], 1);
            size_t trained = positives(sample, fold->train, fold->n_train);
            assert_true(trained > 0 && trained < fold->n_train);
            if (stratified)
                assert_in_range(positives(sample, fold->test, fold->n_test), all / FOLDS, all / FOLDS + 1);
        }
        for (size_t i = 0; i < TRAIN; i++)
            assert_int_equal(tested[split->train[i]], 1);
    }
}

static void every_training_pattern_is_tested_once(void **state)
{
    (void)state;
    struct sample sample;
    for (int stratified = 0; stratified <= 1; stratified++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            make(&sample, 30);
            const struct dataset *folds = deal(&sample, SPLITS, stratified, seed);
            check_partition(&sample, folds, stratified);
            drop(&sample);
        }
}

static void a_copy_of_a_pattern_is_dealt_by_itself(void **state)
{
    (void)state;
    struct sample sample;
    size_t tested = 0;
    make(&sample, 30);
    for (size_t i = 1; i < 7; i++)
        sample.set.indices[i] = sample.set.indices[0];
    const struct dataset *folds = deal(&sample, 1, 0, 1);
    for (size_t f = 0; f < FOLDS; f++)
        for (size_t i = 0; i < folds->splits[f].n_test; i++)
            tested += folds->splits[f].test[i] == sample.set.indices[0];
    assert_int_equal(tested, 7);
    drop(&sample);
}

static int alike(const struct dataset *a, const struct dataset *b, size_t splits)
{
    return memcmp(a->indices, b->indices, splits * FOLDS * TRAIN * sizeof *a->indices) == 0;
}

static void folds_depend_on_seed_name_and_split_alone(void **state)
{
    (void)state;
    struct sample sample;
    make(&sample, 30);
    const struct dataset *first = deal(&sample, SPLITS, 0, 1);
    const struct dataset *fewer = deal(&sample, 1, 0, 1);
    const struct dataset *seeded = deal(&sample, SPLITS, 0, 2);
    strcpy(sample.name, "other");
    const struct dataset *named = deal(&sample, SPLITS, 0, 1);
    assert_true(alike(first, fewer, 1));
    assert_false(alike(first, seeded, 1));
    assert_false(alike(first, named, 1));
    drop(&sample);
}

static void splits_of_the_same_patterns_are_dealt_differently(void **state)
{
    (void)state;
    struct sample sample;
    size_t lists = FOLDS * TRAIN;
    make(&sample, 30);
    for (size_t s = 1; s < SPLITS; s++)
        sample.set.splits[s].train = sample.set.splits[0].train;
    const struct dataset *folds = deal(&sample, SPLITS, 0, 1);
    for (size_t s = 1; s < SPLITS; s++)
        for (size_t r = 0; r < s; r++)
            assert_memory_not_equal(folds->indices + s * lists, folds->indices + r * lists,
                                    lists * sizeof *folds->indices);
    drop(&sample);
}

/* Two positive patterns among 61: one deal in five puts both into the same of five folds and has to be repeated. */
static void a_class_of_two_patterns_always_trains(void **state)
{
    (void)state;
    struct sample sample;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        make(&sample, 30);
        size_t kept = 0;
        for (size_t i = 0; i < TRAIN; i++)
            if (sample.y[sample.set.indices[i]] > 0 && kept++ >= 2)
                sample.set.indices[i] = ROWS - 1;
        const struct dataset *folds = deal(&sample, 1, 0, seed);
        for (size_t f = 0; f < FOLDS; f++)
            assert_true(positives(&sample, folds->splits[f].train, folds->splits[f].n_train) > 0);
        drop(&sample);
    }
}

struct dealing {
    const struct sample *sample;
    size_t n_splits, n_folds;
};

static void try_deal(void *data)
{
    const struct dealing *dealing = data;
    const struct dataset *set = &dealing->sample->set;
    inner_folds_make(set->pool, set, dealing->n_splits, dealing->n_folds, 0, "tune.json: ", 1);
}

static void what_cannot_be_dealt_is_refused(void **state)
{
    (void)state;
    struct sample sample;
    struct error error;
    struct dealing splits = {&sample, SPLITS + 1, FOLDS}, folds = {&sample, SPLITS, TRAIN + 1};
    struct dealing one = {&sample, 1, FOLDS};
    make(&sample, 30);
    assert_int_equal(attempt(try_deal, &splits, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "tune.json: tune.splits: 4 is out of range; allowed: at most 3, "));
    assert_int_equal(attempt(try_deal, &folds, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "tune.json: tune.folds: 62 is out of range; allowed: at most 61, "));
    size_t kept = 0;
    for (size_t i = 0; i < TRAIN; i++)
        if (sample.y[sample.set.indices[i]] > 0 && kept++ >= 1)
            sample.set.indices[i] = ROWS - 1;
    assert_int_equal(attempt(try_deal, &one, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "both classes"));
    drop(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_training_pattern_is_tested_once),
        cmocka_unit_test(a_copy_of_a_pattern_is_dealt_by_itself),
        cmocka_unit_test(folds_depend_on_seed_name_and_split_alone),
        cmocka_unit_test(splits_of_the_same_patterns_are_dealt_differently),
        cmocka_unit_test(a_class_of_two_patterns_always_trains),
        cmocka_unit_test(what_cannot_be_dealt_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
