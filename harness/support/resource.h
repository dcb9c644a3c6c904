/*
 * Where the program's own read-only files are (results/paper, docs/deviations.md, datasets/manifest.json, plots):
 * in $HULLBENCH_DATADIR (or $HULLBENCH_SHARE) if set, else beside the executable's source tree (a folder above the
 * executable that holds results/paper), else in a folder share/hullbench beside or above the executable.
 */
#ifndef HULLBENCH_RESOURCE_H
#define HULLBENCH_RESOURCE_H

#include "solvers/error.h"

/* *path gets a malloc'ed path of the file `name` (relative, such as "results/paper/lopez2011.json"), which exists. */
enum status resource_find(const char *name, char **path, struct error *error);
/* The file's text: finds it, and reads it as file_read does. */
enum status resource_read(const char *name, char **text, struct error *error);

#endif
