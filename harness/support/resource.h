/*
 * Finds the program's read-only files (results/paper, docs/deviations.md, datasets/manifest.json, plots): in
 * $HULLBENCH_DATADIR (or $HULLBENCH_SHARE) if set, otherwise in the nearest folder above the executable that has the
 * file, either directly or in share/hullbench.
 */
#ifndef HULLBENCH_RESOURCE_H
#define HULLBENCH_RESOURCE_H

#include "solvers/error.h"

/* *path gets the malloc'ed path of the existing file `name` (relative, such as "results/paper/lopez2011.json"). */
enum status resource_find(const char *name, char **path, struct error *error);
/* Finds a file and reads it as file_read does. */
enum status resource_read(const char *name, char **text, struct error *error);

#endif
