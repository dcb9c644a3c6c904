/* Statistics of the heap (allocation.h). */
#include "harness/verify/allocation.h"

#include <stdlib.h>

#include "harness/base/platform.h"

size_t allocation_in_use(void)
{
    return platform_bytes_allocated();
}

/* A task makes OpenMP's library allocate what it sets up at its first use. A block from the list of kept ones changes
 * nothing; one from a bin may bring others of its size to that list. A block from elsewhere takes its own size. Blocks
 * stay reachable, as a list. */
int allocation_empty_kept(void)
{
    enum { SMALLEST = 24, STEP = 16, MOST = 64 };
    static void **blocks;
    static int tasks;
#pragma omp taskgroup
#pragma omp task if (0)
    tasks++;
    for (size_t size = SMALLEST; size <= ALLOCATION_KEPT; size += STEP) {
        size_t taken = 0;
        for (int tries = 0; tries < MOST && (taken < size || taken >= 2 * size + STEP); tries++) {
            const size_t before = allocation_in_use();
            void **block = malloc(size);
            if (!block)
                return 0;
            *block = blocks;
            blocks = block;
            taken = allocation_in_use() - before;
        }
        if (taken == 0)
            return 0;
    }
    return 1;
}
