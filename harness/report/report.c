/*
 * The report as one HTML page, or as a folder of Markdown (docs/results): README.md with the short sections, and a file
 * for each table and each long section. The page's content security policy forbids the browser to load anything, allows
 * only images inside the page, and allows only the script with the given SHA-256. Markup that got through by mistake
 * could do nothing.
 */
#include <string.h>

#include "harness/report/report.h"
#include "harness/support/folder_lock.h"
#include "harness/support/resource.h"
#include "harness/support/sha256.h"

/* Maximum sizes of all figures: a page should stay below four megabytes. */
enum { PAGE_FIGURES = 2500000, FOLDER_FIGURES = 2000000 };

/* The sections in the order of a page. In a folder those without a file are in README.md, which then leads to the
 * others; those with an empty name are on a page only. */
static const struct section {
    const char *title;
    void (*write)(struct writer *writer);
    unsigned fold; /* on a page: the level of headings to fold; 0: none */
    const char *file;
} sections[] = {{"Agreement with the papers", section_agreement, 0, NULL},
                {"Main figures", section_main_figures, 0, NULL},
                {"Findings", section_findings, 0, NULL},
                {"Verdicts in detail", section_verdicts, 2, "verdicts"},
                {"Papers", section_papers, 4, NULL},
                {"Comparisons and searches", section_comparisons, 4, NULL},
                {"Figures", section_figures, 2, "figures"},
                {"Summaries", section_summaries, 2, ""},
                {"Deviations", section_deviations, 2, ""},
                {"What was run", section_runs, 2, "runs"},
                {"Machine and build", section_machines, 2, "machine"},
                {"How to run it again", section_commands, 2, "commands"}};
enum { SECTIONS = sizeof sections / sizeof *sections };

/* ---- page ---- */

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
    fputs("</h1>\n<p>Measurements of solvers of support vector machines and nearest points, and how well they agree "
          "with the papers that they reproduce.</p>\n</header>\n",
          stream);
}

static void put_entry(FILE *stream, struct pool *pool, const char *before, const char *title)
{
    fprintf(stream, "%s<a href=\"%s\">", before, html_id(pool, "#", title));
    html_text(stream, title);
    fputs("</a>", stream);
}

static void put_contents(FILE *stream, const struct report *report)
{
    const struct conformance *conformance = &report->conformance;
    fputs("<nav aria-label=\"Contents\">\n<ul>\n", stream);
    for (size_t i = 0; i < SECTIONS; i++) {
        put_entry(stream, report->pool, "<li>", sections[i].title);
        for (size_t p = 0; sections[i].write == section_papers && p < conformance->n_papers; p++)
            put_entry(stream, report->pool, p ? ", " : ": ", conformance->papers[p].paper->name);
        fputs("</li>\n", stream);
    }
    fputs("</ul>\n</nav>\n", stream);
}

static void write_page(const struct report *report, FILE *stream, const char *style, const char *script)
{
    struct writer writer;
    put_head(stream, report, style, script);
    put_contents(stream, report);
    fputs("<main id=\"main\">\n", stream);
    writer_open(&writer, report, stream, NULL, NULL);
    for (const struct section *section = sections; section < sections + SECTIONS; section++) {
        fprintf(stream, "<section class=\"%s\">\n", html_id(report->pool, "", section->title));
        writer.fold = section->fold;
        put_heading(&writer, 2, section->title);
        section->write(&writer);
        writer_flush(&writer);
        writer_end_fold(&writer);
        fputs("</section>\n", stream);
    }
    writer_close(&writer);
    fprintf(stream, "</main>\n<script>%s</script>\n</body>\n</html>\n", script);
}

void report_print_page(struct report *report, FILE *stream)
{
    report_figures_choose(report, PAGE_FIGURES);
    write_page(report, stream, resource_read(report->pool, "plots/report.css", STATUS_BAD_INPUT),
               resource_read(report->pool, "plots/report.js", STATUS_BAD_INPUT));
}

/* ---- folder ---- */

/* The versions of the program that made the runs, each once. */
static const char *versions_of(const struct report *report)
{
    struct name_order versions = {.pool = report->pool};
    const char *text = "";
    for (size_t i = 0; i < report->count; i++) {
        const char *version = text_member(report->folders[i].run->info, "version");
        const size_t known = versions.count;
        if (name_order_add(&versions, version) == known)
            text = pool_printf(report->pool, "%s%s%s", text, i ? " and " : "", version);
    }
    return text;
}

static void write_figures(const struct report *report, const char *folder)
{
    for (size_t i = 0; i < report->figures.count; i++) {
        const struct report_figure *figure = &report->figures.item[i];
        if (!figure->embedded)
            continue;
        folder_make(pool_printf(report->pool, "%s/figures", folder));
        file_write(pool_printf(report->pool, "%s/%s", folder, figure->file), figure->svg, strlen(figure->svg));
    }
}

static void write_index(const struct report *report, const char *folder, FILE *index)
{
    struct writer writer;
    fprintf(index, report->count == 1 ? "# Results\n\nThe results of one run" : "# Results\n\nThe results of %zu runs",
            report->count);
    put_markdown(index,
                 " of hullbench %s: how well they agree with the papers, the main figures and findings, then every "
                 "table.\n\n",
                 versions_of(report));
    writer_open(&writer, report, NULL, folder, index);
    for (size_t i = 0; i < SECTIONS; i++)
        if (!sections[i].file) {
            put_heading(&writer, 2, sections[i].title);
            sections[i].write(&writer);
        }
    put_heading(&writer, 2, "Details");
    for (size_t i = 0; i < SECTIONS; i++)
        if (sections[i].file && *sections[i].file) {
            begin_part(&writer, &(struct part){NULL, sections[i].file, "", sections[i].title, "", sections[i].title});
            sections[i].write(&writer);
            end_part(&writer);
        }
    writer_close(&writer);
}

void report_write_markdown(struct report *report, const char *folder)
{
    struct folder_lock lock = {0};
    struct outfile out = {0};
    report_figures_choose(report, FOLDER_FIGURES);
    folder_make(folder);
    folder_lock_take(&lock, folder);
    outfile_open(&out, pool_printf(report->pool, "%s/README.md", folder));
    write_index(report, folder, out.stream);
    write_figures(report, folder);
    outfile_commit(&out);
    folder_lock_release(&lock);
}
