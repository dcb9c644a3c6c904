/* `hullbench run`, for verbs that continue with its folder. */
#ifndef HULLBENCH_VERB_RUN_H
#define HULLBENCH_VERB_RUN_H

#include "harness/cli/options.h"

/* Begins interruptible work, and runs the configuration. Prints which data are missing and, unless `quiet`, a summary.
 * Returns the exit status. */
int run_configuration(struct cli_arguments *arguments);

#endif
