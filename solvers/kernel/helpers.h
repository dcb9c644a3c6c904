/*
 * Threads that help with one problem.
 *
 * Long element-wise work is divided into OpenMP tasks. Threads of the caller's team that have nothing to do, which wait
 * at the end of its parallel region, take them (run_in_parallel in harness/run/run.h opens such a team); a thread that
 * asked for the work does what nobody takes and returns when all is done. Outside of a parallel region, and in a team
 * of one, nothing is divided. The team is thus the only limit, and `--jobs 1` is one thread in all.
 *
 * A task computes whole values, each by the operations that one thread would use, so the bits are the same for any
 * number of threads. Tasks write parts of an array that do not overlap and are whole vectors, and read only what none
 * of them writes.
 *
 * Functions of plugins are called by the thread that asks: it has noted what it runs (harness/evaluate/running.h).
 */
#ifndef HULLBENCH_HELPERS_H
#define HULLBENCH_HELPERS_H

#include <omp.h>

/* Of sums over many rows, so that a thread that comes late or is held up finds tasks left; libgomp queues 64 for each
 * thread. */
enum { TASKS_PER_THREAD = 16 };

/* How many tasks to divide work into, `per_thread` for each thread of the team; 1: do not divide it. */
static inline unsigned helpers_tasks(unsigned per_thread)
{
    int threads = omp_get_num_threads();
    return threads > 1 ? per_thread * (unsigned)threads : 1;
}

#endif
