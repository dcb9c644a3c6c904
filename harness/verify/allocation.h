/*
 * Counts allocations. In every object of the process (the plugin, the program and all libraries) it replaces the
 * addresses of malloc, calloc, realloc, reallocarray, aligned_alloc, memalign and posix_memalign by those of functions
 * that count and then call the original. It misses mmap, sbrk, a plugin's own allocator, and calls through addresses
 * that were looked up earlier. Use it in a process that does nothing else: the replacement is never undone.
 */
#ifndef HULLBENCH_ALLOCATION_H
#define HULLBENCH_ALLOCATION_H

#include <stddef.h>

/* Replaces the functions. Returns zero if that is impossible: objects are not 64-bit ELF with addends (x86-64,
 * aarch64). */
int allocation_watch(void);
/* Begin and end counting; allocation_end returns the number of allocations in between and stores the size of the first
 * in *bytes. */
void allocation_begin(void);
size_t allocation_end(size_t *bytes);

#endif
