/*
 * The only door to run folders. Opening a folder reads config.json and run.json; its lines, records and times are read
 * on first use, checked against the hashes in run.json, and kept, so later stages receive the struct instead of the
 * path.
 *
 * Every error ends with STATUS_BAD_INPUT, since what is not found is what the user named: the folder does not exist, is
 * unfinished, belongs to `tune`, holds only a comparison or is damaged; or a file is missing, cut off or changed.
 */
#ifndef HULLBENCH_RUN_FOLDER_H
#define HULLBENCH_RUN_FOLDER_H

#include "harness/records/record.h"
#include "harness/run/run_info.h"

/* The required content of a folder. */
enum folder_need {
    FOLDER_RECORDS,  /* records.jsonl, which is read later; the rest may be missing */
    FOLDER_CONFIG,   /* config.json */
    FOLDER_FINISHED, /* a finished run of `run`: config.json and a valid run.json, which sets `run` */
    FOLDER_PART,     /* the same; but where no finished run is, the status is STATUS_NOT_FOUND */
};

struct run_folder {
    enum folder_need need;       /* the requested need */
    struct pool *pool;           /* has what is read */
    const char *path;            /* borrowed from the caller */
    char *config_text;           /* config.json; NULL if missing */
    struct cJSON *config;        /* the same, parsed; an empty object if missing */
    struct cJSON *info;          /* run.json; NULL if missing */
    const struct cJSON *tables;  /* names of the published tables under "tables" in the configuration, or NULL */
    const struct cJSON *outputs; /* all of "tables", including objects that specify other tables; or NULL */
    int has_more_draws;          /* the configuration's "draws" is greater than 1 */
    struct run_info run;         /* content of run.json; zeroed if missing */
    struct name_order datasets;  /* names of run.data, in its order */
    int plan_agrees; /* of a finished run: the plan in run.json matches configuration, restrictions, data and version,
                      * so config.json was not edited */
    struct record_file file;     /* after run_folder_read_lines and run_folder_read_records */
    struct string_list timings;        /* the lines of timings.jsonl, after run_folder_read_times */
    int has_lines, has_records, has_times;
};

/* Opens a folder. The path must outlive it. */
void run_folder_open(struct pool *pool, const char *path, enum folder_need need, struct run_folder *folder);

/* Reads the lines of records.jsonl into folder->file.lines, as many as run.json says. The listed traces are there. */
void run_folder_read_lines(struct run_folder *folder);
/* Reads and returns the records in folder->file.records. An error also if a record is damaged or contradicts another,
 * or if the folder is of `tune`. */
const struct records *run_folder_read_records(struct run_folder *folder);
/* Sets the times of the records. Returns 0 without timings.jsonl; dies at a line that is not the time of its record. */
int run_folder_read_times(struct run_folder *folder);

/* Whether the folder is of `tune`. */
int run_folder_is_search(const struct run_folder *folder);
/* Whether the folder is for this published table or, if `name` has no dot, for any table of this paper. */
int run_folder_is_for(const struct run_folder *folder, const char *name);

/* Several folders read together. */
struct run_folders {
    struct run_folder *items;
    size_t count;
};
struct run_folders run_folders_open(struct pool *pool, const char *const *paths, size_t count, enum folder_need need);

/* Folders of configurations without "draws" hold a paper's splits, or one draw in their place; those with several draws
 * hold more splits of the same kind. */
enum draws { DRAWS_FIRST, DRAWS_ALL };

/* Collects the records of every folder that is for `name` (NULL: of every folder), without repeats, in folder order;
 * DRAWS_FIRST excludes folders with several draws. */
struct records run_folders_records(struct pool *pool, const struct run_folders *folders, const char *name,
                                   enum draws draws);
/* The folder that holds the record, or NULL. */
const struct run_folder *run_folders_of(const struct run_folders *folders, const struct record *record);
/* The sizes of the record's training and test sets, from run.json of its folder; unchanged if missing there. */
void run_folders_sizes(const struct run_folders *folders, const struct record *record, size_t *train, size_t *test);
/* The data sets listed as missing by the folders for `name` (NULL: all): a new array of {"dataset", "reason",
 * "command"}; free it with cJSON_Delete. */
struct cJSON *run_folders_missing(const struct run_folders *folders, const char *name);

/* Checks that a split of a data set, say 7, contains the same patterns in both folders, data set by data set. The error
 * names folders, data set, and both values of what differs. Folders without run.json have no data sets. */
void run_folder_check_splits(const struct run_folder *one, const struct run_folder *other);
/* The same for every two folders that are for tables or claims of the same paper. */
void run_folders_check_splits(const struct run_folders *runs);

#endif
