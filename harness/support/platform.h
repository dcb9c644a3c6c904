/*
 * Everything that the program needs of the system beyond POSIX.1-2008. Each function has a way for the GNU C library or
 * Linux and a portable way, both in platform.c. -DHULLBENCH_PORTABLE (make PORTABLE=1) compiles the portable way also
 * where the other exists. No other file may use a function that -D_POSIX_C_SOURCE=200809L hides.
 */
#ifndef HULLBENCH_PLATFORM_H
#define HULLBENCH_PLATFORM_H

#include <stddef.h>
#include <sys/stat.h>

/* ---- files ---- */

/* As realpath(path, NULL), which POSIX.1-2008 has and the GNU C library declares only with its X/Open extension. */
char *platform_real_path(const char *path);

/* Whether the file's mode has the sticky bit, which is an X/Open extension. */
int platform_is_sticky(const struct stat *about);

/* ---- memory ---- */

/* New readable and writable pages of zeros; a child process shares them with its parent if is_shared. NULL with errno
 * set on failure; released by munmap. */
void *platform_map(size_t bytes, int is_shared);

/* Frees a tree of <search.h>, calling free_item for each item. */
void platform_free_tree(void *root, void (*free_item)(void *item));

#endif
