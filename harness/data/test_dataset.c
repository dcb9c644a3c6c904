/* Finding data sets by name, the two UCI readers, and standardisation. */
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
#include <unistd.h>

#include "harness/data/dataset.h"
#include "harness/data/dataset_parts.h"
#include "harness/support/file.h"
#include "harness/support/sha256.h"
#include "tests/all_tests.h"
#include "tests/load_dataset.h"
#include "tests/scratch_folder.h"

/* Three empty folders a, b/uci and c in a folder that each test creates. */
struct scratch {
    char root[SCRATCH_PATH_SIZE], path[128], a[64], b[64], b_uci[64], c[64];
};

static int make_place(void **state)
{
    struct scratch *place = calloc(1, sizeof *place);
    if (!place)
        return -1;
    if (!scratch_folder_new(place->root, "test-dataset")) {
        free(place);
        return -1;
    }
    snprintf(place->a, sizeof place->a, "%s/a", place->root);
    snprintf(place->b, sizeof place->b, "%s/b", place->root);
    snprintf(place->b_uci, sizeof place->b_uci, "%s/b/uci", place->root);
    snprintf(place->c, sizeof place->c, "%s/c", place->root);
    snprintf(place->path, sizeof place->path, "%s:%s", place->a, place->b);
    *state = place;
    folder_make(place->a);
    folder_make(place->b_uci);
    folder_make(place->c);
    return 0;
}

static int remove_place(void **state)
{
    struct scratch *place = *state;
    int result = rmdir(place->a) + rmdir(place->b_uci) + rmdir(place->b) + rmdir(place->c) + rmdir(place->root);
    free(place);
    return result;
}

static void put(const char *folder, const char *name, const char *text)
{
    char *path = xasprintf("%s/%s", folder, name);
    assert_non_null(path);
    file_write(path, text, strlen(text));
    free(path);
}

static void take(const char *folder, const char *name)
{
    char *path = xasprintf("%s/%s", folder, name);
    assert_non_null(path);
    assert_int_equal(remove(path), 0);
    free(path);
}

static enum status load(const struct scratch *place, const char *name, int allow_generated, struct dataset **dataset,
                        struct error *error)
{
    const struct dataset_request request = {.set.name = name, .search_path = place->path, .cache = place->c,
                                            .allow_generated = allow_generated, .want_splits = 1};
    error->message[0] = '\0';
    return load_dataset(&request, dataset, error);
}

static void a_set_that_is_nowhere_is_named_with_folders_and_command(void **state)
{
    const struct scratch *place = *state;
    struct dataset *dataset = NULL;
    struct error error;
    char tail[256];
    assert_int_equal(load(place, "sonar", 1, &dataset, &error), STATUS_NOT_FOUND);
    assert_null(dataset);
    assert_non_null(strstr(error.message, "sonar: no file sonar.all-data "));
    assert_non_null(strstr(error.message, "datasets/fetch.sh"));
    snprintf(tail, sizeof tail, ": %s:%s", place->path, place->c);
    assert_non_null(strstr(error.message, tail));
    assert_int_equal(load(place, "twonorm", 0, &dataset, &error), STATUS_NOT_FOUND);
    assert_int_equal(load(place, "two-norm", 1, &dataset, &error), STATUS_BAD_INPUT);
    const struct dataset_request bare = {.set.name = "sonar"};
    assert_int_equal(load_dataset(&bare, &dataset, &error), STATUS_NOT_FOUND);
}

/* A damaged file must not be skipped in favour of another folder's file or a synthetic set. */
static void a_damaged_file_is_an_error_and_not_passed_over(void **state)
{
    const struct scratch *place = *state;
    struct dataset *dataset = NULL;
    struct error error;
    put(place->c, "benchmarks.mat", "damaged");
    assert_int_equal(load(place, "twonorm", 1, &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "/c/benchmarks.mat: 7 bytes: too short"));
    take(place->c, "benchmarks.mat");
    assert_int_equal(load(place, "twonorm", 1, &dataset, &error), STATUS_OK);
    release_dataset(dataset);
}

static void benchmarks_mat_anywhere_comes_before_a_partial_file(void **state)
{
    const struct scratch *place = *state;
    struct dataset *dataset = NULL;
    struct error error;
    put(place->a, "benchmarks_partial.mat", "x");
    put(place->b, "benchmarks.mat", "x");
    put(place->c, "benchmarks.mat", "x");
    assert_int_equal(load(place, "heart", 0, &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "/b/benchmarks.mat: "));
    take(place->b, "benchmarks.mat");
    assert_int_equal(load(place, "heart", 0, &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "/c/benchmarks.mat: "));
    take(place->c, "benchmarks.mat");
    assert_int_equal(load(place, "heart", 0, &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "/a/benchmarks_partial.mat: "));
    take(place->a, "benchmarks_partial.mat");
}

static void uci_files_are_found_in_a_subfolder_too(void **state)
{
    const struct scratch *place = *state;
    struct dataset *dataset = NULL;
    struct error error;
    put(place->b_uci, "sonar.all-data", "x\n");
    assert_int_equal(load(place, "sonar", 0, &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "/b/uci/sonar.all-data:1:1: 1 columns; expected 61"));
    take(place->b_uci, "sonar.all-data");
}

static void too_many_splits_and_foreign_sizes_are_refused(void **state)
{
    (void)state;
    struct dataset *dataset = NULL;
    struct error error;
    const struct dataset_request many = {.set.name = "titanic", .allow_generated = 1, .want_splits = 100001};
    assert_int_equal(load_dataset(&many, &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "titanic: 100001 splits are too many; allowed: at most 100000"));
    struct dataset_request sizes = {
        .set.name = "titanic", .allow_generated = 1, .want_splits = 1, .set.n_train = 151, .set.n_test = 2050};
    assert_int_equal(load_dataset(&sizes, &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "titanic: splits of 151 training and 2050 test rows are not available; "));
    sizes.set.n_train = 150;
    sizes.set.n_test = 2051;
    assert_int_equal(load_dataset(&sizes, &dataset, &error), STATUS_OK);
    release_dataset(dataset);
}

struct reading {
    struct pool *pool;
    const char *path;
    struct dataset *dataset;
};

static void read_text(void *data)
{
    struct reading *reading = data;
    const struct dataset_request request = {
        .set = {.name = "wisconsin", .file = reading->path, .format = "wisconsin"}};
    reading->dataset = dataset_new(reading->pool, "wisconsin");
    dataset_read_text_files(&request, reading->dataset);
}

/* After an error the set is empty. */
static enum status read_wisconsin(const char *folder, const char *text, struct dataset **dataset, struct error *error)
{
    char *path = xasprintf("%s/%s", folder, "w.data");
    struct reading reading = {pool_new_owned(), path, NULL};
    error->message[0] = '\0';
    put(folder, "w.data", text);
    enum status status = attempt(read_text, &reading, error);
    take(folder, "w.data");
    free(path);
    *dataset = reading.dataset;
    return status;
}

static void wisconsin_leaves_out_the_id_and_rows_with_unknown_values(void **state)
{
    const struct scratch *place = *state;
    struct dataset *dataset = NULL;
    struct error error;
    assert_int_equal(read_wisconsin(place->a,
                                    "7,1,2,3,4,5,6,7,8,9,2\n8,1,1,1,1,1,?,1,1,1,2\n9,9,8,7,6,5,4,3,2,1,4\n", &dataset,
                                    &error), STATUS_OK);
    assert_int_equal(dataset->patterns.rows, 2);
    assert_int_equal(dataset->patterns.dims, 9);
    for (size_t i = 0; i < 9; i++) {
        assert_true(dataset->patterns.values[i] == (double)(i + 1));
        assert_true(dataset->patterns.values[9 + i] == (double)(9 - i));
    }
    assert_int_equal(dataset->y[0], -1);
    assert_int_equal(dataset->y[1], 1);
    release_dataset(dataset);
}

static void bad_rows_of_uci_files_are_refused_with_their_line(void **state)
{
    const struct scratch *place = *state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "w.data:1:1: no rows"},
        {"7,1,2,3,4,5,6,7,8,?,2\n", "w.data:1:1: no rows"},
        {"7,1,2,3,4,5,6,7,8,9,2\n7,1,2,3\n", "w.data:2:1: 4 columns; expected 11"},
        {"7,1,2,3,4,5,6,7,8,9,3\n", "w.data:1:21: label \"3\" is not 2 or 4"},
        {"7,1,2,x,4,5,6,7,8,9,2\n", "w.data:1:7: field 4: \"x\" is not a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dataset *dataset = NULL;
        struct error error;
        assert_int_equal(read_wisconsin(place->a, cases[i].text, &dataset, &error), STATUS_BAD_INPUT);
        release_dataset(dataset);
        assert_non_null(strstr(error.message, cases[i].message));
    }
}

/* First rows read by eye from the files; test_manifest.c checks the counts. */
static void the_uci_files_are_read_as_they_stand(void **state)
{
    (void)state;
    struct dataset *wisconsin = NULL, *sonar = NULL;
    struct error error;
    struct dataset_request request = {
        .set.name = "wisconsin", .search_path = getenv("HULLBENCH_DATA"), .want_splits = 2};
    if (load_dataset(&request, &wisconsin, &error) == STATUS_NOT_FOUND)
        skip_for(no_data);
    request.set.name = "sonar";
    if (load_dataset(&request, &sonar, &error) == STATUS_NOT_FOUND) {
        release_dataset(wisconsin);
        skip_for(no_data);
    }
    static const double row[] = {5, 1, 1, 1, 2, 1, 3, 1, 1};
    assert_memory_equal(wisconsin->patterns.values, row, sizeof row);
    assert_int_equal(wisconsin->y[0], -1);
    assert_int_equal(wisconsin->splits[1].n_train, 550);
    assert_int_equal(wisconsin->splits[1].n_test, 133);
    assert_int_equal(wisconsin->splits[1].source, SPLIT_RESAMPLED);
    assert_true(sonar->patterns.values[0] == 0.02 && sonar->patterns.values[59] == 0.0032);
    assert_int_equal(sonar->y[0], -1);
    assert_int_equal(sonar->y[207], 1);
    release_dataset(wisconsin);
    release_dataset(sonar);
}

static void a_known_set_of_a_text_file_takes_listed_splits(void **state)
{
    const struct scratch *place = *state;
    static const char rows[] = "7,1,2,3,4,5,6,7,8,9,2\n8,1,1,1,1,1,?,1,1,1,2\n9,9,8,7,6,5,4,3,2,1,4\n"
                               "5,1,1,1,1,1,1,1,1,1,2\n6,2,2,2,2,2,2,2,2,2,4\n";
    static const char list[] = "train 4 1\ntest 3\n";
    struct dataset *dataset = NULL;
    struct error error;
    struct sha256 sum;
    char hash[65], *path = xasprintf("%s/%s", place->a, "list");
    struct dataset_request request = {.set.name = "wisconsin", .search_path = place->path, .set.split_file = path};
    put(place->b_uci, "breast-cancer-wisconsin.data", rows);
    assert_int_equal(load_dataset(&request, &dataset, &error), STATUS_BAD_INPUT); /* although the set exists */
    assert_non_null(strstr(error.message, "/a/list"));
    put(place->a, "list", "train 5 1\n");
    assert_int_equal(load_dataset(&request, &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "/a/list:1:7: ")); /* four rows are complete */

    put(place->a, "list", list);
    assert_int_equal(load_dataset(&request, &dataset, &error), STATUS_OK);
    sha256_begin(&sum);
    sha256_add(&sum, rows, strlen(rows));
    sha256_add(&sum, list, strlen(list));
    sha256_end(&sum, hash);
    assert_string_equal(dataset->sha256, hash);
    assert_int_equal(dataset->n_splits, 1);
    const struct split *split = &dataset->splits[0];
    assert_int_equal(split->source, SPLIT_OFFICIAL);
    assert_int_equal(split->n_train, 2);
    assert_true(split->train[0] == 3 && split->train[1] == 0); /* the fourth and the first complete row */
    assert_int_equal(split->n_test, 1);
    assert_int_equal(split->test[0], 2);
    release_dataset(dataset);

    request.set.name = "twonorm";
    assert_int_equal(load_dataset(&request, &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "twonorm: a split file needs a data set in a text file"));
    take(place->a, "list");
    take(place->b_uci, "breast-cancer-wisconsin.data");
    free(path);
}

/* Gorman and Sejnowski (1988): 49 cylinders and 55 rocks train, 62 and 42 test. */
static void the_aspect_angle_split_of_sonar_has_the_published_counts(void **state)
{
    (void)state;
    struct dataset *sonar = NULL;
    struct error error;
    const struct dataset_request request = {.set.name = "sonar", .search_path = getenv("HULLBENCH_DATA"),
                                            .set.split_file = "datasets/sonar-aspect-angle.txt"};
    if (load_dataset(&request, &sonar, &error) == STATUS_NOT_FOUND)
        skip_for(no_data);
    const struct split *split = &sonar->splits[0];
    size_t train = 0, test = 0;
    for (size_t i = 0; i < split->n_train; i++)
        train += sonar->y[split->train[i]] > 0;
    for (size_t i = 0; i < split->n_test; i++)
        test += sonar->y[split->test[i]] > 0;
    assert_int_equal(split->n_train, 104);
    assert_int_equal(split->n_test, 104);
    assert_int_equal(train, 49);
    assert_int_equal(test, 62);
    release_dataset(sonar);
}

static void standardising_gives_mean_zero_and_variance_one_over_the_full_set(void **state)
{
    (void)state;
    /* Large offset and small spread, so that a one-pass variance would lose every digit; a constant that is not a
     * binary fraction; a row that does not occur in the full set. */
    double x[] = {1e8 + 1, 0.1, 5, 1e8 + 2, 0.1, 6, 1e8 + 4, 0.1, -7, 12, 3, 4};
    signed char y[] = {1, -1, 1, -1};
    size_t multiplicity[] = {1, 3, 2, 0};
    struct dataset dataset = {
        .patterns = {.rows = 4, .dims = 3, .values = x}, .y = y, .multiplicity = multiplicity, .full_size = 6};
    dataset_standardise(&dataset, STANDARDISE_FULL_SET);
    for (size_t k = 0; k < 3; k++) {
        double mean = 0, variance = 0;
        for (size_t i = 0; i < 4; i++)
            mean += (double)multiplicity[i] * x[3 * i + k] / 6;
        for (size_t i = 0; i < 4; i++)
            variance += (double)multiplicity[i] * (x[3 * i + k] - mean) * (x[3 * i + k] - mean) / 6;
        assert_true(fabs(mean) < 1e-7); /* the mean near 1e8 is rounded to 1.5e-8, the spread is 1.1 */
        assert_true(fabs(variance - (k == 1 ? 0 : 1)) < 1e-12);
    }
    for (size_t i = 0; i < 4; i++)
        assert_true(x[3 * i + 1] == 0);
    /* By hand: 1, 2, 2, 2, 4, 4 (minus 1e8) have mean 2.5 and variance (2.25 + 3 * 0.25 + 2 * 2.25) / 6 = 1.25. */
    assert_true(fabs(x[0] + 1.5 / sqrt(1.25)) < 1e-7);
}

static void the_sample_variance_divides_by_one_less(void **state)
{
    (void)state;
    /* 0, 2, 2, 4 have mean 2 and squares that sum to 8. */
    double x[] = {0, 2, 4}, constant[] = {3, 3, 3};
    signed char y[] = {1, -1, 1};
    size_t multiplicity[] = {1, 2, 1};
    struct dataset dataset = {.patterns = {.rows = 3, .dims = 1, .values = x},
                              .y = y,
                              .multiplicity = multiplicity,
                              .full_size = 4};
    dataset_standardise(&dataset, STANDARDISE_FULL_SET_SAMPLE);
    assert_true(fabs(x[2] - 2 / sqrt(8.0 / 3)) < 1e-15 && x[1] == 0 && x[0] == -x[2]);
    dataset.patterns.values = constant;
    dataset_standardise(&dataset, STANDARDISE_FULL_SET_SAMPLE);
    assert_true(constant[0] == 0 && constant[1] == 0 && constant[2] == 0);
}

static void a_split_is_standardised_by_its_training_rows_alone(void **state)
{
    (void)state;
    /* Training rows 1, 1, 5, 5 have mean 3 and deviation 2; the second feature is constant there. */
    double x[] = {1, 7, 5, 7, 1e6, -4, 3, 7};
    size_t train[] = {0, 0, 1, 1}, test[] = {3, 2};
    struct split split = {.number = 1, .n_train = 4, .n_test = 2, .train = train, .test = test};
    struct dataset dataset = {.patterns = {.rows = 4, .dims = 2, .values = x}, .n_splits = 1, .splits = &split};
    const double expected[] = {-1, 0, -1, 0, 1, 0, 1, 0, 0, 0, (1e6 - 3) / 2, 0};
    dataset_standardise(&dataset, STANDARDISE_TRAINING);
    assert_true(dataset.scale_by_training && x[0] == 1);
    struct patterns patterns = dataset_standardise_split(&dataset, &split);
    assert_true(patterns.rows == 6 && patterns.dims == 2 && !patterns_are_compressed(&patterns));
    for (size_t i = 0; i < 12; i++)
        assert_true(patterns.values[i] == expected[i]);
    patterns_free(&patterns);
}

static void reversing_turns_the_training_rows_of_every_split_and_no_test_rows(void **state)
{
    (void)state;
    size_t indices[] = {4, 0, 2, 1, 3, 1, 3, 0, 2, 4};
    const size_t expected[] = {2, 0, 4, 1, 3, 0, 3, 1, 2, 4};
    struct split splits[] = {
        {.number = 1, .n_train = 3, .n_test = 2, .train = indices, .test = indices + 3},
        {.number = 2, .n_train = 3, .n_test = 2, .train = indices + 5, .test = indices + 8},
    };
    struct dataset dataset = {.patterns = {.rows = 5}, .n_splits = 2, .splits = splits, .indices = indices};
    dataset_reverse_training(&dataset);
    assert_memory_equal(indices, expected, sizeof expected);
}

static void swapping_labels_exchanges_classes_and_their_names(void **state)
{
    (void)state;
    char yes[] = "yes", no[] = "no";
    signed char y[] = {1, -1, -1};
    const signed char expected[] = {-1, 1, 1};
    struct dataset dataset = {.patterns = {.rows = 3}, .y = y, .class_names = {yes, no}};
    dataset_swap_labels(&dataset);
    assert_memory_equal(y, expected, sizeof expected);
    assert_true(dataset.class_names[0] == no && dataset.class_names[1] == yes);
}

static void standardising_twice_changes_nothing_more(void **state)
{
    (void)state;
    struct dataset *dataset = NULL;
    struct error error;
    const struct dataset_request request = {.set.name = "waveform", .allow_generated = 1, .want_splits = 1};
    assert_int_equal(load_dataset(&request, &dataset, &error), STATUS_OK);
    dataset_standardise(dataset, STANDARDISE_FULL_SET);
    double first = dataset->patterns.values[100];
    dataset_standardise(dataset, STANDARDISE_FULL_SET);
    assert_true(fabs(dataset->patterns.values[100] - first) < 1e-13); /* a few rounding errors of numbers near 1 */
    release_dataset(dataset);
    release_dataset(NULL);
}

int main(void)
{
    gsl_set_error_handler_off();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_set_that_is_nowhere_is_named_with_folders_and_command, make_place,
                                        remove_place),
        cmocka_unit_test_setup_teardown(a_damaged_file_is_an_error_and_not_passed_over, make_place, remove_place),
        cmocka_unit_test_setup_teardown(benchmarks_mat_anywhere_comes_before_a_partial_file, make_place, remove_place),
        cmocka_unit_test_setup_teardown(uci_files_are_found_in_a_subfolder_too, make_place, remove_place),
        cmocka_unit_test(too_many_splits_and_foreign_sizes_are_refused),
        cmocka_unit_test_setup_teardown(wisconsin_leaves_out_the_id_and_rows_with_unknown_values, make_place,
                                        remove_place),
        cmocka_unit_test_setup_teardown(bad_rows_of_uci_files_are_refused_with_their_line, make_place, remove_place),
        cmocka_unit_test(the_uci_files_are_read_as_they_stand),
        cmocka_unit_test_setup_teardown(a_known_set_of_a_text_file_takes_listed_splits, make_place, remove_place),
        cmocka_unit_test(the_aspect_angle_split_of_sonar_has_the_published_counts),
        cmocka_unit_test(standardising_gives_mean_zero_and_variance_one_over_the_full_set),
        cmocka_unit_test(standardising_twice_changes_nothing_more),
        cmocka_unit_test(the_sample_variance_divides_by_one_less),
        cmocka_unit_test(a_split_is_standardised_by_its_training_rows_alone),
        cmocka_unit_test(reversing_turns_the_training_rows_of_every_split_and_no_test_rows),
        cmocka_unit_test(swapping_labels_exchanges_classes_and_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
