/*
 * Seeing allocations. In every object of the process, the plugin, the program and all libraries, the addresses by
 * which malloc, calloc, realloc, reallocarray, aligned_alloc, memalign and posix_memalign are called are replaced by
 * those of functions that count and then call the same. What bypasses these functions is not seen: mmap, sbrk, an
 * allocator of the plugin's own, and calls by addresses that were looked up before. For a process that does nothing
 * else: the replacement is never undone.
 */
#ifndef HULLBENCH_ALLOCATION_H
#define HULLBENCH_ALLOCATION_H

#include <stddef.h>

/* Replaces them. Returns zero if that cannot be done: objects are not those of 64-bit ELF with addends (x86-64,
 * aarch64). */
int allocation_watch(void);
/* Begin counting at 0, and end it; allocation_end returns the number of allocations in between, and in *bytes the size
 * of the first. */
void allocation_begin(void);
size_t allocation_end(size_t *bytes);

#endif
