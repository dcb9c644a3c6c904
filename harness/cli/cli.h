/* The verbs of the program, one file each (options.h), and what they print. */
#ifndef HULLBENCH_CLI_H
#define HULLBENCH_CLI_H

#include <stdio.h>

#include "harness/base/die.h"

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

struct cli_verb;
extern const struct cli_verb verb_atlas, verb_bundle, verb_check, verb_compare, verb_conform, verb_export, verb_list,
    verb_merge, verb_new_solver, verb_plot, verb_predict, verb_replay, verb_report, verb_run, verb_solve, verb_tables,
    verb_tune, verb_verify;

struct cJSON;
/* Prints a line for each data set of the manifest: its shape and splits as found along search_path (colon-separated
 * folders, may be NULL) and cache (may be NULL), and its file. A missing set is listed with the manifest's shape and
 * how to get it. An unusable file is named in its set's line; *first is the first such error, or has STATUS_OK. With
 * `list`, adds an object for each data set to that array instead. */
void list_datasets(const char *search_path, const char *cache, struct cJSON *list, struct error *first);

#endif
