/*
 * Tables that compare solvers, targets and costs. Programs get all rows, readers those of the targets that figures show
 * (atlas_shown_targets). Intervals resample data sets.
 */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "harness/atlas/atlas_output.h"
#include "harness/records/same_problem.h"
#include "harness/stats/rank_tests.h"

/* A solver within this factor of the best is near it. */
#define ATLAS_NEAR 1.3
#define BOOTSTRAP_NOTE "95 % intervals: bootstrap over data sets."

/* ---- stability of rankings ---- */

static void put_stability(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    const struct stability_row *rows = rank_stability_of(table->out->atlas, family, cost);
    for (size_t t = 0; rows && t < family->n_targets; t++) {
        size_t shown[2];
        const size_t n = atlas_shown_targets(family, shown);
        const double reference = family->targets[shown[0]], target = family->targets[t];
        result_row(&table->data, "%s\t%s\t%g → %g\t%g\t%g", family->key, atlas_cost_texts[cost].key, reference, target,
                   reference, target);
        atlas_table_interval(table, 1, 2, &rows[t].tau);
        atlas_table_interval(table, 100, 2, &rows[t].same_winner);
        atlas_table_interval(table, 1, 4, &rows[t].loss);
        result_number(&table->data, (double)rows[t].n);
        if (n > 1 && t == shown[1])
            atlas_table_show(table);
    }
}

/* ---- nearness to the best ----
 *
 * With c(s, k) the penalised cost of series s for task k, and l(k) the smallest cost of a series that reached the
 * target, the ratio is exp of the mean of log c/l: the factor paid for not knowing which solver is best. l is a minimum
 * over the solvers in the atlas, so ratios grow when better solvers are added. Tasks that no series completes do not
 * count. */

struct nearness {
    struct interval ratio, near, best; /* near, best: shares of the tasks within ATLAS_NEAR times l, and at l */
    size_t n;                          /* tasks */
};

/* Of a series at one target, or at all together. */
static struct nearness nearness_of(struct atlas *atlas, const struct atlas_family *family, const struct cube *cube,
                                   size_t series, size_t target)
{
    const size_t first = target == ATLAS_ALL ? 0 : target, end = target == ATLAS_ALL ? family->n_targets : target + 1;
    struct tally logs = tally_new(atlas), near = tally_new(atlas), best = tally_new(atlas);
    struct nearness nearness = {.n = 0};
    for (size_t t = first; t < end; t++)
        for (size_t p = 0; p < family->n_problems; p++) {
            const size_t task = p * family->n_targets + t, d = family->problems[p].dataset;
            const double least = cube_least(cube, task), cost = cube->cost[series * cube->n_tasks + task];
            if (!isfinite(least))
                continue;
            tally_add(&logs, d, cube_log(cube, series, task) - log(cube_positive(cube, least)), 1);
            tally_add(&near, d, cost <= ATLAS_NEAR * least, 1);
            tally_add(&best, d, cost <= least, 1);
            nearness.n++;
        }
    nearness.ratio = tally_interval(atlas, &logs, 1);
    nearness.near = tally_interval(atlas, &near, 0);
    nearness.best = tally_interval(atlas, &best, 0);
    return nearness;
}

static void put_near(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    const struct cube *cube = &family->costs[cost];
    if (cube->n_counting < 2 || family->n_problems == 0)
        return;
    struct result page = atlas_page_new(table->out, "atlas-near-best", family, cost);
    result_title(&page, "One solver for all problems, compared with the best solver of each problem: %s, %s",
                 family->title, atlas_cost_texts[cost].title);
    result_columns(&page, "solver");
    for (size_t t = 0; t < family->n_targets; t++)
        if (atlas_is_shown(family, t)) {
            const double target = family->targets[t];
            result_columns(&page, pool_printf(page.pool, "#3%g: times the best\t#2%g: near it, %%\t#2%g: the best, %%",
                                              target, target, target));
        }
    for (size_t k = 0; k < cube->n_counting; k++) {
        const char *label = family->series[cube->counting[k]].label;
        result_text(&page, "%s", label);
        for (size_t t = 0; t <= family->n_targets; t++) {
            const size_t target = t < family->n_targets ? t : ATLAS_ALL;
            const struct nearness near = nearness_of(table->out->atlas, family, cube, cube->counting[k], target);
            const struct interval *const numbers[] = {&near.ratio, &near.near, &near.best};
            result_row(&table->data, "%s\t%s\t%s\t%s", family->key, atlas_cost_texts[cost].key,
                       atlas_target_name(page.pool, family, target), label);
            for (int i = 0; i < 3; i++) {
                atlas_table_interval(table, 1, 6, numbers[i]);
                if (target != ATLAS_ALL && atlas_is_shown(family, t))
                    atlas_page_interval(&page, i ? 100 : 1, i ? 2 : 3, numbers[i]);
            }
            result_number(&table->data, (double)near.n);
        }
    }
    result_note(&page,
                "Problems on which at least one solver reaches the target. Times the best: geometric mean of the cost "
                "divided by the lowest cost; a run that did not reach the target counts as %g times the largest cost "
                "of any solver there. Near: reached within %g times the lowest cost. %s",
                PENALTY_FACTOR, ATLAS_NEAR, BOOTSTRAP_NOTE);
    atlas_page_write(table->out, &page);
}

/* ---- agreement of costs ----
 *
 * With x and y the two costs, two solvers that completed a task are concordant if (x_i - x_j)(y_i - y_j) > 0. The
 * spread is max_i (y_i / x_i) / min_i (y_i / x_i): the worst error of estimating y from x alone. */

struct agreement {
    double pairs, equal; /* pairs of solvers: compared, and with equal costs in at least one measure */
    struct tally concordant, tau, spread;
};

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

/* Adds the solvers that completed the task and count both costs; x and y have room for them. */
static void add_task(struct agreement *agreement, const struct cube *one, const struct cube *other, size_t task,
                     size_t dataset, double *x, double *y)
{
    size_t n = 0;
    for (size_t k = 0; k < one->n_counting; k++) {
        const size_t at = one->counting[k] * one->n_tasks + task;
        if (!cube_counts(other, one->counting[k]) || isinf(one->cost[at]))
            continue;
        x[n] = one->cost[at];
        y[n++] = other->cost[at];
    }
    if (n < 2)
        return;
    const struct pair_orders orders = pair_orders_of(x, y, n);
    agreement->pairs += (double)(n * (n - 1)) / 2;
    agreement->equal += orders.equal_x + orders.equal_y + orders.equal_both;
    tally_add(&agreement->concordant, dataset, orders.alike, orders.alike + orders.against);
    tally_add(&agreement->tau, dataset, kendall_tau(&orders), 1);
    tally_add(&agreement->spread, dataset, spread_of(x, y, n), 1);
}

static void put_pair(struct atlas_table *table, const struct atlas_family *family, int cost, int other)
{
    struct atlas *atlas = table->out->atlas;
    struct agreement agreement = {0, 0, tally_new(atlas), tally_new(atlas), tally_new(atlas)};
    double *x = pool_array(atlas->scratch, 2 * family->n_series, sizeof *x), *y = x + family->n_series;
    for (size_t task = 0; task < family->n_problems * family->n_targets; task++)
        add_task(&agreement, &family->costs[cost], &family->costs[other], task,
                 family->problems[task / family->n_targets].dataset, x, y);
    if (!(agreement.pairs > 0))
        return;
    const struct interval concordant = tally_interval(atlas, &agreement.concordant, 0),
                          tau = tally_interval(atlas, &agreement.tau, 0),
                          spread = tally_interval(atlas, &agreement.spread, 1);
    result_row(&table->data, "%s\t%s\t%s", family->key, atlas_cost_texts[cost].key, atlas_cost_texts[other].key);
    atlas_table_interval(table, 100, 3, &concordant);
    atlas_table_interval(table, 1, 2, &tau);
    atlas_table_interval(table, 1, 3, &spread);
    result_number(&table->data, agreement.pairs);
    result_number(&table->data, agreement.equal);
    atlas_table_show(table);
}

static void put_agreement(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    for (int other = (int)cost + 1; other < ATLAS_COSTS; other++)
        put_pair(table, family, (int)cost, other);
}

/* ---- kernel values beyond those of the solution ----
 *
 * A solution with SV support vectors is determined, and its gap can be computed, by SV rows of N kernel values. Any
 * values computed beyond them belong to patterns that are not support vectors in the end:
 *     share = max(0, 1 - SV N / evaluations),
 * which is 0 if the run needed fewer because it stopped before it had all complete rows. For operations the same share
 * also includes repeated requests. */

static double share_beyond(double needed, double spent)
{
    return spent > needed ? 1 - needed / spent : 0;
}

static void put_waste_of(struct atlas_table *table, const struct atlas_family *family, size_t series, size_t target)
{
    struct atlas *atlas = table->out->atlas;
    struct tally evaluations = tally_new(atlas), operations = tally_new(atlas), reuse = tally_new(atlas);
    size_t n = 0;
    for (size_t p = 0; p < family->n_problems; p++) {
        const size_t at = atlas_at(family, series, p, target), d = family->problems[p].dataset;
        const double needed = family->runs[at]->field[FIELD_SUPPORT_VECTORS] * atlas->datasets[d].n_train,
                     computed = family->costs[ATLAS_EVALUATIONS].spent[at],
                     asked = family->costs[ATLAS_ALL_OPERATIONS].spent[at];
        if (!atlas_reached(family, at) || !(needed > 0 && computed > 0 && asked > 0))
            continue;
        tally_add(&evaluations, d, share_beyond(needed, computed), 1);
        tally_add(&operations, d, share_beyond(needed, asked), 1);
        tally_add(&reuse, d, log(asked / computed), 1);
        n++;
    }
    if (n == 0)
        return;
    const struct interval beyond = tally_interval(atlas, &evaluations, 0),
                          asked_beyond = tally_interval(atlas, &operations, 0),
                          times = tally_interval(atlas, &reuse, 1);
    result_row(&table->data, "%s\t%s\t%g\t%zu", family->key, family->series[series].label, family->targets[target], n);
    atlas_table_interval(table, 100, 3, &beyond);
    atlas_table_interval(table, 100, 3, &asked_beyond);
    atlas_table_interval(table, 1, 3, &times);
    if (atlas_is_shown(family, target))
        atlas_table_show(table);
}

static void put_waste(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    for (size_t k = 0; k < family->n_series * family->n_targets && table->out->atlas->sizes_known && cost == 0; k++)
        put_waste_of(table, family, k / family->n_targets, k % family->n_targets);
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
    return strcmp(one->solver, other->solver) == 0 && count_differences(one->first, other->first) == 1 &&
           count_differences(other->first, one->first) == 1;
}

/* Whether the options name the pair, as "LABEL:LABEL". */
static int is_asked_for(const struct atlas_options *options, const char *first, const char *second)
{
    const size_t length = strlen(first);
    for (size_t i = 0; i < options->n_pairs; i++)
        if (strncmp(options->pairs[i], first, length) == 0 && options->pairs[i][length] == ':' &&
            strcmp(options->pairs[i] + length + 1, second) == 0)
            return 1;
    return 0;
}

static void put_ratio(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost, size_t first,
                      size_t second, size_t target)
{
    const struct cube *cube = &family->costs[cost];
    struct atlas *atlas = table->out->atlas;
    struct tally logs = tally_new(atlas);
    size_t reached[2][2] = {{0}}, cheaper = 0; /* by the first, by the second */
    for (size_t p = 0; p < family->n_problems; p++) {
        const size_t task = p * family->n_targets + target;
        const int one = atlas_reached(family, first * cube->n_tasks + task),
                  other = atlas_reached(family, second * cube->n_tasks + task);
        reached[one][other]++;
        if (one && other)
            tally_add(&logs, family->problems[p].dataset, cube_log(cube, second, task) - cube_log(cube, first, task),
                      1);
    }
    const size_t datasets = tally_average(atlas, &logs);
    for (size_t d = 0; d < atlas->n_datasets; d++)
        cheaper += logs.counts[d] > 0 && logs.sums[d] < 0;
    const struct interval ratio = tally_interval(atlas, &logs, 1);
    result_row(&table->data, "%s\t%s\t%s\t%s\t%g", family->key, family->series[second].label,
               family->series[first].label, atlas_cost_texts[cost].key, family->targets[target]);
    atlas_table_interval(table, 1, 3, &ratio);
    result_row(&table->data, "%zu of %zu\t%zu\t%zu\t%zu/%zu/%zu/%zu\t%zu\t%zu\t%zu\t%zu", cheaper, datasets, cheaper,
               datasets, reached[1][1], reached[0][1], reached[1][0], reached[0][0], reached[1][1], reached[0][1],
               reached[1][0], reached[0][0]);
    if (atlas_is_shown(family, target))
        atlas_table_show(table);
}

static void put_ratios(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    const size_t n = family->n_series;
    for (size_t k = 0; k < n * n * ATLAS_COSTS && cost == 0; k++) { /* by pair, then by cost */
        const enum atlas_cost of = (enum atlas_cost)(k % ATLAS_COSTS);
        const size_t first = k / ATLAS_COSTS / n, second = k / ATLAS_COSTS % n;
        const struct atlas_series *one = &family->series[first], *other = &family->series[second];
        if (!cube_counts(&family->costs[of], first) || !cube_counts(&family->costs[of], second) ||
            (!(first < second && is_variant(one, other)) &&
             !is_asked_for(&table->out->atlas->options, one->label, other->label)))
            continue;
        for (size_t t = 0; t < family->n_targets; t++)
            put_ratio(table, family, of, first, second, t);
    }
}

/* ---- rates ----
 *
 * A method that converges linearly multiplies the gap by about the same factor in each iteration near the solution, so
 * every decade of the gap takes as many iterations as the previous one. Between targets t > t' it is measured as
 *     (iterations at t' - iterations at t) / (N log10(t / t')).
 * The rule is only tested from time to time, so both counts are too large by up to a few per cent. Quartiles are order
 * statistics, the k-th smallest with k = q n / 4 rounded up, so runs that did not reach t' need no value: they are the
 * largest. */

/* A row of a data set, or of all together; and for these the cell of the page. */
static void put_rate(struct atlas_table *table, const struct atlas_family *family, size_t dataset, size_t series,
                     size_t step, struct result *page)
{
    const struct atlas *atlas = table->out->atlas;
    const struct cube *cube = &family->costs[ATLAS_ITERATIONS];
    const double decades = log10(family->targets[step] / family->targets[step + 1]);
    double *values = pool_array(atlas->scratch, family->n_problems, sizeof *values), quartiles[3];
    size_t n = 0, missed = 0;
    for (size_t p = 0; p < family->n_problems && cube_counts(cube, series); p++) {
        const size_t at = atlas_at(family, series, p, step), d = family->problems[p].dataset;
        if ((dataset != ATLAS_ALL && d != dataset) || !atlas_reached(family, at))
            continue;
        values[n++] = (cube->cost[at + 1] - cube->cost[at]) / (decades * atlas->datasets[d].n_train);
        missed += !atlas_reached(family, at + 1);
    }
    gsl_sort(values, 1, n);
    for (size_t q = 0; q < 3 && n > 0; q++)
        quartiles[q] = values[((q + 1) * n + 3) / 4 - 1];
    if (n > 0) {
        result_row(&table->data, "%s\t%s\t%s\t%g\t%g\t%zu\t%zu\t%g\t%g\t%g", family->key,
                   family->series[series].label, dataset == ATLAS_ALL ? "all" : atlas->datasets[dataset].name,
                   family->targets[step], family->targets[step + 1], n, missed, quartiles[0], quartiles[1],
                   quartiles[2]);
    }
    if (dataset != ATLAS_ALL)
        return;
    if (n == 0)
        result_none(page);
    else if (!isfinite(quartiles[1]))
        result_number(page, quartiles[1]);
    else
        result_shown(page, quartiles[1], isfinite(quartiles[2]) ? "%.2g [%.2g, %.2g]" : "%.2g [%.2g, ∞]", quartiles[1],
                     quartiles[0], quartiles[2]);
}

static void put_rates(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    const struct atlas *atlas = table->out->atlas;
    const size_t steps = family->n_targets - 1;
    if (cost != ATLAS_ITERATIONS || !atlas->sizes_known || family->n_targets < 2 || family->costs[cost].n_counting == 0)
        return;
    struct result page = {.pool = pool_new(), .name = pool_printf(table->data.pool, "atlas-rates-%s", family->key)};
    result_title(&page, "Iterations / N for each further decade of the gap: %s", family->title);
    result_columns(&page, "solver");
    for (size_t k = 0; k < steps; k++)
        result_columns(&page, pool_printf(page.pool, "#2%g → %g", family->targets[k], family->targets[k + 1]));
    for (size_t i = 0; i <= atlas->n_datasets; i++)
        for (size_t k = 0; k < family->n_series * steps; k++, pool_reset(atlas->scratch)) {
            if (i == 0 && k % steps == 0)
                result_text(&page, "%s", family->series[k / steps].label);
            put_rate(table, family, i ? i - 1 : ATLAS_ALL, k / steps, k % steps, &page);
        }
    result_note(&page, "Median and quartiles over the problems on which the first of the two targets was reached. ∞: "
                       "so many runs did not reach the second target that the value is unbounded.");
    atlas_page_write(table->out, &page);
    pool_free(page.pool);
}

/* ---- all tables ---- */

/* `put` adds the rows of a family and cost; those that are not of a cost with the first one. */
static const struct analysis {
    const char *name, *columns, *title, *note; /* NULL: no table for readers, who get pages of `put` */
    size_t heads;
    void (*put)(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost);
    int may_be_empty;
} analyses[] = {
    {"atlas-stability",
     "family\tcost\t<targets\t>#6reference\t>#6target\t" ATLAS_INTERVAL("tau", "Kendall's τ") "\t"
     ATLAS_INTERVAL("same_winner", "same winner, %") "\t" ATLAS_INTERVAL("loss", "loss, times") "\t#problems",
     "Does the cheapest solver at one target stay the cheapest at a tighter target?",
     "τ: between the two rankings of the solvers by geometric mean cost. Same winner: share of problems. Loss: cost "
     "at the tighter target of the winner at the looser target, divided by the lowest cost there; geometric mean. "
     BOOTSTRAP_NOTE, 2, put_stability, 1},
    {"atlas-near-best",
     "family\tcost\ttarget\tsolver\t" ATLAS_INTERVAL("ratio", "") "\t" ATLAS_INTERVAL("near", "") "\t"
     ATLAS_INTERVAL("best", "") "\t>#problems", NULL, NULL, 4, put_near, 1},
    {"atlas-agreement",
     "family\tcost\tother=other cost\t" ATLAS_INTERVAL("concordant", "same order, %") "\t"
     ATLAS_INTERVAL("tau", "Kendall's τ") "\t" ATLAS_INTERVAL("spread", "spread, times") "\t#9pairs\t#9equal",
     "Do two cost measures rank solvers alike?",
     "Pairs of solvers that reach a target on a problem; all targets together. Same order: share among the pairs whose "
     "costs differ in both measures. τ: mean over problems and targets. Spread: the largest ratio of the second cost "
     "to the first divided by the smallest, among the solvers of a problem and target; geometric mean. " BOOTSTRAP_NOTE,
     3, put_agreement, 1},
    {"atlas-waste",
     "family\tsolver\t#target\t#runs\t" ATLAS_INTERVAL("evaluations", "evaluations beyond, %") "\t"
     ATLAS_INTERVAL("operations", "operations beyond, %") "\t" ATLAS_INTERVAL("reuse", "operations / evaluations"),
     "Kernel values beyond those in the rows of the support vectors",
     "Mean share beyond SV · N, over the runs that reach the target; operations include the set-up. Operations / "
     "evaluations (geometric mean): the saving from keeping rows. " BOOTSTRAP_NOTE, 2, put_waste, 1},
    {"atlas-ratios",
     "family\tsolver\tagainst\tcost\t#target\t" ATLAS_ENDS("ratio", "low", "high", "ratio")
     "\t<cheaper on\t>#cheaper\t>#datasets\t<reached by both/solver/other/none\t>#both\t>#solver_alone\t"
     ">#other_alone\t>#neither",
     "Variants of solvers compared in pairs",
     "Ratio of costs on the problems on which both solvers reach the target: geometric mean over the problems of a "
     "data set, then over data sets. The last column counts problems. " BOOTSTRAP_NOTE, 3, put_ratios, 0},
    {"atlas-rates",
     "family\tsolver\tdataset\t>#from\t>#to\t>#runs\t>#missed\t>#6quartile_1\t>#6median\t>#6quartile_3",
     NULL, NULL, 3, put_rates, 1},
};

void atlas_tables_write(struct atlas_output *out)
{
    for (size_t i = 0; i < sizeof analyses / sizeof *analyses; i++) {
        const struct analysis *analysis = &analyses[i];
        struct atlas_table table = atlas_table_new(out, analysis->name, analysis->heads, analysis->columns);
        if (analysis->title) {
            result_title(&table.page, "%s", analysis->title);
            result_note(&table.page, "%s", analysis->note);
        }
        for (size_t k = 0; k < out->atlas->n_families * ATLAS_COSTS; k++)
            analysis->put(&table, &out->atlas->families[k / ATLAS_COSTS], (enum atlas_cost)(k % ATLAS_COSTS));
        if (table.data.values.count > 0 || analysis->may_be_empty)
            atlas_table_write(&table);
        else
            pool_free(table.data.pool);
    }
}
