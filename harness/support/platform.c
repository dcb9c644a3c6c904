/*
 * The only file that uses more than POSIX.1-2008 (platform.h). USES_GNU selects functions of the GNU C library,
 * USES_LINUX those of the Linux kernel, which other C libraries on Linux have as well.
 */
#if defined(__linux__) && !defined(HULLBENCH_PORTABLE)
#define _GNU_SOURCE
#define USES_LINUX 1
#else
#define _XOPEN_SOURCE 700
#define USES_LINUX 0
#endif
#include "harness/support/platform.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#if USES_LINUX && defined(__GLIBC__)
#define USES_GNU 1
#else
#define USES_GNU 0
#endif

/* ---- files ---- */

char *platform_real_path(const char *path)
{
    return realpath(path, NULL);
}

int platform_is_sticky(const struct stat *about)
{
    return (about->st_mode & S_ISVTX) != 0;
}

/* ---- memory ---- */

#if USES_LINUX

void *platform_map(size_t bytes, int is_shared)
{
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, (is_shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

#else

/* Maps a temporary file. */
void *platform_map(size_t bytes, int is_shared)
{
    FILE *file = tmpfile();
    void *memory = MAP_FAILED;
    if (file && ftruncate(fileno(file), (off_t)bytes) == 0)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, is_shared ? MAP_SHARED : MAP_PRIVATE, fileno(file), 0);
    if (file)
        fclose(file);
    return memory == MAP_FAILED ? NULL : memory;
}

#endif

#if USES_GNU

void platform_free_tree(void *root, void (*free_item)(void *item))
{
    tdestroy(root, free_item);
}

#else

static int is_always_equal(const void *a, const void *b)
{
    (void)a;
    (void)b;
    return 0;
}

/* Deletes the root until the tree is empty. */
void platform_free_tree(void *root, void (*free_item)(void *item))
{
    while (root) {
        void *item = *(void **)root;
        tdelete(item, &root, is_always_equal);
        free_item(item);
    }
}

#endif
