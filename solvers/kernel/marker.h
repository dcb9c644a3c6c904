/*
 * Markers: values that memory holds where a solver must not be. Each is a signalling NaN with a payload of its own.
 * Arithmetic with a signalling NaN gives the quiet NaN of the same payload (IEEE 754-2019, 6.2.3; x86, ARM and POWER do
 * so), and every further sum keeps it. So a marker that was read is found later in the results, and `x += 0` on a
 * marker changes its bits. A processor that drops payloads (RISC-V) still gives a NaN, which does not say where it came
 * from.
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

/* Fills `bytes` bytes with the marker's bits; the last ones, where `bytes` is no multiple of 8, with the first of its
 * bits. */
void marker_fill(void *block, size_t bytes, enum marker marker);
/* Nonzero when the bytes are as marker_fill left them. */
int marker_is_intact(const void *block, size_t bytes, enum marker marker);
/* The first marker, of either sign, signalling or quiet, among the doubles of a block that is aligned as doubles are.
 * */
enum marker marker_find(const void *block, size_t bytes);

#endif
