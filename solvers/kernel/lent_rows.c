/* Copies of rows in a ring of slots, see lent_rows.h. */
#include "solvers/kernel/lent_rows.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/kernel/gram.h"
#include "solvers/kernel/marker.h"

enum { GUARD = 2 * SIMD_LANES }; /* doubles on each side of a row */
_Static_assert(LENT_ROWS_SLOTS > GRAM_MIN_ROWS, "a slot is free when a row is lent");
_Static_assert(LENT_ROWS_SLOTS % GRAM_MIN_ROWS == 0, "rows in use have originals of their own");
_Static_assert(GUARD * sizeof(double) % SIMD_ALIGNMENT == 0, "rows are aligned");

struct loan {
    size_t padded;     /* doubles of the row */
    uint64_t requested_at; /* rows requested so far, including this one */
};

struct lent_rows {
    double *values;      /* LENT_ROWS_SLOTS times `stride` doubles: guard, row, guard, markers of an expired row */
    double *originals;   /* GRAM_MIN_ROWS times `capacity` doubles: the row lent in slot s is in s % GRAM_MIN_ROWS */
    double *expired;     /* `stride` markers of an expired row */
    size_t capacity, stride; /* doubles of the longest row; of a slot */
    struct loan loans[LENT_ROWS_SLOTS];
    size_t first, count; /* rows in use: slots first, first + 1, ... around the ring */
    uint64_t requested;
    int written;
};

struct lent_rows *lent_rows_create(size_t padded)
{
    struct lent_rows *lent = calloc(1, sizeof *lent);
    if (!lent)
        return NULL;
    lent->capacity = padded;
    lent->stride = padded + (size_t)2 * GUARD;
    const size_t strides = LENT_ROWS_SLOTS + 1 + GRAM_MIN_ROWS;
    lent->values = lent->stride > padded && lent->stride <= SIZE_MAX / strides / sizeof(double)
                       ? simd_alloc(strides * lent->stride)
                       : NULL;
    if (!lent->values) {
        free(lent);
        return NULL;
    }
    marker_fill(lent->values, (LENT_ROWS_SLOTS + 1) * lent->stride * sizeof(double), MARKER_EXPIRED_ROW);
    lent->expired = lent->values + LENT_ROWS_SLOTS * lent->stride;
    lent->originals = lent->expired + lent->stride;
    return lent;
}

void lent_rows_free(struct lent_rows *lent)
{
    if (!lent)
        return;
    free(lent->values);
    free(lent);
}

static double *row_in(const struct lent_rows *lent, size_t slot)
{
    return lent->values + slot * lent->stride + GUARD;
}

static double *original_of(const struct lent_rows *lent, size_t slot)
{
    return lent->originals + slot % GRAM_MIN_ROWS * lent->capacity;
}

static void expire_oldest(struct lent_rows *lent)
{
    const struct loan *loan = &lent->loans[lent->first];
    double *row = row_in(lent, lent->first);
    if (!marker_is_intact(row - GUARD, GUARD * sizeof(double), MARKER_ROW_END) ||
        !marker_is_intact(row + loan->padded, GUARD * sizeof(double), MARKER_ROW_END) ||
        memcmp(row, original_of(lent, lent->first), loan->padded * sizeof *row) != 0)
        lent->written = 1;
    memcpy(row - GUARD, lent->expired, (loan->padded + (size_t)2 * GUARD) * sizeof *row);
    lent->first = (lent->first + 1) % LENT_ROWS_SLOTS;
    lent->count--;
}

void lent_rows_ask(struct lent_rows *lent, size_t count)
{
    lent->requested += count;
    while (lent->count > 0 && lent->requested - lent->loans[lent->first].requested_at >= GRAM_MIN_ROWS)
        expire_oldest(lent);
}

const double *lent_rows_lend(struct lent_rows *lent, const double *row, size_t padded)
{
    size_t slot = (lent->first + lent->count++) % LENT_ROWS_SLOTS;
    double *copy = row_in(lent, slot);
    marker_fill(copy - GUARD, GUARD * sizeof(double), MARKER_ROW_END);
    memcpy(copy, row, padded * sizeof *copy);
    memcpy(original_of(lent, slot), row, padded * sizeof *copy);
    marker_fill(copy + padded, GUARD * sizeof(double), MARKER_ROW_END);
    lent->loans[slot] = (struct loan){padded, lent->requested};
    return copy;
}

void lent_rows_expire(struct lent_rows *lent)
{
    while (lent->count > 0)
        expire_oldest(lent);
}

int lent_rows_written(const struct lent_rows *lent)
{
    return lent->written;
}

int lent_rows_address_in(const struct lent_rows *lent, const void *block, size_t bytes)
{
    const uintptr_t first = (uintptr_t)lent->values, size = LENT_ROWS_SLOTS * lent->stride * sizeof(double);
    for (size_t i = 0; i + sizeof(uintptr_t) <= bytes; i += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, (const unsigned char *)block + i, sizeof word);
        if (word - first < size)
            return 1;
    }
    return 0;
}

void lent_rows_reset(struct lent_rows *lent)
{
    lent_rows_expire(lent);
    lent->written = 0;
}
