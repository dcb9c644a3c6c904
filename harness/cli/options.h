/*
 * What a verb takes from the command line: a table of options, from which argp makes the help, and the words beside
 * them. Options that several verbs have stand here, as rows of such a table.
 */
#ifndef HULLBENCH_OPTIONS_H
#define HULLBENCH_OPTIONS_H

#include <argp.h>
#include <stddef.h>

#include "harness/run/run.h"

/* What was given: the first member of every verb's own arguments. */
struct cli_arguments {
    struct run_options run;
    const char *const *words; /* beside the options: run folders, or what the verb is about; they outlive the verb */
    size_t n_words;
    const char *format, *label_column; /* of a file of the user's; NULL: not given */
    int dry_run, quiet, no_render;
};

/* A row without name and letter heads the group of options that follows in the help. */
struct cli_option {
    const char *name;     /* --NAME; NULL: only a letter */
    int letter;           /* 0: none */
    const char *argument; /* as the help names it; NULL: the option is a flag */
    const char *help;     /* NULL: the help does not show it */
    int group;
    size_t member; /* of the arguments: a const char *, or for a flag an int that becomes 1 */
    void (*take)(void *arguments, char *text, struct argp_state *state); /* where not NULL, does it instead */
};

struct cli_verb {
    const char *usage, *doc;
    const struct cli_option *options; /* ended by a row of zeros; NULL: none */
    int plugins;                      /* whether --plugin is an option */
    size_t min_words, max_words;
    const char *words;                                      /* what is expected of them, for errors */
    void (*check)(void *arguments, struct argp_state *state); /* once all is read; may be NULL */
};

/* Parses the arguments of a verb into `arguments`, which begin with a struct cli_arguments. Ends the program with
 * status 2 where they are wrong, with 4 where the machine fails. */
void cli_parse(const struct cli_verb *verb, int argc, char **argv, void *arguments);

/* Prints "hullbench VERB: MESSAGE", one line, on standard error and ends the program with status 2. argp_error would
 * add two lines about --help. */
_Noreturn void cli_refuse(const struct argp_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A whole number from 1 to max; 0 when the text is something else. */
size_t cli_number(const char *text, size_t max);

/* The rows of options that several verbs have. */
#define OPTION_MEMBER(member) offsetof(struct cli_arguments, member), NULL
#define OPTION_OUT(argument, help) {"out", 'o', argument, help, 0, OPTION_MEMBER(run.out)}
#define OPTION_QUIET(help) {"quiet", 'q', NULL, help, 0, OPTION_MEMBER(quiet)}
#define OPTION_DRY_RUN(help) {"dry-run", 0, NULL, help, 0, OPTION_MEMBER(dry_run)}
#define OPTION_FORCE(group, help) {"force", 0, NULL, help, group, OPTION_MEMBER(run.force)}
#define OPTION_NO_RENDER(letter, help) {"no-render", letter, NULL, help, 0, OPTION_MEMBER(no_render)}
#define OPTION_JOBS(group) {"jobs", 'j', "N", "Number of threads (default: one a processor)", group, 0, cli_take_jobs}
#define OPTION_SOLVERS {"solvers", 0, "A,B", "Only these solvers of the configuration", 0, OPTION_MEMBER(run.solvers)}
#define OPTION_DATASETS(group) \
    {"datasets", 0, "X,Y", "Only these data sets of the configuration", group, OPTION_MEMBER(run.datasets)}
#define OPTION_SPLITS(group) \
    {"splits", 0, "LIST", "Only these splits, such as 1-10 or 1,3,5", group, OPTION_MEMBER(run.splits)}
#define OPTION_REPEATS(group)                                                                                    \
    {"repeats", 0, "N", "Time N runs of each job; in place of the configuration's \"repeats\"", group, 0,       \
     cli_take_repeats}
/* svm-train's and svm-predict's; only 0 is accepted. */
#define OPTION_PROBABILITIES(group) {NULL, 'b', "0|1", NULL, group, 0, cli_take_probabilities}
#define OPTION_FORMAT(help) {"format", 0, "FORMAT", help, 0, OPTION_MEMBER(format)}
#define OPTION_LABEL_COLUMN                                                                                    \
    {"label-column", 0, "NAME", "CSV: the labels' column, by name or number (default: the last)", 0,           \
     OPTION_MEMBER(label_column)}

/* A check: that --out is given, unless with --dry-run. */
void cli_check_out(void *arguments, struct argp_state *state);

void cli_take_jobs(void *arguments, char *text, struct argp_state *state);
void cli_take_repeats(void *arguments, char *text, struct argp_state *state);
void cli_take_probabilities(void *arguments, char *text, struct argp_state *state);

#endif
