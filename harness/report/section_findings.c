/*
 * The main figures and the findings. A finding is a sentence about counts, tests or ranks in the run folders.
 */
#include <cjson/cJSON.h>
#include <string.h>

#include "harness/report/report.h"
#include "harness/support/json_reader.h"

void section_main_figures(struct writer *writer)
{
    const struct report *report = writer->report;
    if (report->n_main == 0)
        fputs("The runs have no figures that compare solvers or papers.\n\n", writer->text);
    for (size_t i = 0; i < report->n_main; i++)
        put_figure(writer, report->main[i]);
}

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
                claims + score.claims_tuned_to_paper, score.claims[CLAIM_HOLDS], score.claims[CLAIM_FAILS],
                score.claims[CLAIM_NOT_DECIDED] + score.claims[CLAIM_MISSING], score.claims_tuned_to_paper);
    fputs("\n", text);
    return 1;
}

/* Writes the best mean rank for each cost in a table of ranks, whose rows are grouped by metric, the best first. A
 * solver that shares a letter with it is in one of its groups. */
static size_t put_ranks(FILE *text, const char *label, const cJSON *table)
{
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(table, "rows"), *next = NULL;
    const int datasets = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(table, "datasets"));
    size_t count = 0;
    for (const cJSON *best = rows ? rows->child : NULL; best; best = next) {
        const char *metric = text_member(best, "metric"), *between = ". Nemenyi's test does not separate it from ";
        int solvers = 1;
        for (next = best->next; next && strcmp(text_member(next, "metric"), metric) == 0; next = next->next)
            solvers++;
        if (solvers == 1 || strcmp(metric, "error") == 0)
            continue;
        put_markdown(text, "- **%s**, table %s, %s", label, text_member(table, "table"),
                     strcmp(metric, "iterations") == 0 ? metric : "kernel operations");
        put_markdown(text, ": %s has the best mean rank", text_member(best, "solver"));
        fprintf(text, ", %.2f among %d solvers on %d data sets",
                cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(best, "mean_rank")), solvers, datasets);
        for (const cJSON *other = best->next; other != next; other = other->next)
            if (strpbrk(text_member(other, "groups"), text_member(best, "groups"))) {
                fputs(between, text);
                put_markdown(text, "%s", text_member(other, "solver"));
                between = ", ";
            }
        fputs(".\n", text);
        count++;
    }
    return count;
}

static size_t put_rank_tables(struct writer *writer, const struct report_folder *folder)
{
    const char *tables = pool_printf(writer->pool, "%s/tables", folder->run->path);
    const struct name_order names = report_list(writer->pool, tables, ".json");
    size_t count = 0;
    for (size_t i = 0; i < names.count; i++)
        if (strncmp(names.names[i], "friedman-", strlen("friedman-")) == 0)
            count += put_ranks(
                writer->text, folder->label,
                json_read(writer->pool, pool_printf(writer->pool, "%s/%s.json", tables, names.names[i])));
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
