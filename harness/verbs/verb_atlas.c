/* hullbench atlas DIR... --out DIR: which solver reaches which accuracy at what cost, and where each is best. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/atlas/atlas_output.h"
#include "harness/cli/cli.h"
#include "harness/cli/cli_environment.h"
#include "harness/cli/options.h"
#include "harness/base/memory.h"

struct atlas_arguments {
    struct cli_arguments common;
    struct atlas_options atlas;
    const char **pairs; /* owned copies of the options */
};

static void take_pair(void *arguments, char *text)
{
    struct atlas_arguments *all = arguments;
    const char *colon = strchr(text, ':');
    if (!colon || colon == text || !colon[1] || strchr(colon + 1, ':'))
        cli_refuse("--pair: \"%s\" is not A:B", text);
    all->pairs = xreallocarray(all->pairs, all->atlas.n_pairs + 1, sizeof *all->pairs);
    all->pairs[all->atlas.n_pairs++] = text;
}

static const struct cli_option options[] = {
    OPTION_OUT("DIR", "Folder for atlas.json, tables and figures"),
    {"rule", 0, "NAME", "Stopping rule whose tolerances are the targets (default: svm-gap if the records have it, else "
                        "their only rule)", OPTION_AT(struct atlas_arguments, atlas.rule)},
    {"solvers", 0, "A,B", "Only these solvers", OPTION_AT(struct atlas_arguments, atlas.solvers)},
    {"datasets", 0, "X,Y", "Only these data sets", OPTION_AT(struct atlas_arguments, atlas.datasets)},
    {"pair", 0, "A:B", "Also compare the costs of solver B with those of A, named as in the tables; may be repeated",
     .take = take_pair},
    {"seed", 0, "N", "Seed of the bootstrap, 1 to 1000000000 (default: 1)",
     COUNT_AT(struct atlas_arguments, atlas.seed, 1, 1e9)},
    {"resamples", 0, "N", "Number of bootstrap resamples, 10 to 100000 (default: 1000)",
     COUNT_AT(struct atlas_arguments, atlas.resamples, 10, 1e5)},
    OPTION_NO_RENDER(0, "Write the numbers (.dat) and gnuplot programs (.gp) of the figures, but no pictures"),
    OPTION_QUIET("Print nothing"),
    {0},
};

static int draw_atlas(const struct atlas_arguments *arguments, struct atlas *atlas)
{
    struct atlas_results results = {0};
    struct error error = {0};
    enum status status = atlas_results_of(atlas, &results, &error);
    if (status == STATUS_OK && !arguments->common.quiet)
        atlas_print_notes(atlas, stdout);
    if (status == STATUS_OK)
        status = atlas_write(atlas, &results, arguments->common.run.out, arguments->common.no_render, &error);
    atlas_results_free(&results);
    return status == STATUS_OK ? EXIT_OK : cli_fail(&error);
}

int verb_atlas(int argc, char **argv)
{
    static const struct cli_verb verb = {
        "DIR... --out DIR",
        "Compares solvers over data sets, C and kernel width at fixed accuracies, from runs whose stopping rule has "
        "several tolerances: shares of targets reached within a budget, and maps of the best solver "
        "(docs/comparing.md).\vWrites DIR/atlas.json, tables and DIR/plots. `hullbench plot DIR --for paper` redraws "
        "the figures for print. Exit status: 0 success, 2 wrong usage or bad input, 3 nothing to compare, 4 system "
        "error.",
        options, 1, 1, SIZE_MAX, "expected at least one run folder", cli_check_out};
    struct atlas_arguments arguments = {.atlas = atlas_defaults};
    struct atlas atlas = {0};
    struct error error = {0};
    cli_parse(&verb, argc, argv, &arguments);
    arguments.atlas.folders = arguments.common.words;
    arguments.atlas.n_folders = arguments.common.n_words;
    arguments.atlas.pairs = arguments.pairs;
    const enum status status = atlas_read(&arguments.atlas, &atlas, &error);
    int result = status == STATUS_OK ? EXIT_OK : cli_fail(&error);
    if (status == STATUS_OK) {
        cli_print_partial(arguments.common.words, arguments.common.n_words);
        result = draw_atlas(&arguments, &atlas);
    }
    atlas_free(&atlas);
    free(arguments.pairs);
    return result;
}
