/*
 * Locks a file that contains "PROCESS HOST". The holder may remove the file between our open and our lock. The
 * lock is then on a file without a name, and we try again.
 */
#include "harness/support/folder_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/support/folder.h"

static enum status name_holder(int file, const char *folder, struct error *error)
{
    char text[320] = "", host[256] = "?";
    long process = 0;
    ssize_t length = pread(file, text, sizeof text - 1, 0);
    if (length > 0 && sscanf(text, "%ld %255s", &process, host) >= 1)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: process %ld on %s is writing to this folder; wait for it, or choose another folder",
                         folder, process, host);
    return error_set(error, STATUS_BAD_INPUT,
                     "%s: another process is writing to this folder; wait for it, or choose another folder",
                     folder);
}

/* Lets a second process name the holder in its error message. Nothing else depends on it. */
static void write_holder(int file)
{
    char host[256] = "?", text[320];
    gethostname(host, sizeof host - 1);
    host[sizeof host - 1] = '\0';
    int length = snprintf(text, sizeof text, "%ld %s\n", (long)getpid(), host);
    if (ftruncate(file, 0) != 0 || pwrite(file, text, (size_t)length, 0) != length)
        return;
}

static int has_its_name(int file, const char *path)
{
    struct stat opened, named;
    return fstat(file, &opened) == 0 && stat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

/* If another process holds the lock and *waits is not 0, sleeps and decrements it: the lock is then not held. */
static enum status try_lock(struct folder_lock *lock, const char *folder, unsigned *waits, struct error *error)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    struct stat about;
    lock->file = open(lock->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (lock->file < 0 ? errno == ELOOP : fstat(lock->file, &about) != 0 || !S_ISREG(about.st_mode)) {
        if (lock->file >= 0)
            close(lock->file);
        return error_set(error, STATUS_BAD_INPUT, "%s: cannot be locked: %s is not a regular file; remove it", folder,
                         lock->path);
    }
    if (lock->file < 0)
        return error_set(error, STATUS_IO, "%s: cannot be locked: %s: %s", folder, lock->path, strerror(errno));
    int failed;
    do
        failed = flock(lock->file, LOCK_EX | LOCK_NB) != 0;
    while (failed && errno == EINTR);
    enum status status = STATUS_OK;
    if (failed && errno == EWOULDBLOCK && *waits > 0) {
        --*waits;
        nanosleep(&pause, NULL);
    } else if (failed && errno == EWOULDBLOCK)
        status = name_holder(lock->file, folder, error);
    else if (failed)
        status = error_set(error, STATUS_IO, "%s: cannot be locked: %s", folder, strerror(errno));
    lock->held = !failed && has_its_name(lock->file, lock->path);
    if (!lock->held)
        close(lock->file);
    return status;
}

static enum status take(struct folder_lock *lock, const char *folder, unsigned waits, struct error *error)
{
    enum status status = named_path_check(folder, error);
    *lock = (struct folder_lock){.path = path_join(folder, ".lock")};
    if (!lock->path)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", folder);
    while (status == STATUS_OK && !lock->held)
        status = try_lock(lock, folder, &waits, error);
    if (lock->held)
        write_holder(lock->file);
    else
        free(lock->path);
    if (status != STATUS_OK)
        *lock = (struct folder_lock){0};
    return status;
}

enum status folder_lock_take(struct folder_lock *lock, const char *folder, struct error *error)
{
    return take(lock, folder, 0, error);
}

enum status folder_lock_await(struct folder_lock *lock, const char *folder, struct error *error)
{
    return take(lock, folder, 6000, error);
}

void folder_lock_release(struct folder_lock *lock)
{
    if (!lock || !lock->held)
        return;
    remove(lock->path); /* while we hold the lock, so that we cannot remove another process's file */
    close(lock->file);
    free(lock->path);
    *lock = (struct folder_lock){0};
}

enum status folder_lock_all(struct folder_lock *locks, const char *const *folders, size_t count, struct error *error)
{
    enum status status = STATUS_OK;
    size_t i = 0;
    for (; i < count && status == STATUS_OK; i++) {
        size_t before = 0;
        while (before < i && !file_is_same(folders[before], folders[i]))
            before++;
        locks[i] = (struct folder_lock){0};
        if (before == i)
            status = folder_lock_take(&locks[i], folders[i], error);
    }
    while (status != STATUS_OK && i-- > 0)
        folder_lock_release(&locks[i]);
    return status;
}
