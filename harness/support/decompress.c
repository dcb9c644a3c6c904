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

#include "harness/support/archive_functions.h"

/* The Makefile defines the name under which the linker found libarchive, where it can tell it. */
#ifdef ARCHIVE_SONAME
LATE_LOADED(archive, ARCHIVE_FUNCTIONS, ARCHIVE_SONAME)
#else
LATE_LINKED(archive, ARCHIVE_FUNCTIONS)
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
    enum status status; /* of the source, behind libarchive */
    struct error *error;
};

enum status decompress_check_size(const char *path, double packed, double size, struct error *error)
{
    const double always_allowed = 64 << 20, max_ratio = 200; /* data and records shrink to a tenth, rarely to a 50th */
    if (size <= always_allowed || size <= max_ratio * packed)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "%s: %.0f compressed bytes became %.0f; allowed: at most %.0f times as many beyond 64 MiB; if you "
                     "trust the file, decompress it first",
                     path, packed, size, max_ratio);
}

static enum status no_memory(const char *path, struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
}

static enum status refuse(const struct decompressor *decompressor, const char *wrong, struct error *error)
{
    return error_set(error, STATUS_BAD_INPUT, "%s: the %s data %s", decompressor->path, decompressor->form->name,
                     wrong);
}

static enum status next(struct decompressor *decompressor, const unsigned char **bytes, size_t *size,
                        struct error *error)
{
    enum status status = decompressor->source.next(decompressor->source.context, bytes, size, error);
    if (status == STATUS_OK)
        decompressor->given += (double)*size;
    return status;
}

/* ---- gzip ---- */

static enum status gzip_fill(struct decompressor *decompressor, struct error *error)
{
    z_stream *zlib = &decompressor->zlib;
    union {
        const unsigned char *read;
        unsigned char *bytes; /* zlib takes its input without const */
    } from = {NULL};
    size_t size = 0;
    enum status status = next(decompressor, &from.read, &size, error);
    zlib->next_in = from.bytes;
    zlib->avail_in = status == STATUS_OK ? (unsigned)size : 0;
    return status;
}

static enum status gzip_read(struct decompressor *decompressor, char *to, size_t room, size_t *got,
                             struct error *error)
{
    z_stream *zlib = &decompressor->zlib;
    zlib->next_out = (unsigned char *)to;
    zlib->avail_out = room < UINT_MAX ? (unsigned)room : UINT_MAX;
    while (zlib->avail_out > 0) {
        enum status status = zlib->avail_in > 0 ? STATUS_OK : gzip_fill(decompressor, error);
        if (status != STATUS_OK)
            return status;
        if (zlib->avail_in == 0 && decompressor->in_part)
            return refuse(decompressor, "end too early, so the file is cut off", error);
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
            return no_memory(decompressor->path, error);
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
            return refuse(decompressor, "are damaged", error);
    }
    *got = (size_t)(zlib->next_out - (unsigned char *)to);
    return STATUS_OK;
}

/* ---- the others ---- */

static la_ssize_t give(struct archive *archive, void *context, const void **bytes)
{
    struct decompressor *decompressor = context;
    const unsigned char *from = NULL;
    size_t size = 0;
    (void)archive;
    decompressor->status = next(decompressor, &from, &size, decompressor->error);
    *bytes = from;
    return decompressor->status == STATUS_OK ? (la_ssize_t)size : -1;
}

/* The result of libarchive as a status. */
static enum status archive_status(struct decompressor *decompressor, int is_good, struct error *error)
{
    if (is_good || decompressor->status != STATUS_OK)
        return decompressor->status;
    const int reason = decompressor->functions.archive_errno(decompressor->archive);
    if (reason == ENOMEM || reason == 0) /* some failing allocations set no reason */
        return no_memory(decompressor->path, error);
    return refuse(decompressor, "are damaged, or the file is cut off", error);
}

/* libarchive reads ahead, so the file's first bytes are decompressed here. */
static enum status archive_begin(struct decompressor *decompressor, struct error *error)
{
    const struct archive_functions *call = &decompressor->functions;
    const char *name = decompressor->form->name;
    enum status status = archive_load(&decompressor->functions, decompressor->path, error);
    if (status != STATUS_OK)
        return status;
    struct archive *archive = decompressor->archive = call->archive_read_new();
    if (!archive)
        return no_memory(decompressor->path, error);
    decompressor->error = error;
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
        return refuse(decompressor, "are damaged, or the file is cut off", error);
    struct archive_entry *entry = call->archive_entry_new(); /* libarchive's own may be NULL, unchecked */
    if (!entry)
        return no_memory(decompressor->path, error);
    if (result == ARCHIVE_OK)
        result = call->archive_read_next_header2(archive, entry);
    call->archive_entry_free(entry);
    decompressor->is_empty = result == ARCHIVE_EOF;
    return archive_status(decompressor, result == ARCHIVE_OK || decompressor->is_empty, error);
}

static enum status archive_read(struct decompressor *decompressor, char *to, size_t room, size_t *got,
                                struct error *error)
{
    decompressor->error = error;
    const la_ssize_t size =
        decompressor->is_empty ? 0 : decompressor->functions.archive_read_data(decompressor->archive, to, room);
    *got = size > 0 ? (size_t)size : 0;
    const int has_rest = size == 0 && decompress_consumed(decompressor) < decompressor->given;
    return has_rest ? refuse(decompressor, "are followed by others", error)
                    : archive_status(decompressor, size >= 0, error);
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

enum status decompress_begin(struct decompressor **decompressor, const char *path, const void *bytes, size_t size,
                             const struct decompress_source *source, struct error *error)
{
    const size_t count = sizeof forms / sizeof *forms;
    size_t i = 0;
    *decompressor = NULL;
    while (i < count && !begins_with(bytes, size, &forms[i]))
        i++;
    if (i == count)
        return STATUS_OK;
    struct decompressor *made = calloc(1, sizeof *made);
    if (!made)
        return no_memory(path, error);
    *made = (struct decompressor){.form = &forms[i], .path = path, .source = *source};
    enum status status = i > 0 ? archive_begin(made, error)
                         : inflateInit2(&made->zlib, 16 + MAX_WBITS) == Z_OK /* 16: expect the head of gzip */
                             ? STATUS_OK
                             : no_memory(path, error);
    if (status == STATUS_OK)
        *decompressor = made;
    else
        decompress_end(made);
    return status;
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

enum status decompress_read(struct decompressor *decompressor, char *to, size_t room, size_t *got,
                            struct error *error)
{
    enum status status = decompressor->archive ? archive_read(decompressor, to, room, got, error)
                                               : gzip_read(decompressor, to, room, got, error);
    if (status != STATUS_OK)
        return status;
    decompressor->size += (double)*got;
    return decompress_check_size(decompressor->path, decompress_consumed(decompressor), decompressor->size, error);
}
