/*
 * Quickselect (Hoare 1961) in the total order (value, index): no two keys are equal, so the chosen set does not depend
 * on the order of the input. Pivots are drawn by a fixed congruential sequence, so no input order is slow by design.
 */
#include "solvers/hull/smallest.h"

#include <stdint.h>

static int before(size_t a, size_t b, const double *value)
{
    return value[a] < value[b] || (value[a] == value[b] && a < b);
}

static void swap(size_t *order, size_t i, size_t j)
{
    size_t kept = order[i];
    order[i] = order[j];
    order[j] = kept;
}

/* Puts the pivot order[first] where it belongs within [first, end) and returns that place. */
static size_t partition(size_t *order, size_t first, size_t end, const double *value)
{
    size_t pivot = order[first], low = first, high = end;
    for (;;) {
        while (++low < end && before(order[low], pivot, value))
            ;
        while (before(pivot, order[--high], value))
            ;
        if (low >= high)
            break;
        swap(order, low, high);
    }
    swap(order, first, high);
    return high;
}

static void put_smallest_first(size_t *order, size_t n, const double *value)
{
    size_t min = 0;
    for (size_t i = 1; i < n; i++)
        if (before(order[i], order[min], value))
            min = i;
    swap(order, 0, min);
}

void smallest_partition(size_t *order, size_t n, size_t k, const double *value)
{
    size_t first = 0, end = n;
    uint32_t draw = 1;
    if (k == 1) {
        put_smallest_first(order, n, value);
        return;
    }
    while (end - first > 1) {
        draw = draw * 1664525u + 1013904223u;
        swap(order, first, first + (size_t)(((uint64_t)draw * (end - first)) >> 32));
        size_t place = partition(order, first, end, value);
        if (place == k - 1)
            return;
        if (place < k - 1)
            first = place + 1;
        else
            end = place;
    }
}
