/* Published tables: the paper's figures and ours side by side, every cell with its verdict. */
#include <cjson/cJSON.h>

#include "harness/report/html.h"
#include "harness/report/page.h"
#include "harness/format/text_table.h"

static void put_head(struct page *page, const struct paper_comparison *comparison)
{
    FILE *stream = page->stream;
    const struct paper_table *table = comparison->table;
    const int two = comparison_is_measured(comparison);
    const char *high = two ? " rowspan=\"2\"" : "";
    size_t column = 0;
    fprintf(stream, "<thead><tr><th scope=\"col\"%s data-c=\"0\">data set</th>", high);
    for (size_t j = 0; j < table->n_columns; j++) {
        if (table->columns[j].statistic == STATISTIC_VALUE)
            fprintf(stream, "<th scope=\"col\"%s data-c=\"%zu\">", high, ++column);
        else {
            fputs("<th scope=\"colgroup\" colspan=\"2\">", stream);
            column += 2;
        }
        html_text(stream, table->columns[j].title);
        fputs("</th>", stream);
    }
    for (size_t k = 0; k < table->n_tests; k++)
        if (!table->tests[k].mark)
            fprintf(stream, "<th scope=\"col\"%s data-c=\"%zu\">p</th>", high, ++column);
    fputs("</tr>\n", stream);
    column = 0;
    for (size_t j = 0; two && j < table->n_columns; j++) {
        if (j == 0)
            fputs("<tr>", stream);
        if (table->columns[j].statistic == STATISTIC_VALUE)
            column++;
        else {
            fprintf(stream, "<th scope=\"col\" data-c=\"%zu\">paper</th><th scope=\"col\" data-c=\"%zu\">ours</th>",
                    column + 1, column + 2);
            column += 2;
        }
    }
    fputs(two ? "</tr></thead>\n" : "</thead>\n", stream);
}

static void put_cell(struct page *page, const struct paper_comparison *comparison, size_t i, size_t j)
{
    FILE *stream = page->stream;
    char text[COMPARISON_TEXT], behind[COMPARISON_TEXT], id[512];
    const struct comparison_cell *cell = &comparison->rows[i].cells[j];
    comparison_printed_text(comparison->table, i, j, text);
    fputs("<td>", stream);
    html_text(stream, text);
    fputs("</td>", stream);
    if (comparison->table->columns[j].statistic == STATISTIC_VALUE)
        return;
    comparison_measured_text(comparison, i, j, text, behind);
    if (cell->compared) {
        const struct page_verdict *verdict = page_verdict(cell->comparison.verdict);
        conform_cell_id(comparison->table, i, j, id, sizeof id);
        fprintf(stream, "<td class=\"%s\">", verdict->class_name);
        page_sign(page, verdict, id);
        fputs(" ", stream);
    } else
        fputs("<td>", stream);
    html_format(stream, "%s%s", text, behind);
    fputs("</td>", stream);
}

static void put_row(struct page *page, const struct paper_comparison *comparison, size_t i)
{
    FILE *stream = page->stream;
    const struct paper_table *table = comparison->table;
    fputs("<tr><th scope=\"row\">", stream);
    html_text(stream, table->rows[i].dataset);
    fputs("</th>", stream);
    for (size_t j = 0; j < table->n_columns; j++)
        put_cell(page, comparison, i, j);
    for (size_t k = 0; k < table->n_tests; k++) {
        char text[COMPARISON_TEXT];
        if (table->tests[k].mark)
            continue;
        comparison_test_text(&comparison->rows[i].tests[k], text);
        fputs("<td>", stream);
        html_text(stream, text);
        fputs("</td>", stream);
    }
    fputs("</tr>\n", stream);
}

/* The columns that carry a mark, "none" without. */
static void put_marked(FILE *stream, const struct paper_table *table, uint64_t marked)
{
    int count = 0;
    for (size_t j = 0; j < table->n_columns; j++)
        if (marked >> j & 1)
            html_format(stream, "%s%s", count++ ? " and " : "", table->columns[j].key);
    fputs(count ? "" : "none", stream);
}

static void put_mark(struct page *page, const struct paper_comparison *comparison, size_t i, size_t k)
{
    FILE *stream = page->stream;
    const struct paper_table *table = comparison->table;
    const struct test_finding *test = &comparison->rows[i].tests[k];
    char id[512];
    conform_mark_id(table, i, k, id, sizeof id);
    int explained = markdown_has_anchor(&page->deviations, id);
    fputs("<li>", stream);
    if (explained) {
        fputs("<a href=\"#", stream);
        html_id(stream, "why-", id);
        fputs("\">", stream);
    }
    html_text(stream, id);
    fputs(explained ? "</a>: ours on " : ": ours on ", stream);
    put_marked(stream, table, comparison->rows[i].marked[k]);
    html_format(stream, " (p %.3g, n %zu), the paper's on ", test->result.p_value, test->n);
    put_marked(stream, table, table->rows[i].marked[k]);
    fputs("</li>\n", stream);
}

static void put_marks(struct page *page, const struct paper_comparison *comparison)
{
    FILE *stream = page->stream;
    const struct marks_count *marks = &comparison->marks;
    if (marks->agree == marks->compared)
        return;
    fprintf(stream, "<details><summary>%zu of %zu marks do not agree</summary>\n<ul>\n", marks->compared - marks->agree,
            marks->compared);
    for (size_t i = 0; i < comparison->table->n_rows; i++)
        for (size_t k = 0; k < comparison->table->n_tests; k++)
            if (comparison_mark_compared(comparison, i, k) && !comparison_mark_agrees(comparison, i, k))
                put_mark(page, comparison, i, k);
    fputs("</ul>\n</details>\n", stream);
}

static void put_notes(struct page *page, const struct paper_comparison *comparison)
{
    struct text_table notes = {0};
    comparison_notes(&notes, comparison);
    fputs("<ul class=\"notes\">\n", page->stream);
    for (size_t i = 0; i < notes.n_notes; i++) {
        fputs("<li>", page->stream);
        html_text(page->stream, notes.notes[i]);
        fputs("</li>\n", page->stream);
    }
    fputs("</ul>\n", page->stream);
    text_table_free(&notes);
}

static void put_table(struct page *page, const struct conform_table *table)
{
    FILE *stream = page->stream;
    const struct paper_comparison *comparison = table->comparison;
    fputs("<h4 id=\"", stream);
    html_id(stream, "table-", comparison->table->name);
    fputs("\">", stream);
    html_text(stream, comparison->table->name);
    fputs("</h4>\n", stream);
    if (comparison_is_measured(comparison))
        fprintf(stream, "<p>%zu match, %zu near, %zu differ, %zu missing.</p>\n", table->counts[VERDICT_MATCH],
                table->counts[VERDICT_NEAR], table->counts[VERDICT_DIFFERS], table->counts[VERDICT_MISSING]);
    html_table_open(stream, "sort filter published", page->tables++);
    html_text(stream, comparison->table->caption);
    fputs("</span></caption>\n", stream);
    put_head(page, comparison);
    fputs("<tbody>\n", stream);
    for (size_t i = 0; i < comparison->table->n_rows; i++)
        put_row(page, comparison, i);
    fputs("</tbody>\n", stream);
    html_table_close(stream);
    put_marks(page, comparison);
    put_notes(page, comparison);
}

static void put_paper(struct page *page, const struct conform_paper *paper)
{
    FILE *stream = page->stream;
    const cJSON *reference = cJSON_GetObjectItemCaseSensitive(paper->paper->json, "reference");
    fputs("<h3 id=\"", stream);
    html_id(stream, "paper-", paper->paper->name);
    fputs("\">", stream);
    html_text(stream, paper->paper->name);
    fputs("</h3>\n<p>", stream);
    html_text(stream, cJSON_IsString(reference) ? reference->valuestring : "");
    fputs("</p>\n", stream);
    for (size_t k = 0; k < paper->paper->n_tables; k++) {
        const struct conform_table *table = conform_table_of(&page->report->conformance, &paper->paper->tables[k]);
        if (table)
            put_table(page, table);
    }
    if (paper->claims.count)
        page_claims(page, paper);
}

void page_papers(struct page *page)
{
    const struct conformance *conformance = &page->report->conformance;
    fputs(
        "<section aria-labelledby=\"papers\">\n<h2 id=\"papers\">Papers</h2>\n<p>Beside the printed figure stands ours "
        "with its "
        "verdict: = match, ≈ near, ≠ differs, – missing. A sign that is a link leads to what is known about it.</p>\n",
        page->stream);
    for (size_t p = 0; p < conformance->n_papers; p++)
        put_paper(page, &conformance->papers[p]);
    fputs(conformance->n_papers ? "</section>\n" : "<p>None.</p>\n</section>\n", page->stream);
}
