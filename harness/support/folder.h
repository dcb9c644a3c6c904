/* Listing and removing folders; file.h creates them. */
#ifndef HULLBENCH_FOLDER_H
#define HULLBENCH_FOLDER_H

#include <dirent.h>

#include "solvers/error.h"

/* As scandir, in the order of the names' bytes, which is the same in every locale. `is_wanted` may be NULL. Returns the
 * number of entries, or -1 with errno set. The caller frees each entry and the list. */
int folder_scan(const char *folder, int (*is_wanted)(const struct dirent *entry), struct dirent ***entries);

/* Removes the folder with everything in it; follows no links. STATUS_IO names what cannot be removed. A missing folder
 * is not an error. */
enum status folder_remove(const char *folder, struct error *error);

#endif
