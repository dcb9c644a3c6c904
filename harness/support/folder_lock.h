/*
 * Allows one writer at a time in a results folder. The lock is a system lock on the file `.lock` in it, so it ends with
 * the process, however that ends. The file names the process and is removed with the lock. A file left by a killed
 * process does not block others.
 */
#ifndef HULLBENCH_FOLDER_LOCK_H
#define HULLBENCH_FOLDER_LOCK_H

#include <stddef.h>

#include "harness/base/die.h"

/* Zero-initialised: holds no lock. It is released at the latest when the program or the attempt ends. */
struct folder_lock {
    int held, file;
    char *path;
    struct cleanup cleanup;
};

/* STATUS_BAD_INPUT if another process, or this one, is writing to the folder; STATUS_IO if it cannot be locked. */
void folder_lock_take(struct folder_lock *lock, const char *folder);
/* The same, but waits for another process's lock, at most a minute. */
void folder_lock_await(struct folder_lock *lock, const char *folder);
/* Accepts a zeroed or released lock. */
void folder_lock_release(struct folder_lock *lock);

/* Locks all folders; a folder named twice is locked once. `locks` has `count` elements, to be released one by one. */
void folder_lock_all(struct folder_lock *locks, const char *const *folders, size_t count);

#endif
