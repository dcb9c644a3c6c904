/* hullbench trend FILE: in which commit did a count move? */
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/folders/history.h"

struct trend_arguments {
    struct cli_arguments common;
    const char *solvers, *datasets;
};

#define ARGUMENTS struct trend_arguments
static const struct cli_option options[] = {
    {"solvers", 0, "A,B", "Only these solvers", AT(solvers)},
    {"datasets", 0, "X,Y", "Only these data sets", AT(datasets)},
    OPTION_OUT("DIR", "Folder for table and figure (default: NAME-trend for NAME.jsonl)"),
    OPTION_NO_RENDER('n', "Write the numbers (.dat) and gnuplot programs (.gp), but no pictures"),
    {0},
};

static int work(void *context)
{
    const struct trend_arguments *arguments = context;
    const struct cli_arguments *common = &arguments->common;
    const char *path = common->words[0], *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const size_t length = strcspn(name, ".");
    const char *folder = common->run.out ? common->run.out : pool_printf(common->pool, "%.*s-trend", (int)length, name);
    struct figure_sink sink = {.no_render = common->no_render};
    file_check_exists(path);
    const struct history history = history_read(common->pool, path);
    const struct trend trend = trend_of(&history, arguments->solvers, arguments->datasets);
    folder_make(folder);
    result_write_files(&trend.page, &trend.data, folder);
    trend_figure(&history, arguments->solvers, arguments->datasets, folder, &sink);
    if (result_rows(&trend.page))
        result_print(&trend.page, stdout);
    printf("%s: counts moved in %zu of %zu runs; table and figure are in %s\n", history.item[0].config, trend.moved,
           history.count, folder);
    figure_sink_end(&sink);
    return EXIT_OK;
}

const struct cli_verb verb_trend = {
    .name = "trend", .title = "in which commit did a count move?",
    .usage = "FILE",
    .doc = "Reads a history that `hullbench check --history FILE` has written, prints which counts moved in which "
           "commit, and draws them.\nExit status: 0 success, also if counts moved, 2 wrong usage or bad input, 3 no "
           "run, 4 system error.",
    .options = options, .min_words = 1, .max_words = 1, .words = "expected one history",
    .size = sizeof(struct trend_arguments), .work = work,
};
