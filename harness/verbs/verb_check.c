/* hullbench check DIR --baseline FILE: did a count move? */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/regression/export.h"
#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/cli/options.h"
#include "harness/program/memory.h"

struct check_arguments {
    struct cli_arguments common;
    const char *baseline, *message, *by, *bencher, *github, *junit;
    const char **tolerances;
    size_t n_tolerances;
    int update, subset, all;
};

static void take_tolerance(void *context, char *text, struct argp_state *state)
{
    struct check_arguments *given = context;
    (void)state;
    given->tolerances =
        xreallocarray(given->tolerances, given->n_tolerances + 1, sizeof *given->tolerances);
    given->tolerances[given->n_tolerances++] = text;
}

#define CHECK_MEMBER(member) offsetof(struct check_arguments, member), NULL

static const struct cli_option options[] = {
    {"baseline", 'b', "FILE", "The counts that must not move", 0, CHECK_MEMBER(baseline)},
    {"tolerance", 't', "KEY=VALUE",
     "Let a count move by VALUE, such as 5 or 2%; KEY: a count's name, kernel_operations or all; "
     "may be repeated",
     0, 0, take_tolerance},
    {"subset", 0, NULL, "Records of the baseline that the run lacks are not asked for", 0, CHECK_MEMBER(subset)},
    {"all", 0, NULL, "Print every line of the table", 0, CHECK_MEMBER(all)},
    {"update", 0, NULL, "Write the run's counts into the baseline", 1, CHECK_MEMBER(update)},
    {"message", 'm', "TEXT", "Why, for the history in the baseline; needed for --update", 1, CHECK_MEMBER(message)},
    {"author", 0, "NAME", "Author of the update, for the history (default: $USER)", 1, CHECK_MEMBER(by)},
    {"by", 0, "NAME", NULL, 1, CHECK_MEMBER(by)}, /* its name in version 0.2.0 */
    {"bencher", 0, "FILE", "Write sums in Bencher Metric Format", 2, CHECK_MEMBER(bencher)},
    {"github", 0, "FILE", "Write sums for github-action-benchmark (customSmallerIsBetter)", 2, CHECK_MEMBER(github)},
    {"junit", 0, "FILE", "Write the comparison as JUnit XML", 2, CHECK_MEMBER(junit)},
    {0},
};

static void check(void *context, struct argp_state *state)
{
    const struct check_arguments *given = context;
    if (!given->baseline && (given->update || given->junit || !(given->bencher || given->github)))
        argp_error(state, "--baseline FILE is expected");
    if (given->update && !(given->message && *given->message))
        argp_error(state, "--update needs a --message that says why");
    if (!given->update && (given->message || given->by))
        argp_error(state, "--message and --author go with --update");
    if (given->update && given->n_tolerances)
        argp_error(state, "--update writes exact counts; tolerances are kept in the baseline by hand");
}

/* What a verdict rests on. */
struct checking {
    const struct check_arguments *given;
    struct run_counts measured;
    struct baseline baseline;
    int has_baseline;
    struct tolerance tolerances[COUNTS];
    struct regression regression;
};

static enum status read_both(struct checking *checking, struct error *error)
{
    const struct check_arguments *given = checking->given;
    const struct json_path place = {.file = "--tolerance"};
    enum status status = run_counts_read(given->common.words[0], &checking->measured, error);
    if (status == STATUS_OK && given->baseline) {
        status = baseline_read(given->baseline, &checking->baseline, error);
        checking->has_baseline = status == STATUS_OK;
        if (status == STATUS_NOT_FOUND && given->update)
            status = STATUS_OK;
        else if (status == STATUS_NOT_FOUND)
            status = error->status = STATUS_BAD_INPUT;
    }
    memcpy(checking->tolerances, checking->baseline.tolerances, sizeof checking->tolerances);
    for (size_t i = 0; i < given->n_tolerances && status == STATUS_OK; i++)
        status = tolerance_parse(checking->tolerances, given->tolerances[i], &place, error);
    if (given->update) /* which writes exact counts */
        memset(checking->tolerances, 0, sizeof checking->tolerances);
    return status;
}

static enum status write_exports(const struct checking *checking, struct error *error)
{
    const struct check_arguments *given = checking->given;
    enum status status = STATUS_OK;
    if (given->bencher)
        status = export_bencher(given->bencher, &checking->measured, error);
    if (status == STATUS_OK && given->github)
        status = export_github(given->github, &checking->measured, error);
    if (status == STATUS_OK && given->junit)
        status = export_junit(given->junit, &checking->regression, &checking->measured, error);
    return status;
}

static int is_standard_output(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Where an export goes to standard output, the verdict does not. */
static void print_verdict(const struct checking *checking)
{
    const struct regression *regression = &checking->regression;
    const struct check_arguments *given = checking->given;
    int exports =
        is_standard_output(given->bencher) || is_standard_output(given->github) || is_standard_output(given->junit);
    FILE *stream = exports ? stderr : stdout;
    regression_print(regression, given->all ? SIZE_MAX : 50, stream);
    if (regression->n_changes && strcmp(checking->baseline.config_hash, checking->measured.config_hash) != 0)
        fputs("The configuration of the run is not the one the baseline was made of.\n", stream);
    fprintf(stream, "%s: %zu records compared: %zu the same, %zu moved, %zu missing, %zu new",
            checking->measured.folder.run.config, regression->compared, regression->compared - regression->moved,
            regression->moved, regression->kinds[CHANGE_MISSING], regression->kinds[CHANGE_NEW]);
    if (regression->kinds[CHANGE_DATA])
        fprintf(stream, ", %zu data sets changed", regression->kinds[CHANGE_DATA]);
    if (regression->passed)
        fprintf(stream, "; %zu of the baseline not asked for", regression->passed);
    fputc('\n', stream);
}

static const char *author(const struct check_arguments *given)
{
    const char *by = given->by ? given->by : getenv("USER");
    return by ? by : "";
}

/* A run that is restricted would take the other records out of the baseline. */
static enum status check_update(const struct checking *checking, struct error *error)
{
    const struct run_info *run = &checking->measured.folder.run;
    if (!*author(checking->given))
        return error_set(error, STATUS_BAD_INPUT, "--update needs --author NAME because $USER is not set");
    if (checking->has_baseline && !checking->given->subset &&
        (run->solvers || run->datasets || run->splits || run->shards > 1))
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: is restricted to a part; --subset keeps the other records of the baseline",
                         checking->given->common.words[0]);
    return STATUS_OK;
}

static enum status update(const struct checking *checking, struct error *error)
{
    const struct check_arguments *given = checking->given;
    const struct regression *regression = &checking->regression;
    size_t moved = checking->measured.entries.count;
    if (checking->has_baseline)
        moved = regression->moved + regression->kinds[CHANGE_MISSING] + regression->kinds[CHANGE_NEW];
    struct baseline_change change = {.by = author(given), .message = given->message, .moved = moved};
    if (checking->has_baseline && regression->n_changes == 0) {
        printf("%s is as it should be\n", given->baseline);
        return STATUS_OK;
    }
    enum status status = check_update(checking, error);
    if (status == STATUS_OK)
        status = baseline_write(given->baseline, checking->has_baseline ? &checking->baseline : NULL,
                                &checking->measured, given->subset, &change, error);
    if (status == STATUS_OK)
        printf("%s written: %zu records new, gone or moved\n", given->baseline, moved);
    return status;
}

static int judge_run(struct checking *checking, struct error *error)
{
    const struct check_arguments *given = checking->given;
    const struct regression *regression = &checking->regression;
    if (read_both(checking, error) != STATUS_OK)
        return cli_fail(error);
    if (checking->measured.entries.count == 0) {
        error_set(error, STATUS_NOT_FOUND, "%s: holds no records", given->common.words[0]);
        return cli_fail(error);
    }
    if (checking->has_baseline && regression_compare(&checking->baseline, &checking->measured, checking->tolerances,
                                               given->subset, &checking->regression, error) != STATUS_OK)
        return cli_fail(error);
    if (checking->has_baseline)
        print_verdict(checking);
    if (write_exports(checking, error) != STATUS_OK)
        return cli_fail(error);
    if (given->update)
        return update(checking, error) == STATUS_OK ? EXIT_OK : cli_fail(error);
    if (checking->has_baseline && regression->compared == 0) {
        error_set(error, STATUS_NOT_FOUND, "%s: has no record in common with %s", given->common.words[0],
                  given->baseline);
        return cli_fail(error);
    }
    return regression->n_changes ? EXIT_DIFFERENT : EXIT_OK;
}

int verb_check(int argc, char **argv)
{
    static const struct cli_verb verb = {
        "DIR --baseline FILE",
        "Compares iterations, kernel operations of each phase, kernel evaluations, support vectors and outcome of "
        "the run DIR with a baseline, record by record, and prints what moved, worst first.\v"
        "Nothing may move, unless a tolerance says so (docs/regression.md). Exit status: 0 nothing moved, 1 "
        "something did, 2 bad use or input, 3 nothing to compare, 4 failure of the machine. With --update 0 when "
        "the baseline is written.",
        options, 0, 1, 1, "expected one run folder", check};
    struct check_arguments given = {.update = 0};
    struct checking checking = {.given = &given};
    struct error error = {0};
    cli_parse(&verb, argc, argv, &given);
    int status = judge_run(&checking, &error);
    regression_free(&checking.regression);
    baseline_free(&checking.baseline);
    run_counts_free(&checking.measured);
    free(given.tolerances);
    return status;
}
