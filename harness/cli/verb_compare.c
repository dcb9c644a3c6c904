/* hullbench compare: a solver against a baseline, from a configuration that is run or from what was run. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/cli/interruptible.h"
#include "harness/compare/compare_config.h"
#include "harness/compare/compare_output.h"
#include "harness/program/memory.h"
#include "harness/run/run.h"

enum { KEY_BASELINE = COMMON_OPTIONS_END, KEY_SOLVER, KEY_SPLITS, KEY_SAME_ACCURACY, KEY_GAP_FACTOR, KEY_NO_RENDER };

static const struct argp_option options[] = {
    {"against", KEY_BASELINE, "NAME", 0, "The solver to compare with: the baseline", 0},
    {"baseline", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0}, /* names in version 0.2.0 */
    {"solver", KEY_SOLVER, "NAME", 0, "The solver that is compared", 0},
    {"exclude-marked", KEY_SAME_ACCURACY, NULL, 0, "Leave out pairs whose recomputed gaps differ too much", 0},
    {"same-accuracy", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
    {"gap-factor", KEY_GAP_FACTOR, "F", 0, "How many times the other's a gap may be (default: 3)", 0},
    {"out", COMMON_OUT, "DIR", 0, "Folder for the results; an unfinished run there is gone on with", 0},
    {"no-render", KEY_NO_RENDER, NULL, 0,
     "Write the numbers (.dat) and gnuplot program (.gp) of the figure, no pictures", 0},
    {"quiet", COMMON_QUIET, NULL, 0, "No progress and no tables, only the sentence", 0},
    {NULL, 0, NULL, 0, "With a configuration:", 1},
    {"jobs", COMMON_JOBS, "N", 0, "Number of threads (default: one a processor)", 1},
    {"datasets", COMMON_DATASETS, "X,Y", 0, "Only these data sets of the configuration", 1},
    {"splits", KEY_SPLITS, "LIST", 0, "Only these splits, such as 1-10 or 1,3,5", 1},
    {"force", COMMON_FORCE, NULL, 0, "Remove the records and traces another run left in DIR", 1},
    {0},
};

struct compare_arguments {
    struct common_arguments common;
    struct compare_options compare;
    const char *places[ARMS]; /* the configuration, or the folders */
    int n_places, of_folders, no_render, only_for_runs;
};

static int is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static error_t finish(struct compare_arguments *words, struct argp_state *state)
{
    words->of_folders = words->n_places > 0 && is_folder(words->places[0]);
    if (words->n_places == 0)
        argp_error(state, "a configuration, or one or two result folders are expected");
    else if (words->of_folders && words->n_places == 2 && !is_folder(words->places[1]))
        argp_error(state, "\"%s\" is a folder and \"%s\" is not", words->places[0], words->places[1]);
    else if (words->of_folders && words->only_for_runs)
        argp_error(state, "--jobs, --datasets, --splits and --force go with a configuration, not with folders");
    else if (!words->of_folders && words->n_places == 2)
        argp_error(state, "one configuration or two folders are expected; \"%s\" is no folder", words->places[0]);
    else if (!words->of_folders && (!words->compare.solvers[BASELINE] || !words->compare.solvers[CANDIDATE]))
        argp_error(state, "a configuration is run with --against NAME and --solver NAME");
    else if (!words->of_folders && !words->common.run.out)
        argp_error(state, "--out DIR is expected");
    return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct compare_arguments *words = state->input;
    char *end;
    words->only_for_runs |= key == COMMON_JOBS || key == COMMON_DATASETS || key == KEY_SPLITS || key == COMMON_FORCE;
    switch (key) {
    case KEY_BASELINE:
        words->compare.solvers[BASELINE] = text;
        return 0;
    case KEY_SOLVER:
        words->compare.solvers[CANDIDATE] = text;
        return 0;
    case KEY_SPLITS:
        words->common.run.splits = text;
        return 0;
    case KEY_SAME_ACCURACY:
        words->compare.same_accuracy = 1;
        return 0;
    case KEY_GAP_FACTOR:
        words->compare.gap_factor = strtod(text, &end);
        if (end == text || *end || !(words->compare.gap_factor >= 1 && words->compare.gap_factor <= 1e300))
            argp_error(state, "--gap-factor: \"%s\" is not a number from 1", text);
        return 0;
    case KEY_NO_RENDER:
        words->no_render = 1;
        return 0;
    case ARGP_KEY_ARG:
        if (words->n_places == ARMS)
            argp_error(state, "at most two folders are expected; \"%s\" is too many", text);
        else
            words->places[words->n_places++] = text;
        return 0;
    case ARGP_KEY_END:
        return finish(words, state);
    case ARGP_KEY_INIT:
        state->child_inputs[0] = NULL;
        return 0;
    default:
        return parse_common_option(&words->common, key, text, state);
    }
}

/* Runs both solvers into the folder; *note is malloc'ed. */
static enum status run_both(struct compare_arguments *words, char **note, struct error *error)
{
    struct run_options *options_of_run = &words->common.run;
    const char *const *solvers = words->compare.solvers;
    char *text = NULL, *both = xasprintf("%s,%s", solvers[BASELINE], solvers[CANDIDATE]);
    struct run run;
    options_of_run->solvers = both;
    enum status status = compare_config_read(options_of_run->config, solvers, &text, note, error);
    options_of_run->config_text = text;
    if (status == STATUS_OK)
        status = run_open(&run, options_of_run, error);
    if (status == STATUS_OK) {
        if (!words->common.quiet)
            cli_print_missing(&run);
        status = run_execute(&run, error);
        run_close(&run);
    }
    options_of_run->solvers = options_of_run->config_text = NULL;
    free(text);
    free(both);
    return status;
}

static enum status put_out(const struct compare_arguments *words, const struct compare_report *report,
                           struct error *error)
{
    enum status status = STATUS_OK;
    if (words->common.quiet)
        puts(report->sentence);
    else
        status = compare_print(report, stdout, error);
    fflush(stdout);
    if (status == STATUS_OK && words->common.run.out)
        status = compare_write(report, words->common.run.out, words->no_render, error);
    return status;
}

static int compare(const struct compare_arguments *words, const char *note)
{
    struct comparison comparison;
    struct error error = {0};
    char *sentence = NULL;
    enum status status = compare_folders(&words->compare, &comparison, &error);
    if (status == STATUS_OK) {
        int same = strcmp(words->compare.folders[BASELINE], words->compare.folders[CANDIDATE]) == 0;
        cli_print_partial(words->compare.folders, same ? 1 : ARMS);
        struct finding finding = finding_of(&comparison);
        sentence = finding_sentence(&comparison, &finding);
        if (!sentence)
            out_of_memory();
        const struct compare_report report = {&comparison, finding, sentence, note};
        status = put_out(words, &report, &error);
    }
    free(sentence);
    compare_free(&comparison);
    return status == STATUS_OK ? EXIT_OK : cli_fail(&error);
}

static int run_and_compare(void *context)
{
    struct compare_arguments *words = context;
    struct error error = {0};
    char *note = NULL;
    enum status status = run_both(words, &note, &error);
    int result = status == STATUS_OK ? compare(words, note) : cli_fail(&error);
    free(note);
    return result;
}

int verb_compare(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse_option,
        "CONFIG --against NAME --solver NAME --out DIR\nDIR [DIR] [--against NAME] [--solver NAME]",
        "Compares a solver with a baseline, pair by pair of data set and split (docs/comparing.md).\v"
        "With a configuration both are run into DIR first, as by `hullbench run`; one that is not in its list is "
        "given the "
        "settings of the other. With two folders the baseline is taken from the first and the solver from the second; "
        "both "
        "may have one name. Exit status: 0 compared, whatever came out, 2 bad use or input, 3 nothing to compare, 4 "
        "failure "
        "of the machine.",
        plugin_option,
        NULL,
        NULL};
    struct compare_arguments words = {.common.run = {.shard = 1, .shards = 1}, .compare.gap_factor = 3};
    struct progress_line line = {0};
    cli_parse(&argp, argc, argv, &words);
    const char *last = words.n_places == 2 ? words.places[1] : words.places[0];
    words.compare.folders[BASELINE] = words.of_folders ? words.places[0] : words.common.run.out;
    words.compare.folders[CANDIDATE] = words.of_folders ? last : words.common.run.out;
    words.common.run.config = words.places[0];
    if (words.of_folders)
        return compare(&words, "");
    return run_interruptible(&words.common.run, words.common.quiet ? NULL : &line, run_and_compare, &words);
}
