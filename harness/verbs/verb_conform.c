/* hullbench conform DIR...: do the runs agree with the papers? */
#include "harness/base/terminal.h"
#include "harness/cli/cli.h"
#include "harness/papers/conform.h"
#include "harness/folders/replay.h"

struct conform_arguments {
    struct cli_arguments common;
    struct cli_output json;
};

#define ARGUMENTS struct conform_arguments
static const struct cli_option options[] = {
    {"json", 'j', "FILE", "Also write all results to FILE as JSON", OUTPUT_AT(json)},
    {0},
};

/* The last line: the command that shows the cells side by side. */
static void print_next(const struct cli_arguments *given, FILE *stream)
{
    struct pool_text *command = pool_text_open(given->pool);
    fputs("hullbench report", command->stream);
    for (size_t i = 0; i < given->n_words; i++)
        shell_word_print(command->stream, "", given->words[i]);
    terminal_print_command(stream, "report of all cells, report.html: ", pool_text_end(command));
}

static int work(void *context)
{
    struct conform_arguments *arguments = context;
    const struct conformance conformance =
        conform_runs(arguments->common.pool, cli_read_folders(&arguments->common));
    if (arguments->json.name.path)
        conform_print_json(&conformance, arguments->json.file.stream);
    conform_print(&conformance, cli_report_stream(&arguments->common));
    print_next(&arguments->common, cli_report_stream(&arguments->common));
    const size_t unexplained =
        conformance.unexplained_cells + conformance.unexplained_claims + conformance.unexplained_reversed;
    return unexplained > 0             ? EXIT_DIFFERENT
           : !conformance.has_cells ? EXIT_NO_DATA
           : conformance.absent > 0    ? EXIT_DIFFERENT
                                       : EXIT_OK;
}

const struct cli_verb verb_conform = {
    .name = "conform", .title = "compare runs with the values and claims of papers",
    .usage = "DIR...",
    .doc = "Compares runs with the papers that they reproduce, cell by cell and claim by claim "
           "(docs/verdicts.md).\nExit status: 0 docs/deviations.md lists all differences, 1 it does not, or cells "
           "have no record although a run for their table is given, 2 wrong usage or bad input, 3 no cell could be "
           "compared, 4 system error.",
    .options = options, .plugins = 1, .of_folders = 1,
    .size = sizeof(ARGUMENTS), .work = work,
};
