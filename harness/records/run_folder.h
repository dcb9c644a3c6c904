/* A finished run read back from its folder: its configuration, what run.json says of it, and whether both belong
 * together. */
#ifndef HULLBENCH_RUN_FOLDER_H
#define HULLBENCH_RUN_FOLDER_H

#include <stddef.h>

#include "solvers/error.h"

struct cJSON;

struct finished {
    const char *folder;                      /* the caller's */
    char *config;                            /* the text of config.json */
    struct cJSON *about;                     /* run.json */
    const char *plan, *version;              /* into about */
    const char *solvers, *datasets, *splits; /* restrictions, into about; NULL: none */
    size_t shard, shards;                    /* 1, 1: everything */
    size_t records;                          /* as run.json says */
    size_t units_of_plan;                    /* of all shards together; 0: not said (a folder of an old version) */
    int plan_agrees; /* the plan is that of this configuration, restrictions, data and version: config.json was not
                        edited */
};

/* Reads a folder. STATUS_NOT_FOUND: there is no run.json, the run is not finished or the folder none of a run.
 * STATUS_BAD_INPUT: a file or member is missing or damaged, or the folder is one of `tune` or a partial merge. Released
 * by finished_free. */
enum status finished_read(const char *folder, struct finished *finished, struct error *error);
/* Accepts NULL and zeroed ones. */
void finished_free(struct finished *finished);

/* The SHA-256 of a data set the run used, or NULL where it did not have it. */
const char *finished_data(const struct finished *finished, const char *dataset);
/* The file that it came from, or "made here"; NULL where it did not have it. */
const char *finished_source(const struct finished *finished, const char *dataset);
/* Why the run went without the data set, or NULL where it does not say so. */
const char *finished_missing(const struct finished *finished, const char *dataset);
/* Whether solvers of the run came from the plugin of this SHA-256. */
int finished_has_plugin(const struct finished *finished, const char *sha256);

#endif
