/* Names in the order of their first record. Runs have tens of names, so a linear search suffices; it starts at the last
 * name. */
#include "harness/records/plan_order.h"

#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"

size_t name_order_find(const struct name_order *order, const char *name)
{
    for (size_t i = order->count; i-- > 0;)
        if (order->names[i] == name || strcmp(order->names[i], name) == 0)
            return i;
    return order->count;
}

size_t name_order_add(struct name_order *order, const char *name)
{
    size_t place = name_order_find(order, name);
    if (place < order->count)
        return place;
    if (order->count == order->capacity) {
        order->capacity = order->capacity ? 2 * order->capacity : 16;
        order->names = xreallocarray(order->names, order->capacity, sizeof *order->names);
    }
    order->names[order->count++] = name;
    return place;
}

void name_order_free(struct name_order *order)
{
    if (!order)
        return;
    free(order->names);
    *order = (struct name_order){0};
}

void plan_order_take(const struct records *records, struct plan_order *order)
{
    *order = (struct plan_order){0};
    for (size_t i = 0; i < records->count; i++) {
        name_order_add(&order->datasets, records->items[i]->dataset);
        name_order_add(&order->solvers, records->items[i]->solver);
    }
}

void plan_order_free(struct plan_order *order)
{
    name_order_free(&order->datasets);
    name_order_free(&order->solvers);
}
