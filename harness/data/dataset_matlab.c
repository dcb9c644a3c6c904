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
#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset_parts.h"
#include "harness/data/matio_functions.h"
#include "harness/support/file.h"
#include "harness/support/sha256.h"

/* A numeric matrix inside the struct, with the context for its messages. */
struct matrix {
    const char *path, *variable, *field;
    const matvar_t *values;
    size_t rows, columns;
};

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
    size_t at = row + column * matrix->rows;
    const void *data = matrix->values->data;
    switch (matrix->values->class_type) {
    case MAT_C_DOUBLE:
        return ((const double *)data)[at];
    case MAT_C_SINGLE:
        return (double)((const float *)data)[at];
    case MAT_C_INT8:
        return ((const int8_t *)data)[at];
    case MAT_C_UINT8:
        return ((const uint8_t *)data)[at];
    case MAT_C_INT16:
        return ((const int16_t *)data)[at];
    case MAT_C_UINT16:
        return ((const uint16_t *)data)[at];
    case MAT_C_INT32:
        return ((const int32_t *)data)[at];
    case MAT_C_UINT32:
        return ((const uint32_t *)data)[at];
    case MAT_C_INT64:
        return (double)((const int64_t *)data)[at];
    case MAT_C_UINT64:
        return (double)((const uint64_t *)data)[at];
    default:
        return (double)NAN;
    }
}

/* Finds a field and checks that it is a real, full, two-dimensional numeric matrix with all its values. A missing field
 * leaves values NULL, and is an error if required. */
static enum status matrix_get(const struct matio_functions *matio, matvar_t *variable, struct matrix *matrix,
                              int required, struct error *error)
{
    matrix->values = matio->Mat_VarGetStructFieldByName(variable, matrix->field, 0);
    if (!matrix->values) {
        if (!required)
            return STATUS_OK;
        return error_set(error, STATUS_BAD_INPUT, "%s: %s has no field \"%s\"", matrix->path, matrix->variable,
                         matrix->field);
    }
    enum matio_classes class = matrix->values->class_type;
    size_t size = class >= MAT_C_DOUBLE && class <= MAT_C_UINT64 ? matio->Mat_SizeOfClass((int)class) : 0;
    if (size == 0 || matrix->values->isComplex || matrix->values->rank != 2 || !matrix->values->dims)
        return error_set(error, STATUS_BAD_INPUT, "%s: %s.%s is not a real numeric matrix", matrix->path,
                         matrix->variable, matrix->field);
    matrix->rows = matrix->values->dims[0];
    matrix->columns = matrix->values->dims[1];
    if (matrix->rows == 0 || matrix->columns == 0)
        return STATUS_OK;
    if (matrix->rows > SIZE_MAX / size / matrix->columns || !matrix->values->data ||
        matrix->values->nbytes != matrix->rows * matrix->columns * size)
        return error_set(error, STATUS_BAD_INPUT, "%s: %s.%s: the file does not contain all %zu x %zu values",
                         matrix->path, matrix->variable, matrix->field, matrix->rows, matrix->columns);
    return STATUS_OK;
}

/* Reads the integer from `min` to `max` at (row, column). */
static enum status integer_get(const struct matrix *matrix, size_t row, size_t column, size_t min, size_t max,
                             size_t *whole, struct error *error)
{
    double value = element(matrix, row, column);
    if (!(value >= (double)min && value <= (double)max) || value != floor(value))
        return error_set(error, STATUS_BAD_INPUT, "%s: %s.%s(%zu,%zu) = %g is not a whole number from %zu to %zu",
                         matrix->path, matrix->variable, matrix->field, row + 1, column + 1, value, min, max);
    *whole = (size_t)value;
    return STATUS_OK;
}

/* The same for element i of a row or a column. */
static enum status vector_get(const struct matrix *matrix, size_t i, size_t max, size_t *whole, struct error *error)
{
    return matrix->rows == 1 ? integer_get(matrix, 0, i, 0, max, whole, error)
                             : integer_get(matrix, i, 0, 0, max, whole, error);
}

static enum status is_vector(const struct matrix *matrix, size_t length, const char *what, struct error *error)
{
    if (matrix->rows * matrix->columns == length && (length == 0 || matrix->rows == 1 || matrix->columns == 1))
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "%s: %s.%s is %zu x %zu, but there are %zu %s", matrix->path,
                     matrix->variable, matrix->field, matrix->rows, matrix->columns, length, what);
}

static enum status patterns_read(const struct matrix *x, const struct matrix *t, struct dataset *dataset,
                                 struct error *error)
{
    enum status status = is_vector(t, x->rows, "rows in x", error);
    if (status == STATUS_OK)
        status = dataset_allocate(dataset, x->rows, x->columns, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < x->rows; i++)
        for (size_t j = 0; j < x->columns; j++) {
            double value = element(x, i, j);
            if (!(fabs(value) <= DATASET_LARGEST))
                return error_set(error, STATUS_BAD_INPUT, "%s: %s.x(%zu,%zu) = %g is not a number up to %g in size",
                                 x->path, x->variable, i + 1, j + 1, value, DATASET_LARGEST);
            dataset->patterns.values[i * x->columns + j] = value;
        }
    for (size_t i = 0; i < x->rows; i++) {
        double label = t->rows == 1 ? element(t, 0, i) : element(t, i, 0);
        if (label != 1 && label != -1)
            return error_set(error, STATUS_BAD_INPUT, "%s: %s.t(%zu) = %g is not +1 or -1", t->path, t->variable, i + 1,
                             label);
        dataset->y[i] = label > 0 ? 1 : -1;
    }
    return STATUS_OK;
}

static enum status lists_read(const struct matrix *train, const struct matrix *test, size_t rows,
                              struct listed_splits *listed, struct error *error)
{
    if (train->rows != test->rows)
        return error_set(error, STATUS_BAD_INPUT, "%s: %s.train has %zu rows and %s.test %zu", train->path,
                         train->variable, train->rows, train->variable, test->rows);
    if (train->rows == 0)
        return STATUS_OK;
    if (train->columns == 0 || test->columns == 0)
        return error_set(error, STATUS_BAD_INPUT, "%s: %s.%s has no columns", train->path, train->variable,
                         train->columns == 0 ? "train" : "test");
    size_t size = train->columns + test->columns;
    listed->n_train = train->columns;
    listed->n_test = test->columns;
    listed->indices = calloc(train->rows, size * sizeof *listed->indices);
    listed->numbers = calloc(train->rows, sizeof *listed->numbers);
    if (!listed->indices || !listed->numbers)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", train->path);
    listed->count = train->rows;
    for (size_t i = 0; i < listed->count; i++)
        for (size_t j = 0; j < size; j++) {
            int training = j < train->columns;
            size_t *index = &listed->indices[i * size + j];
            enum status status = integer_get(training ? train : test, i, training ? j : j - train->columns, 1, rows,
                                           index, error);
            if (status != STATUS_OK)
                return status;
            --*index;
        }
    return STATUS_OK;
}

static int number_taken(const struct listed_splits *listed, size_t number, size_t except)
{
    for (size_t i = 0; i < listed->count; i++)
        if (i != except && listed->numbers[i] == number)
            return 1;
    return 0;
}

/* Without split_ids the splits are 1, 2, ...; with them, splits of unknown number get the lowest unused numbers. */
static enum status numbers_read(const struct matrix *ids, struct listed_splits *listed, struct error *error)
{
    enum status status = ids->values ? is_vector(ids, listed->count, "splits", error) : STATUS_OK;
    for (size_t i = 0; i < listed->count && status == STATUS_OK; i++) {
        listed->numbers[i] = i + 1;
        if (ids->values)
            status = vector_get(ids, i, 1000000, &listed->numbers[i], error);
    }
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < listed->count; i++)
        if (listed->numbers[i] && number_taken(listed, listed->numbers[i], i))
            return error_set(error, STATUS_BAD_INPUT, "%s: %s.split_ids: %zu occurs twice", ids->path,
                             ids->variable, listed->numbers[i]);
    for (size_t i = 0, free_number = 1; i < listed->count; i++) {
        if (listed->numbers[i])
            continue;
        while (number_taken(listed, free_number, i))
            free_number++;
        listed->numbers[i] = free_number;
    }
    return STATUS_OK;
}

static enum status multiplicities_read(const struct matrix *mult, const struct listed_splits *listed,
                                       struct dataset *dataset, struct error *error)
{
    if (!mult->values && listed->count == 0)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: %s has neither splits nor a field \"mult\", so it is unknown how often each row occurs",
                         mult->path, mult->variable);
    if (!mult->values) {
        memset(dataset->multiplicity, 0, dataset->patterns.rows * sizeof *dataset->multiplicity);
        for (size_t j = 0; j < listed->n_train + listed->n_test; j++)
            dataset->multiplicity[listed->indices[j]]++;
        return STATUS_OK;
    }
    enum status status = is_vector(mult, dataset->patterns.rows, "rows in x", error);
    for (size_t i = 0; i < dataset->patterns.rows && status == STATUS_OK; i++)
        status = vector_get(mult, i, 1000000000, &dataset->multiplicity[i], error);
    return status;
}

/* Checks that every split deals out the full set and that its train part has both classes. */
static enum status lists_check(const char *path, const struct dataset *dataset, const struct listed_splits *listed,
                               const char *variable, struct error *error)
{
    enum status status = STATUS_OK;
    size_t size = listed->n_train + listed->n_test;
    size_t *seen = calloc(dataset->patterns.rows, sizeof *seen);
    if (!seen)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
    for (size_t i = 0; i < listed->count && status == STATUS_OK; i++) {
        const size_t *list = listed->indices + i * size;
        memset(seen, 0, dataset->patterns.rows * sizeof *seen);
        for (size_t j = 0; j < size; j++)
            seen[list[j]]++;
        if (!split_has_both_classes(dataset->y, list, listed->n_train))
            status = error_set(error, STATUS_BAD_INPUT, "%s: %s.train(%zu,:) has only one class", path, variable,
                               i + 1);
        for (size_t row = 0; row < dataset->patterns.rows && status == STATUS_OK; row++)
            if (seen[row] != dataset->multiplicity[row])
                status = error_set(error, STATUS_BAD_INPUT,
                                   "%s: %s: row %zu occurs %zu times in train(%zu,:) and test(%zu,:), but %zu times in "
                                   "the full data set", path, variable, row + 1, seen[row], i + 1, i + 1,
                                   dataset->multiplicity[row]);
    }
    free(seen);
    return status;
}

static enum status struct_read(const struct matlab_file *file, matvar_t *variable, const char *name,
                               struct dataset *dataset, struct listed_splits *listed, struct error *error)
{
    const char *path = file->path;
    enum { X, T, TRAIN, TEST, REQUIRED, IDS = REQUIRED, MULT, FIELDS };
    static const char *const names[FIELDS] = {"x", "t", "train", "test", "split_ids", "mult"};
    struct matrix fields[FIELDS];
    enum status status = STATUS_OK;
    if (variable->class_type != MAT_C_STRUCT || !variable->data || variable->rank != 2 || !variable->dims ||
        variable->dims[0] != 1 || variable->dims[1] != 1)
        return error_set(error, STATUS_BAD_INPUT, "%s: %s is not a struct of size 1 x 1", path, name);
    for (size_t i = 0; i < FIELDS && status == STATUS_OK; i++) {
        fields[i] = (struct matrix){.path = path, .variable = name, .field = names[i]};
        status = matrix_get(file->matio, variable, &fields[i], i < REQUIRED, error);
    }
    if (status == STATUS_OK)
        status = patterns_read(&fields[X], &fields[T], dataset, error);
    if (status == STATUS_OK)
        status = lists_read(&fields[TRAIN], &fields[TEST], dataset->patterns.rows, listed, error);
    if (status == STATUS_OK)
        status = numbers_read(&fields[IDS], listed, error);
    if (status == STATUS_OK)
        status = multiplicities_read(&fields[MULT], listed, dataset, error);
    return status == STATUS_OK ? lists_check(path, dataset, listed, name, error) : status;
}

enum status matlab_file_open(const char *path, struct matlab_file **out, struct error *error)
{
    struct matlab_file *file = calloc(1, sizeof *file);
    struct input input = {.path = path};
    struct pool *pool = pool_new();
    char again[40];
    FILE *stream = NULL;
    enum status status = STATUS_OK;
    if (!file || !(file->path = strdup(path)) || !(file->matio = calloc(1, sizeof *file->matio)))
        status = error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
    if (status == STATUS_OK && !(stream = fopen(path, "rb")))
        file_refuse(path, errno);
    if (status == STATUS_OK) {
        input.text = file_read_stream(pool, stream, path, &input.size);
        sha256_hex(input.text, input.size, file->sha256);
        status = matlab_check(&input, error);
    }
    if (status == STATUS_OK)
        matio_load(file->matio, path);
    if (status == STATUS_OK) {
        file->matio->Mat_LogInitFunc("hullbench", _Generic(file->matio->Mat_LogInitFunc,
                                                           int (*)(const char *, void (*)(int, char *)): no_log,
                                                           default: no_const_log));
        /* Reopen the file that was checked, even if the path now names another one. */
        snprintf(again, sizeof again, "/proc/self/fd/%d", fileno(stream));
        file->mat = file->matio->Mat_Open(again, MAT_ACC_RDONLY);
        if (!file->mat)
            file->mat = file->matio->Mat_Open(path, MAT_ACC_RDONLY);
        if (!file->mat)
            status = error_set(error, STATUS_BAD_INPUT, "%s: cannot be read as a MATLAB file", path);
    }
    if (stream)
        fclose(stream);
    pool_free(pool);
    *out = status == STATUS_OK ? file : NULL;
    if (status != STATUS_OK)
        matlab_file_free(file);
    return status;
}

void matlab_file_free(struct matlab_file *file)
{
    if (!file)
        return;
    if (file->mat)
        file->matio->Mat_Close(file->mat);
    free(file->matio);
    free(file->path);
    free(file);
}

/* Loads the variable, which has to be a struct, into *values. */
static enum status variable_load(const struct matlab_file *file, const char *variable, matvar_t **values,
                                 struct error *error)
{
    enum status status = STATUS_OK;
    /* Only structs are checked, so nothing else is read. */
    matvar_t *about = file->matio->Mat_VarReadInfo(file->mat, variable);
    if (about && about->class_type == MAT_C_STRUCT)
        *values = file->matio->Mat_VarRead(file->mat, variable);
    if (!about)
        status = error_set(error, STATUS_NOT_FOUND, "%s: no variable \"%s\"", file->path, variable);
    else if (!*values)
        status = error_set(error, STATUS_BAD_INPUT, "%s: %s is not a struct of size 1 x 1", file->path, variable);
    file->matio->Mat_VarFree(about);
    return status;
}

enum status dataset_read_matlab(const struct matlab_file *file, const char *variable, struct dataset *dataset,
                                struct listed_splits *listed, struct error *error)
{
    matvar_t *values = NULL;
    enum status status;
#pragma omp critical(matio) /* matio shares the file position, and one log function per process */
    status = variable_load(file, variable, &values, error);
    if (status == STATUS_OK)
        status = struct_read(file, values, variable, dataset, listed, error);
    file->matio->Mat_VarFree(values);
    return status;
}
