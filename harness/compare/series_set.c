/* A record's settings that do not belong to the problem distinguish the series of a solver. */
#include "harness/compare/series_set.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "harness/records/conditions.h"
#include "harness/records/coverage.h"
#include "harness/records/plan_order.h"
#include "harness/records/same_problem.h"

static const char *label_of(const struct run_view *data, const struct series_set *set, const struct record *record)
{
    const char *label = plot_series_name(data, record->solver, record);
    for (size_t i = 0; i < record->n_settings; i++) {
        const struct setting *s = &record->settings[i];
        if (series_shows(record, s, &set->records))
            label = plot_label_add(data, record, label, s->name, s->text);
    }
    return label;
}

/* Keeps the problems that all series have, and their records; problem_of: of each record. */
static void keep_common(struct pool *pool, struct series_set *set, const struct coverage *coverage,
                        const size_t *problem_of)
{
    struct records all = set->records;
    size_t kept = 0;
    set->records = (struct records){.pool = pool};
    for (size_t p = 0; p < set->n_problems; p++)
        if (coverage_is_common(coverage, p)) {
            set->datasets[kept] = set->datasets[p];
            set->first[kept] = set->first[p];
            for (size_t s = 0; s < set->n_series; s++)
                set->runs[s * set->n_problems + kept] = set->runs[s * set->n_problems + p];
            kept++;
        }
    for (size_t s = 1; s < set->n_series; s++)
        memmove(set->runs + s * kept, set->runs + s * set->n_problems, kept * sizeof *set->runs);
    for (size_t i = 0; i < all.count; i++)
        if (coverage_is_common(coverage, problem_of[i]))
            records_add(&set->records, all.items[i]);
    set->n_left_out = set->n_problems - kept;
    set->n_problems = kept;
}

void series_set_print_gaps(const struct series_set *set, FILE *stream)
{
    if (set->n_left_out)
        fprintf(stream, "Left out: %zu problems that not all of these solvers ran; %s. ", set->n_left_out, set->gaps);
}

struct series_set series_set_take(struct pool *pool, const struct run_view *data, const cJSON *entry, int common)
{
    const struct run_folders alone = {data->folder, data->folder != NULL};
    struct series_set set = {.records.pool = pool};
    struct name_order problems = {.pool = pool}, series = {.pool = pool};
    for (size_t i = 0; i < data->records->count; i++)
        if (selection_matches(entry, data->records->items[i]))
            records_add(&set.records, data->records->items[i]);
    set.budgets = records_budget_obstacle(pool, &alone, &set.records);
    const size_t n = set.records.count;
    size_t *series_of = pool_array(pool, 2 * n, sizeof *series_of), *problem_of = series_of + n;
    set.datasets = pool_array(pool, n, sizeof *set.datasets);
    set.first = pool_array(pool, n, sizeof *set.first);
    set.labels = pool_array(pool, n, sizeof *set.labels);
    for (size_t i = 0; i < n; i++) {
        const struct record *record = set.records.items[i];
        problem_of[i] = name_order_take(&problems, problem_key(record));
        series_of[i] = name_order_take(&series, series_key(record));
        set.too_many = series_of[i] >= MAX_SERIES || set.too_many;
        if (series_of[i] == MAX_CHOICE)
            return set;
        if (problem_of[i] == set.n_problems) {
            set.first[set.n_problems] = record;
            set.datasets[set.n_problems++] = record->dataset;
        }
        if (series_of[i] == set.n_series)
            set.labels[set.n_series++] = label_of(data, &set, record);
    }
    struct coverage coverage = coverage_begin(pool, set.n_series, set.datasets, set.n_problems);
    set.runs = pool_array(pool, set.n_series * set.n_problems, sizeof *set.runs);
    set.cost = pool_array(pool, set.n_series * set.n_problems, sizeof *set.cost);
    for (size_t i = 0; i < n; i++) {
        const size_t at = series_of[i] * set.n_problems + problem_of[i];
        set.runs[at] = set.records.items[i];
        coverage.has[at] = 1;
    }
    set.gaps = coverage_gaps(pool, &coverage, set.labels, "problems");
    if (common && set.gaps)
        keep_common(pool, &set, &coverage, problem_of);
    return set;
}

void series_set_fill_costs(struct series_set *set, enum record_field field)
{
    for (size_t k = 0; k < set->n_series * set->n_problems; k++) {
        const struct record *record = set->runs[k];
        const double cost = !record || !record->converged ? (double)INFINITY
                            : field == FIELD_SECONDS      ? record_time(record)
                                                          : record->field[field];
        set->cost[k] = isfinite(cost) ? cost : (double)INFINITY;
    }
}

/* ---- ranks ---- */

enum { AUTOMATIC_SOLVERS = 3, AUTOMATIC_DATASETS = 5 };

const enum record_field rank_metrics[RANK_METRICS] = {FIELD_ERROR, FIELD_ITERATIONS, FIELD_KERNEL_OPERATIONS};

int rank_metric_wanted(const cJSON *entry, enum record_field field)
{
    const char *metric = json_text(entry, "metric");
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
    ranking->n_groups = nemenyi_groups(&ranking->friedman, ranking->order, ranking->difference, ranking->groups);
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
