/* The memory that this process may still take, and the refusal of work that needs more. */
#ifndef HULLBENCH_AVAILABLE_MEMORY_H
#define HULLBENCH_AVAILABLE_MEMORY_H

#include "solvers/error.h"

/* The least of what the system and the limits of this process leave. */
struct available_memory {
    double bytes;      /* infinite where nothing is known */
    const char *limit; /* the limit that is reached first, in words */
};

/* Looks at
 *   - MemAvailable of /proc/meminfo: what the system can give without swapping;
 *   - the control groups that hold the process, version 2 and 1: limit - usage + file pages that are not in use;
 *   - RLIMIT_AS and RLIMIT_DATA, less the memory that counts towards them.
 * `root` is the prefix of the paths of /proc and /sys; "" except in tests. */
struct available_memory memory_available(const char *root);

/* STATUS_BAD_INPUT unless `bytes` more can be taken. The message reads "WHERE: WHAT would take A MB of memory, but B MB
 * are available (LIMIT); ..." and says what can be done. */
enum status memory_check(const char *where, const char *what, double bytes, struct error *error);
/* The same with what is available given. */
enum status memory_check_against(const struct available_memory *available, const char *where, const char *what,
                                 double bytes, struct error *error);

#endif
