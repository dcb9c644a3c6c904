/*
 * Labels beside pages that cannot be read: a solver that reads labels outside of their array gets a SIGSEGV there. What
 * such a read gives is compared and gone, and leaves no marker (solvers/kernel/marker.h). The array ends where its page
 * ends, or begins where it begins; up to FENCE_BYTES away from that end every read is seen. Beside the other end stand
 * zeros, which are no labels. One array at a time in a process.
 */
#ifndef HULLBENCH_FENCE_H
#define HULLBENCH_FENCE_H

#include <stddef.h>

enum { FENCE_BYTES = 1 << 16 };

/* A copy of the n labels, FENCE_BYTES at most, in the place of the one made before; NULL when out of memory. */
signed char *fence_labels(const signed char *y, size_t n, int at_the_end);
/* Whether an address is one that the fences keep from being read; *index is the label's that would stand there. */
int fence_keeps(const void *address, ptrdiff_t *index);

#endif
