/* The outcome: what of each paper came out again, in figures and as a map with a sign for every cell. */
#include <math.h>

#include "harness/report/html.h"
#include "harness/report/page.h"
#include "harness/report/score.h"

static void put_bar(FILE *stream, const size_t cells[VERDICT_COUNT])
{
    size_t all = 0;
    for (int v = 0; v < VERDICT_COUNT; v++)
        all += cells[v];
    if (all == 0)
        return;
    fputs("<span class=\"bar\" aria-hidden=\"true\">", stream);
    for (int v = 0; v < VERDICT_COUNT; v++)
        if (cells[v])
            fprintf(stream, "<span class=\"%s\" style=\"flex:%zu\"></span>", page_verdict((enum verdict)v)->class_name,
                    cells[v]);
    fputs("</span>", stream);
}

static void put_score(FILE *stream, const struct score *score)
{
    const size_t *cells = score->cells, *claims = score->claims;
    const double percent = score_percent(score);
    if (!isnan(percent))
        fprintf(stream, "<td>%.1f&nbsp;%%", percent);
    else
        fputs("<td>–", stream);
    put_bar(stream, cells);
    fputs("</td>", stream);
    for (int v = 0; v < VERDICT_COUNT; v++)
        fprintf(stream, "<td>%zu</td>", cells[v]);
    if (score->marks.compared)
        fprintf(stream, "<td>%zu of %zu</td>", score->marks.agree, score->marks.compared);
    else
        fputs("<td>–</td>", stream);
    fprintf(stream, "<td>%zu</td><td>%zu</td><td>%zu</td><td>%zu</td>", claims[CLAIM_HOLDS], claims[CLAIM_IN_PART],
            claims[CLAIM_FAILS], claims[CLAIM_MISSING]);
}

static void score_table(struct page *page)
{
    FILE *stream = page->stream;
    const struct conformance *conformance = &page->report->conformance;
    struct score total = {0};
    static const char *const heads[] = {"<paper",           "cells that match, of those compared",
                                        "match =",          "near ≈",
                                        "differ ≠",         "missing –",
                                        "marks that agree", "claims that hold ✓",
                                        "in part ◐",        "fail ✗",
                                        "without figures –"};
    html_table_open(stream, "sort scores", page->tables++);
    fputs("Agreement with the papers: cells of their tables, marks of significance, claims of their "
          "texts</span></caption>\n",
          stream);
    html_heads(stream, heads, sizeof heads / sizeof *heads);
    fputs("<tbody>\n", stream);
    for (size_t p = 0; p < conformance->n_papers; p++) {
        struct score score = {0};
        score_add(conformance, &conformance->papers[p], &score);
        score_add(conformance, &conformance->papers[p], &total);
        fputs("<tr><th scope=\"row\"><a href=\"#", stream);
        html_id(stream, "paper-", conformance->papers[p].paper->name);
        fputs("\">", stream);
        html_text(stream, conformance->papers[p].paper->name);
        fputs("</a></th>", stream);
        put_score(stream, &score);
        fputs("</tr>\n", stream);
    }
    fputs("</tbody>\n<tfoot><tr><th scope=\"row\">all</th>", stream);
    put_score(stream, &total);
    fputs("</tr></tfoot>\n", stream);
    html_table_close(stream);
}

/* Every cell of a table as a sign, row by row; equal neighbours share an element. */
static void put_map(FILE *stream, const struct conform_table *table)
{
    const struct paper_comparison *comparison = table->comparison;
    fputs("<li><a href=\"#", stream);
    html_id(stream, "table-", comparison->table->name);
    fputs("\">", stream);
    html_text(stream, comparison->table->name);
    fprintf(stream,
            "</a> <span class=\"map\" role=\"img\" aria-label=\"%zu match, %zu near, %zu differ, %zu missing\">",
            table->counts[VERDICT_MATCH], table->counts[VERDICT_NEAR], table->counts[VERDICT_DIFFERS],
            table->counts[VERDICT_MISSING]);
    for (size_t i = 0; i < comparison->table->n_rows; i++) {
        const struct page_verdict *last = NULL;
        fputs(i ? "<wbr>" : "", stream);
        for (size_t j = 0; j < comparison->table->n_columns; j++) {
            const struct comparison_cell *cell = &comparison->rows[i].cells[j];
            if (!cell->compared)
                continue;
            const struct page_verdict *verdict = page_verdict(cell->comparison.verdict);
            if (verdict != last)
                fprintf(stream, "%s<span class=\"%s\">", last ? "</span>" : "", verdict->class_name);
            fputs(verdict->sign, stream);
            last = verdict;
        }
        fputs(last ? "</span>" : "", stream);
    }
    fputs("</span></li>\n", stream);
}

static void put_maps(FILE *stream, const struct conformance *conformance, const struct paper *paper)
{
    for (size_t k = 0; k < paper->n_tables; k++) {
        const struct conform_table *table = conform_table_of(conformance, &paper->tables[k]);
        if (table && comparison_is_measured(table->comparison))
            put_map(stream, table);
    }
}

static void put_findings(struct page *page)
{
    const struct conformance *conformance = &page->report->conformance;
    fprintf(page->stream,
            "<p>%zu cells were compared. Not explained among the <a href=\"#deviations\">deviations</a>: %zu cells "
            "that differ, "
            "%zu claims that fail, %zu marks on the other side than printed.</p>\n",
            conformance->compared, conformance->unexplained_cells, conformance->unexplained_claims,
            conformance->unexplained_reversed);
}

void page_scores(struct page *page)
{
    FILE *stream = page->stream;
    const struct conformance *conformance = &page->report->conformance;
    fputs("<section aria-labelledby=\"outcome\">\n<h2 id=\"outcome\">Outcome</h2>\n", stream);
    if (conformance->n_papers == 0) {
        fputs("<p>No configuration names a published table under <code>tables</code>: there is nothing to compare "
              "with.</p>\n"
              "</section>\n",
              stream);
        return;
    }
    put_findings(page);
    score_table(page);
    fputs("<h3>Every cell</h3>\n<p><span class=\"m v\">=</span> match, <span class=\"n v\">≈</span> near, <span "
          "class=\"d "
          "v\">≠</span> differs, <span class=\"x v\">–</span> missing, a group for each data set. The rule "
          "stands in docs/verdicts.md.</p>\n<ul class=\"maps\">\n",
          stream);
    for (size_t p = 0; p < conformance->n_papers; p++)
        put_maps(stream, conformance, conformance->papers[p].paper);
    fputs("</ul>\n</section>\n", stream);
}
