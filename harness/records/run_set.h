/* Run folders as the tables see them: which published tables each one is for, its records, what it could not get. */
#ifndef HULLBENCH_RUN_SET_H
#define HULLBENCH_RUN_SET_H

#include "harness/records/record.h"

struct run_folder {
    const char *path;           /* the caller's */
    struct cJSON *config;       /* owned */
    struct cJSON *info;         /* run.json, owned; NULL where there is none */
    const struct cJSON *tables; /* the configuration's "tables", or NULL */
};

struct runs {
    struct run_folder *items;
    size_t count;
};

/* Reads config.json and run.json of `count` folders; the paths must outlive *runs. "tables", where present, must be an
 * array of names of the form PAPER.TABLE. Freed with runs_free. */
enum status runs_read(const char *const *paths, size_t count, struct runs *runs, struct error *error);
/* Accepts NULL and zeroed runs. */
void runs_free(struct runs *runs);

/* Whether the folder is for this table or, where `name` has no dot, for any table of this paper. */
int run_is_for(const struct run_folder *run, const char *name);

/* Adds the records of every folder that is for `name` (NULL: of every folder) to *records. */
enum status runs_records(const struct runs *runs, const char *name, struct records *records, struct error *error);

/* What the folders for `name` list as missing: a new array of {"dataset", "reason", "command"}, freed with
 * cJSON_Delete. */
enum status runs_missing(const struct runs *runs, const char *name, struct cJSON **missing, struct error *error);

#endif
