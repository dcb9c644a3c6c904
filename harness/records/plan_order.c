/* Names in the order of their first record (plan_order.h), in a hash table with linear probing. */
#include "harness/records/plan_order.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/support/sha256.h"

/* The slot of the name, or the free one where it belongs; NULL if the order is empty. */
static size_t *slot_of(const struct name_order *order, const char *name)
{
    const uint64_t hash = fnv(FNV_START, name, strlen(name));
    if (!order->capacity)
        return NULL;
    size_t slot = (size_t)(hash ^ hash >> 32) & (2 * order->capacity - 1);
    while (order->slots[slot] && strcmp(order->names[order->slots[slot] - 1], name) != 0)
        slot = (slot + 1) & (2 * order->capacity - 1);
    return &order->slots[slot];
}

size_t name_order_find(const struct name_order *order, const char *name)
{
    if (order->count && order->names[order->count - 1] == name) /* mostly the last one */
        return order->count - 1;
    const size_t *slot = slot_of(order, name);
    return slot && *slot ? *slot - 1 : order->count;
}

static void grow(struct name_order *order)
{
    const char **names = order->names;
    order->capacity = order->capacity ? 2 * order->capacity : 16;
    order->names = pool_array(order->pool, order->capacity, sizeof *order->names);
    order->slots = pool_array(order->pool, 2 * order->capacity, sizeof *order->slots);
    if (order->count)
        memcpy(order->names, names, order->count * sizeof *names);
    for (size_t i = 0; i < order->count; i++)
        *slot_of(order, order->names[i]) = i + 1;
}

size_t name_order_add(struct name_order *order, const char *name)
{
    const size_t place = name_order_find(order, name);
    if (place < order->count)
        return place;
    if (order->count == order->capacity)
        grow(order);
    order->names[order->count] = name;
    *slot_of(order, name) = ++order->count;
    return place;
}

size_t name_order_take(struct name_order *order, char *name)
{
    const size_t count = order->count, place = name_order_add(order, name);
    if (place < count)
        free(name);
    else
        pool_keep(order->pool, free, name);
    return place;
}

const char *name_order_text(const struct name_order *order, const char *comma, const char *last, size_t max)
{
    const char *text = order->count ? order->names[0] : "";
    for (size_t i = 1; i < order->count && i < max; i++)
        text = pool_printf(order->pool, "%s%s%s", text, i + 1 == order->count ? last : comma, order->names[i]);
    return order->count > max ? pool_printf(order->pool, "%s%s%zu more", text, last, order->count - max) : text;
}
