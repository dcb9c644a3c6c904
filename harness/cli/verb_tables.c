/* hullbench tables DIR...: the tables of runs, with the published ones they are for. */
#include <argp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/tables/run_tables.h"

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    return cli_take_folder(state->input, SIZE_MAX, key, text, state);
}

int verb_tables(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = parse_option,
        .args_doc = "DIR...",
        .doc = "Write the tables of a run: DIR/tables/summary.{json,md,tex,csv}, and beside the paper's figures every "
               "published table that DIR/config.json names under \"tables\". With several folders the published tables "
               "and claims rest on the records of all of them, paired by data set and split.",
    };
    struct cli_folders given = {0};
    struct run_folders folders = {0};
    struct error error = {0};
    cli_parse(&argp, argc, argv, &given);
    if (run_folders_read(given.path, given.count, FOLDER_CONFIG, &folders, &error) == STATUS_OK &&
        run_tables_write(&folders, stdout, &error) == STATUS_OK)
        cli_print_partial(given.path, given.count);
    run_folders_free(&folders);
    free(given.path);
    return cli_folders_status(&error, EXIT_OK);
}
