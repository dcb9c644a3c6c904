/*
 * One writer at a time in a folder of results. The lock is that of the system on the file `.lock` in it, so it ends
 * with the process, however that ends; the file says which process it is and is removed with the lock. One that a
 * killed process left is no obstacle.
 */
#ifndef HULLBENCH_FOLDER_LOCK_H
#define HULLBENCH_FOLDER_LOCK_H

#include <stddef.h>

#include "solvers/error.h"

/* A zeroed one holds nothing. */
struct folder_lock {
    int held, file;
    char *path;
};

/* STATUS_BAD_INPUT where another process, or this one, writes to the folder; STATUS_IO where it cannot be locked. */
enum status folder_lock_take(struct folder_lock *lock, const char *folder, struct error *error);
/* Accepts a zeroed or released one. */
void folder_lock_release(struct folder_lock *lock);

/* Several folders, one that is named twice locked once: all or none. `locks`: count of them, released one by one. */
enum status folder_lock_all(struct folder_lock *locks, const char *const *folders, size_t count, struct error *error);

#endif
