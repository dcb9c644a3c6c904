/* hullbench export DIR...: records and traces as flat CSV, for other programs. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_environment.h"
#include "harness/cli/options.h"
#include "harness/cli/outputs.h"
#include "harness/export/csv_export.h"
#include "harness/base/memory.h"

enum { RECORDS, TRACES, OUTPUTS };

struct export_arguments {
    struct cli_arguments common;
    const char *traces;
};

static const struct cli_option options[] = {
    OPTION_OUT("FILE", "Write the records to FILE (default: -, standard output)"),
    {"traces", 't', "FILE", "Also write the traces to FILE, one row for each point",
     OPTION_AT(struct export_arguments, traces)},
    {0},
};

static const char *out_of(const struct export_arguments *arguments)
{
    return arguments->common.run.out ? arguments->common.run.out : "-";
}

static enum status open_outputs(struct cli_output *outputs, const struct export_arguments *arguments,
                                struct error *error)
{
    outputs[RECORDS].name = (struct cli_file){"--out", out_of(arguments)};
    outputs[TRACES].name = (struct cli_file){"--traces", arguments->traces};
    return cli_outputs_open_of_runs(outputs, OUTPUTS, &arguments->common, error);
}

static enum status export_folders(struct run_folders *folders, struct cli_output *outputs, struct error *error)
{
    struct csv_export *opened = NULL;
    enum status status = csv_export_open(folders, &opened, error);
    if (status == STATUS_OK) {
        csv_export_records(opened, outputs[RECORDS].file.stream);
        outfile_commit(&outputs[RECORDS].file);
    }
    if (status == STATUS_OK && outputs[TRACES].name.path) {
        csv_export_traces(opened, outputs[TRACES].file.stream);
        outfile_commit(&outputs[TRACES].file);
    }
    if (status == STATUS_OK)
        csv_export_warn(folders, stderr);
    csv_export_close(opened);
    return status;
}

int verb_export(int argc, char **argv)
{
    static const struct cli_verb verb = {
        "DIR...",
        "Writes the records of runs as one CSV file, one row for each record, with settings and results in columns, "
        "for programs such as Python and R. With several folders the first column names the folder.\vAn empty field is "
        "a missing value. docs/export.md describes the columns and how to read the file.",
        options, 0, 1, SIZE_MAX, "expected at least one run folder", NULL};
    struct export_arguments arguments = {.traces = NULL};
    struct run_folders folders = {0};
    struct cli_output outputs[OUTPUTS] = {0};
    struct error error = {0};
    cli_parse(&verb, argc, argv, &arguments);
    if (open_outputs(outputs, &arguments, &error) == STATUS_OK &&
        run_folders_read(arguments.common.words, arguments.common.n_words, FOLDER_CONFIG, &folders, &error) ==
            STATUS_OK &&
        export_folders(&folders, outputs, &error) == STATUS_OK)
        cli_print_partial(arguments.common.words, arguments.common.n_words);
    run_folders_free(&folders);
    cli_outputs_abandon(outputs, OUTPUTS);
    return cli_folders_status(&error, EXIT_OK);
}
