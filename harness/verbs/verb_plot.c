/* hullbench plot DIR...: the figures of run folders, with their numbers, gnuplot programs and pictures. */

#include "harness/cli/cli.h"
#include "harness/plot/plot.h"

struct plot_arguments {
    struct cli_arguments common;
    struct plot_options plot;
    struct plot_choice_options choice;
};

#define ARGUMENTS struct plot_arguments
static const struct cli_option options[] = {
    {"only", 'o', "NAME", "Draw only the figures of this name, or of the \"plots\" entry of this name", AT(plot.only)},
    OPTION_NO_RENDER('n', "Write the numbers (.dat) and gnuplot programs (.gp), but no pictures"),
    {"out", 0, "DIR", "Folder for the figures (default: DIR/plots, or DIR/paper with --for paper)", AT(plot.out)},
    {"spec", 0, "FILE", "JSON file that describes the figures (docs/plots.md); options override it", AT(choice.spec)},
    {"datasets", 0, "X,Y", "Only these data sets", AT(choice.datasets)},
    {"solvers", 0, "A,B", "Only these solvers", AT(choice.solvers)},
    {"series", 0, "A=NAME,B", "Only these solvers, under these names", AT(choice.series)},
    {"format", 0, "LIST", "Any of svg, png, pdf, tikz, cairolatex (default: svg,png,pdf, or pdf,svg with --for "
                          "paper)", AT(choice.formats)},
    {.help = "For print:"},
    {"for", 0, "USE", "screen (default) or paper: drawn to --width, with heading and caption in NAME.txt",
     AT(choice.use)},
    {"width", 0, "WIDTH", "Width for paper: column (8.6cm, the default), text (17.8cm), or 5cm to 60cm in cm, mm, "
                          "in or pt", AT(choice.width)},
    {"font", 0, "FAMILY", "Font for paper (default: DejaVu Sans)", AT(choice.font)},
    {"font-size", 0, "POINTS", "Font size for paper in points, 7 to 20 (default: 8)", AT(choice.font_size)},
    {"single-panels", 0, NULL, "Write each panel as a separate figure, NAME-1, NAME-2, ...",
     AT(plot.style.single_panels)},
    {0},
};

struct drawing {
    const struct plot_arguments *arguments;
    struct plot_report report;
};

static void draw(void *data)
{
    struct drawing *drawing = data;
    const struct cli_arguments *common = &drawing->arguments->common;
    plot_folders(common->words, common->n_words, &drawing->arguments->plot, &drawing->report);
}

static int work(void *context)
{
    struct plot_arguments *arguments = context;
    struct plot_options *plot = &arguments->plot;
    struct drawing drawing = {arguments, {.pool = arguments->common.pool}};
    const struct plot_report *report = &drawing.report;
    struct error error;
    plot->no_render = arguments->common.no_render;
    plot->choice = plot_choice_read(report->pool, &arguments->choice, &plot->style, &plot->only);
    const enum status status = attempt(draw, &drawing, &error); /* what was drawn before an error is listed */
    if (report->notes)
        fputs(report->notes, stderr);
    for (size_t i = 0; i < report->figures.count; i++)
        printf("%s\n", report->figures.item[i]);
    die_unless_ok(status, &error);
    return EXIT_OK;
}

const struct cli_verb verb_plot = {
    .name = "plot", .title = "draw the figures of a run",
    .usage = "DIR...",
    .doc = "Draws the figures of the run folder DIR into DIR/plots: NAME.dat, NAME.gp, NAME.svg, NAME.png and "
           "NAME.pdf. With several folders, ratios to a printed table use the records of all of them and are drawn "
           "once, in the first folder that names the table.\nThe figures are those under \"plots\" in "
           "DIR/config.json, otherwise all that the records and traces allow (docs/plots.md). Exit status: 0 "
           "success, 2 wrong usage or bad input, 3 nothing to draw, 4 gnuplot is missing or failed, or another "
           "system error.",
    .options = options, .plugins = 1, .of_folders = 1,
    .size = sizeof(struct plot_arguments), .work = work,
};
