/*
 * The verbs of the program, one file each. A verb parses its own arguments (options.h), calls the library, prints, and
 * returns the exit status; argv[0] is "hullbench VERB".
 */
#ifndef HULLBENCH_CLI_H
#define HULLBENCH_CLI_H

#include <stdio.h>

#include "harness/base/die.h"

/* Prints "hullbench: MESSAGE" on standard error and returns the exit status for the error's status. What need not go
 * on after the message calls die_of instead (harness/base/die.h). */
int cli_fail(const struct error *error);

/* Flushes standard output. Returns the status, or EXIT_SYSTEM if some of the output could not be written. */
int cli_flushed(int status);

/* Prints a text as visible_text shows it: nothing invisible reaches a terminal or ends the line. Strings of JSON files
 * and words of the command line have no control character; text of any other origin must be printed by this. */
void cli_print_text(FILE *stream, const char *text);
/* Prints "NAME: MESSAGE" on standard error, the message by cli_print_text. */
void cli_print_error(const char *name, const char *message);
/* The same with "hullbench: note: " before the message. */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
struct string_list;
void cli_print_notes(const struct string_list *notes);

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
int verb_bundle(int argc, char **argv);
int verb_merge(int argc, char **argv);
int verb_tune(int argc, char **argv);
int verb_new_solver(int argc, char **argv);
int verb_report(int argc, char **argv);
int verb_export(int argc, char **argv);
int verb_verify(int argc, char **argv);
int verb_atlas(int argc, char **argv);

struct cJSON;
/* Prints a line for each data set of the manifest: its shape and splits as found along search_path (colon-separated
 * folders, may be NULL) and cache (may be NULL), and its file. A missing set is listed with the manifest's shape and
 * how to get it. An unusable file is named in its set's line; the first such error is returned after the table. With
 * `list`, adds an object for each data set to that array instead. */
enum status list_datasets(const char *search_path, const char *cache, struct cJSON *list, struct error *error);

#endif
