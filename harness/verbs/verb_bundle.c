/* hullbench bundle DIR: a finished run as one archive. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/bundle/bundle.h"
#include "harness/cli/cli.h"
#include "harness/cli/options.h"
#include "harness/cli/outputs.h"
#include "harness/base/memory.h"

struct bundle_arguments {
    struct cli_arguments common;
    struct cli_list sources;
};

static const struct cli_option options[] = {
    OPTION_OUT("FILE", "Archive to write; - is standard output (default: hullbench-NAME.tar, with the name of the "
                       "configuration)"),
    {"plugin-source", 0, "FILE", "Add a source file of a plugin; may be repeated",
     LIST_AT(struct bundle_arguments, sources)},
    OPTION_QUIET("Print no summary"),
    {0},
};

/* Without --out the name is known only once the folder has been read: the archive is made in memory first. */
static enum status write_archive(const struct bundle_arguments *arguments, struct bundle_result *result,
                                 struct cli_output *output, struct error *error)
{
    const struct bundle_request request = {arguments->common.words[0], arguments->sources.item,
                                           arguments->sources.count};
    const struct cli_file input = {"the run", request.folder};
    static char name[300];
    char *bytes = NULL;
    size_t size = 0;
    FILE *archive = xopen_text(&bytes, &size);
    enum status status = bundle_write(&request, archive, result, error);
    xclose_text(archive);
    snprintf(name, sizeof name, "%s.tar", result->name);
    output->name = (struct cli_file){"--out", arguments->common.run.out ? arguments->common.run.out : name};
    if (status == STATUS_OK)
        status = cli_outputs_open(output, 1, &input, 1, error);
    if (status == STATUS_OK) {
        fwrite(bytes, 1, size, output->file.stream);
        outfile_commit(&output->file);
    }
    free(bytes);
    return status;
}

int verb_bundle(int argc, char **argv)
{
    static const struct cli_verb verb = {
        "DIR",
        "Writes the finished run in the folder DIR as one tar archive: records, times, traces, tables, configuration "
        "and run.json, a README with the commands that repeat the run, and SHA256SUMS.\vThe archive of a folder always "
        "has the same bytes. A folder with a changed or missing file is refused. Files that run.json does not list "
        "are left out. `hullbench replay --verify ARCHIVE` checks an archive, and `hullbench replay ARCHIVE` also "
        "repeats the run. Exit status: 0 success, 2 wrong usage or bad input, 4 system error.",
        options, 0, 1, 1, "expected one run folder", NULL};
    struct bundle_arguments arguments = {.sources = {0}};
    struct bundle_result result = {0};
    struct cli_output output = {0};
    struct error error = {0};
    cli_parse(&verb, argc, argv, &arguments);
    enum status status = write_archive(&arguments, &result, &output, &error);
    if (status == STATUS_OK && !arguments.common.quiet)
        fprintf(cli_report_stream(&output, 1), "%s: %zu files\n", outfile_shown(output.name.path), result.files);
    cli_outputs_abandon(&output, 1);
    free(arguments.sources.item);
    return status == STATUS_OK ? EXIT_OK : cli_fail(&error);
}
