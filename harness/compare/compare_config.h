/* The configuration of a comparison that has not been run yet. */
#ifndef HULLBENCH_COMPARE_CONFIG_H
#define HULLBENCH_COMPARE_CONFIG_H

#include "harness/compare/arms.h"

/* Reads the configuration at `path` and makes sure that its list has all chosen solvers with their settings. If it
 * does, the text is the unchanged file and the note is "". A missing solver gets a copy of each entry of another one,
 * with the name changed and without the parameters that it does not read; the other one is the first in the list,
 * preferably of the other arm. A choice with settings replaces its solver's entries in the list by copies of them, or
 * of such copies, with these settings. The note has a sentence about each change. If `traced` is nonzero, "trace" is
 * set to all jobs. STATUS_BAD_INPUT: no solver is in the list, one is not registered, a setting is not a parameter that
 * the solver reads, a solver is chosen with settings and without, or, if traced, a solver leaves no trace. */
struct compare_config {
    const char *text, *note;
};
struct compare_config compare_config_read(struct pool *pool, const char *path,
                                          const struct solver_choices choices[ARMS], int traced);

#endif
