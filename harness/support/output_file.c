/*
 * Output files, see file.h.
 *
 * The bytes go to a temporary file in the target's own folder; commit syncs it, renames it to the target and syncs the
 * folder. The temporary file has no name until all bytes are in it (O_TMPFILE), so a process that is killed leaves
 * nothing. Where the file system has no nameless files (NFS), it is called hullbench-<16 random hexadecimal digits>.tmp
 * from the start. Either name is made with O_EXCL or link, which neither open nor replace what already has that name, a
 * symbolic link included.
 *
 * A target that is a device or a FIFO is opened and written, and so is one that is an open file of a process
 * (/dev/stdout leads to /proc/self/fd/1, and behind that may be a regular file that the shell has opened for us).
 *
 * In a sticky folder that all may write to, such as /tmp, a link, file or FIFO of another user is refused, unless it is
 * the folder's owner's: that user may have put it there to get our bytes, or to have us overwrite a file of our own.
 * So is a path through such a link to a folder.
 * The rule is that of the kernel's fs.protected_symlinks, _fifos and _regular, which may be switched off.
 */
#define _GNU_SOURCE /* O_TMPFILE */
#include "harness/support/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define TEMPORARY_BEGIN "hullbench-"
#define TEMPORARY_END ".tmp"
enum {
    TEMPORARY_DIGITS = 16,
    TEMPORARY_LENGTH = sizeof TEMPORARY_BEGIN - 1 + TEMPORARY_DIGITS + sizeof TEMPORARY_END - 1,
    LINKS_MAX = 40, /* the kernel's own limit */
    NAMES_MAX = 100, /* random names tried */
    FOREIGN = -1,    /* beside errno's numbers: what another user put where all may write */
    NOT_WRITABLE = -2 /* an open file that is open for reading alone, as main() leaves a closed standard output */
};

const char *outfile_shown(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard output" : *path ? path : "\"\"";
}

/* ---- the target ---- */

/* What the symbolic link at `path` names, as seen from here; malloc'ed, NULL with errno set. */
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

/* Whether the link at `path` is the kernel's name of an open file. */
static int is_open_file(const char *path)
{
    struct statfs system;
    char *folder = path_folder(path);
    int is = folder && statfs(folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
    free(folder);
    return is;
}

/* Whether what stands at `path` is another user's, in a sticky folder that all may write to. */
static int is_foreign(const char *path, const struct stat *about)
{
    struct stat around;
    char *folder = path_folder(path);
    int is = folder && !S_ISCHR(about->st_mode) && !S_ISBLK(about->st_mode) && !S_ISDIR(about->st_mode) &&
             about->st_uid != geteuid() && stat(folder, &around) == 0 && (around.st_mode & S_ISVTX) &&
             (around.st_mode & S_IWOTH) && about->st_uid != around.st_uid;
    free(folder);
    return is;
}

/* Whether a folder on the way to `path` is such a link, or one that leads through one. *links counts those followed;
 * beyond the kernel's limit the path cannot be opened. */
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

/* Follows symbolic links from `path` to their end, which need not exist. Returns 0, an errno or FOREIGN; *target is
 * malloc'ed, *found tells whether *about has been filled, *is_direct whether the end is an open file of a process. */
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

/* Whether writing to the file would be allowed: what is protected against writing is not replaced either. Asked of
 * the path as given, so that the system's rules about links in folders that all may write to hold as well. */
static int check_writable(const char *path)
{
    int file = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0)
        return errno == ENOENT ? 0 : errno;
    close(file);
    return 0;
}

/* ---- the temporary file ---- */

/* Gives out->temporary a name that is likely to be free; 0 or an errno. */
static int name_temporary(struct outfile *out, const char *folder)
{
    uint64_t digits;
    char name[TEMPORARY_LENGTH + 1];
    if (getrandom(&digits, sizeof digits, 0) != (ssize_t)sizeof digits)
        return EIO;
    snprintf(name, sizeof name, TEMPORARY_BEGIN "%0*" PRIx64 TEMPORARY_END, TEMPORARY_DIGITS, digits);
    free(out->temporary);
    out->temporary = path_join(folder, name);
    return out->temporary ? 0 : ENOMEM;
}

static void forget_temporary(struct outfile *out)
{
    free(out->temporary);
    out->temporary = NULL;
}

/* A file without a name, or -1. */
static int open_nameless(const char *folder, mode_t mode)
{
    if (access("/proc/self/fd", X_OK) != 0) /* it could not be given one */
        return -1;
    return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
}

/* Returns 0 or an errno. */
static int open_named(struct outfile *out, const char *folder, mode_t mode, int *file)
{
    int reason = EEXIST;
    for (int names = 0; reason == EEXIST && names < NAMES_MAX; names++) {
        reason = name_temporary(out, folder);
        if (reason)
            break;
        *file = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        reason = *file < 0 ? errno : 0;
    }
    if (reason)
        forget_temporary(out); /* it is not ours to remove */
    return reason;
}

/* Gives the nameless file a temporary name: link replaces nothing, rename has to. */
static int link_nameless(struct outfile *out)
{
    char open_name[32], *folder = path_folder(out->target);
    int reason = folder ? EEXIST : ENOMEM;
    snprintf(open_name, sizeof open_name, "/proc/self/fd/%d", fileno(out->stream));
    for (int names = 0; reason == EEXIST && names < NAMES_MAX; names++) {
        reason = name_temporary(out, folder);
        if (!reason && linkat(AT_FDCWD, open_name, AT_FDCWD, out->temporary, AT_SYMLINK_FOLLOW) != 0)
            reason = errno;
    }
    if (reason)
        forget_temporary(out);
    free(folder);
    return reason;
}

/* The owner where the system lets us; the mode of the replaced file. Where its group cannot be kept, the new group
 * may do no more than all others could. Returns 0 or an errno. */
static int keep_attributes(int file, const struct stat *replaced)
{
    struct stat made;
    mode_t mode = replaced->st_mode & 0777;
    if (fstat(file, &made) != 0)
        return errno;
    if (made.st_gid != replaced->st_gid && fchown(file, (uid_t)-1, replaced->st_gid) != 0)
        mode = (mode & ~(mode_t)070) | (mode & 07) << 3;
    if (made.st_uid != replaced->st_uid && fchown(file, replaced->st_uid, (gid_t)-1) != 0) {
        /* it is ours now */
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
    *file = open_nameless(folder, mode);
    int reason = *file < 0 ? open_named(out, folder, mode, file) : 0;
    if (!reason && replaced)
        reason = keep_attributes(*file, replaced);
    free(folder);
    return reason;
}

/* ---- what is written as it stands ---- */

/* Our own open file is shared, not opened once more: a second opening would write from the beginning again. */
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

/* Whether the error is that of a thing which cannot be synced: a pipe, a terminal, most devices. */
static int has_no_sync(int reason)
{
    return reason == EINVAL || reason == EROFS || reason == ENOTSUP;
}

/* A device or FIFO. A FIFO that nobody reads is waited for, or where `waits` is given, only that is noted there and
 * *file left. Returns 0 or an errno. */
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

/* Decides how `path` is written and opens it; 0, an errno or FOREIGN. *in_folder tells whether it is the file beside it
 * that cannot be made while the file itself may be written; waits: see open_special. */
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
    reason = check_writable(path);
    if (reason)
        return reason;
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

/* Whether neither is there, and writing one would make the other: one name in one folder, links followed. */
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

/* Why a path cannot be written. The file may be written and its folder may not: then the folder is to be named. */
static enum status cannot_open(const char *path, int reason, int in_folder, struct error *error)
{
    const char *why = reason == ENOMEM    ? "out of memory"
                      : reason == FOREIGN ? "it belongs to another user, in a folder that all may write to"
                      : reason == NOT_WRITABLE ? "it is closed, or open for reading only"
                      : !*path                 ? "the name is empty"
                                               : strerror(reason);
    return error_set(error, reason == ENOMEM ? STATUS_NO_MEMORY : STATUS_IO, "%s: cannot be written: %s%s",
                     outfile_shown(path),
                     in_folder && reason != ENOMEM ? "no temporary file can be made in its folder: " : "", why);
}

static enum status open_or_wait(struct outfile *out, const char *path, int *waits, struct error *error)
{
    int file = -1, in_folder = 0;
    memset(out, 0, sizeof *out);
    out->path = strdup(path);
    int reason = out->path ? open_target(out, path, waits, &file, &in_folder) : ENOMEM;
    if (!reason && file >= 0 && (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDONLY)
        reason = NOT_WRITABLE;
    if (!reason && !out->target)
        fflush(stdout); /* what was printed before comes first there */
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

/* ---- the end ---- */

/* Why filling the stream failed: only its error flag is left, so what failed is tried once more. What is written is
 * given up or lacks bytes already. */
static int reason_of_failure(struct outfile *out)
{
    errno = 0;
    if (write(fileno(out->stream), "\n", 1) >= 0)
        return EIO;
    return errno;
}

/* Writes all bytes to the disk; 0 or an errno. */
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
    if (!reason && out->target && !out->temporary)
        reason = link_nameless(out);
    if (fclose(out->stream) != 0 && !reason)
        reason = errno ? errno : EIO;
    out->stream = NULL;
    if (!reason && out->target && rename(out->temporary, out->target) != 0)
        reason = errno;
    if (reason) {
        status = error_set(error, STATUS_IO, "%s: cannot be written: %s", outfile_shown(out->path),
                           strerror(reason));
    } else if (out->target) {
        forget_temporary(out);
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

/* ---- what killed processes left ---- */

static int is_temporary(const char *name)
{
    const size_t begin = sizeof TEMPORARY_BEGIN - 1;
    return strlen(name) == TEMPORARY_LENGTH && strncmp(name, TEMPORARY_BEGIN, begin) == 0 &&
           strspn(name + begin, "0123456789abcdef") == TEMPORARY_DIGITS &&
           strcmp(name + begin + TEMPORARY_DIGITS, TEMPORARY_END) == 0;
}

enum status folder_remove_temporaries(const char *folder, struct error *error)
{
    enum status status = STATUS_OK;
    DIR *entries = opendir(folder);
    if (!entries && errno == ENOENT)
        return STATUS_OK;
    if (!entries)
        return error_set(error, errno == ENOMEM ? STATUS_NO_MEMORY : STATUS_IO, "%s: cannot be read: %s", folder,
                         strerror(errno));
    for (const struct dirent *entry; status == STATUS_OK && (entry = readdir(entries));)
        if (is_temporary(entry->d_name))
            status = file_remove(folder, entry->d_name, error);
    closedir(entries);
    return status;
}
