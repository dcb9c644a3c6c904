/* hullbench tables DIR...: the tables of runs, with the published ones they are for. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/tables/run_tables.h"

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
    struct run_folders folders = {0};
    struct error error = {0};
    int result = EXIT_OK;
    if (!words.folders)
        error_set(&error, STATUS_NO_MEMORY, "%d words: out of memory", argc);
    else
        cli_parse(&argp, argc, argv, &words);
    if (words.folders && run_folders_read(words.folders, words.n_folders, FOLDER_CONFIG, &folders, &error) == STATUS_OK &&
        run_tables_write(&folders, stdout, &error) == STATUS_OK)
        cli_print_partial(words.folders, words.n_folders);
    if (error.status == STATUS_NOT_FOUND) /* a folder or paper named wrongly, not data that nobody has */
        error.status = STATUS_BAD_INPUT;
    if (error.status != STATUS_OK && result == EXIT_OK)
        result = cli_fail(&error);
    run_folders_free(&folders);
    free(words.folders);
    return result;
}
