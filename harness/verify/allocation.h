/*
 * Notices allocations: the C library states how many bytes its heap has given out. A small block that is released again
 * stays given out for the statistics, because the thread keeps it for its next request of that size; so the first
 * allocation of each size is seen if nothing is kept when a run begins. Not seen are blocks of more than
 * ALLOCATION_KEPT bytes that the same call releases, mmap, and a plugin's own allocator.
 */
#ifndef HULLBENCH_ALLOCATION_H
#define HULLBENCH_ALLOCATION_H

#include <stddef.h>

enum { ALLOCATION_KEPT = 1032 };

/* Takes all blocks that the thread has kept, for good. Call it before a run, in a process that ends soon. Returns zero
 * if the heap has no such statistics, as with a sanitizer's. */
int allocation_empty_kept(void);

/* The bytes given out. */
size_t allocation_in_use(void);

#endif
