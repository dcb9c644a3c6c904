/* LIBSVM and CSV files: the contents of valid ones, and the exact message for each kind of invalid one. */
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
#include "harness/support/file.h"
#include "harness/support/sha256.h"
#include "tests/load_dataset.h"
#include "tests/scratch_folder.h"

static char path[SCRATCH_PATH_SIZE];

static int make_path(void **state)
{
    (void)state;
    return scratch_file_new(path, "test-dataset-plain");
}

static int remove_path(void **state)
{
    (void)state;
    return remove(path);
}

static enum status load_bytes(const char *format, const char *label_column, const char *text, size_t size,
                              struct dataset **dataset, struct error *error)
{
    const struct dataset_request request = {
        .set.name = "toy", .set.file = path, .set.format = format, .set.label_column = label_column, .want_splits = 2};
    file_write(path, text, size);
    return load_dataset(&request, dataset, error);
}

static struct dataset *load_good(const char *format, const char *label_column, const char *text)
{
    struct dataset *dataset = NULL;
    struct error error;
    if (load_bytes(format, label_column, text, strlen(text), &dataset, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    return dataset;
}

static void expect_values(struct dataset *dataset, size_t rows, size_t dims, const double *x, const signed char *y)
{
    assert_int_equal(dataset->patterns.rows, rows);
    assert_int_equal(dataset->patterns.dims, dims);
    assert_int_equal(dataset->full_size, rows);
    for (size_t i = 0; i < rows * dims; i++)
        assert_true(patterns_value(&dataset->patterns, i / dims, i % dims) == x[i]);
    assert_memory_equal(dataset->y, y, rows);
    for (size_t i = 0; i < rows; i++)
        assert_int_equal(dataset->multiplicity[i], 1);
    release_dataset(dataset);
}

static void libsvm_rows_are_spread_out_with_zeros(void **state)
{
    (void)state;
    const double x[] = {0.5, 0, -2, 0, 0, 0, 0, 1e-3, 0, 0, 0, 7};
    const signed char y[] = {1, -1, 1, -1};
    static const char text[] = "+1 1:0.5 3:-2\n-1\n\n# all comment\n1.0 2:1e-3 # c\r\n-1\t3:7";
    expect_values(load_good("libsvm", NULL, text), 4, 3, x, y);
}

static void standardise(void *dataset)
{
    dataset_standardise(dataset, STANDARDISE_FULL_SET);
}

static void scale(void *dataset)
{
    dataset_standardise(dataset, STANDARDISE_TRAINING);
}

static void make_symmetric(void *dataset)
{
    dataset_make_symmetric(dataset);
}

/* Rows that are mostly zeros are compressed, with indices of any size; others are dense. */
static void rows_are_held_as_is_smaller(void **state)
{
    (void)state;
    struct dataset *dataset = load_good("libsvm", NULL, "1 2:1 2147483646:5\n-1\n1 1:0 3:-2\n");
    const struct patterns *patterns = &dataset->patterns;
    assert_true(patterns_are_compressed(patterns) && patterns->rows == 3 && patterns->dims == 2147483646);
    const size_t begin[] = {0, 2, 2, 3};
    const uint32_t feature[] = {1, 2147483645, 2};
    const double values[] = {1, 5, -2};
    assert_memory_equal(patterns->begin, begin, sizeof begin);
    assert_memory_equal(patterns->feature, feature, sizeof feature);
    assert_memory_equal(patterns->values, values, sizeof values);
    struct error error = {STATUS_OK, ""};
    assert_int_equal(attempt(standardise, dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "(--no-standardise keeps them compressed): 3 rows of "
                                          "2147483646 features, including zeros, would take "));
    assert_int_equal(attempt(scale, dataset, NULL), STATUS_BAD_INPUT);
    release_dataset(dataset);
    dataset = load_good("csv", NULL, "0,0,0,0,7,1\n0,0,0,0,0,-1\n1,0,0,0,0,1\n");
    assert_true(patterns_are_compressed(&dataset->patterns) && patterns_nonzeros(&dataset->patterns) == 2);
    release_dataset(dataset);
    dataset = load_good("csv", NULL, "0,2,1\n0,3,-1\n1,0,1\n");
    assert_false(patterns_are_compressed(&dataset->patterns));
    release_dataset(dataset);
}

static void an_index_0_makes_the_first_column(void **state)
{
    (void)state;
    const double from_0[] = {5, 0, 7, 0, 1, 0, 0, 2, 0}, from_1[] = {0, 7, 1, 0, 2, 0};
    const signed char y[] = {1, -1, 1};
    struct dataset *dataset = load_good("libsvm", NULL, "\xef\xbb\xbf+1 0:5 2:7 \n-1 1:1\t\n1 1:2");
    assert_int_equal(dataset->first_index, 0);
    expect_values(dataset, 3, 3, from_0, y);
    dataset = load_good("libsvm", NULL, "+1 2:7\n-1 1:1\n1 1:2");
    assert_int_equal(dataset->first_index, 1);
    expect_values(dataset, 3, 2, from_1, y);
}

/* +1 is the greater number, or the word that sorts later. */
static void labels_may_be_any_two_values(void **state)
{
    (void)state;
    static const struct {
        const char *format, *text, *names[2];
        signed char y[3];
    } cases[] = {
        {"libsvm", "0 1:1\n1 1:2\n0 1:3\n", {"1", "0"}, {-1, 1, -1}},
        {"libsvm", "2 1:1\n1 1:2\n2.0 1:3\n", {"2", "1"}, {1, -1, 1}},
        {"libsvm", "-1 1:1\n+1 1:2\n1 1:3\n", {"+1", "-1"}, {-1, 1, 1}},
        {"libsvm", "10 1:1\n9 1:2\n1e1 1:3\n", {"10", "9"}, {1, -1, 1}},
        {"libsvm", "0.5 1:1\n-7 1:2\n.5 1:3\n", {"0.5", "-7"}, {1, -1, 1}},
        {"csv", "1,yes\n2,no\n3,\"yes\"\n", {"yes", "no"}, {1, -1, 1}},
        {"csv", "1,benign\n2,malignant\n3, benign \n", {"malignant", "benign"}, {-1, 1, -1}},
        {"csv", "1,1\n2,x\n3,1\n", {"x", "1"}, {-1, 1, -1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dataset *dataset = load_good(cases[i].format, NULL, cases[i].text);
        assert_memory_equal(dataset->y, cases[i].y, 3);
        for (size_t c = 0; c < 2; c++)
            assert_string_equal(dataset->class_names[c], cases[i].names[c]);
        release_dataset(dataset);
    }
}

static void csv_takes_the_last_column_as_label_by_default(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, -4.5, 1, 2};
    const signed char y[] = {1, -1, -1};
    expect_values(load_good("csv", NULL, "1,2,+1\r\n3, \"-4.5\" ,-1\r\n\r\n1,2,-1.0\r\n"), 3, 2, x, y);
}

static void csv_finds_the_label_by_header_name_or_number(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4, 5, 6};
    const signed char y[] = {1, -1, 1};
    static const char with[] = "\xef\xbb\xbf\"a, long\",class,b\n1,1,2\n3,-1,4\n5,1,6\n";
    static const char without[] = "1,1,2\n3,-1,4\n5,1,6\n";
    expect_values(load_good("csv", "class", with), 3, 2, x, y);
    expect_values(load_good("csv", "2", with), 3, 2, x, y);
    expect_values(load_good("csv", "2", without), 3, 2, x, y);
}

static void a_plain_file_is_split_two_to_one_unless_told(void **state)
{
    (void)state;
    struct error error;
    struct dataset *dataset = load_good("csv", NULL, "1,1\n2,-1\n3,1\n4,-1\n5,1\n6,-1\n7,1\n8,-1\n");
    assert_int_equal(dataset->n_splits, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(dataset->splits[i].number, i + 1);
        assert_int_equal(dataset->splits[i].source, SPLIT_RESAMPLED);
        assert_int_equal(dataset->splits[i].n_train, 5); /* two thirds of 8, rounded down */
        assert_int_equal(dataset->splits[i].n_test, 3);
    }
    release_dataset(dataset);
    struct dataset_request request = {
        .set.name = "toy", .set.file = path, .set.format = "csv", .set.n_train = 6, .want_splits = 1};
    assert_int_equal(load_dataset(&request, &dataset, &error), STATUS_OK);
    assert_int_equal(dataset->splits[0].n_train, 6);
    assert_int_equal(dataset->splits[0].n_test, 0);
    release_dataset(dataset);
    request.set.n_test = 3;
    assert_int_equal(load_dataset(&request, &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "a split of 6 training and 3 test rows is not possible; allowed: "));
}

static void rows_without_features_are_zero_vectors(void **state)
{
    (void)state;
    const double zeros[3] = {0}, some[] = {0, 0, 0, 2, 0, 0};
    expect_values(load_good("libsvm", NULL, "1\n-1 # nothing\n1"), 3, 1, zeros, (const signed char[]){1, -1, 1});
    expect_values(load_good("libsvm", NULL, "1\n-1 2:2\n1\n"), 3, 2, some, (const signed char[]){1, -1, 1});
}

/* Entries that differ by rounding become their mean, in both storage forms; others are refused by place and value. */
static void kernel_tables_are_made_symmetric_within_rounding(void **state)
{
    (void)state;
    struct error error;
    static const struct {
        const char *format, *text;
        double off; /* entries (2, 1) and (1, 2) afterwards; NAN: refused */
    } cases[] = {
        {"csv", "4,1,0,1\n1.00003,2.25,0,-1\n0,0,1,1\n", 1.000015}, /* 1e-5 of sqrt(4 x 2.25) */
        {"csv", "4,1,0,1\n1.00004,2.25,0,-1\n0,0,1,1\n", NAN},
        {"csv", "4,-1e-9,0,1\n3e-9,2.25,0,-1\n0,0,1,1\n", 1e-9},
        {"csv", "0,-3,0,1\n-3.00002,0,0,-1\n0,0,1,1\n", -3.00001}, /* negative distances: of the entries */
        {"csv", "0,-3,0,1\n-3.00004,0,0,-1\n0,0,1,1\n", NAN},
        {"libsvm", "1 1:4 2:1e-7\n-1 2:2.25 4:0\n1 3:1\n1 4:1\n", 5e-8}, /* the other entry is not in the file */
        {"libsvm", "1 1:4\n-1 1:1e-4 2:2.25\n1 3:1\n1 4:1\n", NAN},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int compressed = 0; compressed <= 1; compressed++) {
            struct dataset *dataset = load_good(cases[c].format, NULL, cases[c].text);
            assert_int_equal(
                patterns_hold(&dataset->patterns, compressed ? PATTERNS_COMPRESSED : PATTERNS_DENSE, &error),
                STATUS_OK);
            enum status status = attempt(make_symmetric, dataset, &error);
            assert_int_equal(status, isnan(cases[c].off) ? STATUS_BAD_INPUT : STATUS_OK);
            if (status != STATUS_OK)
                assert_non_null(strstr(error.message, "entry (2, 1) is "));
            else
                for (size_t i = 0; i < 2; i++)
                    assert_true(fabs(patterns_value(&dataset->patterns, i, 1 - i) - cases[c].off) <=
                                1e-15 * fabs(cases[c].off));
            release_dataset(dataset);
        }
}

static void the_hash_is_that_of_the_file(void **state)
{
    (void)state;
    static const char text[] = "1,1\n2,-1\n3,1\n";
    char hex[65];
    sha256_hex(text, sizeof text - 1, hex);
    struct dataset *dataset = load_good("csv", NULL, text);
    assert_string_equal(dataset->sha256, hex);
    assert_string_equal(dataset->source, path);
    release_dataset(dataset);
}

struct bad {
    const char *format, *label_column, *text, *message;
};

static struct dataset *load_pair(const char *header, const char *train, const char *test, struct error *error)
{
    char second[SCRATCH_PATH_SIZE];
    const struct dataset_request request = {
        .set.name = "pair", .set.file = path, .set.test_file = second, .set.format = "csv", .set.header = header};
    struct dataset *dataset = NULL;
    assert_int_equal(scratch_file_new(second, "test-dataset-pair"), 0);
    file_write(path, train, strlen(train));
    file_write(second, test, strlen(test));
    *error = (struct error){STATUS_OK, ""};
    load_dataset(&request, &dataset, error);
    assert_int_equal(remove(second), 0);
    return dataset;
}

static void columns_of_two_files_are_matched_by_name(void **state)
{
    (void)state;
    struct error error;
    static const char train[] = "a,b,c,y\n1,2,3,1\n4,5,6,0\n";
    static const char *const bad[] = {"c,y,a\n9,1,7\n", "c,y,a,d\n9,1,7,8\n", "c,z,a,b\n9,1,7,8\n",
                                      "c,y,a,b,a\n9,1,7,8,7\n", "9,7,1\n", "1.5,2,3,4,1\n"};
    struct dataset *dataset = load_pair(NULL, train, "c,y,a,b\n9,1,7,8\n", &error);
    assert_non_null(dataset);
    for (size_t i = 0; i < 9; i++)
        assert_true(patterns_value(&dataset->patterns, i / 3, i % 3) == (double)(i + 1));
    assert_int_equal(dataset->y[2], 1);
    assert_int_equal(dataset->notes.count, 1);
    release_dataset(dataset);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(load_pair(NULL, train, bad[i], &error));
        assert_int_equal(error.status, STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, "test-dataset-pair"));
    }
    dataset = load_pair(NULL, train, "7,8,9.5,1\n", &error); /* without names by position */
    assert_non_null(dataset);
    assert_int_equal(dataset->notes.count, 1);
    release_dataset(dataset);
}

static void a_header_may_be_stated(void **state)
{
    (void)state;
    struct error error;
    static const char numbers[] = "0,1,2\n5,6,1\n7,8,2\n";
    struct dataset *dataset = load_pair("yes", numbers, numbers, &error);
    assert_non_null(dataset);
    assert_int_equal(dataset->patterns.rows, 4);
    assert_string_equal(dataset->columns.names[1], "1");
    assert_string_equal(dataset->columns.label, "2");
    release_dataset(dataset);
    dataset = load_pair("no", "0,1,2\n5,6,1\n", "0,1,2\n5,6,1\n", &error);
    assert_non_null(dataset);
    assert_int_equal(dataset->patterns.rows, 4);
    assert_null(dataset->columns.names);
    release_dataset(dataset);
}

static void bad_files_are_refused_with_line_column_and_value(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"libsvm", NULL, "", ":1:1: no rows"},
        {"libsvm", NULL, "\n# nothing\n", ":1:1: no rows"},
        {"libsvm", NULL, " \t\r\n", ":1:1: no rows"},
        {"libsvm", NULL, "\xef\xbb\xbf", ":1:1: no rows"},
        {"libsvm", NULL, "1 1:1\n1 1:2\n", ":1:1: label \"1\" is the only one in 2 rows; both classes are needed"},
        {"libsvm", NULL, "# c\n -1 1:1\n-1 1:2\n", ":2:2: label \"-1\" is the only one in 2 rows"},
        {"libsvm", NULL, "1 1:1\n2 1:2\n1 1:3\n 3 1:1\n4 1:1\n3 1:2\n",
         ":4:2: label \"3\" is a third class; hullbench solves problems of two classes; labels found: 1, 2, 3, 4"},
        {"libsvm", NULL, "1 1:1\n1.0 1:2\n", ":1:1: label \"1\" is the only one in 2 rows"},
        {"libsvm", NULL, "1 1:1\n\xef\xbb\xbf-1 1:1\n", ":2:1: label \"\\xEF\\xBB\\xBF-1\" is not a number"},
        {"libsvm", NULL, "one 1:1\n", ":1:1: label \"one\" is not a number"},
        {"libsvm", NULL, "nan 1:1\n", ":1:1: label \"nan\" is not a number"},
        {"libsvm", NULL, "1e999 1:1\n", ":1:1: label \"1e999\" is not a number"},
        {"libsvm", NULL, "0x1 1:1\n", ":1:1: label \"0x1\" is not a number"},
        {"libsvm", NULL, "1,-1 1:1\n", ":1:1: label \"1,-1\" is not a number"},
        {"libsvm", NULL, "1:1 2:1\n", ":1:1: label \"1:1\" is not a number"},
        {"libsvm", NULL, "\xef\xbb\xbfx 1:1\n", ":1:4: label \"x\" is not a number"},
        {"libsvm", NULL, "1 1:1\n-1 4294967296:1\n", ":2:4: index of \"4294967296:1\" is out of range"},
        {"libsvm", NULL, "1 99999999999999999999999:1\n", ":1:3: index of \"99999999999999999999999:1\" is out of"},
        {"libsvm", NULL, "1 2:1 2:3\n", ":1:7: index 2 follows 2; indices must increase"},
        {"libsvm", NULL, "1 0:1 0:3\n", ":1:7: index 0 follows 0; indices must increase"},
        {"libsvm", NULL, "1 1:1\n1 \t5:1  2:3\n", ":2:9: index 2 follows 5; indices must increase"},
        {"libsvm", NULL, "1 -3:1\n", ":1:3: \"-3:1\" is not index:value; the index must be a whole number from 0"},
        {"libsvm", NULL, "1 1.5:1\n", ":1:3: \"1.5:1\" is not index:value"},
        {"libsvm", NULL, "1 +3:1\n", ":1:3: \"+3:1\" is not index:value"},
        {"libsvm", NULL, "1 3\n", ":1:3: \"3\" is not index:value"},
        {"libsvm", NULL, "1 1:2 3 4:1\n", ":1:7: \"3\" is not index:value"},
        {"libsvm", NULL, "1 :3\n", ":1:3: \":3\" is not index:value"},
        {"libsvm", NULL, "1 3:\n", ":1:5: \"3:\" is not index:value; the value must be a number up to 1e+100 in size"},
        {"libsvm", NULL, "1 3: 4\n", ":1:5: \"3:\" is not index:value"},
        {"libsvm", NULL, "1 3 :4\n", ":1:3: \"3\" is not index:value"},
        {"libsvm", NULL, "1 3::4\n", ":1:5: \"3::4\" is not index:value"},
        {"libsvm", NULL, "1 qid:3 1:1\n", ":1:3: \"qid:3\" is not index:value"},
        {"libsvm", NULL, "1 1:1 2:x\n", ":1:9: \"2:x\" is not index:value"},
        {"libsvm", NULL, "1 1:nan\n", ":1:5: \"1:nan\" is not index:value"},
        {"libsvm", NULL, "1 1:inf\n", ":1:5: \"1:inf\" is not index:value"},
        {"libsvm", NULL, "1 1:1e999\n", ":1:5: \"1:1e999\" is not index:value"},
        {"libsvm", NULL, "1 1:1e101\n", ":1:5: \"1:1e101\" is not index:value"},
        {"libsvm", NULL, "1 1:0x10\n", ":1:5: \"1:0x10\" is not index:value"},
        {"libsvm", NULL, "1 1:2e\n", ":1:5: \"1:2e\" is not index:value"},
        {"libsvm", NULL, "1 1:1,5\n", ":1:5: \"1:1,5\" is not index:value"},
        {"libsvm", NULL, "1 1:1 # c\r-1 1:2\r-1 1:x\r", ":3:6: \"1:x\" is not index:value"},
        {"libsvm", NULL, "{\"a\": 1}\n", ":1:1: label \"{\"a\":\" is not a number"},
        {"libsvm", "2", "1 1:1\n-1 1:2\n", ": a label column applies only to CSV files"},
        {"csv", NULL, "", ":1:1: no rows"},
        {"csv", NULL, "\n\n", ":1:1: no rows"},
        {"csv", NULL, "a,b\n", ":1:1: no rows"},
        {"csv", NULL, "1\n", ":1:1: 1 column; expected a label and at least one feature, separated by commas"},
        {"csv", NULL, "1;2;1\n", ":1:1: 1 column; "},
        {"csv", NULL, "1,1\n1,2,-1\n", ":2:5: 3 columns, but line 1 has 2"},
        {"csv", NULL, "a,b,c\n1,1\n", ":2:3: 2 columns, but line 1 has 3"},
        {"csv", NULL, "1,1\n\n  nan,-1\n", ":3:3: field 1: \"nan\" is not a number up to 1e+100 in size"},
        {"csv", NULL, "1,1\n-inf,-1\n", ":2:1: field 1: \"-inf\" is not a number"},
        {"csv", NULL, "1,1\n1e101,-1\n", ":2:1: field 1: \"1e101\" is not a number"},
        {"csv", NULL, "1,1\n1e999,-1\n", ":2:1: field 1: \"1e999\" is not a number"},
        {"csv", NULL, "1,1\n,-1\n", ":2:1: field 1: \"\" is not a number"},
        {"csv", NULL, "1,1\n2,\n", ":2:3: field 2: the label is missing"},
        {"csv", NULL, "1,2,1\n\"a,\nb\",3,-1\n", ":2:1: field 1: \"a,\\x0Ab\" is not a number"},
        {"csv", NULL, "1,2,1\n\"1\", \"x,\" ,-1\n", ":2:6: field 2: \"x,\" is not a number"},
        {"csv", NULL, "\xef\xbb\xbf?,1\n2,-1\n", ":1:4: field 1: \"?\" is not a number"},
        {"csv", NULL, "1,1\n2,1\n", ":1:3: label \"1\" is the only one in 2 rows"},
        {"csv", NULL, "1,no\n2,yes\n3,no\n4, maybe\n",
         ":4:4: label \"maybe\" is a third class; hullbench solves problems of two classes; "
         "labels found: no, yes, maybe; --label-column (key \"label_column\") names another column than the last"},
        {"csv", NULL, "label,a\nyes,1\nno,2\n",
         "; decimals have a point, only commas separate columns, and --label-column"},
        {"csv", NULL, "1,1\n\"2,-1\n", ":2:1: a quoted field has no closing quote"},
        {"csv", NULL, "1,1\n3,\"2\n,-1\n", ":2:3: a quoted field has no closing quote"},
        {"csv", NULL, "1,1\n\"2\"x,-1\n", ":2:4: "},
        {"csv", "class", "a,b\n1,1\n",
         ":1:1: unknown label column \"class\"; allowed: a, b, or a number from 1 to 2"},
        {"csv", "Class", "a,class\n1,1\n", "; did you mean \"class\"?; allowed: class, a, or a number from 1 to 2"},
        {"csv", "2", "a,class,b\n1,yes,\n",
         ":2:7: field 3 (b): \"\" is not a number up to 1e+100 in size; fill in a missing value, or remove its "
         "row or its column"},
        {"csv", "class", "id,class\nP1,yes\n",
         ":2:1: field 1 (id): \"P1\" is not a number up to 1e+100 in size; decimals have a point, only commas separate "
         "columns; remove a column that is no feature"},
        {"csv", "class", "1,1\n", ":1:1: label column \"class\" is unknown; allowed: a number from 1 to 2"},
        {"csv", "0", "1,1\n", ":1:1: label column \"0\" is unknown; allowed: a number from 1 to 2"},
        {"csv", "3", "1,1\n", ":1:1: label column \"3\" is unknown; allowed: a number from 1 to 2"},
        {"csv", "", "1,1\n", ":1:1: label column \"\" is unknown; allowed: a number from 1 to 2"},
        {"csv", "a", "a,a\n1,1\n", ":1:1: label column \"a\" occurs 2 times"},
        {"csv", NULL, "0,1,2\n1.5,2,1\n2.5,1,0\n", ":1:1: a header or a row of data? its cells are whole numbers"},
        {"csv", "1", "1,2,3,4\n1,2.5,1,2\n0,1,2,3\n", ":1:1: a header or a row of data?"},
        {"csv", NULL, "3,0,1,2\n1,2.5,1,1\n0,1,2,0\n", ":1:1: a header or a row of data?"},
        {"csv", NULL, "\n19,20,3\n1.5,2,1\n2.5,1,3\n1,2.5,1\n", ":2:1: guessed to be a row of data, but only its"},
        {"csv", NULL, "0,1,y\n1,2,1\n3,4,0\n", ":1:1: guessed to be a row of data, but no other row has its label"},
        {"csv", NULL, "NA,NA,a\n1,2,a\n3,4,b\n", ":1:1: a header or a row of data? no cell is a number"},
        {"csv", NULL, ",?,a\n1,2,a\n3,4,b\n", ":1:1: a header or a row of data?"},
        {"csv", NULL, "$5,1.5kg,a\n1,2,a\n3,4,b\n", ":1:1: a header or a row of data?"},
        {"csv", NULL, "TBD,TBD,a\n1,2,a\n3,4,b\n", ":1:1: guessed to be a header, but its cell in the label column"},
        {"csv", NULL, "\"\",a,y\n0,1.5,1\n7,2.5,0\n", ":1:1: feature 1 has no name"},
        {"csv", NULL, "Unnamed: 0,a,y\n1,1.5,1\n2,2.5,0\n", ":1:1: feature 1 has no name"},
        {"csv", NULL, "0,5;a\n1,5;b\n", ":1:3: field 2: \"5;a\" looks like several columns"},
        {"csv", NULL, "0,5\ta\n1,5\tb\n", ":1:3: field 2: \"5\\x09a\" looks like several columns"},
        {"csv", NULL, "0,5 a\n1,5 b\n", ":1:3: field 2: \"5 a\" looks like several columns"},
        {"csv", "1", "a;0,5\nb;1,5\n", ":1:1: field 1: \"a;0\" looks like several columns"},
        {"csv", NULL, "0,5;1,5;a\n1,5;2,5;b\n", ":1:3: field 2: \"5;1\" is not a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct bad *bad = &cases[i];
        struct dataset *dataset = NULL;
        struct error error = {STATUS_OK, ""};
        enum status status =
            load_bytes(bad->format, bad->label_column, bad->text, strlen(bad->text), &dataset, &error);
        if (status != STATUS_BAD_INPUT || !strstr(error.message, bad->message) ||
            strncmp(error.message, path, strlen(path)) != 0 || strchr(error.message, '\n'))
            fail_msg("case %zu: status %d, \"%s\" has no \"%s\"", i, (int)status, error.message, bad->message);
        assert_null(dataset);
    }
}

static void a_zero_byte_is_refused_in_both_formats(void **state)
{
    (void)state;
    static const char text[] = "1,1\n2,-1\0\n";
    static const char *const formats[] = {"csv", "libsvm"};
    for (size_t i = 0; i < 2; i++) {
        struct dataset *dataset = NULL;
        struct error error;
        const char *start = i == 0 ? text : text + 4; /* the LIBSVM reader would stop at the comma of line 1 */
        size_t size = (size_t)(text + sizeof text - 1 - start);
        assert_int_equal(load_bytes(formats[i], NULL, start, size, &dataset, &error), STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, i == 0 ? ":2:5: zero byte" : ":1:5: zero byte"));
    }
}

/* Any truncation of a valid file gives a data set or a one-line error, never a crash. */
static void every_beginning_of_a_file_is_read_or_refused(void **state)
{
    (void)state;
    static const char libsvm[] = "+1 1:0.5 3:-2\n-1 2:4 # c\n1 2:1e-3\n-1 3:7\n+1 1:1\n-1 1:2\n";
    static const char csv[] = "\"a\",\"b \"\"x\"\"\",y\n1,\"2\",+1\n3,4e0,-1\n1,1,1\n2,2,-1\n5,6,1\n7,8,-1\n";
    size_t good = 0, refused = 0;
    for (int is_csv = 0; is_csv < 2; is_csv++) {
        const char *text = is_csv ? csv : libsvm;
        for (size_t size = 0; size <= strlen(text); size++) {
            struct dataset *dataset = NULL;
            struct error error = {STATUS_OK, ""};
            enum status status = load_bytes(is_csv ? "csv" : "libsvm", NULL, text, size, &dataset, &error);
            assert_true(status == STATUS_OK ? dataset != NULL : dataset == NULL && error.message[0]);
            good += status == STATUS_OK;
            refused += status != STATUS_OK;
            release_dataset(dataset);
        }
    }
    assert_true(good > 10 && refused > 10);
}

static void a_file_that_is_not_there_is_not_found(void **state)
{
    (void)state;
    struct dataset *dataset = NULL;
    struct error error;
    const struct dataset_request request = {.set.name = "toy", .set.file = "/nowhere/toy.csv"};
    assert_int_equal(load_dataset(&request, &dataset, &error), STATUS_NOT_FOUND);
    assert_non_null(strstr(error.message, "/nowhere/toy.csv"));
    assert_null(strstr(error.message, "relative"));
    const struct dataset_request relative = {.set.name = "toy", .set.file = "nowhere/toy.csv"};
    assert_int_equal(load_dataset(&relative, &dataset, &error), STATUS_NOT_FOUND);
    assert_non_null(strstr(error.message, "; a relative path begins at the current folder"));
    const struct dataset_request folder = {.set.name = "toy", .set.file = "/"};
    assert_int_equal(load_dataset(&folder, &dataset, &error), STATUS_BAD_INPUT);
    const struct dataset_request nameless = {.set.file = "/nowhere/toy.csv"};
    assert_int_equal(load_dataset(&nameless, &dataset, &error), STATUS_BAD_INPUT);
}

int main(void)
{
    gsl_set_error_handler_off();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libsvm_rows_are_spread_out_with_zeros),
        cmocka_unit_test(rows_are_held_as_is_smaller),
        cmocka_unit_test(an_index_0_makes_the_first_column),
        cmocka_unit_test(labels_may_be_any_two_values),
        cmocka_unit_test(csv_takes_the_last_column_as_label_by_default),
        cmocka_unit_test(csv_finds_the_label_by_header_name_or_number),
        cmocka_unit_test(a_plain_file_is_split_two_to_one_unless_told),
        cmocka_unit_test(rows_without_features_are_zero_vectors),
        cmocka_unit_test(kernel_tables_are_made_symmetric_within_rounding),
        cmocka_unit_test(the_hash_is_that_of_the_file),
        cmocka_unit_test(columns_of_two_files_are_matched_by_name),
        cmocka_unit_test(a_header_may_be_stated),
        cmocka_unit_test(bad_files_are_refused_with_line_column_and_value),
        cmocka_unit_test(a_zero_byte_is_refused_in_both_formats),
        cmocka_unit_test(every_beginning_of_a_file_is_read_or_refused),
        cmocka_unit_test(a_file_that_is_not_there_is_not_found),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
