/*
 * Rows of doubles by number, in a fixed capacity: when it is full the least recently used row is evicted. Rows are not
 * moved or permuted, save where all of them are cut down to some of their elements, so that more of them fit.
 *
 * The capacity is committed little by little. Memory touched for the first time costs more than a short row does to
 * compute again, and a large cache leaves the processor's own caches; so a part of it is used, and one row's more for
 * every MISSES_PER_ROW rows that are asked for again after they were evicted.
 */
#ifndef HULLBENCH_ROW_CACHE_H
#define HULLBENCH_ROW_CACHE_H

#include <stddef.h>

#define MISSES_PER_ROW 8

struct row_cache {
    double *values;
    size_t capacity, committed; /* doubles in values; those in use so far, the first ones */
    size_t n, stride;     /* numbers of rows go from 0 to n - 1; doubles a row, a multiple of SIMD_LANES */
    size_t slots, taken;  /* rows that fit in what is committed; slots in use, the first ones */
    size_t eviction_misses; /* rows asked for again since a slot was committed for that */
    size_t *slot_of;        /* n: the slot of a row; or that there is none, or that it was evicted */
    size_t *row_of;       /* slots: the row in a slot */
    size_t *newer, *older; /* chains of slots; not kept where every row fits */
    size_t newest, oldest;
    size_t *order; /* n: scratch of row_cache_compact */
};

/* Room for `rows` rows of n, each `stride` doubles to begin with, of which `initial` are committed. Zero when out of
 * memory. Pages are touched as slots are taken. */
int row_cache_open(struct row_cache *cache, size_t n, size_t stride, size_t rows, size_t initial);
/* Accepts a zeroed cache. */
void row_cache_close(struct row_cache *cache);
/* Forgets all rows, and which were evicted; from now on they have `stride` doubles, no more than when opened. */
void row_cache_clear(struct row_cache *cache, size_t stride);
/* Row i, now the most recently used, or NULL. */
double *row_cache_find(struct row_cache *cache, size_t i);
/* A slot for row i, which is not there; its values are anything. */
double *row_cache_take(struct row_cache *cache, size_t i);
/* Drops the rows i with keep[i] zero and cuts the others down to their elements places[0] < ... < places[count - 1],
 * zero up to a stride of whole lanes. */
void row_cache_compact(struct row_cache *cache, const unsigned char *keep, const size_t *places, size_t count);

#endif
