/*
 * Threads that help with one problem.
 *
 * Long element-wise work is divided into OpenMP tasks. Idle threads of the caller's team, which wait at the end of its
 * parallel region, take tasks (run_in_parallel in harness/run/run.h opens such a team). The requesting thread performs
 * the remaining tasks and returns when all are done. Outside a parallel region, and in a team of one, work is not
 * divided. So the team bounds the number of threads, and `--jobs 1` means one thread in total.
 *
 * A task computes whole values, each by the operations that a single thread would use, so results are bitwise the same
 * for any number of threads. Tasks write disjoint parts of an array, each consisting of whole vectors, and read only
 * data that no task writes.
 *
 * The requesting thread itself calls the functions of plugins, because it has recorded which plugin it runs
 * (harness/evaluate/running.h).
 */
#ifndef HULLBENCH_HELPERS_H
#define HULLBENCH_HELPERS_H

#include <omp.h>

/* Tasks per thread in a sum over many rows: enough that a late thread still finds some. libgomp queues up to 64 tasks
 * per thread. */
enum { TASKS_PER_THREAD = 16 };

/* The number of tasks, given `per_thread` for each thread of the team; 1: do not divide. */
static inline unsigned helpers_tasks(unsigned per_thread)
{
    int threads = omp_get_num_threads();
    return threads > 1 ? per_thread * (unsigned)threads : 1;
}

#endif
