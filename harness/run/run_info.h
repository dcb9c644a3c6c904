/*
 * run.json (docs/formats.md): where, with which program and on which data a run was done, and its results. None of it
 * is part of the records. It is written as JSON, member by member. What the verbs need is read into a struct; purely
 * informative members (build, libraries, machine, times) remain JSON.
 */
#ifndef HULLBENCH_RUN_INFO_H
#define HULLBENCH_RUN_INFO_H

#include "harness/evaluate/solve.h"
#include "harness/run/fingerprint.h"
#include "harness/evaluate/stage_times.h"
#include "harness/support/members.h"

struct cJSON;
struct missing_dataset;
struct plan;
struct pool;
struct record_hashes;
struct run;
struct run_options;

/* ---- reading; a text is NULL if the member is missing, a number 0 ---- */

/* A data set of the run, a missing one, or a plugin, which has only a hash. */
struct run_info_data {
    const char *dataset, *sha256; /* "": missing */
    const char *source;
    const char *altered;    /* see struct dataset; NULL: none */
    const char *reason;     /* why a data set is missing */
    size_t n_train, n_test; /* over all splits: fewest training and most test patterns; 0, 0: missing */
};

struct run_info_list {
    struct run_info_data *item;
    size_t count, capacity;
};

enum { RUN_INFO_HASHES = 4 };

struct run_info {
    unsigned schema;
    const char *config, *version, *program, *hashes[RUN_INFO_HASHES]; /* the last two as in `fingerprint` */
    struct fingerprint fingerprint; /* missing: a hash is 0, the program "" */
    int has_records;                /* nonzero: the member `records` exists */
    size_t records;
    size_t total_blocks;                     /* of all shards ("blocks_of_plan") */
    const char *solvers, *datasets, *splits; /* restrictions; NULL: none */
    size_t shard, shards;                    /* 1, 1: everything */
    size_t repeats;                          /* overrides the configuration's; 0: does not */
    struct run_info_list data, missing, plugins;
    int is_partial; /* the folder lacks parts of the plan */
};

/* What is read of run.json. All members are optional. */
extern const struct member run_info_members[];
/* Reads *info from the file's JSON; `path` is used in messages. Texts and lists are in the pool. STATUS_BAD_INPUT if a
 * member has another type than in docs/formats.md. */
void run_info_read(struct pool *pool, const struct cJSON *json, const char *path, struct run_info *info);

/* The entry of a data set used by the run, or NULL. */
const struct run_info_data *run_info_data(const struct run_info *info, const char *dataset);
/* Why the run lacked the data set, or NULL if not stated. */
const char *run_info_why_missing(const struct run_info *info, const char *dataset);

/* The resources a run used. */
struct run_times {
    double seconds;           /* wall-clock time */
    double available;         /* seconds times threads */
    double peak_megabytes;    /* peak memory of the process */
    struct stage_times stage_times; /* seconds and processor */
};
/* Reads *times from the JSON of run.json; returns 0 if it has no `time`. */
int run_info_times(const struct cJSON *info, struct run_times *times);

/* Adds the times; the peak becomes the larger one. */
void run_times_add(struct run_times *sum, const struct run_times *times);

/* ---- writing ---- */

/* The reason without the data set's name before and the command after it. */
void missing_reason(const struct missing_dataset *missing, char *reason, size_t size);


/* What is known before any job is done: configuration, plan, restrictions and data, but not the program. */
struct cJSON *run_info_of_plan(const struct plan *plan, const struct fingerprint *fingerprint,
                               const struct run_options *options, const struct missing_dataset *missing,
                               size_t n_missing);
/* The same for a run of this process, with program and machine; plan: the run's plan or a part of it. */
struct cJSON *run_info_of_run(const struct run *run, const struct plan *plan);
/* The same for a run that has just ended, with records, outcomes and times. */
struct cJSON *run_info_of_ended(const struct run *run, const struct plan *plan, size_t records,
                                const size_t outcomes[OUTCOMES]);
/* Adds records and outcomes. */
void run_info_add_results(struct cJSON *info, size_t records, const size_t outcomes[OUTCOMES]);
/* Adds `finished` (UTC; omitted if NULL) and the resources used. */
void run_info_add_times(struct cJSON *info, const char *finished, const struct run_times *times);
/* Adds `partial`, a list of what the folder lacks, and changes the plan hash to one that no run has, so that the folder
 * is never taken for a finished run. */
void run_info_add_partial(struct cJSON *info, const char *const *lacks, size_t count);

/* Adds the parameter's meaning, type, scale, allowed values as text, choices or range, and default. */
void run_info_describe_parameter(struct cJSON *object, const struct parameter *parameter);
/* Describes each parameter of the solver, by name. The caller frees it. */
struct cJSON *run_info_parameters(const struct solver *solver);

/* Writes FOLDER/run.json, with the checksums of the files that the folder has (file_hashes_add); frees `info`. */
void run_info_write(const char *folder, struct cJSON *info, const struct record_hashes *records);

/* The key of the peak memory in `machine`; the other members there are the same for every run on one machine. */
#define RUN_INFO_PEAK "peak_megabytes"

#endif
