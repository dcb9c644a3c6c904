/*
 * Finds the program's read-only files (papers, docs/deviations.md, datasets/manifest.json, plots): in
 * $HULLBENCH_DATADIR (or $HULLBENCH_SHARE) if set, otherwise in the nearest folder above the executable that has the
 * file, either directly or in share/hullbench.
 */
#ifndef HULLBENCH_RESOURCE_H
#define HULLBENCH_RESOURCE_H

#include "harness/base/pool.h"
#include "solvers/error.h"

/*
 * `path` if it exists. Otherwise, if it lies in results/paper/ or results/baselines/, as in version 0.2.0, the same
 * file in papers/ or baselines/, and the reverse, if that exists. Otherwise `path`.
 */
const char *resource_moved(struct pool *pool, const char *path);

/* The path of the existing file `name` (relative, such as "papers/lopez2011.json"), in the pool. If there is none, dies
 * with the status `if_missing`. */
const char *resource_find(struct pool *pool, const char *name, enum status if_missing);
/* The same, but NULL if there is none. */
const char *resource_find_or_null(struct pool *pool, const char *name);
/* Finds a text file and reads it. */
char *resource_read(struct pool *pool, const char *name, enum status if_missing);

#endif
