/*
 * What run.json says (docs/formats.md): where, by what and on which data a run was done, and what came of it. Nothing
 * of it enters the records.
 *
 * Texts are borrowed: from `json` where the file was read, else from the run or from `texts`; NULL: not said. Numbers
 * that are not said are 0 unless stated otherwise.
 */
#ifndef HULLBENCH_RUN_INFO_H
#define HULLBENCH_RUN_INFO_H

#include "harness/data/dataset.h"
#include "harness/evaluate/solve.h"
#include "harness/run/fingerprint.h"
#include "harness/support/stage_times.h"
#include "harness/support/string_list.h"

struct cJSON;
struct simd;
struct missing_dataset;
struct plan;
struct run;

struct run_info_data {
    const char *dataset, *source, *sha256;
    size_t splits[SPLIT_FOLD + 1]; /* how many of each source the run used */
    size_t n_train, n_test;        /* the fewest patterns to train and the most to test of a split; 0, 0: not said */
};

struct run_info_missing {
    const char *dataset, *reason, *command;
};

struct run_info_plugin {
    const char *file, *sha256;
    const char **solvers;
    size_t n_solvers;
};

struct run_machine {
    const char *system, *release, *architecture, *processor, *vector_width;
    size_t threads;
    double peak_megabytes; /* the most memory that the process held */
};

struct run_info {
    const char *config, *version, *build, *compiler, *gsl, *libc;
    struct fingerprint fingerprint; /* plan, plan_of and program_sha256; a hash of 0 and a program of "" are not said */
    int has_records;             /* `records` is said */
    size_t records, outcomes[OUTCOMES];
    size_t units, total_units;               /* of this folder, and of all shards together ("units_of_plan") */
    const char *solvers, *datasets, *splits; /* restrictions; NULL: none */
    size_t shard, shards;                    /* 1, 1: everything */
    struct run_info_plugin *plugins;
    size_t n_plugins;
    struct run_info_data *data;
    size_t n_data;
    struct run_info_missing *missing;
    size_t n_missing;
    const char **partial; /* what the folder lacks, a sentence each; none: it is complete */
    size_t n_partial;
    struct run_machine machine;
    const char *finished; /* UTC */
    double seconds;
    int check_rows;
    int has_times;
    struct stage_times times; /* seconds and processor only */
    double busy;
    const struct cJSON *merged_from; /* of a merge: an array, one element a folder; borrowed */

    struct cJSON *json;       /* what was read; NULL: nothing */
    struct string_list texts; /* that nobody else holds */
};

/* Reads run.json at `path`. STATUS_NOT_FOUND: there is none; STATUS_BAD_INPUT: it is no JSON, or a member has another
 * type than docs/formats.md says. No member is required. Members that are not documented are left alone. Released with
 * run_info_free. */
enum status run_info_read(const char *path, struct run_info *info, struct error *error);
/* The same from the file's JSON, which must outlive *info; `path` stands in messages. */
enum status run_info_of_json(const struct cJSON *json, const char *path, struct run_info *info, struct error *error);
/* Accepts NULL and zeroed ones. */
void run_info_free(struct run_info *info);

/* What the run knows before it ends: all but outcomes, partial, finished, seconds and times; plan: the run's or a part
 * of it, from which `records`, `units` and `data` are. The run must outlive *info, as what is handed to the functions
 * below must. They fail only for want of memory. */
enum status run_info_of_run(struct run_info *info, const struct run *run, const struct plan *plan, struct error *error);
/* Its parts. config, records, units, total_units, plugins and data: */
enum status run_info_set_plan(struct run_info *info, const struct plan *plan, struct error *error);
/* missing */
enum status run_info_set_missing(struct run_info *info, const struct missing_dataset *missing, size_t count,
                                 struct error *error);
/* partial, and a plan hash that no run has: nobody is to take the folder for a finished run's. */
enum status run_info_set_partial(struct run_info *info, const char *const *lacks, size_t count, struct error *error);
/* version, build, compiler, gsl, libc and machine: those of this process, which uses `threads` threads and `simd`. */
enum status run_info_set_program(struct run_info *info, const struct simd *simd, unsigned threads, struct error *error);
/* Sets `finished` to now, `seconds`, and, if `times` says anything, `times` and `busy`. */
enum status run_info_set_times(struct run_info *info, double seconds, const struct stage_times *times,
                               struct error *error);

/* Sets *info to what `other` says of version, build, libraries, program and machine, but for the memory. */
void run_info_copy_program(struct run_info *info, const struct run_info *other);
/* Forgets of that what `other` says otherwise. */
void run_info_keep_common(struct run_info *info, const struct run_info *other);

/* As JSON, owned by the caller. */
struct cJSON *run_info_json(const struct run_info *info);
/* Writes FOLDER/run.json. */
enum status run_info_write(const char *folder, const struct run_info *info, struct error *error);

/* What is said of a data set, or NULL. */
const struct run_info_data *run_info_data(const struct run_info *info, const char *dataset);
/* Why the run went without the data set, or NULL where it does not say so. */
const char *run_info_why_missing(const struct run_info *info, const char *dataset);

/* The most memory that the process has held so far, in MiB; 0 where the system does not say. */
double run_info_peak_megabytes(void);

/* Names in `machine` and `time`. */
#define RUN_INFO_PEAK "peak_megabytes"
#define RUN_INFO_PROCESSOR "processor"
#define RUN_INFO_BUSY "busy"

/* The same as run_info_data, from the JSON; returns 0 where train and test are not said. */
int run_info_split_sizes(const struct cJSON *about, const char *dataset, size_t *train, size_t *test);

#endif
