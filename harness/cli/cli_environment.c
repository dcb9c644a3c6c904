/* The environment, and messages about data and folders, shared by the verbs. */
#include "harness/cli/cli_environment.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/cli/cli.h"
#include "harness/data/dataset_text.h"
#include "harness/base/memory.h"
#include "harness/records/run_gaps.h"
#include "harness/support/file.h"
#include "harness/support/resource.h"
#include "harness/data/split.h"
#include "solvers/visible_text.h"

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

void cli_note(const char *format, ...)
{
    char message[sizeof((struct error *)0)->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    cli_print_error("hullbench: note", message);
}

void cli_print_notes(const struct string_list *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        cli_print_error("hullbench: note", notes->line[i]);
}

char *cli_cache(struct pool *pool)
{
    const char *manifest = resource_find_or_null(pool, "datasets/manifest.json");
    return manifest ? pool_printf(pool, "%.*s/cache", (int)(strrchr(manifest, '/') - manifest), manifest) : NULL;
}

const struct simd *cli_simd(void)
{
    const char *name = getenv("HULLBENCH_LANES");
    const struct simd *simd = simd_select(name && *name ? name : NULL);
    const char *form = dataset_text_unknown_form();
    if (!simd)
        die(STATUS_BAD_INPUT, "HULLBENCH_LANES: \"%s\" is unknown or not supported by this processor; allowed: "
                              "generic, avx2, avx512", name);
    if (form)
        die(STATUS_BAD_INPUT, "HULLBENCH_STORAGE: \"%s\" is unknown; allowed: dense, compressed", form);
    return simd;
}

const char *cli_search_path(void)
{
    const char *path = getenv("HULLBENCH_DATA"), *folder = path;
    struct stat about;
    for (size_t length = 0; search_path_next(&folder, &length);) {
        char *name = xasprintf("%.*s", (int)length, folder), *message = NULL;
        if (stat(name, &about) != 0)
            message = xasprintf("HULLBENCH_DATA: %s: %s; no data sets are read from there", name, strerror(errno));
        else if (!S_ISDIR(about.st_mode))
            message = xasprintf("HULLBENCH_DATA: %s: is not a folder; no data sets are read from there", name);
        if (message)
            cli_print_error("hullbench", message);
        free(message);
        free(name);
    }
    return path;
}

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

void cli_print_gaps(const struct string_list *lines)
{
    int is_missing = 0;
    for (size_t i = 0; i < lines->count; i++)
        is_missing |= strncmp(lines->line[i], GAPS_MISSING, strlen(GAPS_MISSING)) == 0;
    for (size_t i = 0; is_missing && i < lines->count; i++)
        cli_print_error("hullbench", lines->line[i]);
}

void cli_print_data(const struct run *run)
{
    for (size_t d = 0; d < run->config->n_datasets; d++)
        if (run->datasets && run->datasets[d])
            cli_print_notes(&run->datasets[d]->notes);
    cli_print_missing(run);
}

void cli_print_missing(const struct run *run)
{
    struct string_list lines = {0};
    run_gaps(run->config, run->datasets, run->missing, run->n_missing, &lines);
    cli_print_gaps(&lines);
    string_list_free(&lines);
    const char *remedy = run->n_missing ? strstr(run->missing[0].reason, "; ") : NULL;
    if (remedy)
        fprintf(stderr, "  %s: %s\n", run->missing[0].name, remedy + 2);
}

static int runs_split(const struct run *run, size_t d, size_t s)
{
    for (size_t u = 0; u < run->plan.n_units; u++) {
        const struct job *job = &run->plan.jobs[run->plan.units[u].first];
        if (job->dataset == d && job->split == s)
            return 1;
    }
    return 0;
}

void cli_print_repeated(const struct run *run)
{
    for (size_t d = 0; d < run->config->n_datasets; d++) {
        const struct dataset *dataset = run->datasets[d];
        for (size_t s = 0; dataset && s < dataset->n_splits; s++) {
            if (dataset->splits[s].source != SPLIT_OFFICIAL || !runs_split(run, d, s))
                continue;
            size_t first = split_same_as(dataset, s);
            if (first < s && runs_split(run, d, first))
                fprintf(stderr,
                        "hullbench: %s: split %zu of the file has the same rows as split %zu; both are counted\n",
                        dataset->name, dataset->splits[s].number, dataset->splits[first].number);
        }
    }
}

static void print_partial(void *folder)
{
    struct pool *pool = pool_new();
    const cJSON *info = json_read_or_null(pool, pool_printf(pool, "%s/run.json", (const char *)folder)), *lacks = NULL;
    cJSON_ArrayForEach (lacks, cJSON_GetObjectItemCaseSensitive(info, "partial"))
        cli_print_error("hullbench", pool_printf(pool, "%s: partial result: %s", (const char *)folder,
                                                 cJSON_IsString(lacks) ? lacks->valuestring : "?"));
    pool_free(pool);
}

void cli_print_partial(const char *const *folders, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *folder = xstrdup(folders[i]);
        attempt(print_partial, folder, NULL); /* the verb reports what is wrong with the file */
        free(folder);
    }
}

static void free_folders(void *folders)
{
    run_folders_free(folders);
}

struct run_folders *cli_read_folders(const struct cli_arguments *arguments)
{
    struct run_folders *folders = pool_alloc(arguments->pool, sizeof *folders);
    struct error error = {0};
    pool_keep(arguments->pool, free_folders, folders);
    die_unless_found(run_folders_read(arguments->words, arguments->n_words, FOLDER_CONFIG, folders, &error), &error);
    return folders;
}
