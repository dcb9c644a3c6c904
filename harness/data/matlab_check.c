/*
 * The structure of a MATLAB 5 file (MathWorks, MAT-File Format, "Level 5"): a header of 128 bytes (version at 124, byte
 * order at 126), then elements. Each element is a tag of two 32-bit words (type, bytes) and that many bytes, padded to
 * eight; up to four bytes may be packed into the tag. Type 15 is a zlib stream, with a checksum, of one element. Type
 * 14 is an array: flags, sizes, name, then numbers, or nested arrays for structs and cells.
 *
 * This check runs before matio sees the file: matio only warns about a truncated file and uses what it has, and with a
 * wrong length inside the file matio 1.5.23 may loop for many seconds or crash on an invalid address.
 */
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "harness/base/die.h"
#include "harness/data/dataset_parts.h"
#include "harness/support/input_stream.h"

enum { header_size = 128, tag_size = 8, MAX_DEPTH = 8, MAX_SIZES = 8, MAX_NAME = 256 };
enum { type_int8 = 1, type_int32 = 5, type_uint32 = 6, type_matrix = 14, type_compressed = 15 };
enum { class_cell = 1, class_struct = 2, class_char = 4, class_double = 6, class_uint64 = 15 };

/* A range of bytes to check, in an element of the file. */
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

static uint32_t word_at(const unsigned char *at, int big_endian)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; i++)
        word |= (uint32_t)at[big_endian ? 3 - i : i] << (8 * i);
    return word;
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

/* Reads the sizes of an array and multiplies them. */
static uint64_t sizes_take(struct span *span)
{
    const struct element element = element_expect(span, type_int32, "the sizes of an array are missing");
    uint64_t count = 1;
    require(span, element.size % 4 == 0 && element.size >= 8 && element.size <= 4 * MAX_SIZES,
            "an array does not have 2 to 8 sizes");
    for (size_t i = 0; i < element.size; i += 4) {
        const uint32_t size = word_at(element.bytes + i, span->big_endian);
        require(span, size <= INT32_MAX, "an array has a negative size");
        count *= size;
        /* the next product cannot overflow; no element is longer */
        require(span, count <= UINT64_C(1) << 32, "an array is too large");
    }
    return count;
}

static void numbers_check(struct span *span, uint64_t count, int complex, int text)
{
    static const unsigned char sizes[] = {[1] = 1, [2] = 1, [3] = 2, [4] = 2,  [5] = 4,
                                          [6] = 4, [7] = 4, [9] = 8, [12] = 8, [13] = 8};
    for (int part = 0; part < 1 + complex; part++) {
        if (count == 0 && span->left == 0)
            return;
        const struct element element = element_take(span);
        const size_t size = element.type < sizeof sizes ? sizes[element.type] : 0;
        if (text && element.type >= 16 && element.type <= 18)
            continue; /* a UTF-8 character has a variable number of bytes */
        require(span, size > 0, "the numbers of an array have an unknown type");
        require(span, element.size == count * size, "the number of values of an array does not match its sizes");
    }
}

/* Reads the field names of a struct; returns their number. */
static uint64_t names_take(struct span *span)
{
    const struct element length = element_expect(span, type_int32, "the length of field names is missing"),
                         names = element_expect(span, type_int8, "the field names are missing");
    const uint32_t each = length.size == 4 ? word_at(length.bytes, span->big_endian) : 0;
    require(span, each >= 1 && each <= MAX_NAME && names.size % each == 0, "the length of field names is wrong");
    for (size_t i = 0; i < names.size; i += each)
        require(span, memchr(names.bytes + i, '\0', each) != NULL, "a field name has no end");
    return names.size / each;
}

/* Checks the contents of one array and, recursively, of nested arrays, at most MAX_DEPTH levels deep. */
static void array_check(struct span *span, int depth)
{
    if (span->left == 0)
        return; /* an empty array may have no bytes */
    struct element element = element_expect(span, type_uint32, "the flags of an array are missing");
    require(span, element.size == 8, "the flags of an array are not 8 bytes long");
    const uint32_t flags = word_at(element.bytes, span->big_endian), class = flags & 0xff;
    const uint64_t count = sizes_take(span);
    element = element_expect(span, type_int8, "the name of an array is missing");
    require(span, element.size <= MAX_NAME, "the name of an array is too long");
    if (class == class_char || (class >= class_double && class <= class_uint64)) {
        numbers_check(span, count, (flags & 0x0800) != 0, class == class_char);
        return;
    }
    if (class != class_struct && class != class_cell) {
        /* sparse, function handle, ...: skipped, since nobody reads it; inside a struct matio would read it too */
        require(span, depth == 0, "a nested array is not numbers, text, a struct or a cell");
        return;
    }
    const uint64_t fields = class == class_struct ? names_take(span) : 1;
    require(span, depth < MAX_DEPTH, "arrays are nested too deeply");
    for (uint64_t i = 0, nested = fields ? count * fields : 0; i < nested; i++) {
        element = element_expect(span, type_matrix, "a nested array is missing");
        struct span inner = *span;
        inner.at = element.bytes;
        inner.left = element.size;
        array_check(&inner, depth + 1);
    }
}

/* Inflates a stream, which has to be one array, in the pool; the span becomes the array. The array's tag, inflated
 * first, says how many bytes follow; decompress_is_too_large decides whether that is allowed. */
static void stream_inflate(struct pool *pool, struct span *span)
{
    unsigned char tag[tag_size] = {0}, *bytes = NULL;
    uLongf used = sizeof tag, n_read = span->left;
    size_t size = 0;
    int result = uncompress2(tag, &used, span->at, &n_read);
    if (result == Z_OK || result == Z_BUF_ERROR) {
        size = tag_size + (size_t)word_at(tag + 4, span->big_endian);
        require(span, used == sizeof tag && word_at(tag, span->big_endian) == type_matrix,
                "compressed data are not exactly one array");
        require(span, !decompress_is_too_large((double)span->left, (double)size),
                "compressed data become more than 64 MiB and more than 200 times as large");
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
}

void matlab_check(const char *path, const void *file, size_t size)
{
    const unsigned char *bytes = file;
    struct pool *inner = pool_new();
    if (size < header_size)
        die(STATUS_BAD_INPUT, "%s: %zu bytes: too short for a MATLAB 5 file", path, size);
    const int big_endian = memcmp(bytes + 126, "MI", 2) == 0;
    if ((!big_endian && memcmp(bytes + 126, "IM", 2) != 0) || bytes[big_endian ? 124 : 125] != 1)
        die(STATUS_BAD_INPUT, "%s: not a MATLAB 5 file", path);
    for (size_t offset = header_size, length; offset < size; offset += tag_size + length) {
        const size_t left = size - offset;
        length = left < tag_size ? 0 : word_at(bytes + offset + 4, big_endian);
        if (left < tag_size || length > left - tag_size)
            die(STATUS_BAD_INPUT, "%s: cut off: the element at byte %zu extends beyond the end of the file",
                path, offset);
        struct span span = {bytes + offset + tag_size, length, big_endian, path, offset};
        const uint32_t type = word_at(bytes + offset, big_endian);
        require(&span, type == type_compressed || type == type_matrix, "neither an array nor compressed data");
        if (type == type_compressed)
            stream_inflate(inner, &span);
        array_check(&span, 0);
        pool_reset(inner);
    }
    pool_free(inner);
}
