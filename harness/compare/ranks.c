/* Ranks compare solvers on the same problems, so a problem without a record of one of them is left out for all. */
#include "harness/compare/ranks.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

enum { AUTOMATIC_SOLVERS = 3, AUTOMATIC_DATASETS = 5 };

const enum record_field rank_metrics[RANK_METRICS] = {FIELD_ERROR, FIELD_ITERATIONS, FIELD_KERNEL_OPERATIONS};

int rank_metric_wanted(const cJSON *entry, enum record_field field)
{
    const char *metric = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "metric"));
    return !metric || strcmp(metric, measure_row(field)->measure) == 0;
}

/* Numbers the data sets with a problem, in the order of the plan. */
static void find_blocks(struct pool *pool, const struct run_view *data, struct rank_blocks *blocks)
{
    const struct series_set *set = &blocks->series;
    size_t *number = pool_array(pool, data->datasets.count, sizeof *number);
    for (size_t p = 0; p < set->n_problems; p++) {
        blocks->block_of[p] = name_order_find(&data->datasets, set->datasets[p]);
        number[blocks->block_of[p]] = 1;
    }
    for (size_t d = 0; d < data->datasets.count; d++)
        if (number[d]) {
            blocks->datasets[blocks->n] = data->datasets.names[d];
            number[d] = blocks->n++;
        }
    for (size_t p = 0; p < set->n_problems; p++)
        blocks->block_of[p] = number[blocks->block_of[p]];
}

static double cost_of(const struct record *record, enum record_field field)
{
    double value = record->field[field];
    if (field == FIELD_ERROR)
        return isfinite(value) && !record->failed ? value : INFINITY;
    return !record->converged || !isfinite(value) ? INFINITY : log(value);
}

static void fill_costs(struct pool *pool, struct rank_blocks *blocks, enum record_field field)
{
    const struct series_set *set = &blocks->series;
    const size_t n_costs = set->n_series * blocks->n;
    size_t *n = pool_array(pool, n_costs, sizeof *n);
    memset(blocks->costs, 0, n_costs * sizeof *blocks->costs);
    for (size_t i = 0; i < set->n_series * set->n_problems; i++) {
        const size_t at = i / set->n_problems * blocks->n + blocks->block_of[i % set->n_problems];
        blocks->costs[at] += cost_of(set->runs[i], field);
        n[at]++;
    }
    for (size_t at = 0; at < n_costs; at++) { /* log 0 plus infinity is NaN */
        const double sum = blocks->costs[at];
        blocks->costs[at] = isnan(sum) ? INFINITY : sum / (double)n[at];
    }
}

const char *rank_blocks_obstacle(const struct rank_blocks *blocks, const cJSON *entry)
{
    if (blocks->series.too_many)
        return "too many solvers or combinations of their parameters; select some with \"solvers\" or \"where\"";
    if (blocks->series.n_series < (entry ? 2 : AUTOMATIC_SOLVERS))
        return "fewer than two solvers to compare";
    if (blocks->n < (entry ? 2 : AUTOMATIC_DATASETS))
        return "fewer than two data sets have problems that all solvers ran";
    return blocks->series.budgets;
}

struct rank_blocks rank_blocks_take(struct pool *pool, const struct run_view *data, const cJSON *entry)
{
    struct rank_blocks blocks = {.series = series_set_take(pool, data, entry, 1)};
    blocks.datasets = pool_array(pool, data->datasets.count, sizeof *blocks.datasets);
    blocks.block_of = pool_array(pool, blocks.series.n_problems, sizeof *blocks.block_of);
    blocks.costs = pool_array(pool, MAX_SERIES * data->datasets.count, sizeof *blocks.costs);
    if (!blocks.series.too_many)
        find_blocks(pool, data, &blocks);
    return blocks;
}

void ranking_make(struct pool *pool, struct rank_blocks *blocks, enum record_field field, struct ranking *ranking)
{
    fill_costs(pool, blocks, field);
    *ranking = (struct ranking){.field = field};
    ranking->friedman = friedman_test(pool, blocks->costs, blocks->series.n_series, blocks->n);
    ranking->difference = nemenyi_difference(&ranking->friedman, RANKING_LEVEL);
    signed_rank_pairs(blocks->costs, blocks->series.n_series, blocks->n, ranking->pairs);
    friedman_order(&ranking->friedman, ranking->order);
    ranking->n_groups =
        nemenyi_groups(&ranking->friedman, ranking->order, ranking->difference, ranking->groups);
}

int ranking_nemenyi_separates(const struct ranking *ranking, size_t a, size_t b)
{
    return fabs(ranking->friedman.mean_ranks[a] - ranking->friedman.mean_ranks[b]) > ranking->difference;
}

int ranking_signed_rank_separates(const struct ranking *ranking, size_t a, size_t b)
{
    return ranking->pairs[a * ranking->friedman.solvers + b].adjusted < RANKING_LEVEL;
}

typedef int separates(const struct ranking *, size_t, size_t);

/* The number of pairs, by mean rank, that `one` separates and `other` (may be NULL) does not; lists the first
 * LISTED_PAIRS of them if `labels` is not NULL. */
static size_t count_pairs(const struct ranking *ranking, separates *one, separates *other, const char *const *labels,
                          FILE *stream)
{
    enum { LISTED_PAIRS = 6 };
    size_t n = 0;
    for (size_t i = 0; i < ranking->friedman.solvers; i++)
        for (size_t j = i + 1; j < ranking->friedman.solvers; j++) {
            size_t a = ranking->order[i], b = ranking->order[j];
            if (!one(ranking, a, b) || (other && other(ranking, a, b)))
                continue;
            if (labels && n < LISTED_PAIRS)
                fprintf(stream, "%s%s and %s", n ? "; " : "", labels[a], labels[b]);
            n++;
        }
    if (labels && n > LISTED_PAIRS)
        fprintf(stream, "; %zu more", n - LISTED_PAIRS);
    if (labels && n == 0)
        fputs("none", stream);
    return n;
}

void ranking_print_pairs(const struct ranking *ranking, const struct rank_blocks *blocks, FILE *stream)
{
    separates *nemenyi = ranking_nemenyi_separates, *signed_rank = ranking_signed_rank_separates;
    const char *const *labels = blocks->series.labels;
    size_t solvers = ranking->friedman.solvers, all = solvers * (solvers - 1) / 2;
    double least = signed_rank_pairs_least(solvers, blocks->n);
    fprintf(stream, "Nemenyi's test separates %zu of %zu pairs; ",
            count_pairs(ranking, nemenyi, NULL, NULL, stream), all);
    if (least >= RANKING_LEVEL) {
        fprintf(stream, "signed-rank tests cannot separate any pair, because over %zu data sets no adjusted p is below "
                        "%.2g.",
                blocks->n, least);
        return;
    }
    fprintf(stream, "signed-rank tests, adjusted by Holm, %zu. Only by Nemenyi's test: ",
            count_pairs(ranking, signed_rank, NULL, NULL, stream));
    count_pairs(ranking, nemenyi, signed_rank, labels, stream);
    fputs(". Only by signed-rank tests: ", stream);
    count_pairs(ranking, signed_rank, nemenyi, labels, stream);
    fputc('.', stream);
}
