/*
 * Memory for a solver, enclosed by two guards. Each consists of at least GUARD_BYTES bytes of MARKER_BLOCK_END
 * (marker.h) and is directly adjacent to the block.
 */
#ifndef HULLBENCH_GUARDED_BLOCK_H
#define HULLBENCH_GUARDED_BLOCK_H

#include <stddef.h>

enum { GUARD_BYTES = 128 };

struct guarded_block {
    unsigned char *memory; /* GUARD_BYTES, the block, GUARD_BYTES and padding for SIMD_ALIGNMENT */
    void *block;           /* SIMD_ALIGNMENT-aligned */
    size_t size;           /* bytes of the block */
};

/* Allocates a zeroed block of `size` bytes. Returns zero when out of memory; then there is nothing to free. */
int guarded_block_open(struct guarded_block *guarded, size_t size);
/* Zero if a byte of a guard has changed. */
int guarded_block_is_intact(const struct guarded_block *guarded);
/* Accepts a zeroed struct. */
void guarded_block_free(struct guarded_block *guarded);

#endif
