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

/* A list of indices into value. With `simd`, key[i] = value[order[i]]. */
struct list {
    size_t *order;
    double *key;
    const double *value;
    const struct simd *simd;
};

static inline void swap(const struct list *list, size_t i, size_t j)
{
    size_t kept = list->order[i];
    list->order[i] = list->order[j];
    list->order[j] = kept;
    if (list->simd) {
        double key = list->key[i];
        list->key[i] = list->key[j];
        list->key[j] = key;
    }
}

enum { WORD = 64, MAX_BITS = 64 * WORD };

/* Sets bit i % 64 of bits[i / 64] if entry first + i is before the pivot. Returns the number of set bits. */
static size_t compare_all(const struct list *list, size_t first, size_t n, size_t pivot, uint64_t *bits)
{
    const size_t *order = list->order + first;
    size_t count = 0;
    if (list->simd)
        return list->simd->mark_before(n, list->key + first, order, list->value[pivot], pivot, bits);
    for (size_t at = 0; at < n; at += WORD) {
        size_t end = n - at < WORD ? n - at : WORD;
        uint64_t word = 0;
        for (size_t i = 0; i < end; i++) {
            uint64_t bit = (uint64_t)before(order[at + i], pivot, list->value);
            word |= bit << i;
            count += bit;
        }
        bits[at / WORD] = word;
    }
    return count;
}

/* Partitions the n entries from `first` on, n <= MAX_BITS. Returns how many are before the pivot. */
static size_t partition_by_bits(const struct list *list, size_t first, size_t n, size_t pivot)
{
    uint64_t bits[MAX_BITS / WORD + 1];
    size_t count = compare_all(list, first, n, pivot, bits), low = 0, high = (n - 1) / WORD;
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
        swap(list, first + i, first + high * WORD + bit);
        left &= left - 1;
        right ^= (uint64_t)1 << bit;
    }
}

/* The same for any n, one by one. */
static size_t partition_one_by_one(const struct list *list, size_t first, size_t n, size_t pivot)
{
    const size_t *order = list->order + first;
    size_t low = 0, high = n;
    for (;;) {
        while (low < n && before(order[low], pivot, list->value))
            low++;
        while (high > 0 && !before(order[high - 1], pivot, list->value))
            high--;
        if (low >= high)
            return high;
        swap(list, first + low, first + high - 1);
    }
}

/* Puts the pivot order[first] in its place within [first, end) and returns that place. */
static size_t partition(const struct list *list, size_t first, size_t end)
{
    size_t n = end - first - 1, pivot = list->order[first];
    size_t count = n <= MAX_BITS ? partition_by_bits(list, first + 1, n, pivot)
                                 : partition_one_by_one(list, first + 1, n, pivot);
    swap(list, first, first + count);
    return first + count;
}

static void put_smallest_first(const struct list *list, size_t n)
{
    size_t min = 0;
    for (size_t i = 1; i < n; i++)
        if (before(list->order[i], list->order[min], list->value))
            min = i;
    swap(list, 0, min);
}

static void partition_list(const struct list *list, size_t n, size_t k)
{
    size_t first = 0, end = n;
    uint32_t draw = 1;
    if (k == 1) {
        put_smallest_first(list, n);
        return;
    }
    while (end - first > 1) {
        draw = draw * 1664525u + 1013904223u;
        swap(list, first, first + (size_t)(((uint64_t)draw * (end - first)) >> 32));
        size_t place = partition(list, first, end);
        if (place == k - 1)
            return;
        if (place < k - 1)
            first = place + 1;
        else
            end = place;
    }
}

void smallest_partition(size_t *order, size_t n, size_t k, const double *value)
{
    partition_list(&(struct list){.order = order, .value = value}, n, k);
}

void smallest_partition_by_keys(const struct simd *simd, size_t *order, double *key, size_t n, size_t k,
                                const double *value)
{
    partition_list(&(struct list){order, key, value, simd}, n, k);
}
