/*
 * Locks a file that contains "PROCESS HOST". The holder may remove the file between our open and our lock. The
 * lock is then on a file without a name, and we try again.
 */
#include "harness/support/folder_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/support/file.h"

static _Noreturn void name_holder(int file, const char *folder)
{
    char text[320] = "", host[256] = "?";
    long process = 0;
    ssize_t length = pread(file, text, sizeof text - 1, 0);
    if (length > 0 && sscanf(text, "%ld %255s", &process, host) >= 1)
        die(STATUS_BAD_INPUT, "%s: process %ld on %s is writing to this folder; wait for it, or choose another folder",
            folder, process, host);
    die(STATUS_BAD_INPUT, "%s: another process is writing to this folder; wait for it, or choose another folder",
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

static void release(void *lock)
{
    folder_lock_release(lock);
}

/* Whether the lock is held now. If another process holds it and *waits is not 0, sleeps and decrements it. */
static int try_lock(struct folder_lock *lock, const char *folder, unsigned *waits)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    struct stat about, named;
    lock->file = open(lock->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (lock->file < 0 ? errno == ELOOP : fstat(lock->file, &about) != 0 || !S_ISREG(about.st_mode))
        die(STATUS_BAD_INPUT, "%s: cannot be locked: %s is not a regular file; remove it", folder, lock->path);
    if (lock->file < 0)
        die(STATUS_IO, "%s: cannot be locked: %s: %s", folder, lock->path, strerror(errno));
    int failed;
    do
        failed = flock(lock->file, LOCK_EX | LOCK_NB) != 0;
    while (failed && errno == EINTR);
    if (failed && errno == EWOULDBLOCK && *waits == 0)
        name_holder(lock->file, folder);
    if (failed && errno != EWOULDBLOCK)
        die(STATUS_IO, "%s: cannot be locked: %s", folder, strerror(errno));
    if (!failed && stat(lock->path, &named) == 0 && stat_is_same(&about, &named))
        return 1;
    close(lock->file);
    lock->file = -1;
    if (failed) {
        --*waits;
        nanosleep(&pause, NULL);
    }
    return 0;
}

static void take(struct folder_lock *lock, const char *folder, unsigned waits)
{
    named_path_check(folder);
    *lock = (struct folder_lock){.path = xasprintf("%s/.lock", folder), .file = -1};
    cleanup_note(&lock->cleanup, release, lock);
    while (!(lock->held = try_lock(lock, folder, &waits)))
        continue;
    write_holder(lock->file);
}

void folder_lock_take(struct folder_lock *lock, const char *folder)
{
    take(lock, folder, 0);
}

void folder_lock_await(struct folder_lock *lock, const char *folder)
{
    take(lock, folder, 6000);
}

void folder_lock_release(struct folder_lock *lock)
{
    if (!lock->path)
        return;
    if (lock->held)
        remove(lock->path); /* while the lock is held, so that no other process's file is removed */
    if (lock->file >= 0)
        close(lock->file);
    free(lock->path);
    cleanup_cancel(&lock->cleanup);
    *lock = (struct folder_lock){0};
}

void folder_lock_all(struct folder_lock *locks, const char *const *folders, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t before = 0;
        while (before < i && !file_is_same(folders[before], folders[i]))
            before++;
        locks[i] = (struct folder_lock){0};
        if (before == i)
            folder_lock_take(&locks[i], folders[i]);
    }
}
