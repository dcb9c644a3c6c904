/* What the gate looks at in a record: who was measured on what, how it ended, and the counts. */
#ifndef HULLBENCH_CHECK_ENTRY_H
#define HULLBENCH_CHECK_ENTRY_H

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

struct entry {
    const char *solver, *dataset, *outcome; /* into the JSON it was taken from */
    size_t split;
    char *params, *kernel, *stop; /* in one line of JSON; owned */
    double counts[COUNTS];        /* NAN where the solver does not count (null) */
    double seconds;               /* NAN where not known */
};

struct entries {
    struct entry *items;
    size_t count;
};

/* Takes an entry from a record or from a line of a baseline; the JSON has to outlive it. STATUS_BAD_INPUT names the
 * place and the member. */
enum status entry_take(const struct cJSON *json, const struct place *place, struct entry *entry, struct error *error);
/* Releases the entries' texts and the list. Accepts zeroed ones. */
void entries_free(struct entries *entries);

/* By solver, data set, split, params, kernel and stop: negative, 0 or positive. */
int entry_compare(const struct entry *a, const struct entry *b);
/* Sorts by entry_compare; returns the first of two entries that are the same measurement, or NULL. */
const struct entry *entries_sort(struct entries *entries);
/* "mu=0.03, rbf width=2, rch-gap 0.0001" into text; returns text. */
const char *entry_settings(const struct entry *entry, char *text, size_t size);

#endif
