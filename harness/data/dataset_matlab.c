/*
 * Reads one struct of a MATLAB 5 file in the layout of the public benchmarks.mat, with matio:
 *     x      rows x dims, the distinct (pattern, label) rows     t      rows labels, +1 or -1
 *     train  splits x n_train, rows from 1                       test   splits x n_test, rows from 1
 * An index occurs in a split as often as its row occurs in the full set, so train and test together are the same
 * multiset in every split; this is checked. Two fields are optional:
 *     split_ids  the number of each split, 0 if unknown; default 1, 2, ...
 *     mult       how often each row occurs in the full set; default: counted from the first split.
 * MATLAB stores matrices column by column; element (i, j), from 1, of an m-row matrix is number (i - 1) + (j - 1) m.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <matio.h>

#include "harness/data/dataset_parts.h"
#include "harness/data/split.h"
#include "harness/data/text_reader.h"
#include "harness/support/file.h"
#include "harness/support/lazy_library.h"
#include "harness/support/sha256.h"

#define MATIO_FUNCTIONS(F, x) \
    F(x, Mat_Open) \
    F(x, Mat_Close) \
    F(x, Mat_LogInitFunc) \
    F(x, Mat_SizeOfClass) \
    F(x, Mat_VarReadInfo) \
    F(x, Mat_VarRead) \
    F(x, Mat_VarFree) \
    F(x, Mat_VarGetStructFieldByName)
LAZY_FUNCTIONS(matio, MATIO_FUNCTIONS);
/* The Makefile defines MATIO_SONAME, the name under which the linker found matio, where it can tell it. */
#ifdef MATIO_SONAME
LAZY_LOADED(matio, MATIO_FUNCTIONS, MATIO_SONAME)
#else
LAZY_LINKED(matio, MATIO_FUNCTIONS)
#endif

/* A numeric matrix inside the struct, with the context for its messages. */
struct matrix {
    const char *path, *variable, *field;
    const matvar_t *values;
    size_t rows, columns;
};

/* Ends with "PATH: VARIABLE" and a message about the matrix. */
#define refuse(matrix, format, ...) \
    die(STATUS_BAD_INPUT, "%s: %s" format, (matrix)->path, (matrix)->variable, __VA_ARGS__)

/* matio has one log function per process, which prints by default; this file detects and reports errors itself. */
static void no_log(int level, char *message)
{
    (void)level;
    (void)message;
}

/* The same for matio of Debian 13, which passes a const message. */
static void no_const_log(int level, const char *message)
{
    (void)level;
    (void)message;
}

static double element(const struct matrix *matrix, size_t row, size_t column)
{
    const size_t at = row + column * matrix->rows;
    const void *data = matrix->values->data;
#define ELEMENT_OF(class, type) \
    case class: \
        return (double)((const type *)data)[at]
    switch (matrix->values->class_type) {
        ELEMENT_OF(MAT_C_DOUBLE, double);
        ELEMENT_OF(MAT_C_SINGLE, float);
        ELEMENT_OF(MAT_C_INT8, int8_t);
        ELEMENT_OF(MAT_C_UINT8, uint8_t);
        ELEMENT_OF(MAT_C_INT16, int16_t);
        ELEMENT_OF(MAT_C_UINT16, uint16_t);
        ELEMENT_OF(MAT_C_INT32, int32_t);
        ELEMENT_OF(MAT_C_UINT32, uint32_t);
        ELEMENT_OF(MAT_C_INT64, int64_t);
        ELEMENT_OF(MAT_C_UINT64, uint64_t);
    default:
        return (double)NAN;
    }
}

/* Finds a field and checks that it is a real, full, two-dimensional numeric matrix with all its values. A missing field
 * leaves values NULL, and is an error if required. */
static void matrix_get(const struct matio_functions *matio, matvar_t *variable, struct matrix *matrix, int required)
{
    matrix->values = matio->Mat_VarGetStructFieldByName(variable, matrix->field, 0);
    if (!matrix->values && required)
        refuse(matrix, " has no field \"%s\"", matrix->field);
    if (!matrix->values)
        return;
    enum matio_classes class = matrix->values->class_type;
    size_t size = class >= MAT_C_DOUBLE && class <= MAT_C_UINT64 ? matio->Mat_SizeOfClass((int)class) : 0;
    if (size == 0 || matrix->values->isComplex || matrix->values->rank != 2 || !matrix->values->dims)
        refuse(matrix, ".%s is not a real numeric matrix", matrix->field);
    matrix->rows = matrix->values->dims[0];
    matrix->columns = matrix->values->dims[1];
    if (matrix->rows == 0 || matrix->columns == 0)
        return;
    if (matrix->rows > SIZE_MAX / size / matrix->columns || !matrix->values->data ||
        matrix->values->nbytes != matrix->rows * matrix->columns * size)
        refuse(matrix, ".%s: the file does not contain all %zu x %zu values", matrix->field, matrix->rows,
               matrix->columns);
}

/* The integer from `min` to `max` at (row, column). */
static size_t integer_get(const struct matrix *matrix, size_t row, size_t column, size_t min, size_t max)
{
    double value = element(matrix, row, column);
    if (!(value >= (double)min && value <= (double)max) || value != floor(value))
        refuse(matrix, ".%s(%zu,%zu) = %g is not a whole number from %zu to %zu", matrix->field, row + 1, column + 1,
               value, min, max);
    return (size_t)value;
}

/* The same for element i of a row or a column. */
static size_t vector_get(const struct matrix *matrix, size_t i, size_t max)
{
    return matrix->rows == 1 ? integer_get(matrix, 0, i, 0, max) : integer_get(matrix, i, 0, 0, max);
}

static void check_vector(const struct matrix *matrix, size_t length, const char *what)
{
    if (matrix->rows * matrix->columns != length || (length > 0 && matrix->rows != 1 && matrix->columns != 1))
        refuse(matrix, ".%s is %zu x %zu, but there are %zu %s", matrix->field, matrix->rows, matrix->columns, length,
               what);
}

static void patterns_read(const struct matrix *x, const struct matrix *t, struct dataset *dataset)
{
    check_vector(t, x->rows, "rows in x");
    dataset_allocate(dataset, x->rows, x->columns);
    for (size_t i = 0; i < x->rows; i++)
        for (size_t j = 0; j < x->columns; j++) {
            double value = element(x, i, j);
            if (!(fabs(value) <= DATASET_LARGEST))
                refuse(x, ".x(%zu,%zu) = %g is not a number up to %g in size", i + 1, j + 1, value, DATASET_LARGEST);
            dataset->patterns.values[i * x->columns + j] = value;
        }
    for (size_t i = 0; i < x->rows; i++) {
        double label = t->rows == 1 ? element(t, 0, i) : element(t, i, 0);
        if (label != 1 && label != -1)
            refuse(t, ".t(%zu) = %g is not +1 or -1", i + 1, label);
        dataset->y[i] = label > 0 ? 1 : -1;
    }
}

static void lists_read(struct pool *pool, const struct matrix *train, const struct matrix *test, size_t rows,
                       struct listed_splits *listed)
{
    if (train->rows != test->rows)
        refuse(train, ".train has %zu rows and %s.test %zu", train->rows, train->variable, test->rows);
    if (train->rows == 0)
        return;
    if (train->columns == 0 || test->columns == 0)
        refuse(train, ".%s has no columns", train->columns == 0 ? "train" : "test");
    size_t size = train->columns + test->columns;
    listed->n_train = train->columns;
    listed->n_test = test->columns;
    listed->indices = pool_array(pool, train->rows, size * sizeof *listed->indices);
    listed->numbers = pool_array(pool, train->rows, sizeof *listed->numbers);
    listed->count = train->rows;
    for (size_t i = 0; i < listed->count; i++)
        for (size_t j = 0; j < size; j++) {
            int training = j < train->columns;
            listed->indices[i * size + j] =
                integer_get(training ? train : test, i, training ? j : j - train->columns, 1, rows) - 1;
        }
}

static int number_taken(const struct listed_splits *listed, size_t number, size_t except)
{
    for (size_t i = 0; i < listed->count; i++)
        if (i != except && listed->numbers[i] == number)
            return 1;
    return 0;
}

/* Without split_ids the splits are 1, 2, ...; with them, splits of unknown number get the lowest unused numbers. */
static void numbers_read(const struct matrix *ids, struct listed_splits *listed)
{
    if (ids->values)
        check_vector(ids, listed->count, "splits");
    for (size_t i = 0; i < listed->count; i++)
        listed->numbers[i] = ids->values ? vector_get(ids, i, 1000000) : i + 1;
    for (size_t i = 0; i < listed->count; i++)
        if (listed->numbers[i] && number_taken(listed, listed->numbers[i], i))
            refuse(ids, ".split_ids: %zu occurs twice", listed->numbers[i]);
    for (size_t i = 0, free_number = 1; i < listed->count; i++) {
        if (listed->numbers[i])
            continue;
        while (number_taken(listed, free_number, i))
            free_number++;
        listed->numbers[i] = free_number;
    }
}

static void multiplicities_read(const struct matrix *mult, const struct listed_splits *listed,
                                struct dataset *dataset)
{
    if (!mult->values && listed->count == 0)
        refuse(mult, " has neither splits nor a field \"%s\", so it is unknown how often each row occurs", mult->field);
    if (!mult->values) {
        memset(dataset->multiplicity, 0, dataset->patterns.rows * sizeof *dataset->multiplicity);
        for (size_t j = 0; j < listed->n_train + listed->n_test; j++)
            dataset->multiplicity[listed->indices[j]]++;
        return;
    }
    check_vector(mult, dataset->patterns.rows, "rows in x");
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        dataset->multiplicity[i] = vector_get(mult, i, 1000000000);
}

/* Checks that every split deals out the full set and that its train part has both classes. */
static void lists_check(struct pool *pool, const struct matrix *train, const struct dataset *dataset,
                        const struct listed_splits *listed)
{
    size_t size = listed->n_train + listed->n_test;
    size_t *seen = pool_array(pool, dataset->patterns.rows, sizeof *seen);
    for (size_t i = 0; i < listed->count; i++) {
        const size_t *list = listed->indices + i * size;
        memset(seen, 0, dataset->patterns.rows * sizeof *seen);
        for (size_t j = 0; j < size; j++)
            seen[list[j]]++;
        if (!split_has_both_classes(dataset->y, list, listed->n_train))
            refuse(train, ".train(%zu,:) has only one class", i + 1);
        for (size_t row = 0; row < dataset->patterns.rows; row++)
            if (seen[row] != dataset->multiplicity[row])
                refuse(train,
                       ": row %zu occurs %zu times in train(%zu,:) and test(%zu,:), but %zu times in the full data set",
                       row + 1, seen[row], i + 1, i + 1, dataset->multiplicity[row]);
    }
}

static void struct_read(struct pool *pool, const struct matlab_file *file, matvar_t *variable, const char *name,
                        struct dataset *dataset, struct listed_splits *listed)
{
    enum { X, T, TRAIN, TEST, REQUIRED, IDS = REQUIRED, MULT, FIELDS };
    static const char *const names[FIELDS] = {"x", "t", "train", "test", "split_ids", "mult"};
    struct matrix fields[FIELDS];
    if (!variable || variable->class_type != MAT_C_STRUCT || !variable->data || variable->rank != 2 ||
        !variable->dims || variable->dims[0] != 1 || variable->dims[1] != 1)
        die(STATUS_BAD_INPUT, "%s: %s is not a struct of size 1 x 1", file->path, name);
    for (size_t i = 0; i < FIELDS; i++) {
        fields[i] = (struct matrix){.path = file->path, .variable = name, .field = names[i]};
        matrix_get(file->matio, variable, &fields[i], i < REQUIRED);
    }
    patterns_read(&fields[X], &fields[T], dataset);
    lists_read(pool, &fields[TRAIN], &fields[TEST], dataset->patterns.rows, listed);
    numbers_read(&fields[IDS], listed);
    multiplicities_read(&fields[MULT], listed, dataset);
    lists_check(pool, &fields[TRAIN], dataset, listed);
}

static void close_stream(void *stream)
{
    fclose(stream);
}

static void close_file(void *data)
{
    struct matlab_file *file = data;
    file->matio->Mat_Close(file->mat);
}

struct matlab_file *matlab_file_open(struct pool *pool, const char *path, const char *known)
{
    struct matlab_file *file = pool_alloc(pool, sizeof *file);
    size_t size;
    struct pool *inner = pool_new();
    file->path = pool_strdup(pool, path);
    file->matio = pool_alloc(pool, sizeof *file->matio);
    FILE *stream = fopen(path, "rb");
    if (!stream)
        file_refuse(path, errno);
    const char *bytes = file_read_stream(inner, stream, path, &size);
    pool_keep(inner, close_stream, stream);
    sha256_hex(bytes, size, file->sha256);
    if (strcmp(file->sha256, known) != 0)
        matlab_check(path, bytes, size);
    matio_load(file->matio, path);
    file->matio->Mat_LogInitFunc("hullbench", _Generic(file->matio->Mat_LogInitFunc,
                                                       int (*)(const char *, void (*)(int, char *)): no_log,
                                                       default: no_const_log));
    /* Reopen the file that was checked, even if the path now names another one. */
    file->mat = file->matio->Mat_Open(pool_printf(inner, "/proc/self/fd/%d", fileno(stream)), MAT_ACC_RDONLY);
    if (!file->mat)
        file->mat = file->matio->Mat_Open(path, MAT_ACC_RDONLY);
    if (!file->mat)
        die(STATUS_BAD_INPUT, "%s: cannot be read as a MATLAB file", path);
    pool_keep(pool, close_file, file);
    pool_free(inner);
    return file;
}

/* A variable in memory. */
struct loaded {
    const struct matio_functions *matio;
    matvar_t *about, *values; /* NULL: there is no such variable, or it is no struct */
};

static void release_loaded(void *data)
{
    const struct loaded *loaded = data;
    loaded->matio->Mat_VarFree(loaded->about);
    loaded->matio->Mat_VarFree(loaded->values);
}

int dataset_read_matlab(struct pool *pool, const struct matlab_file *file, const char *variable,
                        struct dataset *dataset, struct listed_splits *listed)
{
    struct loaded *loaded = pool_alloc(pool, sizeof *loaded);
    loaded->matio = file->matio;
    pool_keep(pool, release_loaded, loaded);
    struct cleanup lock;
    matio_lock(&lock); /* matio shares the file position, and one log function per process */
    loaded->about = file->matio->Mat_VarReadInfo(file->mat, variable);
    /* Only structs are checked, so nothing else is read. */
    if (loaded->about && loaded->about->class_type == MAT_C_STRUCT)
        loaded->values = file->matio->Mat_VarRead(file->mat, variable);
    matio_unlock(&lock);
    if (loaded->about)
        struct_read(pool, file, loaded->values, variable, dataset, listed);
    return loaded->about != NULL;
}
