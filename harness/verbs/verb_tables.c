/* hullbench tables DIR...: the tables of runs next to the published ones, or the tables of a specification. */

#include "harness/cli/cli.h"
#include "harness/tables/run_tables.h"

struct tables_arguments {
    struct cli_arguments common;
    const char *spec;
};

#define ARGUMENTS struct tables_arguments
static const struct cli_option options[] = {
    {"spec", 's', "FILE",
     "Write only the tables that this JSON file specifies, from the records of all folders, into the first folder",
     AT(spec)},
    {0},
};

static int work(void *context)
{
    const struct tables_arguments *arguments = context;
    struct table_log log = {.said = stdout, .warned = stderr};
    run_tables_write(cli_read_folders(&arguments->common), arguments->spec, &log);
    return EXIT_OK;
}

const struct cli_verb verb_tables = {
    .name = "tables", .title = "write the tables of a run, with the paper's values",
    .usage = "DIR...",
    .doc = "Writes the tables of a run: DIR/tables/summary.{json,md,tex,csv}, the tables that DIR/config.json "
           "specifies under \"tables\" (docs/tables.md) and every published table that it names there, with the "
           "values of the paper. With several folders, published tables and claims use the records of all of them, "
           "paired by data set and split.\nExit status: 0 success, 2 wrong usage or bad input, 3 a specified table "
           "has no records, 4 system error.",
    .options = options, .plugins = 1, .of_folders = 1,
    .size = sizeof(struct tables_arguments), .work = work,
};
