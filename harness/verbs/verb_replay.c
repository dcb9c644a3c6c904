/* hullbench replay DIR: repeats a run and lists what differs, or checks its files. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/folders/bundle.h"
#include "harness/folders/replay.h"

struct replay_arguments {
    struct cli_arguments common;
    struct replay_request request;
    size_t record; /* NOT_GIVEN, or the number of the only one to repeat */
    int all, verify;
    const char *archive, *temporary; /* of a bundle: its file, and the folder that it is unpacked into; else NULL */
    int status;                      /* the exit status of the work */
};
#define NOT_GIVEN ((size_t)-1)

#define ARGUMENTS struct replay_arguments
static const struct cli_option options[] = {
    {"verify", 0, NULL, "Run nothing; check that no file of the run was changed or lost", AT(verify)},
    {"record", 0, "N", "Repeat only this record: its line in records.jsonl, counted from 0", COUNT_AT(record, 0, 1e9)},
    {"datasets", 0, "X,Y", "Repeat only the records of these data sets of the run", COMMON_AT(run.datasets)},
    OPTION_OUT("DIR2", "Folder for the second run, which is then kept"),
    OPTION_FORCE("Remove records, traces and tables that another run left in DIR2"),
    {"all", 0, NULL, "Print all differences, not only the first 50", AT(all)},
    OPTION_JOBS,
    OPTION_QUIET("Print no progress"),
    {0},
};

static void check(void *context)
{
    struct replay_arguments *arguments = context;
    struct replay_request *request = &arguments->request;
    request->run = &arguments->common.run;
    request->folder = arguments->common.words[0];
    request->one = arguments->record != NOT_GIVEN;
    request->record = request->one ? arguments->record : 0;
    arguments->common.keeps_nothing = arguments->verify || request->one;
    if (request->one && arguments->common.run.out)
        cli_refuse("--out cannot be combined with --record, which writes no folder");
    if (arguments->verify && (request->one || arguments->common.run.out || arguments->common.run.datasets))
        cli_refuse("--verify cannot be combined with --record, --out or --datasets, because it runs nothing");
}

/* ---- messages: a file of an unpacked bundle is "ARCHIVE: MEMBER", because the temporary folder is removed ---- */

/* The text with members in place of temporary paths. */
static const char *name_members(const struct replay_arguments *arguments, const char *text)
{
    struct pool *pool = arguments->common.pool;
    const char *folder = arguments->temporary ? pool_printf(pool, "%s/", arguments->temporary) : NULL;
    const char *found = folder ? strstr(text, folder) : NULL;
    if (!found)
        return text;
    return pool_printf(pool, "%.*s%s: %s", (int)(found - text), text, arguments->archive,
                       name_members(arguments, found + strlen(folder)));
}

static void print_note(const struct replay_arguments *arguments, const char *begin, const char *note)
{
    fputs(begin, stdout);
    cli_print_text(stdout, name_members(arguments, note));
    putchar('\n');
}

static void print_notes(const struct replay_arguments *arguments, const char *title, const struct string_list *notes)
{
    const int all = arguments->all;
    size_t shown = all || notes->count < 50 ? notes->count : 50;
    printf("%s: %s\n", title, notes->count ? "different" : "the same");
    for (size_t i = 0; i < shown; i++)
        print_note(arguments, "  ", notes->line[i]);
    if (shown < notes->count)
        printf("  ... and %zu more lines (--all shows them)\n", notes->count - shown);
}

static int verify(const struct replay_arguments *arguments)
{
    const struct run_verification *verification = run_verify(arguments->common.pool, arguments->request.folder);
    print_notes(arguments, "files", &verification->faults);
    for (size_t i = 0; i < verification->unchecked.count; i++)
        print_note(arguments, "not checked, because run.json does not list it: ", verification->unchecked.line[i]);
    if (verification->faults.count)
        return EXIT_DIFFERENT;
    printf("%zu files are as they were written; %zu records\n", verification->files, verification->records);
    return EXIT_OK;
}

static int replay(const struct replay_arguments *arguments)
{
    const struct replay_result *result = replay_run(arguments->common.pool, &arguments->request);
    print_notes(arguments, "set-up", &result->setup);
    print_notes(arguments, "results", &result->results);
    for (size_t i = 0; i < result->missing.count; i++)
        cli_print_error("hullbench: data of the run are missing", name_members(arguments, result->missing.line[i]));
    printf("%s: %zu records repeated: %zu the same, %zu different", result->config, result->records,
           result->records - result->differing, result->differing);
    if (result->not_repeated && !arguments->request.one)
        printf("; %zu of other data sets not repeated", result->not_repeated);
    if (result->kept && arguments->archive && !arguments->common.run.out)
        printf("; --out keeps the second run");
    else if (result->kept)
        printf("; the second run is in %s", result->kept);
    putchar('\n');
    return result->results.count > 0 || result->other_data       ? EXIT_DIFFERENT
           : result->missing.count > 0 && !arguments->request.one ? EXIT_NO_DATA
                                                                  : EXIT_OK;
}

/* Of a bundle, after it is unpacked. */
static void repeat_or_verify(void *context)
{
    struct replay_arguments *arguments = context;
    if (arguments->archive)
        arguments->request.folder = bundle_unpack(arguments->common.pool, arguments->archive, arguments->temporary);
    arguments->status = arguments->verify ? verify(arguments) : replay(arguments);
}

/* ---- bundles ----
 *
 * The temporary folder of a bundle is removed by a child, because the program can end anywhere: by a signal half a
 * second after it came (cli.h), by a crash in a plugin, or killed. Its end closes a pipe. */

static struct {
    pid_t process;
    int pipe;
} watcher;

static void end_watcher(void *unused)
{
    (void)unused;
    close(watcher.pipe);
    while (waitpid(watcher.process, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* Makes an empty folder in TMPDIR, or /tmp, which is removed after the work. There must be no other threads. */
static char *watched_folder(struct pool *pool)
{
    const char *outer = getenv("TMPDIR");
    char *folder = pool_printf(pool, "%s/hullbench-bundle-XXXXXX", outer && *outer ? outer : "/tmp"), byte;
    int ends[2] = {-1, -1};
    fflush(NULL);
    const int is_made = mkdtemp(folder) != NULL;
    watcher.process = is_made && pipe(ends) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 ? fork() : -1;
    if (watcher.process < 0) {
        const int reason = errno;
        if (is_made)
            rmdir(folder);
        die(STATUS_IO, "%s: %s", folder, strerror(reason));
    }
    if (watcher.process == 0) {
        setpgid(0, 0); /* a terminal's interrupt does not reach it */
        close(ends[1]);
        while (read(ends[0], &byte, 1) < 0 && errno == EINTR)
            continue;
        _exit(folder_try_remove(folder));
    }
    close(ends[0]);
    watcher.pipe = ends[1];
    pool_keep(pool, end_watcher, NULL);
    return folder;
}

/* Unpacks the bundle and works on its run folder. Errors name its members, too. */
static int work_on_archive(struct replay_arguments *arguments)
{
    struct error error;
    arguments->archive = arguments->request.folder;
    arguments->common.keeps_nothing |= !arguments->common.run.out;
    interruptible_begin(&arguments->common);
    arguments->temporary = watched_folder(arguments->common.pool);
    if (attempt(repeat_or_verify, arguments, &error) == STATUS_OK)
        return arguments->status;
    if (error.status == STATUS_INTERRUPTED && arguments->common.keeps_nothing)
        die(error.status, "%s: interrupted; to be able to resume, give --out", arguments->archive);
    die(error.status, "%s", name_members(arguments, error.message));
}

static int work(void *context)
{
    struct replay_arguments *arguments = context;
    if (access(arguments->request.folder, F_OK) == 0 && !file_is_folder(arguments->request.folder))
        return work_on_archive(arguments);
    interruptible_begin(&arguments->common);
    repeat_or_verify(arguments);
    return arguments->status;
}

static const struct replay_arguments defaults = {.record = NOT_GIVEN};

const struct cli_verb verb_replay = {
    .name = "replay", .title = "repeat a run and list what differs",
    .usage = "DIR|ARCHIVE",
    .doc = "Repeats the run of the folder DIR, or of an archive made by `hullbench bundle`, with its configuration "
           "and restrictions, and lists all differences: in the environment (program, build, machine, data) and, "
           "byte by byte, in the results. With --verify it runs nothing and compares the files with the checksums in "
           "run.json.\nWithout --out the second run goes to DIR/replay, which is removed if the results are the "
           "same. An archive is unpacked into a temporary folder, which is removed at the end; to keep the second "
           "run, or to resume it, give --out. Exit status: 0 same results, 1 different results, different data or a "
           "changed file, 2 wrong usage or bad input, 3 data of the run are missing (what can be repeated is the "
           "same), 4 system error.",
    .options = options, .plugins = 1, .min_words = 1, .max_words = 1, .words = "expected one run folder or archive",
    .size = sizeof defaults, .defaults = &defaults, .check = check, .work = work,
};
