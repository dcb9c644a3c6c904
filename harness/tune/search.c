/*
 * Points of the grid: the first number varies fastest. Both are evenly spaced on their scales, with the ends as
 * configured.
 *
 * CMA-ES works in the unit square, u = (place - low) / (high - low) for each number. A point outside is mirrored at the
 * sides until it is inside, then rounded (tune_config.h), and CMA-ES learns from it as evaluated. For integers it
 * learns from the unrounded point instead, since rounding would eliminate the remaining spread. Its random generator is
 * seeded with the seed and the data set's name. Resuming repeats the search with the values in the journal, so its
 * state needs no file.
 *
 * Searches run in rounds: first the printed point and the grid, then one generation of CMA-ES each. A round has several
 * searches, the most expensive first, so that a thread that finds no fold of a large data set left works on those of
 * smaller ones. All searches whose kernel matrices fit the memory together take part, from the first to the last round.
 *
 * Threads work on folds. A fold's kernel matrix belongs to one thread at a time and its distances serve all kernels.
 * Its evaluations run in the given order, in which equal kernels are adjacent. Results are read from the journal and
 * stored by evaluation and fold, so they do not depend on the thread or the time that computed them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/data/split.h"
#include "harness/run/record_line.h"
#include "harness/run/unit.h"
#include "harness/support/json_reader.h"
#include "harness/support/decimal.h"
#include "harness/tune/cma_es.h"
#include "harness/tune/tune.h"
#include "solvers/clock.h"

const char *const evaluation_kind_names[EVALUATION_KINDS] = {"grid", "cma-es", "printed"};

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

/* ---- rounds ---- */

/* What threads do together: the pending evaluations of some searches, or the tests of all. */
struct round {
    struct tune *tune;
    struct search **searches;
    size_t n, splits; /* of each search: its folds, or the splits to test on */
    int is_test;
    int is_kept; /* kernel matrices stay between rounds, since all together fit the memory budget */
};

/* A search's problems on a split. */
struct place {
    struct tune *tune;
    const struct search *search;
    const struct dataset *dataset;
    size_t split;
    struct fold_unit *fold;
    size_t gram_bytes;
};

static void set_kernel_parameter(struct kernel *kernel, const char *name, double value)
{
    const struct kernel_family *family = kernel_family_of(kernel);
    double values[KERNEL_MAX_PARAMETERS];
    for (size_t k = 0; k < kernel_family_count_parameters(family); k++)
        values[k] = strcmp(family->parameters[k]->name, name) == 0 ? value : kernel_parameter(kernel, k);
    *kernel = kernel_of_family(family, values);
}

static struct job job_of(const struct place *at, const struct evaluation *evaluation)
{
    const struct tune *tune = at->tune;
    struct job job = at->search->job;
    const struct solver *solver = tune->run.config->solvers[job.solver].solver;
    job.split = at->split;
    for (size_t a = 0; a < tune->config->n_axes; a++) {
        const struct tune_axis *axis = &tune->config->axes[a];
        if (axis->of_kernel)
            set_kernel_parameter(&job.kernel, axis->name, evaluation->value[a]);
        else
            parameter_set(&job.parameters, solver_parameter(solver, axis->name), evaluation->value[a]);
    }
    return job;
}

static struct split_session *unit_of(const struct place *at, struct stage_times *times)
{
    const double started = clock_now();
    if (!at->fold->unit)
        at->fold->unit = unit_open(at->fold->pool, at->tune->options->simd, at->dataset, at->split,
                                   at->tune->run.config->kernel->type, at->gram_bytes, 1);
    times->seconds[STAGE_START] += clock_now() - started;
    return at->fold->unit;
}

/* Sets the result of an evaluation on the split from its record, which is made unless the journal's entry has it. */
static void evaluate_one(const struct place *at, const struct evaluation *evaluation, size_t index,
                         struct stage_times *times)
{
    struct tune *tune = at->tune;
    const char *line = journal_entries(tune->run.journal)[index].record;
    const struct job job = job_of(at, evaluation);
    const double cost = fold_cost(at->dataset);
    struct pool *pool = pool_new();
    struct record found;
    const struct record *record = &found;
    if (!line) {
        struct split_session *unit = unit_of(at, times);
        session_measure(unit->session, times);
        record = run_do_job(&tune->run, pool, unit, &job, index, NULL, cost, times);
        session_measure(unit->session, NULL);
    } else if (record_line_is_of(tune->run.config, at->dataset, &job, line)) {
        const struct json_path place = {.file = tune->options->out};
        members_read(pool, record_members, json_parse_pooled(pool, line, NULL), &place, &found);
        run_costs_found(&tune->run, job.solver, cost);
    } else
        die(STATUS_BAD_INPUT,
            "%s: entry %zu of the journal belongs to another point; give --force to restart the search",
            tune->options->out, index);
    const double operations = record->field[FIELD_KERNEL_OPERATIONS]; /* external solvers count none */
    evaluation->folds[at->split] = (struct fold_result){
        .error_percent = record->ending == OUTCOME_FAILED ? (double)NAN : record->field[FIELD_ERROR],
        .iterations = record->field[FIELD_ITERATIONS],
        .kernel_operations = isnan(operations) ? 0 : operations,
        .outcome = record->ending,
    };
    pool_free(pool);
}

static void evaluate_split(void *of, size_t i, struct stage_times *times)
{
    const struct round *round = of;
    struct tune *tune = round->tune;
    const struct search *search = round->searches[i / round->splits];
    const size_t split = i % round->splits, gram_bytes = tune->run.config->gram_bytes;
    struct fold_unit own = {.pool = pool_new()};
    const struct place at = {tune, search, (round->is_test ? tune->run.datasets : tune->folds)[search->dataset], split,
                             round->is_kept ? &search->units[split] : &own,
                             round->is_kept ? gram_bytes : gram_bytes / tune->threads};
    const struct evaluation *pending = round->is_test ? search->tests + split : search->evaluations + search->n_done;
    const size_t count = round->is_test ? 1 : search->n - search->n_done;
    const size_t first = round->is_test ? search->first_test : search->first + search->n_done * search->folds;
    for (size_t e = 0; e < count; e++)
        if (pending[e].same || !pending[e].folds)
            run_costs_found(&tune->run, search->job.solver, fold_cost(at.dataset));
        else
            evaluate_one(&at, &pending[e], first + e * search->folds + split, times);
    pool_free(own.pool);
}

/* Works in parallel, on the splits of expensive searches first. Ends with STATUS_INTERRUPTED if asked to stop. */
static void run_round(struct round *round)
{
    struct tune *tune = round->tune;
    if (!run_in_parallel(round->n * round->splits, tune->threads, evaluate_split, round, &tune->run.stage_times))
        die(STATUS_INTERRUPTED, "interrupted");
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

/* ---- evaluations ---- */

size_t search_size(const struct tune_config *config, int has_printed)
{
    return (size_t)has_printed + tune_grid_size(config) + config->generations * config->population;
}

/* Adds a pending evaluation. */
static void add(struct search *search, enum evaluation_kind kind, size_t generation, const double *place,
                const double *value)
{
    struct evaluation *evaluation = &search->evaluations[search->n];
    *evaluation = (struct evaluation){
        .kind = kind,
        .generation = generation,
        .place = {place[0], place[1]},
        .value = {value[0], value[1]},
        .folds = search->results + search->n * search->folds,
    };
    for (size_t e = 0; e < search->n && !evaluation->same; e++) {
        const struct evaluation *earlier = &search->evaluations[e];
        if (!earlier->same && memcmp(earlier->value, evaluation->value, sizeof earlier->value) == 0) {
            evaluation->same = earlier;
            evaluation->folds = earlier->folds;
            search->repeated++;
        }
    }
    search->n++;
}

static void add_grid(struct search *search, const struct tune_config *config)
{
    const size_t points = tune_grid_size(config);
    for (size_t i = 0; i < points; i++) {
        const size_t level[TUNE_AXES] = {i % config->grid[0], i / config->grid[0]};
        double place[TUNE_AXES] = {0}, value[TUNE_AXES] = {0};
        for (size_t a = 0; a < config->n_axes; a++) {
            const struct tune_axis *axis = &config->axes[a];
            size_t last = config->grid[a] - 1;
            tune_axis_at(axis, (double)level[a] / (double)last, &place[a], &value[a]);
            value[a] = level[a] == 0 ? axis->from : level[a] == last ? axis->to : value[a];
        }
        add(search, EVALUATION_GRID, 0, place, value);
    }
}

/* ---- CMA-ES ---- */

/* u, mirrored at 0 and 1 until it lies between them. */
static double mirrored(double u)
{
    double turn = u - 2 * floor(0.5 * u);
    return turn > 1 ? 2 - turn : turn;
}

static void note_mean(struct search *search, const struct tune_config *config, size_t generation)
{
    for (unsigned a = 0; a < TUNE_AXES; a++) {
        struct tune_axis smooth = config->axes[a];
        double value;
        smooth.multiple_of = 0; /* a mean of integers need not be an integer */
        tune_axis_at(&smooth, mirrored(search->cma->mean[a]), &search->path[generation * TUNE_AXES + a], &value);
    }
    search->step = search->cma->step;
}

static void begin_cma_es(struct search *search, struct tune *tune)
{
    const struct tune_config *config = tune->config;
    char name[160];
    double start[TUNE_AXES];
    snprintf(name, sizeof name, "%.140s cma-es", search->dataset_name);
    for (unsigned a = 0; a < TUNE_AXES; a++)
        start[a] = tune_axis_part(&config->axes[a], config->start[a]);
    search->cma = pool_alloc(tune->pool, sizeof *search->cma);
    search->points = pool_array(tune->pool, config->population * TUNE_AXES, sizeof *search->points);
    cma_es_begin(tune->pool, search->cma, config->population, start, config->step,
                 split_seed(tune->run.config->seed, name, 0));
    note_mean(search, config, 0);
}

static void add_generation(struct search *search, const struct tune_config *config, size_t generation)
{
    cma_es_ask(search->cma, search->points);
    for (size_t p = 0; p < config->population; p++) {
        double place[TUNE_AXES], value[TUNE_AXES], *u = search->points + p * TUNE_AXES;
        for (unsigned a = 0; a < TUNE_AXES; a++) {
            const struct tune_axis *axis = &config->axes[a];
            u[a] = mirrored(u[a]);
            tune_axis_at(axis, u[a], &place[a], &value[a]);
            if (axis->multiple_of == 0)
                u[a] = tune_axis_part(axis, place[a]);
        }
        add(search, EVALUATION_CMA_ES, generation, place, value);
    }
}

static void learn(struct search *search, const struct tune_config *config, size_t generation)
{
    double values[CMA_ES_POPULATION_MAX];
    for (size_t p = 0; p < config->population; p++)
        values[p] = search->evaluations[search->n - config->population + p].error.mean;
    cma_es_tell(search->cma, search->points, values);
    note_mean(search, config, generation);
}

/* ---- results ---- */

/* A set of kinds of evaluations. */
#define ONE_KIND(kind) (1u << (kind))

/* Nonzero if an earlier evaluation of these kinds has this point. */
static int is_repetition(const struct search *search, unsigned kinds, size_t e)
{
    const struct evaluation *here = &search->evaluations[e];
    for (size_t earlier = 0; here->same && earlier < e; earlier++)
        if (kinds & ONE_KIND(search->evaluations[earlier].kind) &&
            memcmp(search->evaluations[earlier].value, here->value, sizeof here->value) == 0)
            return 1;
    return 0;
}

/* Nonzero if the evaluation may be chosen by `count` folds from `first` on. */
static int is_candidate(const struct search *search, const struct evaluation *evaluation, size_t first, size_t count)
{
    size_t limits = 0;
    for (size_t f = first; f < first + count; f++) {
        const enum outcome outcome = evaluation->folds[f].outcome;
        limits += outcome == OUTCOME_ITERATION_LIMIT || outcome == OUTCOME_OPERATION_LIMIT ||
                  outcome == OUTCOME_TIME_LIMIT;
        if (isnan(evaluation->folds[f].error_percent))
            return 0;
    }
    return limits < count || search->job.stop.rule == STOP_ITERATIONS;
}

double search_operations_at(const struct search *search, const struct evaluation *evaluation)
{
    double operations = 0;
    for (size_t f = 0; f < search->folds; f++)
        operations += evaluation->folds[f].kernel_operations;
    return operations;
}

double search_operations(const struct search *search)
{
    double operations = 0;
    for (size_t e = 0; e < search->n; e++)
        operations += search->evaluations[e].same ? 0 : search_operations_at(search, &search->evaluations[e]);
    return operations;
}

/* Nonzero if a is chosen rather than the earlier b, which has the same error. */
static int is_preferred(const struct search *search, const struct tune_config *config, const struct evaluation *a,
                        const struct evaluation *b)
{
    for (size_t x = 0; x < config->n_axes; x++) {
        const int is_width = tune_axis_is_width(&config->axes[x]);
        if ((is_width || strcmp(config->axes[x].name, "C") == 0) && a->value[x] != b->value[x])
            return is_width == (a->value[x] > b->value[x]);
    }
    return search_operations_at(search, a) < search_operations_at(search, b);
}

/* Chooses among evaluations of these kinds by `count` folds from `first` on; any: the first of the best. */
static struct choice choose(const struct search *search, const struct tune_config *config, unsigned kinds, size_t first,
                            size_t count, int any)
{
    struct choice choice = {.point = NULL};
    for (size_t e = 0; e < search->n; e++) {
        const struct evaluation *here = &search->evaluations[e];
        double error = 0;
        if (!(kinds & ONE_KIND(here->kind)) || !is_candidate(search, here, first, count) ||
            is_repetition(search, kinds, e))
            continue;
        for (size_t f = first; f < first + count; f++)
            error += here->folds[f].error_percent;
        error = round_to_12_digits(error / (double)count); /* as those of evaluations */
        const int is_tie = choice.point && error == choice.error_percent;
        if (!choice.point || error < choice.error_percent ||
            (is_tie && !any && is_preferred(search, config, here, choice.point)))
            choice = (struct choice){here, error, is_tie ? choice.tied : 0};
        choice.tied += error == choice.error_percent;
    }
    return choice;
}

/* ---- searches together ---- */

static void begin(struct search *search, struct tune *tune)
{
    const struct tune_config *config = tune->config;
    double place[TUNE_AXES];
    search->evaluations = pool_array(tune->pool, search->max, sizeof *search->evaluations);
    search->results = pool_array(tune->pool, search->max * search->folds, sizeof *search->results);
    search->units = pool_array(tune->pool, search->folds, sizeof *search->units);
    for (size_t f = 0; f < search->folds; f++)
        search->units[f].pool = pool_new_inside(tune->pool);
    search->path = pool_array(tune->pool, (config->generations + 1) * TUNE_AXES, sizeof *search->path);
    for (unsigned a = 0; a < TUNE_AXES && search->has_printed; a++)
        place[a] = tune_axis_place(&config->axes[a], search->printed[a]);
    if (search->has_printed)
        add(search, EVALUATION_PRINTED, 0, place, search->printed);
    add_grid(search, config);
    if (config->generations)
        begin_cma_es(search, tune);
}

static void conclude(struct search *search, const struct tune_config *config, size_t generation)
{
    const unsigned searched = ONE_KIND(EVALUATION_GRID) | ONE_KIND(EVALUATION_CMA_ES);
    double *errors = xcalloc(search->folds, sizeof *errors);
    for (; search->n_done < search->n; search->n_done++)
        summarise(&search->evaluations[search->n_done], search->folds, errors);
    free(errors);
    if (generation > 0)
        learn(search, config, generation);
    if (generation < config->generations)
        return;
    for (unsigned k = 0; k < EVALUATION_KINDS; k++)
        search->best[k] = choose(search, config, ONE_KIND(k), 0, search->folds, 1);
    search->chosen = choose(search, config, searched, 0, search->folds, 0);
}

/* Moves the searches whose matrices fit the memory beside those of the first one to the places after it. */
static struct round gather(struct tune *tune, struct search **searches, size_t count)
{
    struct round round = {.tune = tune, .searches = searches, .splits = searches[0]->folds};
    double bytes = 0; /* of the kernel values and distances of all folds */
    for (size_t i = 0; i < count; i++) {
        struct search *search = searches[i];
        double own = 0;
        for (size_t f = 0; f < search->folds; f++) {
            const size_t n = tune->folds[search->dataset]->splits[f].n_train;
            own += 2 * sizeof(double) * (double)n * (double)simd_padded(n);
        }
        const int fits = bytes + own <= (double)tune->run.config->gram_bytes;
        if (i > 0 && !fits)
            continue;
        round.is_kept = fits;
        bytes += own;
        memmove(searches + round.n + 1, searches + round.n, (i - round.n) * sizeof search);
        searches[round.n++] = search;
    }
    return round;
}

static int by_cost(const void *a, const void *b)
{
    const struct search *x = *(struct search *const *)a, *y = *(struct search *const *)b;
    return x->cost != y->cost ? (x->cost < y->cost) - (x->cost > y->cost) : (x > y) - (x < y);
}

static void prepare_tests(struct search *search, struct tune *tune)
{
    const struct tune_config *config = tune->config;
    const struct dataset *dataset = tune->run.datasets[search->dataset];
    const unsigned kinds = ONE_KIND(EVALUATION_GRID) | (config->n_splits == 1 ? ONE_KIND(EVALUATION_CMA_ES) : 0);
    struct fold_result *tested = pool_array(tune->pool, config->n_splits, sizeof *tested);
    search->tests = pool_array(tune->pool, config->n_splits, sizeof *search->tests);
    for (size_t s = 0; s < config->n_splits; s++) {
        const struct choice choice = choose(search, config, kinds, s * config->n_folds, config->n_folds, 0);
        if (choice.point && dataset->splits[s].n_test > 0) {
            search->tests[s] = *choice.point;
            search->tests[s].same = NULL;
            search->tests[s].folds = tested;
        }
    }
}

static void conclude_tests(struct search *search, struct tune *tune)
{
    double *errors = pool_array(tune->pool, tune->config->n_splits, sizeof *errors);
    size_t tested = 0, failed = 0;
    for (size_t s = 0; s < tune->config->n_splits; s++)
        if (search->tests[s].folds) {
            errors[tested] = search->tests[s].folds[s].error_percent;
            failed += isnan(errors[tested++]) != 0;
        }
    search->test_error = summary_of(errors, failed ? 0 : tested);
}

void searches_run(struct tune *tune)
{
    const size_t n = tune->n_searches;
    struct search **order = pool_array(tune->pool, n, sizeof *order);
    struct round round;
    for (size_t i = 0; i < n; i++)
        order[i] = &tune->searches[i];
    qsort(order, n, sizeof *order, by_cost);
    for (size_t first = 0; first < n; first += round.n) {
        round = gather(tune, order + first, n - first);
        for (size_t generation = 0; generation <= tune->config->generations; generation++) {
            for (size_t i = 0; i < round.n; i++)
                if (generation == 0)
                    begin(round.searches[i], tune);
                else
                    add_generation(round.searches[i], tune->config, generation);
            run_round(&round);
            for (size_t i = 0; i < round.n; i++)
                conclude(round.searches[i], tune->config, generation);
        }
        tune_close_folds(tune);
    }
    round = (struct round){tune, order, n, tune->config->n_splits, .is_test = 1};
    for (size_t i = 0; i < n; i++)
        prepare_tests(order[i], tune);
    run_round(&round);
    for (size_t i = 0; i < n; i++)
        conclude_tests(order[i], tune);
}

void tune_close_folds(struct tune *tune)
{
    for (struct search *search = tune->searches; search < tune->searches + tune->n_searches; search++)
        for (size_t f = 0; search->units && f < search->folds; f++) {
            pool_reset(search->units[f].pool);
            search->units[f].unit = NULL;
        }
}

void search_count_outcomes(const struct search *search, size_t outcomes[OUTCOMES])
{
    for (size_t e = 0; e < search->n; e++)
        for (unsigned o = 0; o < OUTCOMES && !search->evaluations[e].same; o++)
            outcomes[o] += search->evaluations[e].outcomes[o];
}

int search_compare(const struct search *search, enum evaluation_kind kind, struct search_comparison *comparison)
{
    const struct evaluation *best = search->best[kind].point, *printed = search->evaluations;
    if (!search->has_printed || !best)
        return 0;
    for (unsigned a = 0; a < TUNE_AXES; a++)
        comparison->log2[a] = best->place[a] - printed->place[a];
    comparison->distance = sqrt(comparison->log2[0] * comparison->log2[0] + comparison->log2[1] * comparison->log2[1]);
    size_t folds = best->error.n && printed->error.n ? search->folds : 0;
    double *differences = xcalloc(folds, sizeof *differences);
    for (size_t f = 0; f < folds; f++)
        differences[f] = best->folds[f].error_percent - printed->folds[f].error_percent;
    comparison->difference = summary_of(differences, folds);
    free(differences);
    return 1;
}
