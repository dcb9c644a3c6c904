/* What the gate looks at in a record: who was measured on what, how it ended, and the counts. */
#ifndef HULLBENCH_COUNT_RECORD_H
#define HULLBENCH_COUNT_RECORD_H

#include <stddef.h>

#include "harness/support/json_field.h"

struct cJSON;

enum count {
    COUNT_ITERATIONS,
    COUNT_SETUP,
    COUNT_UPDATES,
    COUNT_PREDICT,
    COUNT_EVALUATIONS,
    COUNT_SUPPORT_VECTORS,
    COUNTS
};
/* Where it stands in a record: "iterations", "kernel_operations.setup", ... */
const char *count_name(enum count count);

struct count_record {
    const char *solver, *dataset, *outcome; /* into the JSON it was taken from */
    size_t split;
    char *params, *kernel, *stop; /* in one line of JSON; owned */
    double counts[COUNTS];        /* NAN where the solver does not count (null) */
    double seconds;               /* NAN where not known */
};

struct count_records {
    struct count_record *items;
    size_t count;
};

/* Takes an entry from a record or from a line of a baseline; the JSON has to outlive it. STATUS_BAD_INPUT names the
 * place and the member. */
enum status count_record_take(const struct cJSON *json, const struct json_path *place, struct count_record *entry,
                              struct error *error);
/* Releases the entries' texts and the list. Accepts zeroed ones. */
void count_records_free(struct count_records *entries);

/* By solver, data set, split, params, kernel and stop: negative, 0 or positive. */
int count_record_compare(const struct count_record *a, const struct count_record *b);
/* Sorts by count_record_compare; returns the first of two entries that are the same measurement, or NULL. */
const struct count_record *count_records_sort(struct count_records *entries);
/* "mu=0.03, rbf width=2, rch-gap 0.0001" into text; returns text. */
const char *count_record_settings(const struct count_record *entry, char *text, size_t size);

#endif
