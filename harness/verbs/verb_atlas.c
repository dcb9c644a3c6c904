/* hullbench atlas DIR... --out DIR: which solver reaches which accuracy at what cost, and where each is best. */
#include <string.h>

#include "harness/atlas/atlas.h"
#include "harness/cli/cli.h"

struct atlas_arguments {
    struct cli_arguments common;
    struct atlas_options atlas;
    struct cli_list pairs;
};

#define ARGUMENTS struct atlas_arguments
static const struct cli_option options[] = {
    OPTION_OUT("DIR", "Folder for atlas.json, tables and figures"),
    {"rule", 0, "NAME", "Stopping rule whose tolerances are the targets (default: svm-gap if the records have it, else "
                        "their only rule)", AT(atlas.rule)},
    {"solvers", 0, "A,B", "Only these solvers", AT(atlas.solvers)},
    {"datasets", 0, "X,Y", "Only these data sets", AT(atlas.datasets)},
    {"pair", 0, "A:B", "Also compare the costs of solver B with those of A, named as in the tables; may be repeated",
     LIST_AT(pairs)},
    {"seed", 0, "N", "Seed of the bootstrap, 1 to 1000000000 (default: 1)", COUNT_AT(atlas.seed, 1, 1e9)},
    {"resamples", 0, "N", "Number of bootstrap resamples, 10 to 100000 (default: 1000)",
     COUNT_AT(atlas.resamples, 10, 1e5)},
    OPTION_NO_RENDER(0, "Write the numbers (.dat) and gnuplot programs (.gp) of the figures, but no pictures"),
    OPTION_QUIET("Print nothing"),
    {0},
};

static void check(void *context)
{
    struct atlas_arguments *arguments = context;
    cli_check_out(arguments);
    for (size_t i = 0; i < arguments->pairs.count; i++) {
        const char *pair = arguments->pairs.item[i], *colon = strchr(pair, ':');
        if (!colon || colon == pair || !colon[1] || strchr(colon + 1, ':'))
            cli_refuse("--pair: \"%s\" is not A:B", pair);
    }
    arguments->atlas.folders = arguments->common.words;
    arguments->atlas.n_folders = arguments->common.n_words;
    arguments->atlas.pairs = arguments->pairs.item;
    arguments->atlas.n_pairs = arguments->pairs.count;
}

static int work(void *context)
{
    const struct atlas_arguments *arguments = context;
    const struct cli_arguments *common = &arguments->common;
    struct atlas *atlas = atlas_read(common->pool, pool_new_inside(common->pool), &arguments->atlas);
    if (!common->quiet)
        atlas_print_notes(atlas, stdout);
    atlas_write(atlas, common->run.out, common->no_render);
    return EXIT_OK;
}

static const struct atlas_arguments defaults = {.atlas = ATLAS_DEFAULTS};

const struct cli_verb verb_atlas = {
    .name = "atlas", .title = "map the best solver over C, kernel width and accuracy",
    .usage = "DIR... --out DIR",
    .doc = "Compares solvers over data sets, C and kernel width at fixed accuracies, from runs whose stopping rule "
           "has several tolerances: shares of targets reached within a budget, and maps of the best solver "
           "(docs/comparing.md).\nWrites DIR/atlas.json, tables and DIR/plots. `hullbench plot DIR --for paper` "
           "redraws the figures for print. Exit status: 0 success, 2 wrong usage or bad input, 3 nothing to compare, "
           "4 system error.",
    .options = options, .plugins = 1, .of_folders = 1,
    .size = sizeof defaults, .defaults = &defaults, .check = check, .work = work,
};
