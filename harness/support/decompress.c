/*
 * libarchive decompresses all forms but gzip, of which it neither verifies the checksum nor reports what follows the
 * data. zlib does; a file may hold several parts of gzip, one directly after the other.
 */
#include "harness/support/decompress.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "harness/base/die.h"
#include "harness/base/memory.h"
#include "harness/support/archive_functions.h"

/* The Makefile defines the name under which the linker found libarchive, where it can tell it. */
#ifdef ARCHIVE_SONAME
LAZY_LOADED(archive, ARCHIVE_FUNCTIONS, ARCHIVE_SONAME)
#else
LAZY_LINKED(archive, ARCHIVE_FUNCTIONS)
#endif

static const struct form {
    const char *name, *magic;
    size_t magic_size;
} forms[] = {
    {"gzip", "\x1f\x8b", 2}, /* the first, which has no filter of libarchive */
    {"bzip2", "BZh\0\x31\x41\x59\x26\x53\x59", 10}, /* \0: any digit */
    {"bzip2", "BZh\0\x17\x72\x45\x38\x50\x90", 10}, /* empty file */
    {"xz", "\xfd" "7zXZ\0", 6},
    {"zstd", "\x28\xb5\x2f\xfd", 4},
};

struct decompressor {
    const struct form *form;
    const char *path;
    struct decompress_source source;
    double given, size; /* bytes that the source gave, and bytes produced */
    z_stream zlib;
    int in_part; /* of gzip */
    struct archive_functions functions;
    struct archive *archive;
    int is_empty; /* libarchive refuses to read nothing */
    struct error error; /* of the source, behind libarchive */
};

static const double max_ratio = 200; /* data and records shrink to a tenth, rarely to a 50th */

int decompress_is_too_large(double packed, double size)
{
    const double always_allowed = 64 << 20;
    return size > always_allowed && size > max_ratio * packed;
}

void decompress_check_size(const char *path, double packed, double size)
{
    if (decompress_is_too_large(packed, size))
        die(STATUS_BAD_INPUT,
            "%s: %.0f compressed bytes became %.0f; allowed: at most %.0f times as many beyond 64 MiB; if you "
            "trust the file, decompress it first",
            path, packed, size, max_ratio);
}

static _Noreturn void refuse(const struct decompressor *decompressor, const char *wrong)
{
    die(STATUS_BAD_INPUT, "%s: the %s data %s", decompressor->path, decompressor->form->name, wrong);
}

static const unsigned char *next(struct decompressor *decompressor, size_t *size)
{
    const unsigned char *bytes = decompressor->source.next(decompressor->source.context, size);
    decompressor->given += (double)*size;
    return bytes;
}

/* ---- gzip ---- */

static void gzip_fill(struct decompressor *decompressor)
{
    z_stream *zlib = &decompressor->zlib;
    union {
        const unsigned char *read;
        unsigned char *bytes; /* zlib takes its input without const */
    } from = {NULL};
    size_t size;
    from.read = next(decompressor, &size);
    zlib->next_in = from.bytes;
    zlib->avail_in = (unsigned)size;
}

static size_t gzip_read(struct decompressor *decompressor, char *to, size_t room)
{
    z_stream *zlib = &decompressor->zlib;
    zlib->next_out = (unsigned char *)to;
    zlib->avail_out = room < UINT_MAX ? (unsigned)room : UINT_MAX;
    while (zlib->avail_out > 0) {
        if (zlib->avail_in == 0)
            gzip_fill(decompressor);
        if (zlib->avail_in == 0 && decompressor->in_part)
            refuse(decompressor, "end too early, so the file is cut off");
        if (zlib->avail_in == 0)
            break;
        if (!decompressor->in_part && *zlib->next_in == 0) { /* zeros may follow a part, as on tapes */
            zlib->next_in++;
            zlib->avail_in--;
            continue;
        }
        const int result = inflate(zlib, Z_NO_FLUSH);
        decompressor->in_part = result != Z_STREAM_END;
        if (result == Z_MEM_ERROR || (result == Z_STREAM_END && inflateReset(zlib) != Z_OK))
            out_of_memory();
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
            refuse(decompressor, "are damaged");
    }
    return (size_t)(zlib->next_out - (unsigned char *)to);
}

/* ---- the others ---- */

/* The bytes that libarchive asks for. An error must not pass libarchive's frames, so it is kept. */
struct giving {
    struct decompressor *decompressor;
    const unsigned char *bytes;
    size_t size;
};

static void give_next(void *data)
{
    struct giving *giving = data;
    giving->bytes = next(giving->decompressor, &giving->size);
}

static la_ssize_t give(struct archive *archive, void *context, const void **bytes)
{
    struct giving giving = {.decompressor = context};
    (void)archive;
    const enum status status = attempt(give_next, &giving, &giving.decompressor->error);
    *bytes = giving.bytes;
    return status == STATUS_OK ? (la_ssize_t)giving.size : -1;
}

static _Noreturn void archive_refuse(const struct decompressor *decompressor)
{
    if (decompressor->error.status != STATUS_OK)
        die_of(&decompressor->error);
    const int reason = decompressor->functions.archive_errno(decompressor->archive);
    if (reason == ENOMEM || reason == 0) /* some failing allocations set no reason */
        out_of_memory();
    refuse(decompressor, "are damaged, or the file is cut off");
}

/* libarchive reads ahead, so the file's first bytes are decompressed here. */
static void archive_begin(struct decompressor *decompressor)
{
    const struct archive_functions *call = &decompressor->functions;
    const char *name = decompressor->form->name;
    archive_load(&decompressor->functions, decompressor->path);
    struct archive *archive = decompressor->archive = call->archive_read_new();
    if (!archive)
        out_of_memory();
    int result = *name == 'b'   ? call->archive_read_support_filter_bzip2(archive)
                 : *name == 'x' ? call->archive_read_support_filter_xz(archive)
                                : call->archive_read_support_filter_zstd(archive);
    if (result == ARCHIVE_OK)
        result = call->archive_read_support_format_raw(archive);
    if (result == ARCHIVE_OK)
        result = call->archive_read_support_format_empty(archive);
    if (result == ARCHIVE_OK)
        result = call->archive_read_set_callback_data(archive, decompressor); /* archive_read_open ignores a failure */
    call->archive_read_set_read_callback(archive, give);
    if (result == ARCHIVE_OK)
        result = call->archive_read_open1(archive);
    if (result == ARCHIVE_OK && call->archive_filter_count(archive) != 2) /* one and the source: the head is complete */
        refuse(decompressor, "are damaged, or the file is cut off");
    struct archive_entry *entry = call->archive_entry_new(); /* libarchive's own may be NULL, unchecked */
    if (!entry)
        out_of_memory();
    if (result == ARCHIVE_OK)
        result = call->archive_read_next_header2(archive, entry);
    call->archive_entry_free(entry);
    decompressor->is_empty = result == ARCHIVE_EOF;
    if (result != ARCHIVE_OK && !decompressor->is_empty)
        archive_refuse(decompressor);
}

static size_t archive_read(struct decompressor *decompressor, char *to, size_t room)
{
    const la_ssize_t size =
        decompressor->is_empty ? 0 : decompressor->functions.archive_read_data(decompressor->archive, to, room);
    if (size < 0)
        archive_refuse(decompressor);
    if (size == 0 && decompress_consumed(decompressor) < decompressor->given)
        refuse(decompressor, "are followed by others");
    return (size_t)size;
}

/* ---- all ---- */

static int begins_with(const char *bytes, size_t size, const struct form *form)
{
    if (size < form->magic_size)
        return 0;
    for (size_t i = 0; i < form->magic_size; i++)
        if (bytes[i] != form->magic[i] && form->magic[i] != '\0')
            return 0;
    return 1;
}

void decompress_begin(struct decompressor **decompressor, const char *path, const void *bytes, size_t size,
                      const struct decompress_source *source)
{
    const size_t count = sizeof forms / sizeof *forms;
    size_t i = 0;
    *decompressor = NULL;
    while (i < count && !begins_with(bytes, size, &forms[i]))
        i++;
    if (i == count)
        return;
    struct decompressor *made = *decompressor = xcalloc(1, sizeof *made);
    *made = (struct decompressor){.form = &forms[i], .path = path, .source = *source};
    if (i > 0)
        archive_begin(made);
    else if (inflateInit2(&made->zlib, 16 + MAX_WBITS) != Z_OK) /* 16: expect the head of gzip */
        out_of_memory();
}

void decompress_end(struct decompressor *decompressor)
{
    if (!decompressor)
        return;
    inflateEnd(&decompressor->zlib);
    if (decompressor->archive)
        decompressor->functions.archive_read_free(decompressor->archive);
    free(decompressor);
}

double decompress_consumed(const struct decompressor *decompressor)
{
    return decompressor->archive ? (double)decompressor->functions.archive_filter_bytes(decompressor->archive, -1)
                                 : decompressor->given - decompressor->zlib.avail_in;
}

size_t decompress_read(struct decompressor *decompressor, char *to, size_t room)
{
    const size_t got = decompressor->archive ? archive_read(decompressor, to, room) : gzip_read(decompressor, to, room);
    decompressor->size += (double)got;
    decompress_check_size(decompressor->path, decompress_consumed(decompressor), decompressor->size);
    return got;
}
