/*
 * Compares two lines of records member by member, as text: numbers that differ in the last digit differ, and numbers
 * written identically are equal.
 */
#ifndef HULLBENCH_RECORD_DIFF_H
#define HULLBENCH_RECORD_DIFF_H

#include <stddef.h>

/* A member in which two objects differ: a dotted path such as "kernel_operations.predict", and both values as written.
 * Strings longer than their arrays are truncated; the value of a missing member is empty. */
struct json_difference {
    char path[96], was[96], is[96];
};

enum { MAX_DIFFERENCES = 32 }; /* more than the members of a record */

/* Compares two lines; one that is no JSON object has no members. Stores at most `max` differences, in the
 * order of `was`, followed by members that only `is` has; returns the total number. */
size_t record_diff(const char *was, const char *is, struct json_difference *differences, size_t max);

/* The number, from 1, of the first line that differs between two texts. */
size_t text_first_difference(const char *a, const char *b);

#endif
