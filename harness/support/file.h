/*
 * Reading and writing whole files. A regular file is replaced only once every byte of the new one is on disk, so a full
 * disk or a kill leaves either the old file or the new one. The program writes all files this way, except journals and
 * locks.
 */
#ifndef HULLBENCH_FILE_H
#define HULLBENCH_FILE_H

#include <limits.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"

/* Whether the errno says that memory or descriptors ran out, which is no fault of a file. */
int file_is_shortage(int reason);
/* Ends with the error of a file that cannot be read: STATUS_NOT_FOUND if `reason` is ENOENT, STATUS_NO_MEMORY if it is
 * a shortage, else STATUS_BAD_INPUT. */
_Noreturn void file_refuse(const char *path, int reason);
/* Reads a whole file into the pool, with a NUL behind it. *size gets its length; if `size` is NULL, the file must be a
 * text without zero bytes. STATUS_NOT_FOUND if it does not exist, STATUS_BAD_INPUT if it cannot be read. */
char *file_read(struct pool *pool, const char *path, size_t *size);
/* The same, but NULL if the file does not exist. */
char *file_read_or_null(struct pool *pool, const char *path, size_t *size);
/* Reads the rest of an open file, which stays open unless that fails; `path` is used in messages. */
char *file_read_stream(struct pool *pool, FILE *stream, const char *path, size_t *size);
/* The lines of a text file. STATUS_BAD_INPUT if the last one is cut off (no newline); errors as in file_read. */
struct string_list lines_read(struct pool *pool, const char *path);
/* The number, from 1, of the line of a text in which `end` is. */
size_t file_line_of(const char *text, const char *end);
/* STATUS_BAD_INPUT if there is no such file, where a missing file is no missing data. */
void file_check_exists(const char *path);
/* Appends to a file that is open with O_APPEND, in one write if the system allows; `path` is used in messages. An
 * error, STATUS_IO, leaves the file as it was, or with a last line that is cut off. */
void file_append(int file, const char *path, const char *text, size_t size);

/* The SHA-256, as 64 hexadecimal digits and a NUL, and the size (may be NULL). Errors as in file_read. */
void file_sha256(const char *path, char hex[65], size_t *size);

int file_is_folder(const char *path);
/* Whether `path` exists and is neither a regular file nor a link to one: reading a FIFO may never end. */
int file_is_special(const char *path);
/* STATUS_BAD_INPUT if it is. */
void file_check_regular(const char *path);

/*
 * A file being written. Write to `stream`; outfile_commit reports all errors, including those of earlier writes. If an
 * error ends the program or the attempt before, the file is abandoned. How the file is written depends on `path`:
 *   - absent, or a regular file: the bytes go to a temporary file in the same folder, which replaces the file at the
 *     end. The new file keeps the mode and, where the system allows, the owner of the old one, but no ACLs; other hard
 *     links keep the old content. A write-protected file is not replaced.
 *   - a symbolic link: its target is written, whether or not it exists; the link stays. STATUS_BAD_INPUT if the link,
 *     or one on the way to the file, lies below what the user named.
 *   - a device or FIFO, "-" (standard output), /dev/stdout and similar names: the bytes are written to it directly.
 *   - a folder or a socket: an error. Another user's link, file or FIFO in a world-writable sticky folder, or a path
 *     through such a link, is an error, too.
 */
struct outfile {
    FILE *stream;
    char *path;      /* as given, for messages */
    char *target;    /* the file to replace at the end; NULL if `stream` writes to the destination directly */
    char *temporary; /* NULL while the file has no name */
    struct cleanup cleanup;
};
/* If `path` is a FIFO without a reader, says on standard error that it waits for one, and does. */
void outfile_open(struct outfile *out, const char *path);
/* Flushes, syncs, closes and renames; on failure removes the temporary file and leaves the old file unchanged. */
void outfile_commit(struct outfile *out);
/* Discards the output and removes the temporary file. Accepts a zeroed or already committed outfile. */
void outfile_abandon(struct outfile *out);
/* Whether outfile_open would write to `path` directly instead of replacing it. */
int outfile_is_stream(const char *path);
/* Whether `path` is standard output: "-", or another name of it if it is a file, a pipe or a terminal. */
int outfile_is_standard_output(const char *path);
/* Whether writing to both paths would write the same file, existing or not. Considers other names, links, and "-" for
 * the destination of standard output. Devices accept several writers and never count as the same. */
int outfile_is_same(const char *path, const char *other);
/* Whether writing `path` would overwrite the input file; "-" as input is standard input. */
int outfile_overwrites(const char *path, const char *input);
/* The path as shown in messages: "standard output" for "-", quotation marks for the empty path. */
const char *outfile_shown(const char *path);
/* A folder that is removed with everything in it, by the program's end at the latest, unless that is killed. */
struct temporary_folder {
    char *path;
    struct cleanup cleanup;
};
void temporary_folder_make(struct temporary_folder *made, const char *folder);
void temporary_folder_remove(struct temporary_folder *made);
/* Removes the temporary files that killed processes left in a folder. Use it only on hullbench's own folders, which the
 * caller has locked; a missing folder is not an error. */
void folder_remove_temporaries(const char *folder);

/* Syncs the folder of `path`, so that a name created or changed there survives a power failure. */
void file_sync_name(const char *path);
/* Writes `size` bytes as the whole content of a file. */
void file_write(const char *path, const void *bytes, size_t size);
/* Removes folder/name, or the first link on the way there; a missing file is not an error. */
void file_remove(const char *folder, const char *name);
/* The same for a caller who goes on after an error; returns 0 or an errno. */
int file_try_remove(const char *folder, const char *name);
/* Removes the files of a folder whose names start with `begin` and end with `end`, except hidden ones; a missing folder
 * is not an error. If the folder is behind a link below what the user named, only the link is removed. */
void file_remove_all(const char *folder, const char *begin, const char *end);

/* Creates a folder and its parents; an existing folder is not an error. STATUS_BAD_INPUT for "-", which means standard
 * output, and for links below what the user named. */
void folder_make(const char *path);

/* Whether both exist and are the same file or folder, possibly under two names. */
struct stat;
int stat_is_same(const struct stat *a, const struct stat *b);
int file_is_same(const char *path, const char *other);

/* "FOLDER/NAME" in one of eight buffers of this thread, which later calls use in turn, and no other function of
 * support/ does. What is too long for the system stays so. */
char *path_in(const char *folder, const char *name);
/* Joins the parts, of which NULL marks the end, by "-" to a file name. ASCII letters, digits and ".", "_", "-", "+"
 * stay as they are. Every other byte, and "." or "-" at the beginning, becomes "=" with two hexadecimal digits. So
 * different names never become the same file, and every system, archive and link takes the file's name. A name of more
 * than 230 bytes is cut and ends in "==" and 16 digits of its hash, since a file name has at most 255. Returns the name
 * between `before`, such as a folder with its slash, and `after`, such as an ending. */
const char *file_name_join(struct pool *pool, const char *before, const char *const *parts, const char *after);
/* Advances to the next folder of a colon-separated list. The current one starts at *folder (NULL: an empty list) and
 * has *length bytes; set *length to 0 before the first call. Returns 0 after the last. */
int search_path_next(const char **folder, size_t *length);
/* Writes the part before the last "/", or "." if there is none; returns it. */
const char *path_folder(const char *path, char folder[PATH_MAX]);

/* ---- folders ---- */

/* The names of the entries for which is_wanted(name) is not 0 (NULL: of all), in the order of their bytes, which no
 * locale changes. A missing folder has none; dies with `status` if it cannot be read. */
struct string_list folder_list(struct pool *pool, const char *folder, int (*is_wanted)(const char *name),
                                enum status status);

/* Removes a folder with everything in it, but follows no links; STATUS_IO. A missing folder is not an error. */
void folder_remove(const char *folder);
/* The same for a caller who goes on after an error; returns 0 or an errno. */
int folder_try_remove(const char *folder);

/*
 * Which part of a path the user named. The user may name links: they are followed. What lies below may be the work of a
 * stranger, such as a run folder that was sent or unpacked: no link there is followed when hullbench writes or removes.
 * Every function here and in folder_lock.h that creates or removes something looks here first.
 */

/* Notes a path that the user named, or that hullbench chose outside all such paths. "." contains all relative paths
 * that do not begin with "..". Not thread-safe. */
void named_path_add(const char *path);
/* The same unless `path` lies below a noted one. */
void named_path_add_outermost(const char *path);

/* The length of the first part of `path` that is a link below the longest noted path that contains it; 0: none is. */
size_t named_path_find_link(const char *path);
/* STATUS_BAD_INPUT, and the name of the link, if there is one. */
void named_path_check(const char *path);

#endif
