/*
 * Lays out a solver's state inside one block. With block NULL the arena only measures, so the same layout function
 * computes the size and places the arrays.
 */
#ifndef HULLBENCH_ARENA_H
#define HULLBENCH_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "solvers/kernel/simd.h"

struct arena {
    char *block;
    size_t used; /* SIZE_MAX after an overflow */
};

/* The next `bytes` bytes, SIMD_ALIGNMENT-aligned; NULL while measuring. */
static inline void *arena_take(struct arena *arena, size_t bytes)
{
    size_t at = arena->used, padded = (bytes + SIMD_ALIGNMENT - 1) / SIMD_ALIGNMENT * SIMD_ALIGNMENT;
    if (padded < bytes || at > SIZE_MAX - padded) {
        arena->used = SIZE_MAX;
        return NULL;
    }
    arena->used = at + padded;
    return arena->block ? arena->block + at : NULL;
}

/* n doubles, padded to whole lanes. */
static inline double *arena_doubles(struct arena *arena, size_t n)
{
    return (double *)arena_take(arena, simd_padded(n) * sizeof(double));
}

#endif
