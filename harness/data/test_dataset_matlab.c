/*
 * MATLAB files: small ones are written with matio, then used intact, changed in one place, truncated and damaged; the
 * real file is tested if present.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_errno.h>
#include <math.h>
#include <matio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "harness/data/dataset_parts.h"
#include "harness/support/file.h"
#include "tests/all_tests.h"
#include "tests/load_dataset.h"
#include "tests/scratch_folder.h"

static char folder[] = "/tmp/test_dataset_matlab_XXXXXX";
static char *path;

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    path = xasprintf("%s/%s", folder, "benchmarks.mat");
    return path ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    remove(path);
    free(path);
    return rmdir(folder);
}

/* Six distinct rows, the third twice and the fifth three times in the full set of nine; three splits of 5 and 4. */
struct toy {
    const char *variable;
    double x[12], t[6], train[20], test[16], ids[4], mult[6];
    size_t x_rows, t_rows, train_rows, test_rows, test_columns, n_ids, n_mult;
    const char *left_out; /* a field to omit */
    const char *as_text;  /* a field to write as characters */
    enum matio_classes index_class;
    enum matio_compression compression;
    int not_struct;
};

static const struct toy good = {
    .variable = "banana",
    .x = {1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6.5},
    .t = {1, -1, 1, -1, 1, -1},
    /* column by column, as in the file: split i is every third number from the i-th on */
    .train = {1, 5, 4, 2, 6, 3, 3, 5, 3, 5, 2, 5, 5, 1, 1},
    .test = {3, 3, 2, 4, 3, 6, 5, 4, 5, 6, 5, 5},
    .ids = {2, 0, 7},
    .mult = {1, 1, 2, 1, 3, 1},
    .x_rows = 6,
    .t_rows = 6,
    .train_rows = 3,
    .test_rows = 3,
    .test_columns = 4,
    .n_ids = 3,
    .n_mult = 6,
    .index_class = MAT_C_DOUBLE,
};

static void add(matvar_t *variable, const struct toy *toy, const char *name, size_t rows, size_t columns,
                const double *values)
{
    size_t sizes[2] = {rows, columns};
    int32_t whole[20] = {0};
    char text[21] = "abcdefghijklmnopqrst";
    matvar_t *field = NULL;
    if (toy->left_out && strcmp(toy->left_out, name) == 0)
        return;
    for (size_t i = 0; i < rows * columns && i < 20; i++)
        whole[i] = fabs(values[i]) < 1e9 ? (int32_t)values[i] : 0;
    if (toy->as_text && strcmp(toy->as_text, name) == 0)
        field = Mat_VarCreate(name, MAT_C_CHAR, MAT_T_UTF8, 2, sizes, text, 0);
    else if (toy->index_class == MAT_C_INT32 && strcmp(name, "x") != 0)
        field = Mat_VarCreate(name, MAT_C_INT32, MAT_T_INT32, 2, sizes, whole, 0);
    else {
        double copy[20];
        memcpy(copy, values, rows * columns * sizeof *copy);
        field = Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, sizes, copy, 0);
    }
    assert_non_null(field);
    Mat_VarAddStructField(variable, name);
    Mat_VarSetStructFieldByName(variable, name, 0, field);
}

static void toy_write(const struct toy *toy)
{
    size_t one[2] = {1, 1};
    mat_t *file = Mat_CreateVer(path, NULL, MAT_FT_MAT5);
    assert_non_null(file);
    double number = 3;
    matvar_t *variable = toy->not_struct
                             ? Mat_VarCreate(toy->variable, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, one, &number, 0)
                             : Mat_VarCreateStruct(toy->variable, 2, one, NULL, 0);
    assert_non_null(variable);
    if (!toy->not_struct) {
        add(variable, toy, "x", toy->x_rows, 2, toy->x);
        add(variable, toy, "t", toy->t_rows, 1, toy->t);
        add(variable, toy, "train", toy->train_rows, 5, toy->train);
        add(variable, toy, "test", toy->test_rows, toy->test_columns, toy->test);
        add(variable, toy, "split_ids", 1, toy->n_ids, toy->ids);
        add(variable, toy, "mult", toy->n_mult, 1, toy->mult);
    }
    assert_int_equal(Mat_VarWrite(file, variable, toy->compression), 0);
    Mat_VarFree(variable);
    Mat_Close(file);
}

static enum status load(size_t want_splits, struct dataset **dataset, struct error *error)
{
    const struct dataset_request request = {.set.name = "banana", .search_path = folder, .want_splits = want_splits};
    return load_dataset(&request, dataset, error);
}

static struct dataset *load_good(const struct toy *toy, size_t want_splits)
{
    struct dataset *dataset = NULL;
    struct error error;
    toy_write(toy);
    if (load(want_splits, &dataset, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    return dataset;
}

/* Split `at` of the data set is official split `listed` of the toy, counted from 0. */
static void expect_official(const struct dataset *dataset, size_t at, size_t listed)
{
    const struct split *split = &dataset->splits[at];
    assert_int_equal(split->source, SPLIT_OFFICIAL);
    assert_int_equal(split->n_train, 5);
    assert_int_equal(split->n_test, 4);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(split->train[i] + 1, (size_t)good.train[listed + 3 * i]);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(split->test[i] + 1, (size_t)good.test[listed + 3 * i]);
}

static void expect_complete(const struct dataset *dataset, size_t at)
{
    const struct split *split = &dataset->splits[at];
    size_t seen[6] = {0};
    for (size_t i = 0; i < split->n_train; i++)
        seen[split->train[i]]++;
    for (size_t i = 0; i < split->n_test; i++)
        seen[split->test[i]]++;
    assert_memory_equal(seen, dataset->multiplicity, sizeof seen);
}

static void values_labels_and_multiplicities_are_read_row_by_row(void **state)
{
    (void)state;
    for (int packed = 0; packed < 2; packed++) {
        struct toy toy = good;
        toy.compression = packed ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE;
        struct dataset *dataset = load_good(&toy, 1);
        assert_int_equal(dataset->patterns.rows, 6);
        assert_int_equal(dataset->patterns.dims, 2);
        assert_int_equal(dataset->full_size, 9);
        for (size_t i = 0; i < 6; i++) {
            assert_true(dataset->patterns.values[2 * i] == good.x[i] &&
                        dataset->patterns.values[2 * i + 1] == good.x[6 + i]);
            assert_int_equal(dataset->y[i], (int)good.t[i]);
            assert_int_equal(dataset->multiplicity[i], (size_t)good.mult[i]);
        }
        assert_string_equal(dataset->source, path);
        release_dataset(dataset);
    }
}

/* Ids are 2, unknown, 7: the unknown one becomes 1; 3 to 6 and 8 are drawn. */
static void listed_splits_keep_their_numbers_and_gaps_are_drawn(void **state)
{
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        struct toy toy = good;
        toy.index_class = whole ? MAT_C_INT32 : MAT_C_DOUBLE;
        struct dataset *dataset = load_good(&toy, 8);
        assert_int_equal(dataset->n_splits, 8);
        for (size_t i = 0; i < 8; i++) {
            assert_int_equal(dataset->splits[i].number, i + 1);
            expect_complete(dataset, i);
            if (i != 0 && i != 1 && i != 6)
                assert_int_equal(dataset->splits[i].source, SPLIT_RESAMPLED);
        }
        expect_official(dataset, 0, 1);
        expect_official(dataset, 1, 0);
        expect_official(dataset, 6, 2);
        release_dataset(dataset);
    }
}

static void unknown_numbers_are_the_lowest_that_no_split_has(void **state)
{
    static const struct {
        double ids[3];
        size_t order[3]; /* the listed split that is split 1, 2, 3 */
    } cases[] = {{{2, 0, 1}, {2, 0, 1}}, {{1, 0, 0}, {0, 1, 2}}, {{0, 2, 0}, {0, 1, 2}}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct toy toy = good;
        memcpy(toy.ids, cases[c].ids, sizeof cases[c].ids);
        struct dataset *dataset = load_good(&toy, 3);
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(dataset->splits[i].number, i + 1);
            expect_official(dataset, i, cases[c].order[i]);
        }
        release_dataset(dataset);
    }
}

static void fewer_splits_are_the_ones_with_the_lowest_numbers(void **state)
{
    (void)state;
    struct dataset *dataset = load_good(&good, 2);
    assert_int_equal(dataset->n_splits, 2);
    expect_official(dataset, 0, 1);
    expect_official(dataset, 1, 0);
    release_dataset(dataset);
}

static void a_drawn_split_is_the_same_however_many_are_wanted(void **state)
{
    (void)state;
    struct dataset *few = load_good(&good, 4), *many = load_good(&good, 20);
    assert_memory_equal(few->splits[3].train, many->splits[3].train, 5 * sizeof(size_t));
    assert_memory_equal(few->splits[3].test, many->splits[3].test, 4 * sizeof(size_t));
    release_dataset(few);
    release_dataset(many);
}

static void without_ids_splits_are_numbered_in_order(void **state)
{
    (void)state;
    struct toy toy = good;
    toy.left_out = "split_ids";
    struct dataset *dataset = load_good(&toy, 4);
    for (size_t i = 0; i < 3; i++)
        expect_official(dataset, i, i);
    assert_int_equal(dataset->splits[3].source, SPLIT_RESAMPLED);
    release_dataset(dataset);
}

static void without_mult_rows_are_counted_in_the_first_split(void **state)
{
    (void)state;
    struct toy toy = good;
    toy.left_out = "mult";
    struct dataset *dataset = load_good(&toy, 1);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(dataset->multiplicity[i], (size_t)good.mult[i]);
    assert_int_equal(dataset->full_size, 9);
    release_dataset(dataset);
}

/* One change to the valid file and the expected message. */
struct change {
    size_t offset; /* offset of a double in struct toy; 0: none */
    double value;
    const char *left_out, *as_text, *message;
};

#define AT(field, number) (offsetof(struct toy, field) + (number) * sizeof(double))

static void one_wrong_value_is_named_with_its_place(void **state)
{
    (void)state;
    static const struct change changes[] = {
        {AT(x, 8), (double)NAN, NULL, NULL, ": banana.x(3,2) = nan is not a number up to 1e+100 in size"},
        {AT(x, 2), -(double)INFINITY, NULL, NULL, ": banana.x(3,1) = -inf is not a number"},
        {AT(x, 0), 1e101, NULL, NULL, ": banana.x(1,1) = 1e+101 is not a number"},
        {AT(t, 1), 0, NULL, NULL, ": banana.t(2) = 0 is not +1 or -1"},
        {AT(t, 5), (double)NAN, NULL, NULL, ": banana.t(6) = nan is not +1 or -1"},
        {AT(train, 4), 7, NULL, NULL, ": banana.train(2,2) = 7 is not a whole number from 1 to 6"},
        {AT(train, 4), 0, NULL, NULL, ": banana.train(2,2) = 0 is not a whole number from 1 to 6"},
        {AT(train, 0), 1.5, NULL, NULL, ": banana.train(1,1) = 1.5 is not a whole number from 1 to 6"},
        {AT(test, 11), -1, NULL, NULL, ": banana.test(3,4) = -1 is not a whole number from 1 to 6"},
        {AT(test, 11), 1e300, NULL, NULL, ": banana.test(3,4) = 1e+300 is not a whole number from 1 to 6"},
        {AT(test, 11), 3, NULL, NULL, ": banana: row 3 occurs 3 times in train(3,:) and test(3,:), but 2 times in"},
        {AT(ids, 1), 7, NULL, NULL, ": banana.split_ids: 7 occurs twice"},
        {AT(ids, 1), -1, NULL, NULL, ": banana.split_ids(1,2) = -1 is not a whole number from 0 to 1000000"},
        {AT(mult, 4), 2, NULL, NULL, ": banana: row 5 occurs 3 times in train(1,:) and test(1,:), but 2 times in"},
        {AT(mult, 4), 0.5, NULL, NULL, ": banana.mult(5,1) = 0.5 is not a whole number"},
        {0, 0, "x", NULL, ": banana has no field \"x\""},
        {0, 0, "t", NULL, ": banana has no field \"t\""},
        {0, 0, "train", NULL, ": banana has no field \"train\""},
        {0, 0, "test", NULL, ": banana has no field \"test\""},
        {0, 0, NULL, "x", ": banana.x is not a real numeric matrix"},
        {0, 0, NULL, "t", ": banana.t is not a real numeric matrix"},
        {0, 0, NULL, "train", ": banana.train is not a real numeric matrix"},
        {0, 0, NULL, "mult", ": banana.mult is not a real numeric matrix"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct toy toy = good;
        struct dataset other, *dataset = &other;
        struct error error = {STATUS_OK, ""};
        if (changes[i].offset)
            memcpy((char *)&toy + changes[i].offset, &changes[i].value, sizeof(double));
        toy.left_out = changes[i].left_out;
        toy.as_text = changes[i].as_text;
        toy_write(&toy);
        enum status status = load(3, &dataset, &error);
        if (status != STATUS_BAD_INPUT || !strstr(error.message, changes[i].message) ||
            strncmp(error.message, path, strlen(path)) != 0)
            fail_msg("case %zu: status %d, \"%s\" has no \"%s\"", i, (int)status, error.message, changes[i].message);
        assert_null(dataset);
    }
}

static void expect_refused(const struct toy *toy, const char *message)
{
    struct dataset other, *dataset = &other; /* NULL after an error */
    struct error error = {STATUS_OK, ""};
    toy_write(toy);
    assert_int_equal(load(3, &dataset, &error), STATUS_BAD_INPUT);
    assert_null(dataset);
    if (!strstr(error.message, message))
        fail_msg("\"%s\" has no \"%s\"", error.message, message);
}

static void wrong_sizes_and_shapes_are_refused(void **state)
{
    (void)state;
    struct toy toy = good;
    toy.t_rows = 5;
    expect_refused(&toy, ": banana.t is 5 x 1, but there are 6 rows in x");
    toy = good;
    toy.x_rows = 0;
    toy.t_rows = 0;
    expect_refused(&toy, ": banana: no rows");
    toy = good;
    toy.test_rows = 2;
    expect_refused(&toy, ": banana.train has 3 rows and banana.test 2");
    toy = good;
    toy.test_columns = 0;
    expect_refused(&toy, ": banana.test has no columns");
    toy = good;
    toy.n_ids = 2;
    expect_refused(&toy, ": banana.split_ids is 1 x 2, but there are 3 splits");
    toy = good;
    toy.train_rows = toy.test_rows = toy.n_ids = 4; /* numbers are checked before rows; no row is 0 */
    for (size_t i = 15; i < 20; i++)
        toy.train[i] = 1;
    for (size_t i = 12; i < 16; i++)
        toy.test[i] = 1;
    memcpy(toy.ids, (const double[]){5, 7, 7, 5}, sizeof toy.ids);
    expect_refused(&toy, ": banana.split_ids: 5 occurs twice"); /* the first in the file */
    toy = good;
    toy.n_mult = 5;
    expect_refused(&toy, ": banana.mult is 5 x 1, but there are 6 rows in x");
    toy = good;
    toy.not_struct = 1;
    expect_refused(&toy, ": banana is not a struct of size 1 x 1");
}

static void one_class_is_refused_in_the_set_and_in_a_train_part(void **state)
{
    (void)state;
    struct toy toy = good;
    for (size_t i = 0; i < 6; i++)
        toy.t[i] = 1;
    expect_refused(&toy, ": banana.train(1,:) has only one class");
    toy = good;
    /* Split 2 trains on rows 5, 6, 5, 2, 1: with these positive and 3 negative, only this split has one class. */
    toy.t[5] = 1;
    toy.t[1] = 1;
    toy.t[2] = -1;
    expect_refused(&toy, ": banana.train(2,:) has only one class");
    toy = good;
    for (size_t i = 0; i < 6; i++)
        toy.t[i] = -1;
    toy.train_rows = toy.test_rows = toy.n_ids = 0;
    expect_refused(&toy, ": banana: all labels are -1; both classes are needed");
    toy = good;
    toy.train_rows = toy.test_rows = toy.n_ids = 0;
    toy.left_out = "mult";
    expect_refused(&toy, ": banana has neither splits nor a field \"mult\"");
}

static void a_file_without_the_variable_does_not_hold_the_set(void **state)
{
    (void)state;
    struct toy toy = good;
    struct dataset *dataset = NULL;
    struct error error;
    toy.variable = "bananas";
    toy_write(&toy);
    assert_int_equal(load(3, &dataset, &error), STATUS_NOT_FOUND);
    assert_non_null(strstr(error.message, "banana: no file benchmarks.mat or benchmarks_partial.mat contains this "
                                          "data set; datasets/fetch.sh downloads it; searched: /tmp/"));
    assert_null(dataset);
}

/* A struct with a cell array, which nobody reads, and a number, which is the last element of the file; its type is
 * changed to 99. */
static void what_stands_behind_a_nested_array_is_looked_at_too(void **state)
{
    (void)state;
    size_t one[2] = {1, 1}, size = 0;
    double number = 3;
    char *text = NULL;
    struct dataset *dataset = NULL;
    struct error error;
    mat_t *file = Mat_CreateVer(path, NULL, MAT_FT_MAT5);
    matvar_t *variable = Mat_VarCreateStruct("banana", 2, one, NULL, 0);
    matvar_t *cell = Mat_VarCreate("first", MAT_C_CELL, MAT_T_CELL, 2, one, NULL, 0);
    assert_true(file && variable && cell);
    Mat_VarSetCell(cell, 0, Mat_VarCreate(NULL, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, one, &number, 0));
    Mat_VarAddStructField(variable, "first");
    Mat_VarSetStructFieldByName(variable, "first", 0, cell);
    Mat_VarAddStructField(variable, "x");
    Mat_VarSetStructFieldByName(variable, "x", 0,
                                Mat_VarCreate("x", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, one, &number, 0));
    assert_int_equal(Mat_VarWrite(file, variable, MAT_COMPRESSION_NONE), 0);
    Mat_VarFree(variable);
    Mat_Close(file);
    text = read_file(path, &size);
    assert_int_equal(load(1, &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "banana has no field \"t\""));
    uint32_t type;
    memcpy(&type, text + size - 16, sizeof type);
    assert_int_equal(type, MAT_T_DOUBLE);
    type = 99;
    memcpy(text + size - 16, &type, sizeof type);
    file_write(path, text, size);
    assert_int_equal(load(1, &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "unknown type"));
    free(text);
}

/* One class of numbers in x. */
struct number_class {
    enum matio_classes class;
    enum matio_types type;
    size_t size;
    int is_signed, is_real;
};
static const struct number_class number_classes[] = {
    {MAT_C_DOUBLE, MAT_T_DOUBLE, 8, 1, 1}, {MAT_C_SINGLE, MAT_T_SINGLE, 4, 1, 1}, {MAT_C_INT8, MAT_T_INT8, 1, 1, 0},
    {MAT_C_UINT8, MAT_T_UINT8, 1, 0, 0},   {MAT_C_INT16, MAT_T_INT16, 2, 1, 0},   {MAT_C_UINT16, MAT_T_UINT16, 2, 0, 0},
    {MAT_C_INT32, MAT_T_INT32, 4, 1, 0},   {MAT_C_UINT32, MAT_T_UINT32, 4, 0, 0}, {MAT_C_INT64, MAT_T_INT64, 8, 1, 0},
    {MAT_C_UINT64, MAT_T_UINT64, 8, 0, 0},
};

/* The good file with x of that class. This machine is little-endian, so an integer's lowest bytes come first. */
static void write_x_of(const struct number_class *class, const double values[12])
{
    size_t sizes[2] = {6, 2}, one[2] = {1, 1};
    unsigned char bytes[12 * 8];
    for (size_t i = 0; i < 12; i++) {
        const int64_t whole = (int64_t)values[i];
        const float single = (float)values[i];
        const void *real = class->size == 4 ? (const void *)&single : &values[i];
        const void *from = class->is_real ? real : &whole;
        memcpy(bytes + i * class->size, from, class->size);
    }
    mat_t *file = Mat_CreateVer(path, NULL, MAT_FT_MAT5);
    matvar_t *variable = Mat_VarCreateStruct("banana", 2, one, NULL, 0);
    assert_true(file && variable);
    Mat_VarAddStructField(variable, "x");
    Mat_VarSetStructFieldByName(variable, "x", 0, Mat_VarCreate("x", class->class, class->type, 2, sizes, bytes, 0));
    add(variable, &good, "t", good.t_rows, 1, good.t);
    add(variable, &good, "train", good.train_rows, 5, good.train);
    add(variable, &good, "test", good.test_rows, good.test_columns, good.test);
    assert_int_equal(Mat_VarWrite(file, variable, MAT_COMPRESSION_NONE), 0);
    Mat_VarFree(variable);
    Mat_Close(file);
}

static void swap(char *at, size_t size)
{
    for (size_t i = 0; i < size / 2; i++) {
        const char kept = at[i];
        at[i] = at[size - 1 - i];
        at[size - 1 - i] = kept;
    }
}

/* Gives elements the other byte order. */
static void swap_elements(char *at, size_t size)
{
    static const size_t sizes[] = {[1] = 1, [2] = 1, [3] = 2, [4] = 2,  [5] = 4,
                                   [6] = 4, [7] = 4, [9] = 8, [12] = 8, [13] = 8};
    for (const char *end = at + size; at < end;) {
        uint32_t tag[2];
        memcpy(tag, at, sizeof tag);
        const int is_packed = tag[0] >> 16 != 0;
        const uint32_t type = tag[0] & 0xffff, length = is_packed ? tag[0] >> 16 : tag[1];
        char *data = at + (is_packed ? 4 : 8);
        if (type == 14)
            swap_elements(data, length);
        for (uint32_t i = 0; type < 14 && i < length; i += (uint32_t)sizes[type])
            swap(data + i, sizes[type]);
        swap(at, 4);
        swap(at + 4, is_packed ? 0 : 4);
        at += is_packed ? 8 : 8 + (length + 7) / 8 * 8;
    }
}

static void numbers_of_every_type_are_read_in_both_byte_orders(void **state)
{
    (void)state;
    for (size_t c = 0; c < 2 * sizeof number_classes / sizeof *number_classes; c++) {
        const struct number_class *class = &number_classes[c / 2];
        double values[12];
        struct dataset *dataset = NULL;
        struct error error = {STATUS_OK, ""};
        for (size_t i = 0; i < 12; i++)
            values[i] = (class->is_signed ? (double)i - 6 : (double)(200 + i)) + (class->is_real ? 0.25 : 0);
        write_x_of(class, values);
        if (c % 2 == 1) {
            size_t size;
            char *text = read_file(path, &size);
            swap(text + 124, 2);
            swap(text + 126, 2);
            swap_elements(text + 128, size - 128);
            file_write(path, text, size);
            free(text);
        }
        if (load(3, &dataset, &error) != STATUS_OK)
            fail_msg("case %zu: %s", c, error.message);
        for (size_t i = 0; i < 12; i++)
            assert_true(dataset->patterns.values[i % 6 * 2 + i / 6] == values[i]);
        expect_official(dataset, 0, 0);
        release_dataset(dataset);
    }
}

static void other_files_are_not_taken_for_matlab_ones(void **state)
{
    (void)state;
    struct dataset *dataset = NULL;
    struct error error;
    char text[200];
    memset(text, 'x', sizeof text);
    file_write(path, text, sizeof text);
    assert_int_equal(load(3, &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "benchmarks.mat: not a MATLAB 5 file"));
    file_write(path, "", 0);
    assert_int_equal(load(3, &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "benchmarks.mat: 0 bytes: too short for a MATLAB 5 file"));
}

/* file_write syncs, which takes milliseconds; these tests write thousands of files. */
static void write_unsynced(const char *text, size_t size)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

/* The file truncated after every byte. Right after the header it is a valid file without variables. */
static void every_truncation_is_refused(void **state)
{
    (void)state;
    for (int packed = 0; packed < 2; packed++) {
        struct toy toy = good;
        char *text = NULL;
        size_t size = 0;
        struct error error;
        struct dataset *dataset = NULL;
        toy.compression = packed ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE;
        toy_write(&toy);
        text = read_file(path, &size);
        for (size_t cut = 0; cut < size; cut++) {
            write_unsynced(text, cut);
            enum status status = load(3, &dataset, &error);
            if (status != (cut == 128 ? STATUS_NOT_FOUND : STATUS_BAD_INPUT))
                fail_msg("cut at %zu of %zu: status %d, \"%s\"", cut, size, (int)status, error.message);
        }
        free(text);
    }
}

/* Each byte changed in three ways, or in one of them in turn unless HULLBENCH_TESTS=all. An uncompressed file has no
 * checksum, so a changed number may be accepted; what matters is a data set or an error. Changes that the checksum
 * of a compressed file does not cover (header text, spare bits at the end of the stream) change no value. */
static void every_damaged_byte_gets_an_orderly_answer(void **state)
{
    (void)state;
    static const unsigned char masks[] = {0x01, 0x80, 0xff};
    for (int packed = 0; packed < 2; packed++) {
        struct toy toy = good;
        char *text = NULL;
        size_t size = 0;
        struct error error;
        toy.compression = packed ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE;
        toy_write(&toy);
        text = read_file(path, &size);
        for (size_t i = 0; i < 3 * size; i++) {
            size_t at = i / 3;
            if (!all_tests() && i % 3 != at % 3)
                continue;
            struct dataset *dataset = NULL;
            char kept = text[at];
            text[at] = (char)(kept ^ masks[i % 3]);
            error.message[0] = '\0';
            write_unsynced(text, size);
            enum status status = load(3, &dataset, &error);
            assert_true(status == STATUS_OK ? dataset != NULL : dataset == NULL && error.message[0] != '\0');
            if (packed && status == STATUS_OK)
                for (size_t k = 0; k < 6; k++)
                    assert_true(dataset->patterns.values[2 * k] == good.x[k] &&
                                dataset->patterns.values[2 * k + 1] == good.x[6 + k] &&
                                dataset->y[k] == good.t[k]);
            release_dataset(dataset);
            text[at] = kept;
        }
        free(text);
    }
}

/* The counts are those in the file's description; split 10 of image is known to be a copy of split 1. The reader checks
 * that every split deals out the full set. */
static void the_partial_benchmark_file_is_read_whole(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t official, rows, full;
    } sets[] = {
        {"banana", 10, 5300, 5300},   {"breast-cancer", 10, 263, 277}, {"diabetis", 1, 768, 768},
        {"flare-solar", 5, 144, 1066}, {"german", 10, 1000, 1000},     {"heart", 10, 270, 270},
        {"image", 10, 2086, 2310},    {"ringnorm", 10, 7400, 7400},    {"splice", 0, 2991, 3175},
        {"thyroid", 0, 215, 215},     {"titanic", 10, 24, 2201},       {"twonorm", 1, 7400, 7400},
        {"waveform", 10, 5000, 5000},
    };
    size_t compared = 0;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const struct dataset_request request = {.set.name = sets[i].name, .search_path = getenv("HULLBENCH_DATA")};
        struct dataset *dataset = NULL;
        struct error error;
        enum status status = load_dataset(&request, &dataset, &error);
        if (status == STATUS_OK && !strstr(dataset->source, "benchmarks_partial.mat"))
            status = STATUS_NOT_FOUND;
        if (status != STATUS_NOT_FOUND) {
            if (status != STATUS_OK)
                fail_msg("%s", error.message);
            size_t official = 0;
            for (size_t k = 0; k < dataset->n_splits; k++)
                official += dataset->splits[k].source == SPLIT_OFFICIAL;
            assert_int_equal(official, sets[i].official);
            assert_int_equal(dataset->patterns.rows, sets[i].rows);
            assert_int_equal(dataset->full_size, sets[i].full);
            if (strcmp(sets[i].name, "image") == 0)
                assert_memory_equal(dataset->splits[0].train, dataset->splits[9].train, 1300 * sizeof(size_t));
            compared++;
        }
        release_dataset(dataset);
    }
    if (compared == 0)
        skip_for(no_data);
    assert_int_equal(compared, 13);
}

/* A stream of eight bytes: the tag of an array of nearly 4 GB. */
static void a_compressed_array_is_not_believed_to_be_larger_than_its_stream_can_hold(void **state)
{
    (void)state;
    static const unsigned char tag[] = {14, 0, 0, 0, 0xf8, 0xff, 0xff, 0xff};
    unsigned char text[256] = {[125] = 1, [126] = 'I', [127] = 'M', [128] = 15};
    struct dataset *dataset = NULL;
    struct error error;
    uLongf size = sizeof text - 136;
    assert_int_equal(compress(text + 136, &size, tag, sizeof tag), Z_OK);
    text[132] = (unsigned char)size;
    file_write(path, text, 136 + size);
    assert_int_equal(load(3, &dataset, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "element at byte 128: compressed data become more than 64 MiB"));
}

int main(void)
{
    gsl_set_error_handler_off();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_labels_and_multiplicities_are_read_row_by_row),
        cmocka_unit_test(listed_splits_keep_their_numbers_and_gaps_are_drawn),
        cmocka_unit_test(unknown_numbers_are_the_lowest_that_no_split_has),
        cmocka_unit_test(fewer_splits_are_the_ones_with_the_lowest_numbers),
        cmocka_unit_test(a_drawn_split_is_the_same_however_many_are_wanted),
        cmocka_unit_test(without_ids_splits_are_numbered_in_order),
        cmocka_unit_test(without_mult_rows_are_counted_in_the_first_split),
        cmocka_unit_test(one_wrong_value_is_named_with_its_place),
        cmocka_unit_test(wrong_sizes_and_shapes_are_refused),
        cmocka_unit_test(one_class_is_refused_in_the_set_and_in_a_train_part),
        cmocka_unit_test(a_file_without_the_variable_does_not_hold_the_set),
        cmocka_unit_test(what_stands_behind_a_nested_array_is_looked_at_too),
        cmocka_unit_test(numbers_of_every_type_are_read_in_both_byte_orders),
        cmocka_unit_test(other_files_are_not_taken_for_matlab_ones),
        cmocka_unit_test(a_compressed_array_is_not_believed_to_be_larger_than_its_stream_can_hold),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(every_damaged_byte_gets_an_orderly_answer),
        cmocka_unit_test(the_partial_benchmark_file_is_read_whole),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
