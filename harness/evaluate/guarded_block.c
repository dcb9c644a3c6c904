/* Guarded blocks, see guarded_block.h. */
#include "harness/evaluate/guarded_block.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/kernel/simd.h"
#include "solvers/kernel/marker.h"

_Static_assert(GUARD_BYTES % SIMD_ALIGNMENT == 0, "the block is aligned");

/* Size in bytes of the guard behind the block. */
static size_t bytes_behind(size_t size)
{
    return GUARD_BYTES + (SIMD_ALIGNMENT - size % SIMD_ALIGNMENT) % SIMD_ALIGNMENT;
}

int guarded_block_open(struct guarded_block *guarded, size_t size)
{
    *guarded = (struct guarded_block){.size = size};
    if (size > SIZE_MAX - 2 * GUARD_BYTES - SIMD_ALIGNMENT)
        return 0;
    guarded->memory = aligned_alloc(SIMD_ALIGNMENT, GUARD_BYTES + size + bytes_behind(size));
    if (!guarded->memory)
        return 0;
    guarded->block = guarded->memory + GUARD_BYTES;
    memset(guarded->block, 0, size);
    marker_fill(guarded->memory, GUARD_BYTES, MARKER_BLOCK_END);
    marker_fill(guarded->memory + GUARD_BYTES + size, bytes_behind(size), MARKER_BLOCK_END);
    return 1;
}

int guarded_block_is_intact(const struct guarded_block *guarded)
{
    const unsigned char *behind = guarded->memory + GUARD_BYTES + guarded->size;
    return marker_is_intact(guarded->memory, GUARD_BYTES, MARKER_BLOCK_END) &&
           marker_is_intact(behind, bytes_behind(guarded->size), MARKER_BLOCK_END);
}

void guarded_block_free(struct guarded_block *guarded)
{
    free(guarded->memory);
    *guarded = (struct guarded_block){NULL, NULL, 0};
}
