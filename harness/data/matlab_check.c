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
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "harness/base/die.h"
#include "harness/data/dataset_parts.h"
#include "harness/support/decompress.h"

enum { header_size = 128, tag_size = 8, MAX_DEPTH = 8, MAX_SIZES = 8, MAX_NAME = 256 };
enum { type_int8 = 1, type_int32 = 5, type_uint32 = 6, type_matrix = 14, type_compressed = 15 };
enum { class_cell = 1, class_struct = 2, class_char = 4, class_double = 6, class_uint64 = 15 };

/* A range of bytes to check; `wrong` describes the first error. */
struct span {
    const unsigned char *at;
    size_t left;
    int big_endian;
    const char *wrong;
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

static int fails(struct span *span, const char *wrong)
{
    if (!span->wrong)
        span->wrong = wrong;
    return 0;
}

/* Takes the next element from the span; 0 if it does not fit. */
static int element_take(struct span *span, struct element *element)
{
    if (span->left < tag_size)
        return fails(span, "an element is missing");
    uint32_t first = word_at(span->at, span->big_endian);
    size_t whole = tag_size;
    element->type = first & 0xffff;
    element->size = first >> 16;
    element->bytes = span->at + 4;
    if (element->size > 4)
        return fails(span, "a packed element is longer than 4 bytes");
    if (element->size == 0) {
        element->type = first;
        element->size = word_at(span->at + 4, span->big_endian);
        element->bytes = span->at + tag_size;
        if (element->size > span->left - tag_size)
            return fails(span, "an element is longer than the element that contains it");
        whole += element->size + (8 - element->size % 8) % 8;
    }
    if (whole > span->left)
        whole = span->left; /* the padding of the last one is optional */
    span->at += whole;
    span->left -= whole;
    return 1;
}

static int element_expect(struct span *span, uint32_t type, const char *wrong, struct element *element)
{
    if (!element_take(span, element))
        return 0;
    return element->type == type ? 1 : fails(span, wrong);
}

/* Reads the sizes of an array and multiplies them. */
static int sizes_take(struct span *span, uint64_t *count)
{
    struct element element;
    if (!element_expect(span, type_int32, "the sizes of an array are missing", &element))
        return 0;
    if (element.size % 4 != 0 || element.size < 8 || element.size > 4 * MAX_SIZES)
        return fails(span, "an array does not have 2 to 8 sizes");
    *count = 1;
    for (size_t i = 0; i < element.size; i += 4) {
        uint32_t size = word_at(element.bytes + i, span->big_endian);
        if (size > INT32_MAX)
            return fails(span, "an array has a negative size");
        *count *= size;
        if (*count > UINT64_C(1) << 32) /* the next product cannot overflow; no element is longer */
            return fails(span, "an array is too large");
    }
    return 1;
}

static int numbers_check(struct span *span, uint64_t count, int complex, int text)
{
    static const unsigned char sizes[] = {[1] = 1, [2] = 1, [3] = 2, [4] = 2,  [5] = 4,
                                          [6] = 4, [7] = 4, [9] = 8, [12] = 8, [13] = 8};
    for (int part = 0; part < 1 + complex; part++) {
        struct element element;
        if (count == 0 && span->left == 0)
            return 1;
        if (!element_take(span, &element))
            return 0;
        size_t size = element.type < sizeof sizes ? sizes[element.type] : 0;
        if (text && element.type >= 16 && element.type <= 18)
            continue; /* a UTF-8 character has a variable number of bytes */
        if (size == 0)
            return fails(span, "the numbers of an array have an unknown type");
        if (element.size != count * size)
            return fails(span, "the number of values of an array does not match its sizes");
    }
    return 1;
}

/* Reads the field names of a struct. */
static int names_take(struct span *span, uint64_t *fields)
{
    struct element length, names;
    if (!element_expect(span, type_int32, "the length of field names is missing", &length) ||
        !element_expect(span, type_int8, "the field names are missing", &names))
        return 0;
    uint32_t each = length.size == 4 ? word_at(length.bytes, span->big_endian) : 0;
    if (each < 1 || each > MAX_NAME || names.size % each != 0)
        return fails(span, "the length of field names is wrong");
    *fields = names.size / each;
    for (size_t i = 0; i < names.size; i += each)
        if (!memchr(names.bytes + i, '\0', each))
            return fails(span, "a field name has no end");
    return 1;
}

/* Checks the contents of one array and, recursively, of nested arrays, at most MAX_DEPTH levels deep. */
static int array_check(struct span *span, int depth)
{
    struct element element;
    uint64_t count = 0, fields = 1;
    if (span->left == 0)
        return 1; /* an empty array may have no bytes */
    if (!element_expect(span, type_uint32, "the flags of an array are missing", &element))
        return 0;
    if (element.size != 8)
        return fails(span, "the flags of an array are not 8 bytes long");
    uint32_t flags = word_at(element.bytes, span->big_endian), class = flags & 0xff;
    if (!sizes_take(span, &count) || !element_expect(span, type_int8, "the name of an array is missing", &element))
        return 0;
    if (element.size > MAX_NAME)
        return fails(span, "the name of an array is too long");
    if (class == class_char || (class >= class_double && class <= class_uint64))
        return numbers_check(span, count, (flags & 0x0800) != 0, class == class_char);
    if (class != class_struct && class != class_cell)
        /* sparse, function handle, ...: skipped, since nobody reads it; inside a struct matio would read it too */
        return depth == 0 ? 1 : fails(span, "a nested array is not numbers, text, a struct or a cell");
    if (class == class_struct && !names_take(span, &fields))
        return 0;
    if (depth == MAX_DEPTH)
        return fails(span, "arrays are nested too deeply");
    for (uint64_t i = 0, nested = fields ? count * fields : 0; i < nested; i++) {
        if (!element_expect(span, type_matrix, "a nested array is missing", &element))
            return 0;
        struct span inner = {element.bytes, element.size, span->big_endian, NULL};
        if (!array_check(&inner, depth + 1))
            return fails(span, inner.wrong);
    }
    return 1;
}

/* Inflates a stream, which has to be one array, into *bytes (malloc'ed) of *size bytes. Returns the error, or NULL. The
 * array's tag, inflated first, says how many bytes follow; decompress_is_too_large decides whether that is allowed. */
static const char *stream_inflate(const unsigned char *packed, uint32_t n_packed, int big_endian, unsigned char **bytes,
                                  size_t *size)
{
    unsigned char tag[tag_size];
    uLongf used = sizeof tag, n_read = n_packed;
    int result = uncompress2(tag, &used, packed, &n_read);
    if (result == Z_OK || result == Z_BUF_ERROR) {
        *size = tag_size + (size_t)word_at(tag + 4, big_endian);
        if (used < sizeof tag || word_at(tag, big_endian) != type_matrix)
            return "compressed data are not exactly one array";
        if (decompress_is_too_large(n_packed, (double)*size))
            return "compressed data become more than 64 MiB and more than 200 times as large";
        used = *size;
        n_read = n_packed;
        *bytes = malloc(*size);
        result = *bytes ? uncompress2(*bytes, &used, packed, &n_read) : Z_MEM_ERROR;
    }
    if (result == Z_MEM_ERROR)
        return "out of memory";
    if (result == Z_DATA_ERROR)
        return "compressed data are damaged or cut off";
    return result != Z_OK || used != *size ? "compressed data are not exactly one array" : NULL;
}

/* The error in the element with that type and these bytes, or NULL. */
static const char *content_check(uint32_t type, const unsigned char *bytes, uint32_t size, int big_endian)
{
    unsigned char *inflated = NULL;
    struct span span = {bytes, size, big_endian, NULL};
    if (type == type_compressed) {
        size_t used = 0;
        span.wrong = stream_inflate(bytes, size, big_endian, &inflated, &used);
        if (!span.wrong)
            span = (struct span){inflated + tag_size, used - tag_size, big_endian, NULL};
    } else if (type != type_matrix)
        span.wrong = "neither an array nor compressed data";
    if (!span.wrong)
        array_check(&span, 0);
    free(inflated);
    return span.wrong;
}

void matlab_check(const struct input *input)
{
    const unsigned char *bytes = (const unsigned char *)input->text;
    if (input->size < header_size)
        die(STATUS_BAD_INPUT, "%s: %zu bytes: too short for a MATLAB 5 file", input->path, input->size);
    int big_endian = memcmp(bytes + 126, "MI", 2) == 0;
    if ((!big_endian && memcmp(bytes + 126, "IM", 2) != 0) || bytes[big_endian ? 124 : 125] != 1)
        die(STATUS_BAD_INPUT, "%s: not a MATLAB 5 file", input->path);
    for (size_t offset = header_size; offset < input->size;) {
        size_t left = input->size - offset;
        uint32_t size = left < tag_size ? 0 : word_at(bytes + offset + 4, big_endian);
        if (left < tag_size || size > left - tag_size)
            die(STATUS_BAD_INPUT, "%s: cut off: the element at byte %zu extends beyond the end of the file",
                input->path, offset);
        const char *wrong = content_check(word_at(bytes + offset, big_endian), bytes + offset + tag_size, size,
                                          big_endian);
        if (wrong)
            die(STATUS_BAD_INPUT, "%s: element at byte %zu: %s", input->path, offset, wrong);
        offset += tag_size + size;
    }
}
