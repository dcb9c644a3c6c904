/*
 * Labels next to unreadable pages: a solver that reads labels outside of their array gets a SIGSEGV there. Markers
 * (solvers/kernel/marker.h) cannot detect such a read, which leaves no trace. The array ends at the end of its page, or
 * begins at its beginning; every read up to FENCE_BYTES beyond that end is detected. The memory beyond the other end
 * holds zeros, which are not labels. One array at a time per process.
 */
#ifndef HULLBENCH_FENCE_H
#define HULLBENCH_FENCE_H

#include <stddef.h>

enum { FENCE_BYTES = 1 << 16 };

/* A copy of the n labels, at most FENCE_BYTES, which replaces the previous copy. */
signed char *fence_labels(const signed char *y, size_t n, int at_the_end);
/* Nonzero if the fences make the address unreadable; *index is the index of the label that would be there. */
int fence_keeps(const void *address, ptrdiff_t *index);

#endif
