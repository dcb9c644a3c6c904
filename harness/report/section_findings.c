/*
 * The main figures and the findings. A finding is a sentence about counts, tests or ranks in the run folders.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/report/blocks.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"

/* ---- main figures ---- */

/* The maximum number of figures in the section, and the minimum that compare solvers, if there are any. */
enum { MAX_MAIN = 6, MIN_COMPARING = 2 };

struct choice {
    const struct report_figure *figures[MAX_MAIN];
    size_t count;
};

static const struct report_figure *figure_of_table(const struct report *report, const char *table)
{
    for (size_t k = 0; k < report->figures.count; k++)
        if (report->figures.items[k].embedded && shows_table(&report->figures.items[k], table))
            return &report->figures.items[k];
    return NULL;
}

/* The figure of the paper's table with the most compared cells among those that have a figure; NULL if none has. */
static const struct report_figure *figure_of_paper(const struct report *report, const struct conform_paper *paper)
{
    const struct report_figure *chosen = NULL;
    size_t most = 0;
    for (size_t t = 0; t < paper->paper->n_tables; t++) {
        const struct reproduction *table = conform_table_of(&report->conformance, &paper->paper->tables[t]);
        const size_t cells = table ? verdict_counts_decided(&table->counts) : 0;
        const struct report_figure *figure = cells > most ? figure_of_table(report, table->table->name) : NULL;
        if (figure) {
            chosen = figure;
            most = cells;
        }
    }
    return chosen;
}

/* Chooses the figure of each paper's largest table, then figures that compare solvers, one from each folder. */
static void choose(const struct report *report, struct choice *choice)
{
    *choice = (struct choice){0};
    for (size_t p = 0; p < report->conformance.n_papers && choice->count < MAX_MAIN - MIN_COMPARING; p++) {
        const struct report_figure *figure = figure_of_paper(report, &report->conformance.papers[p]);
        if (figure)
            choice->figures[choice->count++] = figure;
    }
    const size_t first = choice->count;
    for (size_t k = 0; k < report->figures.count && choice->count < MAX_MAIN; k++) {
        const struct report_figure *figure = &report->figures.items[k];
        size_t same = first;
        while (same < choice->count && choice->figures[same]->folder != figure->folder)
            same++;
        if (figure->embedded && figure->rank == 0 && same == choice->count && !stands_with_table(report, figure))
            choice->figures[choice->count++] = figure;
    }
}

int is_main_figure(const struct report *report, const struct report_figure *figure)
{
    struct choice choice;
    choose(report, &choice);
    for (size_t i = 0; i < choice.count; i++)
        if (choice.figures[i] == figure)
            return 1;
    return 0;
}

void section_main_figures(struct writer *writer)
{
    struct choice choice;
    choose(writer->report, &choice);
    if (choice.count == 0)
        fputs("The runs have no figures that compare solvers or papers.\n\n", writer->text);
    for (size_t i = 0; i < choice.count; i++)
        put_figure(writer, choice.figures[i]);
}

/* ---- findings ---- */

/* Each of these functions returns the number of findings it wrote. */

static size_t put_paper(FILE *text, const struct conformance *conformance, const struct conform_paper *paper)
{
    const struct joint_count *means = &paper->joint.means;
    struct score score = {0};
    size_t cells = 0, claims = 0;
    score_add(conformance, paper, &score);
    for (int v = 0; v < VERDICT_COUNT; v++)
        cells += score.counts.cells[v];
    for (int v = 0; v < CLAIM_VERDICT_COUNT; v++)
        claims += score.claims[v];
    if (cells + claims == 0)
        return 0;
    put_markdown(text, "- **%s**:", paper->paper->name);
    if (cells) {
        fprintf(text, " %zu cells: ", cells);
        verdict_counts_print(text, &score.counts);
        fputs(".", text);
    }
    if (means->cells)
        fprintf(text, " %zu of %zu means are rejected at 99 %%; identical experiments would give %.1f (p = %.2g).",
                means->outside, means->cells, means->expected, means->p_value);
    if (claims)
        fprintf(text, " %zu claims: %zu hold, %zu fail, %zu undecided, %zu not independent.",
                claims + score.fitted_claims, score.claims[CLAIM_HOLDS], score.claims[CLAIM_FAILS],
                score.claims[CLAIM_NOT_DECIDED] + score.claims[CLAIM_MISSING], score.fitted_claims);
    fputs("\n", text);
    return 1;
}

/* Writes the solvers that share a letter of Nemenyi's groups with the first. */
static void put_not_separated(FILE *text, const cJSON *best)
{
    const char *groups = text_member(best, "groups");
    int count = 0;
    for (const cJSON *other = best->next; other; other = other->next)
        if (strpbrk(text_member(other, "groups"), groups)) {
            fputs(count++ ? ", " : ". Nemenyi's test does not separate it from ", text);
            put_markdown(text, "%s", text_member(other, "solver"));
        }
    fputs(".\n", text);
}

/* Writes the best mean rank for each cost in a table of ranks. */
static size_t put_ranks(FILE *text, const char *label, const cJSON *json)
{
    static const char *const costs[][2] = {{"iterations", "iterations"}, {"kernel-operations", "kernel operations"}};
    const cJSON *metrics = cJSON_GetObjectItemCaseSensitive(json, "metrics");
    const int datasets = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(json, "datasets"));
    size_t count = 0;
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        const cJSON *metric = cJSON_GetObjectItemCaseSensitive(metrics, costs[i][0]),
                    *solvers = cJSON_GetObjectItemCaseSensitive(metric, "solvers"),
                    *best = solvers ? solvers->child : NULL;
        if (!best || !best->next)
            continue;
        put_markdown(text, "- **%s**, table %s, %s", label, text_member(json, "name"), costs[i][1]);
        put_markdown(text, ": %s has the best mean rank", text_member(best, "solver"));
        fprintf(text, ", %.2f among %d solvers on %d data sets", number_member(best, "mean_rank"),
                cJSON_GetArraySize(solvers), datasets);
        put_not_separated(text, best);
        count++;
    }
    return count;
}

static size_t put_rank_tables(struct writer *writer, const struct report_folder *folder)
{
    struct pool *pool = pool_new();
    const char *tables = pool_printf(pool, "%s/tables", folder->run->path);
    const struct name_order names = report_list(pool, tables, ".json");
    size_t count = 0;
    for (size_t i = 0; i < names.count; i++)
        if (strncmp(names.names[i], "friedman-", strlen("friedman-")) == 0)
            count += put_ranks(writer->text, folder->label,
                               json_read(pool, pool_printf(pool, "%s/%s.json", tables, names.names[i])));
    pool_free(pool);
    return count;
}

void section_findings(struct writer *writer)
{
    const struct report *report = writer->report;
    size_t count = 0;
    for (size_t p = 0; p < report->conformance.n_papers; p++)
        count += put_paper(writer->text, &report->conformance, &report->conformance.papers[p]);
    for (size_t i = 0; i < report->count; i++)
        if (!run_folder_is_search(report->folders[i].run))
            count += put_rank_tables(writer, &report->folders[i]);
    fputs(count == 0 ? "No run compares solvers or papers.\n\n" : "\n", writer->text);
}
