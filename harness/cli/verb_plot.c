/* hullbench plot DIR: the figures of a run folder, their numbers, gnuplot programs and pictures. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/plot/plot.h"

struct plot_arguments {
    struct cli_folders folders;
    struct plot_options options;
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct plot_arguments *words = state->input;
    switch (key) {
    case 'o':
        words->options.only = argument;
        return 0;
    case 'n':
        words->options.no_render = 1;
        return 0;
    default:
        return cli_take_folder(&words->folders, 1, key, argument, state);
    }
}

int verb_plot(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"only", 'o', "NAME", 0, "Draw just the figures of this name, or of the \"plots\" entry of this name", 0},
        {"no-render", 'n', NULL, 0, "Write the numbers (.dat) and gnuplot programs (.gp), but no pictures", 0},
        {NULL, 0, NULL, 0, NULL, 0},
    };
    const struct argp argp = {
        options, parse_option, "DIR",
        "Draws the figures of the run folder DIR into DIR/plots: NAME.dat, NAME.gp, NAME.svg, NAME.png and NAME.pdf.\v"
        "Which figures: \"plots\" in DIR/config.json, or without it all that the records and traces can feed "
        "(docs/plots.md). Exit status: 0 fine, 2 bad use or input, 3 nothing to draw, 4 gnuplot is missing or failed.",
        plugin_option, NULL, NULL};
    struct plot_arguments words = {.options = {0}};
    struct plot_report report = {0};
    struct error error = {STATUS_OK, ""};
    cli_parse(&argp, argc, argv, &words);
    enum status status = plot_folder(words.folders.path[0], &words.options, &report, &error);
    if (report.notes)
        fputs(report.notes, stderr);
    for (size_t i = 0; i < report.n_figures; i++)
        printf("%s\n", report.figures[i]);
    plot_report_free(&report);
    if (status == STATUS_OK) {
        cli_print_partial(words.folders.path, 1);
        return EXIT_OK;
    }
    int failed = cli_fail(&error);
    return status == STATUS_NOT_FOUND ? EXIT_NO_DATA : failed;
}
