/* Running an experiment: plan, jobs in parallel, journal, output files. */
#ifndef HULLBENCH_RUN_H
#define HULLBENCH_RUN_H

#include "harness/run/fingerprint.h"
#include "harness/run/plan.h"
#include "harness/support/input_stream.h"
#include "solvers/kernel/simd.h"

/* A spread of repeated times (timing.h) above this is told of. */
#define UNSTEADY_SPREAD 0.1

#define HULLBENCH_VERSION "1.0.0-rc1"

struct run_progress {
    size_t done, total;      /* jobs; done counts those of an earlier start */
    double seconds;          /* since this start */
    double seconds_left;     /* a guess from the cost of what is left; negative: unknown */
};

struct run_options {
    const char *config, *out;                /* out NULL for a dry run */
    const char *config_text; /* taken instead of what stands in the file `config`; NULL: the file is read */
    const char *solvers, *datasets, *splits; /* restrictions, see config_restrict; NULL: none */
    size_t shard, shards;                    /* 1, 1: everything */
    size_t repeats;                          /* in place of the configuration's; 0: that one */
    const char *search_path, *cache;         /* see dataset.h */
    unsigned threads;                        /* 0: as many as OpenMP gives */
    int force;                               /* remove what another run left in the folder */
    int check_rows;                          /* every solver's use of kernel rows is checked, see unit_check_rows */
    const struct simd *simd;
    const volatile sig_atomic_t *interrupted;
    const struct input_watch *reading; /* is told how far the reading of text files is; may be NULL */
    void (*report)(void *context, const struct run_progress *progress); /* may be NULL; one call at a time */
    void *context;
};

struct missing_dataset {
    const char *name;
    char reason[1024];
};

/* A run being prepared or done; release with run_close. */
struct run {
    const struct run_options *options;
    struct config *config;
    struct dataset **datasets; /* one per data set of the configuration; NULL: missing */
    struct missing_dataset *missing;
    size_t n_missing;
    struct plan plan;
    struct fingerprint fingerprint;
    size_t outcomes[OUTCOMES]; /* of finished jobs, once run_execute has done any */
    struct run_failures {
        size_t count, first; /* failed records of the solver; the job of the first of them */
        char reason[REASON_SIZE]; /* of the first */
    } *failures; /* one for each solver of the configuration, once run_execute has done any job; else NULL */
    double seconds;            /* from the beginning of run_open */
    struct stage_times stage_times;
    double opened, opened_processor; /* clock_now and clock_processors when run_open began */
    int was_complete;          /* nothing was left to do */
    struct unsteady {
        size_t repeated, count; /* records of this run with repeats; those with a spread above UNSTEADY_SPREAD */
        size_t worst;           /* the job of the largest spread, */
        double spread;          /* and this spread */
    } unsteady;
};

/* Reads the configuration, loads the data, makes the plan. Data sets that are not there are noted, not an error. */
enum status run_open(struct run *run, const struct run_options *options, struct error *error);
/* The same for a configuration that has been read, which is taken over even after an error. */
enum status run_open_config(struct run *run, const struct run_options *options, struct config *config,
                            struct error *error);
/* The part of run_open that loads the data sets of run->config, whose options are set: fills datasets, missing and
 * n_missing, which run_close releases. */
enum status run_load_datasets(struct run *run, struct error *error);
/* The fingerprint of a run of the plan by the program of `version`, restricted as the options say. */
enum status run_fingerprint(struct fingerprint *fingerprint, const struct run_options *options, const struct plan *plan,
                            const char *version, struct error *error);
/* Does what is left of the plan and writes the folder. STATUS_INTERRUPTED: what was done is in the journal, and the
 * same call goes on from there. STATUS_NOT_FOUND: nothing to measure, all data sets are missing. */
enum status run_execute(struct run *run, struct error *error);
void run_close(struct run *run);
/* The threads that run_execute uses. */
unsigned run_threads(const struct run_options *options);

/* Calls work(context, i, ...) for each i below count, the lowest first, in that many threads, and adds what they spent
 * to *sum. Threads that find none left help the others (solvers/kernel/helpers.h). After a failure nothing more is
 * begun; a failure that comes first is the one that is reported, but any goes before an interruption. */
enum status run_in_parallel(size_t count, unsigned threads,
                            enum status (*work)(void *context, size_t i, struct stage_times *stage_times,
                                                struct error *error),
                            void *context, struct stage_times *sum, struct error *error);

/* What work costs, in any unit, for a guess at the time that is left. */
struct run_costs {
    double started;            /* clock_now */
    double total, done, found; /* done: with what was found done */
};
/* Tells options->report, if there is one, how far the work is. One call at a time. */
void run_report(const struct run_options *options, const struct run_costs *costs, size_t done, size_t total);

#endif
