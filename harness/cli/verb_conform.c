/* hullbench conform DIR...: do the runs agree with the papers? */
#include <argp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/papers/conform.h"

struct conform_options {
    struct cli_folders folders;
    const char *json;
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct conform_options *given = state->input;
    if (key != 'j')
        return cli_take_folder(&given->folders, SIZE_MAX, key, text, state);
    given->json = text;
    return 0;
}

static enum status compare(const struct conform_options *given, struct run_folders *runs,
                           struct conformance *conformance, struct error *error)
{
    enum status status = run_folders_read(given->folders.path, given->folders.count, FOLDER_CONFIG, runs, error);
    if (status == STATUS_OK)
        status = conform_runs(runs, conformance, error);
    if (status == STATUS_OK && given->json)
        status = conform_write_json(conformance, given->json, error);
    return status;
}

int verb_conform(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"json", 'j', "FILE", 0, "also write everything to FILE, for programs", 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse_option,
        .args_doc = "DIR...",
        .doc = "Compare runs with the papers they are for, cell by cell and claim by claim (docs/verdicts.md)."
               "\vExit status: 0 nothing differs that docs/deviations.md does not explain, 1 something does, 3 no "
               "cell could be compared.",
    };
    struct conform_options given = {.json = NULL};
    struct run_folders runs = {0};
    struct conformance conformance = {0};
    struct error error = {0};
    int result = EXIT_OK;
    cli_parse(&argp, argc, argv, &given);
    if (compare(&given, &runs, &conformance, &error) == STATUS_OK) {
        conform_print(&conformance, given.json && strcmp(given.json, "-") == 0 ? stderr : stdout);
        cli_print_partial(given.folders.path, given.folders.count);
        if (fflush(stdout) != 0)
            error_set(&error, STATUS_IO, "standard output: cannot be written");
        else if (conformance.unexplained_cells + conformance.unexplained_claims + conformance.unexplained_reversed > 0)
            result = EXIT_DIFFERENT;
        else if (conformance.compared == 0)
            result = EXIT_NO_DATA;
    }
    conformance_free(&conformance);
    run_folders_free(&runs);
    free(given.folders.path);
    return cli_folders_status(&error, result);
}
