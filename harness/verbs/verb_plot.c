/* hullbench plot DIR...: the figures of run folders, with their numbers, gnuplot programs and pictures. */
#include <stdint.h>
#include <stdio.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/cli/options.h"
#include "harness/plot/plot.h"
#include "harness/plot/plot_choice.h"

struct plot_arguments {
    struct cli_arguments common;
    struct plot_options plot;
    struct plot_choice_options choice;
};

int verb_plot(int argc, char **argv)
{
    static const struct cli_option options[] = {
        {"only", 'o', "NAME", "Draw just the figures of this name, or of the \"plots\" entry of this name", 0,
         offsetof(struct plot_arguments, plot.only), NULL},
        OPTION_NO_RENDER('n', "Write the numbers (.dat) and gnuplot programs (.gp), but no pictures"),
        {"out", 0, "DIR", "Folder of the figures (default: DIR/plots, for paper DIR/paper)", 0,
         offsetof(struct plot_arguments, plot.out), NULL},
        {"spec", 0, "FILE", "What is drawn and how, as JSON (docs/plots.md); options override it", 0,
         offsetof(struct plot_arguments, choice.spec), NULL},
        {"datasets", 0, "X,Y", "Only these data sets", 0, offsetof(struct plot_arguments, choice.datasets), NULL},
        {"solvers", 0, "A,B", "Only these solvers", 0, offsetof(struct plot_arguments, choice.solvers), NULL},
        {"series", 0, "A=NAME,B", "Only these solvers, under these names", 0,
         offsetof(struct plot_arguments, choice.series), NULL},
        {"format", 0, "LIST", "svg, png, pdf, tikz, cairolatex (default: svg,png,pdf; for paper pdf,svg)", 0,
         offsetof(struct plot_arguments, choice.formats), NULL},
        {NULL, 0, NULL, "For print:", 1, 0, NULL},
        {"for", 0, "USE", "screen (default), or paper: drawn to --width, with heading and caption in NAME.txt", 1,
         offsetof(struct plot_arguments, choice.use), NULL},
        {"width", 0, "WIDTH", "column (8.6cm, the default), text (17.8cm), or a width in cm, mm, in or pt", 1,
         offsetof(struct plot_arguments, choice.width), NULL},
        {"font", 0, "FAMILY", "Font of the text (default: DejaVu Sans)", 1,
         offsetof(struct plot_arguments, choice.font), NULL},
        {"font-size", 0, "POINTS", "Size of the text, from 7 (default: 8)", 1,
         offsetof(struct plot_arguments, choice.font_size), NULL},
        {"single-panels", 0, NULL, "Write each panel as a figure of its own, NAME-1, NAME-2, ...", 1,
         offsetof(struct plot_arguments, plot.style.single_panels), NULL},
        {0},
    };
    static const struct cli_verb verb = {
        "DIR...",
        "Draws the figures of the run folder DIR into DIR/plots: NAME.dat, NAME.gp, NAME.svg, NAME.png and NAME.pdf. "
        "With several folders, ratios to a printed table use the records of all of them and are drawn once, in the "
        "first folder that names the table.\v"
        "Which figures: those under \"plots\" in DIR/config.json, else all that the records and traces allow "
        "(docs/plots.md). Exit status: 0 fine, 2 bad use or input, 3 nothing to draw, 4 gnuplot is missing or failed.",
        options, 1, 1, SIZE_MAX, "expected at least one run folder", NULL};
    struct plot_arguments arguments = {.plot = {0}};
    struct plot_report report = {0};
    struct error error = {0};
    cli_parse(&verb, argc, argv, &arguments);
    arguments.plot.no_render = arguments.common.no_render;
    struct plot_choice choice;
    enum status status =
        plot_choice_read(&arguments.choice, &choice, &arguments.plot.style, &arguments.plot.only, &error);
    arguments.plot.choice = &choice;
    if (status == STATUS_OK)
        status = plot_folders(arguments.common.words, arguments.common.n_words, &arguments.plot, &report, &error);
    if (report.notes)
        fputs(report.notes, stderr);
    for (size_t i = 0; i < report.n_figures; i++)
        printf("%s\n", report.figures[i]);
    plot_report_free(&report);
    plot_choice_free(&choice);
    if (status != STATUS_OK)
        return cli_fail(&error);
    cli_print_partial(arguments.common.words, arguments.common.n_words);
    return EXIT_OK;
}
