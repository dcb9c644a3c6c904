/* hullbench tables DIR...: the tables of runs, with the published ones they are for. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cli/cli.h"
#include "harness/file.h"
#include "harness/tables/conform.h"
#include "harness/tables/rivals_table.h"
#include "harness/tables/summary_table.h"

struct words {
    const char **folders;
    size_t n_folders;
};

static error_t take_word(int key, char *text, struct argp_state *state)
{
    struct words *words = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        words->folders[words->n_folders++] = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which run folder?");
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum status write_summary(struct run_folder *run, const char *folder, struct error *error)
{
    struct records records = {0};
    const struct runs alone = {run, 1};
    enum status status = runs_records(&alone, NULL, &records, error);
    if (status == STATUS_OK)
        status = folder_make(folder, error);
    if (status == STATUS_OK)
        status = summary_table_write(&records, folder, error);
    if (status == STATUS_OK)
        printf("%s/summary.{json,md,tex,csv}\n", folder);
    records_free(&records);
    return status;
}

/* Those of the profiles that this folder's configuration names. */
static enum status write_rivals(const struct run_folder *run, struct error *error)
{
    char *written = NULL;
    enum status status = rivals_tables_write(run->path, run->config, &written, error);
    if (status == STATUS_OK)
        fputs(written, stdout);
    free(written);
    return status;
}

/* The published tables and claims that this folder's configuration names. */
static enum status write_published(const struct run_folder *run, const struct conformance *conformance,
                                   const char *folder, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < conformance->n_tables && status == STATUS_OK; i++) {
        const struct published *published = conformance->tables[i].published;
        if (!run_is_for(run, published->table->name))
            continue;
        status = published_write(published, folder, error);
        if (status == STATUS_OK)
            printf("%s/%s.{json,md,tex,csv}\n", folder, published->table->name);
    }
    for (size_t i = 0; i < conformance->n_papers && status == STATUS_OK; i++) {
        const char *name = conformance->papers[i].paper->name;
        if (!run_is_for(run, name))
            continue;
        status = claims_write(&conformance->papers[i], folder, error);
        if (status == STATUS_OK)
            printf("%s/%s.claims.{json,md,tex,csv}\n", folder, name);
    }
    return status;
}

static enum status write_all(const struct words *words, struct error *error)
{
    struct runs runs = {0};
    struct conformance conformance = {0};
    char **folders = calloc(words->n_folders + 1, sizeof *folders);
    enum status status = folders ? runs_read(words->folders, words->n_folders, &runs, error)
                                 : error_set(error, STATUS_NO_MEMORY, "%zu run folders: out of memory",
                                             words->n_folders);
    for (size_t i = 0; i < words->n_folders && status == STATUS_OK; i++) {
        folders[i] = path_join(words->folders[i], "tables");
        status = folders[i] ? write_summary(&runs.items[i], folders[i], error)
                            : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", words->folders[i]);
        if (status == STATUS_OK)
            status = write_rivals(&runs.items[i], error);
    }
    if (status == STATUS_OK) /* after the summaries, which need no paper and can be had even where this fails */
        status = conform_runs(&runs, NULL, &conformance, error);
    for (size_t i = 0; i < words->n_folders && status == STATUS_OK; i++)
        status = write_published(&runs.items[i], &conformance, folders[i], error);
    conformance_free(&conformance);
    runs_free(&runs);
    for (size_t i = 0; folders && i < words->n_folders; i++)
        free(folders[i]);
    free(folders);
    return status;
}

int verb_tables(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = take_word,
        .args_doc = "DIR...",
        .doc = "Write the tables of a run: DIR/tables/summary.{json,md,tex,csv}, and beside the paper's figures every "
               "published table that DIR/config.json names under \"tables\". With several folders the published tables "
               "and claims rest on the records of all of them, paired by data set and split.",
    };
    struct words words = {.folders = calloc((size_t)argc + 1, sizeof *words.folders)};
    struct error error = {0};
    int result = EXIT_FINE;
    argp_err_exit_status = EXIT_BAD_USE;
    if (!words.folders)
        error_set(&error, STATUS_NO_MEMORY, "%d words: out of memory", argc);
    else if (argp_parse(&argp, argc, argv, 0, NULL, &words) != 0)
        result = EXIT_BAD_USE;
    else
        write_all(&words, &error);
    if (error.status == STATUS_NOT_FOUND) /* a folder or paper named wrongly, not data that nobody has */
        error.status = STATUS_BAD_INPUT;
    if (error.status != STATUS_OK && result == EXIT_FINE)
        result = cli_fail(&error);
    free(words.folders);
    return result;
}
