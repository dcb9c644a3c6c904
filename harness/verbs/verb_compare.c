/* hullbench compare: a solver against a baseline, from a configuration to run or from finished runs. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_environment.h"
#include "harness/cli/interruptible.h"
#include "harness/compare/compare_config.h"
#include "harness/comparisons/comparisons_output.h"
#include "harness/comparisons/value_sweep.h"
#include "harness/base/memory.h"
#include "harness/records/run_gaps.h"
#include "harness/run/run.h"
#include "harness/support/file.h"

struct compare_arguments {
    struct cli_arguments common;
    struct compare_options compare;
    char *lists[ARMS]; /* the solvers' texts, owned */
    const char *sweep;
    int of_folders, equal_gaps;
};

/* Parses a number of at least `min` for the option `name`. */
/* Adds a list of choices to the earlier ones. */
static void add_choices(struct compare_arguments *arguments, enum arm arm, const char *text)
{
    const char **list = &arguments->compare.solvers[arm];
    char *longer = *list ? xasprintf("%s,%s", *list, text) : xstrdup(text);
    free(arguments->lists[arm]);
    *list = arguments->lists[arm] = longer;
}

static void take_baselines(void *arguments, char *text)
{
    add_choices(arguments, BASELINE, text);
}

static void take_candidates(void *arguments, char *text)
{
    add_choices(arguments, CANDIDATE, text);
}

static void take_metric(void *arguments, char *text)
{
    static const char *const names[] = {[COMPARE_ITERATIONS] = "iterations",
                                        [COMPARE_KERNEL_OPERATIONS] = "kernel-operations",
                                        [COMPARE_SECONDS] = "seconds"};
    enum compare_metric *cost = &((struct compare_arguments *)arguments)->compare.cost;
    *cost = COMPARE_METRICS;
    for (size_t m = 0; m < sizeof names / sizeof *names; m++)
        if (names[m] && strcmp(names[m], text) == 0)
            *cost = (enum compare_metric)m;
    if (*cost == COMPARE_METRICS)
        cli_refuse("--metric: \"%s\" is unknown; allowed: kernel-operations, iterations, seconds", text);
}

static const struct cli_option options[] = {
    {"against", 0, "NAME[,...]", "Baseline: the solver to compare with; may be repeated", .take = take_baselines},
    {"baseline", 0, "NAME", NULL, .take = take_baselines}, /* the name in version 0.2.0 */
    {"solver", 0, "NAME[,...]", "Candidate: the solver that is compared; may be repeated", .take = take_candidates},
    {"sweep", 0, "SETTING=V1,V2,...", "Compare the solver at each of these values of one setting",
     OPTION_AT(struct compare_arguments, sweep)},
    {"metric", 0, "COST", "Cost that the conclusion is about: kernel-operations, iterations or seconds (default: the "
                          "first that both solvers have)", .take = take_metric},
    {"par", 0, "K",
     "A run that did not converge costs K times the largest cost of its data set; K from 1 (default: 10)",
     REAL_AT(struct compare_arguments, compare.penalty, 1, CLI_NO_LIMIT)},
    {"cost-margin", 0, "PERCENT", "Differences in cost up to PERCENT are negligible (default: 5)",
     REAL_AT(struct compare_arguments, compare.cost_margin, 0, CLI_NO_LIMIT)},
    {"error-margin", 0, "POINTS", "Differences in test error up to POINTS, in percentage points, are negligible "
                                  "(default: 0.5)",
                                  REAL_AT(struct compare_arguments, compare.error_margin, 0, CLI_NO_LIMIT)},
    {"gap-factor", 0, "F", "A solver whose duality gaps are more than F times as large counts as less accurate; F from "
                           "1 (default: 1.25)", REAL_AT(struct compare_arguments, compare.gap_factor, 1, CLI_NO_LIMIT)},
    OPTION_OUT("DIR", "Folder for the results; an unfinished run there is resumed"),
    OPTION_NO_RENDER(0, "Write the numbers (.dat) and the gnuplot program (.gp) of the figure, but no pictures"),
    OPTION_QUIET("Print only the conclusion, neither progress nor tables"),
    {.help = "With a configuration:"},
    OPTION_JOBS,
    OPTION_DATASETS,
    OPTION_SPLITS,
    OPTION_REPEATS,
    {"equal-gaps", 0, NULL, "Write traces and compare costs at equal duality gaps; times then include writing the "
                            "traces", OPTION_AT(struct compare_arguments, equal_gaps)},
    OPTION_FORCE("Remove records, traces and tables that another run left in DIR"),
    {0},
};

static int is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static void sweep_candidates(struct compare_arguments *arguments)
{
    const char **list = &arguments->compare.solvers[CANDIDATE];
    if (!*list || !arguments->compare.solvers[BASELINE])
        cli_refuse("--sweep needs --against NAME and --solver NAME");
    char *swept = *list ? sweep_add(*list, arguments->sweep) : NULL;
    if (*list && !swept)
        cli_refuse("--sweep: \"%s\" is not SETTING=V1,V2,...", arguments->sweep);
    free(arguments->lists[CANDIDATE]);
    *list = arguments->lists[CANDIDATE] = swept;
}

static void check(void *context)
{
    struct compare_arguments *arguments = context;
    const char *const *words = arguments->common.words, *const *solvers = arguments->compare.solvers;
    const struct run_options *run = &arguments->common.run;
    const size_t count = arguments->common.n_words;
    arguments->of_folders = is_folder(words[0]);
    if (arguments->sweep)
        sweep_candidates(arguments);
    if (arguments->of_folders && count == 2 && !is_folder(words[1]))
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

/* The names of the solvers of both arms, separated by commas; malloc'ed. */
static char *list_names(const struct solver_choices sides[ARMS])
{
    char *names = NULL;
    size_t size, n = 0;
    FILE *stream = xopen_text(&names, &size);
    for (int s = 0; s < ARMS; s++)
        for (size_t i = 0; i < sides[s].count; i++)
            fprintf(stream, "%s%s", n++ ? "," : "", sides[s].items[i].name);
    xclose_text(stream);
    return names;
}

/* Runs the solvers of both arms into the folder; *note is malloc'ed. */
static enum status run_all(struct compare_arguments *arguments, char **note, struct error *error)
{
    struct run_options *options_of_run = &arguments->common.run;
    const char *const *solvers = arguments->compare.solvers;
    struct solver_choices sides[ARMS] = {{0}};
    char *text = NULL, *names = NULL;
    struct run run;
    enum status status = STATUS_OK;
    for (int s = 0; s < ARMS && status == STATUS_OK; s++)
        if ((status = solver_choices_read(arm_options[s], solvers[s], &sides[s], error)) == STATUS_OK)
            status = sweep_expand(arm_options[s], NULL, &sides[s], error);
    if (status == STATUS_OK)
        status = compare_config_read(options_of_run->config, sides, arguments->equal_gaps, &text, note, error);
    options_of_run->config_text = text;
    if (status == STATUS_OK)
        options_of_run->solvers = names = list_names(sides);
    if (status == STATUS_OK)
        status = run_open(&run, options_of_run, error);
    if (status == STATUS_OK) {
        cli_print_altered(run.datasets, run.config->n_datasets);
        if (!arguments->common.quiet)
            cli_print_data(&run);
        status = run_execute(&run, error);
        if (arguments->common.quiet && status == STATUS_OK)
            cli_print_missing(&run);
        run_close(&run);
    }
    options_of_run->solvers = options_of_run->config_text = NULL;
    for (int s = 0; s < ARMS; s++)
        solver_choices_free(&sides[s]);
    free(text);
    free(names);
    return status;
}

static enum status put_one(const struct compare_arguments *arguments, const struct comparisons *comparisons,
                           const char *note, struct error *error)
{
    const struct compare_report report = {comparisons->items, comparisons->findings[0], comparisons->sentences[0],
                                          note};
    enum status status = arguments->common.quiet ? STATUS_OK : compare_print(&report, stdout, error);
    if (arguments->common.quiet)
        puts(report.sentence);
    fflush(stdout);
    if (status == STATUS_OK && arguments->common.run.out)
        status = compare_write(&report, arguments->common.run.out, arguments->common.no_render, error);
    if (status == STATUS_OK && arguments->common.run.out)
        compare_remove_several(arguments->common.run.out, 1);
    return status;
}

static enum status put_several(const struct compare_arguments *arguments, const struct comparisons *comparisons,
                               const char *note, struct error *error)
{
    enum status status = arguments->common.quiet ? STATUS_OK : comparisons_print(comparisons, note, stdout, error);
    for (size_t i = 0; i < comparisons->n && arguments->common.quiet; i++)
        puts(comparisons->sentences[i]);
    for (size_t i = 0; i < comparisons->n_picks && arguments->common.quiet; i++)
        puts(comparisons->picks[i].sentence);
    fflush(stdout);
    if (status == STATUS_OK && arguments->common.run.out)
        status =
            comparisons_write(comparisons, note, arguments->common.run.out, arguments->common.no_render, error);
    return status;
}

/* The note, followed by what the runs lack, which is also printed if a run has not done so; malloc'ed. */
static char *add_gaps(const struct compare_arguments *arguments, const struct run_folders *runs, const char *note)
{
    struct string_list gaps = {0};
    char *all = xstrdup(note);
    run_folders_gaps(runs, NULL, &gaps);
    if (arguments->of_folders)
        cli_print_gaps(&gaps);
    for (size_t i = 0; i < gaps.count; i++) {
        char *longer = xasprintf("%s%s%c%s.", all, *all ? " " : "", toupper((unsigned char)*gaps.line[i]),
                                 gaps.line[i] + 1);
        free(all);
        all = longer;
    }
    string_list_free(&gaps);
    return all;
}

static int compare(const struct compare_arguments *arguments, const char *note)
{
    struct comparisons comparisons;
    struct error error = {0};
    enum status status = comparisons_make(&arguments->compare, &comparisons, &error);
    if (status == STATUS_OK) {
        char *all = add_gaps(arguments, &comparisons.runs, note);
        int same = file_is_same(arguments->compare.folders[BASELINE], arguments->compare.folders[CANDIDATE]);
        cli_print_partial(arguments->compare.folders, same ? 1 : ARMS);
        int several = comparisons.n + comparisons.n_omitted > 1;
        status = (several ? put_several : put_one)(arguments, &comparisons, all, &error);
        free(all);
    }
    comparisons_free(&comparisons);
    return status == STATUS_OK ? EXIT_OK : cli_fail(&error);
}

static int run_and_compare(void *context)
{
    struct compare_arguments *arguments = context;
    struct error error = {0};
    char *note = NULL;
    enum status status = run_all(arguments, &note, &error);
    int result = status == STATUS_OK ? compare(arguments, note) : cli_fail(&error);
    free(note);
    return result;
}

int verb_compare(int argc, char **argv)
{
    static const struct cli_verb verb = {
        "CONFIG --against NAME --solver NAME --out DIR\nDIR [DIR] [--against NAME] [--solver NAME]",
        "Compares a solver with a baseline, pair by pair of data set and split (docs/comparing.md).\vIf several are "
        "given, each solver is compared with each baseline. NAME[SETTING=VALUE,...] is a solver with these settings. "
        "Given a configuration, hullbench first runs all of them into DIR, as `hullbench run` does; a solver that is "
        "not in its list gets the settings of a solver that it is compared with. Given two folders, it takes the "
        "baseline from the first and the solver from the second; both may have the same name. Exit status: 0 compared, "
        "whatever the result, 2 wrong usage or bad input, 3 nothing to compare, 4 system error.",
        options,
        1,
        1,
        ARMS,
        "expected a configuration file, or one or two run folders",
        check};
    struct compare_arguments arguments = {.common.run = {.shard = 1, .shards = 1, .check_splits = 1},
                                          .compare = compare_defaults};
    cli_parse(&verb, argc, argv, &arguments);
    const char *const *words = arguments.common.words, **folders = arguments.compare.folders;
    folders[BASELINE] = arguments.of_folders ? words[0] : arguments.common.run.out;
    folders[CANDIDATE] = arguments.common.n_words == 2 ? words[1] : folders[BASELINE];
    arguments.common.run.config = words[0];
    int status =
        arguments.of_folders ? compare(&arguments, "") : run_interruptible(&arguments.common, run_and_compare);
    for (int s = 0; s < ARMS; s++)
        free(arguments.lists[s]);
    return status;
}
