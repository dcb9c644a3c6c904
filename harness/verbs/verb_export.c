/* hullbench export DIR...: records and traces as flat CSV, for other programs. */

#include "harness/cli/cli.h"
#include "harness/base/json_writer.h"
#include "harness/folders/csv_export.h"
#include "harness/records/selection.h"
#include "harness/support/json_reader.h"

struct export_arguments {
    struct cli_arguments common;
    struct cli_output records, traces;
    const char *solvers, *datasets;
};

#define ARGUMENTS struct export_arguments
static const struct cli_option options[] = {
    OPTION_OUT_FILE(records, "Write the records to FILE (default: -, standard output)"),
    {"traces", 't', "FILE", "Also write the traces to FILE, one row for each point", OUTPUT_AT(traces)},
    {"solvers", 0, "A,B", "Only these solvers", AT(solvers)},
    {"datasets", 0, "X,Y", "Only these data sets", AT(datasets)},
    {0},
};

static void check(void *context)
{
    struct cli_output *records = &((struct export_arguments *)context)->records;
    records->name.path = records->name.path ? records->name.path : "-";
}

static int work(void *context)
{
    const struct export_arguments *arguments = context;
    struct run_folders *folders = cli_read_folders(&arguments->common);
    cJSON *selection = json_keep(arguments->common.pool, json_new_object());
    selection_add_option(selection, "--solvers", arguments->solvers);
    selection_add_option(selection, "--datasets", arguments->datasets);
    const struct csv_export *opened =
        csv_export_open(arguments->common.pool, folders, arguments->solvers || arguments->datasets ? selection : NULL);
    csv_export_records(opened, arguments->records.file.stream);
    if (arguments->traces.name.path)
        csv_export_traces(opened, arguments->traces.file.stream);
    csv_export_warn(folders, stderr);
    return EXIT_OK;
}

const struct cli_verb verb_export = {
    .name = "export", .title = "write records and traces as CSV, for Python, R and others",
    .usage = "DIR...",
    .doc = "Writes the records of runs as one CSV file, one row for each record, with settings and results in "
           "columns, for programs such as Python and R. With several folders the first column names the folder.\nAn "
           "empty field is a missing value. docs/export.md describes the columns and how to read the file.",
    .options = options, .of_folders = 1,
    .size = sizeof(ARGUMENTS), .check = check, .work = work,
};
