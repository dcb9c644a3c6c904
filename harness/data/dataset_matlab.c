/*
 * Reads one struct of a MATLAB 5 file in the layout of the public benchmarks.mat:
 *     x      rows x dims, the distinct (pattern, label) rows     t      rows labels, +1 or -1
 *     train  splits x n_train, rows from 1                       test   splits x n_test, rows from 1
 * An index occurs in a split as often as its row occurs in the full set, so train and test together are the same
 * multiset in every split; this is checked. Two fields are optional:
 *     split_ids  the number of each split, 0 if unknown; default 1, 2, ...
 *     mult       how often each row occurs in the full set; default: counted from the first split.
 * MATLAB stores matrices column by column; element (i, j), from 1, of an m-row matrix is number (i - 1) + (j - 1) m.
 *
 * The file (MathWorks, MAT-File Format, "Level 5") is a header of 128 bytes (version at 124, byte order at 126), then
 * elements. Each element is a tag of two 32-bit words (type, bytes) and that many bytes, padded to eight; up to four
 * bytes may be packed into the tag. Type 15 is a zlib stream, with a checksum, of one element. Type 14 is an array:
 * flags, sizes, name, then numbers, or nested arrays for a struct. A file is untrusted input: every length is checked
 * against the element that contains it. If the file is not the one of the manifest, the other arrays are inflated as
 * well, so that damage is found whatever data set is read.
 */
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "harness/data/dataset_parts.h"
#include "harness/data/text_reader.h"
#include "harness/support/file.h"

enum { header_size = 128, tag_size = 8, MAX_SIZES = 8, MAX_NAME = 256 };
enum { BEGIN_SIZE = 512 }; /* inflated bytes of an array that have its name */
enum { type_int8 = 1, type_uint8, type_int16, type_uint16, type_int32, type_uint32, type_single, type_double = 9,
       type_int64 = 12, type_uint64, type_matrix, type_compressed };
enum { class_struct = 2, class_double = 6, class_uint64 = 15 };

/* Bytes of a number of each type; 0: no number. */
static const unsigned char type_sizes[] = {
    [type_int8] = 1,  [type_uint8] = 1,  [type_int16] = 2,  [type_uint16] = 2, [type_int32] = 4,
    [type_uint32] = 4, [type_single] = 4, [type_double] = 8, [type_int64] = 8,  [type_uint64] = 8};

/* ---- elements ---- */

/* A range of bytes to read, in an element of the file. */
struct span {
    const unsigned char *at;
    size_t left;
    int big_endian;
    const char *path;
    size_t offset; /* of the element in the file */
};

struct element {
    uint32_t type;
    const unsigned char *bytes;
    size_t size;
};

/* The unsigned integer of `size` bytes. */
static uint64_t bits_at(const unsigned char *at, size_t size, int big_endian)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++)
        bits |= (uint64_t)at[big_endian ? size - 1 - i : i] << (8 * i);
    return bits;
}

static uint32_t word_at(const unsigned char *at, int big_endian)
{
    return (uint32_t)bits_at(at, 4, big_endian);
}

static void require(const struct span *span, int is_good, const char *wrong)
{
    if (!is_good)
        die(STATUS_BAD_INPUT, "%s: element at byte %zu: %s", span->path, span->offset, wrong);
}

/* Takes the next element from the span. */
static struct element element_take(struct span *span)
{
    require(span, span->left >= tag_size, "an element is missing");
    const uint32_t first = word_at(span->at, span->big_endian);
    struct element element = {first & 0xffff, span->at + 4, first >> 16};
    size_t whole = tag_size;
    require(span, element.size <= 4, "a packed element is longer than 4 bytes");
    if (element.size == 0) {
        element = (struct element){first, span->at + tag_size, word_at(span->at + 4, span->big_endian)};
        require(span, element.size <= span->left - tag_size,
                "an element is longer than the element that contains it");
        whole += element.size + (8 - element.size % 8) % 8;
    }
    if (whole > span->left)
        whole = span->left; /* the padding of the last one is optional */
    span->at += whole;
    span->left -= whole;
    return element;
}

static struct element element_expect(struct span *span, uint32_t type, const char *wrong)
{
    const struct element element = element_take(span);
    require(span, element.type == type, wrong);
    return element;
}

/* ---- arrays ---- */

/* An array, and the context for messages about it. */
struct array {
    const char *path, *variable, *field;
    int is_given, big_endian; /* is_given: the struct has the field, perhaps without bytes, whose class is 0 */
    uint32_t class, is_complex;
    size_t rank, rows, columns; /* the first two of its sizes */
    uint64_t count;             /* the product of all */
    struct element name, numbers;
};

/* Reads what precedes the contents of an array. */
static void array_begin(struct span *span, struct array *array)
{
    const struct element flags = element_expect(span, type_uint32, "the flags of an array are missing");
    require(span, flags.size == 8, "the flags of an array are not 8 bytes long");
    array->big_endian = span->big_endian;
    array->class = word_at(flags.bytes, span->big_endian) & 0xff;
    array->is_complex = word_at(flags.bytes, span->big_endian) >> 11 & 1;
    const struct element sizes = element_expect(span, type_int32, "the sizes of an array are missing");
    array->rank = sizes.size / 4;
    require(span, sizes.size % 4 == 0 && array->rank >= 2 && array->rank <= MAX_SIZES,
            "an array does not have 2 to 8 sizes");
    array->count = 1;
    for (size_t i = 0; i < array->rank; i++) {
        const uint32_t size = word_at(sizes.bytes + 4 * i, span->big_endian);
        require(span, size <= INT32_MAX, "an array has a negative size");
        array->count *= size;
        /* the next product cannot overflow; no element is longer */
        require(span, array->count <= UINT64_C(1) << 32, "an array is too large");
    }
    array->rows = word_at(sizes.bytes, span->big_endian);
    array->columns = word_at(sizes.bytes + 4, span->big_endian);
    array->name = element_expect(span, type_int8, "the name of an array is missing");
    require(span, array->name.size <= MAX_NAME, "the name of an array is too long");
}

static int is_real_matrix(const struct array *array)
{
    return array->class >= class_double && array->class <= class_uint64 && !array->is_complex && array->rank == 2;
}

/* Reads a field of the struct, with its numbers if it is a matrix. */
static void field_read(struct span span, struct array *field)
{
    field->is_given = 1;
    if (span.left == 0)
        return; /* an empty array may have no bytes */
    array_begin(&span, field);
    if (!is_real_matrix(field) || (field->count == 0 && span.left == 0))
        return;
    field->numbers = element_take(&span);
    const uint32_t type = field->numbers.type;
    const size_t size = type < sizeof type_sizes ? type_sizes[type] : 0;
    require(&span, size > 0, "the numbers of an array have an unknown type");
    require(&span, field->numbers.size == field->count * size,
            "the number of values of an array does not match its sizes");
}

/* ---- the file ---- */

/* Whether the array that begins there has the name; NULL: any. */
static int has_name(struct span span, const char *name)
{
    struct array array;
    if (!name || span.left == 0)
        return !name;
    array_begin(&span, &array);
    return array.name.size == strlen(name) && memcmp(array.name.bytes, name, array.name.size) == 0;
}

/* Inflates a stream, which has to be one array, into the pool; the span becomes the array. 0 if it has another name.
 * Its tag, inflated first, says how many bytes follow; decompress_is_too_large decides whether they may. */
static int stream_inflate(struct pool *pool, struct span *span, const char *name)
{
    unsigned char begin[BEGIN_SIZE] = {0}, *bytes = begin;
    uLongf used = sizeof begin, n_read = span->left;
    size_t size = 0;
    int result = uncompress2(begin, &used, span->at, &n_read);
    if (result == Z_OK || result == Z_BUF_ERROR) {
        struct span start = *span;
        size = tag_size + (size_t)word_at(begin + 4, span->big_endian);
        require(span, used >= tag_size && word_at(begin, span->big_endian) == type_matrix,
                "compressed data are not exactly one array");
        require(span, !decompress_is_too_large((double)span->left, (double)size),
                "compressed data become more than 64 MiB and more than 200 times as large");
        start.at = begin + tag_size;
        start.left = (used < size ? used : size) - tag_size;
        if (!has_name(start, name))
            return 0;
        used = size;
        n_read = span->left;
        bytes = pool_alloc(pool, size);
        result = uncompress2(bytes, &used, span->at, &n_read);
    }
    require(span, result != Z_MEM_ERROR, "out of memory");
    require(span, result != Z_DATA_ERROR, "compressed data are damaged or cut off");
    require(span, result == Z_OK && used == size, "compressed data are not exactly one array");
    span->at = bytes + tag_size;
    span->left = size - tag_size;
    return 1;
}

/* Finds the next array with that name, from *offset on, which moves behind it; NULL: with any. The span becomes the
 * array, inflated in the pool if it is compressed. 0 at the end of the file. */
static int next_array(struct pool *pool, const struct matlab_file *file, size_t *offset, const char *name,
                      struct span *span)
{
    int is_found = 0;
    while (*offset < file->size && !is_found) {
        const unsigned char *at = file->bytes + *offset;
        const size_t left = file->size - *offset, length = left < tag_size ? 0 : word_at(at + 4, file->big_endian);
        if (left < tag_size || length > left - tag_size)
            die(STATUS_BAD_INPUT, "%s: cut off: the element at byte %zu extends beyond the end of the file",
                file->path, *offset);
        *span = (struct span){at + tag_size, length, file->big_endian, file->path, *offset};
        *offset += tag_size + length;
        const uint32_t type = word_at(at, file->big_endian);
        require(span, type == type_compressed || type == type_matrix, "neither an array nor compressed data");
        is_found = type == type_compressed ? stream_inflate(pool, span, name) : has_name(*span, name);
    }
    return is_found;
}

struct matlab_file *matlab_file_open(struct pool *pool, const char *path, const char *known)
{
    struct matlab_file *file = pool_alloc(pool, sizeof *file);
    struct span span;
    file->path = pool_strdup(pool, path);
    file->bytes = (const unsigned char *)file_read(pool, path, &file->size);
    sha256_hex(file->bytes, file->size, file->sha256);
    if (file->size < header_size)
        die(STATUS_BAD_INPUT, "%s: %zu bytes: too short for a MATLAB 5 file", path, file->size);
    file->big_endian = memcmp(file->bytes + 126, "MI", 2) == 0;
    if ((!file->big_endian && memcmp(file->bytes + 126, "IM", 2) != 0) ||
        file->bytes[file->big_endian ? 124 : 125] != 1)
        die(STATUS_BAD_INPUT, "%s: not a MATLAB 5 file", path);
    if (strcmp(file->sha256, known) != 0) {
        struct pool *inner = pool_new();
        for (size_t offset = header_size; next_array(inner, file, &offset, NULL, &span);)
            pool_reset(inner);
        pool_free(inner);
    }
    return file;
}

/* ---- a data set ---- */

enum { X, T, TRAIN, TEST, REQUIRED, IDS = REQUIRED, MULT, FIELDS };
static const char *const field_names[FIELDS] = {"x", "t", "train", "test", "split_ids", "mult"};

/* Ends with "PATH: VARIABLE" and a message about the matrix. */
#define refuse(matrix, format, ...) \
    die(STATUS_BAD_INPUT, "%s: %s" format, (matrix)->path, (matrix)->variable, __VA_ARGS__)

static double element_at(const struct array *matrix, size_t row, size_t column)
{
    const struct element *numbers = &matrix->numbers;
    const size_t size = type_sizes[numbers->type], at = row + column * matrix->rows;
    const uint64_t bits = bits_at(numbers->bytes + at * size, size, matrix->big_endian);
    const uint64_t sign = UINT64_C(1) << (8 * size - 1);
    const uint32_t word = (uint32_t)bits;
    float single;
    double number;
    memcpy(&single, &word, sizeof single);
    memcpy(&number, &bits, sizeof number);
    switch (numbers->type) {
    case type_double:
        return number;
    case type_single:
        return single;
    case type_uint8:
    case type_uint16:
    case type_uint32:
    case type_uint64:
        return (double)bits;
    default:
        return (double)(int64_t)((bits ^ sign) - sign); /* extends the sign */
    }
}

/* The integer from `min` to `max` at (row, column). */
static size_t integer_get(const struct array *matrix, size_t row, size_t column, size_t min, size_t max)
{
    double value = element_at(matrix, row, column);
    if (!(value >= (double)min && value <= (double)max) || value != floor(value))
        refuse(matrix, ".%s(%zu,%zu) = %g is not a whole number from %zu to %zu", matrix->field, row + 1, column + 1,
               value, min, max);
    return (size_t)value;
}

/* The same for element i of a row or a column. */
static size_t vector_get(const struct array *matrix, size_t i, size_t max)
{
    return matrix->rows == 1 ? integer_get(matrix, 0, i, 0, max) : integer_get(matrix, i, 0, 0, max);
}

static void check_vector(const struct array *matrix, size_t length, const char *what)
{
    if (matrix->rows * matrix->columns != length || (length > 0 && matrix->rows != 1 && matrix->columns != 1))
        refuse(matrix, ".%s is %zu x %zu, but there are %zu %s", matrix->field, matrix->rows, matrix->columns, length,
               what);
}

static void patterns_read(const struct array *x, const struct array *t, struct dataset *dataset)
{
    check_vector(t, x->rows, "rows in x");
    dataset_allocate(dataset, x->rows, x->columns);
    for (size_t i = 0; i < x->rows; i++)
        for (size_t j = 0; j < x->columns; j++) {
            double value = element_at(x, i, j);
            if (!(fabs(value) <= DATASET_LARGEST))
                refuse(x, ".x(%zu,%zu) = %g is not a number up to %g in size", i + 1, j + 1, value, DATASET_LARGEST);
            dataset->patterns.values[i * x->columns + j] = value;
        }
    for (size_t i = 0; i < x->rows; i++) {
        double label = t->rows == 1 ? element_at(t, 0, i) : element_at(t, i, 0);
        if (label != 1 && label != -1)
            refuse(t, ".t(%zu) = %g is not +1 or -1", i + 1, label);
        dataset->y[i] = label > 0 ? 1 : -1;
    }
}

static void lists_read(struct pool *pool, const struct array *train, const struct array *test, size_t rows,
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
static void numbers_read(const struct array *ids, struct listed_splits *listed)
{
    if (ids->is_given)
        check_vector(ids, listed->count, "splits");
    for (size_t i = 0; i < listed->count; i++)
        listed->numbers[i] = ids->is_given ? vector_get(ids, i, 1000000) : i + 1;
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

static void multiplicities_read(const struct array *mult, const struct listed_splits *listed,
                                struct dataset *dataset)
{
    if (!mult->is_given && listed->count == 0)
        refuse(mult, " has neither splits nor a field \"%s\", so it is unknown how often each row occurs", mult->field);
    if (!mult->is_given) {
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
static void lists_check(struct pool *pool, const struct array *train, const struct dataset *dataset,
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

/* Reads the fields of the struct in the span. */
static void struct_read(struct span *span, const struct matlab_file *file, const char *variable, struct array *fields)
{
    struct array whole = {0};
    if (span->left > 0)
        array_begin(span, &whole);
    if (whole.class != class_struct || whole.rank != 2 || whole.rows != 1 || whole.columns != 1)
        die(STATUS_BAD_INPUT, "%s: %s is not a struct of size 1 x 1", file->path, variable);
    for (size_t f = 0; f < FIELDS; f++)
        fields[f] = (struct array){.path = file->path, .variable = variable, .field = field_names[f]};
    const struct element length = element_expect(span, type_int32, "the length of field names is missing");
    const struct element names = element_expect(span, type_int8, "the field names are missing");
    const size_t each = length.size == 4 ? word_at(length.bytes, span->big_endian) : 0;
    require(span, each >= 1 && each <= MAX_NAME && names.size % each == 0, "the length of field names is wrong");
    for (size_t i = 0; i < names.size; i += each) {
        const struct element element = element_expect(span, type_matrix, "a nested array is missing");
        struct span inner = *span;
        inner.at = element.bytes;
        inner.left = element.size;
        for (size_t f = 0; f < FIELDS; f++)
            if (strncmp((const char *)names.bytes + i, field_names[f], each) == 0)
                field_read(inner, &fields[f]);
    }
    for (size_t f = 0; f < FIELDS; f++)
        if (!fields[f].is_given && f < REQUIRED)
            refuse(&fields[f], " has no field \"%s\"", field_names[f]);
        else if (fields[f].is_given && !is_real_matrix(&fields[f]))
            refuse(&fields[f], ".%s is not a real numeric matrix", field_names[f]);
}

int dataset_read_matlab(struct pool *pool, const struct matlab_file *file, const char *variable,
                        struct dataset *dataset, struct listed_splits *listed)
{
    struct array fields[FIELDS];
    struct span span;
    size_t offset = header_size;
    if (!next_array(pool, file, &offset, variable, &span))
        return 0;
    struct_read(&span, file, variable, fields);
    patterns_read(&fields[X], &fields[T], dataset);
    lists_read(pool, &fields[TRAIN], &fields[TEST], dataset->patterns.rows, listed);
    numbers_read(&fields[IDS], listed);
    multiplicities_read(&fields[MULT], listed, dataset);
    lists_check(pool, &fields[TRAIN], dataset, listed);
    return 1;
}
