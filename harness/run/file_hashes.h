/*
 * The files of a run folder and their SHA-256, as run.json lists them under "files":
 *
 *     "files": {"records.jsonl": {"bytes": 1234, "sha256": "..."}, "traces/heart-1-smo.tsv": {...}, ...}
 *
 * A run lists its configuration, records, times and traces when it ends, a search its configuration and its results;
 * `tables` adds the tables that it writes.
 * Readers compare what they read with this list, so a file that was edited, cut or lost is never taken for a result.
 * Folders written before version 1.0 have no list, and their files are not checked.
 */
#ifndef HULLBENCH_FILE_HASHES_H
#define HULLBENCH_FILE_HASHES_H

#include "harness/base/pool.h"
#include "solvers/error.h"

struct cJSON;

struct file_hash {
    size_t bytes;
    char sha256[65];
};

/* The hashes of records.jsonl and timings.jsonl, computed while they were written. */
struct record_hashes {
    struct file_hash records, timings;
};

/* Lists in `info`, which is about to become FOLDER/run.json, those of config.json, records.jsonl, timings.jsonl, the
 * results of a search (but not its figures) and the files of traces/ that exist. Reads records.jsonl and timings.jsonl
 * only if `records` is NULL. STATUS_BAD_INPUT if a file cannot be read. */
void file_hashes_add(struct cJSON *info, const char *folder, const struct record_hashes *records);
/* Enters FOLDER/NAME in the list of `info`, in place of an earlier entry of that name. Does nothing without a list.
 * Errors as above; STATUS_NOT_FOUND if there is no such file. */
void file_hash_put(struct cJSON *info, const char *folder, const char *name);

/* STATUS_BAD_INPUT unless `info`, read from the file `path`, has no list or a sound one: an object with size and
 * SHA-256 for each name, which is one of those above or a file directly in traces/ or tables/. */
void file_hashes_check_list(const struct cJSON *info, const char *path);
/* Whether a file of a run folder or bundle may have this name: no "/", no control character, no dot at the start. */
int file_name_is_plain(const char *name);

/* Compares the SHA-256 `hex` of the file FOLDER/NAME with that in `info`, unless `info` has no list or is NULL.
 * STATUS_BAD_INPUT if they differ or the list lacks the file. *last is the entry found, where the next search of the
 * same list begins, so that the work is linear (tests/cli/test_growth.sh), or NULL; `last` may be NULL. */
void file_hash_check(const struct cJSON *info, const char *folder, const char *name, const char *hex,
                     const struct cJSON **last);
/* The same for a file that has been read as lines. */
void file_hash_check_lines(const struct cJSON *info, const char *folder, const char *name,
                           const struct string_list *lines);
/* The SHA-256 that `info` lists for the file; NULL if it lists none. */
const char *file_hash_listed(const struct cJSON *info, const char *name);
/* Whether all listed files of the subfolder INSIDE are as they were written. */
int file_hashes_hold_inside(const struct cJSON *info, const char *folder, const char *inside);
/* STATUS_BAD_INPUT if one of the listed records, times and traces is missing, is not a regular file or has another size
 * than listed; the error names it. Reads no file. Tables may be missing: they can be made from the records. */
void file_hashes_check_present(const struct cJSON *info, const char *folder);

/* STATUS_BAD_INPUT if a listed file except config.json is missing, has another size or another SHA-256. */
void file_hashes_check_all(const struct cJSON *info, const char *folder);

/* Checks every listed file, and that traces/ and tables/ hold no others. Appends a line to *faults for each file that
 * is missing, changed or not listed, and to *unchecked the name of each other file and folder of FOLDER, except
 * figures, comparisons and replays of hullbench. Returns the number of listed files. STATUS_BAD_INPUT if `info` has
 * no list. */
size_t file_hashes_verify(struct pool *pool, const struct cJSON *info, const char *folder, struct string_list *faults,
                          struct string_list *unchecked);

#endif
