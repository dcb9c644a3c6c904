#define _XOPEN_SOURCE 700 /* nftw */
/* hullbench replay DIR: repeats a run and lists what differs, or checks its files. */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/bundle/bundle.h"
#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/cli/interruptible.h"
#include "harness/replay/replay.h"
#include "harness/replay/verify_run.h"

enum { MAX_RECORD = 1000000000 };

struct replay_arguments {
    struct cli_arguments common;
    struct replay_request request;
    int all, verify;
};

static void take_record(void *arguments, char *text, struct parse_state *state)
{
    struct replay_request *request = &((struct replay_arguments *)arguments)->request;
    request->one = 1;
    request->record = cli_number(text, MAX_RECORD);
    if (request->record == 0 && strcmp(text, "0") != 0)
        cli_refuse(state, "--record: \"%s\" is not a whole number from 0", text);
}

static const struct cli_option options[] = {
    {"verify", 0, NULL, "Run nothing; check that no file of the run was changed or lost", 0,
     offsetof(struct replay_arguments, verify), NULL},
    {"record", 0, "N", "Repeat only this record: its line in records.jsonl, counted from 0", 0, 0, take_record},
    OPTION_OUT("DIR2", "Folder for the second run, which is then kept"),
    OPTION_FORCE(0, "Remove records, traces and tables that another run left in DIR2"),
    {"all", 0, NULL, "Print all differences, not only the first 50", 0, offsetof(struct replay_arguments, all), NULL},
    OPTION_JOBS(0),
    OPTION_QUIET("Print no progress"),
    {0},
};

static void check(void *context, struct parse_state *state)
{
    const struct replay_arguments *arguments = context;
    if (arguments->request.one && arguments->common.run.out)
        cli_refuse(state, "--out cannot be combined with --record, which writes no folder");
    if (arguments->verify && (arguments->request.one || arguments->common.run.out))
        cli_refuse(state, "--verify cannot be combined with --record or --out, because it runs nothing");
}

static void print_notes(const char *title, const struct string_list *notes, int all)
{
    size_t shown = all || notes->count < 50 ? notes->count : 50;
    printf("%s: %s\n", title, notes->count ? "different" : "the same");
    for (size_t i = 0; i < shown; i++)
        printf("  %s\n", notes->line[i]);
    if (shown < notes->count)
        printf("  ... and %zu more lines (--all shows them)\n", notes->count - shown);
}

static int verify(const struct replay_arguments *arguments)
{
    struct run_verification verification;
    struct error error = {0};
    int status = EXIT_OK;
    if (run_verify(arguments->request.folder, &verification, &error) != STATUS_OK)
        status = cli_fail(&error);
    else {
        print_notes("files", &verification.faults, arguments->all);
        status = verification.faults.count ? EXIT_DIFFERENT : EXIT_OK;
        if (status == EXIT_OK)
            printf("%zu files are as they were written; %zu records\n", verification.files, verification.records);
    }
    run_verification_free(&verification);
    return status;
}

static int replay(struct replay_arguments *arguments, int *kept)
{
    struct replay_result result = {0};
    struct error error = {0};
    if (replay_run(&arguments->request, &result, &error) != STATUS_OK)
        return cli_fail(&error);
    print_notes("set-up", &result.setup, arguments->all);
    print_notes("results", &result.results, arguments->all);
    printf("%s: %zu records repeated: %zu the same, %zu different", result.config, result.records,
           result.records - result.differing, result.differing);
    if (*result.kept)
        printf("; the second run is in %s", result.kept);
    putchar('\n');
    int differs = result.results.count > 0 || result.other_data;
    *kept = *result.kept != '\0';
    replay_result_free(&result);
    return differs ? EXIT_DIFFERENT : EXIT_OK;
}

/* ---- bundles ---- */

static int remove_entry(const char *path, const struct stat *about, int type, struct FTW *place)
{
    (void)about;
    (void)type;
    (void)place;
    return remove(path);
}

/* Makes an empty folder in TMPDIR, or /tmp. */
static enum status make_temporary(char *folder, size_t size, struct error *error)
{
    const char *outer = getenv("TMPDIR");
    snprintf(folder, size, "%s/hullbench-bundle-XXXXXX", outer && *outer ? outer : "/tmp");
    return mkdtemp(folder) ? STATUS_OK : error_set(error, STATUS_IO, "%s: %s", folder, strerror(errno));
}

/* Unpacks the bundle and works on its run folder. A second run inside it that is to be kept keeps all of it. */
static int execute_bundle(struct replay_arguments *arguments)
{
    char folder[4096], *run = NULL;
    struct error error = {0};
    int kept = 0;
    enum status status = make_temporary(folder, sizeof folder, &error);
    if (status != STATUS_OK)
        return cli_fail(&error);
    status = bundle_unpack(arguments->request.folder, folder, &run, &error);
    arguments->request.folder = run;
    const int exit_status = status != STATUS_OK ? cli_fail(&error)
                            : arguments->verify ? verify(arguments)
                                                : replay(arguments, &kept);
    if (!kept || arguments->common.run.out)
        nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(run);
    return exit_status;
}

static int execute(void *context)
{
    struct replay_arguments *arguments = context;
    struct stat about;
    int kept = 0;
    if (stat(arguments->request.folder, &about) == 0 && !S_ISDIR(about.st_mode))
        return execute_bundle(arguments);
    return arguments->verify ? verify(arguments) : replay(arguments, &kept);
}

int verb_replay(int argc, char **argv)
{
    static const struct cli_verb verb = {
        "DIR|ARCHIVE",
        "Repeats the run of the folder DIR, or of an archive made by `hullbench bundle`, with its configuration and "
        "restrictions, and lists all differences: in the environment (program, build, machine, data) and, byte by "
        "byte, in the results. With --verify it runs nothing and compares the files with the checksums in run.json.\v"
        "Without --out the second run goes to DIR/replay, which is removed if the results are the same. An archive is "
        "unpacked into a temporary folder; to be able to resume an interrupted replay of an archive, give --out. Exit "
        "status: 0 same results, 1 different results, different data or a changed file, 2 wrong usage or bad input, "
        "3 data of the run are missing, 4 system error.",
        options, 1, 1, 1, "expected one run folder or archive", check};
    struct replay_arguments arguments = {.request = {.folder = NULL}};
    cli_parse(&verb, argc, argv, &arguments);
    arguments.request.run = &arguments.common.run;
    arguments.request.folder = arguments.common.words[0];
    return run_interruptible(&arguments.common, execute);
}
