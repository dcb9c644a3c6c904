/*
 * The report as one HTML page, or as a folder of Markdown (docs/results): README.md with the short sections, and a file
 * for each table and each long section.
 */
#include <string.h>

#include "harness/format/page.h"
#include "harness/report/report.h"
#include "harness/support/folder_lock.h"

/* Maximum sizes of all figures: a page should stay below two megabytes and 15 000 words. */
enum { PAGE_FIGURES = 1500000, FOLDER_FIGURES = 2000000 };
/* The most runs without a paper whose summaries stand before the papers. */
enum { MAX_OWN_RUNS = 3 };

/* What a section needs, so that none is empty. Tables of the runs come before the findings without papers, and folded
 * with them. */
enum {
    RUNS = 1, PAPERS = 2, COMPARISONS = 4, MAIN_FIGURES = 8, OTHER_FIGURES = 16, TABLES = 32, FURTHER_TABLES = 64,
    FINDINGS = 128, OWN_RUNS = 256
};

static unsigned parts_of(const struct report *report)
{
    const unsigned papers = report->conformance.n_papers ? PAPERS : 0;
    unsigned parts = papers | (report->runs.count ? RUNS : 0) | (report->n_main ? MAIN_FIGURES : 0) |
                     (*report->findings ? FINDINGS : 0);
    size_t n_own = 0;
    for (size_t i = 0; i < report->count; i++) {
        parts |= report->folders[i].comparison ? COMPARISONS : 0;
        n_own += (size_t)is_own_run(report, &report->folders[i]);
        if (tables_of(report, &report->folders[i]).count)
            parts |= papers ? FURTHER_TABLES : TABLES;
    }
    for (size_t i = 0; i < report->figures.count; i++)
        parts |= report->figures.item[i].is_main || report->figures.item[i].table ? 0 : OTHER_FIGURES;
    return parts | (n_own > 0 && n_own <= MAX_OWN_RUNS ? OWN_RUNS : 0);
}

/* The sections in the order of a page. In a folder those without a file are in README.md, which then leads to the
 * others; those with an empty name are on a page only. */
static const struct section {
    const char *title;
    void (*write)(struct writer *writer);
    unsigned needs; /* 0: nothing */
    unsigned fold; /* on a page: the level of headings to fold; 0: none */
    const char *file;
} sections[] = {{"In short", section_short, 0, 0, NULL},
                {"Runs without a paper", section_own_runs, OWN_RUNS, 0, NULL},
                {"Agreement with the papers", section_agreement, PAPERS, 0, NULL},
                {"Comparisons", section_comparisons, COMPARISONS, 0, NULL},
                {"Main figures", section_main_figures, MAIN_FIGURES, 0, NULL},
                {"Tables of the runs", section_tables, TABLES, 0, NULL},
                {"Findings", section_findings, FINDINGS, 0, NULL},
                {"Papers", section_papers, PAPERS, 4, NULL},
                {"Further tables", section_tables, FURTHER_TABLES, 3, NULL},
                {"Verdicts in detail", section_verdicts, PAPERS, 2, "verdicts"},
                {"Deviations", section_deviations, PAPERS, 2, ""},
                {"Further figures", section_figures, OTHER_FIGURES, 2, "figures"},
                {"What was run", section_runs, RUNS, 2, "runs"},
                {"Machine and build", section_machines, RUNS, 2, "machine"},
                {"How to run it again", section_commands, RUNS, 2, "commands"}};
enum { SECTIONS = sizeof sections / sizeof *sections };

/* ---- page ---- */

static const char *title_of(const struct report *report)
{
    for (size_t i = 0; report->runs.count <= 1 && i < report->count; i++)
        if (report->count == 1 || report->folders[i].run->config)
            return pool_printf(report->pool, "hullbench: %s", report->folders[i].label);
    return pool_printf(report->pool, "hullbench: results of %zu folders", report->count);
}

static void put_entry(FILE *stream, struct pool *pool, const char *before, const char *title)
{
    fprintf(stream, "%s<a href=\"%s\">", before, html_id(pool, "#", title));
    html_text(stream, title);
    fputs("</a>", stream);
}

static void put_contents(FILE *stream, const struct report *report, unsigned parts)
{
    const struct conformance *conformance = &report->conformance;
    fputs("<nav aria-label=\"Contents\">\n<ul>\n", stream);
    for (size_t i = 1; i < SECTIONS; i++) {
        if (sections[i].needs & ~parts)
            continue;
        put_entry(stream, report->pool, "<li>", sections[i].title);
        for (size_t p = 0; sections[i].write == section_papers && p < conformance->n_papers; p++)
            put_entry(stream, report->pool, p ? ", " : ": ", conformance->papers[p].paper->name);
        fputs("</li>\n", stream);
    }
    fputs("</ul>\n</nav>\n", stream);
}

void report_print_page(struct report *report, FILE *stream)
{
    struct page page = {stream, report->pool, "report", NULL};
    struct writer writer;
    report_figures_choose(report, PAGE_FIGURES);
    const unsigned parts = parts_of(report);
    page_begin(&page, title_of(report));
    fputs("<header>\n<h1>", stream);
    html_text(stream, title_of(report));
    fputs("</h1>\n</header>\n<main id=\"main\">\n", stream);
    writer_open(&writer, report, stream, NULL, NULL);
    for (const struct section *section = sections; section < sections + SECTIONS; section++) {
        if (section->needs & ~parts)
            continue;
        fprintf(stream, "<section class=\"%s\">\n", html_id(report->pool, "", section->title));
        writer.fold = section->fold;
        put_heading(&writer, 2, section->title);
        section->write(&writer);
        writer_flush(&writer);
        writer_end_fold(&writer);
        fputs("</section>\n", stream);
        if (section == sections) /* the contents follow the first section */
            put_contents(stream, report, parts);
    }
    fputs("</main>\n", stream);
    page_end(&page);
}

/* ---- folder ---- */

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
    const unsigned parts = parts_of(report);
    struct writer writer;
    fputs("# Results\n\n", index);
    writer_open(&writer, report, NULL, folder, index);
    for (size_t i = 0; i < SECTIONS; i++)
        if (!sections[i].file && !(sections[i].needs & ~parts)) {
            put_heading(&writer, 2, sections[i].title);
            sections[i].write(&writer);
        }
    put_heading(&writer, 2, "Details");
    for (size_t i = 0; i < SECTIONS; i++)
        if (sections[i].file && *sections[i].file && !(sections[i].needs & ~parts)) {
            begin_part(&writer, &(struct part){NULL, sections[i].file, "", sections[i].title, "", sections[i].title});
            sections[i].write(&writer);
            end_part(&writer);
        }
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
