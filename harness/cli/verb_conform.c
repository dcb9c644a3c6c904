/* hullbench conform DIR...: do the runs agree with the papers? */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/papers/conform.h"

struct words {
    const char **folders;
    size_t n_folders;
    const char *json;
};

static error_t take_word(int key, char *text, struct argp_state *state)
{
    struct words *words = state->input;
    switch (key) {
    case 'j':
        words->json = text;
        return 0;
    case ARGP_KEY_ARG:
        words->folders[words->n_folders++] = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which run folders?");
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum status compare(const struct words *words, struct run_folders *runs, struct conformance *conformance,
                           struct error *error)
{
    enum status status = run_folders_read(words->folders, words->n_folders, FOLDER_CONFIG, runs, error);
    if (status == STATUS_OK)
        status = conform_runs(runs, conformance, error);
    if (status == STATUS_OK && words->json)
        status = conform_write_json(conformance, words->json, error);
    return status;
}

int verb_conform(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"json", 'j', "FILE", 0, "also write everything to FILE, for programs", 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = take_word,
        .args_doc = "DIR...",
        .doc = "Compare runs with the papers they are for, cell by cell and claim by claim (docs/verdicts.md)."
               "\vExit status: 0 nothing differs that docs/deviations.md does not explain, 1 something does, 3 no "
               "cell could be compared.",
    };
    struct words words = {.folders = calloc((size_t)argc + 1, sizeof *words.folders)};
    struct run_folders runs = {0};
    struct conformance conformance = {0};
    struct error error = {0};
    int result = EXIT_OK;
    if (!words.folders)
        error_set(&error, STATUS_NO_MEMORY, "%d words: out of memory", argc);
    else
        cli_parse(&argp, argc, argv, &words);
    if (words.folders && compare(&words, &runs, &conformance, &error) == STATUS_OK) {
        conform_print(&conformance, words.json && strcmp(words.json, "-") == 0 ? stderr : stdout);
        cli_print_partial(words.folders, words.n_folders);
        if (fflush(stdout) != 0)
            error_set(&error, STATUS_IO, "standard output: cannot be written");
        else if (conformance.unexplained_cells + conformance.unexplained_claims + conformance.unexplained_reversed > 0)
            result = EXIT_DIFFERENT;
        else if (conformance.compared == 0)
            result = EXIT_NO_DATA;
    }
    if (error.status == STATUS_NOT_FOUND) /* a folder or paper named wrongly, not cells without records */
        error.status = STATUS_BAD_INPUT;
    if (error.status != STATUS_OK && result == EXIT_OK)
        result = cli_fail(&error);
    conformance_free(&conformance);
    run_folders_free(&runs);
    free(words.folders);
    return result;
}
