/*
 * Points of the grid: width by width, C rising within each, evenly spaced in log2 with the ends as configured.
 *
 * CMA-ES works in the unit square, u = (log2 value - low) / (high - low) for each of C and width. What it draws outside
 * is mirrored at the sides until it is inside, then put on the nearest multiple of 2^-20 in log2, and learnt from as it
 * was evaluated. Its random numbers are seeded by the seed and the data set's name. Resuming repeats the search with
 * the values of the journal, so its state needs no file.
 */
#include "harness/tune/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/split.h"
#include "harness/program/memory.h"
#include "harness/tune/cma_es.h"
#include "harness/tune/log_scale.h"

size_t search_size(const struct tune_config *config, int has_printed)
{
    return (size_t)has_printed + config->grid[TUNE_C] * config->grid[TUNE_WIDTH] +
           config->generations * config->population;
}

/* Adds an evaluation that is still to be done. */
static void add(struct search *search, enum evaluation_kind kind, size_t generation, const double *log2,
                const double *value)
{
    struct evaluation *evaluation = &search->evaluations[search->n];
    *evaluation = (struct evaluation){
        .kind = kind,
        .generation = generation,
        .log2 = {log2[TUNE_C], log2[TUNE_WIDTH]},
        .value = {value[TUNE_C], value[TUNE_WIDTH]},
        .folds = search->results + search->n * search->folds,
    };
    for (size_t e = 0; e < search->n && !evaluation->same; e++) {
        const struct evaluation *earlier = &search->evaluations[e];
        if (!earlier->same && memcmp(earlier->value, value, sizeof earlier->value) == 0) {
            evaluation->same = earlier;
            evaluation->folds = earlier->folds;
            search->repeated++;
        }
    }
    search->n++;
}

/* Does the evaluations added from `from` on. */
static enum status evaluate(struct search *search, struct objective *objective, size_t from, struct error *error)
{
    return objective_evaluate(objective, &search->job, search->evaluations + from, search->n - from,
                              search->first + from * search->folds, error);
}

static void add_printed(struct search *search)
{
    double log2[TUNE_AXES];
    for (unsigned a = 0; a < TUNE_AXES; a++)
        log2[a] = log_scale_of(search->printed[a]);
    add(search, EVALUATION_PRINTED, 0, log2, search->printed);
}

static void add_grid(struct search *search, const struct tune_config *config)
{
    double log2[TUNE_AXES], value[TUNE_AXES];
    for (size_t i = 0; i < config->grid[TUNE_C] * config->grid[TUNE_WIDTH]; i++) {
        const size_t level[TUNE_AXES] = {i % config->grid[TUNE_C], i / config->grid[TUNE_C]};
        for (unsigned a = 0; a < TUNE_AXES; a++) {
            const struct tune_range *range = &config->range[a];
            size_t last = config->grid[a] - 1;
            log2[a] = log_scale_round(range->low + (double)level[a] / (double)last * (range->high - range->low));
            value[a] = level[a] == 0 ? range->from : level[a] == last ? range->to : log_scale_value(log2[a]);
        }
        add(search, EVALUATION_GRID, 0, log2, value);
    }
}

/* ---- CMA-ES ---- */

/* log2 of u mirrored at 0 and 1 until it lies between them. */
static double to_log2(const struct tune_range *range, double u)
{
    double turn = u - 2 * floor(0.5 * u);
    return log_scale_round(range->low + (turn > 1 ? 2 - turn : turn) * (range->high - range->low));
}

static double from_log2(const struct tune_range *range, double log2)
{
    return (log2 - range->low) / (range->high - range->low);
}

static void note_mean(struct search *search, const struct tune_config *config, const struct cma_es *cma,
                      size_t generation)
{
    for (unsigned a = 0; a < TUNE_AXES; a++)
        search->path[generation * TUNE_AXES + a] = to_log2(&config->range[a], cma->mean[a]);
    search->step = cma->step;
}

static enum status run_generation(struct search *search, const struct tune_config *config, struct objective *objective,
                                  struct cma_es *cma, size_t generation, struct error *error)
{
    double points[CMA_ES_POPULATION_MAX * TUNE_AXES], values[CMA_ES_POPULATION_MAX];
    size_t from = search->n;
    cma_es_ask(cma, points);
    for (size_t p = 0; p < config->population; p++) {
        double log2[TUNE_AXES], value[TUNE_AXES], *u = points + p * TUNE_AXES;
        for (unsigned a = 0; a < TUNE_AXES; a++) {
            log2[a] = to_log2(&config->range[a], u[a]);
            value[a] = log_scale_value(log2[a]);
            u[a] = from_log2(&config->range[a], log2[a]);
        }
        add(search, EVALUATION_CMA_ES, generation, log2, value);
    }
    enum status status = evaluate(search, objective, from, error);
    if (status != STATUS_OK)
        return status;
    for (size_t p = 0; p < config->population; p++)
        values[p] = search->evaluations[from + p].error.mean;
    cma_es_tell(cma, points, values);
    note_mean(search, config, cma, generation);
    return STATUS_OK;
}

static enum status run_cma_es(struct search *search, const struct tune_context *context, struct objective *objective,
                              struct error *error)
{
    const struct tune_config *config = context->config;
    char name[160];
    double start[TUNE_AXES];
    struct cma_es cma;
    snprintf(name, sizeof name, "%.140s cma-es", search->dataset_name);
    for (unsigned a = 0; a < TUNE_AXES; a++)
        start[a] = from_log2(&config->range[a], config->start[a]);
    cma_es_begin(&cma, config->population, start, config->step, split_seed(context->run->config->seed, name, 0));
    note_mean(search, config, &cma, 0);
    enum status status = STATUS_OK;
    for (size_t g = 1; g <= config->generations && status == STATUS_OK; g++)
        status = run_generation(search, config, objective, &cma, g, error);
    cma_es_end(&cma);
    return status;
}

/* ---- what was found ---- */

/* Whether an evaluation of the same kind was at this point before. */
static int is_repetition(const struct search *search, size_t e)
{
    const struct evaluation *here = &search->evaluations[e];
    for (size_t earlier = 0; here->same && earlier < e; earlier++)
        if (search->evaluations[earlier].kind == here->kind &&
            memcmp(search->evaluations[earlier].value, here->value, sizeof here->value) == 0)
            return 1;
    return 0;
}

static void find_best(struct search *search)
{
    for (size_t e = 0; e < search->n; e++) {
        const struct evaluation *here = &search->evaluations[e], **best = &search->best[here->kind];
        if (here->error.n == 0 || (*best && here->error.mean > (*best)->error.mean))
            continue;
        if (!*best || here->error.mean < (*best)->error.mean) {
            *best = here;
            search->tied[here->kind] = 0;
        }
        search->tied[here->kind] += !is_repetition(search, e);
    }
}

enum status search_run(struct search *search, struct tune_context *context, struct objective *objective,
                       struct error *error)
{
    const struct tune_config *config = context->config;
    search->evaluations = xcalloc(search->max, sizeof *search->evaluations);
    search->results = xcalloc(search->max * search->folds, sizeof *search->results);
    search->path = xcalloc((config->generations + 1) * TUNE_AXES, sizeof *search->path);
    if (search->has_printed)
        add_printed(search);
    add_grid(search, config);
    enum status status = evaluate(search, objective, 0, error);
    if (status == STATUS_OK && config->generations)
        status = run_cma_es(search, context, objective, error);
    if (status == STATUS_OK)
        find_best(search);
    return status;
}

void search_free(struct search *search)
{
    free(search->evaluations);
    free(search->results);
    free(search->path);
    memset(search, 0, sizeof *search);
}

void search_count_outcomes(const struct search *search, size_t outcomes[OUTCOMES])
{
    for (size_t e = 0; e < search->n; e++)
        for (unsigned o = 0; o < OUTCOMES && !search->evaluations[e].same; o++)
            outcomes[o] += search->evaluations[e].outcomes[o];
}

int search_compare(const struct search *search, enum evaluation_kind kind, struct search_comparison *comparison)
{
    const struct evaluation *best = search->best[kind], *printed = search->evaluations;
    if (!search->has_printed || !best)
        return 0;
    for (unsigned a = 0; a < TUNE_AXES; a++)
        comparison->log2[a] = best->log2[a] - printed->log2[a];
    comparison->distance = sqrt(comparison->log2[TUNE_C] * comparison->log2[TUNE_C] +
                                comparison->log2[TUNE_WIDTH] * comparison->log2[TUNE_WIDTH]);
    size_t folds = best->error.n && printed->error.n ? search->folds : 0;
    double *differences = xcalloc(folds, sizeof *differences);
    for (size_t f = 0; f < folds; f++)
        differences[f] = best->folds[f].error_percent - printed->folds[f].error_percent;
    comparison->difference = summary_of_numbers(differences, folds);
    free(differences);
    return 1;
}
