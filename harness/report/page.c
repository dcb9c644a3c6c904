/* The page as a whole. What leads to the deviations must know which ids stand there, so these are read first. */
#include "harness/report/page.h"

#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/report/html.h"
#include "harness/support/resource.h"
#include "harness/support/text_stream.h"

/* Figures may take two of the three megabytes that a page should stay below. */
enum { FIGURE_BYTES = 2000000 };

const struct page_verdict *page_verdict(enum verdict verdict)
{
    static const struct page_verdict verdicts[] = {[VERDICT_MATCH] = {"m", "=", "match"},
                                                   [VERDICT_NEAR] = {"n", "≈", "near"},
                                                   [VERDICT_DIFFERS] = {"d", "≠", "differs"},
                                                   [VERDICT_MISSING] = {"x", "–", "missing"}};
    return &verdicts[verdict];
}

void page_sign(struct page *page, const struct page_verdict *verdict, const char *id)
{
    if (markdown_has_anchor(&page->deviations, id)) {
        fputs("<a class=\"v\" href=\"#", page->stream);
        html_id(page->stream, "why-", id);
        fprintf(page->stream, "\" aria-label=\"%s, explained\">%s</a>", verdict->word, verdict->sign);
    } else
        fprintf(page->stream, "<span class=\"v\" role=\"img\" aria-label=\"%s\">%s</span>", verdict->word,
                verdict->sign);
}

static enum status read_shared(const char *name, char **text, struct error *error)
{
    char *path = NULL;
    enum status status = resource_find(name, &path, error);
    if (status == STATUS_OK)
        status = file_read(path, text, NULL, error);
    free(path);
    return status;
}

static enum status render_deviations(struct page *page, struct error *error)
{
    size_t size = 0;
    char *text = NULL;
    enum status status = read_shared("docs/deviations.md", &text, NULL);
    if (status == STATUS_NOT_FOUND)
        return STATUS_OK;
    if (status != STATUS_OK)
        return error_set(error, status, "docs/deviations.md: cannot be read");
    FILE *stream = text_stream_open(&page->deviations_text, &size);
    if (!stream) {
        free(text);
        return error_set(error, STATUS_NO_MEMORY, "docs/deviations.md: out of memory");
    }
    status = markdown_write(&page->deviations, "docs/deviations.md", text, stream, error);
    free(text);
    if (!text_stream_close(stream, &page->deviations_text) && status == STATUS_OK)
        status = error_set(error, STATUS_NO_MEMORY, "docs/deviations.md: out of memory");
    return status;
}

static enum status write_sections(struct page *page, struct error *error)
{
    page_head(page);
    page_contents(page);
    page_scores(page);
    enum status status = page_runs(page, error);
    page_machines(page);
    page_papers(page);
    if (status == STATUS_OK)
        status = page_comparisons(page, error);
    page_figures(page);
    if (status == STATUS_OK)
        status = page_summaries(page, error);
    page_deviations(page);
    page_again(page);
    fprintf(page->stream, "</main>\n<script>%s</script>\n</body>\n</html>\n", page->script);
    if (status == STATUS_OK && page->failed)
        status = error_set(error, STATUS_NO_MEMORY, "report: out of memory");
    return status;
}

enum status report_write_page(struct report *report, const char *path, struct error *error)
{
    struct outfile out = {0};
    char *style = NULL, *script = NULL;
    struct page page = {.report = report, .tables = 1};
    page.deviations =
        (struct markdown){.top_level = 3, .id_prefix = "why-", .tables = &page.tables, .table_class = "sort doc"};
    enum status status = report_choose_figures(report, FIGURE_BYTES, error);
    if (status == STATUS_OK)
        status = read_shared("plots/report.css", &style, error);
    if (status == STATUS_OK)
        status = read_shared("plots/report.js", &script, error);
    if (status == STATUS_OK)
        status = render_deviations(&page, error);
    if (status == STATUS_OK)
        status = outfile_open(&out, path, error);
    if (status == STATUS_OK) {
        page.stream = out.stream;
        page.style = style;
        page.script = script;
        status = write_sections(&page, error);
        if (status == STATUS_OK)
            status = outfile_commit(&out, error);
        outfile_abandon(&out);
    }
    free(page.deviations_text);
    markdown_free(&page.deviations);
    free(style);
    free(script);
    return status;
}
