/*
 * A verb: its command line, a table of options from which the help is built, and its work. Rows for options that
 * several verbs share are defined here.
 */
#ifndef HULLBENCH_OPTIONS_H
#define HULLBENCH_OPTIONS_H

#include <stddef.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/run/run.h"

/* The parsed values: the first member of every verb's arguments. */
struct cli_arguments {
    struct pool *pool; /* released when the verb ends */
    struct run_options run;
    const char *const *words; /* operands: run folders, or the object of the verb; they outlive the verb */
    size_t n_words;
    const char *format, *label_column, *header; /* of a user's file; NULL: not given */
    int dry_run, quick, quiet, no_render, probabilities;
    int keeps_nothing; /* an interrupted command leaves nothing to resume */
};

/* The values of an option that may be repeated. */
struct cli_list {
    const char **item;
    size_t count, capacity;
};

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
 *     CLI_NUMBERS  unsigned char *: high + 1 flags of the whole numbers from 1 that the list, such as 1-10,20, names
 *     CLI_SHARD    struct run_options: K/N sets its `shard` and `shards`
 *     CLI_OUTPUT   struct cli_output (cli.h): its path
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
    const char *usage, *doc;          /* a line for each form; \v between the texts before and after the options */
    const struct cli_option *options; /* terminated by a row of zeros */
    int plugins;                      /* nonzero: accepts --plugin */
    int of_folders; /* nonzero: the operands are run folders; after the work, what they lack is printed */
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
/* Parses the command line and does the work. Returns the exit status. */
int cli_run(const struct cli_verb *verb, int argc, char **argv);

/* Prints "hullbench VERB: MESSAGE", one line, on standard error and ends the program with status 2. Only for the verb
 * whose arguments are or have been parsed. */
_Noreturn void cli_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

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

#endif
