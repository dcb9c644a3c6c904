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

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "harness/base/platform.h"

#define TEMPORARY_BEGIN "hullbench-"
#define TEMPORARY_END ".tmp"
enum {
    TEMPORARY_DIGITS = 16,
    TEMPORARY_LENGTH = sizeof TEMPORARY_BEGIN - 1 + TEMPORARY_DIGITS + sizeof TEMPORARY_END - 1,
    LINKS_MAX = 40, /* as in the kernel */
    FOREIGN = -1,    /* not an errno: another user's file in a world-writable folder */
    NOT_WRITABLE = -2 /* an open file that is read-only, as main() leaves a closed standard output */
};

const char *outfile_shown(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard output" : *path ? path : "\"\"";
}

/* ---- the target ---- */

/* Where a path leads when links are followed. */
struct target {
    char path[PATH_MAX];
    struct stat about; /* if it exists */
    int exists;
    int is_open_file; /* a link in /proc to an open file of a process */
};

/* Whether the link at `path` is an open file in /proc. */
static int is_open_file(const char *path)
{
    const unsigned long proc_super_magic = 0x9fa0; /* PROC_SUPER_MAGIC of <linux/magic.h> */
    struct statfs system;
    char folder[PATH_MAX];
    return statfs(path_folder(path, folder), &system) == 0 && (unsigned long)system.f_type == proc_super_magic;
}

/* Whether the file at `path` belongs to another user and is in a world-writable sticky folder. */
static int is_foreign(const char *path, const struct stat *about)
{
    struct stat around;
    char folder[PATH_MAX];
    return !S_ISCHR(about->st_mode) && !S_ISBLK(about->st_mode) && !S_ISDIR(about->st_mode) &&
           about->st_uid != geteuid() && stat(path_folder(path, folder), &around) == 0 &&
           platform_is_sticky(&around) && (around.st_mode & S_IWOTH) && about->st_uid != around.st_uid;
}

/* Follows the links in `path`, part by part; what they lead to need not exist. Returns 0, an errno or FOREIGN. */
static int find_target(const char *path, struct target *target)
{
    char rest[PATH_MAX], link[PATH_MAX], both[PATH_MAX];
    size_t done = 0; /* length of what has been followed, in target->path */
    *target = (struct target){.exists = 0};
    if (strlen(path) >= sizeof rest)
        return ENAMETOOLONG;
    strcpy(rest, path);
    for (int links = 0; *rest;) {
        const size_t slashes = strspn(rest, "/"), part = slashes + strcspn(rest + slashes, "/");
        const char *further = rest + part;
        if (done + strlen(rest) >= sizeof target->path)
            return ENAMETOOLONG;
        sprintf(target->path + done, "%.*s", (int)part, rest);
        if (lstat(target->path, &target->about) != 0) {
            strcpy(target->path + done, rest);
            return errno == ENOENT ? 0 : errno;
        }
        const int is_link = S_ISLNK(target->about.st_mode);
        if ((is_link || !*further) && is_foreign(target->path, &target->about))
            return FOREIGN;
        target->is_open_file = is_link && !*further && is_open_file(target->path);
        if (!is_link || target->is_open_file) {
            done += part;
            memmove(rest, further, strlen(further) + 1);
            continue;
        }
        const ssize_t length = readlink(target->path, link, sizeof link - 1);
        if (length < 0 || links++ == LINKS_MAX)
            return length < 0 ? errno : ELOOP;
        link[length] = '\0';
        done = *link == '/' ? 0 : done;
        if (snprintf(both, sizeof both, "%s%s%s", *link != '/' && slashes ? "/" : "", link, further) >= PATH_MAX)
            return ENAMETOOLONG;
        strcpy(rest, both);
    }
    target->exists = done > 0;
    return 0;
}

/* ---- the temporary file ---- */

/* Replaces the malloc'ed *path by a random name in the folder of `beside`. */
static void name_temporary(const char *beside, char **path)
{
    char folder[PATH_MAX];
    uint64_t digits;
    free(*path);
    if (getrandom(&digits, sizeof digits, 0) != (ssize_t)sizeof digits)
        die(STATUS_IO, "no random name for a temporary file: %s", strerror(errno));
    *path = xasprintf("%s/" TEMPORARY_BEGIN "%0*" PRIx64 TEMPORARY_END, path_folder(beside, folder),
                      TEMPORARY_DIGITS, digits);
}

/* The reason why nothing was created at *path, which is then dropped; 0 if something was. */
static int reason_of(int failed, char **path)
{
    const int reason = failed ? errno : 0;
    if (failed) {
        free(*path); /* hullbench did not create it */
        *path = NULL;
    }
    return reason;
}

/* Gives the nameless file a name. Returns 0 or an errno. */
static int make_link(struct outfile *out)
{
    char open_name[32];
    int failed;
    snprintf(open_name, sizeof open_name, "/proc/self/fd/%d", fileno(out->stream));
    do {
        name_temporary(out->target, &out->temporary);
        failed = linkat(AT_FDCWD, open_name, AT_FDCWD, out->temporary, AT_SYMLINK_FOLLOW) != 0;
    } while (failed && errno == EEXIST);
    return reason_of(failed, &out->temporary);
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
        /* then the program's user owns it */
    }
    return (made.st_mode & 0777) != mode && fchmod(file, mode) != 0 ? errno : 0;
}

/* Returns 0 or an errno. */
static int open_temporary(struct outfile *out, const struct target *target, int *file)
{
    const mode_t mode = target->exists ? target->about.st_mode & 0700 : 0666;
    char folder[PATH_MAX];
    int reason = 0;
    *file = platform_open_nameless(path_folder(out->target, folder), mode);
    if (*file < 0) {
        do {
            name_temporary(out->target, &out->temporary);
            *file = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        } while (*file < 0 && errno == EEXIST);
        reason = reason_of(*file < 0, &out->temporary);
    }
    return !reason && target->exists ? keep_attributes(*file, &target->about) : reason;
}

/* ---- direct output ---- */

/* Duplicates the program's own open file: reopening it would write from the beginning. */
static int open_open_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct stat named, own;
    char *end = NULL;
    long number = slash ? strtol(slash + 1, &end, 10) : -1;
    if (end && !*end && number >= 0 && number <= INT_MAX && stat(path, &named) == 0 && fstat((int)number, &own) == 0 &&
        stat_is_same(&named, &own))
        return fcntl((int)number, F_DUPFD_CLOEXEC, 3);
    return open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

/* Opens a device or FIFO. Says so if a FIFO has no reader yet, and waits for one. Returns 0 or an errno. */
static int open_special(const char *shown, const char *target, int *file)
{
    const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW;
    struct stat about;
    *file = open(target, flags | O_NONBLOCK);
    if (*file < 0 && errno == ENXIO && lstat(target, &about) == 0 && S_ISFIFO(about.st_mode)) {
        fprintf(stderr, "hullbench: %s: waiting until a program reads this FIFO\n", shown);
        *file = open(target, flags);
    }
    return *file < 0 || fcntl(*file, F_SETFL, O_WRONLY) != 0 ? errno : 0;
}

/* ---- opening ---- */

/* Decides how to write `path` and opens it; returns 0, an errno or FOREIGN. *in_folder is set if the file itself is
 * writable but no temporary file can be created next to it. */
static int open_target(struct outfile *out, const char *path, int *file, int *in_folder)
{
    struct target target;
    if (strcmp(path, "-") == 0)
        return (*file = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) < 0 ? errno : 0;
    if (!*path)
        return ENOENT;
    int reason = find_target(path, &target);
    if (reason)
        return reason;
    if (target.is_open_file)
        return (*file = open_open_file(target.path)) < 0 ? errno : 0;
    if (target.exists && S_ISDIR(target.about.st_mode))
        return EISDIR;
    if (target.exists && !S_ISREG(target.about.st_mode))
        return open_special(path, target.path, file);
    /* a write-protected file is not replaced, either */
    if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 && errno != ENOENT)
        return errno;
    out->target = xstrdup(target.path);
    reason = open_temporary(out, &target, file);
    *in_folder = target.exists && reason != 0;
    return reason;
}

int outfile_is_stream(const char *path)
{
    struct target target;
    return strcmp(path, "-") == 0 ||
           (find_target(path, &target) == 0 && target.exists &&
            (target.is_open_file || !(S_ISREG(target.about.st_mode) || S_ISDIR(target.about.st_mode))));
}

int outfile_is_standard_output(const char *path)
{
    struct stat named, own;
    return strcmp(path, "-") == 0 ||
           (outfile_is_stream(path) && stat(path, &named) == 0 && fstat(STDOUT_FILENO, &own) == 0 &&
            stat_is_same(&named, &own) && (!S_ISCHR(own.st_mode) || isatty(STDOUT_FILENO)));
}

/* What writing `path` would change: a file, or the folder and the name of a new one. Zero if it cannot be written. */
static int identify(const char *path, struct stat *about, char name[PATH_MAX])
{
    struct target target;
    char folder[PATH_MAX];
    *name = '\0';
    if ((strcmp(path, "-") == 0 ? fstat(STDOUT_FILENO, about) : stat(path, about)) == 0)
        return 1;
    if (find_target(path, &target) != 0 || target.exists)
        return 0;
    const char *slash = strrchr(target.path, '/');
    strcpy(name, slash ? slash + 1 : target.path);
    return stat(path_folder(target.path, folder), about) == 0;
}

int outfile_is_same(const char *path, const char *other)
{
    struct stat a, b;
    char name[PATH_MAX], of_other[PATH_MAX];
    return (outfile_is_standard_output(path) && outfile_is_standard_output(other)) ||
           (identify(path, &a, name) && identify(other, &b, of_other) && strcmp(name, of_other) == 0 &&
            stat_is_same(&a, &b) && !S_ISCHR(a.st_mode));
}

int outfile_overwrites(const char *path, const char *input)
{
    struct stat out, in;
    char name[PATH_MAX];
    if (strcmp(input, "-") != 0)
        return outfile_is_same(path, input);
    return fstat(STDIN_FILENO, &in) == 0 && S_ISREG(in.st_mode) && identify(path, &out, name) && !*name &&
           stat_is_same(&out, &in);
}

static void abandon(void *out)
{
    outfile_abandon(out);
}

void outfile_open(struct outfile *out, const char *path)
{
    int file = -1, in_folder = 0;
    memset(out, 0, sizeof *out);
    named_path_check(path);
    out->path = xstrdup(path);
    cleanup_note(&out->cleanup, abandon, out);
    int reason = open_target(out, path, &file, &in_folder);
    if (!reason && file >= 0 && (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDONLY)
        reason = NOT_WRITABLE;
    if (!reason && !out->target)
        fflush(stdout); /* keeps earlier output first */
    if (!reason && !(out->stream = fdopen(file, "wb")))
        reason = errno;
    if (!reason)
        return;
    if (file >= 0)
        close(file);
    die(STATUS_IO, "%s: cannot be written: %s%s", outfile_shown(path),
        in_folder ? "no temporary file can be created in its folder: " : "",
        reason == FOREIGN        ? "it belongs to another user and is in a folder that all users may write to"
        : reason == NOT_WRITABLE ? "it is closed, or open only for reading"
        : !*path                 ? "the name is empty"
                                 : strerror(reason));
}

/* ---- commit ---- */

/* Writes all bytes to disk; returns 0 or an errno. */
static int bring_out(struct outfile *out)
{
    errno = 0;
    if (fflush(out->stream) != 0 && errno)
        return errno;
    /* The stream only keeps a flag of an earlier error; another write gets the reason. */
    if (ferror(out->stream))
        return write(fileno(out->stream), "\n", 1) >= 0 ? EIO : errno;
    if (fsync(fileno(out->stream)) == 0)
        return 0;
    /* a pipe, a terminal, most devices */
    const int has_no_sync = errno == EINVAL || errno == EROFS || errno == ENOTSUP;
    return !out->target && has_no_sync ? 0 : errno;
}

void outfile_commit(struct outfile *out)
{
    int reason = bring_out(out);
    if (!reason && out->target && !out->temporary) /* link cannot replace an existing file, rename can */
        reason = make_link(out);
    if (fclose(out->stream) != 0 && !reason)
        reason = errno ? errno : EIO;
    out->stream = NULL;
    if (!reason && out->target && rename(out->temporary, out->target) != 0)
        reason = errno;
    if (reason)
        die(STATUS_IO, "%s: cannot be written: %s", outfile_shown(out->path), strerror(reason));
    if (out->target) {
        free(out->temporary);
        out->temporary = NULL;
        file_sync_name(out->target);
    }
    outfile_abandon(out);
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
    cleanup_cancel(&out->cleanup);
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

static void remove_folder(void *data)
{
    struct temporary_folder *made = data;
    folder_try_remove(made->path);
    free(made->path);
}

void temporary_folder_make(struct temporary_folder *made, const char *folder)
{
    char *beside = xasprintf("%s/", folder);
    int failed;
    made->path = NULL;
    do {
        name_temporary(beside, &made->path);
        failed = mkdir(made->path, 0777) != 0;
    } while (failed && errno == EEXIST);
    const int reason = reason_of(failed, &made->path);
    free(beside);
    if (reason)
        die(STATUS_IO, "%s: a temporary folder cannot be created there: %s", folder, strerror(reason));
    cleanup_note(&made->cleanup, remove_folder, made);
}

void temporary_folder_remove(struct temporary_folder *made)
{
    folder_remove(made->path);
    cleanup_cancel(&made->cleanup);
    free(made->path);
}

void folder_remove_temporaries(const char *folder)
{
    if (named_path_find_link(folder)) /* nothing of hullbench is behind a link */
        return;
    struct pool *pool = pool_new();
    const struct string_list names = folder_list(pool, folder, is_temporary, STATUS_IO);
    for (size_t i = 0; i < names.count; i++)
        folder_remove(pool_printf(pool, "%s/%s", folder, names.line[i]));
    pool_free(pool);
}
