/* The numbers of a record that are compared with a baseline, and how far each may differ: counts not at all, accuracy
 * values by rounding, unless a tolerance says otherwise. */
#ifndef HULLBENCH_QUANTITIES_H
#define HULLBENCH_QUANTITIES_H

#include "harness/records/measures.h"
#include "harness/support/json_field.h"

/* A quantity is a number of records whose row has a tolerance (record_members); the others are skipped. Counts are the
 * whole numbers; the rest is accuracy, which baselines of schema 1 lack. */
int quantity_is_compared(enum record_field quantity);
int quantity_is_count(enum record_field quantity);
/* Its path in a record: "iterations", "kernel_operations.setup", ... */
const char *quantity_name(enum record_field quantity);
/* NAN if the record has null, or if the quantity does not apply (quantity_applies). */
double quantity_of(const struct record *record, enum record_field quantity);
/* Nonzero if the quantity is meaningful for the record. The KKT violation is only if the stopping rule bounds it. Under
 * other rules it counts each multiplier above 0, so one that rounding leaves at 1e-18 may change it by any amount. */
int quantity_applies(const struct record *record, enum record_field quantity);
/* 1 if larger values are better, -1 if smaller ones are. 0 if unknown: only a registered solver has a formulation that
 * says whether the objective is maximised. */
int quantity_direction(const struct record *record, enum record_field quantity);

/* Orders records as in baselines: by solver, data set, split, params, kernel and stop. 0: the same measurement. */
int entries_compare(const struct record *a, const struct record *b);
/* Sorts the list by entries_compare. Dies with STATUS_BAD_INPUT and the record at a count that is neither null nor a
 * nonnegative integer, an accuracy value that is neither null nor a number (if `accuracy`), or a second record of the
 * same measurement. */
void entries_sort(struct records *records, int accuracy);
/* Prints "mu=0.03, rbf width=2, rch-gap tolerance=0.0001" into text; returns text. */
const char *record_settings_text(const struct record *record, char *text, size_t size);

/* The allowed change is relative |was| + of_objective |objective| + absolute, with the baseline's value and
 * objective. */
struct tolerance {
    double relative, of_objective, absolute;
};

/* The built-in tolerance of a quantity as a value for tolerance_set: "0" for counts and the error, else the effect of
 * rounding (docs/regression.md). */
const char *tolerance_default(enum record_field quantity);
/* Sets all RECORD_FIELDS tolerances to the built-in values. */
void tolerances_set_default(struct tolerance *tolerances);
/* Sets the tolerance of `key` (a quantity, "kernel_operations" for its three, or "all" for the counts) to `value`:
 * terms such as "5", "2%" of the value or "1e-10%objective", joined by +. Dies with STATUS_BAD_INPUT, the place and the
 * allowed values. */
void tolerance_set(struct tolerance *tolerances, const char *key, const char *value, const struct json_path *place);
/* The same for one argument, KEY=VALUE. */
void tolerance_parse(struct tolerance *tolerances, const char *word, const struct json_path *place);
/* The largest allowed difference of the quantity from its old value. */
double tolerance_allows(const struct tolerance *tolerance, const struct record *was, enum record_field quantity);
/* Nonzero if the quantity is within the tolerance. It is not if only one side is null. Accuracy is not compared if a
 * record is `failed`: its values are meaningless. */
int tolerance_holds(const struct tolerance *tolerance, const struct record *was, const struct record *is,
                    enum record_field quantity);

#endif
