/*
 * For each metric: the mean ranks of the solvers over the data sets (rank_blocks.h); Friedman's test, with Iman and
 * Davenport's F; groups that do not differ by Nemenyi's test at 5 %; each solver against the one with the best mean
 * rank, corrected by Holm (Demsar 2006); signed-rank tests of all pairs, corrected by Holm (Benavoli, Corani and
 * Mangili 2016); and how often a solver beats the others on a data set.
 */
#include "harness/tables/run_tables.h"

#include <stdlib.h>

#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/compare/rank_blocks.h"
#include "harness/stats/several_solvers.h"
#include "harness/tables/series_notes.h"

/* The ranks for one metric. */
struct rank_rows {
    struct ranking ranking;
    double p[MAX_SERIES];                               /* against the solver with the best mean rank */
    struct win_tie_loss each[MAX_SERIES * MAX_SERIES]; /* [a * solvers + b]: a against b */
};

struct ranks_table {
    const char *name;
    struct rank_blocks blocks;
    struct rank_rows metrics[RANK_METRICS];
    size_t n;
};

static void rank_metric(struct pool *pool, struct ranks_table *table, enum record_field field)
{
    struct rank_blocks *blocks = &table->blocks;
    struct rank_rows *rows = &table->metrics[table->n++];
    ranking_make(pool, blocks, field, &rows->ranking);
    friedman_against(&rows->ranking.friedman, rows->ranking.order[0], rows->p);
    win_tie_loss_table(blocks->costs, blocks->series.n_series, blocks->n, rows->each);
}

/* A solver's place in the order of mean ranks. */
struct place {
    size_t solver;
    const char *label, *metric;
    double mean_rank, p;
    char letters[MAX_SERIES + 1]; /* of its groups, such as "ab" */
    struct win_tie_loss total;    /* against all others together */
    struct win_tie_loss pairs;    /* by the signed-rank tests: better than others, undecided, worse */
};

static struct place place_of(const struct ranks_table *table, const struct rank_rows *rows, size_t order)
{
    const struct ranking *ranking = &rows->ranking;
    const size_t solver = ranking->order[order], solvers = ranking->friedman.solvers;
    struct place place = {.solver = solver,
                          .label = table->blocks.series.labels[solver],
                          .metric = measure_row(ranking->field)->measure,
                          .mean_rank = ranking->friedman.mean_ranks[solver],
                          .p = rows->p[solver]};
    for (size_t g = 0, length = 0; g < ranking->n_groups; g++)
        if (ranking->groups[g].first <= order && order <= ranking->groups[g].last)
            place.letters[length++] = (char)('a' + (int)g);
    for (size_t other = 0; other < solvers; other++) {
        const struct win_tie_loss *one = &rows->each[solver * solvers + other];
        const double effect = ranking->pairs[solver * solvers + other].effect;
        if (other == solver)
            continue;
        const int separate = ranking_signed_rank_separates(ranking, solver, other);
        *(!separate ? &place.pairs.ties : effect < 0 ? &place.pairs.wins : &place.pairs.losses) += 1;
        place.total.wins += one->wins;
        place.total.ties += one->ties;
        place.total.losses += one->losses;
    }
    return place;
}

static void fill_ranking(const struct ranks_table *table, const struct rank_rows *rows, struct text_table *text)
{
    for (size_t i = 0; i < rows->ranking.friedman.solvers; i++) {
        const struct place place = place_of(table, rows, i);
        text_table_cell(text, "%s", place.label);
        text_table_cell(text, "%s", place.metric);
        text_table_cell(text, "%.3f", place.mean_rank);
        text_table_cell(text, "%s", *place.letters ? place.letters : "–");
        if (i > 0)
            text_table_cell(text, "%.2g", place.p);
        else
            text_table_cell(text, "–");
        text_table_cell(text, "%zu/%zu/%zu", place.pairs.wins, place.pairs.ties, place.pairs.losses);
        text_table_cell(text, "%zu/%zu/%zu", place.total.wins, place.total.ties, place.total.losses);
    }
}

static void note_pairs(const struct ranks_table *table, const struct ranking *ranking, struct text_table *text)
{
    char *sentence = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&sentence, &size);
    ranking_print_pairs(ranking, &table->blocks, stream);
    xclose_text(stream);
    text_table_footnote(text, "%s: %s", measure_row(ranking->field)->measure, sentence);
    free(sentence);
}

static void fill_text(const struct ranks_table *table, struct text_table *text)
{
    static const char *const header[] = {"solver",
                                         "metric",
                                         "mean rank",
                                         "groups",
                                         "p against the best",
                                         "better/undecided/worse",
                                         "wins/ties/losses"};
    text->columns = sizeof header / sizeof *header;
    text_table_title(text, "friedman-%s: mean ranks over %zu data sets", table->name, table->blocks.n);
    text_table_cells(text, header, text->columns);
    for (size_t m = 0; m < table->n; m++)
        fill_ranking(table, &table->metrics[m], text);
    for (size_t m = 0; m < table->n; m++) {
        const struct ranking *ranking = &table->metrics[m].ranking;
        text_table_footnote(
            text,
            "%s: Friedman's chi-squared %.3g, p %.2g; Iman and Davenport's F %.3g, p %.2g; critical difference %.3g.",
            measure_row(ranking->field)->measure, ranking->friedman.chi2, ranking->friedman.chi2_p,
            ranking->friedman.f, ranking->friedman.f_p, ranking->difference);
        note_pairs(table, ranking, text);
    }
    text_table_footnote(
        text, "Rank 1 is the lowest cost on a data set: the mean test error, or the geometric mean of iterations or "
              "kernel operations, over the splits and settings that all solvers have; solvers that did not converge "
              "rank last.");
    text_table_footnote(text, "Groups: solvers that share a letter are not significantly different by Nemenyi's test "
                              "at %g %%.",
              100 * RANKING_LEVEL);
    text_table_footnote(
        text,
        "p: comparison with the solver of the best mean rank, from the normal distribution of the difference, adjusted "
        "by Holm.");
    text_table_footnote(
        text,
        "Better, undecided, worse: numbers of other solvers, by the signed-rank test over data sets at %g %% of test "
        "errors or of logarithms of costs, adjusted by Holm over all pairs of solvers. This test uses only the costs "
        "of the two solvers, whereas the groups depend on the costs of all solvers.",
        100 * RANKING_LEVEL);
    text_table_footnote(text, "Wins, ties, losses: against all other solvers, over all data sets.");
}

static void fill_csv(const struct ranks_table *table, struct text_table *text)
{
    static const char *const header[] = {"solver",     "metric", "mean_rank", "groups",
                                         "p_adjusted", "wins",   "ties",      "losses",
                                         "better",     "undecided", "worse"};
    text->columns = sizeof header / sizeof *header;
    text_table_cells(text, header, text->columns);
    for (size_t m = 0; m < table->n; m++)
        for (size_t i = 0; i < table->metrics[m].ranking.friedman.solvers; i++) {
            const struct place place = place_of(table, &table->metrics[m], i);
            text_table_cell(text, "%s", place.label);
            text_table_cell(text, "%s", place.metric);
            text_table_cell(text, "%.15g", place.mean_rank);
            text_table_cell(text, "%s", place.letters);
            text_table_cell(text, "%.6g", place.p);
            text_table_cell(text, "%zu", place.total.wins);
            text_table_cell(text, "%zu", place.total.ties);
            text_table_cell(text, "%zu", place.total.losses);
            text_table_cell(text, "%zu", place.pairs.wins);
            text_table_cell(text, "%zu", place.pairs.ties);
            text_table_cell(text, "%zu", place.pairs.losses);
        }
}

/* ---- JSON ---- */

static void solver_json(cJSON *json, const struct ranks_table *table, const struct rank_rows *rows, size_t order)
{
    const struct place place = place_of(table, rows, order);
    const size_t solvers = rows->ranking.friedman.solvers;
    json_put_text(json, "solver", place.label);
    json_put_number(json, "mean_rank", place.mean_rank);
    json_put_text(json, "groups", place.letters);
    json_put_rounded(json, "p_adjusted", place.p);
    cJSON *each = json_put_object(json, "against");
    for (size_t other = 0; other < solvers; other++) {
        const struct win_tie_loss *one = &rows->each[place.solver * solvers + other];
        if (other == place.solver)
            continue;
        cJSON *item = json_put_object(each, table->blocks.series.labels[other]);
        json_put_number(item, "wins", (double)one->wins);
        json_put_number(item, "ties", (double)one->ties);
        json_put_number(item, "losses", (double)one->losses);
    }
}

/* Writes each pair once, the better mean rank first. */
static void pairs_json(cJSON *json, const struct ranks_table *table, const struct ranking *ranking)
{
    for (size_t i = 0; i < ranking->friedman.solvers; i++)
        for (size_t j = i + 1; j < ranking->friedman.solvers; j++) {
            const size_t a = ranking->order[i], b = ranking->order[j];
            const struct pair_test *test = &ranking->pairs[a * ranking->friedman.solvers + b];
            cJSON *pair = json_add_object(json);
            cJSON *solvers = json_put_array(pair, "solvers");
            json_add_text(solvers, table->blocks.series.labels[a]);
            json_add_text(solvers, table->blocks.series.labels[b]);
            json_put_rounded(pair, "effect", test->effect);
            json_put_rounded(pair, "signed_rank_p", test->p_value);
            json_put_rounded(pair, "signed_rank_p_adjusted", test->adjusted);
            json_put_bool(pair, "nemenyi_differs", ranking_nemenyi_separates(ranking, a, b));
        }
}

static cJSON *table_json(const struct ranks_table *table)
{
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 1);
    json_put_text(json, "table", "friedman");
    json_put_text(json, "name", table->name);
    json_put_number(json, "level", RANKING_LEVEL);
    cJSON *sets = json_put_array(json, "datasets");
    for (size_t d = 0; d < table->blocks.n; d++)
        json_add_text(sets, table->blocks.datasets[d]);
    cJSON *metrics = json_put_object(json, "metrics");
    for (size_t m = 0; m < table->n; m++) {
        const struct ranking *ranking = &table->metrics[m].ranking;
        cJSON *metric = json_put_object(metrics, measure_row(ranking->field)->measure);
        json_put_rounded(metric, "chi2", ranking->friedman.chi2);
        json_put_rounded(metric, "chi2_p", ranking->friedman.chi2_p);
        json_put_rounded(metric, "f", ranking->friedman.f);
        json_put_rounded(metric, "f_p", ranking->friedman.f_p);
        json_put_rounded(metric, "critical_difference", ranking->difference);
        cJSON *solvers = json_put_array(metric, "solvers");
        for (size_t i = 0; i < ranking->friedman.solvers; i++)
            solver_json(json_add_object(solvers), table, &table->metrics[m], i);
        json_put_rounded(metric, "least_p_adjusted",
                         signed_rank_pairs_least(ranking->friedman.solvers, table->blocks.n));
        pairs_json(json_put_array(metric, "pairs"), table, ranking);
    }
    return json;
}

void ranks_table_write(const struct plot_data *data, const cJSON *entry, const char *name, const char *folder,
                       struct table_log *log)
{
    struct ranks_table table = {.name = name};
    struct pool *pool = pool_new();
    table.blocks = rank_blocks_take(pool, data, entry);
    const char *obstacle = rank_blocks_obstacle(&table.blocks, entry);
    const int ranked = !obstacle;
    for (size_t k = 0; ranked && k < RANK_METRICS; k++)
        if (rank_metric_wanted(entry, rank_metrics[k]))
            rank_metric(pool, &table, rank_metrics[k]);
    if (obstacle && obstacle == table.blocks.series.budgets)
        series_notes_warn(&table.blocks.series, "friedman-", name, log);
    if (table.n > 0) {
        struct table_files files = table_files_new(table_json(&table));
        fill_text(&table, &files.text);
        series_notes_add(&table.blocks.series, &files);
        fill_csv(&table, &files.csv);
        table_files_write(&files, &(struct run_folders){data->folder, 1}, folder, "friedman", name, log);
    }
    pool_free(pool);
}
