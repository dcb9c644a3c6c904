/*
 * hullbench check DIR --baseline FILE: has a count, or the accuracy, changed?
 *
 * A configuration in place of DIR is run first, into --out or into NAME-check for NAME.json. NAME-check belongs to
 * check: if an earlier run has finished there it is replaced, and if nothing changed it is removed.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/terminal.h"
#include "harness/folders/history.h"
#include "harness/run/run_files.h"
#include "harness/cli/cli.h"
#include "harness/folders/replay.h"
#include "harness/records/conditions.h"
#include "harness/support/folder_lock.h"
#include "harness/support/resource.h"

enum { BENCHER, GITHUB, JUNIT, OUTPUTS };

struct check_arguments {
    struct cli_arguments common;
    const char *baseline, *message, *by, *history, *commit;
    struct cli_list tolerances;
    struct cli_output outputs[OUTPUTS];
    int update, subset, all, github_summary;
    int runs;            /* a configuration is given */
    const char *scratch; /* check's own folder; NULL: --out is given, or a run folder */
    /* What the work finds. */
    const struct measured_run *measured;
    const struct baseline *reference; /* the file `baseline`; NULL: none */
    struct tolerances allowed;
    struct regression regression;
    struct string_list gaps; /* what the run lacks (conditions.h) */
};

#define ARGUMENTS struct check_arguments
static const struct cli_option options[] = {
    {"baseline", 'b', "FILE", "File of reference counts to compare with", AT(baseline)},
    {"tolerance", 't', "KEY=VALUE",
     "Allow a quantity to differ by VALUE, such as 5, 2% or 2%+1e-9. KEY is its name in records, kernel_operations for "
     "all three of them, or all for all counts, for one solver as SOLVER:KEY or SOLVER/DATASET:KEY, with patterns such "
     "as */titanic; may be repeated", LIST_AT(tolerances)},
    {"subset", 0, NULL, "Ignore records of the reference file that the run leaves out by --solvers, --datasets, "
                        "--splits or --shard", AT(subset)},
    {"all", 0, NULL, "Print all lines of the table, not only the first 50", AT(all)},
    {"update", 0, NULL, "Write the values of the run to the reference file, or create it", AT(update)},
    {"message", 'm', "TEXT", "Reason for the history in the reference file; --update needs it", AT(message)},
    {"author", 0, "NAME", "Author of the update, for the history (default: $USER, or \"unknown\")", AT(by)},
    {"by", 0, "NAME", NULL, AT(by)}, /* the name in version 0.2.0 */
    {"history", 0, "FILE", "Add a line with the counts of the run to FILE, for hullbench trend", AT(history)},
    {"commit", 0, "NAME", "What was measured, for the history (default: the commit that the service or git names)",
     AT(commit)},
    {"bencher", 0, "FILE", "Write sums to FILE in Bencher Metric Format", OUTPUT_AT(outputs[BENCHER])},
    {"github", 0, "FILE", "Write sums to FILE for github-action-benchmark (customSmallerIsBetter)",
     OUTPUT_AT(outputs[GITHUB])},
    {"github-summary", 0, NULL,
     "Add the changes to the summary of a job of GitHub Actions, and print an annotation for each solver",
     AT(github_summary)},
    {"junit", 0, "FILE", "Write the comparison to FILE as JUnit XML", OUTPUT_AT(outputs[JUNIT])},
    {.help = "With a configuration:"},
    {"out", 'o', "DIR",
     "Folder for the results, as for run (default: NAME-check for NAME.json, removed if nothing differs)",
     COMMON_AT(run.out)},
    OPTION_JOBS,
    {"solvers", 0, "A,B", "Only these solvers of the configuration; implies --subset", COMMON_AT(run.solvers)},
    {"datasets", 0, "X,Y", "Only these data sets; implies --subset", COMMON_AT(run.datasets)},
    {"splits", 0, "LIST", "Only these splits, such as 1-10 or 1,3,5; implies --subset", COMMON_AT(run.splits)},
    OPTION_FORCE("Remove records, traces and tables that another run left in DIR"),
    {"quiet", 'q', NULL, "Print neither progress nor a summary of the run", COMMON_AT(quiet)},
    {0},
};

/* A folder is compared; a file is a configuration. */
static void check_word(struct check_arguments *given)
{
    struct run_options *run = &given->common.run;
    run->config = given->common.words[0];
    given->runs = access(run->config, F_OK) == 0 && !file_is_folder(run->config);
    if (!given->runs && (run->out || run->threads || run->solvers || run->datasets || run->splits || run->force))
        cli_refuse("%s: --out, --jobs, --solvers, --datasets, --splits and --force need a configuration, not a "
                          "run folder",
                   run->config);
    if (!given->runs)
        return;
    given->subset |= run->solvers || run->datasets || run->splits;
    if (!run->out) {
        const char *name = strrchr(run->config, '/') ? strrchr(run->config, '/') + 1 : run->config;
        const char *end = strstr(name, ".json");
        const int length = (int)(end ? (size_t)(end - name) : strlen(name));
        given->scratch = run->out = pool_printf(given->common.pool, "%.*s-check", length, name);
    }
}

static void check(void *context)
{
    struct check_arguments *given = context;
    const struct cli_output *outputs = given->outputs;
    if (!given->baseline && (given->update || outputs[JUNIT].name.path ||
                             !(outputs[BENCHER].name.path || outputs[GITHUB].name.path || given->history)))
        cli_refuse("expected --baseline FILE");
    if (given->baseline)
        given->baseline = resource_moved(given->common.pool, given->baseline);
    if (given->update && !(given->message && *given->message))
        cli_refuse("--update needs --message with the reason");
    if (!given->update && (given->message || given->by))
        cli_refuse("--message and --author need --update");
    if (given->commit && !given->history)
        cli_refuse("--commit needs --history");
    if (given->commit && !history_is_commit(given->commit))
        cli_refuse("--commit: expected 1 to 200 letters, digits and signs, without blanks");
    const char *summary = getenv("GITHUB_STEP_SUMMARY");
    if (given->github_summary && !(summary && *summary && access(summary, F_OK) == 0 && access(summary, W_OK) == 0))
        cli_refuse("--github-summary: the variable GITHUB_STEP_SUMMARY names no file that can be written");
    if (given->update && given->tolerances.count)
        cli_refuse("--tolerance cannot be combined with --update; edit the tolerances in the reference file by "
                          "hand");
    check_word(given);
}

/* Finds errors in the reference file before a run begins. */
static void read_reference(struct check_arguments *given)
{
    const struct json_path place = {.file = "--tolerance"};
    given->reference = given->baseline ? baseline_read(given->common.pool, given->baseline) : NULL;
    if (given->baseline && !given->reference && !given->update)
        die(STATUS_BAD_INPUT, "%s: no such file of reference counts; run with --update and --message to create it",
            given->baseline);
    given->allowed = given->reference && !given->update ? given->reference->tolerances
                                                        : tolerances_default(given->common.pool);
    const size_t known = given->allowed.count; /* an update writes the measured values */
    for (size_t i = 0; i < given->tolerances.count; i++)
        tolerance_parse(&given->allowed, given->tolerances.item[i], &place);
    if (given->reference)
        tolerances_check(&given->allowed, known, &given->reference->entries, &place);
}

/* Opens the file that an update replaces, to learn before hours of measuring that this is possible, and returns the
 * folder where a link leads. NULL: no file, but a stream. */
static char *try_baseline(const struct check_arguments *given)
{
    struct outfile trial;
    char folder[PATH_MAX];
    if (outfile_is_stream(given->baseline))
        return NULL;
    outfile_open(&trial, given->baseline);
    path_folder(trial.target, folder);
    outfile_abandon(&trial);
    return pool_strdup(given->common.pool, folder);
}

static void write_exports(struct check_arguments *given)
{
    struct cli_output *outputs = given->outputs;
    if (outputs[BENCHER].name.path)
        ci_report_sums(outputs[BENCHER].file.stream, given->measured, CI_BENCHER);
    if (outputs[GITHUB].name.path)
        ci_report_sums(outputs[GITHUB].file.stream, given->measured, CI_GITHUB);
    if (outputs[JUNIT].name.path)
        ci_report_junit(outputs[JUNIT].file.stream, &given->regression, given->measured);
    cli_outputs_commit(&given->common);
}

static void measure_change(struct check_arguments *given)
{
    given->regression = regression_compare(given->common.pool, given->reference, given->measured, &given->allowed,
                                           given->subset);
}

/* The command that accepts the changes. */
static const char *accepting_command(const struct check_arguments *given)
{
    struct pool_text *command = pool_text_open(given->common.pool);
    FILE *stream = command->stream;
    fputs("hullbench check", stream);
    shell_word_print(stream, "", given->common.words[0]);
    if (given->runs)
        run_command_print_options(stream, &given->measured->folder.run);
    else if (given->subset)
        fputs(" --subset", stream);
    fputs(" --baseline", stream);
    shell_word_print(stream, "", given->baseline);
    fputs(" --update -m WHY", stream);
    return pool_text_end(command);
}

/* Appends Markdown to the file that GitHub names, and prints annotations, which are lines of standard output. */
static void tell_github(const struct check_arguments *given, const struct result *solvers)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    FILE *summary = fopen(path, "a");
    if (!summary)
        die(STATUS_IO, "%s: cannot be written", path);
    fprintf(summary, "### %s: %zu of %zu records moved, %zu missing, %zu new\n\n", given->measured->folder.run.config,
            given->regression.moved, given->regression.compared, given->regression.kinds[CHANGE_MISSING],
            given->regression.kinds[CHANGE_NEW]);
    if (result_rows(solvers)) {
        result_write(solvers, RESULT_MARKDOWN, summary);
        if (!given->update)
            fprintf(summary, "\nIf intended: `%s`\n", accepting_command(given));
    }
    if (fclose(summary) != 0)
        die(STATUS_IO, "%s: cannot be written", path);
    for (size_t row = 0; row < result_rows(solvers) && !given->update; row++)
        printf("::error title=hullbench::%s: %s moved, %s missing, %s new; %s\n", result_at(solvers, row, 0)->text,
               result_at(solvers, row, 1)->text, result_at(solvers, row, 2)->text, result_at(solvers, row, 3)->text,
               result_at(solvers, row, 4)->text);
}

/* "ci: 976 records compared: 974 the same, 2 moved, 0 missing, 0 new" */
static const char *counts_text(const struct check_arguments *given)
{
    const struct regression *regression = &given->regression;
    const struct measured_run *measured = given->measured;
    struct pool *pool = given->common.pool;
    const char *text = pool_printf(pool, "%s: %zu records compared: %zu the same, %zu moved, %zu missing, %zu new",
                                   measured->folder.run.config, regression->compared,
                                   regression->compared - regression->moved, regression->moved,
                                   regression->kinds[CHANGE_MISSING], regression->kinds[CHANGE_NEW]);
    if (regression->kinds[CHANGE_DATA])
        text = pool_printf(pool, "%s, %zu data sets changed", text, regression->kinds[CHANGE_DATA]);
    if (measured->n_failed)
        text = pool_printf(pool, "%s, %zu failed", text, measured->n_failed);
    if (regression->passed)
        text = pool_printf(pool, "%s; %zu of the reference counts not selected", text, regression->passed);
    return text;
}

/* Prints what moved, what may have made it, the sums, and what to do. If an export goes to standard output, the verdict
 * does not. */
static void print_verdict(const struct check_arguments *given)
{
    const struct regression *regression = &given->regression;
    const struct measured_run *measured = given->measured;
    FILE *stream = cli_report_stream(&given->common);
    regression_print(regression, given->all ? SIZE_MAX : 50, stream);
    for (size_t i = 0; i < given->gaps.count; i++)
        terminal_printf(stream, "%s: %s\n", measured->folder.path, given->gaps.line[i]);
    if (regression->changes.count && strcmp(given->reference->config_hash, measured->config_hash) != 0)
        fputs("The configuration of the run differs from the one of the reference counts.\n", stream);
    if (!given->reference->has_accuracy)
        terminal_printf(stream, "%s: has schema 1: accuracy is not compared until --update rewrites it\n",
                        given->baseline);
    const struct result *solvers = regression_by_solver(given->common.pool, regression);
    if (result_rows(solvers))
        result_print(solvers, stream);
    terminal_printf(stream, "%s%s%s\n", regression->changes.count ? TERMINAL_BAD : TERMINAL_GOOD, counts_text(given),
                    TERMINAL_END);
    if (regression->changes.count && !given->update)
        terminal_print_command(stream, "If intended: ", accepting_command(given));
    if (given->github_summary)
        tell_github(given, solvers);
}

/* An update must not remove or replace records because something was not measured. */
static void check_update(const struct check_arguments *given)
{
    const struct run_info *run = &given->measured->folder.run;
    if (run->missing.count > 0) /* then the first gap is one of them */
        die(STATUS_NOT_FOUND,
            "%s: %s; the reference file stays as it is; get the data, or run without them (--datasets)",
            given->measured->folder.path, given->gaps.line[0]);
    if (given->reference && !given->subset && (run->solvers || run->datasets || run->splits || run->shards > 1))
        die(STATUS_BAD_INPUT, "%s: restricted run; --subset keeps the other records of the reference file",
            given->common.words[0]);
}

/* The reference file may have changed since it was compared, so it is compared again. Several checks may update one
 * file: each reads, changes and writes it while it holds the lock of the folder. */
static void update(struct check_arguments *given)
{
    const struct regression *regression = &given->regression;
    struct folder_lock lock = {0};
    const char *folder = try_baseline(given), *by = given->by ? given->by : getenv("USER");
    if (folder)
        folder_lock_await(&lock, folder);
    read_reference(given);
    if (given->reference)
        measure_change(given);
    check_update(given);
    if (given->reference && !given->subset)
        baseline_check_tolerances(given->baseline, given->reference, &given->measured->entries);
    const size_t moved = given->reference ? regression->moved + regression->kinds[CHANGE_MISSING] +
                                                regression->kinds[CHANGE_NEW]
                                          : given->measured->entries.count;
    struct baseline_change change = {.by = by && *by ? by : "unknown", .message = given->message, .moved = moved};
    if (given->reference && given->reference->has_accuracy && regression->changes.count == 0) {
        printf("%s is up to date: no count moved\n", given->baseline);
    } else {
        baseline_write(given->common.pool, given->baseline, given->reference, given->measured, given->subset, &change);
        printf("%s written: %zu records new, removed or changed\n", given->baseline, moved);
    }
    folder_lock_release(&lock);
}

/* Compares the folder's run, and writes the requested files. Returns the exit status. */
static int judge(struct check_arguments *given, const char *folder)
{
    const struct regression *regression = &given->regression;
    struct measured_run *measured = measured_run_read(given->common.pool, folder);
    given->measured = measured;
    given->gaps = run_folders_gaps(given->common.pool, &(struct run_folders){&measured->folder, 1}, NULL);
    if (measured->entries.count == 0)
        die(STATUS_NOT_FOUND, "%s: contains no records", folder);
    if (given->reference) {
        measure_change(given);
        print_verdict(given);
    }
    if (measured->n_failed == measured->entries.count && (given->update || regression->changes.count == 0))
        die(STATUS_NOT_FOUND, "%s: all %zu records failed; nothing was measured", folder, measured->n_failed);
    write_exports(given);
    if (given->history)
        history_append(given->common.pool, given->history, measured,
                       given->commit ? given->commit : history_commit(given->common.pool, given->history));
    if (given->update)
        update(given);
    else if (given->reference && regression->compared == 0)
        die(STATUS_NOT_FOUND, "%s: has no record in common with %s", folder, given->baseline);
    return regression->changes.count && !given->update ? EXIT_DIFFERENT : EXIT_OK;
}

static int work(void *context)
{
    struct check_arguments *given = context;
    struct cli_arguments *common = &given->common;
    const char *scratch = given->scratch;
    read_reference(given);
    if (given->update)
        (void)try_baseline(given);
    cli_check_input(common, given->runs ? "the configuration" : "the run", common->words[0]);
    cli_check_input(common, "--baseline", given->baseline);
    cli_check_input(common, "--history", given->history);
    if (given->history)
        history_check(common->pool, given->history, NULL);
    cli_outputs_open(common);
    common->quiet |= cli_report_stream(common) == stderr;
    if (given->runs) {
        /* its own folder may hold the finished run of an earlier check, perhaps measured by another program */
        common->run.force |= scratch && access(pool_printf(common->pool, "%s/run.json", scratch), F_OK) == 0;
        const int status = run_configuration(common);
        if (status != EXIT_OK)
            return status;
    }
    const int status = judge(given, given->runs ? common->run.out : common->words[0]);
    if (status == EXIT_OK && scratch)
        run_remove_folder(scratch);
    else if (scratch)
        fprintf(stderr, "The run is kept in %s\n", scratch);
    return status;
}

static const struct check_arguments defaults = {.common.run = RUN_OPTIONS_OF_ALL};

const struct cli_verb verb_check = {
    .name = "check", .title = "compare the counts of a run with reference counts",
    .usage = "DIR --baseline FILE\nCONFIG --baseline FILE",
    .doc = "Compares the run DIR with a file of reference counts, record by record, and prints the differences, "
           "largest first. Iterations, kernel operations of each phase, kernel evaluations, support vectors, outcome "
           "and error must be equal; objective, duality gap and KKT violation may differ by rounding. If CONFIG is "
           "given instead of DIR, hullbench runs it first.\nTolerances can allow larger differences "
           "(docs/regression.md). Exit status: 0 no difference, 1 a difference, 2 wrong usage or bad input, 3 "
           "nothing to compare, 4 system error. With --update, 0 means that the reference file was written.",
    .options = options, .plugins = 1, .min_words = 1, .max_words = 1,
    .words = "expected one run folder or configuration file",
    .size = sizeof defaults, .defaults = &defaults, .check = check, .work = work,
};
