/*
 * run.json (docs/formats.md): where, with which program and on which data a run was done, and its results. None of it
 * is part of the records. One table of members reads and writes it.
 */
#ifndef HULLBENCH_RUN_INFO_H
#define HULLBENCH_RUN_INFO_H

#include "harness/evaluate/solve.h"
#include "harness/support/members.h"

struct cJSON;
struct missing_dataset;
struct plan;
struct record_hashes;
struct run;
struct run_options;

enum { SPLIT_SOURCES = 4 };

/* Identifies everything that the results in a folder depend on. */
struct fingerprint {
    uint64_t plan;                  /* 64-bit FNV-1a of everything below except the program */
    uint64_t config, options, data; /* its parts: text of the configuration; restrictions and shard; data and plugins */
    const char *program;            /* SHA-256 of the program's file; NULL: unknown */
};

/* A data set of the run or a missing one. */
struct run_info_data {
    const char *dataset, *sha256; /* "": missing */
    const char *source;
    const char *altered;          /* see struct dataset; NULL: none */
    const char *reason, *command; /* why a data set is missing, and how to get it */
    size_t splits[SPLIT_SOURCES]; /* the number of each source, by enum split_source */
    size_t n_train, n_test; /* over all splits: fewest training and most test patterns; 0, 0: missing */
};

/* A plugin with the names of what the configuration uses from it. */
struct run_info_plugin {
    const char *file, *sha256;
    struct member_texts solvers, kernels, stops;
};

/* Seconds of the stages, and the share of the threads' time that they spent on a processor. */
struct run_info_time {
    double stages[STAGES], processor, busy;
};

/* A text is NULL if the member is missing, a number 0. */
struct run_info {
    unsigned schema;
    const char *config, *version;
    struct fingerprint fingerprint; /* what is missing is 0 or NULL */
    const char *solvers, *datasets, *splits; /* restrictions; NULL: none */
    size_t shard, shards;                    /* 1, 1: everything; 0, 0 in what is written */
    size_t repeats;                          /* overrides the configuration's; 0: does not */
    size_t units, total_blocks;              /* of this run; of all shards */
    const char *standardise;
    struct LIST_OF(struct run_info_data) data, missing;
    struct LIST_OF(struct run_info_plugin) plugins;
    const struct cJSON *parameters, *kernel_parameters; /* run_info_parameters, for each solver */
    const char *build, *compiler, *gsl, *libc;
    const char *system, *release, *architecture, *processor, *vector_width; /* of the machine */
    unsigned threads;
    double peak_megabytes; /* peak memory of the process */
    int check_rows;
    size_t records, outcomes[OUTCOMES];
    const char *finished; /* UTC */
    double seconds;       /* wall-clock time */
    struct run_info_time *time;
    const struct cJSON *search_seconds; /* of tune */
    struct member_texts partial;        /* what the folder lacks of the plan */
    int has_records, is_partial;        /* nonzero: the members `records` and `partial` exist */
};

extern const struct member run_info_members[], run_info_data_members[];

/* Reads *info from the file's JSON; `path` is used in messages. Texts and lists are in the pool. STATUS_BAD_INPUT if a
 * member has another type than in docs/formats.md. */
void run_info_read(struct pool *pool, const struct cJSON *json, const char *path, struct run_info *info);

/* Of version, restrictions, data and plugins in `info` and the text of the configuration; the program is unknown. */
struct fingerprint fingerprint_of(const struct run_info *info, const char *config);
/* SHA-256 of the program file of this process, which is read once; NULL if the system does not provide it. */
const char *fingerprint_program(void);

/*
 * Compares with the fingerprint stored in a folder. Returns 0 if they agree; otherwise writes what differs to `words`,
 * for example "another configuration, other options". A part whose hash is 0 and an unknown program are not compared.
 */
enum { FINGERPRINT_DIFF_SIZE = 160 };
int fingerprint_differs(const struct fingerprint *now, const struct fingerprint *then,
                        char words[FINGERPRINT_DIFF_SIZE]);

/* The entry of a data set used by the run, or NULL. */
const struct run_info_data *run_info_data(const struct run_info *info, const char *dataset);
/* Why the run lacked the data set, or NULL if not stated. */
const char *run_info_why_missing(const struct run_info *info, const char *dataset);

/* The resources that one or several runs used. */
struct run_times {
    double seconds;           /* wall-clock time */
    double available;         /* seconds times threads */
    double peak_megabytes;    /* the largest of them */
    struct stage_times stage_times; /* seconds and processor */
};
/* "kernels", "start", ...: the key of the stage's seconds. */
const char *stage_name(enum stage stage);
/* Those of a run; returns 0 if its stages are unknown. */
int run_info_times(const struct run_info *info, struct run_times *times);
/* Adds the times; the peak becomes the larger one. */
void run_times_add(struct run_times *sum, const struct run_times *times);
/* Sets the members of the resources used, the peak included, and `finished`. */
void run_info_set_times(struct pool *pool, struct run_info *info, const char *finished, const struct run_times *times);

/* What is known before any job is done: configuration, restrictions, data and their fingerprint, as far as the given
 * version makes it, but not the program. Everything that is not the plan's is in the pool. */
struct run_info run_info_of_plan(struct pool *pool, const struct plan *plan, const struct run_options *options,
                                 const struct missing_dataset *missing, size_t n_missing, const char *version);
/* The same for a run of this process, with program and machine; plan: the run's plan or a part of it. */
struct run_info run_info_of_run(struct pool *pool, const struct run *run, const struct plan *plan);
/* The time now, "2026-11-28T06:00:00Z", or "unknown". */
const char *utc_now(struct pool *pool);
/* The same for a run that has just ended, with records, outcomes and times. */
struct run_info run_info_of_ended(struct pool *pool, const struct run *run, const struct plan *plan, size_t records,
                                  const size_t outcomes[OUTCOMES]);
/* Sets `partial`, and changes the plan hash to one that no run has, so that the folder is never taken for a finished
 * run. */
void run_info_set_partial(struct pool *pool, struct run_info *info, const char *const *lacks, size_t count);

/* Adds the parameter's meaning, type, scale, allowed values as text, choices or range, and default. */
void run_info_describe_parameter(struct cJSON *object, const struct parameter *parameter);
/* Describes each parameter of the solver, by name. The caller frees it. */
struct cJSON *run_info_parameters(const struct solver *solver);

/* Writes FOLDER/run.json, with the checksums of the files that the folder has (file_hashes_add); frees `json`. */
void run_info_write(const char *folder, struct cJSON *json, const struct record_hashes *records);

/* The key of the peak memory in `machine`; the other members there are the same for every run on one machine. */
#define RUN_INFO_PEAK "peak_megabytes"

#endif
