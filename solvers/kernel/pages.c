/* Blocks with their size in front, in a list of those not in use; see pages.h. */
#define _DEFAULT_SOURCE /* madvise: the only function in solvers/ that POSIX lacks */
#include "solvers/kernel/pages.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "solvers/kernel/simd.h"

enum { HUGE_PAGE = 2 << 20, LARGE = 2 * HUGE_PAGE };

/* The values follow it at a distance of SIMD_ALIGNMENT. */
struct block {
    size_t bytes;
    struct block *next; /* in the list of kept blocks */
};
_Static_assert(sizeof(struct block) <= SIMD_ALIGNMENT, "a block's head precedes its values");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *kept;

/* Takes the smallest kept block of at least this size out of the list. */
static struct block *take_kept(size_t bytes)
{
    struct block **best = NULL;
    for (struct block **at = &kept; *at; at = &(*at)->next)
        if ((*at)->bytes >= bytes && (!best || (*at)->bytes < (*best)->bytes))
            best = at;
    struct block *block = best ? *best : NULL;
    if (block)
        *best = block->next;
    return block;
}

static void release_kept(void)
{
    while (kept) {
        struct block *block = kept;
        kept = block->next;
        free(block);
    }
}

static struct block *reserve(size_t bytes)
{
    const size_t alignment = bytes < LARGE ? SIMD_ALIGNMENT : HUGE_PAGE;
    const size_t whole = (bytes + alignment - 1) / alignment * alignment;
    struct block *block = aligned_alloc(alignment, whole);
    if (!block)
        return NULL;
    if (bytes >= LARGE)
        (void)madvise(block, whole, MADV_HUGEPAGE); /* works without them, too */
    block->bytes = whole;
    return block;
}

double *pages_take(size_t doubles)
{
    if (doubles > (SIZE_MAX - 2 * HUGE_PAGE) / sizeof(double))
        return NULL;
    const size_t bytes = SIMD_ALIGNMENT + doubles * sizeof(double);
    struct block *block = NULL;
    if (bytes >= LARGE) {
        pthread_mutex_lock(&lock);
        block = take_kept(bytes);
        if (!block)
            release_kept();
        pthread_mutex_unlock(&lock);
    }
    if (!block)
        block = reserve(bytes);
    return block ? (double *)(void *)((char *)block + SIMD_ALIGNMENT) : NULL;
}

void pages_give_back(double *values)
{
    struct block *block = values ? (struct block *)(void *)((char *)values - SIMD_ALIGNMENT) : NULL;
    if (!block)
        return;
    if (block->bytes < LARGE) {
        free(block);
        return;
    }
    pthread_mutex_lock(&lock);
    block->next = kept;
    kept = block;
    pthread_mutex_unlock(&lock);
}

void pages_forget(void)
{
    pthread_mutex_lock(&lock);
    release_kept();
    pthread_mutex_unlock(&lock);
}
