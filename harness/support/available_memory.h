/* How much memory this process can still allocate, and a check that refuses work that needs more. */
#ifndef HULLBENCH_AVAILABLE_MEMORY_H
#define HULLBENCH_AVAILABLE_MEMORY_H

/* The smallest of the system's and the process's limits. */
struct available_memory {
    double bytes;      /* infinite if no limit is known */
    const char *limit; /* description of the limit reached first */
};

/* The limits considered are
 *   - MemAvailable of /proc/meminfo: what the system can provide without swapping;
 *   - the control groups that contain the process, version 2 and 1: limit - usage + inactive file pages;
 *   - RLIMIT_AS and RLIMIT_DATA, less the memory that counts towards them.
 * `root` is prepended to the paths of /proc and /sys; "" except in tests. */
struct available_memory memory_available(const char *root);

/* Ends with STATUS_BAD_INPUT if `bytes` more cannot be allocated; `available` NULL: determined now. The message reads
 * "WHERE: WHAT would take A MB of memory, but B MB are available (LIMIT); ..." and says what to do. */
void memory_check(const struct available_memory *available, const char *where, const char *what, double bytes);

#endif
