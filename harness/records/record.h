/*
 * A record: one line of records.jsonl (docs/formats.md), checked when it is read. This is the only form that records
 * have in memory; every verb that reads results works on it.
 */
#ifndef HULLBENCH_RECORD_H
#define HULLBENCH_RECORD_H

#include <stddef.h>

#include "harness/run/timing.h"
#include "harness/support/lines.h"
#include "solvers/error.h"

struct cJSON;

/* The numbers of a record that figures, tables and comparisons are made of. */
enum record_field {
    FIELD_ERROR,
    FIELD_SUPPORT_VECTORS,
    FIELD_ITERATIONS,
    FIELD_KERNEL_OPERATIONS, /* of the iterations: the papers leave the set-up out */
    FIELD_SETUP_OPERATIONS,
    FIELD_PREDICT_OPERATIONS,
    FIELD_KERNEL_EVALUATIONS,
    FIELD_OBJECTIVE,
    FIELD_DUALITY_GAP,
    RECORD_FIELDS
};
/* Their places in a record: "error_percent", "kernel_operations.iterations", ... */
extern const char *const record_field_names[RECORD_FIELDS];

/* A member of params, kernel or stop. The name is its key; the kernel's type is called "kernel", the rule of stop
 * "stop". */
struct setting {
    const char *name, *text; /* text: the value as printed, without quotes */
    double number;           /* NAN where the value is not a number */
    int of_kernel;           /* nonzero: a member of kernel, which may be a plugin's with parameters of any name */
};

/* Texts belong to the file that the record was read from. Those of a data set, a solver, a setting's name and a
 * setting's text are one pointer wherever they are equal in that file. */
struct record {
    const char *dataset, *split_source, *solver, *outcome;
    size_t split; /* from 1 */
    int converged, at_limit, stalled, failed; /* what the outcome is */
    int resampled, generated;                 /* what the source of the split is */
    double field[RECORD_FIELDS];              /* NAN where the record has null */
    struct setting *settings;                 /* of params, then kernel, then stop */
    size_t n_settings;
    const char *params_text, *kernel_text, *stop_text; /* the three objects in one line of JSON */
    const struct cJSON *params, *kernel, *stop;        /* and parsed */
    struct cJSON *json;                                /* the whole record */
    const char *text;                                  /* its line, without the newline */
    const char *where;                                 /* for messages: "FILE:LINE" */
    double seconds;         /* wall clock; NAN until run_folder_read_times, and where there are none */
    struct cpu_seconds cpu; /* of repeats, read with the seconds */
};

/* The number at a dotted path such as "kernel_operations.setup"; returns 0, leaving *value alone, where the record has
 * none there or null. For the fields above record->field is the same number. */
int record_number(const struct record *record, const char *field, double *value);
/* Orders records by what was measured: data set, split, solver, params, kernel and stop; 0: the same measurement. */
int record_compare(const struct record *a, const struct record *b);
/* Whether params, kernel and stop are the same. */
int record_same_settings(const struct record *a, const struct record *b);
/* The setting of that name, NULL if the record has none. "params.NAME", "kernel.NAME" and "stop.NAME" are looked for in
 * that object alone; "kernel.type" and "stop.rule" are the settings called kernel and stop. */
const struct setting *record_setting(const struct record *record, const char *name);

/* A list of records that stand elsewhere, in a file or in the files of several folders. Zero-initialise. */
struct records {
    const struct record **items;
    size_t count, capacity;
};
void records_add(struct records *records, const struct record *record);
void records_append(struct records *records, const struct records *more);
/* Adds all of `more`, then leaves out each record that repeats an earlier one: same data set, split, solver, params,
 * kernel and stop. STATUS_BAD_INPUT, naming both, where such a record has other results. */
enum status records_join(struct records *records, const struct records *more, struct error *error);
/* Frees the list, not the records. Accepts NULL and zeroed records. */
void records_free(struct records *records);

/* A file of records. */
struct record_file {
    char *path;
    struct lines lines;     /* all lines of the file */
    struct record *all;     /* one a line, once they are parsed */
    size_t n_all;
    struct records records; /* those that do not repeat an earlier one, in the order of the file */
    void *texts;            /* the texts that records share */
};

/* Reads the lines. STATUS_NOT_FOUND where there is no file, STATUS_BAD_INPUT where it does not end with a newline. */
enum status record_file_read_lines(const char *path, struct record_file *file, struct error *error);
/* Parses the lines that were read. STATUS_BAD_INPUT names file, line and member of a damaged record, and of one that
 * contradicts an earlier one (records_join). */
enum status record_file_parse(struct record_file *file, struct error *error);
/* Reads and parses. After an error the file may only be freed. */
enum status record_file_read(const char *path, struct record_file *file, struct error *error);
/* Takes over the elements of the array `list`, member "records" of the baseline `path`, as records. They say what was
 * measured, how it ended, and some of the numbers: no split source, settings, lines or texts. STATUS_BAD_INPUT names
 * element and member. Repeats are left in. */
enum status record_file_take(const char *path, struct cJSON *list, struct record_file *file, struct error *error);
/* Accepts NULL and a zeroed file. */
void record_file_free(struct record_file *file);

#endif
