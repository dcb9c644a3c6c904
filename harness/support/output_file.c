/*
 * Output files, see file.h.
 *
 * The bytes go to a temporary file in the target's folder. outfile_commit syncs it, renames it to the target and syncs
 * the folder. The temporary file has no name until it is complete (O_TMPFILE), so a killed process leaves nothing
 * behind. On file systems without O_TMPFILE (NFS) it is named hullbench-<16 random hexadecimal digits>.tmp
 * from the start. Either name is created with O_EXCL or link, which never open or replace an existing file or symbolic
 * link.
 *
 * A device or FIFO is opened and written directly, and so is an open file of a process (/dev/stdout leads to
 * /proc/self/fd/1, which may be a regular file that the shell has opened for us).
 *
 * In a world-writable sticky folder such as /tmp we refuse a link, file or FIFO of another user, unless that user owns
 * the folder: it may have been planted to read our output or to make us overwrite one of our own files. We also refuse
 * a path through such a link to a folder. The kernel has the same rule (fs.protected_symlinks, _fifos and _regular),
 * but it can be switched off.
 */
#include "harness/support/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "harness/support/folder.h"
#include "harness/base/platform.h"

#define TEMPORARY_BEGIN "hullbench-"
#define TEMPORARY_END ".tmp"
enum {
    TEMPORARY_DIGITS = 16,
    TEMPORARY_LENGTH = sizeof TEMPORARY_BEGIN - 1 + TEMPORARY_DIGITS + sizeof TEMPORARY_END - 1,
    LINKS_MAX = 40, /* as in the kernel */
    NAMES_MAX = 100, /* random names to try */
    FOREIGN = -1,    /* not an errno: another user's file in a world-writable folder */
    NOT_WRITABLE = -2 /* an open file that is read-only, as main() leaves a closed standard output */
};

const char *outfile_shown(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard output" : *path ? path : "\"\"";
}

/* ---- the target ---- */

/* The target of the symbolic link at `path`, as a path from the current folder; malloc'ed, NULL with errno set. */
static char *link_follow(const char *path)
{
    char text[PATH_MAX];
    ssize_t length = readlink(path, text, sizeof text - 1);
    if (length < 0)
        return NULL;
    text[length] = '\0';
    if (*text == '/')
        return strdup(text);
    char *folder = path_folder(path), *joined = folder ? path_join(folder, text) : NULL;
    free(folder);
    return joined;
}

/* Whether the link at `path` is an open file in /proc. */
static int is_open_file(const char *path)
{
    const unsigned long proc_super_magic = 0x9fa0; /* PROC_SUPER_MAGIC of <linux/magic.h> */
    struct statfs system;
    char *folder = path_folder(path);
    int is = folder && statfs(folder, &system) == 0 && (unsigned long)system.f_type == proc_super_magic;
    free(folder);
    return is;
}

/* Whether the file at `path` belongs to another user and is in a world-writable sticky folder. */
static int is_foreign(const char *path, const struct stat *about)
{
    struct stat around;
    char *folder = path_folder(path);
    int is = folder && !S_ISCHR(about->st_mode) && !S_ISBLK(about->st_mode) && !S_ISDIR(about->st_mode) &&
             about->st_uid != geteuid() && stat(folder, &around) == 0 && platform_is_sticky(&around) &&
             (around.st_mode & S_IWOTH) && about->st_uid != around.st_uid;
    free(folder);
    return is;
}

/* Whether `path` goes through another user's link in such a folder, directly or via other links. *links counts the
 * links followed; a path with more than LINKS_MAX cannot be opened anyway. */
static int goes_through_foreign(const char *path, int *links)
{
    int is = 0;
    char *folder = strdup(path);
    for (char *slash = folder ? strchr(folder, '/') : NULL; slash && !is; slash = strchr(slash + 1, '/')) {
        struct stat about;
        *slash = '\0';
        if (*folder && lstat(folder, &about) == 0 && S_ISLNK(about.st_mode) && (*links)++ < LINKS_MAX) {
            char *next = link_follow(folder), *inside = next ? path_join(next, "") : NULL;
            is = is_foreign(folder, &about) || (inside && goes_through_foreign(inside, links));
            free(inside);
            free(next);
        }
        *slash = '/';
    }
    free(folder);
    return is;
}

/* Follows symbolic links from `path` to their end, which need not exist. Returns 0, an errno or FOREIGN. *target is
 * malloc'ed; *found tells whether *about was filled, *is_direct whether the end is an open file of a process. */
static int find_target(const char *path, char **target, struct stat *about, int *found, int *is_direct)
{
    *found = *is_direct = 0;
    *target = strdup(path);
    for (int links = 0; *target; links++) {
        int on_the_way = 0;
        if (goes_through_foreign(*target, &on_the_way))
            return FOREIGN;
        if (lstat(*target, about) != 0)
            return errno == ENOENT ? 0 : errno;
        if (is_foreign(*target, about))
            return FOREIGN;
        *found = 1;
        if (!S_ISLNK(about->st_mode))
            return 0;
        *is_direct = is_open_file(*target);
        if (*is_direct)
            return 0;
        if (links == LINKS_MAX)
            return ELOOP;
        *found = 0;
        errno = ENOMEM;
        char *next = link_follow(*target);
        if (!next)
            return errno;
        free(*target);
        *target = next;
    }
    return ENOMEM;
}

/* ---- the temporary file ---- */

/* Calls make(path, context), which creates a file or folder and returns -1 with errno set on failure, with random names
 * in `folder` until one is unused. Returns 0 and the malloc'ed path, or an errno. */
static int make_temporary(const char *folder, int (*make)(const char *path, void *context), void *context, char **made)
{
    int reason = EEXIST;
    *made = NULL;
    for (int names = 0; reason == EEXIST && names < NAMES_MAX; names++) {
        uint64_t digits;
        char name[TEMPORARY_LENGTH + 1];
        free(*made);
        *made = NULL;
        if (getrandom(&digits, sizeof digits, 0) != (ssize_t)sizeof digits)
            return EIO;
        snprintf(name, sizeof name, TEMPORARY_BEGIN "%0*" PRIx64 TEMPORARY_END, TEMPORARY_DIGITS, digits);
        *made = path_join(folder, name);
        reason = !*made ? ENOMEM : make(*made, context) < 0 ? errno : 0;
    }
    if (reason) {
        free(*made); /* we did not create it */
        *made = NULL;
    }
    return reason;
}

struct named_file {
    mode_t mode;
    int file;
};

static int make_file(const char *path, void *context)
{
    struct named_file *named = context;
    return named->file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, named->mode);
}

/* Gives the nameless file a name. */
static int make_link(const char *path, void *stream)
{
    char open_name[32];
    snprintf(open_name, sizeof open_name, "/proc/self/fd/%d", fileno(stream));
    return linkat(AT_FDCWD, open_name, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

static int make_folder(const char *path, void *unused)
{
    (void)unused;
    return mkdir(path, 0777);
}

/* Copies the mode and, where the system allows, the owner of the replaced file. If the group cannot be kept, the new
 * group gets no more rights than others had. Returns 0 or an errno. */
static int keep_attributes(int file, const struct stat *replaced)
{
    struct stat made;
    mode_t mode = replaced->st_mode & 0777;
    if (fstat(file, &made) != 0)
        return errno;
    if (made.st_gid != replaced->st_gid && fchown(file, (uid_t)-1, replaced->st_gid) != 0)
        mode = (mode & ~(mode_t)070) | (mode & 07) << 3;
    if (made.st_uid != replaced->st_uid && fchown(file, replaced->st_uid, (gid_t)-1) != 0) {
        /* then we own it */
    }
    if ((made.st_mode & 0777) != mode && fchmod(file, mode) != 0)
        return errno;
    return 0;
}

/* Returns 0 or an errno. */
static int open_temporary(struct outfile *out, const struct stat *replaced, int *file)
{
    mode_t mode = replaced ? replaced->st_mode & 0700 : 0666;
    char *folder = path_folder(out->target);
    if (!folder)
        return ENOMEM;
    *file = platform_open_nameless(folder, mode);
    int reason = 0;
    if (*file < 0) {
        struct named_file named = {mode, -1};
        reason = make_temporary(folder, make_file, &named, &out->temporary);
        *file = named.file;
    }
    if (!reason && replaced)
        reason = keep_attributes(*file, replaced);
    free(folder);
    return reason;
}

/* ---- direct output ---- */

/* Duplicates our own open file: reopening it would write from the beginning. */
static int open_open_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct stat named, own;
    char *end = NULL;
    long number = slash ? strtol(slash + 1, &end, 10) : -1;
    if (end && !*end && number >= 0 && number <= INT_MAX && stat(path, &named) == 0 && fstat((int)number, &own) == 0 &&
        named.st_dev == own.st_dev && named.st_ino == own.st_ino)
        return fcntl((int)number, F_DUPFD_CLOEXEC, 3);
    return open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

/* Returns 0 or an errno. */
static int open_standard_output(int *file)
{
    *file = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    return *file < 0 ? errno : 0;
}

/* Whether the error means that the file cannot be synced: a pipe, a terminal, most devices. */
static int has_no_sync(int reason)
{
    return reason == EINVAL || reason == EROFS || reason == ENOTSUP;
}

/* Opens a device or FIFO. Blocks while a FIFO has no reader; if `waits` is not NULL, sets *waits instead and opens
 * nothing. Returns 0 or an errno. */
static int open_special(const char *target, int *waits, int *file)
{
    const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW;
    *file = open(target, flags | (waits ? O_NONBLOCK : 0));
    if (*file < 0 && errno == ENXIO && waits) {
        struct stat about;
        *waits = lstat(target, &about) == 0 && S_ISFIFO(about.st_mode);
        return *waits ? 0 : ENXIO;
    }
    if (*file < 0 || (waits && fcntl(*file, F_SETFL, O_WRONLY) != 0))
        return errno;
    return 0;
}

/* ---- opening ---- */

/* Decides how to write `path` and opens it; returns 0, an errno or FOREIGN. *in_folder is set if the file itself is
 * writable but no temporary file can be created next to it; for `waits` see open_special. */
static int open_target(struct outfile *out, const char *path, int *waits, int *file, int *in_folder)
{
    struct stat about;
    int found, is_direct;
    if (strcmp(path, "-") == 0)
        return open_standard_output(file);
    if (!*path)
        return ENOENT;
    int reason = find_target(path, &out->target, &about, &found, &is_direct);
    if (reason)
        return reason;
    if (found && S_ISDIR(about.st_mode))
        return EISDIR;
    if (is_direct || (found && !S_ISREG(about.st_mode))) {
        if (is_direct)
            reason = (*file = open_open_file(out->target)) < 0 ? errno : 0;
        else
            reason = open_special(out->target, waits, file);
        free(out->target);
        out->target = NULL;
        return reason;
    }
    /* a write-protected file is not replaced, either */
    if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 && errno != ENOENT)
        return errno;
    reason = open_temporary(out, found ? &about : NULL, file);
    *in_folder = found && reason != 0;
    return reason;
}

int outfile_is_stream(const char *path)
{
    char *target = NULL;
    struct stat about;
    int found, is_direct;
    int is = strcmp(path, "-") == 0 || (find_target(path, &target, &about, &found, &is_direct) == 0 && found &&
                                        (is_direct || !(S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))));
    free(target);
    return is;
}

static int are_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

int outfile_is_standard_output(const char *path)
{
    struct stat named, own;
    if (strcmp(path, "-") == 0)
        return 1;
    return outfile_is_stream(path) && stat(path, &named) == 0 && fstat(STDOUT_FILENO, &own) == 0 &&
           are_same(&named, &own) && (!S_ISCHR(own.st_mode) || isatty(STDOUT_FILENO));
}

/* Whether neither file exists and both paths would create the same one: same name and folder, links followed. */
static int will_be_same(const char *path, const char *other)
{
    char *target[2] = {NULL, NULL}, *folder[2] = {NULL, NULL};
    const char *paths[2] = {path, other}, *name[2];
    struct stat about[2];
    int found, is_direct, is = 1;
    for (int i = 0; i < 2 && is; i++) {
        is = find_target(paths[i], &target[i], &about[i], &found, &is_direct) == 0 && !found &&
             (folder[i] = path_folder(target[i])) && stat(folder[i], &about[i]) == 0;
        name[i] = target[i] && strrchr(target[i], '/') ? strrchr(target[i], '/') + 1 : target[i];
    }
    is = is && are_same(&about[0], &about[1]) && strcmp(name[0], name[1]) == 0;
    for (int i = 0; i < 2; i++) {
        free(target[i]);
        free(folder[i]);
    }
    return is;
}

int outfile_is_same(const char *path, const char *other)
{
    struct stat a, b;
    int has_a = strcmp(path, "-") == 0 ? fstat(STDOUT_FILENO, &a) == 0 : stat(path, &a) == 0;
    int has_b = strcmp(other, "-") == 0 ? fstat(STDOUT_FILENO, &b) == 0 : stat(other, &b) == 0;
    if (outfile_is_standard_output(path) && outfile_is_standard_output(other))
        return 1;
    if (has_a && has_b)
        return are_same(&a, &b) && !S_ISCHR(a.st_mode);
    return !has_a && !has_b && will_be_same(path, other);
}

int outfile_overwrites(const char *path, const char *input)
{
    struct stat out, in;
    if (strcmp(input, "-") != 0)
        return outfile_is_same(path, input);
    return fstat(STDIN_FILENO, &in) == 0 && S_ISREG(in.st_mode) &&
           (strcmp(path, "-") == 0 ? fstat(STDOUT_FILENO, &out) : stat(path, &out)) == 0 && are_same(&out, &in);
}

/* Reports why a path cannot be written, and whether the obstacle is its folder (in_folder). */
static enum status cannot_open(const char *path, int reason, int in_folder, struct error *error)
{
    const char *why = reason == ENOMEM    ? "out of memory"
                      : reason == FOREIGN ? "it belongs to another user and is in a folder that all users may write to"
                      : reason == NOT_WRITABLE ? "it is closed, or open only for reading"
                      : !*path                 ? "the name is empty"
                                               : strerror(reason);
    return error_set(error, reason == ENOMEM ? STATUS_NO_MEMORY : STATUS_IO, "%s: cannot be written: %s%s",
                     outfile_shown(path),
                     in_folder && reason != ENOMEM ? "no temporary file can be created in its folder: " : "", why);
}

static enum status open_or_wait(struct outfile *out, const char *path, int *waits, struct error *error)
{
    int file = -1, in_folder = 0;
    memset(out, 0, sizeof *out);
    if (named_path_check(path, error) != STATUS_OK)
        return STATUS_BAD_INPUT;
    out->path = strdup(path);
    int reason = out->path ? open_target(out, path, waits, &file, &in_folder) : ENOMEM;
    if (!reason && file >= 0 && (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDONLY)
        reason = NOT_WRITABLE;
    if (!reason && !out->target)
        fflush(stdout); /* keeps earlier output first */
    if (!reason && waits && *waits) {
        outfile_abandon(out);
        return STATUS_OK;
    }
    if (!reason && !(out->stream = fdopen(file, "wb")))
        reason = errno;
    if (!reason)
        return STATUS_OK;
    if (file >= 0)
        close(file);
    outfile_abandon(out);
    return cannot_open(path, reason, in_folder, error);
}

enum status outfile_open(struct outfile *out, const char *path, struct error *error)
{
    return open_or_wait(out, path, NULL, error);
}

enum status outfile_try_open(struct outfile *out, const char *path, int *waits, struct error *error)
{
    *waits = 0;
    return open_or_wait(out, path, waits, error);
}

/* ---- commit ---- */

/* The errno of an earlier write. The stream only keeps an error flag, so we write again to get it; the output is
 * incomplete in any case. */
static int reason_of_failure(struct outfile *out)
{
    errno = 0;
    if (write(fileno(out->stream), "\n", 1) >= 0)
        return EIO;
    return errno;
}

/* Writes all bytes to disk; returns 0 or an errno. */
static int bring_out(struct outfile *out)
{
    errno = 0;
    if (fflush(out->stream) != 0 && errno)
        return errno;
    if (ferror(out->stream))
        return reason_of_failure(out);
    if (fsync(fileno(out->stream)) != 0 && (out->target || !has_no_sync(errno)))
        return errno;
    return 0;
}

enum status outfile_commit(struct outfile *out, struct error *error)
{
    enum status status = STATUS_OK;
    int reason = bring_out(out);
    if (!reason && out->target && !out->temporary) { /* link cannot replace an existing file, rename can */
        char *folder = path_folder(out->target);
        reason = folder ? make_temporary(folder, make_link, out->stream, &out->temporary) : ENOMEM;
        free(folder);
    }
    if (fclose(out->stream) != 0 && !reason)
        reason = errno ? errno : EIO;
    out->stream = NULL;
    if (!reason && out->target && rename(out->temporary, out->target) != 0)
        reason = errno;
    if (reason) {
        status = error_set(error, STATUS_IO, "%s: cannot be written: %s", outfile_shown(out->path),
                           strerror(reason));
    } else if (out->target) {
        free(out->temporary);
        out->temporary = NULL;
        status = file_sync_name(out->target, error);
    }
    outfile_abandon(out);
    return status;
}

void outfile_abandon(struct outfile *out)
{
    if (out->stream)
        fclose(out->stream);
    if (out->temporary)
        unlink(out->temporary);
    free(out->temporary);
    free(out->target);
    free(out->path);
    memset(out, 0, sizeof *out);
}

/* ---- files left by killed processes ---- */

static int is_temporary(const char *name)
{
    const size_t begin = sizeof TEMPORARY_BEGIN - 1;
    return strlen(name) == TEMPORARY_LENGTH && strncmp(name, TEMPORARY_BEGIN, begin) == 0 &&
           strspn(name + begin, "0123456789abcdef") == TEMPORARY_DIGITS &&
           strcmp(name + begin + TEMPORARY_DIGITS, TEMPORARY_END) == 0;
}

enum status folder_make_temporary(const char *folder, char **made, struct error *error)
{
    const int reason = make_temporary(folder, make_folder, NULL, made);
    if (!reason)
        return STATUS_OK;
    return error_set(error, reason == ENOMEM ? STATUS_NO_MEMORY : STATUS_IO,
                     "%s: a temporary folder cannot be created there: %s", folder, strerror(reason));
}

enum status folder_remove_temporaries(const char *folder, struct error *error)
{
    enum status status = STATUS_OK;
    if (named_path_find_link(folder)) /* nothing of ours is behind a link */
        return STATUS_OK;
    DIR *entries = opendir(folder);
    if (!entries && errno == ENOENT)
        return STATUS_OK;
    if (!entries)
        return error_set(error, errno == ENOMEM ? STATUS_NO_MEMORY : STATUS_IO, "%s: cannot be read: %s", folder,
                         strerror(errno));
    for (const struct dirent *entry; status == STATUS_OK && (entry = readdir(entries));) {
        char *path = is_temporary(entry->d_name) ? path_join(folder, entry->d_name) : NULL;
        if (path)
            status = folder_remove(path, error);
        else if (is_temporary(entry->d_name))
            status = error_set(error, STATUS_NO_MEMORY, "%s: out of memory", folder);
        free(path);
    }
    closedir(entries);
    return status;
}
