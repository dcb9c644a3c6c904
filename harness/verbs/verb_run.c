/* hullbench run: runs an experiment from its configuration into a folder. */
#include <cjson/cJSON.h>
#include <fcntl.h>
#include <string.h>

#include "harness/base/terminal.h"
#include "harness/cli/cli.h"
#include "harness/run/run_files.h"
#include "harness/run/unit.h"
#include "harness/run/run_info.h"
#include "harness/papers/paper.h"
#include "harness/tables/table_spec.h"
#include "harness/tune/tune.h"
#include "harness/base/platform.h"

#define ARGUMENTS struct cli_arguments
static const struct cli_option options[] = {
    OPTION_OUT("DIR", "Folder for the results; an unfinished run there is resumed, and records that a change does not "
                      "affect are kept"),
    OPTION_JOBS,
    OPTION_SOLVERS,
    OPTION_DATASETS,
    OPTION_SPLITS,
    {"quick", 0, NULL, "Run only the part that the configuration names under \"quick\"; by default its first two "
                       "splits", COMMON_AT(quick)},
    {"shard", 0, "K/N", "Run only shard K of N of the plan, 1 <= K <= N <= 100000", COMMON_AT(run),
     .kind = CLI_SHARD, .high = 100000},
    OPTION_REPEATS,
    {"check-rows", 0, NULL, "Check in every iteration that solvers neither keep kernel rows nor write into them "
                            "(slower; the records are the same)", COMMON_AT(run.check_rows)},
    {"patience", 0, "SECONDS", "How long one call of a plugin's solver may take before its job fails (default: 600)",
     COMMON_AT(run.patience), .kind = CLI_REAL, .low = 0.1, .high = 1e9},
    {"close-when-idle", 0, "FD", "Close this file descriptor when the last unit begins, so that a script can start the "
                                 "next run, as run_all.sh does", COMMON_AT(run.begun_fd),
     .kind = CLI_COUNT, .low = 3, .high = 1023},
    OPTION_DRY_RUN("Print the plan with its numbers of jobs and, with --out, which records are kept; run nothing"),
    OPTION_FORCE("Remove records, traces and tables that another run left in DIR"),
    {"drop", 0, NULL, "Remove records in DIR that this plan lacks; otherwise such a folder is refused",
     COMMON_AT(run.drop)},
    OPTION_QUIET("Print neither progress nor a summary"),
    {0},
};

/* What the folder's records of another plan spare, if any. */
static void print_reuse(struct pool *pool, const struct run *run)
{
    const struct run_reuse *reuse = &run->reuse;
    if (!reuse->is_other)
        return;
    printf("%s: %zu of %zu records kept; run: %s", run->options->out, reuse->jobs[REUSE_KEPT], run->plan.n_jobs,
           reuse_text(pool, reuse));
    if (reuse->dropped)
        printf("; %zu finished records are not in this plan", reuse->dropped);
    puts("");
}

/* What the run would need that a dry run has found. */
static void print_refusal(const struct run *run)
{
    const struct run_reuse *reuse = &run->reuse;
    const int keeps = reuse->jobs[REUSE_KEPT] > 0, needs_drop = reuse->dropped && !run->options->drop;
    if (reuse->is_other && !run->options->force && (!keeps || needs_drop))
        printf("Without %s, run refuses this folder.\n", keeps ? "--drop" : "--force");
}

static void print_plan(struct pool *pool, struct run *run)
{
    const struct config *config = run->config;
    terminal_printf(stdout, "%s: %zu jobs on %zu splits; %zu blocks for shards (a block: one split with one kernel)\n",
                    config->name, run->plan.n_jobs, run->plan.n_units, run->plan.total_blocks);
    printf("%-14s %7s %7s %9s %9s %10s %9s\n", "data set", "splits", "jobs",
           "official", "resampled", "generated", "fold");
    for (size_t d = 0; d < config->n_datasets; d++) {
        size_t units = 0, jobs = 0, sources[4] = {0};
        for (size_t u = 0; u < run->plan.n_units; u++) {
            const struct unit *unit = &run->plan.units[u];
            const struct job *job = &run->plan.jobs[unit->first];
            if (job->dataset != d)
                continue;
            units++;
            jobs += unit->count;
            sources[run->datasets[d]->splits[job->split].source]++;
        }
        if (run->datasets[d])
            printf("%-14s %7zu %7zu %9zu %9zu %10zu %9zu\n", config->datasets[d].name, units, jobs,
                   sources[SPLIT_OFFICIAL], sources[SPLIT_RESAMPLED], sources[SPLIT_GENERATED], sources[SPLIT_FOLD]);
        else
            printf("%-14s %7s\n", config->datasets[d].name, "missing");
    }
    for (size_t s = 0; s < config->n_solvers; s++) {
        size_t jobs = 0;
        for (size_t j = 0; j < run->plan.n_jobs; j++)
            jobs += run->plan.jobs[j].solver == s;
        printf("%-20s %7zu jobs, stop %s%s\n", config->solvers[s].solver->name, jobs,
               stop_rule_name(config->solvers[s].stop_rule), config->solvers[s].mu_of_c ? ", mu of C" : "");
    }
    for (size_t d = 0; d < config->n_datasets; d++)
        if (run->datasets[d])
            cli_print_repeated(run->datasets[d], pool_printf(pool, "%s: ", config->datasets[d].name));
    if (run->options->out) {
        folder_check_kind(run->options->out, FOLDER_OF_RUN);
        reuse_find(pool, run, &run->reuse);
    }
    print_reuse(pool, run);
    print_refusal(run);
}

/* "SET, split N" of a job. */
static const char *split_text(struct pool *pool, const struct run *run, const struct job *job)
{
    return pool_printf(pool, "%s, split %zu", run->config->datasets[job->dataset].name,
                       run->datasets[job->dataset]->splits[job->split].number);
}

/* Warns of failed jobs, which are not measurements; nonzero if there were no others. */
static int warn_of_failed(struct pool *pool, const struct run *run)
{
    size_t failed = 0;
    for (size_t s = 0; run->failures && s < run->config->n_solvers; s++) {
        const struct run_failures *failures = &run->failures[s];
        failed += failures->count;
        if (failures->count > 0)
            fprintf(stderr, "hullbench: %zu of %zu records failed, of solver %s; the first failed on %s: %s\n",
                    failures->count, run->plan.n_jobs, run->config->solvers[s].solver->name,
                    split_text(pool, run, &run->plan.jobs[failures->first]), failures->reason);
    }
    return failed == run->plan.n_jobs;
}

/* Takes the failures of a run that was complete; its records are in the order of the plan. */
static void take_failures(struct run *run, const struct record_file *file)
{
    for (size_t j = 0; j < file->n_all && j < run->plan.n_jobs; j++)
        if (file->all[j].failed)
            run_note_failure(run, j, file->all[j].reason);
}

/* Prints the outcomes; how busy the threads were, and the share of each stage in their work, in the order of run.json.
 * Warns of times that are unreliable. */
static void print_summary(struct pool *pool, const struct run *run)
{
    const double total = stage_times_total(&run->stage_times), megabytes = platform_peak_megabytes();
    const struct unsteady *unsteady = &run->unsteady;
    const struct job *worst = &run->plan.jobs[unsteady->worst];
    char outcomes[256];
    if (run->was_complete) {
        printf("%s: already complete in %s\n", run->config->name, run->options->out);
        return;
    }
    print_reuse(pool, run);
    terminal_printf(stdout, "%s: %zu records in %s (%s), %s\n", run->config->name, run->plan.n_jobs,
                    run->options->out, number_text_duration(run->seconds),
                    outcomes_text(run->outcomes, outcomes, sizeof outcomes));
    const char *shares =
        pool_printf(pool, "threads busy %.0f %% of the time; shares of their work:",
                    100 * run->stage_times.processor / (run->seconds * run_threads(run->options)));
    for (unsigned s = 0; s < STAGES; s++)
        shares = pool_printf(pool, "%s%s %s %.0f %%", shares, s ? "," : "", stage_name((enum stage)s),
                             100 * run->stage_times.seconds[s] / total);
    if (megabytes > 0)
        shares = pool_printf(pool, "%s; peak memory %.0f MiB", shares, megabytes);
    terminal_printf(stdout, "%s\n", shares);
    if (unsteady->count > 0)
        fprintf(stderr,
                "hullbench: the times of %zu of %zu records vary by more than %.0f %%, most for %s on %s: %.0f %%\n",
                unsteady->count, unsteady->repeated, 100 * UNSTEADY_SPREAD,
                run->config->solvers[worst->solver].solver->name, split_text(pool, run, worst),
                100 * unsteady->spread);
}

/* Warns of solvers without a budget: a job that does not converge would run for ever. */
static void warn_of_no_budget(struct pool *pool, const char *label, const struct config *config)
{
    const char *names = NULL;
    for (size_t s = 0; s < config->n_solvers; s++) {
        const struct config_solver *solver = &config->solvers[s];
        if (solver->budget.iterations || solver->budget.kernel_operations || solver->kernel_matrices > 0 ||
            solver->budget.seconds > 0 || solver->solver->solve_external)
            continue;
        names = pool_printf(pool, "%s%s%s", names ? names : "", names ? ", " : "", solver->solver->name);
    }
    if (names)
        fprintf(stderr, "hullbench: %s: no budget for %s; a job that does not converge never ends\n", label, names);
}

/* Looks up the published tables that a configuration names, so that misspelt names are found before the run. A paper is
 * read once for consecutive tables. */
static void check_tables(struct pool *pool, const char *label, const struct config *config)
{
    const cJSON *name;
    const char *last = "";
    const struct paper *paper = NULL;
    struct error cause;
    cJSON_ArrayForEach (name, json_member(config->json, "tables")) {
        const char *word = name->valuestring;
        if (!word)
            continue;
        if (!paper || strncmp(word, last, strcspn(last, ".") + 1) != 0)
            paper = paper_find_or_null(pool, word, &cause);
        if (paper && !paper_names_claims(word) && !paper_table_named(paper, word)) {
            error_set(&cause, STATUS_BAD_INPUT, "%s has no table of this name", paper->path);
            paper = NULL;
        }
        if (!paper)
            die(STATUS_BAD_INPUT, "%s: tables: \"%s\": %s", label, word, cause.message);
        last = word;
    }
}

int run_configuration(struct cli_arguments *arguments)
{
    struct pool *pool = arguments->pool;
    struct run run;
    struct run_folder folder;
    int status = EXIT_OK;
    const struct json_path top = {.file = arguments->run.config};
    interruptible_begin(arguments);
    if (arguments->run.patience > 0)
        isolated_with_patience(arguments->run.patience);
    struct config *config = config_read(pool, arguments->run.config);
    if (arguments->quick && !arguments->run.splits)
        arguments->run.splits = config->quick.splits;
    if (arguments->quick && !arguments->run.datasets)
        arguments->run.datasets = config->quick_datasets;
    run_open(&run, &arguments->run, config);
    check_tables(pool, arguments->run.config, run.config);
    const struct known_names names = table_names_of_config(pool, config);
    table_specs_check(config->given.tables, json_at(&top, "tables"), &names);
    cli_print_data(&run, arguments->quiet);
    if (!arguments->quiet)
        warn_of_no_budget(pool, arguments->run.config, run.config);
    if (arguments->dry_run)
        print_plan(pool, &run);
    else {
        run_execute(&run);
        if (run.was_complete) { /* other verbs must be able to read it */
            run_folder_open(pool, run.options->out, FOLDER_CONFIG, &folder);
            run_folder_read_times(&folder);
            take_failures(&run, &folder.file);
        }
        if (!arguments->quiet)
            print_summary(pool, &run);
        if (warn_of_failed(pool, &run))
            status = EXIT_NO_DATA;
    }
    if (arguments->quiet)
        cli_print_missing(&run);
    return status;
}

static int work(void *context)
{
    struct cli_arguments *arguments = context;
    const int begun_fd = (int)arguments->run.begun_fd;
    if (begun_fd && fcntl(begun_fd, F_SETFD, FD_CLOEXEC) != 0)
        die(STATUS_BAD_INPUT, "--close-when-idle: %d is not an open file descriptor; open it, such as by %d>FILE",
            begun_fd, begun_fd);
    arguments->run.config = arguments->words[0];
    arguments->run.reuse = 1;
    return run_configuration(arguments);
}

static const struct cli_arguments defaults = {.run = RUN_OPTIONS_OF_ALL};

const struct cli_verb verb_run = {
    .name = "run", .title = "run an experiment from its configuration",
    .usage = "CONFIG --out DIR",
    .doc = "Runs the experiment that the configuration CONFIG describes.\nhullbench searches for data in the folders "
           "of HULLBENCH_DATA (separated by colons), then in datasets/cache. To resume an interrupted run, repeat "
           "the command.",
    .options = options, .plugins = 1, .min_words = 1, .max_words = 1, .words = "expected a configuration file",
    .size = sizeof defaults, .defaults = &defaults, .check = cli_check_out, .work = work,
};
