/* Compressed files as they are read: gzip, bzip2 and, where the program was built with liblzma, xz. */
#ifndef HULLBENCH_DECOMPRESS_H
#define HULLBENCH_DECOMPRESS_H

#include <stddef.h>

#include "solvers/error.h"

struct decompressor;

/* The first bytes of a file by which its compression is recognised. */
enum { COMPRESSED_MAGIC_SIZE = 10 };

/* Begins to decompress a file of which the first `size` bytes are given, fewer than COMPRESSED_MAGIC_SIZE only where
 * the file has no more. *decompressor gets NULL where they are not of a compressed file. STATUS_BAD_INPUT for a kind
 * that is not read. `path` stands in messages and has to live on. */
enum status decompress_begin(struct decompressor **decompressor, const char *path, const void *bytes, size_t size,
                             struct error *error);
/* Accepts NULL. */
void decompress_end(struct decompressor *decompressor);

/* What is still to be read of a file and the room for what comes of it; decompress_step moves both on. */
struct decompress_buffers {
    const unsigned char *in;
    size_t in_size;
    unsigned char *out;
    size_t out_size;
};
/* Takes from `in` and adds to `out` until one is used up, or returns STATUS_BAD_INPUT, STATUS_NO_MEMORY. Where
 * is_last, the file has no more bytes than these; *is_finished is then set once all has come out. Parts that were
 * compressed separately and concatenated are read as one text. */
enum status decompress_step(struct decompressor *decompressor, struct decompress_buffers *buffers, int is_last,
                            int *is_finished, struct error *error);

#endif
