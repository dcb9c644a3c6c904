/* The counts of a record that must not move, and by how much they may: by nothing, unless a tolerance says so. */
#ifndef HULLBENCH_COUNTS_H
#define HULLBENCH_COUNTS_H

#include "harness/records/record.h"
#include "harness/support/json_field.h"

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
/* NAN where the solver does not count it (null). */
double count_of(const struct record *record, enum count count);

/* Orders records as baselines do: by solver, data set, split, params, kernel and stop. 0: the same measurement. */
int counts_compare(const struct record *a, const struct record *b);
/* Sorts the list by counts_compare. STATUS_BAD_INPUT names the record and the count that is neither null nor a whole
 * number from 0, or the second record of a measurement. */
enum status counts_sort(struct records *records, struct error *error);
/* "mu=0.03, rbf width=2, rch-gap tolerance=0.0001" into text; returns text. */
const char *record_settings_text(const struct record *record, char *text, size_t size);

struct tolerance {
    double amount;
    int relative; /* `amount` is a share of the earlier count; else a number of counts */
};

/* Sets the tolerance of `key` (a count's name, "kernel_operations" for its three, or "all") to `value`: "5" or "2%".
 * STATUS_BAD_INPUT names the place and what is allowed. */
enum status tolerance_set(struct tolerance tolerances[COUNTS], const char *key, const char *value,
                          const struct json_path *place, struct error *error);
/* The same of one word, KEY=VALUE. */
enum status tolerance_parse(struct tolerance tolerances[COUNTS], const char *word, const struct json_path *place,
                            struct error *error);
/* Whether a count went from `was` to `is` (NAN: not counted) without leaving the tolerance. */
int tolerance_holds(const struct tolerance *tolerance, double was, double is);

#endif
