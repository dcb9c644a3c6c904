/* hullbench export DIR...: records and traces as flat CSV, for other programs. */

#include "harness/cli/cli.h"
#include "harness/folders/csv_export.h"

enum { RECORDS, TRACES, OUTPUTS };

struct export_arguments {
    struct cli_arguments common;
    struct cli_output outputs[OUTPUTS];
};

#define ARGUMENTS struct export_arguments
static const struct cli_option options[] = {
    OPTION_OUT_FILE(outputs[RECORDS], "Write the records to FILE (default: -, standard output)"),
    {"traces", 't', "FILE", "Also write the traces to FILE, one row for each point",
     OUTPUT_AT(outputs[TRACES])},
    {0},
};

static int work(void *context)
{
    struct export_arguments *arguments = context;
    struct cli_output *records = &arguments->outputs[RECORDS], *traces = &arguments->outputs[TRACES];
    if (!records->name.path)
        records->name.path = "-";
    cli_outputs_open_of_runs(arguments->outputs, OUTPUTS, &arguments->common);
    struct run_folders *folders = cli_read_folders(&arguments->common);
    const struct csv_export *opened = csv_export_open(arguments->common.pool, folders);
    csv_export_records(opened, records->file.stream);
    cli_output_commit(records);
    if (traces->name.path)
        csv_export_traces(opened, traces->file.stream);
    cli_output_commit(traces);
    csv_export_warn(folders, stderr);
    return EXIT_OK;
}

const struct cli_verb verb_export = {
    .name = "export", .title = "write records and traces as CSV, for Python, R and others",
    .usage = "DIR...",
    .doc = "Writes the records of runs as one CSV file, one row for each record, with settings and results in "
           "columns, for programs such as Python and R. With several folders the first column names the folder.\vAn "
           "empty field is a missing value. docs/export.md describes the columns and how to read the file.",
    .options = options, .of_folders = 1,
    .size = sizeof(ARGUMENTS), .work = work,
};
