/* Labels between unreadable pages (fence.h). The signal handler that uses them has no context argument, so they are
 * file-scope variables. */
#include "harness/verify/fence.h"

#include <string.h>
#include <sys/mman.h>

#include "harness/base/memory.h"
#include "harness/base/platform.h"

static unsigned char *fences; /* FENCE_BYTES each: unreadable, labels, unreadable */
static signed char *labels;

static void open_fences(void)
{
    fences = platform_map((size_t)3 * FENCE_BYTES, 0);
    if (!fences || mprotect(fences, FENCE_BYTES, PROT_NONE) != 0 ||
        mprotect(fences + 2 * FENCE_BYTES, FENCE_BYTES, PROT_NONE) != 0)
        out_of_memory();
}

signed char *fence_labels(const signed char *y, size_t n, int at_the_end)
{
    if (!fences)
        open_fences();
    unsigned char *between = fences + FENCE_BYTES;
    memset(between, 0, FENCE_BYTES);
    labels = (signed char *)(at_the_end ? between + FENCE_BYTES - n : between);
    return memcpy(labels, y, n);
}

int fence_keeps(const void *address, ptrdiff_t *index)
{
    const unsigned char *at = address;
    if (!fences || at < fences || at >= fences + (size_t)3 * FENCE_BYTES)
        return 0;
    *index = at - (const unsigned char *)labels;
    return 1;
}
