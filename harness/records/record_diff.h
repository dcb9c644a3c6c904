/*
 * Compares two lines of JSON member by member, as text: numbers that differ in the last digit differ, and numbers
 * written identically are equal.
 */
#ifndef HULLBENCH_RECORD_DIFF_H
#define HULLBENCH_RECORD_DIFF_H

#include <stddef.h>

struct pool;

/* A member in which two objects differ: a dotted path such as "kernel_operations.predict", and both values as written,
 * or "missing". */
struct json_difference {
    const char *path, *was, *is;
};
struct json_differences {
    struct json_difference *item;
    size_t count, capacity;
};

/* Compares two records or other objects; a line that is no JSON object has no members. The differences are in the order
 * of `was`, in each object followed by members that only `is` has. */
struct json_differences record_diff(struct pool *pool, const char *was, const char *is);

/* The number, from 1, of the first line that differs between two texts. */
size_t text_first_difference(const char *a, const char *b);

#endif
