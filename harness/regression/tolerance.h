/* How far a count may move before the gate calls it moved. Nothing, unless something is said. */
#ifndef HULLBENCH_TOLERANCE_H
#define HULLBENCH_TOLERANCE_H

#include "harness/regression/count_record.h"

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
