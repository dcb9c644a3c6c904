/* Output files of verbs (cli.h). */

#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/cli/cli.h"

/* ---- protected files ---- */

/* The files that run, merge and tune leave in their folders for other verbs. */
static const char *const results[] = {"config.json",  "records.jsonl", "timings.jsonl",     "run.json",
                                      "journal.jsonl", ".lock",         "evaluations.jsonl", "tune.json"};

/* The result file of the folder that `path` names; NULL: none. */
static const char *find_result(struct pool *pool, const char *path, const char *folder)
{
    const char *traces = pool_printf(pool, "%s/traces", folder);
    char around[PATH_MAX];
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        const char *result = pool_printf(pool, "%s/%s", folder, results[i]);
        if (outfile_is_same(path, result))
            return result;
    }
    return file_is_same(path_folder(path, around), traces) ? traces : NULL;
}

static _Noreturn void refuse(const struct cli_file *output, const char *option, const char *shown)
{
    die(STATUS_BAD_INPUT, "%s %s would overwrite %s %s", output->option, outfile_shown(output->path), option, shown);
}

static void check(struct pool *pool, const struct cli_file *output, const struct cli_file *input)
{
    if (!output->path || !input->path)
        return;
    if (outfile_overwrites(output->path, input->path))
        refuse(output, input->option, strcmp(input->path, "-") == 0 ? "standard input" : input->path);
    const char *result = file_is_folder(input->path) ? find_result(pool, output->path, input->path) : NULL;
    if (result)
        refuse(output, input->option, result);
}

void cli_check_input(const struct cli_arguments *arguments, const char *option, const char *path)
{
    static const struct cli_file report = {"the report on", "-"};
    const struct cli_file input = {option, path};
    struct stat about;
    for (size_t i = 0; i < arguments->outputs.count; i++)
        check(arguments->pool, &arguments->outputs.item[i]->name, &input);
    if (fstat(STDOUT_FILENO, &about) == 0 && S_ISREG(about.st_mode))
        check(arguments->pool, &report, &input);
}

static void check_each_other(const struct cli_arguments *arguments)
{
    for (size_t i = 0; i < arguments->outputs.count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct cli_file *output = &arguments->outputs.item[i]->name;
            const struct cli_file *other = &arguments->outputs.item[j]->name;
            if (output->path && other->path && outfile_is_same(output->path, other->path))
                refuse(output, other->option, outfile_shown(other->path));
        }
}

/* ---- signals ---- */

/* The names of temporary files, for a signal handler. They are random and used once, so they may stay here for good. */
enum { TEMPORARIES_MAX = 8 };
static char temporaries[TEMPORARIES_MAX][PATH_MAX];
static volatile sig_atomic_t n_temporaries;

void cli_outputs_unlink(void)
{
    for (int i = 0; i < n_temporaries; i++)
        unlink(temporaries[i]);
}

static void on_signal(int number)
{
    cli_outputs_unlink();
    signal(number, SIG_DFL);
    raise(number);
}

/* Installs the handler, unless the signal is ignored or has one, as in long work, which removes the files, too. */
static void remove_files_at(int number)
{
    struct sigaction now;
    if (sigaction(number, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL)
        signal(number, on_signal);
}

static void remove_at_signals(const char *temporary)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    if (n_temporaries == TEMPORARIES_MAX || strlen(temporary) >= PATH_MAX)
        return;
    strcpy(temporaries[n_temporaries], temporary);
    n_temporaries++;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        remove_files_at(signals[i]);
}

/* ---- opening ---- */

static void abandon(void *output)
{
    outfile_abandon(&((struct cli_output *)output)->file);
}

void cli_outputs_open(struct cli_arguments *arguments)
{
    int has_reader = 0; /* some output goes to a FIFO or device that the user names */
    check_each_other(arguments);
    for (size_t i = 0; i < arguments->outputs.count; i++) {
        struct cli_output *output = arguments->outputs.item[i];
        if (!output->name.path)
            continue;
        outfile_open(&output->file, output->name.path);
        pool_keep(arguments->pool, abandon, output);
        if (output->file.temporary)
            remove_at_signals(output->file.temporary);
        has_reader |= !output->file.target && !outfile_is_standard_output(output->name.path);
    }
    if (has_reader) /* a reader that has gone is an error that names the output */
        signal(SIGPIPE, SIG_IGN);
    else
        remove_files_at(SIGPIPE); /* only standard output has a reader, which may stop early, as head does */
}

void cli_outputs_commit(struct cli_arguments *arguments)
{
    for (size_t i = 0; i < arguments->outputs.count; i++)
        if (arguments->outputs.item[i]->file.stream)
            outfile_commit(&arguments->outputs.item[i]->file);
}

FILE *cli_report_stream(const struct cli_arguments *arguments)
{
    for (size_t i = 0; i < arguments->outputs.count; i++) {
        const char *path = arguments->outputs.item[i]->name.path;
        if (path && outfile_is_standard_output(path))
            return stderr;
    }
    return stdout;
}
