/*
 * Chunks of the file are read into two buffers in turn. While the caller works on one, an idle thread, if any, hashes
 * it (an OpenMP task). That task must finish before the next chunk is hashed, and so before its buffer is refilled.
 *
 * libarchive decompresses all forms but gzip, of which it neither verifies the checksum nor reports what follows the
 * data. zlib does; a file may hold several parts of gzip, one directly after the other.
 */
#include "harness/support/input_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "harness/support/archive_functions.h"
#include "harness/support/file.h"
#include "solvers/clock.h"

enum { MAGIC_SIZE = 10 }; /* the leading bytes that identify the compression */

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

struct input_stream {
    const char *path;
    struct input_options options;
    int handle;
    double opened;
    struct input_progress progress;
    unsigned char *buffers[2];
    int filled; /* index of the buffer filled last */
    size_t room; /* size of each buffer */
    const unsigned char *next; /* bytes not yet handed out */
    size_t left;               /* number of those bytes */
    int is_last; /* the file has no bytes beyond these */
    struct cleanup cleanup;
    /* of compressed files */
    const struct form *form; /* NULL: of no compressed file */
    const unsigned char *chunk; /* handed out last */
    size_t chunk_size;
    double unpacked; /* bytes */
    z_stream zlib;
    int in_part; /* of gzip */
    struct archive_functions functions;
    struct archive *archive;
    int is_empty; /* libarchive refuses to read nothing */
    struct error error; /* of reading, behind libarchive */
};

/* ---- reading ---- */

static void hash(const struct input_stream *stream, const unsigned char *bytes, size_t size)
{
    struct sha256 *sum = stream->options.hash, *second = stream->options.second;
    if ((!sum && !second) || size == 0)
        return;
#pragma omp taskwait
#pragma omp task firstprivate(sum, second, bytes, size)
    {
        if (sum)
            sha256_add(sum, bytes, size);
        if (second)
            sha256_add(second, bytes, size);
    }
}

static void report(struct input_stream *stream)
{
    const struct input_watch *watch = stream->options.watch;
    if (!watch)
        return;
    stream->progress.seconds = clock_now() - stream->opened;
    watch->report(watch->context, &stream->progress);
}

/* Reads the next chunk, of at least `least` bytes unless the file ends. */
static void fill(struct input_stream *stream, size_t least)
{
    stream->filled = !stream->filled;
    unsigned char *buffer = stream->buffers[stream->filled];
    size_t size = 0;
    while (size < least && !stream->is_last) {
        ssize_t got = read(stream->handle, buffer + size, stream->room - size);
        if (got < 0 && errno != EINTR)
            file_refuse(stream->path, errno);
        stream->is_last = got == 0;
        size += got > 0 ? (size_t)got : 0;
    }
    stream->next = buffer;
    stream->left = size;
    stream->progress.bytes += (double)size;
    hash(stream, buffer, size);
    report(stream);
}

/* Hands out all bytes that are there, at least one unless the file ends. */
static void take_chunk(void *data)
{
    struct input_stream *stream = data;
    if (stream->left == 0 && !stream->is_last)
        fill(stream, 1);
    stream->chunk = stream->next;
    stream->chunk_size = stream->left;
    stream->left = 0;
}

/* ---- decompression ---- */

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

static _Noreturn void refuse(const struct input_stream *stream, const char *wrong)
{
    die(STATUS_BAD_INPUT, "%s: the %s data %s", stream->path, stream->form->name, wrong);
}

static size_t gzip_read(struct input_stream *stream, char *to, size_t room)
{
    z_stream *zlib = &stream->zlib;
    zlib->next_out = (unsigned char *)to;
    zlib->avail_out = room < UINT_MAX ? (unsigned)room : UINT_MAX;
    while (zlib->avail_out > 0) {
        if (zlib->avail_in == 0) {
            take_chunk(stream);
            memcpy(&zlib->next_in, &stream->chunk, sizeof stream->chunk); /* zlib takes its input without const */
            zlib->avail_in = (unsigned)stream->chunk_size;
        }
        if (zlib->avail_in == 0 && stream->in_part)
            refuse(stream, "end too early, so the file is cut off");
        if (zlib->avail_in == 0)
            break;
        if (!stream->in_part && *zlib->next_in == 0) { /* zeros may follow a part, as on tapes */
            zlib->next_in++;
            zlib->avail_in--;
            continue;
        }
        const int result = inflate(zlib, Z_NO_FLUSH);
        stream->in_part = result != Z_STREAM_END;
        if (result == Z_MEM_ERROR || (result == Z_STREAM_END && inflateReset(zlib) != Z_OK))
            out_of_memory();
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
            refuse(stream, "are damaged");
    }
    return (size_t)(zlib->next_out - (unsigned char *)to);
}

/* The bytes that libarchive asks for. An error must not pass libarchive's frames, so it is kept. */
static la_ssize_t give(struct archive *archive, void *context, const void **bytes)
{
    struct input_stream *stream = context;
    (void)archive;
    const enum status status = attempt(take_chunk, stream, &stream->error);
    *bytes = stream->chunk;
    return status == STATUS_OK ? (la_ssize_t)stream->chunk_size : -1;
}

static _Noreturn void archive_refuse(const struct input_stream *stream)
{
    if (stream->error.status != STATUS_OK)
        die_of(&stream->error);
    const int reason = stream->functions.archive_errno(stream->archive);
    if (reason == ENOMEM || reason == 0) /* some failing allocations set no reason */
        out_of_memory();
    refuse(stream, "are damaged, or the file is cut off");
}

/* libarchive reads ahead, so the file's first bytes are decompressed here. */
static void archive_begin(struct input_stream *stream)
{
    const struct archive_functions *call = &stream->functions;
    const char *name = stream->form->name;
    archive_load(&stream->functions, stream->path);
    struct archive *archive = stream->archive = call->archive_read_new();
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
        result = call->archive_read_set_callback_data(archive, stream); /* archive_read_open ignores a failure */
    call->archive_read_set_read_callback(archive, give);
    if (result == ARCHIVE_OK)
        result = call->archive_read_open1(archive);
    if (result == ARCHIVE_OK && call->archive_filter_count(archive) != 2) /* one and the source: the head is complete */
        refuse(stream, "are damaged, or the file is cut off");
    struct archive_entry *entry = call->archive_entry_new(); /* libarchive's own may be NULL, unchecked */
    if (!entry)
        out_of_memory();
    if (result == ARCHIVE_OK)
        result = call->archive_read_next_header2(archive, entry);
    call->archive_entry_free(entry);
    stream->is_empty = result == ARCHIVE_EOF;
    if (result != ARCHIVE_OK && !stream->is_empty)
        archive_refuse(stream);
}

/* The bytes of the file that have been used. */
static double bytes_used(const struct input_stream *stream)
{
    return stream->archive ? (double)stream->functions.archive_filter_bytes(stream->archive, -1)
                           : stream->progress.bytes - (double)(stream->left + stream->zlib.avail_in);
}

static size_t archive_read(struct input_stream *stream, char *to, size_t room)
{
    const la_ssize_t size = stream->is_empty ? 0 : stream->functions.archive_read_data(stream->archive, to, room);
    if (size < 0)
        archive_refuse(stream);
    if (size == 0 && bytes_used(stream) < stream->progress.bytes - (double)stream->left)
        refuse(stream, "are followed by others");
    return (size_t)size;
}

static int begins_with(const struct input_stream *stream, const struct form *form)
{
    size_t i = 0;
    if (stream->left < form->magic_size)
        return 0;
    while (i < form->magic_size && (stream->next[i] == (unsigned char)form->magic[i] || form->magic[i] == '\0'))
        i++;
    return i == form->magic_size;
}

/* ---- streams ---- */

static void close_stream(void *stream)
{
    input_close(stream);
}

struct input_stream *input_open(const char *path, const struct input_options *options)
{
    struct stat about;
    const int is_standard = strcmp(path, "-") == 0;
    struct input_stream *stream = xcalloc(1, sizeof *stream);
    *stream = (struct input_stream){.path = is_standard ? "standard input" : path, .options = *options,
                                    .handle = is_standard ? STDIN_FILENO : -1, .opened = clock_now()};
    cleanup_note(&stream->cleanup, close_stream, stream);
    stream->room = options->chunk ? options->chunk : INPUT_CHUNK;
    if (stream->room < MAGIC_SIZE)
        stream->room = MAGIC_SIZE;
    for (size_t b = 0; b < 2; b++)
        stream->buffers[b] = xmalloc(stream->room);
    if (!is_standard)
        stream->handle = open(path, O_RDONLY | O_CLOEXEC);
    if (stream->handle < 0)
        file_refuse(path, errno);
    stream->progress = (struct input_progress){.path = stream->path, .size = -1};
    if (fstat(stream->handle, &about) == 0 && S_ISREG(about.st_mode))
        stream->progress.size = (double)about.st_size;
    fill(stream, MAGIC_SIZE);
    for (size_t i = 0; i < sizeof forms / sizeof *forms && !stream->form; i++)
        stream->form = begins_with(stream, &forms[i]) ? &forms[i] : NULL;
    if (stream->form && stream->form > forms)
        archive_begin(stream);
    else if (stream->form && inflateInit2(&stream->zlib, 16 + MAX_WBITS) != Z_OK) /* 16: expect the head of gzip */
        out_of_memory();
    return stream;
}

void input_check(const char *path)
{
    if (strcmp(path, "-") != 0 && faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0)
        file_refuse(path, errno);
}

size_t input_read(struct input_stream *stream, char *to, size_t room)
{
    if (stream->form) {
        const size_t got = stream->archive ? archive_read(stream, to, room) : gzip_read(stream, to, room);
        stream->unpacked += (double)got;
        decompress_check_size(stream->path, bytes_used(stream), stream->unpacked);
        return got;
    }
    if (stream->left == 0 && !stream->is_last)
        fill(stream, 1);
    const size_t got = stream->left < room ? stream->left : room;
    if (got > 0)
        memcpy(to, stream->next, got);
    stream->next += got;
    stream->left -= got;
    return got;
}

const char *input_path(const struct input_stream *stream)
{
    return stream->path;
}

void input_close(struct input_stream *stream)
{
    if (!stream)
        return;
    if (stream->options.hash || stream->options.second) {
#pragma omp taskwait
    }
    if (stream->handle >= 0) {
        stream->progress.is_done = 1;
        report(stream);
    }
    if (stream->handle > STDIN_FILENO)
        close(stream->handle);
    inflateEnd(&stream->zlib);
    if (stream->archive)
        stream->functions.archive_read_free(stream->archive);
    cleanup_cancel(&stream->cleanup);
    free(stream->buffers[0]);
    free(stream->buffers[1]);
    free(stream);
}
