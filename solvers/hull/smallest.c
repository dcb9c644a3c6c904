/*
 * Quickselect (Hoare 1961) in the total order (value, index). No two keys are equal, so the selected set does not
 * depend on the order of the input. Pivots come from a fixed congruential sequence, so no input order is systematically
 * slow.
 *
 * Hoare's partition exchanges the first misplaced entry from the left with the first from the right, the second with
 * the second, and so on to the middle. Callers sum in the resulting order, so exactly these exchanges are made. But the
 * processor cannot predict the branches on these comparisons. So the results of the comparisons of up to MAX_BITS
 * entries are first stored as bits, without branches (Edelkamp and Weiss 2016). If c entries are before the pivot, the
 * misplaced ones are those not before it among the first c, and those before it among the rest. Both kinds are equally
 * many.
 */
#include "solvers/hull/smallest.h"

#include <stdint.h>

static inline int before(size_t a, size_t b, const double *value)
{
    return (value[a] < value[b]) | ((value[a] <= value[b]) & (a < b));
}

static inline void swap(size_t *order, size_t i, size_t j)
{
    size_t kept = order[i];
    order[i] = order[j];
    order[j] = kept;
}

enum { WORD = 64, MAX_BITS = 64 * WORD };

/* Sets bit i % 64 of bits[i / 64] if order[i] is before the pivot. Returns the number of set bits. */
static size_t compare_all(const size_t *order, size_t n, size_t pivot, const double *value, uint64_t *bits)
{
    size_t count = 0;
    for (size_t first = 0; first < n; first += WORD) {
        size_t end = n - first < WORD ? n - first : WORD;
        uint64_t word = 0;
        for (size_t i = 0; i < end; i++) {
            uint64_t bit = (uint64_t)before(order[first + i], pivot, value);
            word |= bit << i;
            count += bit;
        }
        bits[first / WORD] = word;
    }
    return count;
}

/* Partitions the n entries after the pivot, n <= MAX_BITS. Returns how many are before it. */
static size_t partition_by_bits(size_t *order, size_t n, size_t pivot, const double *value)
{
    uint64_t bits[MAX_BITS / WORD + 1];
    size_t count = compare_all(order, n, pivot, value, bits), low = 0, high = (n - 1) / WORD;
    bits[high + 1] = 0; /* ends the search for entries that are not before the pivot */
    if (count == 0 || count == n)
        return count;
    uint64_t left = ~bits[0], right = bits[high];
    for (;;) {
        while (!left)
            left = ~bits[++low];
        size_t i = low * WORD + (size_t)__builtin_ctzll(left);
        if (i >= count)
            return count;
        while (!right)
            right = bits[--high];
        size_t bit = WORD - 1 - (size_t)__builtin_clzll(right);
        swap(order, i, high * WORD + bit);
        left &= left - 1;
        right ^= (uint64_t)1 << bit;
    }
}

/* The same for any n, one by one. */
static size_t partition_one_by_one(size_t *order, size_t n, size_t pivot, const double *value)
{
    size_t low = 0, high = n;
    for (;;) {
        while (low < n && before(order[low], pivot, value))
            low++;
        while (high > 0 && !before(order[high - 1], pivot, value))
            high--;
        if (low >= high)
            return high;
        swap(order, low, high - 1);
    }
}

/* Puts the pivot order[first] in its place within [first, end) and returns that place. */
static size_t partition(size_t *order, size_t first, size_t end, const double *value)
{
    size_t n = end - first - 1, pivot = order[first];
    size_t count = n <= MAX_BITS ? partition_by_bits(order + first + 1, n, pivot, value)
                                 : partition_one_by_one(order + first + 1, n, pivot, value);
    swap(order, first, first + count);
    return first + count;
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
