/*
 * Two lines of records compared member by member, as texts: figures that differ in the last bit differ here, and
 * figures that were written alike are alike.
 */
#ifndef HULLBENCH_RECORD_DIFF_H
#define HULLBENCH_RECORD_DIFF_H

#include <stddef.h>

/* A member in which two objects differ: a dotted path such as "kernel_operations.predict", and both values as they are
 * written. The texts are cut where they are longer than their arrays; a value is empty where the member is missing. */
struct json_difference {
    char path[96], was[96], is[96];
};

/* A member of an object as it is written: the key without its quotes, the value with them. Both are parts of the
 * object's text. */
struct member_text {
    const char *key, *value;
    size_t key_length, value_length;
};

/* Reads the next member. *at stands on the object's '{' at first and is moved on; 0 at the end of the object. The text
 * is known to be JSON. */
int member_text_next(const char **at, struct member_text *member);

/* Compares two lines that are JSON objects without white space between tokens. Fills at most `max` differences, in the
 * order of `was`, then members that only `is` has; returns how many there are. */
size_t record_diff(const char *was, const char *is, struct json_difference *differences, size_t max);

/* The number, from 1, of the first line in which two texts differ. */
size_t text_first_difference(const char *a, const char *b);

#endif
