/* Builds the plan, see plan.h. */
#include "harness/run/plan.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_AXES = KERNEL_MAX_PARAMETERS + MAX_PARAMETERS + 1 };

/* A mixed-radix counter over the values of several axes; the last axis varies fastest. */
struct counter {
    size_t axes, at[MAX_AXES];
    const struct values *values[MAX_AXES];
};

static void counter_add(struct counter *counter, const struct value_list *axis, const char *dataset)
{
    counter->values[counter->axes++] = value_list_for(axis, dataset);
}

/* Advances the counter; returns 0 after the last combination. */
static int counter_next(struct counter *counter)
{
    for (size_t a = counter->axes; a-- > 0;) {
        if (++counter->at[a] < counter->values[a]->count)
            return 1;
        counter->at[a] = 0;
    }
    return 0;
}

static size_t counter_combinations(const struct counter *counter)
{
    size_t count = 1;
    for (size_t a = 0; a < counter->axes; a++)
        count *= counter->values[a]->count;
    return count;
}

static double counter_value(const struct counter *counter, size_t axis)
{
    return counter->values[axis]->value[counter->at[axis]];
}

struct builder {
    const struct config *config;
    struct dataset *const *datasets;
    size_t shard, shards;
    size_t units, kernels; /* of the current data set: its requested splits, and the kernels for each */
    struct plan *plan;     /* total_blocks: those of the earlier data sets */
    size_t job_capacity, unit_capacity;
};

static void add_solver_jobs(struct builder *builder, struct job job)
{
    const struct config_solver *solver = &builder->config->solvers[job.solver];
    const char *dataset = builder->config->datasets[job.dataset].name;
    const size_t count = solver_count_parameters(solver->solver);
    struct plan *plan = builder->plan;
    struct counter counter = {0};
    for (size_t p = 0; p < count; p++)
        counter_add(&counter, &solver->parameters[p], dataset);
    counter_add(&counter, &solver->tolerance, dataset);
    job.stop.rule = solver->stop_rule;
    job.place[PLACE_SOLVER] = solver->place;
    job.place[PLACE_PARAMETERS] = 0;
    do {
        for (size_t p = 0; p < count; p++)
            parameter_set(&job.parameters, config_solver_parameter(solver, p), counter_value(&counter, p));
        job.stop.tolerance = counter_value(&counter, count);
        plan->jobs = pool_grow(builder->config->pool, plan->jobs, plan->n_jobs, &builder->job_capacity,
                               sizeof *plan->jobs);
        plan->jobs[plan->n_jobs++] = job;
        job.place[PLACE_PARAMETERS]++;
    } while (counter_next(&counter));
}

/* ---- blocks, which are distributed among shards ---- */

static struct counter kernel_counter(const struct config *config, size_t d)
{
    struct counter counter = {0};
    for (size_t k = 0; k < kernel_family_count_parameters(config->kernel); k++)
        counter_add(&counter, &config->kernel_parameters[k], config->datasets[d].name);
    return counter;
}

static int wants_split(const struct config *config, size_t number)
{
    for (size_t i = 0; i < config->n_splits; i++)
        if (config->splits[i] == number)
            return 1;
    return 0;
}

/* Whether kernel k of the u-th unit of data set d is in the shard; all numbers count from 0. */
static int in_shard(const struct builder *builder, size_t d, size_t u, size_t k)
{
    const size_t turned = (k + builder->config->datasets[d].place) % builder->kernels;
    return (builder->plan->total_blocks + turned * builder->units + u) % builder->shards == builder->shard - 1;
}

/* Adds the shard's jobs in the u-th unit of data set d. */
static void add_unit_jobs(struct builder *builder, size_t d, size_t split, size_t u)
{
    const struct config *config = builder->config;
    struct counter counter = kernel_counter(config, d);
    uint32_t kernel = 0;
    double values[KERNEL_MAX_PARAMETERS] = {0};
    do {
        struct job job = {.dataset = d, .split = split};
        job.place[PLACE_DATASET] = config->datasets[d].place;
        job.place[PLACE_SPLIT] = (uint32_t)builder->datasets[d]->splits[split].number;
        job.place[PLACE_KERNEL] = kernel++;
        if (!in_shard(builder, d, u, job.place[PLACE_KERNEL]))
            continue;
        for (size_t k = 0; k < counter.axes; k++)
            values[k] = counter_value(&counter, k);
        job.kernel = kernel_of_family(config->kernel, values);
        for (job.solver = 0; job.solver < config->n_solvers; job.solver++)
            add_solver_jobs(builder, job);
    } while (counter_next(&counter));
}

static void add_unit(struct builder *builder, size_t d, size_t split, size_t u)
{
    struct plan *plan = builder->plan;
    struct unit unit = {.first = plan->n_jobs};
    add_unit_jobs(builder, d, split, u);
    unit.count = plan->n_jobs - unit.first;
    if (unit.count == 0)
        return;
    const double n = (double)builder->datasets[d]->splits[split].n_train;
    unit.cost = n * n * (double)unit.count; /* kernel rows dominate: the number of patterns squared for each job */
    plan->units = pool_grow(builder->config->pool, plan->units, plan->n_units, &builder->unit_capacity,
                            sizeof *plan->units);
    plan->units[plan->n_units++] = unit;
}

static void add_dataset(struct builder *builder, size_t d)
{
    const struct dataset *dataset = builder->datasets[d];
    const struct counter kernels = kernel_counter(builder->config, d);
    size_t u = 0;
    builder->units = 0;
    for (size_t s = 0; dataset && s < dataset->n_splits; s++)
        builder->units += (size_t)wants_split(builder->config, dataset->splits[s].number);
    builder->kernels = counter_combinations(&kernels);
    for (size_t s = 0; dataset && s < dataset->n_splits; s++)
        if (wants_split(builder->config, dataset->splits[s].number))
            add_unit(builder, d, s, u++);
    builder->plan->total_blocks += builder->units * builder->kernels;
}

void plan_build(const struct config *config, struct dataset *const *datasets, size_t shard, size_t shards,
                struct plan *plan)
{
    struct builder builder = {.config = config, .datasets = datasets, .plan = plan, .shard = shard, .shards = shards};
    *plan = (struct plan){.config = config, .datasets = datasets};
    for (size_t d = 0; d < config->n_datasets; d++)
        add_dataset(&builder, d);
}

int plan_same_block(const struct job *a, const struct job *b)
{
    return a->dataset == b->dataset && a->split == b->split && a->place[PLACE_KERNEL] == b->place[PLACE_KERNEL];
}

int plan_same_but_tolerance(const struct job *a, const struct job *b)
{
    return a->dataset == b->dataset && a->split == b->split && a->solver == b->solver && a->stop.rule == b->stop.rule &&
           kernel_equal(&a->kernel, &b->kernel) && parameters_equal(&a->parameters, &b->parameters);
}

/*
 * A unit of cost c, out of a total cost S, is cut into ceil(c / (S / (8 threads))) chunks with equal numbers of jobs,
 * up to one. If chunks cost at most S / (8 threads) and are assigned longest first, the last thread ends at most an
 * eighth of its share after the first (Graham, Bounds on multiprocessing timing anomalies, 1969), provided that the
 * costs are right.
 */

static int by_cost(const void *a, const void *b)
{
    const struct unit *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? 1 : -1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static size_t parts_of(const struct unit *unit, double max)
{
    double parts = max > 0 ? ceil(unit->cost / max) : 1;
    return parts < (double)unit->count ? (size_t)parts : unit->count;
}

struct unit *plan_chunks(const struct plan *plan, unsigned threads, size_t *count)
{
    double sum = 0;
    size_t wanted = 0;
    for (size_t u = 0; u < plan->n_units; u++)
        sum += plan->units[u].cost;
    double max = threads > 1 ? sum / ((double)CHUNKS_PER_THREAD * threads) : 0;
    for (size_t u = 0; u < plan->n_units; u++)
        wanted += parts_of(&plan->units[u], max);
    struct unit *chunks = xcalloc(wanted + 1, sizeof *chunks);
    *count = 0;
    for (size_t u = 0; u < plan->n_units; u++) {
        const struct unit *unit = &plan->units[u];
        size_t parts = parts_of(unit, max);
        for (size_t p = 0; p < parts; p++) {
            size_t first = unit->count * p / parts, end = unit->count * (p + 1) / parts;
            double share = (double)(end - first) / (double)unit->count;
            chunks[(*count)++] = (struct unit){unit->first + first, end - first, unit->cost * share};
        }
    }
    qsort(chunks, *count, sizeof *chunks, by_cost);
    return chunks;
}
