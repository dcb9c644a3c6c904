/* Functions that count and call the original (allocation.h). They receive no context argument, so their counts are
 * file-scope variables. */
#include "harness/verify/allocation.h"

#include <stdlib.h>

#include "harness/base/platform.h"

static int counts;
static size_t allocations, first_bytes;

/* The real functions, not the entries of a table that is about to change. */
static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*reallocarray)(void *, size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    void *(*memalign)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
} real;

static void note(size_t bytes)
{
    if (counts && allocations++ == 0)
        first_bytes = bytes;
}

static void *seen_malloc(size_t size)
{
    note(size);
    return real.malloc(size);
}

static void *seen_calloc(size_t count, size_t size)
{
    note(count * size);
    return real.calloc(count, size);
}

static void *seen_realloc(void *memory, size_t size)
{
    note(size);
    return real.realloc(memory, size);
}

static void *seen_reallocarray(void *memory, size_t count, size_t size)
{
    note(count * size);
    return real.reallocarray(memory, count, size);
}

static void *seen_aligned_alloc(size_t alignment, size_t size)
{
    note(size);
    return real.aligned_alloc(alignment, size);
}

static void *seen_memalign(size_t alignment, size_t size)
{
    note(size);
    return real.memalign(alignment, size);
}

static int seen_posix_memalign(void **memory, size_t alignment, size_t size)
{
    note(size);
    return real.posix_memalign(memory, alignment, size);
}

typedef void function(void);

static const struct platform_replacement replaced[] = {
    {"malloc", (function *)seen_malloc, &real.malloc},
    {"calloc", (function *)seen_calloc, &real.calloc},
    {"realloc", (function *)seen_realloc, &real.realloc},
    {"reallocarray", (function *)seen_reallocarray, &real.reallocarray},
    {"aligned_alloc", (function *)seen_aligned_alloc, &real.aligned_alloc},
    {"memalign", (function *)seen_memalign, &real.memalign},
    {"posix_memalign", (function *)seen_posix_memalign, &real.posix_memalign},
};

int allocation_watch(void)
{
    if (!platform_replace(replaced, sizeof replaced / sizeof *replaced))
        return 0;
    /* Do not count what the first calls of malloc and of OpenMP's library set up. */
    free(real.malloc(1));
#pragma omp taskgroup
#pragma omp task if (0)
    allocations = 0;
    return 1;
}

void allocation_begin(void)
{
    allocations = 0;
    counts = 1;
}

size_t allocation_end(size_t *bytes)
{
    counts = 0;
    *bytes = first_bytes;
    return allocations;
}
