/*
 * All libraries share one interface: a structure with next_in, avail_in, next_out and avail_out, and a step function
 * that runs until the input or the output is used up. A file may hold several compressed parts, one directly after the
 * other.
 */
#include "harness/support/decompress.h"

#include <bzlib.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#if HAVE_LZMA
#include <lzma.h>
#endif

enum step { STEP_GOES_ON, STEP_PART_ENDS, STEP_DAMAGED, STEP_NO_MEMORY };

struct codec;

struct decompressor {
    const struct codec *codec;
    const char *path;
    int in_part; /* the library's state must be freed */
    double packed, size; /* bytes consumed and produced so far */
    union {
        z_stream zlib;
        bz_stream bzip2;
#if HAVE_LZMA
        lzma_stream lzma;
#endif
    } state;
};

struct codec {
    const char *name, *magic;
    size_t magic_size;
    const char *hint;                                    /* advice to the user, if the members below are NULL */
    enum step (*begin)(struct decompressor *decompressor);
    enum step (*step)(struct decompressor *decompressor, struct decompress_buffers *buffers, int is_last);
    void (*end)(struct decompressor *decompressor);
    int may_be_padded; /* zeros may follow a part, as on tapes, and are skipped */
};

/* Two libraries take their input without const, although they only read it. */
union bytes {
    const unsigned char *read;
    unsigned char *unsigned_bytes;
    char *bytes;
};

static unsigned at_most(size_t size)
{
    return size < UINT_MAX ? (unsigned)size : UINT_MAX;
}

static void move_on(struct decompress_buffers *buffers, size_t in, size_t out)
{
    buffers->in += in;
    buffers->in_size -= in;
    buffers->out += out;
    buffers->out_size -= out;
}

/* ---- gzip ---- */

static enum step gzip_begin(struct decompressor *decompressor)
{
    decompressor->state.zlib = (z_stream){.zalloc = NULL};
    int status = inflateInit2(&decompressor->state.zlib, 16 + MAX_WBITS); /* 16: expect a gzip header */
    return status == Z_OK ? STEP_GOES_ON : STEP_NO_MEMORY;
}

static enum step gzip_step(struct decompressor *decompressor, struct decompress_buffers *buffers, int is_last)
{
    z_stream *zlib = &decompressor->state.zlib;
    const unsigned in = at_most(buffers->in_size), out = at_most(buffers->out_size);
    (void)is_last;
    const union bytes from = {buffers->in};
    zlib->next_in = from.unsigned_bytes;
    zlib->avail_in = in;
    zlib->next_out = buffers->out;
    zlib->avail_out = out;
    int status = inflate(zlib, Z_NO_FLUSH);
    move_on(buffers, in - zlib->avail_in, out - zlib->avail_out);
    return status == Z_OK || status == Z_BUF_ERROR ? STEP_GOES_ON
           : status == Z_STREAM_END                ? STEP_PART_ENDS
           : status == Z_MEM_ERROR                 ? STEP_NO_MEMORY
                                                   : STEP_DAMAGED;
}

static void gzip_end(struct decompressor *decompressor)
{
    inflateEnd(&decompressor->state.zlib);
}

/* ---- bzip2 ---- */

static enum step bzip2_begin(struct decompressor *decompressor)
{
    decompressor->state.bzip2 = (bz_stream){.bzalloc = NULL};
    return BZ2_bzDecompressInit(&decompressor->state.bzip2, 0, 0) == BZ_OK ? STEP_GOES_ON : STEP_NO_MEMORY;
}

static enum step bzip2_step(struct decompressor *decompressor, struct decompress_buffers *buffers, int is_last)
{
    bz_stream *bzip2 = &decompressor->state.bzip2;
    const unsigned in = at_most(buffers->in_size), out = at_most(buffers->out_size);
    (void)is_last;
    const union bytes from = {buffers->in};
    bzip2->next_in = from.bytes;
    bzip2->avail_in = in;
    bzip2->next_out = (char *)buffers->out;
    bzip2->avail_out = out;
    int status = BZ2_bzDecompress(bzip2);
    move_on(buffers, in - bzip2->avail_in, out - bzip2->avail_out);
    return status == BZ_OK           ? STEP_GOES_ON
           : status == BZ_STREAM_END ? STEP_PART_ENDS
           : status == BZ_MEM_ERROR  ? STEP_NO_MEMORY
                                     : STEP_DAMAGED;
}

static void bzip2_end(struct decompressor *decompressor)
{
    BZ2_bzDecompressEnd(&decompressor->state.bzip2);
}

/* ---- xz ---- */

#if HAVE_LZMA
static enum step xz_begin(struct decompressor *decompressor)
{
    const lzma_stream none = LZMA_STREAM_INIT;
    const uint64_t most = UINT64_C(256) << 20; /* memory limit in bytes; `xz -9` takes 65 MiB */
    decompressor->state.lzma = none;
    lzma_ret status = lzma_stream_decoder(&decompressor->state.lzma, most, LZMA_CONCATENATED);
    return status == LZMA_OK ? STEP_GOES_ON : STEP_NO_MEMORY;
}

/* liblzma continues with the next part by itself, and must be told when the input ends. */
static enum step xz_step(struct decompressor *decompressor, struct decompress_buffers *buffers, int is_last)
{
    lzma_stream *lzma = &decompressor->state.lzma;
    lzma->next_in = buffers->in;
    lzma->avail_in = buffers->in_size;
    lzma->next_out = buffers->out;
    lzma->avail_out = buffers->out_size;
    lzma_ret status = lzma_code(lzma, is_last ? LZMA_FINISH : LZMA_RUN);
    move_on(buffers, buffers->in_size - lzma->avail_in, buffers->out_size - lzma->avail_out);
    return status == LZMA_OK || status == LZMA_BUF_ERROR               ? STEP_GOES_ON
           : status == LZMA_STREAM_END                                 ? STEP_PART_ENDS
           : status == LZMA_MEM_ERROR || status == LZMA_MEMLIMIT_ERROR ? STEP_NO_MEMORY
                                                                       : STEP_DAMAGED;
}

static void xz_end(struct decompressor *decompressor)
{
    lzma_end(&decompressor->state.lzma);
}
#define XZ NULL, xz_begin, xz_step, xz_end
#else
#define XZ                                                                                                            \
    "hullbench was built without liblzma; install liblzma-dev and rebuild it, or decompress the file with xz -d",      \
        NULL, NULL, NULL
#endif

/* ---- all ---- */

static const struct codec codecs[] = {
    {"gzip", "\x1f\x8b", 2, NULL, gzip_begin, gzip_step, gzip_end, 1},
    {"bzip2", "BZh\0\x31\x41\x59\x26\x53\x59", 10, NULL, bzip2_begin, bzip2_step, bzip2_end, 0}, /* \0: any digit */
    {"bzip2", "BZh\0\x17\x72\x45\x38\x50\x90", 10, NULL, bzip2_begin, bzip2_step, bzip2_end, 0}, /* empty file */
    {"xz", "\xfd" "7zXZ\0", 6, XZ, 0},
    {"zstd", "\x28\xb5\x2f\xfd", 4, "decompress it with zstd -d", NULL, NULL, NULL, 0},
};

static int begins_with(const char *bytes, size_t size, const struct codec *codec)
{
    if (size < codec->magic_size)
        return 0;
    for (size_t i = 0; i < codec->magic_size; i++)
        if (bytes[i] != codec->magic[i] && codec->magic[i] != '\0')
            return 0;
    return 1;
}

static enum status no_memory(const char *path, struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
}

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

static enum status part_begin(struct decompressor *decompressor, struct error *error)
{
    if (decompressor->codec->begin(decompressor) != STEP_GOES_ON)
        return no_memory(decompressor->path, error);
    decompressor->in_part = 1;
    return STATUS_OK;
}

enum status decompress_begin(struct decompressor **decompressor, const char *path, const void *bytes, size_t size,
                             struct error *error)
{
    const size_t count = sizeof codecs / sizeof *codecs;
    size_t i = 0;
    *decompressor = NULL;
    while (i < count && !begins_with(bytes, size, &codecs[i]))
        i++;
    if (i == count)
        return STATUS_OK;
    if (!codecs[i].begin)
        return error_set(error, STATUS_BAD_INPUT, "%s: compressed with %s: %s", path, codecs[i].name, codecs[i].hint);
    struct decompressor *made = calloc(1, sizeof *made);
    if (!made)
        return no_memory(path, error);
    made->codec = &codecs[i];
    made->path = path;
    enum status status = part_begin(made, error);
    if (status == STATUS_OK)
        *decompressor = made;
    else
        free(made);
    return status;
}

static void part_end(struct decompressor *decompressor)
{
    if (decompressor->in_part)
        decompressor->codec->end(decompressor);
    decompressor->in_part = 0;
}

void decompress_end(struct decompressor *decompressor)
{
    if (decompressor)
        part_end(decompressor);
    free(decompressor);
}

/* Skips the padding between two parts. */
static void pass_over_zeros(struct decompress_buffers *buffers)
{
    while (buffers->in_size > 0 && *buffers->in == 0)
        move_on(buffers, 1, 0);
}

enum status decompress_step(struct decompressor *decompressor, struct decompress_buffers *buffers, int is_last,
                            int *is_finished, struct error *error)
{
    const struct codec *codec = decompressor->codec;
    *is_finished = 0;
    while (buffers->out_size > 0) {
        if (!decompressor->in_part && codec->may_be_padded)
            pass_over_zeros(buffers);
        const size_t in_size = buffers->in_size, out_size = buffers->out_size;
        enum status status = decompressor->in_part || in_size == 0 ? STATUS_OK : part_begin(decompressor, error);
        if (status != STATUS_OK)
            return status;
        if (!decompressor->in_part) { /* no input left */
            *is_finished = is_last;
            return STATUS_OK;
        }
        enum step step = codec->step(decompressor, buffers, is_last);
        decompressor->packed += (double)(in_size - buffers->in_size);
        decompressor->size += (double)(out_size - buffers->out_size);
        if (step == STEP_NO_MEMORY)
            return no_memory(decompressor->path, error);
        if (step == STEP_DAMAGED)
            return error_set(error, STATUS_BAD_INPUT, "%s: the %s data are damaged", decompressor->path, codec->name);
        if ((status = decompress_check_size(decompressor->path, decompressor->packed, decompressor->size, error)) !=
            STATUS_OK)
            return status;
        if (step == STEP_PART_ENDS)
            part_end(decompressor);
        else if (buffers->in_size == in_size && buffers->out_size == out_size) { /* needs more input */
            if (!is_last)
                return STATUS_OK;
            return error_set(error, STATUS_BAD_INPUT, "%s: the %s data end too early, so the file is cut off",
                             decompressor->path, codec->name);
        }
    }
    return STATUS_OK;
}
