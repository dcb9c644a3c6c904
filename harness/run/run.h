/* Running an experiment: the plan, parallel jobs, the journal and the output files. */
#ifndef HULLBENCH_RUN_H
#define HULLBENCH_RUN_H

#include "harness/base/terminal.h"
#include "harness/library/version.h"
#include "harness/run/run_info.h"
#include "harness/run/plan.h"
#include "harness/support/input_stream.h"

struct journal_entry;
struct record;
struct run;
struct split_session;

/* A larger spread of repeated times (timing.h) is reported. */
#define UNSTEADY_SPREAD 0.1

struct run_options {
    const char *config, *out;                /* out: NULL for a dry run */
    const char *solvers, *datasets, *splits; /* restrictions, see config_select; NULL: none */
    int check_splits; /* refuse splits that the configuration lacks; folders of version 1.0.0 may name some */
    size_t shard, shards;                    /* 1, 1: everything */
    size_t repeats;                          /* overrides the configuration's; 0: does not */
    const char *search_path, *cache;         /* see dataset.h */
    const char *from_files; /* data sets, with commas, that are missing without their file: neither generated nor, for a
                             * file of the configuration, an error; NULL: none */
    size_t threads;                          /* 0: the OpenMP default */
    size_t begun_fd;                         /* file descriptor to close when the last chunk begins; 0: none */
    int force;                               /* remove another run's output from the folder */
    int reuse;                               /* keep its records that hold for this plan (reuse.c) */
    int drop;                                /* remove its records that this plan lacks */
    double patience;                         /* isolated_with_patience; 0: its default */
    int check_rows;                          /* check every solver's use of kernel rows, see session_check_rows */
    const struct simd *simd;
    const volatile sig_atomic_t *interrupted;
    const struct input_watch *reading; /* receives the progress of reading text files; may be NULL */
    progress_report *report; /* receives the progress of the jobs; may be NULL */
    void *context;
};

/* Why a job is run although the folder has a run of another plan. */
enum reuse_reason {
    REUSE_KEPT, /* it is not: the record is kept */
    REUSE_NEW,
    REUSE_PROGRAM,
    REUSE_KEY, /* a key of the configuration: run_reuse.key */
    REUSE_DATA,
    REUSE_PLUGIN,
    REUSE_FAILED,
    REUSE_BUDGET,
    REUSE_TIMES, /* another number of repeats */
    REUSE_TRACE, /* it leaves a trace */
    REUSE_REASONS
};
struct run_reuse {
    int is_other;               /* the folder has a run of another plan */
    size_t jobs[REUSE_REASONS]; /* of this plan */
    size_t dropped;             /* records of the other plan that this plan lacks */
    const char *key;
};

/* Reads what the folder has of another plan: a finished or an interrupted run. Returns NULL if there is no such run.
 * Otherwise the entries, one per job of run->plan, are the kept ones, and *reuse says how many, and why the others are
 * not. STATUS_BAD_INPUT if a file is damaged. */
struct journal_entry *reuse_find(struct pool *pool, const struct run *run, struct run_reuse *reuse);
/* "40 new, 12 whose budget has changed" */
const char *reuse_text(struct pool *pool, const struct run_reuse *reuse);

struct missing_dataset {
    const char *name;
    char reason[1024];
};

/* The progress of a run (run_costs.c). */
struct run_costs {
    double started;         /* by clock_now */
    size_t jobs, jobs_done; /* numbers of all jobs, and of those done */
    struct run_solver_cost {
        double left, done, seconds; /* costs of the jobs that are left, of those done since the start, their time */
    } *solvers;                     /* one per solver of the configuration */
    struct run_thread {
        char what[80]; /* what it works on, "banana 3, mu-gsk"; "": nothing */
        double since;  /* by clock_now */
        size_t solver;
        double cost; /* of its job; 0: none */
    } *threads;      /* run_threads(options) of them */
};

/* A run in preparation or finished. The configuration's pool has what it makes. */
struct run {
    const struct run_options *options;
    struct config *config;
    struct dataset **datasets; /* one for each of the configuration's; NULL: missing */
    struct missing_dataset *missing;
    size_t n_missing;
    struct plan plan;
    struct fingerprint fingerprint;
    size_t outcomes[OUTCOMES]; /* of finished jobs, after run_execute has run any */
    struct run_failures {
        size_t count, first; /* the solver's failed records, and the job of the first one */
        char reason[REASON_SIZE]; /* of the first failure */
    } *failures; /* one per solver of the configuration; NULL: no record failed, or none was looked at */
    double seconds;            /* since the start of run_open */
    struct stage_times stage_times;
    struct journal *journal;   /* while jobs run */
    struct run_costs costs;    /* the same; run_open allocates its arrays */
    double opened, opened_processor; /* clock_now and clock_processors at the start of run_open */
    int was_complete;          /* no job was left */
    struct run_reuse reuse;
    struct unsteady {
        size_t repeated, count; /* records of this run with repeats; those whose spread exceeds UNSTEADY_SPREAD */
        size_t worst;           /* the job with the largest spread */
        double spread;          /* the largest spread */
    } unsteady;
};

/* Loads the data of the configuration, which must outlive the run, and builds the plan. Missing data sets are recorded
 * and are not an error. */
void run_open(struct run *run, const struct run_options *options, struct config *config);
/* Applies the configuration's settings for features, order of the training rows and labels to a loaded data set, once.
 * Errors are those of dataset_standardise and dataset_make_symmetric. */
void run_transform_dataset(const struct config *config, struct dataset *dataset);
/* Runs the remaining jobs of the plan and writes the folder. STATUS_INTERRUPTED: finished jobs are in the journal, and
 * the same call resumes the run. STATUS_NOT_FOUND: nothing to measure, all data sets are missing. */
void run_execute(struct run *run);
/* Adds a failed record to run->failures. */
void run_note_failure(struct run *run, size_t job, const char *reason);
/* The number of threads used by run_execute. */
unsigned run_threads(const struct run_options *options);

/* Calls work(context, i, ...) for each i below count, in ascending order, on the given number of threads, each in an
 * attempt, and adds their times to *sum. Idle threads help the others (solvers/kernel/helpers.h). After an error no
 * further call starts, and the first error is raised again; but an interruption, unless there is another error, is
 * returned: 0. */
int run_in_parallel(size_t count, unsigned threads, void (*work)(void *context, size_t i, struct stage_times *times),
                    void *context, struct stage_times *sum);

/* Allocates the arrays of run->costs, as a part of run_open. */
void run_costs_open(struct run *run);
/* Begins the measuring of time. */
void run_costs_begin(struct run *run, size_t jobs, size_t jobs_done);
/* A job of the solver, an index of the configuration, is to be done. And one of them need not be run. */
void run_costs_expect(struct run *run, size_t solver, double cost);
void run_costs_found(struct run *run, size_t solver, double cost);
/* Notes and reports that this thread now runs the job on the split of the data set; job NULL: that it prepares the
 * split. And that it has done its job; in the critical section of the journal. And that all work has ended. */
void run_costs_work(struct run *run, const struct dataset *dataset, const struct split *split, const struct job *job,
                    double cost);
void run_costs_done(struct run *run);
void run_costs_end(const struct run *run);

/* Runs a job on its unit (isolated_run_job), writes its trace to the file `trace` unless that is NULL, appends its
 * record to run->journal as entry `index`, and notes it with its cost in run->costs. The record is in the pool. */
const struct record *run_do_job(struct run *run, struct pool *pool, struct split_session *unit, const struct job *job,
                                size_t index, const char *trace, double cost, struct stage_times *times);

#endif
