/*
 * What the verbs share: the command line, messages, the environment, run folders, and the end of long work after a
 * signal. A verb has a table of options, from which the help is built, and its work. Rows for options that several
 * verbs share are defined here.
 */
#ifndef HULLBENCH_CLI_H
#define HULLBENCH_CLI_H

#include "harness/records/run_folder.h"
#include "harness/support/file.h"
#include "harness/run/run.h"

/* ---- the command line ---- */

/* The parsed values: the first member of every verb's arguments. */
struct cli_arguments {
    struct pool *pool; /* released when the verb ends */
    struct run_options run;
    const char *const *words; /* operands: run folders, or the object of the verb; they outlive the verb */
    size_t n_words;
    struct LIST_OF(struct cli_output *) outputs; /* those of the options, in their order; a verb may add others */
    const char *format, *label_column, *header; /* of a user's file; NULL: not given */
    int dry_run, quick, quiet, no_render, probabilities;
    int keeps_nothing; /* an interrupted command leaves nothing to resume */
};

/* The values of an option that may be repeated; and those of a list such as 1-10,20, ascending. */
struct cli_list LIST_OF(const char *);
struct cli_numbers LIST_OF(size_t);

/*
 * The type of the member:
 *
 *     CLI_TEXT     const char *, one of `allowed` if that is set; without `argument` an int that is set to 1
 *     CLI_NUMBER   const char *, the text of a number
 *     CLI_CHOICE   int: which of `allowed`, from 1; 0: not given
 *     CLI_COUNT    size_t from `low` to `high`
 *     CLI_REAL     double from `low` to `high`
 *     CLI_LIST     struct cli_list: one element each time
 *     CLI_NAMES    const char *: all times, separated by commas
 *     CLI_PAIRS    cJSON *: NAME=VALUE, each time a member of the object, which exists; with `allowed`, its value
 *     CLI_OBJECT   cJSON *: TYPE[,NAME=VALUE...], an object with the member "type"; NULL: not given
 *     CLI_NUMBERS  struct cli_numbers: whole numbers from 1 to `high`
 *     CLI_SHARD    struct run_options: K/N sets its `shard` and `shards`
 *     CLI_OUTPUT   struct cli_output: its path
 *     CLI_PLUGIN   loads a plugin at once, so that later options know its solvers
 *     CLI_HELP     prints the help and ends the program
 */
enum cli_kind {
    CLI_TEXT, CLI_NUMBER, CLI_CHOICE, CLI_COUNT, CLI_REAL, CLI_LIST, CLI_NAMES, CLI_PAIRS, CLI_OBJECT, CLI_NUMBERS,
    CLI_SHARD, CLI_OUTPUT, CLI_PLUGIN, CLI_HELP
};

/* A row without name and letter is the heading of the options that follow in the help. */
struct cli_option {
    const char *name;     /* --NAME; NULL: only a letter */
    int letter;           /* 0: none */
    const char *argument; /* its name in the help; NULL: the option is a flag */
    const char *help;     /* NULL: hidden in the help */
    size_t member;        /* the offset in the arguments */
    enum cli_kind kind;
    double low, high;
    const char *allowed; /* such as "libsvm, csv"; "": nothing */
    const char *instead; /* the reason why other texts are refused; NULL: the message lists those allowed */
};
#define CLI_NO_LIMIT 1e300 /* as `high` of CLI_REAL */

struct cli_verb {
    const char *name, *title;         /* for the list of verbs */
    const char *usage, *doc;          /* lines: one for each form; the texts before and after the options */
    const struct cli_option *options; /* terminated by a row of zeros */
    int plugins;                      /* nonzero: accepts --plugin */
    int of_folders; /* nonzero: the operands are run folders; the outputs are opened before the work */
    size_t min_words, max_words; /* max 0: no limit */
    const char *words;    /* the expected operands, for errors */
    size_t size;          /* of the arguments */
    const void *defaults; /* the initial arguments; NULL: zeros */
    void (*check)(void *arguments); /* called after parsing; may be NULL */
    int (*work)(void *arguments);   /* returns the exit status; after an error it ends the program */
};

/* Parses the arguments of a verb into `arguments`, which begin with a struct cli_arguments that has its pool. Options
 * may be shortened and may follow operands; a text is given once. Ends the program with status 2 if they are invalid,
 * and after --help. argv[0] is "hullbench VERB". */
void cli_parse(const struct cli_verb *verb, int argc, char **argv, void *arguments);
/* Parses the command line, does the work, commits the outputs, prints what run folders lack. Returns the status. */
int cli_run(const struct cli_verb *verb, int argc, char **argv);

/* Prints "hullbench VERB: MESSAGE", one line, on standard error and ends the program with status 2. Only for the verb
 * whose arguments are or have been parsed. */
_Noreturn void cli_refuse_text(const char *message);
#define cli_refuse(...) cli_refuse_text(message_text(__VA_ARGS__))

/* Parses an integer from low to high; refuses any other text. */
size_t cli_count(const char *option, const char *text, double low, double high);

/* The ends of rows: where the value goes, a member of the macro ARGUMENTS (a type), and its type. */
#define AT(at) .member = offsetof(ARGUMENTS, at)
#define COUNT_AT(at, least, most) AT(at), .kind = CLI_COUNT, .low = least, .high = most
#define REAL_AT(at, least, most) AT(at), .kind = CLI_REAL, .low = least, .high = most
#define LIST_AT(at) AT(at), .kind = CLI_LIST
#define NAMES_AT(at) AT(at), .kind = CLI_NAMES
#define PAIRS_AT(at) AT(at), .kind = CLI_PAIRS
#define TEXT_OF(at, names) AT(at), .allowed = names
#define NUMBER_AT(at) AT(at), .kind = CLI_NUMBER
#define CHOICE_AT(at, names) AT(at), .kind = CLI_CHOICE, .allowed = names
#define OUTPUT_AT(at) AT(at), .kind = CLI_OUTPUT
#define COMMON_AT(at) .member = offsetof(struct cli_arguments, at)

/* The options of a run of all jobs, whose splits are checked. */
#define RUN_OPTIONS_OF_ALL {.shard = 1, .shards = 1, .check_splits = 1}

/* Rows for options that several verbs share. */
#define OPTION_OUT(argument, help) {"out", 'o', argument, help, COMMON_AT(run.out)}
#define OPTION_OUT_FILE(output, help) {"out", 'o', "FILE", help, OUTPUT_AT(output)}
#define OPTION_QUIET(help) {"quiet", 'q', NULL, help, COMMON_AT(quiet)}
#define OPTION_DRY_RUN(help) {"dry-run", 0, NULL, help, COMMON_AT(dry_run)}
#define OPTION_FORCE(help) {"force", 0, NULL, help, COMMON_AT(run.force)}
#define OPTION_NO_RENDER(letter, help) {"no-render", letter, NULL, help, COMMON_AT(no_render)}
#define OPTION_JOBS                                                                        \
    {"jobs", 'j', "N", "Number of threads, 1 to 4096 (default: one for each processor)", \
     COMMON_AT(run.threads), .kind = CLI_COUNT, .low = 1, .high = 4096}
#define OPTION_SOLVERS {"solvers", 0, "A,B", "Only these solvers of the configuration", COMMON_AT(run.solvers)}
#define OPTION_DATASETS \
    {"datasets", 0, "X,Y", "Only these data sets of the configuration", COMMON_AT(run.datasets)}
#define OPTION_SPLITS {"splits", 0, "LIST", "Only these splits, such as 1-10 or 1,3,5", COMMON_AT(run.splits)}
#define OPTION_REPEATS                                                                       \
    {"repeats", 0, "N", "Time N runs of each job (default: \"repeats\" of the configuration)", \
     COMMON_AT(run.repeats), .kind = CLI_COUNT, .low = 1, .high = MAX_REPEATS}
/* The option of svm-train and svm-predict. */
#define OPTION_PROBABILITIES                                                                                    \
    {NULL, 'b', "0|1", .kind = CLI_CHOICE, COMMON_AT(probabilities), .allowed = "0",                             \
     .instead = "hullbench does not estimate probabilities; use svm-train and svm-predict of LIBSVM"}
#define OPTION_FORMAT(help) {"format", 0, "FORMAT", help, COMMON_AT(format), .allowed = "libsvm, csv"}
#define OPTION_LABEL_COLUMN                                                                                     \
    {"label-column", 0, "NAME", "CSV: column of the labels, by name or by number from 1 (default: the last)", \
     COMMON_AT(label_column)}
#define OPTION_HEADER                                                                                                \
    {"header", 0, "yes|no|auto", "CSV: whether the first line has the names of the columns (default: auto, a guess " \
     "that is noted)", COMMON_AT(header), .allowed = "yes, no, auto"}

/* A check: requires --out, except with --dry-run. */
void cli_check_out(void *arguments);

/* ---- the verbs ---- */

extern const struct cli_verb verb_atlas, verb_bundle, verb_check, verb_compare, verb_conform, verb_export, verb_judge,
    verb_list, verb_merge, verb_new_solver, verb_plot, verb_predict, verb_replay, verb_report, verb_run, verb_solve,
    verb_tables, verb_trend, verb_tune, verb_verify;
/* The work of `hullbench run`, for verbs that continue with its folder: begins interruptible work and runs the
 * configuration. Prints which data are missing and, unless `quiet`, a summary. Returns the exit status. */
int run_configuration(struct cli_arguments *arguments);

/* Flushes standard output. Returns the status, or EXIT_SYSTEM if some of the output could not be written. */
int cli_flushed(int status);

/* ---- messages ---- */

/* Prints a text as visible_text shows it: nothing invisible reaches a terminal or ends the line. Strings of JSON files
 * and words of the command line have no control character; text of any other origin must be printed by this. */
void cli_print_text(FILE *stream, const char *text);
/* Prints "NAME: MESSAGE" on standard error, by cli_print_text, or "NAME: LINE" for each line. */
void cli_print_error(const char *name, const char *message);
void cli_print_lines(const char *name, const struct string_list *lines);
/* The same with a note as the message; CLI_NOTE is its name. */
#define CLI_NOTE "hullbench: note"
#define cli_note(...) cli_print_error(CLI_NOTE, message_text(__VA_ARGS__))
/* ---- the environment ---- */

/* datasets/cache next to the program's own files; NULL if there is none. */
char *cli_cache(struct pool *pool);

/* The loops for $HULLBENCH_LANES ("generic", "avx2", "avx512"), or the widest if it is not set. Refuses a name that is
 * unknown or that this processor lacks, and a $HULLBENCH_STORAGE that is neither "dense" nor "compressed". */
const struct simd *cli_simd(void);

/* $HULLBENCH_DATA. Prints each of its folders that does not exist on standard error. */
const char *cli_search_path(struct pool *pool);

/* ---- data and run folders ---- */

/* Prints on standard error which files of known data sets (or NULL) have another SHA-256 than in the manifest, once. */
void cli_print_altered(struct dataset *const *datasets, size_t count);
/* Prints the official splits that have the rows of an earlier one, each on a line after `before`. */
void cli_print_repeated(const struct dataset *dataset, const char *before);
/* Prints on standard error what the run lacks, by cli_print_gaps, and what to do. */
void cli_print_missing(const struct run *run);
/* Prints on standard error which files of the run's data are altered and, unless `quiet`, notes on the data sets and
 * what is missing. With `quiet` the verb prints what is missing after success, because the results look complete. */
void cli_print_data(const struct run *run, int quiet);
/* Prints lines of conditions.h if a set is missing. Generated sets alone are usual; records and tables name them. */
void cli_print_gaps(const struct string_list *lines);
/* Prints on standard error which run folders are incomplete, and what they lack according to their run.json. */
void cli_print_partial(const char *const *folders, size_t count);

/* The run folders that the operands name, with their configurations; a missing one is wrong usage. */
struct run_folders *cli_read_folders(const struct cli_arguments *arguments);

/* ---- long work ---- */

/* What draws the line of progress on standard error, which is up to date while the work does not report; and the same
 * for files that take more than two seconds to read. NULL if that is not a terminal, or if `quiet`. */
progress_report *progress_watch(int quiet);
const struct input_watch *reading_watch(int quiet);

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

/* Refuses an output, or standard output in any case, that would overwrite the input. A folder includes its result
 * files: config.json, records.jsonl and others, and the traces; "-" is standard input, NULL nothing. */
void cli_check_input(const struct cli_arguments *arguments, const char *option, const char *path);
/* Opens the outputs that have a path, in order, unless two are the same file. From here on, if one is a FIFO or device,
 * a closed pipe is a write error and does not end the program. If the file system has only temporary files with names,
 * a signal that ends the program removes them first. They are committed after the work, unless an error ends it. */
void cli_outputs_open(struct cli_arguments *arguments);
/* Puts the open outputs in place. */
void cli_outputs_commit(struct cli_arguments *arguments);

/* The stream for the verb's report: standard error if one of the outputs is standard output. */
FILE *cli_report_stream(const struct cli_arguments *arguments);

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
