/*
 * Threads work on folds. A fold's kernel matrix belongs to one thread at a time and its distances serve all kernels.
 * Its evaluations run in the given order, in which equal kernels are adjacent. Results are stored by evaluation and
 * fold, so they do not depend on the thread or the time that computed them.
 */
#include "harness/tune/objective.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/records/record.h"
#include "harness/run/unit.h"
#include "harness/support/round_to_12_digits.h"
#include "solvers/clock.h"

struct objective {
    struct tune_context *context;
    const struct dataset *folds;
    size_t n_folds;
    double fold_cost;
    struct split_session **units; /* one per fold; NULL while closed */
    int kept;                /* units stay open, since all matrices together fit the budget */
};

const char *evaluation_kind_name(enum evaluation_kind kind)
{
    static const char *const names[EVALUATION_KINDS] = {"printed", "grid", "cma-es"};
    return names[kind];
}

/* Nonzero if the kernel values and distances of all folds fit the budget. */
static int all_fit(const struct objective *objective, size_t budget)
{
    double bytes = 0;
    for (size_t f = 0; f < objective->n_folds; f++) {
        double n = (double)objective->folds->splits[f].n_train;
        bytes += 2 * sizeof(double) * n * (double)simd_padded((size_t)n);
    }
    return bytes <= (double)budget;
}

const char *outcomes_text(const size_t outcomes[OUTCOMES], char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (unsigned o = 0; o < OUTCOMES && used < size; o++)
        if (outcomes[o])
            used += (size_t)snprintf(text + used, size - used, "%s%zu %s", used ? ", " : "", outcomes[o],
                                     outcome_name((enum outcome)o));
    return text;
}

struct objective *objective_open(struct tune_context *context, const struct dataset *folds)
{
    struct objective *objective = pool_alloc(context->pool, sizeof *objective);
    objective->context = context;
    objective->folds = folds;
    objective->n_folds = folds->n_splits;
    objective->fold_cost = fold_cost(folds);
    objective->units = pool_array(context->pool, objective->n_folds, sizeof(struct split_session *));
    objective->kept = all_fit(objective, context->run->config->gram_bytes);
    return objective;
}

void objective_close(struct objective *objective)
{
    for (size_t f = 0; objective && f < objective->n_folds; f++)
        unit_close(objective->units[f]);
}

/* ---- the journal ---- */

static int is_at_point(const struct record *record, const struct tune_config *config,
                       const struct evaluation *evaluation)
{
    double value;
    size_t a = 0;
    while (a < config->n_axes &&
           json_number_at(config->axes[a].of_kernel ? record->kernel : record->params, config->axes[a].name, &value) &&
           value == evaluation->value[a])
        a++;
    return a == config->n_axes;
}

/* 0 if the text is not the record of a fold at the evaluation's point. */
static int take_record(struct json_pool *json, const char *text, const struct tune_config *config,
                       const struct evaluation *evaluation, struct fold_result *result)
{
    struct record record;
    struct json_fault ignored;
    record_take_members(json_parse_pooled(json, text, &ignored), &record);
    const double *field = record.field;
    const double operations = field[FIELD_KERNEL_OPERATIONS]; /* null for some */
    *result = (struct fold_result){.outcome = record.ending,
                                   .iterations = field[FIELD_ITERATIONS],
                                   .kernel_operations = isnan(operations) ? 0 : operations,
                                   .error_percent = record.ending == OUTCOME_FAILED ? (double)NAN : field[FIELD_ERROR]};
    result->known = (unsigned)record.ending < OUTCOMES && is_at_point(&record, config, evaluation) &&
                    !isnan(result->iterations) &&
                    (record.ending == OUTCOME_FAILED || !isnan(result->error_percent));
    return result->known;
}

/* Takes results from the journal. Call before starting threads, which write to it. */
static void restore(struct objective *objective, struct evaluation *evaluations, size_t count, size_t first)
{
    struct tune_context *context = objective->context;
    const struct journal_entry *entry = journal_entries(context->journal) + first;
    struct json_pool json = {0};
    for (size_t e = 0; e < count; e++)
        for (size_t f = 0; f < objective->n_folds; f++, entry++) {
            if (entry->record &&
                !take_record(&json, entry->record, context->config, &evaluations[e], &evaluations[e].folds[f]))
                die(STATUS_BAD_INPUT,
                    "%s: entry %zu of the journal belongs to another point; give --force to restart the search",
                    context->run->options->out, first + e * objective->n_folds + f);
            if (evaluations[e].same || entry->record) {
                context->done++;
                context->costs.done += objective->fold_cost;
                context->costs.found += objective->fold_cost;
            }
        }
    json_pool_free(&json);
}

/* ---- the parallel part ---- */

struct batch {
    struct objective *objective;
    const struct job *job;
    struct evaluation *evaluations;
    size_t count, first;
};

static void set_kernel_parameter(struct kernel *kernel, const char *name, double value)
{
    const struct kernel_family *family = kernel_family_of(kernel);
    double values[KERNEL_MAX_PARAMETERS];
    for (size_t k = 0; k < kernel_family_count_parameters(family); k++)
        values[k] = strcmp(family->parameters[k]->name, name) == 0 ? value : kernel_parameter(kernel, k);
    *kernel = kernel_of_family(family, values);
}

/* Sets the job's parameters and kernel to the evaluation's point. */
static void set_point(const struct tune_context *context, const struct evaluation *evaluation, struct job *job)
{
    const struct solver *solver = context->run->config->solvers[job->solver].solver;
    for (size_t a = 0; a < context->config->n_axes; a++) {
        const struct tune_axis *axis = &context->config->axes[a];
        if (axis->of_kernel)
            set_kernel_parameter(&job->kernel, axis->name, evaluation->value[a]);
        else
            parameter_set(&job->parameters, solver_parameter(solver, axis->name), evaluation->value[a]);
    }
}

static enum status evaluate_one(struct batch *batch, struct split_session *unit, size_t e, size_t fold,
                                struct stage_times *stage_times, struct error *error)
{
    struct objective *objective = batch->objective;
    struct tune_context *context = objective->context;
    const struct evaluation *evaluation = &batch->evaluations[e];
    struct job job = *batch->job;
    struct job_result found;
    job.split = fold;
    set_point(context, evaluation, &job);
    enum status status =
        unit_run_job(unit, context->run->config, &job, NULL, context->run->options->interrupted, &found, error);
    double solved = clock_now();
    if (status != STATUS_OK)
        return status;
    struct pool *pool = pool_new();
    const struct record *record = record_of_job(pool, context->run->config, objective->folds, &job, &found);
    const struct journal_entry entry = journal_entry_of(record, record_line(pool, record), &unit->timing);
    evaluation->folds[fold] = (struct fold_result){
        .known = 1,
        .error_percent = found.solution.outcome == OUTCOME_FAILED ? (double)NAN : found.error_percent,
        .iterations = (double)found.solution.iterations,
        .kernel_operations = (double)found.operations[PHASE_ITERATIONS],
        .outcome = found.solution.outcome,
    };
#pragma omp critical(tune_journal)
    {
        size_t index = batch->first + e * objective->n_folds + fold;
        status = journal_append(context->journal, index, &entry, error);
        context->done++;
        context->costs.done += objective->fold_cost;
        run_report(context->run->options, &context->costs, context->done, context->total);
    }
    pool_free(pool);
    stage_times->seconds[STAGE_FILES] += clock_now() - solved;
    return status;
}

static int is_left(const struct evaluation *evaluation, size_t fold)
{
    return !evaluation->same && !evaluation->folds[fold].known;
}

static enum status evaluate_fold(void *of, size_t fold, struct stage_times *stage_times, struct error *error)
{
    struct batch *batch = of;
    struct objective *objective = batch->objective;
    const struct tune_context *context = objective->context;
    struct split_session **unit = &objective->units[fold];
    size_t left = 0, budget = context->run->config->gram_bytes;
    enum status status = STATUS_OK;
    for (size_t e = 0; e < batch->count; e++)
        left += (size_t)is_left(&batch->evaluations[e], fold);
    if (left == 0)
        return STATUS_OK;
    double started = clock_now();
    if (!*unit) /* if all are kept, each fits the remaining budget */
        status = unit_open(unit, context->run->options->simd, objective->folds, fold,
                           context->run->config->kernel->type, objective->kept ? budget : budget / context->threads, 1,
                           error);
    stage_times->seconds[STAGE_START] += clock_now() - started;
    if (status != STATUS_OK)
        return status;
    session_measure((*unit)->session, stage_times);
    for (size_t e = 0; e < batch->count && status == STATUS_OK; e++)
        if (is_left(&batch->evaluations[e], fold))
            status = evaluate_one(batch, *unit, e, fold, stage_times, error);
    session_measure((*unit)->session, NULL);
    if (!objective->kept) {
        unit_close(*unit);
        *unit = NULL;
    }
    return status;
}

static void summarise(struct evaluation *evaluation, size_t folds, double *errors)
{
    int failed = 0;
    for (size_t f = 0; f < folds; f++) {
        errors[f] = evaluation->folds[f].error_percent;
        evaluation->outcomes[evaluation->folds[f].outcome]++;
        failed |= isnan(errors[f]);
    }
    evaluation->error = summary_of(errors, failed ? 0 : folds);
    /* Rounded, so that the same errors in a different order of folds compare equal. */
    evaluation->error.mean = round_to_12_digits(evaluation->error.mean);
}

void objective_evaluate(struct objective *objective, const struct job *job, struct evaluation *evaluations,
                        size_t count, size_t first)
{
    struct tune_context *context = objective->context;
    struct batch batch = {
        .objective = objective, .job = job, .evaluations = evaluations, .count = count, .first = first};
    struct error error = {0};
    restore(objective, evaluations, count, first);
    die_unless_ok(run_in_parallel(objective->n_folds, context->threads, evaluate_fold, &batch,
                                  &context->run->stage_times, &error),
                  &error);
    double *errors = xcalloc(objective->n_folds, sizeof *errors);
    for (size_t e = 0; e < count; e++)
        summarise(&evaluations[e], objective->n_folds, errors);
    free(errors);
}
