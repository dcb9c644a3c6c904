/*
 * The files of an atlas, and its tables that compare solvers, targets and costs. Programs get all rows, readers those
 * of the targets that figures show (atlas_shown_targets). Data sets are the sample of
 * intervals.
 */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "harness/atlas/atlas.h"
#include "harness/records/same_problem.h"
#include "harness/stats/rank_tests.h"
#include "harness/stats/variance_components.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"

/* A solver within this factor of the best is near it. */
#define ATLAS_NEAR 1.3
#define INTERVAL_NOTE "95 % intervals: Student's t over data sets."

/* ---- what tables share ---- */

void atlas_table_interval(struct atlas_table *table, double scale, int digits, const struct interval *interval)
{
    result_interval(&table->data, digits,
                    &(const struct interval){scale * interval->estimate, scale * interval->low, scale * interval->high,
                                             interval->level});
    result_number(&table->data, interval->estimate);
    result_number(&table->data, interval->low);
    result_number(&table->data, interval->high);
}

void atlas_table_tally(struct atlas_table *table, double scale, int digits, const struct tally *tally, int geometric)
{
    const struct interval interval = tally_interval(table->out->atlas, tally, geometric);
    atlas_table_interval(table, scale, digits, &interval);
}

void atlas_table_show(struct atlas_table *table, const struct atlas_family *family, size_t target)
{
    struct result *data = &table->data;
    for (size_t c = 0; c < data->columns.count && (target == family->loose || target == family->tight); c++)
        *pool_push(table->page.pool, &table->page.values) = *result_at(data, result_rows(data) - 1, c);
}

const char *atlas_target_name(struct pool *pool, const struct atlas_family *family, size_t target)
{
    return target == ATLAS_ALL ? "all" : pool_printf(pool, "%g", family->targets[target]);
}

void atlas_put_figure(struct atlas_output *out, struct plot_figure *figure)
{
    figure_sink_put(&out->sink, figure, pool_printf(out->atlas->scratch, "%s/plots", out->folder));
    pool_reset(out->atlas->scratch);
}

/* ---- stability of rankings ----
 *
 * The ranking at target t orders the series by M(s, t), the mean over data sets of the mean log cost over the data
 * set's problems, censored runs penalised. Its agreement with the ranking at the reference r is Kendall's tau-b of
 * M(., r) and M(., t), recomputed in each resample of data sets for the interval.
 *
 * On one problem the winners at a target are the series that reached it at the smallest cost, often only one. A problem
 * counts by the share of the winners at r that are also winners at t.
 */

struct ranking {
    struct atlas *atlas;
    const struct atlas_family *family;
    const struct cube *cube;
    double *problems; /* for each data set */
    size_t n_sets;    /* data sets with problems */
};

/* means[k * n_datasets + d] of the k-th series that counts the cost; 0 without problems. */
static double *take_means(const struct ranking *ranking, size_t target)
{
    const struct cube *cube = ranking->cube;
    const size_t n = ranking->atlas->n_datasets;
    double *means = pool_array(ranking->atlas->scratch, cube->n_counting * n, sizeof *means);
    for (size_t k = 0; k < cube->n_counting; k++)
        for (size_t p = 0; p < ranking->family->n_problems; p++) {
            const size_t d = ranking->family->problems[p].dataset;
            means[k * n + d] += cube_log(cube, cube->counting[k], p * ranking->family->n_targets + target) /
                                ranking->problems[d];
        }
    return means;
}

/* Tau of the rankings if data set d counts times[d] times; NULL: once each. */
static double tau_of(const struct ranking *ranking, const double *reference, const double *means, const double *times,
                     double *rank)
{
    const size_t n = ranking->atlas->n_datasets, k = ranking->cube->n_counting;
    for (size_t s = 0; s < 2 * k; s++) {
        const double *values = (s < k ? reference : means) + s % k * n;
        rank[s] = 0;
        for (size_t d = 0; d < n; d++)
            rank[s] += (times ? times[d] : 1) * values[d];
    }
    const struct pair_orders orders = pair_orders_of(rank, rank + k, k);
    return kendall_tau(&orders);
}

static struct interval tau_interval(const struct ranking *ranking, const double *reference, const double *means)
{
    struct bootstrap_draws *draws = &ranking->atlas->draws;
    double *rank = pool_array(ranking->atlas->scratch, 2 * ranking->cube->n_counting, sizeof *rank);
    const double estimate = tau_of(ranking, reference, means, NULL, rank);
    if (ranking->n_sets < 2)
        return (struct interval){estimate, (double)NAN, (double)NAN, 0};
    for (size_t b = 0; b < draws->resamples; b++)
        draws->values[b] = tau_of(ranking, reference, means, draws->times + b * draws->n, rank);
    return bootstrap_percentiles(draws, estimate, ATLAS_LEVEL);
}

/* On each problem, the share of the reference's winners that win here too, and the mean log of their cost over the
 * smallest. */
static void put_winners(const struct ranking *ranking, size_t reference, size_t target, struct atlas_table *table)
{
    const struct cube *cube = ranking->cube;
    struct tally same = tally_new(ranking->atlas), loss = tally_new(ranking->atlas);
    size_t n = 0; /* problems on which some solver reaches both targets */
    for (size_t p = 0; p < ranking->family->n_problems; p++) {
        const size_t first = p * ranking->family->n_targets + reference, here = first - reference + target,
                     d = ranking->family->problems[p].dataset;
        const double before = cube_least(cube, first), now = cube_least(cube, here);
        double winners = 0, also = 0, logs = 0, least = (double)INFINITY;
        if (!isfinite(before) || !isfinite(now))
            continue;
        for (size_t k = 0; k < cube->n_counting; k++)
            least = fmin(least, cube_log(cube, cube->counting[k], here));
        for (size_t k = 0; k < cube->n_counting; k++) {
            const double *costs = cube->cost + cube->counting[k] * cube->n_tasks;
            if (costs[first] != before)
                continue;
            winners++;
            also += costs[here] == now;
            logs += cube_log(cube, cube->counting[k], here) - least;
        }
        tally_add(&same, d, also / winners, 1);
        tally_add(&loss, d, logs / winners, 1);
        n++;
    }
    atlas_table_tally(table, 100, 2, &same, 0);
    atlas_table_tally(table, 1, 4, &loss, 1);
    result_number(&table->data, (double)n);
}

void rank_stability_put(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    struct atlas *atlas = table->out->atlas;
    const struct cube *cube = &family->costs[cost];
    if (cube->n_counting < 2 || family->n_targets < 2)
        return;
    struct ranking ranking = {atlas, family, cube,
                              pool_array(atlas->scratch, atlas->n_datasets, sizeof *ranking.problems), 0};
    for (size_t p = 0; p < family->n_problems; p++)
        ranking.n_sets += ranking.problems[family->problems[p].dataset]++ == 0;
    const double from = family->targets[family->loose], *reference = take_means(&ranking, family->loose);
    for (size_t t = 0; t < family->n_targets; t++) {
        const double *means = take_means(&ranking, t);
        const struct interval tau = tau_interval(&ranking, reference, means);
        result_row(&table->data, "%s\t%s\t%g → %g\t%g\t%g", family->key, atlas_cost_texts[cost].key, from,
                   family->targets[t], from, family->targets[t]);
        atlas_table_interval(table, 1, 2, &tau);
        put_winners(&ranking, family->loose, t, table);
        if (t != family->loose)
            atlas_table_show(table, family, t);
    }
}

/* ---- nearness to the best ----
 *
 * With c(s, k) the penalised cost of series s for task k, and l(k) the smallest cost of a series that reached the
 * target, the ratio is exp of the mean of log c/l: the factor paid for not knowing which solver is best. l is a minimum
 * over the solvers in the atlas, so ratios grow when better solvers are added. Tasks that no series completes do not
 * count. */

/* Of one series at a target: logarithms of its ratio to the best (PAR-10), and whether it missed the target, was near
 * the best, and was the best. */
struct nearness {
    struct tally logs, missed, near, best;
    size_t n, first; /* tasks; data sets without which the series has the smallest mean of logarithms */
};

static struct nearness nearness_of(const struct atlas *atlas, const struct atlas_family *family,
                                   const struct cube *cube, size_t series, size_t target)
{
    struct nearness it = {tally_new(atlas), tally_new(atlas), tally_new(atlas), tally_new(atlas), 0, 0};
    for (size_t task = 0; task < cube->n_tasks; task++) {
        const size_t d = family->problems[task / family->n_targets].dataset;
        const double least = cube_least(cube, task), mine = cube->cost[series * cube->n_tasks + task];
        if (!isfinite(least) || (target != ATLAS_ALL && target != task % family->n_targets))
            continue;
        tally_add(&it.logs, d, cube_log(cube, series, task) - log(cube_positive(cube, least)), 1);
        tally_add(&it.missed, d, isinf(mine) ? 1 : 0, 1);
        tally_add(&it.near, d, mine <= ATLAS_NEAR * least, 1);
        tally_add(&it.best, d, mine <= least, 1);
        it.n++;
    }
    return it;
}

/* Without each data set in turn, notes which of the series at one target has the smallest mean. */
static void leave_one_out(const struct atlas *atlas, struct nearness *at_target, size_t n_series, size_t stride)
{
    for (size_t out = 0; out < atlas->n_datasets; out++) {
        size_t first = 0;
        double least = (double)INFINITY;
        for (size_t s = 0; s < n_series; s++) {
            const struct tally *logs = &at_target[s * stride].logs;
            double sum = 0, count = 0;
            for (size_t d = 0; d < atlas->n_datasets; d++) {
                sum += d == out ? 0 : logs->sums[d];
                count += d == out ? 0 : logs->counts[d];
            }
            if (sum / count < least) {
                least = sum / count;
                first = s;
            }
        }
        at_target[first * stride].first += isfinite(least) && at_target[first * stride].logs.counts[out] > 0;
    }
}

/* Of each series at each target, and at all together. */
static void put_near(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    const struct atlas *atlas = table->out->atlas;
    const struct cube *cube = &family->costs[cost];
    const size_t each = family->n_targets + 1, n = cube->n_counting * each;
    struct nearness *all = pool_array(atlas->scratch, n, sizeof *all);
    for (size_t k = 0; k < n; k++)
        all[k] = nearness_of(atlas, family, cube, cube->counting[k / each],
                             k % each < each - 1 ? k % each : ATLAS_ALL);
    for (size_t t = 0; t < each && n > 0; t++)
        leave_one_out(atlas, all + t, cube->n_counting, each);
    for (size_t k = 0; k < n && cube->n_counting > 1; k++) {
        const size_t target = k % each < each - 1 ? k % each : ATLAS_ALL;
        const struct cluster_mean mean = tally_mean(atlas, &all[k].logs), missed = tally_mean(atlas, &all[k].missed);
        const struct interval together = interval_exp(
            cluster_mean_interval(&mean, 1 - (1 - ATLAS_LEVEL) / (double)cube->n_counting));
        result_row(&table->data, "%s\t%s\t%s\t%s", family->key, atlas_cost_texts[cost].key,
                   atlas_target_name(table->data.pool, family, target),
                   family->series[cube->counting[k / each]].label);
        atlas_table_tally(table, 1, 3, &all[k].logs, 1);
        result_number(&table->data, together.low);
        result_number(&table->data, together.high);
        for (int i = 0; i < 4; i++) /* PAR-1 and PAR-2, for readers and for programs */
            result_number(&table->data, exp(mean.estimate - missed.estimate * log(PENALTY_FACTOR / (1 + i / 2))));
        atlas_table_tally(table, 100, 2, &all[k].near, 0);
        atlas_table_tally(table, 100, 2, &all[k].best, 0);
        result_number(&table->data, (double)all[k].first);
        result_number(&table->data, (double)all[k].n);
        atlas_table_show(table, family, target);
    }
}

/* ---- agreement of costs ----
 *
 * With x and y the two costs, two solvers that completed a task are concordant if (x_i - x_j)(y_i - y_j) > 0. The
 * spread is max_i (y_i / x_i) / min_i (y_i / x_i): the worst error of estimating y from x alone. */

/* The logarithm of the spread; NAN if a cost is 0. */
static double spread_of(const double *x, const double *y, size_t n)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        if (!(x[i] > 0 && y[i] > 0))
            return (double)NAN;
        low = fmin(low, log(y[i] / x[i]));
        high = fmax(high, log(y[i] / x[i]));
    }
    return high - low;
}

/* The costs of the solvers that completed the task and count both. Returns their number. */
static size_t both_costs(const struct cube *one, const struct cube *other, size_t task, double *x, double *y)
{
    size_t n = 0;
    for (size_t k = 0; k < one->n_counting; k++) {
        const size_t at = one->counting[k] * one->n_tasks + task;
        if (!cube_counts(other, one->counting[k]) || isinf(one->cost[at]))
            continue;
        x[n] = one->cost[at];
        y[n++] = other->cost[at];
    }
    return n;
}

static void put_agreement(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    const struct atlas *atlas = table->out->atlas;
    double *x = pool_array(atlas->scratch, 2 * family->n_series, sizeof *x), *y = x + family->n_series;
    for (int other = (int)cost + 1; other < ATLAS_COSTS; other++) {
        struct tally concordant = tally_new(atlas), tau = tally_new(atlas), spread = tally_new(atlas);
        double pairs = 0, equal = 0; /* pairs of solvers: compared, and with equal costs in at least one measure */
        for (size_t task = 0; task < family->n_problems * family->n_targets; task++) {
            const size_t n = both_costs(&family->costs[cost], &family->costs[other], task, x, y),
                         d = family->problems[task / family->n_targets].dataset;
            if (n < 2)
                continue;
            const struct pair_orders orders = pair_orders_of(x, y, n);
            pairs += (double)(n * (n - 1)) / 2;
            equal += orders.equal_x + orders.equal_y + orders.equal_both;
            tally_add(&concordant, d, orders.alike, orders.alike + orders.against);
            tally_add(&tau, d, kendall_tau(&orders), 1);
            tally_add(&spread, d, spread_of(x, y, n), 1);
        }
        if (!(pairs > 0))
            continue;
        result_row(&table->data, "%s\t%s\t%s", family->key, atlas_cost_texts[cost].key, atlas_cost_texts[other].key);
        atlas_table_tally(table, 100, 3, &concordant, 0);
        atlas_table_tally(table, 1, 2, &tau, 0);
        atlas_table_tally(table, 1, 3, &spread, 1);
        result_row(&table->data, "%.0f\t%.0f", pairs, equal);
        atlas_table_show(table, family, family->loose);
    }
}

/* ---- kernel values beyond those of the solution ----
 *
 * A solution with SV support vectors is determined, and its gap can be computed, by SV rows of N kernel values. Any
 * values computed beyond them belong to patterns that are not support vectors in the end:
 *     share = max(0, 1 - SV N / evaluations),
 * which is 0 if the run needed fewer because it stopped before it had all complete rows. For operations the same share
 * also includes repeated requests. */

static void put_waste(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    const struct atlas *atlas = table->out->atlas;
    for (size_t k = 0; k < family->n_series * family->n_targets && atlas->sizes_known && cost == 0; k++) {
        const size_t series = k / family->n_targets, target = k % family->n_targets;
        struct tally evaluations = tally_new(atlas), operations = tally_new(atlas), reuse = tally_new(atlas);
        size_t n = 0;
        for (size_t p = 0; p < family->n_problems; p++) {
            const size_t at = atlas_at(family, series, p, target), d = family->problems[p].dataset;
            const double needed = family->runs[at]->field[FIELD_SUPPORT_VECTORS] * atlas->datasets[d].n_train,
                         computed = family->costs[ATLAS_EVALUATIONS].spent[at],
                         asked = family->costs[ATLAS_ALL_OPERATIONS].spent[at];
            if (!atlas_reached(family, at) || !(needed > 0 && computed > 0 && asked > 0))
                continue;
            tally_add(&evaluations, d, fmax(0, 1 - needed / computed), 1);
            tally_add(&operations, d, fmax(0, 1 - needed / asked), 1);
            tally_add(&reuse, d, log(asked / computed), 1);
            n++;
        }
        if (n == 0)
            continue;
        result_row(&table->data, "%s\t%s\t%g\t%zu", family->key, family->series[series].label,
                   family->targets[target], n);
        atlas_table_tally(table, 100, 3, &evaluations, 0);
        atlas_table_tally(table, 100, 3, &operations, 0);
        atlas_table_tally(table, 1, 3, &reuse, 1);
        atlas_table_show(table, family, target);
    }
}

/* ---- variants ----
 *
 * With r_p = log(cost of the second / cost of the first) on problem p, R_d the mean of r_p over the problems of data
 * set d, the ratio is exp of the mean of R_d over data sets. Runs that did not reach the target are counted but have no
 * ratio, since their full cost is unknown. */

/* The number of a's series settings that have another value in b, or none. */
static size_t count_differences(const struct record *a, const struct record *b)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n_settings; i++) {
        const struct setting *other = record_setting(b, a->settings[i].name);
        n += !is_of_problem(&a->settings[i], PROBLEM_OF_SERIES) && (!other || strcmp(other->text, a->settings[i].text));
    }
    return n;
}

static int is_variant(const struct atlas_series *one, const struct atlas_series *other)
{
    return strcmp(one->first->solver, other->first->solver) == 0 && count_differences(one->first, other->first) == 1 &&
           count_differences(other->first, one->first) == 1;
}

/* Whether the options name the pair. */
static int is_asked_for(const struct atlas *atlas, const char *first, const char *second)
{
    const char *pair = pool_printf(atlas->scratch, "%s:%s", first, second);
    size_t i = 0;
    while (i < atlas->options.n_pairs && strcmp(atlas->options.pairs[i], pair) != 0)
        i++;
    return i < atlas->options.n_pairs;
}

static void put_ratio(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost, size_t first,
                      size_t second, size_t target)
{
    const struct cube *cube = &family->costs[cost];
    const struct atlas *atlas = table->out->atlas;
    struct tally logs = tally_new(atlas);
    size_t reached[2][2] = {{0}}, cheaper = 0, datasets = 0; /* by the first, by the second */
    for (size_t p = 0; p < family->n_problems; p++) {
        const size_t task = p * family->n_targets + target;
        const int one = atlas_reached(family, first * cube->n_tasks + task),
                  other = atlas_reached(family, second * cube->n_tasks + task);
        reached[one][other]++;
        if (one && other)
            tally_add(&logs, family->problems[p].dataset, cube_log(cube, second, task) - cube_log(cube, first, task),
                      1);
    }
    for (size_t d = 0; d < atlas->n_datasets; d++)
        if (logs.counts[d] > 0) { /* so that all data sets have equal weight */
            logs.sums[d] /= logs.counts[d];
            logs.counts[d] = 1;
            cheaper += logs.sums[d] < 0;
            datasets++;
        }
    result_row(&table->data, "%s\t%s\t%s\t%s\t%g", family->key, family->series[second].label,
               family->series[first].label, atlas_cost_texts[cost].key, family->targets[target]);
    atlas_table_tally(table, 1, 3, &logs, 1);
    const struct cluster_mean mean = tally_mean(atlas, &logs);
    for (int i = 0; i < 2; i++) { /* for programs, and for readers */
        result_number(&table->data, cluster_mean_p(&mean));
        result_number(&table->data, cluster_mean_equivalence(&mean, log(ATLAS_MARGIN)));
    }
    result_row(&table->data, "%zu of %zu\t%zu\t%zu\t%zu/%zu/%zu/%zu\t%zu\t%zu\t%zu\t%zu", cheaper, datasets, cheaper,
               datasets, reached[1][1], reached[0][1], reached[1][0], reached[0][0], reached[1][1], reached[0][1],
               reached[1][0], reached[0][0]);
    atlas_table_show(table, family, target);
}

typedef void pair_put(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost, size_t first,
                      size_t second, size_t target);

/* Calls `put` with all variants, and with the pairs of the options, at each target. */
static void put_pairs(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost, pair_put *put)
{
    const size_t n = family->n_series;
    for (size_t k = 0; k < n * n; k++) {
        const size_t first = k / n, second = k % n;
        const struct atlas_series *one = &family->series[first], *other = &family->series[second];
        if (cube_counts(&family->costs[cost], first) && cube_counts(&family->costs[cost], second) &&
            ((first < second && is_variant(one, other)) ||
             is_asked_for(table->out->atlas, one->label, other->label)))
            for (size_t t = 0; t < family->n_targets; t++)
                put(table, family, cost, first, second, t);
    }
}

static void put_ratios(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    put_pairs(table, family, cost, put_ratio);
}

/* ---- variance components ----
 *
 * y = log(cost of the second / cost of the first), both penalised (PAR-10), so that no value is missing, of all data
 * sets, C and width factors, and as many splits as each set has (variance_components.h). */

/* The problems of the layout, by set, split, C and width factor; NULL if a set lacks a cell that another has. */
static const size_t *balanced(const struct atlas *atlas, const struct atlas_family *family, size_t *levels)
{
    const size_t in_set = family->n_c * family->n_factors;
    size_t *problems, n = 0;
    if (in_set == 0 || family->n_cells == 0 || family->n_cells % in_set != 0)
        return NULL;
    levels[0] = family->n_cells / in_set;
    levels[1] = family->cells[0].n;
    levels[2] = family->n_c;
    levels[3] = family->n_factors;
    for (size_t i = 0; i < family->n_cells; i++) {
        const struct atlas_cell *cell = &family->cells[i], *of_set = &family->cells[i - i % in_set];
        if (cell->n != of_set->n || cell->place->dataset != of_set->place->dataset)
            return NULL;
        levels[1] = cell->n < levels[1] ? cell->n : levels[1];
    }
    problems = pool_array(atlas->scratch, levels[0] * levels[1] * in_set, sizeof *problems);
    for (size_t set = 0; set < levels[0]; set++)
        for (size_t split = 0; split < levels[1]; split++)
            for (size_t i = 0; i < in_set; i++)
                problems[n++] = family->cells[set * in_set + i].problems[split];
    return problems;
}

static void put_components(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost,
                           size_t first, size_t second, size_t target)
{
    static const char *const names[] = {
        [VARY_SET] = "data set", [VARY_SET | VARY_SPLIT] = "split", [VARY_C] = "C", [VARY_WIDTH] = "width",
        [VARY_SET | VARY_C] = "data set × C", [VARY_SET | VARY_WIDTH] = "data set × width",
        [VARY_C | VARY_WIDTH] = "C × width", [VARY_SET | VARY_C | VARY_WIDTH] = "data set × C × width",
        [VARY_SET | VARY_SPLIT | VARY_C | VARY_WIDTH] = "rest"};
    const struct cube *cube = &family->costs[cost];
    size_t levels[VARY_FACTORS];
    const size_t *problems = balanced(table->out->atlas, family, levels);
    const size_t n = problems ? levels[0] * levels[1] * levels[2] * levels[3] : 0;
    double *y = pool_array(table->out->atlas->scratch, n, sizeof *y), all = 0;
    struct variance_term terms[VARIANCE_TERMS];
    if (n == 0 || levels[0] < 2)
        return;
    for (size_t i = 0; i < n; i++) {
        const size_t task = problems[i] * family->n_targets + target;
        y[i] = cube_log(cube, second, task) - cube_log(cube, first, task);
    }
    variance_components(y, levels, terms);
    for (size_t t = 0; t < VARIANCE_TERMS; t++)
        all += terms[t].variance > 0 ? terms[t].variance : 0;
    for (size_t t = 0; t < VARIANCE_TERMS; t++) {
        if (!(terms[t].degrees > 0))
            continue;
        result_row(&table->data, "%s\t%s\t%s\t%s\t%g\t%s\t%.0f", family->key, family->series[second].label,
                   family->series[first].label, atlas_cost_texts[cost].key, family->targets[target],
                   names[terms[t].varies], terms[t].degrees);
        for (int i = 0; i < 2; i++) { /* for readers, and for programs */
            result_number(&table->data, terms[t].mean_square);
            result_number(&table->data, terms[t].variance);
            result_number(&table->data, all > 0 ? (i ? 1 : 100) * fmax(terms[t].variance, 0) / all : 0);
        }
        atlas_table_show(table, family, target);
    }
}

static void put_variance(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    put_pairs(table, family, cost, put_components);
}

/* ---- rates ----
 *
 * A method that converges linearly multiplies the gap by about the same factor in each iteration near the solution, so
 * every decade of the gap takes as many iterations as the previous one. Between targets t > t' it is measured as
 *     (iterations at t' - iterations at t) / (N log10(t / t')).
 * The rule is only tested from time to time, so both counts are too large by up to a few per cent. Quartiles are order
 * statistics, the k-th smallest with k = q n / 4 rounded up, so runs that did not reach t' need no value: they are the
 * largest. */

/* The row of a data set, or of all together. */
static void put_rate(struct atlas_table *table, const struct atlas_family *family, size_t dataset, size_t series,
                     size_t step)
{
    const struct atlas *atlas = table->out->atlas;
    const struct cube *cube = &family->costs[ATLAS_ITERATIONS];
    const double from = family->targets[step], to = family->targets[step + 1];
    double *values = pool_array(atlas->scratch, family->n_problems, sizeof *values);
    size_t n = 0, missed = 0;
    for (size_t p = 0; p < family->n_problems && cube_counts(cube, series); p++) {
        const size_t at = atlas_at(family, series, p, step), d = family->problems[p].dataset;
        if ((dataset != ATLAS_ALL && d != dataset) || !atlas_reached(family, at))
            continue;
        values[n++] = (cube->cost[at + 1] - cube->cost[at]) / (log10(from / to) * atlas->datasets[d].n_train);
        missed += !atlas_reached(family, at + 1);
    }
    if (n == 0)
        return;
    gsl_sort(values, 1, n);
    result_row(&table->data, "%s\t%s\t%s\t%g → %g\t%g\t%g\t%zu\t%zu", family->key, family->series[series].label,
               dataset == ATLAS_ALL ? "all" : atlas->datasets[dataset].name, from, to, from, to, n, missed);
    for (size_t i = 0; i < 6; i++) /* the quartiles for readers, then for programs */
        result_number(&table->data, values[((i % 3 + 1) * n + 3) / 4 - 1]);
    if (dataset == ATLAS_ALL)
        atlas_table_show(table, family, family->loose);
}

static void put_rates(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    const struct atlas *atlas = table->out->atlas;
    const size_t steps = family->n_targets - 1, each = family->n_series * steps;
    if (cost != ATLAS_ITERATIONS || !atlas->sizes_known)
        return;
    for (size_t k = 0; k < (atlas->n_datasets + 1) * each; k++, pool_reset(atlas->scratch))
        put_rate(table, family, k < each ? ATLAS_ALL : k / each - 1, k % each / steps, k % steps);
}

/* ---- all tables ---- */

#define PLACE_OF_GROWTH                                                                                             \
    "family\tcost\t>target\t>member\tfirst_dataset=sets from\t#6C\t#6width_factor=width factor\tsolver\t"
#define BOTH(key, title) "<#3" key "=" title "\t>#6" key /* a number with three digits for readers */

/* `put` adds the rows of a family and cost; those that are not of a cost with the first one. */
static const struct analysis {
    const char *name, *columns, *title, *note;
    size_t heads;
    atlas_analysis *put;
} analyses[] = {
    {"atlas-ecdf",
     "family\tcost\ttarget\tsolver\t>#pairs\t" ATLAS_ENDS("reached", "low", "high", "reached, %") "\t"
     BOTH("budget_25", "budget for 25 %") "\t" BOTH("budget_50", "for 50 %") "\t" BOTH("budget_75", "for 75 %") "\t"
     BOTH("area", "area"),
     "Targets reached within a budget",
     "Pairs of problem and target; all targets together. A run that was stopped before it reached its target counts as "
     "not reached. Budgets are divided by N (iterations) or N², the number of training patterns, or are plain costs if "
     "sizes are unknown; seconds are in nanoseconds. ∞: this share is never reached. Area: area below the curve of the "
     "share, with a logarithmic axis of budgets. " INTERVAL_NOTE, 4, budget_shares_put},
    {"atlas-maps",
     "family\tcost\ttarget\tdataset\t#C\t#width_factor=width factor\t>#n\t<winner=best solver\t>best\t>#candidates\t"
     "second=next\t>#6cost_of_best\t>#6reached\t" ATLAS_ENDS("ratio", "low", "high", "cost of the next, times")
     "\t>#6map_low\t>#6map_high\t>#6p\t>may_be_best",
     "Best solver in each cell of C and width factor",
     "The solver that is cheaper than each other one on the most data sets. In bold: sign tests over data sets find it "
     "cheaper than every other solver on more than half of them (5 %, corrected for choosing the best of all), and no "
     "other reaches the target more often. In parentheses, where that is undecided, with the number of solvers that "
     "may be the best. A run that did not reach the target counts as 10 times the largest cost of any solver there. "
     INTERVAL_NOTE, 6, regime_maps_put},
    {"atlas-stability",
     "family\tcost\t<targets\t>#6reference\t>#6target\t" ATLAS_INTERVAL("tau", "Kendall's τ") "\t"
     ATLAS_INTERVAL("same_winner", "same winner, %") "\t" ATLAS_INTERVAL("loss", "loss, times") "\t#problems",
     "Does the cheapest solver at one target stay the cheapest at a tighter target?",
     "τ: between the two rankings of the solvers by geometric mean cost. Same winner: share of problems. Loss: cost "
     "at the tighter target of the winner at the looser target, divided by the lowest cost there; geometric mean. "
     INTERVAL_NOTE, 2, rank_stability_put},
    {"atlas-near-best",
     "family\tcost\ttarget\tsolver\t" ATLAS_INTERVAL("ratio", "times the best")
     "\t>#6together_low\t>#6together_high\t" BOTH("par_1", "PAR-1") "\t" BOTH("par_2", "PAR-2") "\t"
     ATLAS_INTERVAL("near", "near it, %") "\t" ATLAS_INTERVAL("best", "the best, %")
     "\t#first_without=first without\t>#problems",
     "One solver for all problems, compared with the best solver of each problem",
     "Problems on which at least one solver reaches the target. Times the best: geometric mean of the cost divided by "
     "the lowest cost; a run that did not reach the target counts as 10 times the largest cost of any solver there "
     "(PAR-10; PAR-1 and PAR-2: once and twice). Near: reached within 1.3 times the lowest cost. First without: number "
     "of data sets without which this solver is the nearest to the best. " INTERVAL_NOTE, 4, put_near},
    {"atlas-agreement",
     "family\tcost\tother=other cost\t" ATLAS_INTERVAL("concordant", "same order, %") "\t"
     ATLAS_INTERVAL("tau", "Kendall's τ") "\t" ATLAS_INTERVAL("spread", "spread, times") "\t#9pairs\t#9equal",
     "Do two cost measures rank solvers alike?",
     "Pairs of solvers that reach a target on a problem; all targets together. Same order: share among the pairs whose "
     "costs differ in both measures. τ: mean over problems and targets. Spread: the largest ratio of the second cost "
     "to the first divided by the smallest, among the solvers of a problem and target; geometric mean. " INTERVAL_NOTE,
     3, put_agreement},
    {"atlas-waste",
     "family\tsolver\t#target\t#runs\t" ATLAS_INTERVAL("evaluations", "evaluations beyond, %") "\t"
     ATLAS_INTERVAL("operations", "operations beyond, %") "\t" ATLAS_INTERVAL("reuse", "operations / evaluations"),
     "Kernel values beyond those in the rows of the support vectors",
     "Mean share beyond SV · N, over the runs that reach the target; operations include the set-up. Operations / "
     "evaluations (geometric mean): the saving from keeping rows. " INTERVAL_NOTE, 2, put_waste},
    {"atlas-ratios",
     "family\tsolver\tagainst\tcost\t#target\t" ATLAS_ENDS("ratio", "low", "high", "ratio")
     "\t>#6p\t>#6equivalent_p\t<#2p_=p\t<#2equivalent_=equivalent, p\t<cheaper on\t>#cheaper\t>#datasets\t"
     "<reached by both/solver/other/none\t>#both\t>#solver_alone\t>#other_alone\t>#neither",
     "Variants of solvers compared in pairs",
     "Ratio of costs on the problems on which both solvers reach the target: geometric mean over the problems of a "
     "data set, then over data sets. p: t test over data sets that the ratio is 1. Equivalent: two one-sided t tests "
     "that the ratio is not between 0.8 and 1.25. The last column counts problems. " INTERVAL_NOTE, 3, put_ratios},
    {"atlas-variance",
     "family\tsolver\tagainst\tcost\t#target\tcomponent\t#degrees\t<#3mean_square_=mean square\t"
     "<#3variance_=variance\t<#2share_=share, %\t>#6mean_square\t>#6variance\t>#6share",
     "Where the differences of two solvers come from: components of variance",
     "Of the logarithm of the ratio of costs; a run that did not reach the target counts as 10 times the largest cost "
     "of any solver there. Analysis of variance of the balanced layout; all effects random. A component below 0 is 0. "
     "The mean square of the data set over the number of values is the variance of the mean; that of the split, over "
     "the same number, is what other splits would change.", 6, put_variance},
    {"atlas-rates",
     "family\tsolver\tdataset\t<step=gap\t>#from\t>#to\t>#runs\t>#missed\t<#2quartile_1=quartile\t<#2median\t"
     "<#2quartile_3=quartile\t>#6quartile_1\t>#6median\t>#6quartile_3",
     "Iterations / N for each further decade of the gap",
     "Median and quartiles over the problems on which the first of the two targets was reached. ∞: so many runs did "
     "not reach the second target that the value is unbounded.", 4, put_rates},
    {"atlas-growth",
     PLACE_OF_GROWTH ATLAS_ENDS("exponent", "low", "high", "exponent")
     "\tbound=\t>#6factor\t>#6deviation\t<censored\t>#runs\t>#censored",
     "Exponents of costs in the number N of training patterns",
     "Cost = a N^b to reach the looser target of the maps; least squares of the logarithms over all splits, with "
     "Student's 95 % interval. A run that did not reach the target enters with the cost it had spent; the exponent is "
     "then a lower bound, an upper bound, or unknown (?).", 6, growth_put_exponents},
    {"atlas-growth-points",
     PLACE_OF_GROWTH "#6value=N\t#runs\t#reached\t" ATLAS_ENDS("mean", "low", "high", "cost"),
     "Costs against the number N of training patterns",
     "Geometric mean over independent splits to reach the looser target of the maps, with Student's 95 % interval. A "
     "run that did not reach the target counts with the cost it had spent.", 6, growth_put_points},
};

static void write_table(struct atlas_output *out, const struct analysis *analysis)
{
    struct pool *pool = pool_new();
    const struct result empty = {.pool = pool, .name = analysis->name, .heads = analysis->heads};
    struct atlas_table table = {out, empty, empty};
    result_columns(&table.page, analysis->columns);
    result_columns(&table.data, analysis->columns);
    result_title(&table.page, "%s", analysis->title);
    result_note(&table.page, "%s", analysis->note);
    for (size_t k = 0; k < out->atlas->n_families * ATLAS_COSTS; k++, pool_reset(out->atlas->scratch)) {
        const struct atlas_family *family = &out->atlas->families[k / ATLAS_COSTS];
        if (family->n_problems > 0)
            analysis->put(&table, family, (enum atlas_cost)(k % ATLAS_COSTS));
    }
    if (table.data.values.count > 0)
        result_write_files(&table.page, &table.data, out->folder);
    pool_free(pool);
}

void atlas_write(struct atlas *atlas, const char *folder, int no_render)
{
    struct atlas_output out = {.atlas = atlas, .folder = folder, .sink = {.no_render = no_render}};
    const char *plots = pool_printf(atlas->pool, "%s/plots", folder);
    struct folder_lock lock = {0};
    size_sweeps_take(&out);
    folder_make(folder);
    folder_lock_take(&lock, folder);
    file_remove_all(folder, "atlas", "");
    file_remove_all(plots, "atlas-", "");
    folder_make(plots);
    atlas_json_begin(&out);
    for (size_t i = 0; i < sizeof analyses / sizeof *analyses; i++)
        write_table(&out, &analyses[i]);
    size_growth_draw(&out);
    atlas_json_write(&out);
    folder_lock_release(&lock);
    figure_sink_end(&out.sink);
}

void atlas_print_notes(const struct atlas *atlas, FILE *stream)
{
    for (size_t f = 0; f < atlas->n_families; f++) {
        const struct atlas_family *family = &atlas->families[f];
        fprintf(stream, "%s: %zu solvers, %zu problems (data set, split, kernel, C), %zu targets of %s", family->title,
                family->n_series, family->n_problems, family->n_targets, atlas->rule);
        if (family->n_incomplete)
            fprintf(stream, "; %zu problems left out because a solver has no record of them", family->n_incomplete);
        if (family->omitted.count)
            fputs("; left out, because they have records of fewer than half of the problems: ", stream);
        for (size_t i = 0; i < family->omitted.count; i++)
            fprintf(stream, "%s%s", i ? ", " : "", family->omitted.item[i]);
        fputs(".\n", stream);
    }
    if (atlas->time_note)
        fprintf(stream, "Times are not compared: %s.\n", atlas->time_note);
    if (!atlas->sizes_known)
        fputs("Budgets are not divided by the sizes of the data sets, because some sizes are unknown.\n", stream);
}
