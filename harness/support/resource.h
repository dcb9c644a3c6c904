/*
 * Finds the program's read-only files (papers, docs/deviations.md, datasets/manifest.json, plots): in
 * $HULLBENCH_DATADIR (or $HULLBENCH_SHARE) if set, otherwise in the nearest folder above the executable that has the
 * file, either directly or in share/hullbench.
 */
#ifndef HULLBENCH_RESOURCE_H
#define HULLBENCH_RESOURCE_H

#include <limits.h>

#include "solvers/error.h"

/*
 * `path` if it exists. Otherwise, if it lies in results/paper/ or results/baselines/, as in version 0.2.0, the same
 * file in papers/ or baselines/, and the reverse, if that exists: written to `other`. Otherwise `path`.
 */
const char *resource_moved(const char *path, char other[PATH_MAX]);

/* *path gets the malloc'ed path of the existing file `name` (relative, such as "papers/lopez2011.json"). */
enum status resource_find(const char *name, char **path, struct error *error);
/* Finds a file and reads it as file_read does. */
enum status resource_read(const char *name, char **text, struct error *error);

#endif
