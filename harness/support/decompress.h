/* Decompression of gzip, bzip2, xz and zstd files while they are read. */
#ifndef HULLBENCH_DECOMPRESS_H
#define HULLBENCH_DECOMPRESS_H

#include <stddef.h>

#include "solvers/error.h"

struct decompressor;

/* STATUS_BAD_INPUT if `packed` compressed bytes of the file became `size` bytes, and that is more than 64 MiB and more
 * than 200 times as much: a few kilobytes of a stranger would otherwise fill the memory or the disk. */
enum status decompress_check_size(const char *path, double packed, double size, struct error *error);

/* The number of leading bytes that identify the compression. */
enum { COMPRESSED_MAGIC_SIZE = 10 };

/* Where the compressed bytes come from. next(context, ...) sets *bytes and *size; *size is 0 at the end of the file.
 * The bytes must stay valid until the next call. */
struct decompress_source {
    enum status (*next)(void *context, const unsigned char **bytes, size_t *size, struct error *error);
    void *context;
};

/* Starts to decompress a file that begins with these `size` bytes, which the source gives again; size may be below
 * COMPRESSED_MAGIC_SIZE only if the file is that short. *decompressor is NULL if the file is not compressed.
 * STATUS_BAD_INPUT if libarchive cannot be loaded. `path` is used in messages and must outlive the decompressor. */
enum status decompress_begin(struct decompressor **decompressor, const char *path, const void *bytes, size_t size,
                             const struct decompress_source *source, struct error *error);
/* Accepts NULL. */
void decompress_end(struct decompressor *decompressor);

/* Reads up to `room` bytes into `to`, at least one; *got gets the number, 0 at the end. Concatenated compressed parts
 * are read as one text. STATUS_BAD_INPUT, also from decompress_check_size; STATUS_NO_MEMORY; or what the source
 * returns. */
enum status decompress_read(struct decompressor *decompressor, char *to, size_t room, size_t *got,
                            struct error *error);

/* The number of compressed bytes that have been decompressed. */
double decompress_consumed(const struct decompressor *decompressor);

#endif
