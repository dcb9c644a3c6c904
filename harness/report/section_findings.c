/*
 * The first screen: what was run and what came out, in a few sentences; the main figures; and the findings, each a
 * sentence about tests, ranks or comparisons in the folders.
 */
#include <string.h>

#include "harness/report/report.h"
#include "harness/support/json_reader.h"

void section_main_figures(struct writer *writer)
{
    const struct report *report = writer->report;
    for (size_t i = 0; i < report->n_main; i++)
        put_figure(writer, report->main[i]);
}

/* ---- in short ---- */

const char *names_or_count(struct pool *pool, const struct name_order *names, const char *what)
{
    enum { MAX_NAMES = 4 };
    const char *text = "";
    for (size_t i = 0; names->count <= MAX_NAMES && i < names->count; i++)
        text = pool_printf(pool, "%s%s%s", text, i == 0 ? "" : i + 1 < names->count ? ", " : " and ", names->names[i]);
    return *text ? text : pool_printf(pool, "%zu %s", names->count, what);
}

/* "160 records of A and B on 8 data sets, made by hullbench 1.0.0: all converged." */
static void put_runs(FILE *text, const struct report *report)
{
    struct name_order solvers = {.pool = report->pool}, datasets = solvers, versions = solvers;
    size_t records = 0, converged = 0, runs = 0;
    for (size_t i = 0; i < report->count; i++) {
        const struct run_info *info = &report->folders[i].run->run;
        const cJSON *solver = NULL;
        if (!report->folders[i].has_records)
            continue;
        cJSON_ArrayForEach (solver, info->parameters)
            name_order_add(&solvers, solver->string);
        for (size_t d = 0; d < info->data.count; d++)
            name_order_add(&datasets, info->data.item[d].dataset);
        if (info->version)
            name_order_add(&versions, info->version);
        records += info->records;
        converged += info->outcomes[OUTCOME_CONVERGED];
        runs++;
    }
    if (records == 0)
        return;
    put_markdown(text, "%s", pool_printf(report->pool, "%zu records of %s on %s", records,
                                         names_or_count(report->pool, &solvers, "solvers"),
                                         names_or_count(report->pool, &datasets, "data sets")));
    put_markdown(text, "%s, made by hullbench %s: ", runs > 1 ? pool_printf(report->pool, " in %zu runs", runs) : "",
                 names_or_count(report->pool, &versions, "versions"));
    fprintf(text, converged == records ? "all converged.\n" : converged ? "%.1f %% converged.\n" : "none converged.\n",
            100 * (double)converged / (double)records);
}

static void put_papers(FILE *text, const struct report *report, const char *deviations)
{
    const struct conformance *conformance = &report->conformance;
    const size_t unlisted = conformance->unexplained_cells + conformance->unexplained_sds +
                            conformance->unexplained_claims + conformance->unexplained_reversed;
    struct score total = {0};
    size_t claims = 0, cells = 0;
    for (size_t p = 0; p < conformance->n_papers; p++)
        score_add(conformance, &conformance->papers[p], &total);
    for (int v = 0; v < VERDICT_COUNT; v++)
        cells += total.counts.cells[v];
    for (int v = 0; v < CLAIM_VERDICT_COUNT; v++)
        claims += total.claims[v];
    fprintf(text, "Of %zu printed numbers (some %.0f independent facts), ", cells, conformance->facts.facts);
    verdict_counts_print(text, &total.counts);
    if (total.counts.can_agree)
        fprintf(text, "; a perfect reproduction with these splits would show %.0f agreements", total.counts.expected);
    fprintf(text, ". Of %zu claims of the texts, %zu hold, %zu fail, %zu undecided, %zu without data; ", claims,
            total.claims[CLAIM_HOLDS], total.claims[CLAIM_FAILS], total.claims[CLAIM_NOT_DECIDED],
            total.claims[CLAIM_MISSING]);
    if (unlisted)
        fprintf(text, "**%zu differences are not among the listed [deviations](%s)**", unlisted, deviations);
    else
        fprintf(text, "every difference is among the listed [deviations](%s)", deviations);
    fputs(".\n", text);
}

/* What a conclusion says of cost, or else its first sentence. */
static const char *main_sentence(struct pool *pool, const char *conclusion)
{
    const char *cost = strstr(conclusion, "Cost: "), *from = cost ? cost : conclusion, *end = strstr(from, ". ");
    return end ? pool_printf(pool, "%.*s.", (int)(end - from), from) : from;
}

struct string_list conclusions_of(struct pool *pool, const cJSON *comparison)
{
    struct string_list list = {0};
    const cJSON *part = NULL, *item = NULL;
    cJSON_ArrayForEach (part, comparison) {
        if (strcmp(part->string, "sentence") == 0 && cJSON_IsString(part))
            string_list_push(pool, &list, "%s", part->valuestring);
        if (strcmp(part->string, "comparisons") == 0 || strcmp(part->string, "sweeps") == 0)
            cJSON_ArrayForEach (item, part)
                string_list_push(pool, &list, "%s", text_member(item, "sentence"));
    }
    return list;
}

void section_short(struct writer *writer)
{
    enum { MAX_CONCLUSIONS = 3 };
    const struct report *report = writer->report;
    FILE *text = writer->text;
    size_t told = 0;
    put_runs(text, report);
    if (report->conformance.n_papers)
        put_papers(text, report, writer->page ? "#Deviations" : "../deviations.md");
    for (size_t i = 0; i < report->count; i++) {
        const struct string_list list = conclusions_of(report->pool, report->folders[i].comparison);
        for (size_t k = 0; k < list.count; k++, told++)
            if (told < MAX_CONCLUSIONS)
                put_markdown(text, "%s\n", main_sentence(report->pool, list.line[k]));
    }
    if (told > MAX_CONCLUSIONS)
        fprintf(text, "The findings have the conclusions of all %zu comparisons.\n", told);
    if (told == 0 && report->conformance.n_papers == 0)
        fputs("Nothing says yet whether a solver is better: `hullbench compare DIR --against A --solver B --out CMP` "
              "tests it, and `hullbench report DIR CMP` shows the comparison.\n",
              text);
    if (report->interactive)
        fprintf(text, "On the [interactive page](%s) you choose solvers, cost and target of %s.\n",
                report->interactive, report->conformance.n_papers ? "the runs without a paper" : "the runs");
    fputs("\n", text);
}

/* ---- findings ---- */

/* The best mean rank for each cost in a table of ranks, whose rows are grouped by metric, the best first. A solver that
 * shares a letter with it is in one of its groups. */
static void put_ranks(FILE *text, const char *label, const cJSON *table)
{
    const cJSON *rows = json_member(table, "rows"), *next = NULL;
    const int datasets = cJSON_GetArraySize(json_member(table, "datasets"));
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
                cJSON_GetNumberValue(json_member(best, "mean_rank")), solvers, datasets);
        for (const cJSON *other = best->next; other != next; other = other->next)
            if (strpbrk(text_member(other, "groups"), text_member(best, "groups"))) {
                fputs(between, text);
                put_markdown(text, "%s", text_member(other, "solver"));
                between = ", ";
            }
        fputs(".\n", text);
    }
}

static void put_rank_tables(FILE *text, const struct report *report, const struct report_folder *folder)
{
    const char *tables = pool_printf(report->pool, "%s/tables", folder->run->path);
    const struct name_order names = report_list(report->pool, tables, ".json");
    for (size_t i = 0; folder->has_records && i < names.count; i++)
        if (strncmp(names.names[i], "friedman-", strlen("friedman-")) == 0)
            put_ranks(text, folder->label,
                      json_read(report->pool, pool_printf(report->pool, "%s/%s.json", tables, names.names[i])));
}

const char *report_findings(const struct report *report)
{
    struct pool_text *findings = pool_text_open(report->pool);
    FILE *text = findings->stream;
    for (size_t i = 0; i < report->count; i++) {
        const struct string_list list = conclusions_of(report->pool, report->folders[i].comparison);
        for (size_t k = 0; k < list.count; k++)
            put_markdown(text, "- **%s**: %s\n", report->folders[i].label, list.line[k]);
    }
    for (size_t p = 0; p < report->conformance.n_papers; p++) {
        const struct joint_count *means = &report->conformance.papers[p].joint.means;
        if (means->cells)
            fprintf(text,
                    "- **%s**: %zu of %zu means are rejected at 99 %%; identical experiments would give %.1f (p = "
                    "%.2g).\n", report->conformance.papers[p].paper->name,
                    means->outside, means->cells, means->expected, means->p_value);
    }
    for (size_t i = 0; i < report->count; i++)
        put_rank_tables(text, report, &report->folders[i]);
    return pool_text_end(findings);
}

void section_findings(struct writer *writer)
{
    fprintf(writer->text, "%s\n", writer->report->findings);
}
