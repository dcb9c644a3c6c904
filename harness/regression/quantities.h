/* The numbers of a record that are compared with a baseline, and how far each may move: counts not at all, and what
 * tells the accuracy of the solution by rounding, unless a tolerance says otherwise. */
#ifndef HULLBENCH_QUANTITIES_H
#define HULLBENCH_QUANTITIES_H

#include "harness/records/record.h"
#include "harness/support/json_field.h"

enum quantity {
    QUANTITY_ITERATIONS,
    QUANTITY_SETUP,
    QUANTITY_UPDATES,
    QUANTITY_PREDICT,
    QUANTITY_EVALUATIONS,
    QUANTITY_SUPPORT_VECTORS,
    COUNTS, /* those before are counts, those from here on accuracy */
    QUANTITY_OBJECTIVE = COUNTS,
    QUANTITY_GAP,
    QUANTITY_VIOLATION,
    QUANTITY_ERROR,
    QUANTITIES
};
/* Where it stands in a record: "iterations", "kernel_operations.setup", ... */
const char *quantity_name(enum quantity quantity);
/* NAN where the record has null, or where the quantity has no meaning (quantity_applies). */
double quantity_of(const struct record *record, enum quantity quantity);
/* Whether the quantity says something of the record. The KKT violation does where the stopping rule bounds it: that of
 * other problems counts each multiplier above 0, so one that rounding leaves at 1e-18 may change it by any amount. */
int quantity_applies(const struct record *record, enum quantity quantity);
/* 1 where a larger value is the better one, -1 where a smaller one is; 0: not known, since the formulation says whether
 * the objective is maximised, and the solver is not registered. */
int quantity_direction(const struct record *record, enum quantity quantity);

/* Orders records as baselines do: by solver, data set, split, params, kernel and stop. 0: the same measurement. */
int entries_compare(const struct record *a, const struct record *b);
/* Sorts the list by entries_compare. STATUS_BAD_INPUT names the record and the count that is neither null nor a whole
 * number from 0, the accuracy that is neither null nor a number (if `accuracy`), or the second record of a
 * measurement. */
enum status entries_sort(struct records *records, int accuracy, struct error *error);
/* "mu=0.03, rbf width=2, rch-gap tolerance=0.0001" into text; returns text. */
const char *record_settings_text(const struct record *record, char *text, size_t size);

/* A change is allowed up to relative |was| + of_objective |objective| + absolute, value and objective as they were. */
struct tolerance {
    double relative, of_objective, absolute;
};

/* The built-in tolerance of a quantity as a value for tolerance_set: "0" for counts and the error, else what rounding
 * may do (docs/regression.md). */
const char *tolerance_default(enum quantity quantity);
/* Sets all QUANTITIES tolerances to the built-in ones. */
void tolerances_set_default(struct tolerance *tolerances);
/* Sets the tolerance of `key` (a quantity's name, "kernel_operations" for its three, or "all" for the counts) to
 * `value`: terms such as "5", "2%" of the value or "1e-10%objective", joined by +. STATUS_BAD_INPUT names the place and
 * what is allowed. */
enum status tolerance_set(struct tolerance *tolerances, const char *key, const char *value,
                          const struct json_path *place, struct error *error);
/* The same of one word, KEY=VALUE. */
enum status tolerance_parse(struct tolerance *tolerances, const char *word, const struct json_path *place,
                            struct error *error);
/* How far the quantity may move from what it was. */
double tolerance_allows(const struct tolerance *tolerance, const struct record *was, enum quantity quantity);
/* Whether the quantity is within the tolerance. One that is null on one side only is not. Accuracy is not compared
 * where a record is `failed`: its values mean nothing. */
int tolerance_holds(const struct tolerance *tolerance, const struct record *was, const struct record *is,
                    enum quantity quantity);

#endif
