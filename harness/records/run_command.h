/* The command that repeats a run, as text for a shell. */
#ifndef HULLBENCH_RUN_COMMAND_H
#define HULLBENCH_RUN_COMMAND_H

#include <stdio.h>

#include "harness/run/run_info.h"

/* Prints a space, then `before` and `word` as one word of the shell: in single quotes unless all characters are
 * harmless. Lines after the first are indented, so that the text stays inside a block of code. */
void shell_word_print(FILE *stream, const char *before, const char *word);

/* Prints the options that give a run the restrictions, shard and plugins of its run.json. */
void run_command_print_options(FILE *stream, const struct run_info *info);

#endif
