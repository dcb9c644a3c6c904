/*
 * A record: what was measured, and the result of one job. It is printed once, as a line of records.jsonl
 * (docs/formats.md), and read once (harness/records/record.h); both follow the table `record_members`.
 */
#ifndef HULLBENCH_RECORD_LINE_H
#define HULLBENCH_RECORD_LINE_H

#include "harness/data/split.h"
#include "harness/run/plan.h"
#include "harness/run/timing.h"

struct cJSON;
struct job_result;
struct trace;

/* The number under "schema" in a record. In schema 1, kernel_evaluations counted n for each entry of the diagonal. */
enum { RECORD_SCHEMA = 2 };

/* The numbers of a record. */
enum record_field {
    FIELD_ITERATIONS,
    FIELD_SETUP_OPERATIONS,
    FIELD_KERNEL_OPERATIONS, /* of the iterations: the papers exclude the set-up */
    FIELD_PREDICT_OPERATIONS,
    FIELD_KERNEL_EVALUATIONS,
    FIELD_SUPPORT_VECTORS,
    FIELD_OBJECTIVE,
    FIELD_DUALITY_GAP,
    FIELD_KKT_VIOLATION,
    FIELD_ERROR,
    FIELD_BIAS,
    FIELD_FEASIBILITY,
    FIELD_MU_EFFECTIVE,
    FIELD_MU_FLOOR,
    FIELD_RCH_MU,
    RECORD_FIELDS
};

/* The objects of a record that hold settings. */
enum setting_group { GROUP_PARAMS, GROUP_KERNEL, GROUP_STOP, SETTING_GROUPS };
/* "params", "kernel", "stop"; and the key of the setting that is named after its object: "type", "rule", or "". */
extern const char *const setting_groups[SETTING_GROUPS], *const setting_kinds[SETTING_GROUPS];

/* A member of params, kernel or stop, named by its key; the kernel's type is named "kernel", the stopping rule
 * "stop". */
struct setting {
    const char *name, *text; /* text: the value as printed, without quotes */
    double number;           /* NAN if the value is not a number */
    enum setting_group group; /* a kernel may be a plugin's with parameters of any name */
    int is_text;             /* the value is a string */
};

/* A record that was read: the strings belong to its file. Equal data sets, solvers, setting names and setting texts
 * share one pointer within a file. */
struct record {
    unsigned schema;
    const char *config, *dataset, *split_source, *solver, *outcome, *reason; /* reason: NULL if there is none */
    size_t split; /* from 1 */
    enum split_source source;
    enum outcome ending;
    int converged, at_limit, stalled, failed; /* the outcome */
    int resampled, generated;                 /* source of the split */
    double field[RECORD_FIELDS];              /* NAN if the record has null or nothing */
    struct setting *settings;                 /* those of params, then kernel, then stop */
    size_t n_settings;
    const char *params_text, *kernel_text, *stop_text; /* the three objects on one line of JSON each */
    const struct cJSON *params, *kernel, *stop;        /* the same, parsed */
    const struct cJSON *json;                          /* an element of reference counts; NULL for a line of a file */
    const char *text;                                  /* the record's line, without the newline; or NULL */
    const char *where;                                 /* for messages: "FILE:LINE" */
    double seconds;         /* wall-clock time; NAN before run_folder_read_times, and if there is none */
    struct cpu_seconds cpu; /* of the repeats, read together with seconds */
    struct budget budget;   /* of the run, and the hash of the split's rows (struct timing), read with them */
    uint64_t rows;
    uint32_t place[PLAN_PLACE]; /* of the job in the plan (struct job), read with them; n_places are known */
    size_t n_places;
};

/* The members of a record, in the order of its line. Reading a line by them sets the fields that the table has. */
extern const struct member record_members[];

/* The record of a job, without the results if `result` is NULL. Its texts are in the pool or belong to the
 * arguments. */
struct record *record_of_job(struct pool *pool, const struct config *config, const struct dataset *dataset,
                             const struct job *job, const struct job_result *result);
/* One line of records.jsonl, without the newline. */
char *record_line(struct pool *pool, const struct record *record);
/* The beginning of the job's line, up to the outcome: these members identify the measurement. */
char *record_line_head(struct pool *pool, const struct config *config, const struct dataset *dataset,
                       const struct job *job);
/* Whether the line begins so. */
int record_line_is_of(const struct config *config, const struct dataset *dataset, const struct job *job,
                      const char *line);
/* An empty trace, which is released with the pool. */
struct trace *trace_new(struct pool *pool);
/* The comment lines at the head of the job's trace: data set, split, solver, settings. */
char *trace_comment(struct pool *pool, const struct record *record);

#endif
