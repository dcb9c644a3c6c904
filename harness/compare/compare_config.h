/* The configuration of a comparison that is still to be run. */
#ifndef HULLBENCH_COMPARE_CONFIG_H
#define HULLBENCH_COMPARE_CONFIG_H

#include "harness/compare/pairing.h"

/* Reads the configuration at `path` and makes sure that both solvers stand in its list. Where both do, *text is the
 * file as it is and *note is "". One that does not gets a copy of each of the other's entries, with the name changed
 * and without the parameters it does not read, and *note is a sentence that says so. With `traced` not 0,
 * "trace" is set to all jobs. STATUS_BAD_INPUT: neither is in the list, one is not registered or, if traced, leaves no
 * trace, or both are the same. *text and *note are malloc'ed. */
enum status compare_config_read(const char *path, const char *const solvers[ARMS], int traced, char **text,
                                char **note, struct error *error);

#endif
