/*
 * hullbench solve: runs one solver on one split, with the record on standard output; or on a whole file, with a model
 * and the lines that svm-train prints. The options become a configuration of one job, or of one per fold.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/terminal.h"
#include "harness/solve/solve_options.h"
#include "harness/config/config.h"
#include "harness/evaluate/stopping.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"
#include "harness/model/model.h"
#include "harness/run/run.h"
#include "harness/run/training_memory.h"
#include "harness/run/record_line.h"
#include "harness/run/unit.h"

struct work {
    struct solve_arguments *arguments;
    const struct simd *simd;
    struct config *config;
    struct dataset *dataset;
    struct plan plan;
    unsigned threads;
    struct solve_job *jobs; /* those of the plan */
    size_t n_unfinished;    /* of a file trained whole or cross-validated: jobs that did not meet their rule */
};

struct solve_job {
    struct job_result result;
    struct split_session *unit; /* of a single job whose multipliers are needed */
};

static int makes_model(const struct solve_arguments *arguments)
{
    return trains_on_all_rows(arguments) && !arguments->is_judged;
}

/* The bound of a multiplier; infinite if there is none. */
static double bound_of(const struct solver *solver, const struct job *job, const struct job_result *result)
{
    if (solver->formulation == FORMULATION_C_SVM || solver->formulation == FORMULATION_NO_BIAS_SVM)
        return parameter_get(&job->parameters, &parameter_c);
    return solver->formulation == FORMULATION_NEAREST_POINTS && !isnan(result->mu_effective) ? result->mu_effective
                                                                                             : HUGE_VAL;
}

/* Nonzero if the job met its rule or, under a rule that is never met, used all its iterations. */
static int has_finished(const struct job *job, const struct job_result *result)
{
    enum outcome outcome = result->solution.outcome;
    return outcome == OUTCOME_CONVERGED || (job->stop.rule == STOP_ITERATIONS && outcome == OUTCOME_ITERATION_LIMIT);
}

/* "0.000781", "infinite", "unknown"; `text` has at least 32 bytes. */
static const char *relative_gap_text(const struct solver *solver, const struct job_result *result, char *text)
{
    double gap = relative_gap(solver->formulation, result->judgement.objective, result->judgement.duality_gap);
    snprintf(text, 32, "%.3g", gap);
    return isnan(gap) ? "unknown" : isinf(gap) ? "infinite" : text;
}

/* Prints the first line, and how far the job is from the tolerance. */
static void report_outcome(FILE *stream, const struct solver *solver, const struct job *job,
                           const struct job_result *result)
{
    const struct solution *solution = &result->solution;
    const struct judgement *judgement = &result->judgement;
    const int is_met = relative_gap(solver->formulation, judgement->objective, judgement->duality_gap) <=
                       job->stop.tolerance;
    char gap[32];
    if (solution->outcome == OUTCOME_CONVERGED)
        fprintf(stream, "%s, #iter = %" PRIu64 "\n",
                kernel_is_semidefinite(&job->kernel) ? "optimization finished" : "stationary point",
                solution->iterations);
    else
        fprintf(stream, "WARNING: not converged (%s), #iter = %" PRIu64 "\n", outcome_name(solution->outcome),
                solution->iterations);
    if (*solution->reason)
        fprintf(stream, "reason: %s\n", solution->reason);
    if (solution->outcome != OUTCOME_CONVERGED && job->stop.rule == STOP_DUALITY_GAP)
        fprintf(stream,
                is_met ? "solved as far as double precision can tell, but not certified: the relative duality gap is "
                         "%s; requested: %.3g\n"
                       : "left: the relative duality gap is %s; requested: %.3g\n",
                relative_gap_text(solver, result, gap), job->stop.tolerance);
}

/*
 * The report on a file that was trained whole: svm-train's lines, then additional results. obj is the objective that
 * svm-train minimises: 1/2 |W|^2 - sum alpha for the SVM duals, 1/2 |W|^2 for hulls and minimum norm; rho is the
 * model's. nu is sum alpha / (C N) for the C-SVM and 2 / (mu N) for reduced hulls; other problems have none. nSV counts
 * nonzero multipliers, nBSV those at their bound. Gap and violation are the judge's, from the multipliers alone.
 */
static void train_report(FILE *stream, const struct dataset *dataset, const struct solver *solver,
                         const struct job *job, const struct job_result *result, const double *alpha,
                         const struct model *model)
{
    const struct judgement *judgement = &result->judgement;
    const int minimised = formulation_is_norm(solver->formulation);
    double bound = bound_of(solver, job, result), sum = 0, n = (double)dataset->splits[0].n_train;
    size_t at_bound = 0, vectors = model->count[0] + model->count[1];
    char gap[32];
    for (size_t i = 0; i < dataset->splits[0].n_train; i++) {
        sum += alpha[i];
        at_bound += alpha[i] >= bound;
    }
    report_outcome(stream, solver, job, result);
    if (solver->formulation == FORMULATION_C_SVM)
        fprintf(stream, "nu = %f\n", sum / (bound * n));
    else if (isfinite(bound) && minimised)
        fprintf(stream, "nu = %f\n", 2 / (bound * n));
    fprintf(stream, "obj = %.10g, rho = %f\n", minimised ? judgement->objective : 0 - judgement->objective, model->rho);
    fprintf(stream, "nSV = %zu, nBSV = %zu\nTotal nSV = %zu\n", vectors, at_bound, vectors);
    if (solver->solve_external)
        fputs("kernel operations: not counted, because the solver computes its own kernel values\n", stream);
    else
        fprintf(stream,
                "kernel operations = %" PRIu64 " + %" PRIu64 " (set-up + iterations), kernel evaluations = %" PRIu64
                "\n",
                result->operations[PHASE_SETUP], result->operations[PHASE_ITERATIONS], result->evaluations);
    fprintf(stream, "duality gap = %.6g (relative: %s), KKT violation = %.6g (recomputed from the multipliers%s)\n",
            judgement->duality_gap, relative_gap_text(solver, result, gap), judgement->kkt_violation,
            kernel_is_semidefinite(&job->kernel) ? "" : "; the gap proves nothing");
}

/* Runs on one thread of a team (run_in_parallel). */
static void load(void *context, size_t i, struct stage_times *stage_times)
{
    struct work *work = context;
    const struct solve_arguments *arguments = work->arguments;
    (void)i, (void)stage_times;
    const struct dataset_request request = {
        .set.name = arguments->dataset ? arguments->dataset : "data",
        .search_path = arguments->dataset ? cli_search_path(arguments->common.pool) : NULL,
        .cache = cli_cache(arguments->common.pool),
        .set.file = arguments->data,
        .set.format = arguments->common.format,
        .set.label_column = arguments->common.label_column,
        .set.header = arguments->common.header,
        .whole = trains_on_all_rows(arguments),
        .want_splits = arguments->data ? arguments->split : 0,
        .folds = {.folds = arguments->folds, .repeats = 1, .stratified = 1},
        .allow_generated = 1,
        .without_hash = !arguments->outputs[SOLVE_TRACE].name.path && solve_is_svm_train(arguments),
        .watch = reading_watch(arguments->common.quiet),
    };
    if (arguments->data && strcmp(arguments->data, "-") != 0)
        file_check_exists(arguments->data);
    work->dataset = dataset_load(arguments->common.pool, &request);
}

/* Runs job i on one thread of a team; idle threads help. */
static void run_job(void *context, size_t i, struct stage_times *stage_times)
{
    struct work *work = context;
    const struct solve_arguments *arguments = work->arguments;
    const struct job *job = &work->plan.jobs[i];
    const size_t at_once = work->threads < work->plan.n_jobs ? work->threads : work->plan.n_jobs;
    /* A single job's multipliers are needed after it. */
    struct pool *pool = work->plan.n_jobs > 1 ? pool_new() : arguments->common.pool;
    struct split_session *unit = unit_open(pool, work->simd, work->dataset, job->split, work->config->kernel->type,
                                           work->config->gram_bytes / at_once, 0);
    struct job_result *result = &work->jobs[i].result;
    struct outfile *trace_file = arguments->outputs[SOLVE_TRACE].name.path ? &work->arguments->outputs[SOLVE_TRACE].file
                                                                           : NULL;
    struct trace *trace = trace_file ? trace_new(pool) : NULL;
    struct error error;
    (void)stage_times;
    session_share_work(unit->session, work->config->repeats < 2);
    if (arguments->check_rows)
        die_unless_ok(session_check_rows(unit->session, &error), &error);
    unit_run_job(unit, work->config, job, trace, NULL, result);
    if (trace_file) {
        const struct record *record = record_of_job(pool, work->config, work->dataset, job, result);
        trace_print(trace, trace_comment(pool, record), trace_file->stream);
        outfile_commit(trace_file);
    }
    if (work->plan.n_jobs > 1)
        pool_free(pool);
    else
        work->jobs[i].unit = unit;
}

/* ---- a record for readers ---- */

enum { SUMMARY_COLUMN = 21 };

static void print_value(FILE *stream, const char *name, const char *text)
{
    fprintf(stream, "  %-*s", SUMMARY_COLUMN - 2, name);
    terminal_print_column(stream, text, SUMMARY_COLUMN, SUMMARY_COLUMN);
}

/* "C 10, start zero; kernel rbf, width 20; stop kkt, tolerance 1e-05". */
static const char *settings_text(struct pool *pool, const struct record *record)
{
    const char *text = "";
    for (size_t i = 0; i < record->n_settings; i++) {
        const struct setting *setting = &record->settings[i];
        const int begins = i > 0 && setting->group != record->settings[i - 1].group;
        text = pool_printf(pool, "%s%s%s %s", text, i == 0 ? "" : begins ? "; " : ", ", setting->name, setting->text);
    }
    return text;
}

/* What a user wants to know of one job; the record has more. */
static void print_summary(FILE *stream, const struct work *work, const struct record *record)
{
    const struct job *job = &work->plan.jobs[0];
    const struct job_result *result = &work->jobs[0].result;
    const struct judgement *judgement = &result->judgement;
    const struct solver *solver = work->config->solvers[job->solver].solver;
    const struct split *split = &work->dataset->splits[job->split];
    const char *trace = work->arguments->outputs[SOLVE_TRACE].name.path;
    struct pool *pool = work->arguments->common.pool;
    char gap[32];
    fprintf(stream, "%s on %s, split %zu (%s): %s\n", record->solver, record->dataset, record->split,
            record->split_source, record->outcome);
    if (record->reason) {
        fprintf(stream, "  %-*s", SUMMARY_COLUMN - 2, "reason");
        cli_print_text(stream, record->reason);
        fputs("\n", stream);
    }
    print_value(stream, "settings", settings_text(pool, record));
    if (result->is_lost)
        return;
    if (!isnan(record->field[FIELD_ITERATIONS]))
        print_value(stream, "iterations", pool_printf(pool, "%.0f", record->field[FIELD_ITERATIONS]));
    if (isnan(record->field[FIELD_KERNEL_OPERATIONS]))
        print_value(stream, "kernel operations", "not counted");
    else
        print_value(stream, "kernel operations",
                    pool_printf(pool, "%.0f in the iterations, %.0f in the set-up",
                                record->field[FIELD_KERNEL_OPERATIONS], record->field[FIELD_SETUP_OPERATIONS]));
    print_value(stream, "support vectors",
                pool_printf(pool, "%zu of %zu training patterns", judgement->support_vectors, split->n_train));
    if (!isnan(result->error_percent))
        print_value(stream, "test error",
                    pool_printf(pool, "%.2f %% of %zu test patterns", result->error_percent, split->n_test));
    print_value(stream, "objective", pool_printf(pool, "%.10g", judgement->objective));
    print_value(stream, "duality gap",
                pool_printf(pool, "%.3g (relative: %s), recomputed from the multipliers%s", judgement->duality_gap,
                            relative_gap_text(solver, result, gap),
                            kernel_is_semidefinite(&job->kernel) ? "" : "; it proves nothing for this kernel"));
    print_value(stream, "KKT violation", pool_printf(pool, "%.3g", judgement->kkt_violation));
    if (trace)
        print_value(stream, "trace", outfile_shown(trace));
}

/* A failed job has no usable result, whatever else its record says. */
static void check_outcome(const struct work *work, const struct job_result *result, const char *consequence)
{
    const struct solution *solution = &result->solution;
    if (solution->outcome == OUTCOME_FAILED)
        die(STATUS_NOT_FOUND, "%s: %s failed: %s%s",
            work->arguments->data ? work->dataset->source : work->dataset->name, work->arguments->solver,
            *solution->reason ? solution->reason : "it returned no feasible solution", consequence);
}

static void print_record(const struct work *work)
{
    const struct job_result *result = &work->jobs[0].result;
    const struct cli_arguments *common = &work->arguments->common;
    const struct record *record = record_of_job(common->pool, work->config, work->dataset, &work->plan.jobs[0], result);
    FILE *stream = cli_report_stream(common);
    if (!work->arguments->is_json && isatty(fileno(stream)))
        print_summary(stream, work, record);
    else
        fprintf(stream, "%s\n", record_line(common->pool, record));
    check_outcome(work, result, "");
}

static void train(struct work *work)
{
    const struct solve_job *trained = &work->jobs[0];
    const struct job *job = &work->plan.jobs[0];
    const struct job_result *result = &trained->result;
    const struct solver *solver = work->config->solvers[job->solver].solver;
    const double *alpha = session_alpha(trained->unit->session);
    const struct cli_arguments *common = &work->arguments->common;
    check_outcome(work, result, "; no model is written");
    const struct model *model = model_make(common->pool, work->dataset, &work->dataset->splits[0],
                                           solver->formulation, &job->kernel, alpha, &result->judgement);
    model_print(model, work->arguments->outputs[SOLVE_MODEL].file.stream);
    if (!common->quiet)
        train_report(cli_report_stream(common), work->dataset, solver, job, result, alpha, model);
    else if (!has_finished(job, result))
        report_outcome(stderr, solver, job, result);
}

static void cross_validate(const struct work *work)
{
    double right = 0, tested = 0;
    for (size_t j = 0; j < work->plan.n_jobs; j++) {
        const struct job_result *result = &work->jobs[j].result;
        check_outcome(work, result, "; no accuracy");
        double rows = (double)work->dataset->splits[work->plan.jobs[j].split].n_test;
        right += rows - round(rows * result->error_percent / 100);
        tested += rows;
    }
    if (work->n_unfinished > 0)
        printf("WARNING: %zu of %zu folds did not converge\n", work->n_unfinished, work->plan.n_jobs);
    printf("Cross Validation Accuracy = %g%%\n", 100 * right / tested);
}

/* Checks the memory before a job begins, rather than failing at its end. */
static void fit_memory(struct work *work)
{
    const struct available_memory available = memory_available("");
    const size_t n_jobs = work->plan.n_jobs;
    struct training training = {.name = work->dataset->source,
                                .patterns = &work->dataset->patterns,
                                .at_once = work->threads < n_jobs ? work->threads : n_jobs,
                                .makes_model = makes_model(work->arguments),
                                .is_precomputed = work->config->kernel->type == KERNEL_PRECOMPUTED,
                                .is_copied = work->dataset->scale_by_training};
    for (size_t j = 0; j < n_jobs; j++) {
        const size_t n_train = work->dataset->splits[work->plan.jobs[j].split].n_train;
        training.n_train = n_train > training.n_train ? n_train : training.n_train;
    }
    training_memory_fit(&training, &available, work->arguments->megabytes > 0, &work->config->gram_bytes);
}

static void do_work(struct work *work)
{
    const struct solve_arguments *arguments = work->arguments;
    struct stage_times stage_times = {.turns = 0};
    int labels[2];
    if (makes_model(arguments))
        model_labels(work->dataset, labels); /* checks them */
    if (makes_model(arguments) && work->config->kernel->type == KERNEL_PRECOMPUTED)
        die(STATUS_BAD_INPUT, "%s: a model cannot have a precomputed kernel; give --split for a record",
            work->dataset->source);
    run_transform_dataset(work->config, work->dataset);
    fit_memory(work);
    work->jobs = pool_array(arguments->common.pool, work->plan.n_jobs, sizeof *work->jobs);
    run_in_parallel(work->plan.n_jobs, work->threads, run_job, work, &stage_times);
    for (size_t j = 0; j < work->plan.n_jobs && (solve_is_svm_train(arguments) || arguments->is_judged); j++)
        work->n_unfinished += !has_finished(&work->plan.jobs[j], &work->jobs[j].result);
    if (makes_model(arguments))
        train(work);
    else if (arguments->folds)
        cross_validate(work);
    else
        print_record(work);
}

/* Opens the outputs before the data are read, which may take long. Without MODEL, the model's name is that of the file,
 * without its folder and with ".model" appended. */
static void open_outputs(struct solve_arguments *arguments)
{
    const char *slash = arguments->data ? strrchr(arguments->data, '/') : NULL;
    struct cli_output *output = &arguments->outputs[SOLVE_MODEL];
    struct cli_file *model = &output->name;
    *model = (struct cli_file){"the model", arguments->model};
    *pool_push(arguments->common.pool, &arguments->common.outputs) = output;
    if (makes_model(arguments) && !model->path)
        model->path = pool_printf(arguments->common.pool, "%s.model", slash ? slash + 1 : arguments->data);
    cli_check_input(&arguments->common, "--data", arguments->data);
    cli_outputs_open(&arguments->common);
}

int solve_given(void *context)
{
    struct solve_arguments *arguments = context;
    struct work work = {
        .arguments = arguments, .simd = cli_simd(), .threads = run_threads(&arguments->common.run)};
    struct stage_times stage_times = {.turns = 0};
    const struct json_path place = {.file = "--solver"};
    struct pool *pool = arguments->common.pool;
    if (!solve_is_auto(arguments)) /* report a misspelt solver even if data are missing */
        solve_check_svm_type(arguments, config_find_solver(NULL, arguments->solver, &place));
    open_outputs(arguments);
    run_in_parallel(1, work.threads, load, &work, &stage_times);
    if (!arguments->common.quiet)
        cli_print_lines(CLI_NOTE, &work.dataset->notes);
    cli_check_input(&arguments->common, "the data,", work.dataset->source); /* a known set's only after reading */
    cli_print_altered(&work.dataset, 1);
    work.config = config_from_json(pool, "command line", json_keep(pool, solve_config(arguments, work.dataset)));
    work.config->bias_of_nu_svc = solve_has_bias_of_nu_svc(arguments);
    plan_build(work.config, &work.dataset, 1, 1, &work.plan);
    if (work.plan.n_jobs == 0)
        die(STATUS_BAD_INPUT, "%s has no split %zu; it has splits 1 to %zu", work.dataset->name, arguments->split,
            work.dataset->n_splits);
    if (arguments->choice && !arguments->common.quiet) /* a record goes to standard output alone */
        terminal_printf(solve_is_svm_train(arguments) ? cli_report_stream(&arguments->common) : stderr, "%s\n",
                        arguments->choice);
    do_work(&work);
    return work.n_unfinished > 0 ? EXIT_DIFFERENT : EXIT_OK;
}

const struct cli_verb verb_solve = {
    .name = "solve", .title = "run one solver on one split, or train it on a file",
    .usage = "--solver NAME --dataset NAME\nFILE [MODEL]\n--data FILE [MODEL]",
    .doc = "Runs one solver on one split of a data set and prints the record (JSON; on a terminal a summary of it, "
           "unless --json is given), or trains it on a whole file and "
           "writes a model that svm-predict reads (default: FILE.model in the current folder).\nIf a file is trained "
           "whole, or cross-validated with -v, features are not standardised and the defaults are those of "
           "svm-train: C-SVC, rbf, gamma 1/features, C 1, nu 0.5, 10000000 iterations. One default differs: the "
           "tolerance 1e-3 is that of the relative duality gap; --stop kkt selects the rule of svm-train. The exit "
           "status is 1 if such a run does not converge.",
    .options = solve_options, .plugins = 1, .max_words = 2, .words = "expected a file and one model",
    .size = sizeof(struct solve_arguments), .check = solve_check, .work = solve_given,
};
