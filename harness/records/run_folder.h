/*
 * The one reader of run folders. A folder is opened once; its records and times are read when they are first asked for,
 * and kept, so later stages are given the struct and not the path.
 *
 * Its messages are those of every verb: the folder does not exist, is unfinished, belongs to `tune`, holds only a
 * comparison, is damaged, or has a truncated records.jsonl.
 */
#ifndef HULLBENCH_RUN_FOLDER_H
#define HULLBENCH_RUN_FOLDER_H

#include "harness/records/record.h"
#include "harness/run/run_info.h"

struct cJSON;

/* What a folder has to hold. */
enum folder_need {
    FOLDER_RECORDS,  /* records.jsonl, which is not read yet; the rest may be missing */
    FOLDER_CONFIG,   /* config.json */
    FOLDER_FINISHED, /* a finished run of `run`: config.json and a sound run.json, which fills `run` */
};

struct run_folder {
    enum folder_need need;       /* what it was read for */
    const char *path;            /* the caller's */
    char *config_text;           /* config.json; NULL where there is none */
    struct cJSON *config;        /* the same parsed; an empty object where there is none */
    struct cJSON *info;          /* run.json; NULL where there is none */
    const struct cJSON *tables;  /* names of the published tables under "tables" in the configuration, or NULL */
    struct cJSON *published;     /* the same, owned */
    const struct cJSON *outputs; /* all of "tables", with the objects that specify tables of one's own; or NULL */
    int has_more_draws;          /* the configuration's "draws" are more than one */
    struct run_info run;         /* what run.json says; zeroed where there is none */
    int plan_agrees; /* for FOLDER_FINISHED: the plan in run.json is that of configuration, restrictions, data and
                        version: config.json was not edited */
    struct record_file file;     /* empty until run_folder_read_records, of which the next is part */
    struct lines timings;        /* the lines of timings.jsonl, once run_folder_read_timings was called */
    int has_lines, has_records, has_timings, has_times;
};

/* Reads config.json and run.json. STATUS_NOT_FOUND: there is no such folder, no configuration in it, or no finished run
 * although one is needed. STATUS_BAD_INPUT: a file or member is damaged, or the folder is unfinished or not of `run`.
 * The folder is zeroed first and released with run_folder_free, also after an error; the path must outlive it. */
enum status run_folder_read(const char *path, enum folder_need need, struct run_folder *folder, struct error *error);
/* Accepts NULL and zeroed folders. */
void run_folder_free(struct run_folder *folder);

/* Reads the lines of records.jsonl into folder->file.lines, the first time it is called. STATUS_NOT_FOUND: there is no
 * such file. STATUS_BAD_INPUT: the last line is cut off, there are not as many lines as run.json says records, or the
 * file of a finished run is gone. */
enum status run_folder_read_lines(struct run_folder *folder, struct error *error);
/* Reads the records into folder->file.records, the first time it is called. Errors as above; STATUS_BAD_INPUT also
 * where a record is damaged or contradicts another, or the folder is of `tune`. */
enum status run_folder_read_records(struct run_folder *folder, struct error *error);
/* Reads the lines of timings.jsonl into folder->timings. STATUS_NOT_FOUND where there is no such file. */
enum status run_folder_read_timings(struct run_folder *folder, struct error *error);
/* Sets `seconds` of the folder's records. STATUS_NOT_FOUND where there is no timings.jsonl; STATUS_BAD_INPUT names the
 * line that is not the time of its record. */
enum status run_folder_read_times(struct run_folder *folder, struct error *error);

/* Whether the folder is one of `tune`. */
int run_folder_is_search(const struct run_folder *folder);
/* Whether the folder is for this published table or, where `name` has no dot, for any table of this paper. */
int run_folder_is_for(const struct run_folder *folder, const char *name);

/* Several folders that are read together. */
struct run_folders {
    struct run_folder *items;
    size_t count;
};

/* Reads `count` folders, in this order. Errors are those of run_folder_read. Freed with run_folders_free. */
enum status run_folders_read(const char *const *paths, size_t count, enum folder_need need, struct run_folders *folders,
                             struct error *error);
/* Accepts NULL and zeroed folders. */
void run_folders_free(struct run_folders *folders);

/* The folders of configurations without "draws" hold the splits that a paper has, or one draw in their place; those
 * with several draws hold more splits of the same kind. */
enum draws { DRAWS_FIRST, DRAWS_ALL };

/* The records of every folder that is for `name` (NULL: of every folder), without repeats, in the order of the folders;
 * DRAWS_FIRST leaves out folders of several draws. *records is zeroed first; it holds pointers into the folders. */
enum status run_folders_records(const struct run_folders *folders, const char *name, enum draws draws,
                                struct records *records, struct error *error);
/* The sizes of the training and test sets of the record's data set, as run.json of the record's folder has them; left
 * alone where it does not. */
void run_folders_sizes(const struct run_folders *folders, const struct record *record, size_t *train, size_t *test);
/* What the folders for `name` list as missing: a new array of {"dataset", "reason", "command"}, freed with
 * cJSON_Delete. */
struct cJSON *run_folders_missing(const struct run_folders *folders, const char *name);

#endif
