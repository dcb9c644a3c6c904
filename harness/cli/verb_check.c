/* hullbench check DIR --baseline FILE: did a count move? */
#include <argp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/regression/export.h"
#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/program/memory.h"

enum { KEY_UPDATE = 256, KEY_BY, KEY_SUBSET, KEY_ALL, KEY_BENCHER, KEY_GITHUB, KEY_JUNIT };

struct check_arguments {
    struct cli_folders folders;
    const char *baseline, *message, *by, *bencher, *github, *junit;
    const char **tolerances;
    size_t n_tolerances;
    int update, subset, all;
};

static const struct argp_option options[] = {
    {"baseline", 'b', "FILE", 0, "The counts that must not move", 0},
    {"tolerance", 't', "KEY=VALUE", 0,
     "Let a count move by VALUE, such as 5 or 2%; KEY: a count's name, kernel_operations or all; "
     "may be repeated",
     0},
    {"subset", KEY_SUBSET, NULL, 0, "Records of the baseline that the run lacks are not asked for", 0},
    {"all", KEY_ALL, NULL, 0, "Print every line of the table", 0},
    {"update", KEY_UPDATE, NULL, 0, "Write the run's counts into the baseline", 1},
    {"message", 'm', "TEXT", 0, "Why, for the history in the baseline; needed for --update", 1},
    {"author", KEY_BY, "NAME", 0, "Author of the update, for the history (default: $USER)", 1},
    {"by", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 1}, /* its name in version 0.2.0 */
    {"bencher", KEY_BENCHER, "FILE", 0, "Write sums in Bencher Metric Format", 2},
    {"github", KEY_GITHUB, "FILE", 0, "Write sums for github-action-benchmark (customSmallerIsBetter)", 2},
    {"junit", KEY_JUNIT, "FILE", 0, "Write the comparison as JUnit XML", 2},
    {0},
};

static error_t check_words(const struct check_arguments *words, struct argp_state *state)
{
    if (!words->baseline && (words->update || words->junit || !(words->bencher || words->github)))
        argp_error(state, "--baseline FILE is expected");
    if (words->update && !(words->message && *words->message))
        argp_error(state, "--update needs a --message that says why");
    if (!words->update && (words->message || words->by))
        argp_error(state, "--message and --author go with --update");
    if (words->update && words->n_tolerances)
        argp_error(state, "--update writes exact counts; tolerances are kept in the baseline by hand");
    return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct check_arguments *words = state->input;
    switch (key) {
    case 'b':
        words->baseline = text;
        return 0;
    case 't':
        words->tolerances = xreallocarray(words->tolerances, words->n_tolerances + 1, sizeof *words->tolerances);
        words->tolerances[words->n_tolerances++] = text;
        return 0;
    case 'm':
        words->message = text;
        return 0;
    case KEY_BY:
        words->by = text;
        return 0;
    case KEY_UPDATE:
        words->update = 1;
        return 0;
    case KEY_SUBSET:
        words->subset = 1;
        return 0;
    case KEY_ALL:
        words->all = 1;
        return 0;
    case KEY_BENCHER:
        words->bencher = text;
        return 0;
    case KEY_GITHUB:
        words->github = text;
        return 0;
    case KEY_JUNIT:
        words->junit = text;
        return 0;
    case ARGP_KEY_END:
        cli_take_folder(&words->folders, 1, key, text, state);
        return check_words(words, state);
    default:
        return cli_take_folder(&words->folders, 1, key, text, state);
    }
}

/* What a verdict rests on. */
struct checking {
    const struct check_arguments *words;
    struct run_counts measured;
    struct baseline baseline;
    int has_baseline;
    struct tolerance tolerances[COUNTS];
    struct regression gate;
};

static enum status read_both(struct checking *checking, struct error *error)
{
    const struct check_arguments *words = checking->words;
    const struct json_path place = {.file = "--tolerance"};
    enum status status = run_counts_read(words->folders.path[0], &checking->measured, error);
    if (status == STATUS_OK && words->baseline) {
        status = baseline_read(words->baseline, &checking->baseline, error);
        checking->has_baseline = status == STATUS_OK;
        if (status == STATUS_NOT_FOUND && words->update)
            status = STATUS_OK;
        else if (status == STATUS_NOT_FOUND)
            status = error->status = STATUS_BAD_INPUT;
    }
    memcpy(checking->tolerances, checking->baseline.tolerances, sizeof checking->tolerances);
    for (size_t i = 0; i < words->n_tolerances && status == STATUS_OK; i++)
        status = tolerance_parse(checking->tolerances, words->tolerances[i], &place, error);
    if (words->update) /* which writes exact counts */
        memset(checking->tolerances, 0, sizeof checking->tolerances);
    return status;
}

static enum status write_exports(const struct checking *checking, struct error *error)
{
    const struct check_arguments *words = checking->words;
    enum status status = STATUS_OK;
    if (words->bencher)
        status = export_bencher(words->bencher, &checking->measured, error);
    if (status == STATUS_OK && words->github)
        status = export_github(words->github, &checking->measured, error);
    if (status == STATUS_OK && words->junit)
        status = export_junit(words->junit, &checking->gate, &checking->measured, error);
    return status;
}

static int is_standard_output(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Where an export goes to standard output, the verdict does not. */
static void print_verdict(const struct checking *checking)
{
    const struct regression *gate = &checking->gate;
    const struct check_arguments *words = checking->words;
    int exports =
        is_standard_output(words->bencher) || is_standard_output(words->github) || is_standard_output(words->junit);
    FILE *stream = exports ? stderr : stdout;
    regression_print(gate, words->all ? SIZE_MAX : 50, stream);
    if (gate->n_changes && strcmp(checking->baseline.config_hash, checking->measured.config_hash) != 0)
        fputs("The configuration of the run is not the one the baseline was made of.\n", stream);
    fprintf(stream, "%s: %zu records compared: %zu the same, %zu moved, %zu missing, %zu new",
            checking->measured.config, gate->compared, gate->compared - gate->moved, gate->moved,
            gate->kinds[CHANGE_MISSING], gate->kinds[CHANGE_NEW]);
    if (gate->kinds[CHANGE_DATA])
        fprintf(stream, ", %zu data sets changed", gate->kinds[CHANGE_DATA]);
    if (gate->passed)
        fprintf(stream, "; %zu of the baseline not asked for", gate->passed);
    fputc('\n', stream);
}

static const char *author(const struct check_arguments *words)
{
    const char *by = words->by ? words->by : getenv("USER");
    return by ? by : "";
}

/* A run that is restricted would take the other records out of the baseline. */
static enum status check_update(const struct checking *checking, struct error *error)
{
    const struct run_info *run = &checking->measured.folder.run;
    if (!*author(checking->words))
        return error_set(error, STATUS_BAD_INPUT, "--update needs --author NAME because $USER is not set");
    if (checking->has_baseline && !checking->words->subset &&
        (run->solvers || run->datasets || run->splits || run->shards > 1))
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: is restricted to a part; --subset keeps the other records of the baseline",
                         checking->words->folders.path[0]);
    return STATUS_OK;
}

static enum status update(const struct checking *checking, struct error *error)
{
    const struct check_arguments *words = checking->words;
    const struct regression *gate = &checking->gate;
    size_t moved = checking->has_baseline ? gate->moved + gate->kinds[CHANGE_MISSING] + gate->kinds[CHANGE_NEW]
                                          : checking->measured.entries.count;
    struct baseline_change change = {.by = author(words), .message = words->message, .moved = moved};
    if (checking->has_baseline && gate->n_changes == 0) {
        printf("%s is as it should be\n", words->baseline);
        return STATUS_OK;
    }
    enum status status = check_update(checking, error);
    if (status == STATUS_OK)
        status = baseline_write(words->baseline, checking->has_baseline ? &checking->baseline : NULL,
                                &checking->measured, words->subset, &change, error);
    if (status == STATUS_OK)
        printf("%s written: %zu records new, gone or moved\n", words->baseline, moved);
    return status;
}

static int judge_run(struct checking *checking, struct error *error)
{
    const struct check_arguments *words = checking->words;
    const struct regression *gate = &checking->gate;
    if (read_both(checking, error) != STATUS_OK)
        return cli_fail(error);
    cli_print_partial(words->folders.path, 1);
    if (checking->measured.entries.count == 0) {
        error_set(error, STATUS_NOT_FOUND, "%s: holds no records", words->folders.path[0]);
        return cli_fail(error);
    }
    if (checking->has_baseline && regression_compare(&checking->baseline, &checking->measured, checking->tolerances,
                                               words->subset, &checking->gate, error) != STATUS_OK)
        return cli_fail(error);
    if (checking->has_baseline)
        print_verdict(checking);
    if (write_exports(checking, error) != STATUS_OK)
        return cli_fail(error);
    if (words->update)
        return update(checking, error) == STATUS_OK ? EXIT_OK : cli_fail(error);
    if (checking->has_baseline && gate->compared == 0) {
        error_set(error, STATUS_NOT_FOUND, "%s: has no record in common with %s", words->folders.path[0],
                  words->baseline);
        return cli_fail(error);
    }
    return gate->n_changes ? EXIT_DIFFERENT : EXIT_OK;
}

int verb_check(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse_option, "DIR --baseline FILE",
        "Compares iterations, kernel operations of each phase, kernel evaluations, support vectors and outcome of "
        "the run DIR with a baseline, record by record, and prints what moved, worst first.\v"
        "Nothing may move, unless a tolerance says so (docs/regression.md). Exit status: 0 nothing moved, 1 "
        "something did, 2 bad use or input, 3 nothing to compare, 4 failure of the machine. With --update 0 when "
        "the baseline is written.",
        NULL, NULL, NULL};
    struct check_arguments words = {.update = 0};
    struct checking checking = {.words = &words};
    struct error error = {0};
    cli_parse(&argp, argc, argv, &words);
    int status = judge_run(&checking, &error);
    regression_free(&checking.gate);
    baseline_free(&checking.baseline);
    run_counts_free(&checking.measured);
    free(words.tolerances);
    free(words.folders.path);
    return status;
}
