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

/* A member of an object as written: the key without quotes, the value with them. Both point into the object's text. */
struct member_text {
    const char *key, *value;
    size_t key_length, value_length;
};

/* Reads the next member. *at starts at the object's '{' and advances; returns 0 at the end of the object. The text must
 * be valid JSON. */
int member_text_next(const char **at, struct member_text *member);

/* Compares two lines that are JSON objects without white space between tokens. Stores at most `max` differences, in the
 * order of `was`, followed by members that only `is` has; returns the total number. */
size_t record_diff(const char *was, const char *is, struct json_difference *differences, size_t max);

/* The number, from 1, of the first line that differs between two texts. */
size_t text_first_difference(const char *a, const char *b);

#endif
