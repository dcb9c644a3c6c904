/*
 * The only reader of run folders. A folder is opened once. Its records and times are read on first use and kept, so
 * later stages receive the struct instead of the path.
 *
 * All verbs share its error messages: the folder does not exist, is unfinished, belongs to `tune`, holds only a
 * comparison, is damaged, or has a truncated records.jsonl.
 */
#ifndef HULLBENCH_RUN_FOLDER_H
#define HULLBENCH_RUN_FOLDER_H

#include "harness/records/record.h"
#include "harness/run/run_info.h"

struct cJSON;

/* The required content of a folder. */
enum folder_need {
    FOLDER_RECORDS,  /* records.jsonl, which is read later; the rest may be missing */
    FOLDER_CONFIG,   /* config.json */
    FOLDER_FINISHED, /* a finished run of `run`: config.json and a valid run.json, which sets `run` */
};

struct run_folder {
    enum folder_need need;       /* the requested need */
    struct pool *pool;           /* has what is read from the files below */
    const char *path;            /* borrowed from the caller */
    char *config_text;           /* config.json; NULL if missing */
    struct cJSON *config;        /* the same, parsed; an empty object if missing */
    struct cJSON *info;          /* run.json; NULL if missing */
    const struct cJSON *tables;  /* names of the published tables under "tables" in the configuration, or NULL */
    struct cJSON *published;     /* the same, owned */
    const struct cJSON *outputs; /* all of "tables", including objects that specify other tables; or NULL */
    int has_more_draws;          /* the configuration's "draws" is greater than 1 */
    struct run_info run;         /* content of run.json; zeroed if missing */
    int plan_agrees; /* for FOLDER_FINISHED: the plan in run.json matches configuration, restrictions, data and version,
                      * so config.json was not edited */
    struct record_file file;     /* filled by run_folder_read_lines and run_folder_read_records */
    struct lines timings;        /* the lines of timings.jsonl, after run_folder_read_timings */
    int has_lines, has_records, has_timings, has_times;
};

/* Reads config.json and run.json. STATUS_NOT_FOUND: the folder does not exist, has no configuration, or has no finished
 * run although one is needed. STATUS_BAD_INPUT: a file or member is damaged, or the folder is unfinished or not of
 * `run`. Overwrites *folder; free it with run_folder_free, even after an error. The path must outlive it. */
enum status run_folder_read(const char *path, enum folder_need need, struct run_folder *folder, struct error *error);
/* Accepts NULL and zero-initialised folders. */
void run_folder_free(struct run_folder *folder);

/* Reads the lines of records.jsonl into folder->file.lines on the first call. STATUS_NOT_FOUND: the file does not
 * exist. STATUS_BAD_INPUT: the last line is cut off, the number of lines differs from the number of records in
 * run.json, or the file of a finished run is missing; or records, times or traces are not those that run.json lists. */
enum status run_folder_read_lines(struct run_folder *folder, struct error *error);
/* Reads the records into folder->file.records on the first call. Errors as above; also STATUS_BAD_INPUT if a record is
 * damaged or contradicts another, or if the folder is of `tune`. */
enum status run_folder_read_records(struct run_folder *folder, struct error *error);
/* Reads the lines of timings.jsonl into folder->timings, after run_folder_read_lines. STATUS_NOT_FOUND if the file does
 * not exist. */
enum status run_folder_read_timings(struct run_folder *folder, struct error *error);
/* Sets `seconds` of the folder's records. STATUS_NOT_FOUND if timings.jsonl does not exist; STATUS_BAD_INPUT names a
 * line that is not the time of its record. */
enum status run_folder_read_times(struct run_folder *folder, struct error *error);

/* Whether the folder is of `tune`. */
int run_folder_is_search(const struct run_folder *folder);
/* Whether the folder is for this published table or, if `name` has no dot, for any table of this paper. */
int run_folder_is_for(const struct run_folder *folder, const char *name);

/* Several folders read together. */
struct run_folders {
    struct run_folder *items;
    size_t count;
};

/* Reads `count` folders, in this order. Errors are those of run_folder_read. Free them with run_folders_free. */
enum status run_folders_read(const char *const *paths, size_t count, enum folder_need need, struct run_folders *folders,
                             struct error *error);
/* Accepts NULL and zero-initialised folders. */
void run_folders_free(struct run_folders *folders);

/* Folders of configurations without "draws" hold a paper's splits, or one draw in their place; those with several draws
 * hold more splits of the same kind. */
enum draws { DRAWS_FIRST, DRAWS_ALL };

/* Collects the records of every folder that is for `name` (NULL: of every folder), without repeats, in folder order;
 * DRAWS_FIRST excludes folders with several draws. The list is in the pool (NULL: malloc'ed); the records are those of
 * the folders. A missing file ends with STATUS_BAD_INPUT, as other errors do. */
struct records run_folders_records(struct pool *pool, const struct run_folders *folders, const char *name,
                                   enum draws draws);
/* The folder that holds the record, or NULL. */
const struct run_folder *run_folders_of(const struct run_folders *folders, const struct record *record);
/* The sizes of the training and test sets of the record's data set, from run.json of the record's folder; unchanged if
 * missing there. */
void run_folders_sizes(const struct run_folders *folders, const struct record *record, size_t *train, size_t *test);
/* The data sets listed as missing by the folders for `name` (NULL: all): a new array of {"dataset", "reason",
 * "command"}; free it with cJSON_Delete. */
struct cJSON *run_folders_missing(const struct run_folders *folders, const char *name);

#endif
