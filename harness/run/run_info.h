/*
 * run.json (docs/formats.md): where, by what and on which data a run was done, and what came of it. Nothing of it
 * enters the records. It is written as JSON, member by member, and what the verbs rely on is read into a
 * struct. What only informs (build, libraries, machine, times) stays JSON.
 */
#ifndef HULLBENCH_RUN_INFO_H
#define HULLBENCH_RUN_INFO_H

#include "harness/evaluate/solve.h"
#include "harness/run/fingerprint.h"
#include "harness/support/stage_times.h"

struct cJSON;
struct missing_dataset;
struct plan;
struct run;
struct run_options;

/* ---- reading; texts are borrowed from the JSON, NULL where the member is missing; missing numbers are 0 ---- */

/* A data set that the run had, one that it lacked, or a plugin, which has only a hash. */
struct run_info_data {
    const char *dataset, *sha256; /* "": missing */
    const char *source;
    const char *reason;     /* of a missing one: why */
    size_t n_train, n_test; /* the fewest patterns to train and the most to test of a split; 0, 0: missing */
};

struct run_info {
    const char *config, *version;
    struct fingerprint fingerprint; /* a hash of 0 and a program of "": missing */
    int has_records;                /* nonzero: the member `records` is there */
    size_t records;
    size_t total_blocks;                     /* of all shards together ("blocks_of_plan") */
    const char *solvers, *datasets, *splits; /* restrictions; NULL: none */
    size_t shard, shards;                    /* 1, 1: everything */
    size_t repeats;                          /* in place of the configuration's; 0: that one */
    struct run_info_data *data, *missing, *plugins;
    size_t n_data, n_missing, n_plugins;
    int is_partial; /* the folder lacks parts of the plan */
};

/* Reads *info from the file's JSON, which must outlive it; `path` stands in messages. STATUS_BAD_INPUT: a member has
 * another type than docs/formats.md says. No member is required, and others are left alone. Released with
 * run_info_free, also after an error. */
enum status run_info_read(const struct cJSON *json, const char *path, struct run_info *info, struct error *error);
/* Accepts NULL and a zeroed struct. */
void run_info_free(struct run_info *info);

/* The entry of a data set that the run had, or NULL. */
const struct run_info_data *run_info_data(const struct run_info *info, const char *dataset);
/* Why the run went without the data set, or NULL where it does not say so. */
const char *run_info_why_missing(const struct run_info *info, const char *dataset);

/* What a run took. */
struct run_times {
    double seconds;           /* by the wall clock */
    double available;         /* seconds times threads */
    double peak_megabytes;    /* the most memory that the process held */
    struct stage_times stage_times; /* seconds and processor */
};
/* Reads it from the JSON of run.json; returns 0 where that has no `time`. */
int run_info_times(const struct cJSON *info, struct run_times *times);

/* The times of both; the peak is the larger. */
void run_times_add(struct run_times *sum, const struct run_times *times);

/* ---- writing ---- */

/* What is known before any job is done: configuration, plan, restrictions and data, without the program. */
struct cJSON *run_info_of_plan(const struct plan *plan, const struct fingerprint *fingerprint,
                               const struct run_options *options, const struct missing_dataset *missing,
                               size_t n_missing);
/* The same of a run of this process, with program and machine; plan: the run's or a part of it. */
struct cJSON *run_info_of_run(const struct run *run, const struct plan *plan);
/* The same of a run that has ended just now, with records, outcomes and times. */
struct cJSON *run_info_of_ended(const struct run *run, const struct plan *plan, size_t records,
                                const size_t outcomes[OUTCOMES]);
/* Adds records and outcomes. */
void run_info_add_results(struct cJSON *info, size_t records, const size_t outcomes[OUTCOMES]);
/* Adds `finished` (UTC; NULL: left out) and what the run took. */
void run_info_add_times(struct cJSON *info, const char *finished, const struct run_times *times);
/* Adds `partial`, what the folder lacks, and makes the plan's hash one that no run has, so that the folder is never
 * taken for that of a finished run. */
void run_info_add_partial(struct cJSON *info, const char *const *lacks, size_t count);

/* For each parameter of the solver, by name: meaning, type, scale, allowed values in words, and default. The caller
 * frees it. */
struct cJSON *run_info_parameters(const struct solver *solver);

/* Writes FOLDER/run.json; frees `info`. */
enum status run_info_write(const char *folder, struct cJSON *info, struct error *error);

/* The most memory that the process has held so far, in MiB; 0 where the system does not say. */
double run_info_peak_megabytes(void);
/* Its key in `machine`, whose other members are the same for every run on one machine. */
#define RUN_INFO_PEAK "peak_megabytes"

#endif
