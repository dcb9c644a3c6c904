/* What `hullbench run` does, for verbs that go on with its folder. */
#ifndef HULLBENCH_VERB_RUN_H
#define HULLBENCH_VERB_RUN_H

/* Runs the configuration of a struct cli_arguments, whose options run_interruptible has filled; says what data are
 * missing and, unless `quiet`, prints a summary. Returns the exit status. */
int run_configuration(void *cli_arguments);

#endif
