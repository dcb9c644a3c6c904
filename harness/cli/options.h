/*
 * The command line of a verb: a table of options, from which the help is built, and operands. Rows for options that
 * several verbs share are defined here.
 */
#ifndef HULLBENCH_OPTIONS_H
#define HULLBENCH_OPTIONS_H

#include <stddef.h>

#include "harness/run/run.h"

struct parse_state; /* of harness/support/platform.h; for cli_refuse */

/* The parsed values: the first member of every verb's arguments. */
struct cli_arguments {
    struct run_options run;
    const char *const *words; /* operands: run folders, or the object of the verb; they outlive the verb */
    size_t n_words;
    const char *format, *label_column, *header; /* of a user's file; NULL: not given */
    int dry_run, quiet, no_render;
    int keeps_nothing; /* an interrupted command leaves nothing to resume */
};

/* A row without name and letter is the heading of the options that follow in the help. */
struct cli_option {
    const char *name;     /* --NAME; NULL: only a letter */
    int letter;           /* 0: none */
    const char *argument; /* its name in the help; NULL: the option is a flag */
    const char *help;     /* NULL: hidden in the help */
    int group;
    size_t member; /* of the arguments: a const char *, or for a flag an int that is set to 1 */
    void (*take)(void *arguments, char *text, struct parse_state *state); /* if not NULL, handles the option instead */
};

struct cli_verb {
    const char *usage, *doc;
    const struct cli_option *options; /* terminated by a row of zeros; NULL: none */
    int plugins;                      /* nonzero: accepts --plugin */
    size_t min_words, max_words;
    const char *words;                                      /* the expected operands, for errors */
    void (*check)(void *arguments, struct parse_state *state); /* called after parsing; may be NULL */
};

/* Parses the arguments of a verb into `arguments`, which begin with a struct cli_arguments. Ends the program with
 * status 2 if they are invalid, with 4 if the system fails. */
void cli_parse(const struct cli_verb *verb, int argc, char **argv, void *arguments);

/* Prints "hullbench VERB: MESSAGE", one line, on standard error and ends the program with status 2. */
_Noreturn void cli_refuse(const struct parse_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Parses an integer from 1 to max; 0 for any other text. */
size_t cli_number(const char *text, size_t max);

/* Rows for options that several verbs share. */
#define OPTION_MEMBER(member) offsetof(struct cli_arguments, member), NULL
#define OPTION_OUT(argument, help) {"out", 'o', argument, help, 0, OPTION_MEMBER(run.out)}
#define OPTION_QUIET(help) {"quiet", 'q', NULL, help, 0, OPTION_MEMBER(quiet)}
#define OPTION_DRY_RUN(help) {"dry-run", 0, NULL, help, 0, OPTION_MEMBER(dry_run)}
#define OPTION_FORCE(group, help) {"force", 0, NULL, help, group, OPTION_MEMBER(run.force)}
#define OPTION_NO_RENDER(letter, help) {"no-render", letter, NULL, help, 0, OPTION_MEMBER(no_render)}
#define OPTION_JOBS(group)                                                                                     \
    {"jobs", 'j', "N", "Number of threads, 1 to 4096 (default: one for each processor)", group, 0, cli_take_jobs}
#define OPTION_SOLVERS {"solvers", 0, "A,B", "Only these solvers of the configuration", 0, OPTION_MEMBER(run.solvers)}
#define OPTION_DATASETS(group) \
    {"datasets", 0, "X,Y", "Only these data sets of the configuration", group, OPTION_MEMBER(run.datasets)}
#define OPTION_SPLITS(group) \
    {"splits", 0, "LIST", "Only these splits, such as 1-10 or 1,3,5", group, OPTION_MEMBER(run.splits)}
#define OPTION_REPEATS(group)                                                                                    \
    {"repeats", 0, "N", "Time N runs of each job (default: \"repeats\" of the configuration)", group, 0,       \
     cli_take_repeats}
/* The option of svm-train and svm-predict; accepts only 0. */
#define OPTION_PROBABILITIES(group) {NULL, 'b', "0|1", NULL, group, 0, cli_take_probabilities}
#define OPTION_FORMAT(help) {"format", 0, "FORMAT", help, 0, OPTION_MEMBER(format)}
#define OPTION_LABEL_COLUMN                                                                                    \
    {"label-column", 0, "NAME", "CSV: column of the labels, by name or by number from 1 (default: the last)", 0, \
     OPTION_MEMBER(label_column)}
#define OPTION_HEADER                                                                                          \
    {"header", 0, "yes|no|auto", "CSV: whether the first line has the names of the columns (default: auto, a guess " \
     "that is noted)", 0, OPTION_MEMBER(header)}

/* A check: requires --out, except with --dry-run. */
void cli_check_out(void *arguments, struct parse_state *state);

void cli_take_jobs(void *arguments, char *text, struct parse_state *state);
void cli_take_repeats(void *arguments, char *text, struct parse_state *state);
void cli_take_probabilities(void *arguments, char *text, struct parse_state *state);

#endif
