/*
 * The verbs of the program, one file each. A verb parses its own words with argp, calls the library, prints, and
 * returns the exit status; argv[0] is "hullbench VERB".
 */
#ifndef HULLBENCH_CLI_H
#define HULLBENCH_CLI_H

#include "solvers/error.h"

enum exit_status { EXIT_OK = 0, EXIT_DIFFERENT = 1, EXIT_BAD_USE = 2, EXIT_NO_DATA = 3, EXIT_SYSTEM = 4 };

/* Prints "hullbench: MESSAGE" on standard error and returns the exit status that belongs to the error's status. */
int cli_fail(const struct error *error);

struct argp;
/* Parses the arguments of a verb; ends the program with status 2 where they are wrong, with 4 where the machine fails.
 */
void cli_parse(const struct argp *argp, int argc, char **argv, void *words);

int verb_run(int argc, char **argv);
int verb_list(int argc, char **argv);
int verb_solve(int argc, char **argv);
int verb_predict(int argc, char **argv);
int verb_tables(int argc, char **argv);
int verb_conform(int argc, char **argv);
int verb_compare(int argc, char **argv);
int verb_plot(int argc, char **argv);
int verb_check(int argc, char **argv);
int verb_replay(int argc, char **argv);
int verb_merge(int argc, char **argv);
int verb_tune(int argc, char **argv);
int verb_new_solver(int argc, char **argv);
int verb_report(int argc, char **argv);

#endif
