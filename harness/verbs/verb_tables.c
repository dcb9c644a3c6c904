/* hullbench tables DIR...: the tables of runs, with the published ones they are for. */
#include <stdint.h>
#include <stdio.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/cli/options.h"
#include "harness/tables/run_tables.h"

int verb_tables(int argc, char **argv)
{
    static const struct cli_verb verb = {
        "DIR...",
        "Write the tables of a run: DIR/tables/summary.{json,md,tex,csv}, and beside the paper's figures every "
        "published table that DIR/config.json names under \"tables\". With several folders the published tables "
        "and claims rest on the records of all of them, paired by data set and split.",
        NULL, 0, 1, SIZE_MAX, "expected at least one run folder", NULL};
    struct cli_arguments given = {.words = NULL};
    struct run_folders folders = {0};
    struct error error = {0};
    cli_parse(&verb, argc, argv, &given);
    if (run_folders_read(given.words, given.n_words, FOLDER_CONFIG, &folders, &error) == STATUS_OK &&
        run_tables_write(&folders, stdout, &error) == STATUS_OK)
        cli_print_partial(given.words, given.n_words);
    run_folders_free(&folders);
    return cli_folders_status(&error, EXIT_OK);
}
