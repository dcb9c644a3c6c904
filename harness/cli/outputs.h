/*
 * The files that a verb writes. They are opened before its work begins, so that an unwritable path is reported at once,
 * and rejected if writing them would destroy the verb's input, or each other.
 */
#ifndef HULLBENCH_OUTPUTS_H
#define HULLBENCH_OUTPUTS_H

#include "harness/cli/options.h"
#include "harness/support/file.h"

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

#endif
