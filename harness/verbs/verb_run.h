/* `hullbench run`, for verbs that continue with its folder. */
#ifndef HULLBENCH_VERB_RUN_H
#define HULLBENCH_VERB_RUN_H

/* Runs the configuration of a struct cli_arguments, whose options run_interruptible has completed. Prints which data
 * are missing and, unless `quiet`, a summary. Returns the exit status. */
int run_configuration(void *cli_arguments);

#endif
