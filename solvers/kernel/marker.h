/*
 * Markers: values in memory that a solver must not access. Each is a signalling NaN with its own payload. Arithmetic
 * with a signalling NaN gives the quiet NaN of the same payload (IEEE 754-2019, 6.2.3; x86, ARM and POWER do so), and
 * every further sum keeps it. So a marker that was read shows up in the results, and `x += 0` on a marker changes its
 * bits. A processor that drops payloads (RISC-V) still gives a NaN, but without its origin.
 */
#ifndef HULLBENCH_MARKER_H
#define HULLBENCH_MARKER_H

#include <stddef.h>
#include <stdint.h>

enum marker {
    MARKER_NONE,
    MARKER_EXPIRED_ROW, /* a kernel row that has expired */
    MARKER_ROW_END,     /* around a kernel row */
    MARKER_BLOCK_END,   /* around a solver's state or its multipliers */
    MARKERS
};

/* Fills `bytes` bytes with the marker's bits. If `bytes` is not a multiple of 8, the last bytes get the first of its
 * bits. */
void marker_fill(void *block, size_t bytes, enum marker marker);
/* Nonzero if the bytes are unchanged since marker_fill. */
int marker_is_intact(const void *block, size_t bytes, enum marker marker);
/* The first marker, of either sign, signalling or quiet, among the doubles of a block aligned for doubles. */
enum marker marker_find(const void *block, size_t bytes);

#endif
