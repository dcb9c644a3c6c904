/* hullbench tables DIR...: the tables of runs next to the published ones, or the tables of a specification. */
#include <stdint.h>
#include <stdio.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_environment.h"
#include "harness/cli/options.h"
#include "harness/tables/run_tables.h"

struct tables_arguments {
    struct cli_arguments common;
    const char *spec;
};

int verb_tables(int argc, char **argv)
{
    static const struct cli_option options[] = {
        {"spec", 's', "FILE",
         "Write only the tables that this JSON file specifies, from the records of all folders, into the first folder",
         OPTION_AT(struct tables_arguments, spec)},
        {0},
    };
    static const struct cli_verb verb = {
        "DIR...",
        "Writes the tables of a run: DIR/tables/summary.{json,md,tex,csv}, the tables that DIR/config.json specifies "
        "under \"tables\" (docs/tables.md) and every published table that it names there, with the values of the "
        "paper. With several folders, published tables and claims use the records of all of them, paired by data set "
        "and split.\vExit status: 0 success, 2 wrong usage or bad input, 3 a specified table has no records, 4 system "
        "error.",
        options, 1, 1, SIZE_MAX, "expected at least one run folder", NULL};
    struct tables_arguments arguments = {.spec = NULL};
    const struct cli_arguments *given = &arguments.common;
    struct run_folders folders = {0};
    struct table_log log = {.said = stdout, .warned = stderr};
    struct error error = {0};
    cli_parse(&verb, argc, argv, &arguments);
    if (run_folders_read(given->words, given->n_words, FOLDER_CONFIG, &folders, &error) != STATUS_OK)
        return cli_folders_status(&error, EXIT_OK);
    enum status status = arguments.spec ? spec_tables_write(&folders, arguments.spec, &log, &error)
                                        : run_tables_write(&folders, &log, &error);
    if (status == STATUS_OK)
        cli_print_partial(given->words, given->n_words);
    run_folders_free(&folders);
    return status == STATUS_OK ? EXIT_OK : cli_fail(&error);
}
