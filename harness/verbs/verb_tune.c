/* hullbench tune: searches for one or two numbers by grid and CMA-ES, into a folder. */

#include "harness/base/terminal.h"
#include "harness/cli/cli.h"
#include "harness/format/number_text.h"
#include "harness/tune/tune.h"

#define ARGUMENTS struct cli_arguments
static const struct cli_option options[] = {
    OPTION_OUT("DIR", "Folder for the results; an unfinished search there is resumed"),
    OPTION_JOBS,
    OPTION_SOLVERS,
    OPTION_DATASETS,
    OPTION_DRY_RUN("Print the planned evaluations, run nothing"),
    OPTION_FORCE("Remove the results that another search left in DIR"),
    OPTION_NO_RENDER('n', "Write the numbers (.dat) and gnuplot programs (.gp), but no pictures"),
    OPTION_QUIET("Print neither progress nor a summary"),
    {0},
};

static void print_plan(const struct tune *tune)
{
    const struct tune_config *config = tune->config;
    printf("%s: %zu evaluations of %zu folds each\n", tune->run.config->name, tune->n_evaluations,
           config->n_splits * config->n_folds);
    printf("%-14s %-20s %7s %8s %6s %7s\n", "data set", "solver", "train", "printed", "grid", "CMA-ES");
    for (size_t i = 0; i < tune->n_searches; i++) {
        const struct search *search = &tune->searches[i];
        size_t n_train = tune->run.datasets[search->dataset]->splits[0].n_train;
        printf("%-14s %-20s %7zu %8d %6zu %7zu\n", search->dataset_name, search->solver_name, n_train,
               search->has_printed, tune_grid_size(config), config->generations * config->population);
    }
    for (size_t m = 0; m < tune->run.n_missing; m++)
        printf("%-14s %-20s\n", tune->run.missing[m].name, "missing");
}

/* The chosen point and its errors. */
static void print_choice(const struct tune *tune, const struct search *search)
{
    const struct choice *chosen = &search->chosen;
    struct pool *pool = pool_new();
    const char *text = pool_printf(pool, "%s, %s:", search->dataset_name, search->solver_name);
    for (size_t a = 0; chosen->point && a < tune->config->n_axes; a++)
        text = pool_printf(pool, "%s %s %.4g,", text, tune->config->axes[a].name, chosen->point->value[a]);
    text = chosen->point ? pool_printf(pool, "%s error %.2f %% (%zu point%s)", text, chosen->error_percent,
                                       chosen->tied, chosen->tied == 1 ? "" : "s")
                         : pool_printf(pool, "%s no point was chosen", text);
    if (search->test_error.n)
        text = pool_printf(pool, "%s, outer test error %.2f %%", text, search->test_error.mean);
    terminal_printf(stdout, "%s\n", text);
    pool_free(pool);
}

static void print_summary(const struct tune *tune)
{
    const struct run *run = &tune->run;
    char outcomes[256];
    if (tune->run.was_complete) {
        printf("%s: already complete in %s\n", run->config->name, tune->options->out);
        return;
    }
    terminal_printf(stdout, "%s: %zu evaluations in %s (%s), problems %s\n", run->config->name, tune->n_evaluations,
                    tune->options->out, number_text_duration(run->seconds),
                    outcomes_text(run->outcomes, outcomes, sizeof outcomes));
    for (size_t i = 0; i < tune->n_searches; i++)
        print_choice(tune, &tune->searches[i]);
    printf("%s/tune.md\n", tune->options->out);
}

static int work(void *context)
{
    struct cli_arguments *arguments = context;
    int status = EXIT_OK;
    arguments->run.config = arguments->words[0];
    interruptible_begin(arguments);
    struct tune *tune = tune_open(arguments->pool, &arguments->run);
    tune->figures.no_render = arguments->no_render;
    cli_print_data(&tune->run, arguments->quiet);
    if (arguments->dry_run)
        print_plan(tune);
    else {
        tune_execute(tune);
        if (!arguments->quiet)
            print_summary(tune);
        if (tune_print_unsuccessful(tune, stderr) > 0) /* also for a folder that was complete */
            status = EXIT_DIFFERENT;
    }
    if (arguments->quiet)
        cli_print_missing(&tune->run);
    figure_sink_end(&tune->figures);
    return status;
}

static const struct cli_arguments defaults = {.run = {.shard = 1, .shards = 1}};

const struct cli_verb verb_tune = {
    .name = "tune", .title = "search for C and kernel width by cross-validation",
    .usage = "CONFIG --out DIR",
    .doc = "Searches for the C and the kernel width, or for any one or two parameters of the kernel and the solvers, "
           "with the lowest cross-validation error, by grid and CMA-ES, and compares C and width with printed values "
           "(docs/tuning.md).\nhullbench searches for data in the folders of HULLBENCH_DATA (separated by colons), "
           "then in datasets/cache. To resume an interrupted search, repeat the command.",
    .options = options, .plugins = 1, .min_words = 1, .max_words = 1, .words = "expected a configuration file",
    .size = sizeof defaults, .defaults = &defaults, .check = cli_check_out, .work = work,
};
