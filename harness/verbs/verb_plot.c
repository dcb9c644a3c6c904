/* hullbench plot DIR...: the figures of run folders, their numbers, gnuplot programs and pictures. */
#include <stdint.h>
#include <stdio.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/cli/options.h"
#include "harness/plot/plot.h"

struct plot_arguments {
    struct cli_arguments common;
    const char *only;
};

int verb_plot(int argc, char **argv)
{
    static const struct cli_option options[] = {
        {"only", 'o', "NAME", "Draw just the figures of this name, or of the \"plots\" entry of this name", 0,
         offsetof(struct plot_arguments, only), NULL},
        OPTION_NO_RENDER('n', "Write the numbers (.dat) and gnuplot programs (.gp), but no pictures"),
        {0},
    };
    static const struct cli_verb verb = {
        "DIR...",
        "Draws the figures of the run folder DIR into DIR/plots: NAME.dat, NAME.gp, NAME.svg, NAME.png and NAME.pdf. "
        "With several folders, ratios to a printed table rest on the records of all of them and are drawn once, in the "
        "first folder that names the table.\v"
        "Which figures: \"plots\" in DIR/config.json, or without it all that the records and traces can feed "
        "(docs/plots.md). Exit status: 0 fine, 2 bad use or input, 3 nothing to draw, 4 gnuplot is missing or failed.",
        options, 1, 1, SIZE_MAX, "expected at least one run folder", NULL};
    struct plot_arguments arguments = {.only = NULL};
    struct plot_report report = {0};
    struct error error = {0};
    cli_parse(&verb, argc, argv, &arguments);
    const struct plot_options how = {.only = arguments.only, .no_render = arguments.common.no_render};
    enum status status = plot_folders(arguments.common.words, arguments.common.n_words, &how, &report, &error);
    if (report.notes)
        fputs(report.notes, stderr);
    for (size_t i = 0; i < report.n_figures; i++)
        printf("%s\n", report.figures[i]);
    plot_report_free(&report);
    if (status != STATUS_OK)
        return cli_fail(&error);
    cli_print_partial(arguments.common.words, arguments.common.n_words);
    return EXIT_OK;
}
