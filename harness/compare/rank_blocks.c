/* Ranks compare solvers on the same problems: a problem that one of them has no record of counts for none. */
#include "harness/compare/rank_blocks.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AUTOMATIC_SOLVERS = 3, AUTOMATIC_DATASETS = 5 };

const enum plot_field rank_metrics[RANK_METRICS] = {PLOT_ERROR, PLOT_ITERATIONS, PLOT_KERNEL_OPERATIONS};

int rank_metric_wanted(const cJSON *entry, enum plot_field field)
{
    const char *metric = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "metric"));
    return !metric || strcmp(metric, plot_field_texts[field].metric) == 0;
}

/* Whether every series has a record of the problem; `seen` has room for all series. */
static int all_have(const struct series_set *rivals, size_t problem, unsigned char *seen)
{
    size_t have = 0;
    memset(seen, 0, rivals->n_series);
    for (size_t i = 0; i < rivals->n; i++)
        if (rivals->problem_of[i] == problem && !seen[rivals->series_of[i]]) {
            seen[rivals->series_of[i]] = 1;
            have++;
        }
    return have == rivals->n_series;
}

/* Leaves in `common` whether all series have a problem, and in `datasets` those with such a one. */
static void find_blocks(const struct plot_data *data, struct rank_blocks *blocks)
{
    const struct series_set *rivals = &blocks->rivals;
    unsigned char seen[MAX_SERIES];
    for (size_t p = 0; p < rivals->n_problems; p++)
        blocks->common[p] = (unsigned char)all_have(rivals, p, seen);
    for (size_t d = 0; d < data->n_datasets; d++) {
        size_t p = 0;
        while (p < rivals->n_problems &&
               !(blocks->common[p] && rivals->records[rivals->first_of[p]]->dataset == data->datasets[d]))
            p++;
        if (p < rivals->n_problems)
            blocks->datasets[blocks->n++] = data->datasets[d];
    }
}

static double cost_of(const struct plot_record *record, enum plot_field field)
{
    double value = record->field[field];
    if (field == PLOT_ERROR)
        return isfinite(value) ? value : INFINITY;
    return record->at_limit || record->stalled || !isfinite(value) ? INFINITY : log(value);
}

void rank_blocks_fill(struct rank_blocks *blocks, enum plot_field field)
{
    const struct series_set *rivals = &blocks->rivals;
    for (size_t s = 0; s < rivals->n_series; s++)
        for (size_t d = 0; d < blocks->n; d++) {
            double sum = 0;
            size_t n = 0;
            for (size_t i = 0; i < rivals->n; i++)
                if (rivals->series_of[i] == s && blocks->common[rivals->problem_of[i]] &&
                    rivals->records[i]->dataset == blocks->datasets[d]) {
                    sum += cost_of(rivals->records[i], field);
                    n++;
                }
            blocks->costs[s * blocks->n + d] = isnan(sum) ? INFINITY : sum / (double)n; /* log 0 met an infinity */
        }
}

const char *rank_blocks_obstacle(const struct rank_blocks *blocks, const cJSON *entry)
{
    if (blocks->rivals.too_many)
        return "too many solvers or combinations of their parameters; choose with \"solvers\" or \"where\"";
    if (blocks->rivals.n_series < (entry ? 2 : AUTOMATIC_SOLVERS))
        return "fewer than two solvers to compare";
    if (blocks->n < (entry ? 2 : AUTOMATIC_DATASETS))
        return "fewer than two data sets have problems that all solvers ran on";
    return NULL;
}

enum status rank_blocks_take(const struct plot_data *data, const cJSON *entry, struct rank_blocks *blocks,
                             struct error *error)
{
    enum status status = series_set_read(data, entry, &blocks->rivals, error);
    if (status != STATUS_OK)
        return status;
    blocks->common = malloc(blocks->rivals.n_problems + 1);
    blocks->datasets = malloc((data->n_datasets + 1) * sizeof *blocks->datasets);
    blocks->costs = malloc(MAX_SERIES * (data->n_datasets + 1) * sizeof *blocks->costs);
    if (!blocks->common || !blocks->datasets || !blocks->costs)
        return error_set(error, STATUS_NO_MEMORY, "ranks: out of memory");
    if (!blocks->rivals.too_many)
        find_blocks(data, blocks);
    return STATUS_OK;
}

void rank_blocks_free(struct rank_blocks *blocks)
{
    if (!blocks)
        return;
    series_set_free(&blocks->rivals);
    free(blocks->common);
    free(blocks->datasets);
    free(blocks->costs);
    *blocks = (struct rank_blocks){0};
}
