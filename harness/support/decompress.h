/* Decompression of gzip, bzip2, xz and zstd files while they are read. */
#ifndef HULLBENCH_DECOMPRESS_H
#define HULLBENCH_DECOMPRESS_H

#include <stddef.h>

struct decompressor;

/* Whether `packed` compressed bytes became `size` bytes, and that is more than 64 MiB and more than 200 times as much:
 * a few kilobytes of a stranger would otherwise fill the memory or the disk. */
int decompress_is_too_large(double packed, double size);
/* STATUS_BAD_INPUT if that is so for the file. */
void decompress_check_size(const char *path, double packed, double size);

/* The number of leading bytes that identify the compression. */
enum { COMPRESSED_MAGIC_SIZE = 10 };

/* Where the compressed bytes come from. next(context, &size) returns them and sets *size, which is 0 at the end of the
 * file. The bytes must stay valid until the next call. */
struct decompress_source {
    const unsigned char *(*next)(void *context, size_t *size);
    void *context;
};

/* Starts to decompress a file that begins with these `size` bytes, which the source gives again; size may be below
 * COMPRESSED_MAGIC_SIZE only if the file is that short. *decompressor is NULL if the file is not compressed.
 * STATUS_BAD_INPUT if libarchive cannot be loaded. `path` is used in messages and must outlive the decompressor. */
void decompress_begin(struct decompressor **decompressor, const char *path, const void *bytes, size_t size,
                      const struct decompress_source *source);
/* Accepts NULL. */
void decompress_end(struct decompressor *decompressor);

/* Reads up to `room` bytes into `to`, at least one; returns the number, 0 at the end. Concatenated compressed parts
 * are read as one text. STATUS_BAD_INPUT, also from decompress_check_size. */
size_t decompress_read(struct decompressor *decompressor, char *to, size_t room);

/* The number of compressed bytes that have been decompressed. */
double decompress_consumed(const struct decompressor *decompressor);

#endif
