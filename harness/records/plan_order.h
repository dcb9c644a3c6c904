/*
 * The order in which figures and tables show data sets, solvers and settings: that of the plan (docs/configuration.md,
 * "The plan"). records.jsonl is in plan order, so names are listed in the order of their first record. With several
 * folders, the names of the first folder come first.
 */
#ifndef HULLBENCH_PLAN_ORDER_H
#define HULLBENCH_PLAN_ORDER_H

#include <stddef.h>

struct pool;

/* Distinct names, or other texts. A hash table finds them, so 100 000 cost no more time each than ten.
 * Zero-initialise but for the pool. */
struct name_order {
    const char **names;
    size_t count, capacity;
    size_t *slots; /* 2 * capacity, a power of two; an index in `names` plus 1, or 0 */
    struct pool *pool;
};
/* The index of the name, borrowed, which is appended if it is new. Equal strings are one name, from any file. */
size_t name_order_add(struct name_order *order, const char *name);
/* The same with a malloc'ed string, such as a key that numbers records, which the pool releases. */
size_t name_order_take(struct name_order *order, char *name);
/* The index of the name, or `count` if it is absent. */
size_t name_order_find(const struct name_order *order, const char *name);
/* "A, B and C", with these texts between the names; of more than `max` names "A, B and 7 more". */
const char *name_order_text(const struct name_order *order, const char *comma, const char *last, size_t max);

#endif
