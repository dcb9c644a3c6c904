/*
 * The order in which figures and tables show data sets, solvers and settings: that of the plan (docs/configuration.md,
 * "The plan"). records.jsonl is in plan order, so names are listed in the order of their first record. With several
 * folders, the names of the first folder come first.
 */
#ifndef HULLBENCH_PLAN_ORDER_H
#define HULLBENCH_PLAN_ORDER_H

#include <stddef.h>

#include "harness/records/record.h"

/* Distinct names. The strings are borrowed, the list is owned. Zero-initialise. */
struct name_order {
    const char **names;
    size_t count, capacity;
};
/* The index of the name, which is appended if it is new. Equal strings are the same name, even from different files. */
size_t name_order_add(struct name_order *order, const char *name);
/* The index of the name, or `count` if it is absent. */
size_t name_order_find(const struct name_order *order, const char *name);
/* Accepts NULL and a zero-initialised order. */
void name_order_free(struct name_order *order);

/* The data sets and the solvers of records. */
struct plan_order {
    struct name_order datasets, solvers;
};
/* Overwrites *order; its strings belong to the records. Free it with plan_order_free. */
void plan_order_take(const struct records *records, struct plan_order *order);
void plan_order_free(struct plan_order *order);

#endif
