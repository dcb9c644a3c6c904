/* What the verbs share (cli.h). */
#include "harness/cli/cli.h"
#include "harness/programs/program.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/terminal.h"
#include "harness/data/dataset_text.h"
#include "harness/data/split.h"
#include "harness/records/conditions.h"
#include "harness/support/resource.h"
#include "solvers/visible_text.h"

/* ---- messages ---- */

void cli_print_text(FILE *stream, const char *text)
{
    char shown[VISIBLE_SIZE];
    while (*text) {
        text += visible_character(text, shown);
        fputs(shown, stream);
    }
}

void cli_print_error(const char *name, const char *message)
{
    fprintf(stderr, "%s: ", name);
    cli_print_text(stderr, message);
    fputs("\n", stderr);
}

void cli_print_lines(const char *name, const struct string_list *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        cli_print_error(name, lines->line[i]);
}

/* ---- the environment ---- */

char *cli_cache(struct pool *pool)
{
    const char *manifest = resource_find_or_null(pool, "datasets/manifest.json");
    return manifest ? pool_printf(pool, "%.*s/cache", (int)(strrchr(manifest, '/') - manifest), manifest) : NULL;
}

const struct simd *cli_simd(void)
{
    const char *name = getenv("HULLBENCH_LANES");
    const struct simd *simd = simd_select(name && *name ? name : NULL);
    const char *form;
    dataset_text_form(&form);
    if (!simd)
        die(STATUS_BAD_INPUT, "HULLBENCH_LANES: \"%s\" is unknown or not supported by this processor; allowed: "
                              "generic, avx2, avx512", name);
    if (form)
        die(STATUS_BAD_INPUT, "HULLBENCH_STORAGE: \"%s\" is unknown; allowed: dense, compressed", form);
    return simd;
}

const char *cli_search_path(struct pool *pool)
{
    const char *path = getenv("HULLBENCH_DATA"), *folder = path;
    struct stat about;
    for (size_t length = 0; search_path_next(&folder, &length);) {
        const char *name = pool_strndup(pool, folder, length);
        const char *fault = stat(name, &about) != 0     ? strerror(errno)
                            : !S_ISDIR(about.st_mode) ? "is not a folder"
                                                      : NULL;
        if (fault)
            cli_print_error("hullbench", pool_printf(pool, "HULLBENCH_DATA: %s: %s; no data sets are read from there",
                                                     name, fault));
    }
    return path;
}

/* ---- data and run folders ---- */

void cli_print_altered(struct dataset *const *datasets, size_t count)
{
    for (size_t d = 0; d < count; d++) {
        const char *altered = datasets[d] ? datasets[d]->altered : NULL;
        int is_new = altered != NULL;
        for (size_t e = 0; e < d; e++)
            is_new = is_new && !(datasets[e] && datasets[e]->altered && strcmp(datasets[e]->altered, altered) == 0);
        if (is_new)
            cli_print_error("hullbench", altered);
    }
}

void cli_print_repeated(const struct dataset *dataset, const char *before)
{
    for (size_t s = 0; s < dataset->n_splits; s++) {
        const struct split *split = &dataset->splits[s];
        const size_t first = split->source == SPLIT_OFFICIAL ? split_same_as(dataset, s) : s;
        if (first < s)
            printf("%ssplit %zu has the same rows as split %zu\n", before, split->number,
                   dataset->splits[first].number);
    }
}

void cli_print_gaps(const struct string_list *lines)
{
    int is_missing = 0;
    for (size_t i = 0; i < lines->count; i++)
        is_missing |= strncmp(lines->line[i], GAPS_MISSING, strlen(GAPS_MISSING)) == 0;
    if (is_missing)
        cli_print_lines("hullbench", lines);
}

void cli_print_data(const struct run *run, int quiet)
{
    cli_print_altered(run->datasets, run->config->n_datasets);
    if (quiet)
        return;
    for (size_t d = 0; d < run->config->n_datasets; d++)
        if (run->datasets[d])
            cli_print_lines(CLI_NOTE, &run->datasets[d]->notes);
    cli_print_missing(run);
}

void cli_print_missing(const struct run *run)
{
    struct pool *pool = pool_new();
    const struct run_info info =
        run_info_of_plan(pool, &run->plan, run->options, run->missing, run->n_missing, HULLBENCH_VERSION);
    const struct string_list lines = run_gaps(pool, &info, run->config->json);
    cli_print_gaps(&lines);
    pool_free(pool);
    const char *remedy = run->n_missing ? strstr(run->missing[0].reason, "; ") : NULL;
    if (remedy)
        fprintf(stderr, "  %s: %s\n", run->missing[0].name, remedy + 2);
}

static void print_partial(void *data)
{
    struct pool *pool = pool_new();
    const char *folder = *(const char **)data;
    const cJSON *info = json_read_or_null(pool, pool_printf(pool, "%s/run.json", folder)), *lacks = NULL;
    cJSON_ArrayForEach (lacks, json_member(info, "partial"))
        cli_print_error("hullbench", pool_printf(pool, "%s: partial result: %s", folder,
                                                 cJSON_IsString(lacks) ? lacks->valuestring : "?"));
    pool_free(pool);
}

void cli_print_partial(const char *const *folders, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *folder = folders[i];
        attempt(print_partial, &folder, NULL); /* the verb reports what is wrong with the file */
    }
}

struct run_folders *cli_read_folders(const struct cli_arguments *arguments)
{
    struct run_folders *folders = pool_alloc(arguments->pool, sizeof *folders);
    *folders = run_folders_open(arguments->pool, arguments->words, arguments->n_words, FOLDER_CONFIG);
    return folders;
}

/* ---- long work ---- */

/* The state that signal handlers change. */
static volatile sig_atomic_t interrupted;

static timer_t timer;

/* The line that a signal ends the program with. */
static const char *last_line;

/* Solvers check for interruption between iterations and stop at once. Work that cannot check (a matrix, a judgement of
 * many patterns, a plugin) gets half a second: schedulers kill soon after. Files are complete at any moment, so the
 * process may end anywhere. */
static void on_signal(int number)
{
    const struct itimerspec wait = {.it_value = {.tv_nsec = 500000000}};
    interrupted = number;
    timer_settime(timer, 0, &wait, NULL);
}

/* Ends the process by the signal itself, so that shells and schedulers see it. */
static void end_by_signal(int number)
{
    (void)number;
    terminal_clear();
    if (write(STDERR_FILENO, last_line, strlen(last_line)) < 0) {
        /* standard error is closed */
    }
    cli_outputs_unlink();
    signal(interrupted, SIG_DFL);
    raise(interrupted);
}

static void heed_signals(void)
{
    struct sigaction note = {.sa_handler = on_signal}, end = {.sa_handler = end_by_signal};
    struct sigevent expiry = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    if (timer_create(CLOCK_MONOTONIC, &expiry, &timer) != 0)
        die(STATUS_IO, "cannot set a timer: %s", strerror(errno));
    sigaction(SIGALRM, &end, NULL);
    sigaction(SIGINT, &note, NULL);
    sigaction(SIGTERM, &note, NULL);
}

/* When the verb's memory is released, after its locks and files. */
static void end_if_interrupted(void *unused)
{
    (void)unused;
    if (interrupted)
        end_by_signal(SIGALRM);
}

void interruptible_begin(struct cli_arguments *arguments)
{
    struct run_options *options = &arguments->run;
    options->reading = reading_watch(arguments->quiet);
    options->search_path = cli_search_path(arguments->pool);
    last_line = arguments->keeps_nothing ? "hullbench: interrupted; nothing is kept\n"
                                         : "hullbench: finished work is kept; the same command resumes it\n";
    if (!arguments->keeps_nothing)
        plugin_crash_may_resume();
    options->simd = cli_simd();
    heed_signals();
    pool_keep(arguments->pool, end_if_interrupted, NULL);
    options->cache = cli_cache(arguments->pool);
    options->interrupted = &interrupted;
    programs_heed(&interrupted);
    options->report = progress_watch(arguments->quiet);
}
