/* Listing and removing folders, which file.h creates; what the user named. */
#ifndef HULLBENCH_FOLDER_H
#define HULLBENCH_FOLDER_H

#include <stddef.h>

#include "harness/support/string_list.h"
#include "solvers/error.h"

/* The names of the folder's entries for which is_wanted(name) is not 0 (NULL: of all), in the pool and in the order of
 * their bytes, which is the same in every locale. A missing folder has none; dies with `status` if it cannot be
 * read. */
struct string_list folder_list(struct pool *pool, const char *folder, int (*is_wanted)(const char *name),
                                enum status status);

/* Removes the folder with everything in it; follows no links. STATUS_IO names what cannot be removed. A missing folder
 * is not an error. */
void folder_remove(const char *folder);
/* The same for a caller who goes on after an error; returns 0 or an errno. */
int folder_try_remove(const char *folder);

/*
 * Which part of a path the user named. The user may name links: they are followed. What lies below may be the work of a
 * stranger, such as a run folder that was sent or unpacked: no link there is followed when hullbench writes or removes.
 * Every function of file.h, folder.h and folder_lock.h that creates or removes something looks here first.
 */

/* Notes a path that the user named, or that hullbench chose outside all such paths. "." contains all relative paths
 * that do not begin with "..". Not thread-safe. */
void named_path_add(const char *path);
/* The same unless `path` lies below a noted one. */
void named_path_add_outermost(const char *path);

/* The length of the first part of `path` that is a symbolic link and lies below the longest noted path that contains
 * `path`; 0 if there is none. */
size_t named_path_find_link(const char *path);
/* STATUS_BAD_INPUT, and the name of the link, if there is one. */
void named_path_check(const char *path);

#endif
