/*
 * Threads that help with one problem.
 *
 * helpers_with opens a piece of work to the idle threads of the caller's OpenMP team, which wait at the end of its
 * parallel region (run_in_parallel in harness/run/run.h opens such a team). Within it, helpers_run divides long
 * element-wise work, such as a row of kernel values or a search over all patterns, into parts. The requesting thread
 * takes parts like the helpers, and returns when all are done. Helpers watch for parts in a loop, so that a part is
 * begun some hundred nanoseconds after it is offered; a helper that finds none for some time sleeps in between.
 * Outside helpers_with, and in a team of one, work is not divided. So the team bounds the number of threads, and
 * `--jobs 1` means one thread in total. No more threads help than there are processors.
 *
 * A part computes whole values, each by the operations that a single thread would use, or an extreme, which is the same
 * in every order of comparison. So results are bitwise the same for any number of threads and parts. Parts write
 * disjoint pieces of an array, each consisting of whole vectors, and read only data that no part writes.
 *
 * The requesting thread itself calls the functions of plugins, because it has recorded which plugin it runs
 * (harness/evaluate/running.h).
 */
#ifndef HULLBENCH_HELPERS_H
#define HULLBENCH_HELPERS_H

#include <stddef.h>

/* Calls work(context); in a team of several threads, the idle ones help with what it divides by helpers_run. Nested
 * calls only call work. */
void helpers_with(void (*work)(void *context), void *context);

/* The largest number of parts, and of threads that work on one problem. */
enum { HELPERS_MAX_PARTS = 32 };

/* One of `parts` parts of a work: the elements from `first` to `end`. */
struct helpers_part {
    size_t part, parts, first, end;
};
typedef void helpers_work(void *context, const struct helpers_part *part);

/* How a work on `size` elements is divided: into parts of at least `min` elements, each but the last a multiple of
 * `grain`, at most `per_thread` for each thread that may help. */
struct helpers_division {
    size_t size, grain, min, per_thread;
};

/* Calls work(context, ...) for all parts, in any order, and in several threads at once if threads may help; otherwise
 * once for all elements. Returns the number of parts when all are done. */
size_t helpers_run(const struct helpers_division *division, helpers_work *work, void *context);

#endif
