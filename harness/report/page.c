/*
 * The report as one HTML page. Its content security policy forbids the browser to load anything, allows only images
 * inside the page, and allows only the script with the given SHA-256. Markup that got through by mistake could do
 * nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/report/html.h"
#include "harness/report/sections.h"
#include "harness/support/resource.h"
#include "harness/support/sha256.h"

/* A page should stay below three megabytes, two of them for figures. */
enum { FIGURE_BYTES = 2000000 };

static void put_title(FILE *stream, const struct report *report)
{
    fputs("hullbench: ", stream);
    if (report->count == 1)
        html_text(stream, report->folders[0].label);
    else
        fprintf(stream, "results of %zu run folders", report->count);
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
            "</title>\n<style>\n%s</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the results</a>\n"
            "<header>\n<h1>",
            style);
    put_title(stream, report);
    fputs("</h1>\n</header>\n", stream);
}

static const struct {
    const char *title; /* the same as the section's heading */
    void (*write)(struct writer *writer);
    unsigned fold; /* the level of headings to fold; 0: none */
} sections[] = {{"Agreement with the papers", section_agreement, 0},
                {"Main figures", section_main_figures, 0},
                {"Findings", section_findings, 0},
                {"Verdicts in detail", section_verdicts, 2},
                {"Papers", section_papers, 4},
                {"Comparisons and searches", section_comparisons, 4},
                {"Figures", section_figures, 2},
                {"Summaries", section_summaries, 2},
                {"Deviations", section_deviations, 2},
                {"What was run", section_runs, 2},
                {"Machine and build", section_machines, 2},
                {"How to run it again", section_commands, 2}};
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

static void write_page(const struct report *report, FILE *stream, const char *style, const char *script)
{
    struct page page = {.pool = report->pool, .stream = stream, .report = report};
    struct writer writer;
    put_head(stream, report, style, script);
    put_contents(stream, &report->conformance);
    fputs("<main id=\"main\">\n", stream);
    writer_open(&writer, report, &page, NULL, NULL);
    for (size_t i = 0; i < SECTIONS; i++) {
        html_id(stream, "<section class=\"", sections[i].title);
        fputs("\">\n", stream);
        page.fold = sections[i].fold;
        sections[i].write(&writer);
        writer_flush(&writer);
        page_end_fold(&page);
        fputs("</section>\n", stream);
    }
    writer_close(&writer);
    fprintf(stream, "</main>\n<script>%s</script>\n</body>\n</html>\n", script);
}

void report_print_page(struct report *report, FILE *stream)
{
    report_figures_choose(&report->figures, FIGURE_BYTES);
    write_page(report, stream, resource_read(report->pool, "plots/report.css", STATUS_BAD_INPUT),
               resource_read(report->pool, "plots/report.js", STATUS_BAD_INPUT));
}
