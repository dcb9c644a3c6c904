/* Rows in slots, chained from most to least recently used, see row_cache.h. */
#include "solvers/kernel/row_cache.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/kernel/helpers.h"
#include "solvers/kernel/pages.h"
#include "solvers/kernel/simd.h"

#define NONE SIZE_MAX
enum { MIN_COMPACTED = 1 << 12 }; /* values that a thread moves at least */
#define EVICTED (SIZE_MAX - 1)

int row_cache_open(struct row_cache *cache, size_t n, size_t stride, size_t rows, size_t initial)
{
    *cache =
        (struct row_cache){.n = n, .capacity = rows * stride, .committed = (initial < rows ? initial : rows) * stride};
    cache->values = rows > SIZE_MAX / stride ? NULL : pages_take(cache->capacity);
    cache->slot_of = malloc(5 * n * sizeof *cache->slot_of);
    if (!cache->values || !cache->slot_of)
        return 0;
    cache->row_of = cache->slot_of + n;
    cache->newer = cache->row_of + n;
    cache->older = cache->newer + n;
    cache->order = cache->older + n;
    row_cache_clear(cache, stride);
    return 1;
}

void row_cache_close(struct row_cache *cache)
{
    pages_give_back(cache->values);
    free(cache->slot_of);
    memset(cache, 0, sizeof *cache);
}

static void set_stride(struct row_cache *cache, size_t stride)
{
    size_t fit = cache->committed / stride;
    cache->stride = stride;
    cache->slots = fit < cache->n ? fit : cache->n;
}

void row_cache_clear(struct row_cache *cache, size_t stride)
{
    for (size_t i = 0; i < cache->n; i++)
        cache->slot_of[i] = NONE;
    set_stride(cache, stride);
    cache->taken = 0;
    cache->newest = cache->oldest = NONE;
}

/* Puts an unlinked slot at the front. */
static void push(struct row_cache *cache, size_t slot)
{
    cache->newer[slot] = NONE;
    cache->older[slot] = cache->newest;
    if (cache->newest != NONE)
        cache->newer[cache->newest] = slot;
    else
        cache->oldest = slot;
    cache->newest = slot;
}

static void unchain(struct row_cache *cache, size_t slot)
{
    size_t newer = cache->newer[slot], older = cache->older[slot];
    if (newer != NONE)
        cache->older[newer] = older;
    else
        cache->newest = older;
    if (older != NONE)
        cache->newer[older] = newer;
    else
        cache->oldest = newer;
}

double *row_cache_find(struct row_cache *cache, size_t i)
{
    size_t slot = cache->slot_of[i];
    if (slot == NONE || slot == EVICTED)
        return NULL;
    if (cache->slots < cache->n && slot != cache->newest) {
        unchain(cache, slot);
        push(cache, slot);
    }
    return cache->values + slot * cache->stride;
}

/* Counts a request for an evicted row. */
static void count_eviction_miss(struct row_cache *cache)
{
    if (++cache->eviction_misses < MISSES_PER_ROW || cache->slots == cache->n ||
        cache->capacity / cache->stride == cache->slots)
        return;
    cache->eviction_misses = 0;
    cache->slots++;
    if (cache->committed < cache->slots * cache->stride)
        cache->committed = cache->slots * cache->stride;
}

double *row_cache_take(struct row_cache *cache, size_t i)
{
    size_t slot = cache->taken;
    if (slot == cache->slots && cache->slot_of[i] == EVICTED)
        count_eviction_miss(cache);
    if (slot < cache->slots) {
        cache->taken++;
    } else {
        slot = cache->oldest;
        unchain(cache, slot);
        cache->slot_of[cache->row_of[slot]] = EVICTED;
    }
    push(cache, slot);
    cache->slot_of[i] = slot;
    cache->row_of[slot] = i;
    return cache->values + slot * cache->stride;
}

/* The destination lies at or before the source. */
static void compact_row(const double *row, const size_t *places, size_t count, size_t stride, double *out)
{
    for (size_t k = 0; k < count; k++)
        out[k] = row[places[k]];
    for (size_t k = count; k < stride; k++)
        out[k] = 0;
}

/* The rows held, least recently used first. */
static size_t list_rows(const struct row_cache *cache, size_t *order)
{
    size_t count = 0;
    for (size_t slot = cache->oldest; slot != NONE; slot = cache->newer[slot])
        order[count++] = cache->row_of[slot];
    return count;
}

/* Rows that are compacted into slots from `first` on: those in slots[0], ... */
struct compaction {
    struct row_cache *cache;
    const size_t *slots, *places;
    size_t first, count, stride;
};

static void compact_part(void *context, const struct helpers_part *part)
{
    const struct compaction *of = context;
    for (size_t k = part->first; k < part->end; k++)
        compact_row(of->cache->values + of->slots[k] * of->cache->stride, of->places, of->count, of->stride,
                    of->cache->values + (of->first + k) * of->stride);
}

/* Compacts the rows in these slots, ascending, into the first slots. Rows whose new places all end before the first of
 * them begins may be moved in any order. */
static void compact_rows(struct row_cache *cache, const size_t *slots, size_t rows, const size_t *places, size_t count,
                         size_t stride)
{
    for (size_t first = 0, end; first < rows; first = end) {
        const size_t fit = slots[first] * cache->stride / stride; /* slots that end before this row begins */
        end = fit <= first ? first + 1 : fit < rows ? fit : rows;
        helpers_run(&(struct helpers_division){end - first, 1, 1 + MIN_COMPACTED / stride, 1}, compact_part,
                    &(struct compaction){cache, slots + first, places, first, count, stride});
    }
}

void row_cache_compact(struct row_cache *cache, const unsigned char *keep, const size_t *places, size_t count)
{
    size_t stride = simd_padded(count), held = list_rows(cache, cache->order), kept = 0;
    size_t *slots = cache->newer; /* free until the rows are chained again */
    for (size_t slot = 0; slot < cache->taken; slot++) {
        size_t i = cache->row_of[slot];
        cache->slot_of[i] = NONE;
        if (!keep[i])
            continue;
        slots[kept] = slot;
        cache->slot_of[i] = kept;
        cache->row_of[kept++] = i;
    }
    compact_rows(cache, slots, kept, places, count, stride);
    cache->taken = kept;
    cache->newest = cache->oldest = NONE;
    for (size_t k = 0; k < held; k++)
        if (cache->slot_of[cache->order[k]] != NONE)
            push(cache, cache->slot_of[cache->order[k]]);
    set_stride(cache, stride);
}
