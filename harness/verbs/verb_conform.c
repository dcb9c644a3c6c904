/* hullbench conform DIR...: do the runs agree with the papers? */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_environment.h"
#include "harness/cli/options.h"
#include "harness/cli/outputs.h"
#include "harness/papers/conform.h"

struct conform_arguments {
    struct cli_arguments common;
    const char *json;
};

static enum status compare(const struct conform_arguments *arguments, struct run_folders *runs,
                           struct conformance *conformance, struct cli_output *json, struct error *error)
{
    json->name = (struct cli_file){"--json", arguments->json};
    enum status status = cli_outputs_open_of_runs(json, 1, &arguments->common, error);
    if (status == STATUS_OK)
        status = run_folders_read(arguments->common.words, arguments->common.n_words, FOLDER_CONFIG, runs, error);
    if (status == STATUS_OK)
        status = conform_runs(runs, conformance, error);
    if (status == STATUS_OK && arguments->json) {
        conform_print_json(conformance, json->file.stream);
        outfile_commit(&json->file);
    }
    cli_outputs_abandon(json, 1);
    return status;
}

int verb_conform(int argc, char **argv)
{
    static const struct cli_option options[] = {
        {"json", 'j', "FILE", "Also write all results to FILE as JSON", OPTION_AT(struct conform_arguments, json)},
        {0},
    };
    static const struct cli_verb verb = {
        "DIR...",
        "Compares runs with the papers that they reproduce, cell by cell and claim by claim (docs/verdicts.md).\vExit "
        "status: 0 docs/deviations.md lists all differences, 1 it does not, or cells have no record although a run for "
        "their table is given, 2 wrong usage or bad input, 3 no cell could be compared, 4 system error.",
        options, 1, 1, SIZE_MAX, "expected at least one run folder", NULL};
    struct conform_arguments arguments = {.json = NULL};
    struct run_folders runs = {0};
    struct conformance conformance = {0};
    struct cli_output json = {0};
    struct error error = {0};
    int result = EXIT_OK;
    cli_parse(&verb, argc, argv, &arguments);
    if (compare(&arguments, &runs, &conformance, &json, &error) == STATUS_OK) {
        conform_print(&conformance, cli_report_stream(&json, 1));
        cli_print_partial(arguments.common.words, arguments.common.n_words);
        if (fflush(stdout) != 0)
            error_set(&error, STATUS_IO, "standard output: cannot be written");
        else if (conformance.unexplained_cells + conformance.unexplained_claims + conformance.unexplained_reversed > 0)
            result = EXIT_DIFFERENT;
        else if (conformance.compared == 0)
            result = EXIT_NO_DATA;
        else if (conformance.absent > 0)
            result = EXIT_DIFFERENT;
    }
    conformance_free(&conformance);
    run_folders_free(&runs);
    return cli_folders_status(&error, result);
}
