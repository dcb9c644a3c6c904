/*
 * A cache of numbered rows of doubles with fixed capacity. When it is full, the least recently used row is evicted.
 * Rows are not moved or permuted, except when all of them are restricted to a subset of their elements so that more
 * fit.
 *
 * The capacity is committed gradually. Touching memory for the first time costs more than recomputing a short row, and
 * a large cache exceeds the processor's caches. So only a part is used at first, and it grows by one row for every
 * MISSES_PER_ROW requests for evicted rows.
 */
#ifndef HULLBENCH_ROW_CACHE_H
#define HULLBENCH_ROW_CACHE_H

#include <stddef.h>

#define MISSES_PER_ROW 8

struct row_cache {
    double *values;
    size_t capacity, committed; /* doubles in values; number of them in use so far, from the start */
    size_t n, stride;     /* row numbers are 0 .. n - 1; doubles per row, a multiple of SIMD_LANES */
    size_t slots, taken;  /* rows that fit in the committed part; slots in use, from the start */
    size_t eviction_misses; /* requests for evicted rows since a slot was last committed */
    size_t *slot_of;        /* n elements: the slot of a row, or none, or evicted */
    size_t *row_of;       /* per slot: its row */
    size_t *newer, *older; /* links of the slots in order of use; not maintained if every row fits */
    size_t newest, oldest;
    size_t *order; /* n elements: scratch of row_cache_compact */
};

/* Allocates space for `rows` of n rows, with `stride` doubles each at first; `initial` of the rows are committed.
 * Returns 0 when out of memory. Pages are touched as slots are taken. */
int row_cache_open(struct row_cache *cache, size_t n, size_t stride, size_t rows, size_t initial);
/* Accepts a zeroed cache. */
void row_cache_close(struct row_cache *cache);
/* Drops all rows and the record of evictions. Rows then have `stride` doubles, at most as many as when opened. */
void row_cache_clear(struct row_cache *cache, size_t stride);
/* Row i, which becomes the most recently used, or NULL. */
double *row_cache_find(struct row_cache *cache, size_t i);
/* A slot for row i, which must not be cached; its values are undefined. */
double *row_cache_take(struct row_cache *cache, size_t i);
/* Drops the rows i with keep[i] zero and restricts the others to their elements places[0] < ... < places[count - 1],
 * padded with zeros to a stride of whole SIMD lanes. */
void row_cache_compact(struct row_cache *cache, const unsigned char *keep, const size_t *places, size_t count);

#endif
