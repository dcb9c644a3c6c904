/*
 * What threads take: a unit, or, where few units are long, a part of one's jobs, so that no thread is left with a long one while the
 * others have nothing to do. Each piece has a kernel matrix of its own, so units are cut no further than that asks for.
 */
#ifndef HULLBENCH_CHUNKS_H
#define HULLBENCH_CHUNKS_H

#include "harness/run/plan.h"

/* The most that a piece may cost, as a part of what each thread has to do. */
#define CHUNKS_PER_THREAD 8

/* Fills *pieces (malloc'ed) with the jobs of the plan, each in one of *count pieces, the most costly first and of equal cost the first
 * in the plan. One thread gets whole units. Fails only for want of memory. */
enum status chunks_make(const struct plan *plan, unsigned threads, struct unit **pieces, size_t *count, struct error *error);

#endif
