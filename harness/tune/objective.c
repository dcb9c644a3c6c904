/*
 * Threads work on folds. A fold's kernel matrix belongs to one thread at a time and its distances serve all kernels.
 * Its evaluations run in the given order, in which equal kernels are adjacent. Results are stored by evaluation and
 * fold, so they do not depend on the thread or the time that computed them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/memory.h"
#include "harness/run/record_line.h"
#include "harness/run/unit.h"
#include "harness/support/json_reader.h"
#include "harness/support/decimal.h"
#include "harness/tune/tune.h"
#include "solvers/clock.h"

struct objective {
    struct tune *tune;
    const struct dataset *folds;
    struct split_session **units; /* one per fold; NULL while closed */
    int kept;                /* units stay open, since all matrices together fit the budget */
    /* The arguments of objective_evaluate. */
    const struct job *job;
    struct evaluation *evaluations;
    size_t count, first;
};

const char *evaluation_kind_name(enum evaluation_kind kind)
{
    static const char *const names[EVALUATION_KINDS] = {"printed", "grid", "cma-es"};
    return names[kind];
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

struct objective *objective_open(struct tune *tune, const struct dataset *folds)
{
    struct objective *objective = pool_alloc(tune->pool, sizeof *objective);
    double bytes = 0; /* of the kernel values and distances of all folds */
    for (size_t f = 0; f < folds->n_splits; f++) {
        const size_t n = folds->splits[f].n_train;
        bytes += 2 * sizeof(double) * (double)n * (double)simd_padded(n);
    }
    objective->tune = tune;
    objective->folds = folds;
    objective->units = pool_array(tune->pool, folds->n_splits, sizeof *objective->units);
    objective->kept = bytes <= (double)tune->run.config->gram_bytes;
    return objective;
}

void objective_close(struct objective *objective)
{
    for (size_t f = 0; objective && f < objective->folds->n_splits; f++)
        unit_close(objective->units[f]);
}

/* ---- the job of an evaluation on a fold ---- */

static void set_kernel_parameter(struct kernel *kernel, const char *name, double value)
{
    const struct kernel_family *family = kernel_family_of(kernel);
    double values[KERNEL_MAX_PARAMETERS];
    for (size_t k = 0; k < kernel_family_count_parameters(family); k++)
        values[k] = strcmp(family->parameters[k]->name, name) == 0 ? value : kernel_parameter(kernel, k);
    *kernel = kernel_of_family(family, values);
}

static struct job job_of(const struct objective *objective, const struct evaluation *evaluation, size_t fold)
{
    const struct tune *tune = objective->tune;
    const struct solver *solver = tune->run.config->solvers[objective->job->solver].solver;
    struct job job = *objective->job;
    job.split = fold;
    for (size_t a = 0; a < tune->config->n_axes; a++) {
        const struct tune_axis *axis = &tune->config->axes[a];
        if (axis->of_kernel)
            set_kernel_parameter(&job.kernel, axis->name, evaluation->value[a]);
        else
            parameter_set(&job.parameters, solver_parameter(solver, axis->name), evaluation->value[a]);
    }
    return job;
}

static struct fold_result result_of(const struct record *record)
{
    const int has_operations = !isnan(record->field[FIELD_KERNEL_OPERATIONS]); /* external solvers count none */
    return (struct fold_result){
        .known = 1,
        .error_percent = record->ending == OUTCOME_FAILED ? (double)NAN : record->field[FIELD_ERROR],
        .iterations = record->field[FIELD_ITERATIONS],
        .kernel_operations = has_operations ? record->field[FIELD_KERNEL_OPERATIONS] : 0,
        .outcome = record->ending,
    };
}

/* Takes results from the journal. Call before starting threads, which write to it. */
static void restore(const struct objective *objective)
{
    struct tune *tune = objective->tune;
    const size_t n_folds = objective->folds->n_splits;
    const struct journal_entry *entry = journal_entries(tune->run.journal) + objective->first;
    for (size_t i = 0; i < objective->count * n_folds; i++, entry++) {
        const struct evaluation *evaluation = &objective->evaluations[i / n_folds];
        const double cost = evaluation->same || entry->record ? fold_cost(objective->folds) : 0;
        tune->run.costs.jobs_done += cost > 0;
        tune->run.costs.done += cost;
        tune->run.costs.found += cost;
        if (!entry->record)
            continue;
        struct pool *pool = pool_new();
        const struct job job = job_of(objective, evaluation, i % n_folds);
        struct record record;
        struct json_fault ignored;
        record_take_members(json_parse_pooled(pool, entry->record, &ignored), &record);
        if (!record_line_is_of(tune->run.config, objective->folds, &job, entry->record) ||
            (unsigned)record.ending >= OUTCOMES)
            die(STATUS_BAD_INPUT,
                "%s: entry %zu of the journal belongs to another point; give --force to restart the search",
                tune->options->out, objective->first + i);
        evaluation->folds[i % n_folds] = result_of(&record);
        pool_free(pool);
    }
}

/* ---- the parallel part ---- */

static void evaluate_one(const struct objective *objective, const struct evaluation *evaluation, size_t fold,
                         struct stage_times *stage_times)
{
    struct run *run = &objective->tune->run;
    const size_t e = (size_t)(evaluation - objective->evaluations);
    const struct job job = job_of(objective, evaluation, fold);
    struct pool *pool = pool_new();
    evaluation->folds[fold] = result_of(run_do_job(run, pool, objective->units[fold], &job,
                                                   objective->first + e * objective->folds->n_splits + fold, NULL,
                                                   fold_cost(objective->folds), stage_times));
    pool_free(pool);
}

static void evaluate_fold(void *of, size_t fold, struct stage_times *stage_times)
{
    const struct objective *objective = of;
    const struct tune *tune = objective->tune;
    struct split_session **unit = &objective->units[fold];
    const size_t budget = tune->run.config->gram_bytes;
    int begun = 0;
    for (size_t e = 0; e < objective->count; e++) {
        const struct evaluation *evaluation = &objective->evaluations[e];
        if (evaluation->same || evaluation->folds[fold].known)
            continue;
        const double started = clock_now();
        if (!*unit) /* if all are kept, each fits the remaining budget */
            *unit = unit_open(tune->options->simd, objective->folds, fold, tune->run.config->kernel->type,
                              objective->kept ? budget : budget / tune->threads, 1);
        stage_times->seconds[STAGE_START] += clock_now() - started;
        if (!begun++)
            session_measure((*unit)->session, stage_times);
        evaluate_one(objective, evaluation, fold, stage_times);
    }
    if (begun)
        session_measure((*unit)->session, NULL);
    if (!objective->kept) {
        unit_close(*unit);
        *unit = NULL;
    }
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
    struct tune *tune = objective->tune;
    const size_t n_folds = objective->folds->n_splits;
    objective->job = job;
    objective->evaluations = evaluations;
    objective->count = count;
    objective->first = first;
    restore(objective);
    if (!run_in_parallel(n_folds, tune->threads, evaluate_fold, objective, &tune->run.stage_times))
        die(STATUS_INTERRUPTED, "interrupted");
    double *errors = xcalloc(n_folds, sizeof *errors);
    for (size_t e = 0; e < count; e++)
        summarise(&evaluations[e], n_folds, errors);
    free(errors);
}
