/*
 * Chunks of the file are read into two buffers in turn. While the caller works on one, an idle thread, if any, hashes
 * it (an OpenMP task). That task must finish before the next chunk is hashed, and so before its buffer is refilled.
 */
#include "harness/support/input_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/die.h"
#include "harness/base/memory.h"
#include "harness/support/decompress.h"
#include "harness/support/file.h"
#include "solvers/clock.h"

struct input_stream {
    const char *path;
    struct input_options options;
    int handle; /* -1: all bytes are already in `next` */
    double opened;
    struct input_progress progress;
    unsigned char *buffers[2];
    int filled; /* index of the buffer filled last */
    size_t room; /* size of each buffer */
    const unsigned char *next; /* bytes not yet handed out */
    size_t left;               /* number of those bytes */
    int is_last; /* the file has no bytes beyond these */
    struct decompressor *decompressor;
    struct cleanup cleanup;
};

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

/* Gives the decompressor all bytes that are there. */
static const unsigned char *next_chunk(void *context, size_t *size)
{
    struct input_stream *stream = context;
    if (stream->left == 0 && !stream->is_last)
        fill(stream, 1);
    *size = stream->left;
    stream->left = 0;
    return stream->next;
}

static void open_file(struct input_stream *stream)
{
    struct stat about;
    stream->room = stream->options.chunk ? stream->options.chunk : INPUT_CHUNK;
    if (stream->room < COMPRESSED_MAGIC_SIZE)
        stream->room = COMPRESSED_MAGIC_SIZE;
    for (size_t b = 0; b < 2; b++)
        stream->buffers[b] = xmalloc(stream->room);
    if (stream->handle != STDIN_FILENO)
        stream->handle = open(stream->path, O_RDONLY | O_CLOEXEC);
    if (stream->handle < 0)
        file_refuse(stream->path, errno);
    stream->progress = (struct input_progress){.path = stream->path, .size = -1};
    if (fstat(stream->handle, &about) == 0 && S_ISREG(about.st_mode))
        stream->progress.size = (double)about.st_size;
    const struct decompress_source source = {next_chunk, stream};
    fill(stream, COMPRESSED_MAGIC_SIZE);
    decompress_begin(&stream->decompressor, stream->path, stream->next, stream->left, &source);
}

static void close_stream(void *stream)
{
    input_close(stream);
}

static struct input_stream *new_stream(const char *path, int handle)
{
    struct input_stream *stream = xcalloc(1, sizeof *stream);
    stream->path = path;
    stream->handle = handle;
    cleanup_note(&stream->cleanup, close_stream, stream);
    return stream;
}

struct input_stream *input_open(const char *path, const struct input_options *options)
{
    int is_standard = strcmp(path, "-") == 0;
    struct input_stream *stream =
        new_stream(is_standard ? "standard input" : path, is_standard ? STDIN_FILENO : -1);
    stream->options = *options;
    stream->opened = clock_now();
    open_file(stream);
    return stream;
}

void input_check(const char *path)
{
    if (strcmp(path, "-") != 0 && faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0)
        file_refuse(path, errno);
}

struct input_stream *input_open_bytes(const char *path, const char *bytes, size_t size)
{
    struct input_stream *stream = new_stream(path, -1);
    stream->next = (const unsigned char *)bytes;
    stream->left = size;
    stream->progress.bytes = stream->progress.size = (double)size;
    stream->is_last = 1;
    return stream;
}

size_t input_read(struct input_stream *stream, char *to, size_t room)
{
    if (stream->decompressor)
        return decompress_read(stream->decompressor, to, room);
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

double input_share(const struct input_stream *stream)
{
    const struct input_progress *progress = &stream->progress;
    const double used =
        stream->decompressor ? decompress_consumed(stream->decompressor) : progress->bytes - (double)stream->left;
    return progress->size > 0 ? used / progress->size : NAN;
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
    decompress_end(stream->decompressor);
    cleanup_cancel(&stream->cleanup);
    free(stream->buffers[0]);
    free(stream->buffers[1]);
    free(stream);
}
