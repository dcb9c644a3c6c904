/*
 * Whole files in and out. A regular file is replaced only once every byte of the new one is on the disk, so a full disk
 * or a kill leaves either the old file or the new one. This is the only way in which the program writes files, but for
 * journals and locks.
 */
#ifndef HULLBENCH_FILE_H
#define HULLBENCH_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "solvers/error.h"

struct cJSON;

/* Reads a file whole. *text gets a malloc'ed, NUL-terminated buffer the caller frees; *size (may be NULL) its length
 * without the NUL. A file that is absent gives STATUS_NOT_FOUND, one that cannot be read STATUS_BAD_INPUT. */
enum status file_read(const char *path, char **text, size_t *size, struct error *error);
/* The same in two steps, for a file that stays open: *stream is the caller's to close, `path` stands in messages. */
enum status file_open(const char *path, FILE **stream, struct error *error);
enum status file_read_stream(FILE *stream, const char *path, char **text, size_t *size, struct error *error);

/*
 * A file being written. Fill `stream`; outfile_commit reports errors, those of filling included. `path` decides how it
 * is written:
 *   - absent, or a regular file: the bytes go to a temporary file in the same folder, which replaces it at the end. The
 *     new file keeps mode and, where the system allows, owner of the old one, no ACLs; other hard links keep the old
 *     content. A file that may not be written to is not replaced.
 *   - a symbolic link: what it names is written, there or not; the link stays.
 *   - a device or FIFO, "-" (standard output), /dev/stdout and the like: the bytes are written to it.
 *   - a folder or a socket: an error; and so is another user's link, file or FIFO in a sticky folder that all may write
 *     to, and a path through such a link.
 */
struct outfile {
    FILE *stream;
    char *path;      /* as given, for messages */
    char *target;    /* what is replaced at the end; NULL: `stream` is the thing itself */
    char *temporary; /* NULL while it has no name */
};
/* Waits where the path is a FIFO that nobody reads. */
enum status outfile_open(struct outfile *out, const char *path, struct error *error);
/* The same without waiting: *waits is then 1, and nothing is open, where a FIFO has no reader yet; else 0. */
enum status outfile_try_open(struct outfile *out, const char *path, int *waits, struct error *error);
/* Flushes, syncs, closes and renames; on failure the temporary file is removed and the old file left as it was. */
enum status outfile_commit(struct outfile *out, struct error *error);
/* Gives up: removes the temporary file. Accepts a zeroed or already committed outfile. */
void outfile_abandon(struct outfile *out);
/* Whether the bytes would be written to what `path` names, which is no regular file, as they come. */
int outfile_is_stream(const char *path);
/* Whether they would go to standard output: "-", or another name of it while it is a file, a pipe or a terminal. */
int outfile_is_standard_output(const char *path);
/* Whether writing both would write one file, there or not, or writing one would overwrite the other: another name, a
 * link to it, "-" for what standard output leads to. Devices take what everybody writes: they are never the same. */
int outfile_is_same(const char *path, const char *other);
/* The same of an output and of a file that is read, where "-" is standard input. */
int outfile_overwrites(const char *path, const char *input);
/* The path as messages name it: "standard output" for "-", quotation marks for the empty one. */
const char *outfile_shown(const char *path);
/* Removes the temporary files that killed processes left in a folder. For folders that the caller has locked and
 * knows for its own; one that is not there is fine. */
enum status folder_remove_temporaries(const char *folder, struct error *error);

/* Syncs the folder that `path` is in, so that a name made or changed there outlives a loss of power. */
enum status file_sync_name(const char *path, struct error *error);

/* Writes size bytes as a whole file. */
enum status file_write(const char *path, const void *bytes, size_t size, struct error *error);

/* Removes folder/name; one that is not there is fine. */
enum status file_remove(const char *folder, const char *name, struct error *error);
/* Removes the files of a folder whose names begin and end so; a folder that is not there is fine. */
enum status file_remove_all(const char *folder, const char *begin, const char *end, struct error *error);

/* Makes a folder and its parents; an existing folder is fine. "-" is STATUS_BAD_INPUT: it means standard output. */
enum status folder_make(const char *path, struct error *error);

/* Whether both are there and one file or folder, maybe by two names. */
int file_is_same(const char *path, const char *other);
/* Whether `path` is not there or was written before `than`; 0 where that one is not there. */
int file_is_older(const char *path, const char *than);

/* "folder/name" in a malloc'ed string, NULL when out of memory. */
char *path_join(const char *folder, const char *name);
/* Steps to the next folder of a colon-separated list, which begins at *folder (NULL: an empty list) and has *length
 * bytes; *length is 0 before the first. Returns 0 after the last. */
int search_path_next(const char **folder, size_t *length);
/* What stands before the last "/", "." where there is none; malloc'ed, NULL when out of memory. */
char *path_folder(const char *path);

/* Reads and parses a JSON file; the error names file and line. *json is freed with cJSON_Delete. */
enum status json_read(const char *path, struct cJSON **json, struct error *error);
/* Parses a text; the error names `label` and the line. */
enum status json_parse(const char *label, const char *text, struct cJSON **json, struct error *error);
/* Prints JSON, formatted, with a newline at the end; 0 when out of memory. Errors of the stream are the caller's. */
int json_print(const struct cJSON *json, FILE *stream);
/* The same as a whole file. */
enum status json_write(const char *path, const struct cJSON *json, struct error *error);

#endif
