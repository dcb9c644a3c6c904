/* Runs the jobs of a unit: those of a configuration on a split of a data set. */
#include "harness/run/unit.h"

#include <stdlib.h>

#include "harness/support/sha256.h"

/* Standardises the split's patterns by its training patterns. */
static void standardise(struct pool *pool, struct split_session *unit, struct session_data *data)
{
    const size_t rows = data->n_train + data->n_test;
    unit->scaled = dataset_standardise_split(unit->dataset, unit->split);
    unit->rows = pool_array(pool, rows, sizeof *unit->rows);
    for (size_t i = 0; i < rows; i++)
        unit->rows[i] = i;
    data->patterns = unit->scaled;
    data->train = unit->rows;
    data->test = unit->rows + data->n_train;
}

/* A row from its first value on: all values, or those that are not zero with their features. */
static uint64_t add_row(uint64_t hash, const struct patterns *patterns, size_t i)
{
    const size_t from = patterns->begin ? patterns->begin[i] : i * patterns->dims;
    const size_t count = patterns->begin ? patterns->begin[i + 1] - from : patterns->dims;
    if (patterns->begin)
        hash = fnv(hash, patterns->feature + from, count * sizeof *patterns->feature);
    return fnv(fnv(hash, &count, sizeof count), patterns->values + from, count * sizeof *patterns->values);
}

uint64_t unit_rows_hash(const struct dataset *dataset, const struct split *split)
{
    const size_t sizes[] = {split->n_train, split->n_test};
    uint64_t hash = fnv(FNV_START, sizes, sizeof sizes);
    for (size_t i = 0; i < split->n_train + split->n_test; i++) {
        const size_t row = i < split->n_train ? split->train[i] : split->test[i - split->n_train];
        hash = add_row(fnv(hash, &dataset->y[row], sizeof dataset->y[row]), &dataset->patterns, row);
    }
    return hash;
}

static void release(void *data)
{
    struct split_session *unit = data;
    session_close(unit->session);
    patterns_free(&unit->scaled);
}

struct split_session *unit_open(struct pool *pool, const struct simd *simd, const struct dataset *dataset,
                                size_t number, enum kernel_type type, size_t gram_bytes, int many_kernels)
{
    struct split_session *unit = pool_alloc(pool, sizeof *unit);
    const struct split *split = &dataset->splits[number];
    const size_t n = split->n_train, t = split->n_test;
    struct error error;
    pool_keep(pool, release, unit);
    unit->dataset = dataset;
    unit->split = split;
    unit->rows_hash = unit_rows_hash(dataset, split);
    unit->y = pool_alloc(pool, n + t);
    struct session_data data = {.name = dataset->name,
                                .number = split->number,
                                .patterns = dataset->patterns,
                                .train = split->train,
                                .test = split->test,
                                .train_y = unit->y,
                                .test_y = unit->y + n,
                                .n_train = n,
                                .n_test = t};
    for (size_t i = 0; i < n + t; i++)
        unit->y[i] = dataset->y[i < n ? split->train[i] : split->test[i - n]];
    if (dataset->scale_by_training)
        standardise(pool, unit, &data);
    die_unless_ok(session_open(&unit->session, simd, &data, type, gram_bytes, many_kernels, &error), &error);
    return unit;
}

struct budget unit_budget(const struct config_solver *solver, size_t n_train)
{
    struct budget budget = solver->budget;
    const double n = (double)n_train, given = (double)budget.kernel_operations;
    const double limit = fmin(fmax(1, floor(solver->kernel_matrices * n * n)), MAX_COUNT);
    if (solver->kernel_matrices > 0 && (!budget.kernel_operations || limit < given))
        budget.kernel_operations = (uint64_t)limit;
    return budget;
}

/* Repeats the job's solver `count` times; each repeat is one run or, for short runs, the mean of several. Ends at the
 * first run that differs. */
static enum status repeat_job(struct split_session *unit, const struct job_request *job, unsigned count,
                              struct job_result *result, struct error *error)
{
    const double max_runs = 1000, first = result->solution.seconds;
    const enum outcome *outcome = &result->solution.outcome;
    const size_t runs = (size_t)fmin(max_runs, ceil(TIMING_SHORT / fmax(first, TIMING_SHORT / max_runs)));
    double *wall = xcalloc(2 * (size_t)count, sizeof *wall), *cpu = wall + count;
    enum status status = STATUS_OK;
    for (size_t k = 0; k < count * runs && status == STATUS_OK && *outcome != OUTCOME_FAILED; k++) {
        struct solution again = {0};
        status = session_repeat(unit->session, job, result, &again, error);
        wall[k / runs] += again.seconds / (double)runs;
        cpu[k / runs] += again.cpu_seconds / (double)runs;
    }
    if (status == STATUS_OK && *outcome != OUTCOME_FAILED)
        unit->timing = timing_of_repeats(wall, cpu, count);
    unit->timing.budget = job->budget;
    unit->timing.rows = unit->rows_hash;
    free(wall);
    return status;
}

void unit_run_job(struct split_session *unit, const struct config *config, const struct job *job, struct trace *trace,
                  const volatile sig_atomic_t *interrupted, struct job_result *result)
{
    const struct config_solver *solver = &config->solvers[job->solver];
    const struct job_request request = {
        .solver = solver->solver,
        .parameters = &job->parameters,
        .mu_of_c = solver->mu_of_c,
        .stop = job->stop,
        .budget = unit_budget(solver, unit->split->n_train),
        .support_threshold = config->support_threshold,
        .middle_bias = config->bias_of_nu_svc,
        .trace = trace,
        .interrupted = interrupted,
    };
    struct error error;
    die_unless_ok(session_set_kernel(unit->session, &job->kernel, &error), &error);
    enum status status = session_run(unit->session, &request, result, &error);
    unit->timing = (struct timing){.seconds = result->solution.seconds, .budget = request.budget,
                                   .rows = unit->rows_hash};
    if (status == STATUS_OK && config->repeats >= 2 && result->solution.outcome != OUTCOME_FAILED)
        status = repeat_job(unit, &request, config->repeats, result, &error);
    if (status == STATUS_INTERRUPTED)
        die_of(&error);
    if (status != STATUS_OK)
        die(status, "%s, split %zu: %s", unit->dataset->name, unit->split->number, error.message);
}
