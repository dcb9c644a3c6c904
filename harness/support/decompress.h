/* Decompression of gzip, bzip2 and, if the program was built with liblzma, xz files while they are read. */
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

/* Starts to decompress a file, given its first `size` bytes; size may be below COMPRESSED_MAGIC_SIZE only if the file
 * is that short. *decompressor is NULL if the file is not compressed. STATUS_BAD_INPUT for an unsupported format.
 * `path` is used in messages and must outlive the decompressor. */
enum status decompress_begin(struct decompressor **decompressor, const char *path, const void *bytes, size_t size,
                             struct error *error);
/* Accepts NULL. */
void decompress_end(struct decompressor *decompressor);

/* The remaining input and the free space for output; decompress_step advances both. */
struct decompress_buffers {
    const unsigned char *in;
    size_t in_size;
    unsigned char *out;
    size_t out_size;
};
/* Consumes `in` and fills `out` until one is used up, or returns STATUS_BAD_INPUT or STATUS_NO_MEMORY. is_last means
 * that the file has no bytes beyond `in`; *is_finished is then set once all output has been produced. Concatenated
 * compressed parts are read as one text. STATUS_BAD_INPUT also from decompress_check_size. */
enum status decompress_step(struct decompressor *decompressor, struct decompress_buffers *buffers, int is_last,
                            int *is_finished, struct error *error);

#endif
