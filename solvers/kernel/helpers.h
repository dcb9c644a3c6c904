/*
 * Threads that help with one problem.
 *
 * Long element-wise work is divided into OpenMP tasks. Idle threads of the caller's team, which wait at the end of its
 * parallel region, take tasks (run_in_parallel in harness/run/run.h opens such a team). The thread that asked for the
 * work does the tasks that no other takes, and returns when all are done. Outside of a parallel region, and in a team
 * of one, nothing is divided. So the team bounds the number of threads, and `--jobs 1` is one thread in all.
 *
 * A task computes whole values, each by the operations that one thread would use, so the bits are the same for any
 * number of threads. Tasks write disjoint parts of an array, each of whole vectors, and read only what none of them
 * writes.
 *
 * The thread that asks for the work calls functions of plugins itself, since it has noted which plugin it runs
 * (harness/evaluate/running.h).
 */
#ifndef HULLBENCH_HELPERS_H
#define HULLBENCH_HELPERS_H

#include <omp.h>

/* Tasks of a sum over many rows, so many that a thread that comes late still finds some. libgomp queues up to 64 tasks
 * for each thread. */
enum { TASKS_PER_THREAD = 16 };

/* The number of tasks to divide work into, `per_thread` for each thread of the team; 1: do not divide it. */
static inline unsigned helpers_tasks(unsigned per_thread)
{
    int threads = omp_get_num_threads();
    return threads > 1 ? per_thread * (unsigned)threads : 1;
}

#endif
