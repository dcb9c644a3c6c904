/*
 * cJSON drops a member that it has no memory for, and many of them are added in places that would have nothing better to do than to
 * end. So in the program, unlike in the library, its want of memory is the end: before any file is renamed into place.
 */
#include "harness/cli/memory.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/cli/cli.h"

static void *allocate_or_end(size_t size)
{
    static const char said[] = "hullbench: out of memory\n";
    void *memory = malloc(size);
    if (memory || size == 0)
        return memory;
    ssize_t written = write(STDERR_FILENO, said, sizeof said - 1);
    (void)written;
    _exit(EXIT_SYSTEM); /* at once: other threads may be at work, and locks end with the process */
}

void memory_ends_the_program(void)
{
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = allocate_or_end, .free_fn = free});
}
