/* Copies of rows in a ring of slots, see lent_rows.h. */
#include "solvers/kernel/lent_rows.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/kernel/gram.h"
#include "solvers/kernel/marker.h"

enum { GUARD = 2 * LANES }; /* doubles on each side of a row */
_Static_assert(LENT_ROWS_SLOTS > GRAM_MIN_ROWS, "a slot is free when a row is lent");
_Static_assert(GUARD * sizeof(double) % LANES_ALIGNMENT == 0, "rows are aligned");

struct loan {
    size_t padded;     /* doubles of the row */
    uint64_t asked_at; /* rows asked for so far, this one included */
    uint64_t digest;   /* of its bits as they were lent */
};

struct lent_rows {
    double *values;      /* LENT_ROWS_SLOTS of `stride` doubles: a guard, a row, the rest is a guard */
    size_t room, stride; /* doubles of the longest row; of a slot */
    struct loan loans[LENT_ROWS_SLOTS];
    size_t first, count; /* the rows in use: slots first, first + 1, ... around the ring */
    uint64_t asked;
    int written;
};

struct lent_rows *lent_rows_create(size_t padded)
{
    struct lent_rows *lent = calloc(1, sizeof *lent);
    if (!lent)
        return NULL;
    lent->room = padded;
    lent->stride = padded + (size_t)2 * GUARD;
    lent->values = lent->stride > padded && lent->stride <= SIZE_MAX / LENT_ROWS_SLOTS / sizeof(double)
                       ? lanes_room(LENT_ROWS_SLOTS * lent->stride)
                       : NULL;
    if (!lent->values) {
        free(lent);
        return NULL;
    }
    for (size_t slot = 0; slot < LENT_ROWS_SLOTS; slot++)
        marker_fill(lent->values + slot * lent->stride, lent->stride * sizeof(double), MARKER_EXPIRED_ROW);
    return lent;
}

void lent_rows_free(struct lent_rows *lent)
{
    if (!lent)
        return;
    free(lent->values);
    free(lent);
}

static uint64_t turned(uint64_t bits)
{
    return bits << 1 | bits >> 63;
}

/* Any single value that is different gives another digest. */
static uint64_t digest_of(const double *row, size_t padded)
{
    uint64_t lane[LANES] = {0}, digest = 0;
    for (size_t j = 0; j < padded; j += LANES)
        for (size_t k = 0; k < LANES; k++) {
            uint64_t bits;
            memcpy(&bits, row + j + k, sizeof bits);
            lane[k] = turned(lane[k]) ^ bits;
        }
    for (size_t k = 0; k < LANES; k++)
        digest = turned(digest) ^ lane[k];
    return digest;
}

static double *row_in(const struct lent_rows *lent, size_t slot)
{
    return lent->values + slot * lent->stride + GUARD;
}

static size_t guard_behind(const struct lent_rows *lent, size_t padded)
{
    return (lent->room - padded + GUARD) * sizeof(double);
}

static void expire_oldest(struct lent_rows *lent)
{
    const struct loan *loan = &lent->loans[lent->first];
    double *row = row_in(lent, lent->first);
    if (!marker_is_intact(row - GUARD, GUARD * sizeof(double), MARKER_ROW_END) ||
        !marker_is_intact(row + loan->padded, guard_behind(lent, loan->padded), MARKER_ROW_END) ||
        digest_of(row, loan->padded) != loan->digest)
        lent->written = 1;
    marker_fill(row - GUARD, lent->stride * sizeof(double), MARKER_EXPIRED_ROW);
    lent->first = (lent->first + 1) % LENT_ROWS_SLOTS;
    lent->count--;
}

void lent_rows_ask(struct lent_rows *lent, size_t count)
{
    lent->asked += count;
    while (lent->count > 0 && lent->asked - lent->loans[lent->first].asked_at >= GRAM_MIN_ROWS)
        expire_oldest(lent);
}

const double *lent_rows_lend(struct lent_rows *lent, const double *row, size_t padded)
{
    size_t slot = (lent->first + lent->count++) % LENT_ROWS_SLOTS;
    double *copy = row_in(lent, slot);
    marker_fill(copy - GUARD, GUARD * sizeof(double), MARKER_ROW_END);
    memcpy(copy, row, padded * sizeof *copy);
    marker_fill(copy + padded, guard_behind(lent, padded), MARKER_ROW_END);
    lent->loans[slot] = (struct loan){padded, lent->asked, digest_of(copy, padded)};
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

void lent_rows_reset(struct lent_rows *lent)
{
    lent_rows_expire(lent);
    lent->written = 0;
}
