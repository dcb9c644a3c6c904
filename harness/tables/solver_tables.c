/*
 * The tables that compare the solvers of one run: ratios to the first series, ranks, and costs of fixed targets.
 *
 * Ratios. Compares each series with the first of the set, at each level of mu or C. Levels are ranked within a data
 * set, since each data set may have its own mu or C. For one data set: the statistics of
 * harness/compare/case_statistics.h over the pairs in which both converged. Over the data sets: the geometric mean of
 * the ratios with the signed-rank test of their logarithms, and how many are lower, not significantly different or
 * higher by the t test for overlapping splits, adjusted over the data sets by Holm. For readers a row is a series at a
 * level; CSV and JSON list each data set.
 *
 * Ranks. For each metric: the mean ranks of the solvers over the data sets (series_set.h); Friedman's test, with Iman
 * and Davenport's F; groups that do not differ by Nemenyi's test at 5 %; each solver against the one with the best mean
 * rank, corrected by Holm (Demsar 2006); signed-rank tests of all pairs, corrected by Holm (Benavoli, Corani and
 * Mangili 2016); and how often a solver beats the others on a data set.
 *
 * Targets. The costs to reach fixed targets (harness/compare/fixed_targets.h): ERT and PAR-10 for each solver and
 * target, over all data sets and for each.
 */
#include <math.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/compare/case_statistics.h"
#include "harness/compare/fixed_targets.h"
#include "harness/stats/several_solvers.h"
#include "harness/tables/run_tables.h"

/* Adds what series lack, and unlike budgets, to the notes and the JSON. */
static void note_series(const struct series_set *set, struct run_table *table)
{
    cJSON *facts = result_facts(&table->page);
    if (set->gaps) {
        result_note(&table->page, "%s: %s.",
                    set->n_left_out ? "Problems that not all of these solvers ran are left out"
                                    : "The solvers did not all run the same problems",
                    set->gaps);
        json_put_text(facts, "gaps", set->gaps);
        json_put_number(facts, "left_out", (double)set->n_left_out);
    }
    if (set->budgets) {
        result_note(&table->page, "Beyond its budget, a solver was not given the chance to go on: %s.", set->budgets);
        json_put_text(facts, "budgets", set->budgets);
    }
}

/* Warns that the table KIND-NAME is not written, if budgets are the reason. */
static void warn_of_budgets(const struct solver_tables *tables, const struct series_set *set, const char *kind,
                            const char *name)
{
    if (set->budgets && tables->log->warned)
        fprintf(tables->log->warned,
                "hullbench: table %s-%s is not written, because the solvers cannot be compared: %s\n", kind, name,
                set->budgets);
}

static void write_table(const struct solver_tables *tables, const struct series_set *set, struct run_table *table)
{
    note_series(set, table);
    run_table_write(table, &(struct run_folders){tables->data->folder, 1}, tables->folder, tables->log);
}

/* ---- ratios to the first series ---- */

enum { SERIES_METRICS = 2 };
static const struct {
    enum record_field field;
    const char *key;
} metrics[SERIES_METRICS] = {{FIELD_ITERATIONS, "iterations"}, {FIELD_KERNEL_OPERATIONS, "kernel_operations"}};

/* A series at a level (the candidate) against the first series (the baseline). */
struct ratios_row {
    size_t series, level;
    struct estimate *cells[SERIES_METRICS]; /* one per data set */
    struct estimate total[SERIES_METRICS];
    struct win_tie_loss counts[SERIES_METRICS]; /* of data sets with a test; wins are lower costs */
};

struct ratios_table {
    const struct solver_tables *of;
    struct series_set series;
    size_t *level_of, n_levels; /* level_of: the level of each problem */
    double *mine, *first; /* scratch, one for each problem or data set */
};

/* The mu or C of a problem, or NULL. */
static const struct setting *level_setting(const struct series_set *set, size_t problem)
{
    const struct setting *setting = record_setting(set->first[problem], "mu");
    return setting ? setting : record_setting(set->first[problem], "C");
}

/* 0 if it has none; all are then one level. */
static double level_value(const struct series_set *set, size_t problem)
{
    const struct setting *setting = level_setting(set, problem);
    return setting ? setting->number : 0;
}

/* Ranks the values within each data set; n_levels is the largest rank plus 1. */
static void rank_levels(struct ratios_table *table)
{
    const struct series_set *set = &table->series;
    for (size_t q = 0; q < set->n_problems; q++) {
        size_t met = 0;
        while (set->datasets[met] != set->datasets[q] || level_value(set, met) != level_value(set, q))
            met++;
        for (size_t p = 0; met == q && p < set->n_problems; p++) /* only the first of its level */
            table->level_of[p] += set->datasets[p] == set->datasets[q] && level_value(set, q) < level_value(set, p);
    }
    for (size_t p = 0; p < set->n_problems; p++)
        table->n_levels = table->level_of[p] + 1 > table->n_levels ? table->level_of[p] + 1 : table->n_levels;
}

/* "C = 30", or "μ, 2 of 3" if the level has several values. */
static const char *level_text(const struct ratios_table *table, size_t level)
{
    const struct setting *common = NULL;
    int same = 1;
    for (size_t p = 0; p < table->series.n_problems; p++) {
        const struct setting *setting = level_setting(&table->series, p);
        if (table->level_of[p] != level)
            continue;
        same = same && setting && (!common || strcmp(common->text, setting->text) == 0);
        common = setting;
    }
    const char *name = common ? plot_setting_label(common->name) : "";
    return same && common ? pool_printf(table->of->pool, "%s = %s", name, common->text)
                          : pool_printf(table->of->pool, "%s%s%zu of %zu", name, common ? ", " : "", level + 1,
                                        table->n_levels);
}

/* Collects the pairs of a data set in which both have a finite cost. */
static void take_pairs(const struct ratios_table *table, const struct ratios_row *row, const char *dataset,
                       struct contrast_sample *sample)
{
    const struct series_set *set = &table->series;
    const struct run_info_data *data = run_info_data(&table->of->data->folder->run, dataset);
    *sample = (struct contrast_sample){.values = {table->first, table->mine}, .logarithmic = 1};
    sample->overlap = contrast_overlap(CONTRAST_TRAINED, data ? data->n_train : 0, data ? data->n_test : 0);
    for (size_t p = 0; p < set->n_problems; p++) {
        double mine = set->cost[row->series * set->n_problems + p], first = set->cost[p];
        if (set->datasets[p] != dataset || table->level_of[p] != row->level || !isfinite(mine) || !isfinite(first))
            continue;
        table->first[sample->n] = first;
        table->mine[sample->n++] = mine;
    }
}

/* Summarises the row's cells of one metric; the counts leave out data sets without a test. */
static void sum_up(struct ratios_table *table, struct ratios_row *row, size_t m)
{
    size_t n = 0, n_datasets = table->of->data->datasets.count;
    struct estimate **cells = pool_array(table->of->pool, n_datasets, sizeof *cells);
    for (size_t d = 0; d < n_datasets; d++)
        cells[d] = &row->cells[m][d];
    estimates_adjust(cells, n_datasets);
    for (size_t d = 0; d < n_datasets; d++) {
        const struct estimate *cell = &row->cells[m][d];
        const int significant = cell->adjusted < CONTRAST_SIGNIFICANT;
        if (cell->n == 0)
            continue;
        row->counts[m].wins += significant && cell->difference.estimate < 0;
        row->counts[m].losses += significant && cell->difference.estimate > 0;
        row->counts[m].ties += !isnan(cell->adjusted) && !significant;
        table->mine[n++] = cell->of_means;
    }
    row->total[m] = estimate_of_datasets(table->mine, n);
    estimate_mean_interval(table->mine, n, &row->total[m]);
}

static void fill_row(struct ratios_table *table, struct ratios_row *row)
{
    for (size_t m = 0; m < SERIES_METRICS; m++) {
        row->cells[m] = pool_array(table->of->pool, table->of->data->datasets.count, sizeof *row->cells[m]);
        series_set_fill_costs(&table->series, metrics[m].field);
        for (size_t d = 0; d < table->of->data->datasets.count; d++) {
            struct contrast_sample sample;
            take_pairs(table, row, table->of->data->datasets.names[d], &sample);
            row->cells[m][d] = estimate_of_case(&sample);
        }
        sum_up(table, row, m);
    }
}

/* Adds the row over the data sets for readers, and for programs one for each data set. All but the first two numbers of
 * the latter depend on resampling or distributions. */
static void put_row(const struct ratios_table *table, const struct ratios_row *row, const char *level,
                    struct result *page, struct result *data)
{
    const char *const *labels = table->series.labels;
    result_row(page, "%s\t%s\t%zu", labels[row->series], level, row->total[0].n);
    for (size_t m = 0; m < SERIES_METRICS; m++) {
        const struct interval *mean = &row->total[m].mean,
                              ratio = {exp(mean->estimate), exp(mean->low), exp(mean->high), mean->level};
        const struct win_tie_loss *counts = &row->counts[m];
        result_interval(page, 3, &ratio);
        result_numbers(page, 1, ratio.low, ratio.high, ratio.level);
        if (counts->wins + counts->ties + counts->losses > 0)
            result_shown(page, (double)counts->wins, "%zu/%zu/%zu", counts->wins, counts->ties, counts->losses);
        else
            result_none(page);
        result_row(page, "%zu\t%zu\t%zu", counts->wins, counts->ties, counts->losses);
        result_p(page, row->total[m].p);
    }
    for (size_t d = 0; d < table->of->data->datasets.count; d++) {
        if (row->cells[0][d].n == 0)
            continue;
        result_row(data, "%s\t%s\t%s\t%s", labels[row->series], labels[0], level, table->of->data->datasets.names[d]);
        for (size_t m = 0; m < SERIES_METRICS; m++) {
            const struct estimate *cell = &row->cells[m][d];
            result_numbers(data, 1, (double)cell->n, cell->means[CANDIDATE] / cell->means[BASELINE],
                           exp(cell->difference.estimate), exp(cell->difference.low), exp(cell->difference.high),
                           cell->p, cell->adjusted);
        }
    }
}

static void fill_ratios(struct ratios_table *table, struct result *page, struct result *data)
{
    const size_t room = table->series.n_problems + table->of->data->datasets.count + 1;
    table->level_of = pool_array(table->of->pool, room, sizeof *table->level_of);
    table->mine = pool_array(table->of->pool, room, sizeof *table->mine);
    table->first = pool_array(table->of->pool, room, sizeof *table->first);
    rank_levels(table);
    result_columns(page, "solver\tlevel\t<#data sets");
    result_columns(data, "solver\tagainst\tlevel\tdataset");
    for (size_t m = 0; m < SERIES_METRICS; m++) {
        result_columns(page, pool_printf(page->pool,
                                         "#6%1$s.ratio=%2$s\t>#6%1$s.ratio_low\t>#6%1$s.ratio_high\t"
                                         ">#6%1$s.ratio_level\t<#%1$s.counts=fewer/alike/more\t>#%1$s.fewer\t"
                                         ">#%1$s.alike\t>#%1$s.more\t#6%1$s.p=p",
                                         metrics[m].key, measure_row(metrics[m].field)->title));
        result_columns(data, pool_printf(data->pool,
                                         "#%1$s.n\t#%1$s.ratio\t#6%1$s.geometric\t#6%1$s.geometric_low\t"
                                         "#6%1$s.geometric_high\t#6%1$s.p\t#6%1$s.p_adjusted",
                                         metrics[m].key));
    }
    for (size_t s = 1; s < table->series.n_series; s++)
        for (size_t level = 0; level < table->n_levels; level++) {
            struct ratios_row row = {.series = s, .level = level};
            fill_row(table, &row);
            put_row(table, &row, level_text(table, level), page, data);
        }
    result_note(page,
                "Geometric means over the data sets of the ratio of mean costs over the splits on which both "
                "converged, with 95 %% bootstrap intervals from %d data sets on.",
                MIN_PAIRS_FOR_A_CLAIM);
    result_note(page, "Fewer, more: data sets that differ at 0.05 by the t test of the logarithms of the ratios of the "
                      "splits, corrected for splits that overlap, adjusted by Holm over the data sets.");
    result_note(page, "p: signed-rank test of the logarithms of the ratios over the data sets.");
    result_note(page, "Kernel operations without the set-up.");
}

/* Compares the solvers that an entry of kind "profile" selects with the first of them, as "rivals-NAME"; writes nothing
 * if they are fewer than two. */
static void write_ratios(const struct solver_tables *tables, const cJSON *entry, const char *name)
{
    struct ratios_table table = {.of = tables};
    table.series = series_set_take(tables->pool, tables->data, entry, 0);
    if (table.series.n_series < 2)
        return;
    warn_of_budgets(tables, &table.series, "rivals", name);
    if (table.series.too_many || table.series.budgets)
        return;
    struct run_table files = run_table_new(tables->pool, "rivals", name);
    result_title(&files.page, "rivals-%s: costs as multiples of those of %s", name, table.series.labels[0]);
    json_put_text(result_facts(&files.page), "against", table.series.labels[0]);
    fill_ratios(&table, &files.page, &files.data);
    *pool_push(tables->pool, &files.data.parts) = (struct result_part){"totals", &files.page};
    write_table(tables, &table.series, &files);
}

/* ---- ranks ---- */

/* The ranks for one metric. */
struct rank_rows {
    const struct rank_blocks *blocks;
    struct ranking ranking;
    double p[MAX_SERIES];                               /* against the solver with the best mean rank */
    struct win_tie_loss each[MAX_SERIES * MAX_SERIES]; /* [a * solvers + b]: a against b */
};

/* A row for each solver, in the order of mean ranks. */
static void fill_ranking(const struct rank_rows *rows, struct result *page)
{
    const struct ranking *ranking = &rows->ranking;
    const size_t solvers = ranking->friedman.solvers;
    for (size_t i = 0; i < solvers; i++) {
        const size_t solver = ranking->order[i];
        struct win_tie_loss counts[2] = {{0}}; /* against all others together; better than others, undecided, worse */
        char letters[MAX_SERIES + 1] = "";     /* of its groups, such as "ab" */
        for (size_t g = 0, length = 0; g < ranking->n_groups; g++)
            if (ranking->groups[g].first <= i && i <= ranking->groups[g].last)
                letters[length++] = (char)('a' + (int)g);
        for (size_t other = 0; other < solvers; other++) {
            const struct win_tie_loss *one = &rows->each[solver * solvers + other];
            const double effect = ranking->pairs[solver * solvers + other].effect;
            if (other == solver)
                continue;
            counts[0].wins += one->wins;
            counts[0].ties += one->ties;
            counts[0].losses += one->losses;
            const int separate = ranking_signed_rank_separates(ranking, solver, other);
            *(!separate ? &counts[1].ties : effect < 0 ? &counts[1].wins : &counts[1].losses) += 1;
        }
        result_row(page, "%s\t%s", rows->blocks->series.labels[solver], measure_row(ranking->field)->measure);
        result_shown(page, ranking->friedman.mean_ranks[solver], "%.3f", ranking->friedman.mean_ranks[solver]);
        result_text(page, "%s", letters);
        result_p(page, rows->p[solver])->text = i ? pool_printf(page->pool, "%.2g", rows->p[solver]) : "–";
        for (size_t k = 2; k-- > 0;)
            result_shown(page, (double)counts[k].wins, "%zu/%zu/%zu", counts[k].wins, counts[k].ties,
                         counts[k].losses);
        for (size_t k = 0; k < 2; k++)
            result_row(page, "%zu\t%zu\t%zu", counts[k].wins, counts[k].ties, counts[k].losses);
    }
}

/* Each pair once, the better mean rank first; and each solver against each other. */
static void fill_pairs(const struct rank_rows *rows, struct result *pairs, struct result *against)
{
    const struct ranking *ranking = &rows->ranking;
    const size_t solvers = ranking->friedman.solvers;
    const char *metric = measure_row(ranking->field)->measure;
    const char *const *labels = rows->blocks->series.labels;
    for (size_t i = 0; i < solvers; i++)
        for (size_t j = 0; j < solvers; j++) {
            const size_t a = ranking->order[i], b = ranking->order[j];
            const struct pair_test *test = &ranking->pairs[a * solvers + b];
            const struct win_tie_loss *one = &rows->each[a * solvers + b];
            if (i != j)
                result_row(against, "%s\t%s\t%s\t%zu\t%zu\t%zu", metric, labels[a], labels[b], one->wins, one->ties,
                           one->losses);
            if (i >= j)
                continue;
            result_row(pairs, "%s\t%s\t%s", metric, labels[a], labels[b]);
            result_numbers(pairs, 1, test->effect, test->p_value, test->adjusted,
                           ranking_nemenyi_separates(ranking, a, b));
        }
}

/* Friedman's test as notes and as a member of the facts. */
static void put_friedman(const struct rank_rows *rows, struct result *page, cJSON *facts)
{
    const struct ranking *ranking = &rows->ranking;
    const struct friedman *friedman = &ranking->friedman;
    const char *metric = measure_row(ranking->field)->measure;
    struct pool_text *sentence = pool_text_open(page->pool);
    ranking_print_pairs(ranking, rows->blocks, sentence->stream);
    result_note(page,
                "%s: Friedman's chi-squared %.3g, p %.2g; Iman and Davenport's F %.3g, p %.2g; critical difference "
                "%.3g.",
                metric, friedman->chi2, friedman->chi2_p, friedman->f, friedman->f_p, ranking->difference);
    result_note(page, "%s: %s", metric, pool_text_end(sentence));
    cJSON *json = json_put_object(facts, metric);
    json_put_rounded(json, "chi2", friedman->chi2);
    json_put_rounded(json, "chi2_p", friedman->chi2_p);
    json_put_rounded(json, "f", friedman->f);
    json_put_rounded(json, "f_p", friedman->f_p);
    json_put_rounded(json, "critical_difference", ranking->difference);
    json_put_rounded(json, "least_p_adjusted", signed_rank_pairs_least(friedman->solvers, rows->blocks->n));
}

static void note_ranks(struct result *page)
{
    result_note(
        page, "Rank 1 is the lowest cost on a data set: the mean test error, or the geometric mean of iterations or "
              "kernel operations, over the splits and settings that all solvers have; solvers that did not converge "
              "rank last.");
    result_note(page, "Groups: solvers that share a letter are not significantly different by Nemenyi's test "
                              "at %g %%.",
              100 * RANKING_LEVEL);
    result_note(
        page,
        "p: comparison with the solver of the best mean rank, from the normal distribution of the difference, adjusted "
        "by Holm.");
    result_note(
        page,
        "Better, undecided, worse: numbers of other solvers, by the signed-rank test over data sets at %g %% of test "
        "errors or of logarithms of costs, adjusted by Holm over all pairs of solvers. This test uses only the costs "
        "of the two solvers, whereas the groups depend on the costs of all solvers.",
        100 * RANKING_LEVEL);
    result_note(page, "Wins, ties, losses: against all other solvers, over all data sets.");
}

/* The ranks of the solvers that an entry of kind "critical-difference" selects, as "friedman-NAME": the numbers behind
 * the diagram. Without an entry it covers all solvers, if there are enough (series_set.h). */
static void write_ranks(const struct solver_tables *tables, const cJSON *entry, const char *name)
{
    struct rank_blocks blocks = rank_blocks_take(tables->pool, tables->data, entry);
    const char *obstacle = rank_blocks_obstacle(&blocks, entry);
    int is_wanted = 0;
    for (size_t k = 0; k < RANK_METRICS; k++)
        is_wanted |= rank_metric_wanted(entry, rank_metrics[k]);
    if (obstacle && obstacle == blocks.series.budgets)
        warn_of_budgets(tables, &blocks.series, "friedman", name);
    if (obstacle || !is_wanted)
        return;
    struct run_table files = run_table_new(tables->pool, "friedman", name);
    struct result *page = &files.page,
                  *pairs = result_part(page, "pairs", "metric\tfirst\tsecond\t#6effect\t#6signed_rank_p\t"
                                                      "#6signed_rank_p_adjusted\t?nemenyi_differs"),
                  *against = result_part(page, "against", "metric\tsolver\tother\t#wins\t#ties\t#losses");
    result_title(page, "friedman-%s: mean ranks over %zu data sets", name, blocks.n);
    result_columns(page, "solver\tmetric\t#mean_rank=mean rank\tgroups\t#6p_adjusted=p against the best\t"
                         "<#better/undecided/worse\t<#wins/ties/losses\t>#wins\t>#ties\t>#losses\t>#better\t"
                         ">#undecided\t>#worse");
    json_put_number(result_facts(page), "level", RANKING_LEVEL);
    cJSON *sets = json_put_array(result_facts(page), "datasets");
    for (size_t d = 0; d < blocks.n; d++)
        json_add_text(sets, blocks.datasets[d]);
    cJSON *metrics_json = json_put_object(result_facts(page), "metrics");
    for (size_t k = 0; k < RANK_METRICS; k++) {
        struct rank_rows rows = {.blocks = &blocks};
        if (!rank_metric_wanted(entry, rank_metrics[k]))
            continue;
        ranking_make(tables->pool, &blocks, rank_metrics[k], &rows.ranking);
        friedman_against(&rows.ranking.friedman, rows.ranking.order[0], rows.p);
        win_tie_loss_table(blocks.costs, blocks.series.n_series, blocks.n, rows.each);
        fill_ranking(&rows, page);
        fill_pairs(&rows, pairs, against);
        put_friedman(&rows, page, metrics_json);
    }
    note_ranks(page);
    write_table(tables, &blocks.series, &files);
}

/* ---- costs of targets ---- */

/* Whether any problem of the data set (NULL: of all) has the target. */
static int has_target(const struct fixed_targets *targets, const char *dataset, size_t target)
{
    return fixed_targets_costs(targets, 0, dataset, target).n > 0;
}

/* The rows of a data set (NULL: of all together). For readers ERT with the number of runs that reached the target, then
 * PAR-10; for programs a row for each target and solver. */
static void put_costs(const struct fixed_targets *targets, const char *dataset, struct result *page,
                      struct result *data)
{
    const char *name = dataset ? dataset : "all";
    for (size_t r = 0; r < 2 * targets->series.n_series; r++) {
        const size_t s = r % targets->series.n_series;
        const int penalised = r >= targets->series.n_series;
        result_row(page, "%s\t%s\t%s", name, penalised ? "PAR-10" : "ERT", targets->series.labels[s]);
        for (size_t k = 0; k < FIXED_TARGETS; k++) {
            const struct target_costs costs = fixed_targets_costs(targets, s, dataset, k);
            if (!has_target(targets, NULL, k))
                continue;
            struct result_value *value =
                result_number(page, costs.n == 0 ? (double)NAN : penalised ? costs.penalised : costs.ert);
            if (costs.n > 0 && !penalised)
                value->mark = pool_printf(page->pool, " (%zu/%zu)", costs.reached, costs.n);
        }
    }
    for (size_t k = 0; k < FIXED_TARGETS; k++)
        for (size_t s = 0; s < targets->series.n_series; s++) {
            const struct target_costs costs = fixed_targets_costs(targets, s, dataset, k);
            if (costs.n == 0)
                continue;
            result_row(data, "%s\t1e-%zu\t%s\t%zu\t%zu", name, k + 1, targets->series.labels[s], costs.n,
                       costs.reached);
            result_numbers(data, 1, costs.ert, costs.penalised);
        }
}

static void fill_targets(const struct solver_tables *tables, const struct fixed_targets *targets, const char *name,
                         struct result *page, struct result *data)
{
    result_title(page, "targets-%s: %s until a relative duality gap is reached", name,
                 targets->units_known ? "kernel operations / training patterns" : "kernel operations");
    result_columns(page, "data set\tmeasure\tsolver");
    page->heads = 3;
    for (size_t k = 0; k < FIXED_TARGETS; k++)
        if (has_target(targets, NULL, k))
            result_column(page, (struct result_column){.key = pool_printf(page->pool, "1e-%zu", k + 1),
                                                       .kind = RESULT_NUMBER,
                                                       .digits = 3});
    result_columns(data, "dataset\t#target\tsolver\t#n\t#reached\t#6ert\t#6par10");
    for (size_t d = 0; d <= tables->data->datasets.count; d++) {
        const char *dataset = d ? tables->data->datasets.names[d - 1] : NULL; /* all of them together first */
        int any = 0;
        for (size_t k = 0; k < FIXED_TARGETS; k++)
            any |= has_target(targets, dataset, k);
        if (any)
            put_costs(targets, dataset, page, data);
    }
    result_note(page, "ERT: total cost of all runs up to the target, or up to their end if they did not reach it, "
                      "divided by the number of runs that reached it (in parentheses).");
    result_note(page, "PAR-10: mean cost; a run that did not reach the target counts as 10 times the largest cost of "
                      "any of these solvers on the problem.");
    result_note(page, "Kernel operations without the set-up. Points of traces are 5 %% of the iterations apart, so "
                      "costs are overestimated by up to 5 %%.");
    if (targets->n_below_stop_rule)
        result_note(page,
                    "Left out for all solvers: %zu pairs of problem and target that a run missed because its stopping "
                    "rule ended it earlier.",
                    targets->n_below_stop_rule);
    if (targets->n_untraced)
        result_note(page, "Left out: %zu problems without a valid trace of every run.", targets->n_untraced);
}

/* The cost to reach fixed targets for the solvers that an entry of kind "runtime-distribution" selects, as
 * "targets-NAME". Without an entry it covers all solvers, if there are enough traces (fixed_targets.h). */
static void write_targets(const struct solver_tables *tables, const cJSON *entry, const char *name)
{
    const struct fixed_targets targets = fixed_targets_take(tables->pool, tables->data, entry);
    if (fixed_targets_obstacle(&targets, entry))
        return;
    struct run_table files = run_table_new(tables->pool, "targets", name);
    cJSON *facts = result_facts(&files.page);
    json_put_text(facts, "unit", targets.units_known ? "training patterns" : "kernel operations");
    json_put_number(facts, "not_asked", (double)targets.n_below_stop_rule);
    json_put_number(facts, "untraced", (double)targets.n_untraced);
    fill_targets(tables, &targets, name, &files.page, &files.data);
    write_table(tables, &targets.series, &files);
}

/* ---- all of a run ---- */

void solver_tables_write(struct run_folder *run, const char *folder, struct table_log *log)
{
    static const struct {
        const char *kind;
        void (*write)(const struct solver_tables *tables, const cJSON *entry, const char *name);
        int by_default; /* written if the configuration has no "plots" */
    } kinds[] = {{"profile", write_ratios, 0},
                 {"critical-difference", write_ranks, 1},
                 {"runtime-distribution", write_targets, 1},
                 {"heatmap", regret_table_write, 0}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    const cJSON *plots = cJSON_GetObjectItemCaseSensitive(run->config, "plots"), *entry = NULL;
    struct solver_tables tables = {.folder = folder, .log = log};
    struct pool *pool = pool_new();
    for (size_t k = 0; k < KINDS; k++) {
        cJSON none = {.type = cJSON_NULL};
        for (entry = plots ? plots->child : &none; entry; entry = entry->next) {
            const char *kind = json_text(entry, "kind"), *name = json_text(entry, "name");
            if (plots ? !kind || strcmp(kind, kinds[k].kind) != 0 : !kinds[k].by_default)
                continue;
            if (!tables.data)
                tables.data = run_view_take(pool, run);
            tables.pool = pool_new();
            kinds[k].write(&tables, plots ? entry : NULL, name && *name ? name : kinds[k].kind);
            pool_free(tables.pool);
        }
    }
    pool_free(pool);
}
