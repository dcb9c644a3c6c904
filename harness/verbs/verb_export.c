/* hullbench export DIR...: records and traces as flat CSV, for other programs. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/cli/options.h"
#include "harness/export/csv_export.h"
#include "harness/support/file.h"

struct export_arguments {
    struct cli_arguments common;
    const char *traces;
};

static const struct cli_option options[] = {
    OPTION_OUT("FILE", "Write the records to FILE; default: -, the standard output"),
    {"traces", 't', "FILE", "Also write the traces to FILE, one row a point", 0,
     offsetof(struct export_arguments, traces), NULL},
    {0},
};

static const char *out_of(const struct export_arguments *arguments)
{
    return arguments->common.run.out ? arguments->common.run.out : "-";
}

static void check(void *context, struct argp_state *state)
{
    const struct export_arguments *arguments = context;
    if (arguments->traces && strcmp(arguments->traces, out_of(arguments)) == 0)
        argp_error(state, "--out and --traces need different files, and only one of them can be the standard output");
}

static enum status export_folders(struct run_folders *folders, const struct export_arguments *arguments,
                                  struct error *error)
{
    struct csv_export *opened = NULL;
    enum status status = csv_export_open(folders, &opened, error);
    if (status == STATUS_OK)
        status = csv_export_records(opened, out_of(arguments), error);
    if (status == STATUS_OK && arguments->traces && file_is_same(out_of(arguments), arguments->traces))
        status = error_set(error, STATUS_BAD_INPUT, "%s and %s are one file", out_of(arguments), arguments->traces);
    if (status == STATUS_OK && arguments->traces)
        status = csv_export_traces(opened, arguments->traces, error);
    csv_export_close(opened);
    return status;
}

int verb_export(int argc, char **argv)
{
    static const struct cli_verb verb = {
        "DIR...",
        "Writes the records of runs as one CSV file, one row for each record, with settings and results in columns, "
        "for programs such as Python and R. With several folders the first column names the folder.\v"
        "An empty field is a missing value. docs/export.md describes the columns and how to read them.",
        options, 0, 1, SIZE_MAX, "expected at least one run folder", check};
    struct export_arguments arguments = {.traces = NULL};
    struct run_folders folders = {0};
    struct error error = {0};
    cli_parse(&verb, argc, argv, &arguments);
    if (run_folders_read(arguments.common.words, arguments.common.n_words, FOLDER_CONFIG, &folders, &error) ==
            STATUS_OK &&
        export_folders(&folders, &arguments, &error) == STATUS_OK)
        cli_print_partial(arguments.common.words, arguments.common.n_words);
    run_folders_free(&folders);
    return cli_folders_status(&error, EXIT_OK);
}
