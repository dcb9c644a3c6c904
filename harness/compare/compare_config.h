/* The configuration of a comparison that is still to be run. */
#ifndef HULLBENCH_COMPARE_CONFIG_H
#define HULLBENCH_COMPARE_CONFIG_H

#include "harness/compare/arms.h"

/* Reads the configuration at `path` and makes sure that all solvers of both sides stand in its list with their
 * settings. Where they do, *text is the file as it is and *note is "". A solver that does not stand there gets a copy
 * of each entry of another one, with the name changed and without the parameters it does not read; the other one is the
 * first that stands there, of the other side if there is such a one. A choice with settings gets the entries of its
 * solver, or such copies, with the parameters changed to these, in place of what the list has of that solver. *note
 * says so in a sentence each. With `traced` not 0, "trace" is set to all jobs. STATUS_BAD_INPUT: no solver stands in
 * the list, one is not registered, a setting is not a parameter that the solver reads, a solver is chosen with settings
 * and without, or leaves no trace, if traced. *text and *note are malloc'ed. */
enum status compare_config_read(const char *path, const struct solver_choices sides[ARMS], int traced, char **text,
                                char **note, struct error *error);

#endif
