/* hullbench bundle DIR: a finished run as one archive. */

#include "harness/folders/bundle.h"
#include "harness/cli/cli.h"

struct bundle_arguments {
    struct cli_arguments common;
    struct cli_list sources;
    struct cli_output output;
};

#define ARGUMENTS struct bundle_arguments
static const struct cli_option options[] = {
    OPTION_OUT_FILE(output, "Archive to write; - is standard output (default: hullbench-NAME.tar, "
                                              "with the name of the configuration)"),
    {"plugin-source", 0, "FILE", "Add a source file of a plugin; may be repeated", LIST_AT(sources)},
    OPTION_QUIET("Print no summary"),
    {0},
};

/* Without --out the name is known only once the folder has been read: the archive is made in memory first. */
static int work(void *context)
{
    struct bundle_arguments *arguments = context;
    struct pool *pool = arguments->common.pool;
    struct cli_output *output = &arguments->output;
    const struct bundle_request request = {arguments->common.words[0], arguments->sources.item,
                                           arguments->sources.count};
    const struct bundle bundle = bundle_make(pool, &request);
    if (!output->name.path)
        output->name.path = pool_printf(pool, "%s.tar", bundle.name);
    cli_check_input(&arguments->common, "the run", request.folder);
    cli_outputs_open(&arguments->common);
    fwrite(bundle.bytes, 1, bundle.size, output->file.stream);
    if (!arguments->common.quiet)
        fprintf(cli_report_stream(&arguments->common), "%s: %zu files\n", outfile_shown(output->name.path),
                bundle.files);
    return EXIT_OK;
}

const struct cli_verb verb_bundle = {
    .name = "bundle", .title = "write a finished run as one archive, to share it",
    .usage = "DIR",
    .doc = "Writes the finished run in the folder DIR as one tar archive: records, times, traces, tables, "
           "configuration and run.json, a README with the commands that repeat the run, and SHA256SUMS.\nThe archive "
           "of a folder always has the same bytes. A folder with a changed or missing file is refused. Files that "
           "run.json does not list are left out. `hullbench replay --verify ARCHIVE` checks an archive, and "
           "`hullbench replay ARCHIVE` also repeats the run. Exit status: 0 success, 2 wrong usage or bad input, 4 "
           "system error.",
    .options = options, .min_words = 1, .max_words = 1, .words = "expected one run folder",
    .size = sizeof(ARGUMENTS), .work = work,
};
