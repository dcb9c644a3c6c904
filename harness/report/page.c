/*
 * The report as one HTML page. Its policy lets a browser load nothing from anywhere, draw only images that stand in the
 * page, and run only the one script whose SHA-256 is named: even markup that came through would be dead.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/report/html.h"
#include "harness/report/sections.h"
#include "harness/support/resource.h"
#include "harness/support/sha256.h"

/* Figures may take two of the three megabytes that a page should stay below. */
enum { FIGURE_BYTES = 2000000 };

static void put_title(FILE *stream, const struct report *report)
{
    fputs("hullbench: ", stream);
    if (report->count == 1)
        html_text(stream, report->folders[0].label);
    else
        fprintf(stream, "%zu folders of results", report->count);
}

static void put_head(FILE *stream, const struct report *report, const char *style, const char *script)
{
    char hash[45];
    sha256_base64(script, strlen(script), hash);
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
          "style-src 'unsafe-inline'; script-src 'sha256-",
          stream);
    fputs(hash, stream);
    fputs("'\">\n<title>", stream);
    put_title(stream, report);
    fprintf(stream,
            "</title>\n<style>\n%s</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the outcome</a>\n"
            "<header>\n<h1>",
            style);
    put_title(stream, report);
    fputs("</h1>\n</header>\n", stream);
}

static const struct {
    const char *title; /* as the section's heading has it */
    void (*write)(struct writer *writer);
} sections[] = {{"Outcome", section_outcome},
                {"What was run", section_runs},
                {"Machine and build", section_machines},
                {"Papers", section_papers},
                {"Comparisons and searches", section_comparisons},
                {"Figures", section_figures},
                {"Summaries", section_summaries},
                {"Deviations", section_deviations},
                {"How to run it again", section_commands}};
enum { SECTIONS = sizeof sections / sizeof *sections };

static void put_entry(FILE *stream, const char *before, const char *title)
{
    fprintf(stream, "%s<a href=\"#", before);
    html_id(stream, "", title);
    fputs("\">", stream);
    html_text(stream, title);
    fputs("</a>", stream);
}

static void put_contents(FILE *stream, const struct conformance *conformance)
{
    fputs("<nav aria-label=\"Contents\">\n<ul>\n", stream);
    for (size_t i = 0; i < SECTIONS; i++) {
        put_entry(stream, "<li>", sections[i].title);
        for (size_t p = 0; sections[i].write == section_papers && p < conformance->n_papers; p++)
            put_entry(stream, p ? ", " : ": ", conformance->papers[p].paper->name);
        fputs("</li>\n", stream);
    }
    fputs("</ul>\n</nav>\n", stream);
}

static enum status write_page(const struct report *report, FILE *stream, const char *style, const char *script,
                              struct error *error)
{
    struct page page = {.stream = stream, .report = report};
    struct writer writer;
    put_head(stream, report, style, script);
    put_contents(stream, &report->conformance);
    fputs("<main id=\"main\">\n", stream);
    writer_open(&writer, report, &page, NULL, NULL, error);
    for (size_t i = 0; i < SECTIONS; i++)
        sections[i].write(&writer);
    const enum status status = writer_close(&writer);
    fprintf(stream, "</main>\n<script>%s</script>\n</body>\n</html>\n", script);
    page_free(&page);
    return status;
}

enum status report_print_page(struct report *report, FILE *stream, struct error *error)
{
    char *style = NULL, *script = NULL;
    report_figures_choose(&report->figures, FIGURE_BYTES);
    enum status status = resource_read("plots/report.css", &style, error);
    if (status == STATUS_OK)
        status = resource_read("plots/report.js", &script, error);
    if (status == STATUS_OK)
        status = write_page(report, stream, style, script, error);
    free(style);
    free(script);
    return status;
}
