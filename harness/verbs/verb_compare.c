/* hullbench compare: a solver against a baseline, from a configuration to run or from finished runs. */
#include <ctype.h>

#include "harness/cli/cli.h"
#include "harness/compare/compare.h"
#include "harness/records/conditions.h"

struct compare_arguments {
    struct cli_arguments common;
    struct compare_options compare;
    const char *sweep;
    int cost; /* which of `costs`, from 1; 0: not given */
    int of_folders, equal_gaps;
};

/* In the order of --metric. */
static const size_t costs[] = {FIELD_KERNEL_OPERATIONS, FIELD_ITERATIONS, MEASURE_SECONDS};

#define ARGUMENTS struct compare_arguments
static const struct cli_option options[] = {
    {"against", 0, "NAME[,...]", "Baseline: the solver to compare with; may be repeated",
     NAMES_AT(compare.solvers[BASELINE])},
    /* the name in version 0.2.0 */
    {"baseline", 0, "NAME", NULL, NAMES_AT(compare.solvers[BASELINE])},
    {"solver", 0, "NAME[,...]", "Candidate: the solver that is compared; may be repeated",
     NAMES_AT(compare.solvers[CANDIDATE])},
    {"sweep", 0, "SETTING=V1,V2,...", "Compare the solver at each of these values of one setting", AT(sweep)},
    {"metric", 0, "COST", "Cost that the conclusion is about: kernel-operations, iterations or seconds (default: the "
                          "first that both solvers have)", CHOICE_AT(cost, "kernel-operations, iterations, seconds")},
    {"par", 0, "K",
     "A run that did not converge costs K times the largest cost of its data set; K from 1 (default: 10)",
     REAL_AT(compare.penalty, 1, CLI_NO_LIMIT)},
    {"cost-margin", 0, "PERCENT", "Differences in cost up to PERCENT are negligible (default: 5)",
     REAL_AT(compare.cost_margin, 0, CLI_NO_LIMIT)},
    {"error-margin", 0, "POINTS", "Differences in test error up to POINTS, in percentage points, are negligible "
                                  "(default: 0.5)", REAL_AT(compare.error_margin, 0, CLI_NO_LIMIT)},
    {"gap-factor", 0, "F", "A solver whose duality gaps are more than F times as large counts as less accurate; F from "
                           "1 (default: 1.25)", REAL_AT(compare.gap_factor, 1, CLI_NO_LIMIT)},
    OPTION_OUT("DIR", "Folder for the results; an unfinished run there is resumed"),
    OPTION_NO_RENDER(0, "Write the numbers (.dat) and the gnuplot program (.gp) of the figure, but no pictures"),
    OPTION_QUIET("Print only the conclusion, neither progress nor tables"),
    {.help = "With a configuration:"},
    OPTION_JOBS,
    OPTION_DATASETS,
    OPTION_SPLITS,
    OPTION_REPEATS,
    {"equal-gaps", 0, NULL, "Write traces and compare costs at equal duality gaps; times then include writing the "
                            "traces", AT(equal_gaps)},
    OPTION_FORCE("Remove records, traces and tables that another run left in DIR"),
    {0},
};

static void sweep_candidates(struct compare_arguments *arguments)
{
    const char **list = &arguments->compare.solvers[CANDIDATE];
    if (!*list || !arguments->compare.solvers[BASELINE])
        cli_refuse("--sweep needs --against NAME and --solver NAME");
    const char *swept = sweep_add(arguments->common.pool, arm_options[CANDIDATE], *list, arguments->sweep);
    if (!swept)
        cli_refuse("--sweep: \"%s\" is not SETTING=V1,V2,...", arguments->sweep);
    *list = swept;
}

static void check(void *context)
{
    struct compare_arguments *arguments = context;
    const char *const *words = arguments->common.words, *const *solvers = arguments->compare.solvers;
    const char **folders = arguments->compare.folders;
    struct run_options *run = &arguments->common.run;
    const size_t count = arguments->common.n_words;
    run->config = words[0];
    arguments->of_folders = file_is_folder(words[0]);
    folders[BASELINE] = arguments->of_folders ? words[0] : run->out;
    folders[CANDIDATE] = count == 2 ? words[1] : folders[BASELINE];
    if (arguments->cost)
        arguments->compare.cost = costs[arguments->cost - 1];
    if (arguments->sweep)
        sweep_candidates(arguments);
    if (arguments->of_folders && count == 2 && !file_is_folder(words[1]))
        cli_refuse("\"%s\" is a folder, but \"%s\" is not", words[0], words[1]);
    else if (arguments->of_folders && (run->threads || run->datasets || run->splits || run->repeats || run->force))
        cli_refuse("--jobs, --datasets, --splits, --repeats and --force need a configuration, not folders");
    else if (arguments->of_folders && arguments->equal_gaps)
        cli_refuse("--equal-gaps needs a configuration; folders with traces are always compared at equal gaps");
    else if (!arguments->of_folders && count == 2)
        cli_refuse("expected one configuration file or two run folders; \"%s\" is not a folder", words[0]);
    else if (!arguments->of_folders && (!solvers[BASELINE] || !solvers[CANDIDATE]))
        cli_refuse("a configuration needs --against NAME and --solver NAME");
    else if (!arguments->of_folders)
        cli_check_out(arguments);
}

/* The names of the solvers of both arms, separated by commas. */
static char *list_names(struct pool *pool, const struct solver_choices groups[ARMS])
{
    char *names = NULL;
    for (int s = 0; s < ARMS; s++)
        for (size_t i = 0; i < groups[s].count; i++)
            names = pool_printf(pool, "%s%s%s", names ? names : "", names ? "," : "", groups[s].items[i].name);
    return names;
}

/* Runs the solvers of both arms into the folder. Returns a note on their settings. */
static const char *run_all(struct compare_arguments *arguments)
{
    struct pool *pool = arguments->common.pool;
    struct run_options *run_options = &arguments->common.run;
    struct solver_choices groups[ARMS];
    struct run run;
    for (int s = 0; s < ARMS; s++) {
        groups[s] = solver_choices_read(pool, arm_options[s], arguments->compare.solvers[s]);
        groups[s] = sweep_expand(pool, arm_options[s], NULL, &groups[s]);
    }
    const struct compare_config config =
        compare_config_read(pool, run_options->config, groups, arguments->equal_gaps);
    run_options->solvers = list_names(pool, groups);
    struct pool *of_run = pool_new(); /* released before the comparison */
    run_open(&run, run_options, config_parse(of_run, run_options->config, config.text));
    cli_print_data(&run, arguments->common.quiet);
    run_execute(&run);
    if (arguments->common.quiet)
        cli_print_missing(&run);
    pool_free(of_run);
    return config.note;
}

/* The note, followed by what the runs lack, which is also printed if a run has not done so. */
static const char *add_gaps(const struct compare_arguments *arguments, const struct run_folders *runs, const char *note)
{
    const struct string_list gaps = run_folders_gaps(arguments->common.pool, runs, NULL);
    if (arguments->of_folders)
        cli_print_gaps(&gaps);
    for (size_t i = 0; i < gaps.count; i++)
        note = pool_printf(arguments->common.pool, "%s%s%c%s.", note, *note ? " " : "",
                           toupper((unsigned char)*gaps.line[i]), gaps.line[i] + 1);
    return note;
}

static int work(void *context)
{
    struct compare_arguments *arguments = context;
    const char *const *folders = arguments->compare.folders, *note = "";
    if (!arguments->of_folders) {
        interruptible_begin(&arguments->common);
        note = run_all(arguments);
    }
    const struct comparisons *comparisons = comparisons_make(arguments->common.pool, &arguments->compare);
    note = add_gaps(arguments, comparisons->runs, note);
    cli_print_partial(folders, comparisons->runs->count);
    comparisons_print(comparisons, note, arguments->common.quiet, stdout);
    fflush(stdout);
    if (arguments->common.run.out)
        comparisons_write(comparisons, note, arguments->common.run.out, arguments->common.no_render);
    return EXIT_OK;
}

static const struct compare_arguments defaults = {.common.run = RUN_OPTIONS_OF_ALL, .compare = COMPARE_DEFAULTS};

const struct cli_verb verb_compare = {
    .name = "compare", .title = "compare a solver with a baseline, pair by pair",
    .usage = "CONFIG --against NAME --solver NAME --out DIR\nDIR [DIR] [--against NAME] [--solver NAME]",
    .doc = "Compares a solver with a baseline, pair by pair of data set and split (docs/comparing.md).\nIf several "
           "are given, each solver is compared with each baseline. NAME[SETTING=VALUE,...] is a solver with these "
           "settings. Given a configuration, hullbench first runs all of them into DIR, as `hullbench run` does; a "
           "solver that is not in its list gets the settings of a solver that it is compared with. Given two "
           "folders, it takes the baseline from the first and the solver from the second; both may have the same "
           "name. Exit status: 0 compared, whatever the result, 2 wrong usage or bad input, 3 nothing to compare, 4 "
           "system error.",
    .options = options, .plugins = 1, .min_words = 1, .max_words = ARMS,
    .words = "expected a configuration file, or one or two run folders",
    .size = sizeof defaults, .defaults = &defaults, .check = check, .work = work,
};
