/* What the folders hold as Markdown: comparisons of solvers, searches, summaries; and docs/deviations.md. */
#include <string.h>

#include "harness/report/html.h"
#include "harness/report/page.h"

/* A summary of a sweep has hundreds of rows; larger ones are named and not shown. */
enum { DOCUMENT_MOST = 40000 };

static int is_summary(const struct report_document *document)
{
    return strcmp(document->name, "summary") == 0;
}

static void put_folder(struct page *page, const struct report_folder *folder)
{
    fputs("<h3>", page->stream);
    html_text(page->stream, folder->label);
    fputs("</h3>\n", page->stream);
}

static enum status put_document(struct page *page, const struct report_folder *folder,
                                const struct report_document *document, struct error *error)
{
    struct markdown markdown = {.top_level = 4, .tables = &page->tables, .table_class = "sort filter doc"};
    if (strlen(document->text) <= DOCUMENT_MOST)
        return markdown_write(&markdown, document->name, document->text, page->stream, error);
    fputs("<p>", page->stream);
    html_format(page->stream, "Too long for this page: %s/%s%s.md", folder->label, document->below, document->name);
    fputs("</p>\n", page->stream);
    return STATUS_OK;
}

enum status page_comparisons(struct page *page, struct error *error)
{
    enum status status = STATUS_OK;
    int any = 0;
    fputs("<section aria-labelledby=\"comparisons\">\n<h2 id=\"comparisons\">Comparisons and searches</h2>\n",
          page->stream);
    for (size_t i = 0; i < page->report->count; i++) {
        const struct report_folder *folder = &page->report->folders[i];
        int here = 0;
        for (size_t d = 0; d < folder->n_documents && status == STATUS_OK; d++) {
            if (is_summary(&folder->documents[d]))
                continue;
            if (!here++)
                put_folder(page, folder);
            status = put_document(page, folder, &folder->documents[d], error);
        }
        any |= here;
    }
    fputs(any ? "</section>\n"
              : "<p>No configuration asks for a comparison of solvers (<code>profile</code> under "
                "<code>plots</code>), and no folder holds one.</p>\n</section>\n",
          page->stream);
    return status;
}

enum status page_summaries(struct page *page, struct error *error)
{
    enum status status = STATUS_OK;
    fputs("<section aria-labelledby=\"summaries\">\n<h2 id=\"summaries\">Summaries</h2>\n<p>Every solver and setting "
          "of a run on "
          "every data set, over its splits.</p>\n",
          page->stream);
    for (size_t i = 0; i < page->report->count; i++) {
        const struct report_folder *folder = &page->report->folders[i];
        for (size_t d = 0; d < folder->n_documents && status == STATUS_OK; d++) {
            if (!is_summary(&folder->documents[d]))
                continue;
            put_folder(page, folder);
            fputs("<details><summary>", page->stream);
            html_format(page->stream, "Summary of %s", folder->label);
            fputs("</summary>\n", page->stream);
            status = put_document(page, folder, &folder->documents[d], error);
            fputs("</details>\n", page->stream);
        }
    }
    fputs("</section>\n", page->stream);
    return status;
}

void page_deviations(struct page *page)
{
    fputs("<section aria-labelledby=\"deviations\" class=\"prose\">\n<h2 id=\"deviations\">Deviations</h2>\n",
          page->stream);
    fputs(page->deviations_text ? page->deviations_text : "<p>docs/deviations.md is not there.</p>\n", page->stream);
    fputs("</section>\n", page->stream);
}
