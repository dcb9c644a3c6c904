/* What the verbs share: messages, the environment, run folders, and the end of long work after a signal. */
#ifndef HULLBENCH_CLI_H
#define HULLBENCH_CLI_H

#include <stdio.h>

#include "harness/cli/options.h"
#include "harness/records/run_folder.h"
#include "harness/support/file.h"
#include "harness/support/input_stream.h"
#include "harness/support/string_list.h"

extern const struct cli_verb verb_atlas, verb_bundle, verb_check, verb_compare, verb_conform, verb_export, verb_judge,
    verb_list, verb_merge, verb_new_solver, verb_plot, verb_predict, verb_replay, verb_report, verb_run, verb_solve,
    verb_tables, verb_tune, verb_verify;
/* The work of `hullbench run`, for verbs that continue with its folder: begins interruptible work and runs the
 * configuration. Prints which data are missing and, unless `quiet`, a summary. Returns the exit status. */
int run_configuration(struct cli_arguments *arguments);

/* Flushes standard output. Returns the status, or EXIT_SYSTEM if some of the output could not be written. */
int cli_flushed(int status);

/* ---- messages ---- */

/* Prints a text as visible_text shows it: nothing invisible reaches a terminal or ends the line. Strings of JSON files
 * and words of the command line have no control character; text of any other origin must be printed by this. */
void cli_print_text(FILE *stream, const char *text);
/* Prints "NAME: LINE" for each line, by cli_print_text. */
void cli_print_lines(FILE *stream, const char *name, const struct string_list *lines);
/* Prints "NAME: MESSAGE" on standard error. */
void cli_print_error(const char *name, const char *message);
/* The same with "hullbench: note: " before the message. */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints notes on data sets, as cli_note does. */
void cli_print_notes(const struct string_list *notes);
/* Prints minutes and seconds, such as 3:07. */
void cli_print_time(FILE *stream, double seconds);

/* ---- the environment ---- */

/* datasets/cache next to the program's own files; NULL if there is none. */
char *cli_cache(struct pool *pool);

/* The loops for $HULLBENCH_LANES ("generic", "avx2", "avx512"), or the widest if it is not set. Refuses a name that is
 * unknown or that this processor lacks, and a $HULLBENCH_STORAGE that is neither "dense" nor "compressed". */
const struct simd *cli_simd(void);

/* $HULLBENCH_DATA. Prints each of its folders that does not exist on standard error. */
const char *cli_search_path(void);

/* ---- data and run folders ---- */

/* Prints on standard error which files of known data sets have another SHA-256 than in the manifest, each file once.
 * Data sets may be NULL. */
void cli_print_altered(struct dataset *const *datasets, size_t count);
/* Prints on standard error what the run lacks, by cli_print_gaps, and what to do. */
void cli_print_missing(const struct run *run);
/* Prints on standard error which files of the run's data are altered and, unless `quiet`, notes on the data sets and
 * what is missing. With `quiet` the verb prints what is missing after success, because the results look complete. */
void cli_print_data(const struct run *run, int quiet);
/* Prints lines of run_gaps.h if a set is missing. Generated sets alone are usual; records and tables name them. */
void cli_print_gaps(const struct string_list *lines);
/* Prints on standard error which run folders are incomplete, and what they lack according to their run.json. */
void cli_print_partial(const char *const *folders, size_t count);

/* The run folders that the operands name, with their configurations; a missing one is wrong usage. */
struct run_folders *cli_read_folders(const struct cli_arguments *arguments);
/* Whether the path is a folder. */
int cli_is_folder(const char *path);

/* ---- long work ---- */

/* The progress line of files that take more than two seconds to read. */
struct reading_line {
    struct input_watch watch;
    double shown; /* seconds when it was last drawn; 0: not drawn */
};
/* The watch that draws the line on standard error; NULL if that is not a terminal, or if `quiet`. */
const struct input_watch *reading_line_begin(struct reading_line *line, int quiet);

/* Completes the run's options from the environment and, unless --quiet is given, has progress shown on a terminal. From
 * here on SIGINT and SIGTERM set run.interrupted. Once the verb has ended after one, or half a second later at the
 * latest, the signal ends the process. The last line says whether the same command resumes the work
 * (arguments->keeps_nothing). Once a verb. */
void interruptible_begin(struct cli_arguments *arguments);

/* ---- output files ----
 * They are opened before the work begins, so that an unwritable path is reported at once, and rejected if writing them
 * would destroy the verb's input, or each other. */

/* A file as named in errors, such as "--trace t.tsv". path NULL: not given. */
struct cli_file {
    const char *option, *path;
};

struct cli_output {
    struct cli_file name;
    struct outfile file; /* stream NULL if no path is given */
};

/*
 * Opens the outputs that have a path, in order. An input that is a folder includes its result files: config.json,
 * records.jsonl and others, and the traces; "-" is standard input. If a FIFO has no reader yet, prints a message on
 * standard error and waits for one. Refuses, before anything is opened: an output, or standard output in any case, that
 * is also an input; or two outputs that are the same file. From here on, if an output is a FIFO or device,
 * a closed pipe is a write error and does not end the program. If the file system only supports temporary files with
 * names, a signal that ends the program removes them first.
 *
 * The outputs, which live as long as the pool, are committed one by one; the pool abandons the others.
 */
void cli_outputs_open(struct pool *pool, struct cli_output *outputs, size_t count, const struct cli_file *inputs,
                      size_t n_inputs);
/* The same for a verb whose operands are run folders: these are the inputs. */
void cli_outputs_open_of_runs(struct cli_output *outputs, size_t count, const struct cli_arguments *arguments);
/* Puts the output in place, if it has a path. */
void cli_output_commit(struct cli_output *output);

/* The stream for the verb's report: standard error if one of the outputs is standard output. */
FILE *cli_report_stream(const struct cli_output *outputs, size_t count);

/* Refuses, naming both, an output that would overwrite the input. */
void cli_check_output(const struct cli_file *output, const struct cli_file *input);
/* The same for standard output, to which the report goes. */
void cli_check_report(const struct cli_file *input);

/* Removes temporary files that have names; a signal handler may call it. */
void cli_outputs_unlink(void);

/* ---- plugins ---- */

/* Loads the shared object (solvers/plugin.h) and permanently registers its solvers, kernels and stopping rules; call it
 * before threads start. A name without a slash is a file in the current folder. Dies, naming the file, if it does
 * not exist, cannot be loaded, is not a plugin, was compiled for another ABI, or if one of its solvers, kernels or
 * stopping rules is rejected.
 *
 * From here on, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT on a thread that loads a plugin or runs a part of one
 * (harness/evaluate/running.h) write one line about it to standard error before they end the program. */
void load_plugin(const char *file);

/* Adds to the line that the same command resumes the run. */
void plugin_crash_may_resume(void);

/* For a handler of exit: writes the same line, about a call of exit. Returns nonzero if the thread that called exit was
 * loading a plugin or running a part of one. */
int plugin_called_exit(void);

#endif
