/*
 * The order in which figures and tables show data sets, solvers and settings: that of the plan (docs/configuration.md,
 * "The plan"). records.jsonl is in plan order, so names stand in the order in which the records first have them. Of
 * several folders the names of the first come first.
 */
#ifndef HULLBENCH_PLAN_ORDER_H
#define HULLBENCH_PLAN_ORDER_H

#include <stddef.h>

#include "harness/records/record.h"

/* Distinct names. The texts are borrowed, the list is owned. Zero-initialise. */
struct name_order {
    const char **names;
    size_t count, capacity;
};
/* The place of the name, which is added at the end where it is new. Texts that are equal are one name, also where they
 * are of different files. */
size_t name_order_add(struct name_order *order, const char *name);
/* The place of the name, or `count` where it is not there. */
size_t name_order_find(const struct name_order *order, const char *name);
/* Accepts NULL and a zeroed order. */
void name_order_free(struct name_order *order);

/* The data sets and the solvers of records. */
struct plan_order {
    struct name_order datasets, solvers;
};
/* *order is zeroed first; the texts are the records'. Released with plan_order_free. */
void plan_order_take(const struct records *records, struct plan_order *order);
void plan_order_free(struct plan_order *order);

#endif
