/*
 * Memory for many kernel rows. The first touch of a page costs more than computing the values that it holds, so large
 * blocks request huge pages, and a released block serves the next request that it can hold.
 */
#ifndef HULLBENCH_PAGES_H
#define HULLBENCH_PAGES_H

#include <stddef.h>

/* SIMD_ALIGNMENT-aligned memory for doubles, which are undefined. NULL when out of memory. Several threads may call it.
 * Blocks that are kept never add to the largest amount that was in use at once: a request that none of them can hold
 * releases them first. */
double *pages_take(size_t doubles);
/* Ends the use of memory of pages_take; NULL is ignored. */
void pages_give_back(double *values);
/* Releases the blocks that are kept. */
void pages_forget(void);

#endif
