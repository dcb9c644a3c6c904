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
#include "harness/tune/cma_es.h"
#include "harness/tune/log_scale.h"

size_t search_size(const struct tune_config *config, int has_printed)
{
    return (size_t)has_printed + config->grid[TUNE_C] * config->grid[TUNE_WIDTH] +
           config->generations * config->population;
}

static enum status no_memory(const struct search *search, struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "%s: out of memory for %zu evaluations", search->dataset_name,
                     search->most);
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

static enum status evaluate_printed(struct search *search, struct objective *objective, struct error *error)
{
    double log2[TUNE_AXES];
    size_t from = search->n;
    for (unsigned a = 0; a < TUNE_AXES; a++)
        log2[a] = log_scale_of(search->printed[a]);
    add(search, EVALUATION_PRINTED, 0, log2, search->printed);
    return evaluate(search, objective, from, error);
}

static void grid_level(const struct tune_range *range, size_t level, size_t levels, double *log2, double *value)
{
    double part = (double)level / (double)(levels - 1);
    *log2 = log_scale_round(range->low + part * (range->high - range->low));
    *value = level == 0 ? range->from : level == levels - 1 ? range->to : log_scale_value(*log2);
}

static enum status evaluate_grid(struct search *search, const struct tune_config *config, struct objective *objective,
                                 struct error *error)
{
    double log2[TUNE_AXES], value[TUNE_AXES];
    size_t from = search->n, levels[TUNE_AXES];
    memcpy(levels, config->grid, sizeof levels);
    for (size_t i = 0; i < levels[TUNE_C] * levels[TUNE_WIDTH]; i++) {
        grid_level(&config->range[TUNE_C], i % levels[TUNE_C], levels[TUNE_C], &log2[TUNE_C], &value[TUNE_C]);
        grid_level(&config->range[TUNE_WIDTH], i / levels[TUNE_C], levels[TUNE_WIDTH], &log2[TUNE_WIDTH],
                   &value[TUNE_WIDTH]);
        add(search, EVALUATION_GRID, 0, log2, value);
    }
    return evaluate(search, objective, from, error);
}

/* ---- CMA-ES ---- */

/* u mirrored at 0 and 1 until it lies between them. */
static double mirrored(double u)
{
    double turn = u - 2 * floor(0.5 * u);
    return turn > 1 ? 2 - turn : turn;
}

static double to_log2(const struct tune_range *range, double u)
{
    return log_scale_round(range->low + u * (range->high - range->low));
}

static double from_log2(const struct tune_range *range, double log2)
{
    return (log2 - range->low) / (range->high - range->low);
}

static void note_mean(struct search *search, const struct tune_config *config, const struct cma_es *cma,
                      size_t generation)
{
    for (unsigned a = 0; a < TUNE_AXES; a++)
        search->path[generation * TUNE_AXES + a] = to_log2(&config->range[a], mirrored(cma_es_mean(cma)[a]));
    search->step = cma_es_step(cma);
}

/* One generation: points and values have room for a population. */
static enum status generation(struct search *search, const struct tune_config *config, struct objective *objective,
                              struct cma_es *cma, size_t number, double *points, double *values, struct error *error)
{
    size_t from = search->n;
    cma_es_ask(cma, points);
    for (size_t p = 0; p < config->population; p++) {
        double log2[TUNE_AXES], value[TUNE_AXES], *u = points + p * TUNE_AXES;
        for (unsigned a = 0; a < TUNE_AXES; a++) {
            log2[a] = to_log2(&config->range[a], mirrored(u[a]));
            value[a] = log_scale_value(log2[a]);
            u[a] = from_log2(&config->range[a], log2[a]);
        }
        add(search, EVALUATION_CMA_ES, number, log2, value);
    }
    enum status status = evaluate(search, objective, from, error);
    for (size_t p = 0; p < config->population; p++)
        values[p] = search->evaluations[from + p].error.mean;
    if (status == STATUS_OK) {
        cma_es_tell(cma, points, values);
        note_mean(search, config, cma, number);
    }
    return status;
}

static enum status run_cma_es(struct search *search, const struct tune_config *config, struct objective *objective,
                              struct error *error)
{
    char name[160];
    double start[TUNE_AXES];
    struct cma_es *cma = NULL;
    snprintf(name, sizeof name, "%.140s cma-es", search->dataset_name);
    for (unsigned a = 0; a < TUNE_AXES; a++)
        start[a] = from_log2(&config->range[a], config->start[a]);
    struct cma_es_options options = {.n = TUNE_AXES,
                                     .population = config->population,
                                     .step = config->step,
                                     .start = start,
                                     .seed = split_seed(config->config->seed, name, 0)};
    double *points = calloc(config->population * (TUNE_AXES + 1), sizeof *points);
    enum status status = points ? cma_es_create(&cma, &options, error) : no_memory(search, error);
    if (status == STATUS_OK)
        note_mean(search, config, cma, 0);
    for (size_t g = 1; g <= config->generations && status == STATUS_OK; g++)
        status = generation(search, config, objective, cma, g, points, points + config->population * TUNE_AXES, error);
    cma_es_free(cma);
    free(points);
    return status;
}

/* ---- the whole ---- */

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

enum status search_run(struct search *search, const struct tune_config *config, struct objective *objective,
                       struct error *error)
{
    search->folds = objective_folds(objective);
    search->evaluations = calloc(search->most, sizeof *search->evaluations);
    search->results = calloc(search->most * search->folds, sizeof *search->results);
    search->path = calloc((config->generations + 1) * TUNE_AXES, sizeof *search->path);
    if (!search->evaluations || !search->results || !search->path)
        return no_memory(search, error);
    enum status status = search->has_printed ? evaluate_printed(search, objective, error) : STATUS_OK;
    if (status == STATUS_OK && config->grid[TUNE_C])
        status = evaluate_grid(search, config, objective, error);
    if (status == STATUS_OK && config->generations)
        status = run_cma_es(search, config, objective, error);
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

double search_distance(const struct evaluation *a, const struct evaluation *b)
{
    double c = a->log2[TUNE_C] - b->log2[TUNE_C], width = a->log2[TUNE_WIDTH] - b->log2[TUNE_WIDTH];
    return sqrt(c * c + width * width);
}

enum status search_difference(const struct search *search, const struct evaluation *a, const struct evaluation *b,
                              struct summary *difference, struct error *error)
{
    double *values = calloc(search->folds, sizeof *values);
    int known = a->error.n && b->error.n;
    if (!values)
        return no_memory(search, error);
    for (size_t f = 0; f < search->folds && known; f++)
        values[f] = a->folds[f].error_percent - b->folds[f].error_percent;
    enum status status = summary_of(values, known ? search->folds : 0, difference, error);
    free(values);
    return status;
}
