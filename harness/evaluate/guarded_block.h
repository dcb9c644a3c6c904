/*
 * Memory that is handed to a solver, between two guards: GUARD_BYTES or more of MARKER_BLOCK_END (marker.h) end where
 * the block begins and begin where it ends, to the byte.
 */
#ifndef HULLBENCH_GUARDED_BLOCK_H
#define HULLBENCH_GUARDED_BLOCK_H

#include <stddef.h>

enum { GUARD_BYTES = 128 };

struct guarded_block {
    unsigned char *memory; /* GUARD_BYTES, the block, GUARD_BYTES and what SIMD_ALIGNMENT wants */
    void *block;           /* SIMD_ALIGNMENT-aligned */
    size_t size;           /* bytes of the block */
};

/* A zeroed block of `size` bytes. Zero, and nothing to free, when out of memory. */
int guarded_block_open(struct guarded_block *guarded, size_t size);
/* Zero when a byte of a guard has changed. */
int guarded_block_is_intact(const struct guarded_block *guarded);
/* Accepts a zeroed struct. */
void guarded_block_free(struct guarded_block *guarded);

#endif
