/*
 * The lines of one or more records.jsonl files (docs/formats.md), checked as they are read, and the numbers in them.
 */
#ifndef HULLBENCH_RECORD_H
#define HULLBENCH_RECORD_H

#include <stddef.h>

#include "solvers/error.h"

struct cJSON;

/* The texts of the first group, and params, kernel and stop, point into `json`. */
struct record {
    const char *dataset, *split_source, *solver, *outcome;
    size_t split;       /* from 1 */
    struct cJSON *json; /* the whole object, owned */
    const struct cJSON *params, *kernel, *stop;
    char *params_text, *kernel_text, *stop_text; /* the three in one line, as they stand in the file */
    size_t source;                               /* index into records.paths */
    size_t line;                                 /* in that file, from 1 */
};

struct records {
    struct record *items; /* in file order, files in reading order */
    size_t count, capacity;
    char **paths; /* the files read */
    size_t n_paths;
};

/* Adds the records of one file to *records, which is zero-initialised before the first call and freed with
 * records_free. A damaged line is STATUS_BAD_INPUT naming file, line and field, and so is a record that another one
 * with the same data set, split, solver, params, kernel and stop contradicts; one that repeats it is left out. An
 * absent file is STATUS_NOT_FOUND. After an error *records still may only be freed. */
enum status records_read(const char *path, struct records *records, struct error *error);
/* Accepts NULL and zeroed records. */
void records_free(struct records *records);

/* The number at a dotted path such as "kernel_operations.iterations"; returns 0, leaving *value alone, where the record
 * has none there or null. */
int record_number(const struct record *record, const char *field, double *value);

/* Whether every member of `wanted` (an object, or NULL for no condition) stands in `given` with an equal value. */
int record_includes(const struct cJSON *given, const struct cJSON *wanted);

#endif
