/*
 * The files that a verb writes. They are opened before its work begins, so that a path which cannot be
 * written is known at once, and refused where writing them would destroy what the verb reads, or each other.
 */
#ifndef HULLBENCH_OUTPUTS_H
#define HULLBENCH_OUTPUTS_H

#include "harness/cli/options.h"
#include "harness/support/file.h"

/* What an error names: as in "--trace t.tsv". path NULL: not given. */
struct cli_file {
    const char *option, *path;
};

/* The words of a command line, run folders or files, as inputs; malloc'ed. */
struct cli_file *cli_named_words(const struct cli_arguments *arguments, const char *option);

struct cli_output {
    struct cli_file name;
    struct outfile file; /* stream NULL where no path is given */
};

/*
 * Opens the outputs that have a path, in their order. An input that is a folder stands for the files in it that make
 * the results: config.json, records.jsonl and others, and the traces; "-" is standard input. Where a FIFO has no reader
 * yet, says so on standard error and waits for one. STATUS_BAD_INPUT, before anything is opened: an output, or standard
 * output whether or not it is among them, is an input; or two outputs are one. From here on a closed pipe is an error
 * of writing, and does not end the program. Where the file system has only temporary files with names, a signal that
 * ends the program removes them first.
 *
 * The outputs are committed one by one (outfile_commit), and given up together.
 */
enum status cli_outputs_open(struct cli_output *outputs, size_t count, const struct cli_file *inputs, size_t n_inputs,
                             struct error *error);
/* Gives up those that are not committed; accepts zeroed ones. */
void cli_outputs_abandon(struct cli_output *outputs, size_t count);

/* Where the verb's report goes: to standard error if one of the outputs goes to standard output. */
FILE *cli_report_stream(const struct cli_output *outputs, size_t count);

/* STATUS_BAD_INPUT, naming both, where writing the output would overwrite the input. */
enum status cli_check_output(const struct cli_file *output, const struct cli_file *input, struct error *error);
/* STATUS_BAD_INPUT where standard output is the input: the report would overwrite it. */
enum status cli_check_report(const struct cli_file *input, struct error *error);

/* Removes the temporary files that have names; a signal handler may call it. */
void cli_outputs_unlink(void);

#endif
