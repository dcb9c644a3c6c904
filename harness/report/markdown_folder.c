/*
 * The report as a folder of Markdown (docs/results): README.md with the short sections, and a file for each table and
 * each long section. html_id forms the file names, so no name needs escaping in a link.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/report/sections.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"

/* Maximum size of all figures, before they are encoded for a page. */
enum { FIGURE_BYTES = 1500000 };

/* Lists the versions of the program that made the runs, each once. */
static void put_versions(FILE *index, const struct report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        const char *version = text_member(report->folders[i].run->info, "version");
        size_t before = 0;
        while (strcmp(text_member(report->folders[before].run->info, "version"), version) != 0)
            before++;
        if (before == i)
            put_markdown(index, "%s%s", i ? " and " : "", version);
    }
}

static void write_figures(const struct report *report, const char *folder)
{
    const char *figures = pool_printf(report->pool, "%s/figures", folder);
    for (size_t i = 0; i < report->figures.count; i++) {
        const struct report_figure *figure = &report->figures.items[i];
        if (!figure->embedded)
            continue;
        folder_make(figures);
        file_write(pool_printf(report->pool, "%s/%s", folder, figure->file), figure->svg, strlen(figure->svg));
    }
}

/* Writes a section, which has no parts, to a separate file, with a link to it in the index. */
static void put_section_page(struct writer *writer, void (*section)(struct writer *), const char *name,
                             const char *title)
{
    FILE *index = writer->text;
    char *text = NULL;
    size_t size = 0;
    writer->text = xopen_text(&text, &size);
    section(writer);
    xclose_text(writer->text);
    writer->text = index;
    put_part(writer, &(struct part){NULL, name, "", title, ""}, text + 1); /* after its heading, of the second level */
    free(text);
}

static void write_index(const struct report *report, const char *folder, FILE *index)
{
    static void (*const sections[])(struct writer *) = {section_agreement, section_main_figures, section_findings,
                                                        section_papers, section_comparisons};
    static const struct {
        void (*write)(struct writer *);
        const char *name, *title;
    } pages[] = {{section_verdicts, "verdicts", "Verdicts in detail"},
                 {section_figures, "figures", "All other figures"},
                 {section_runs, "runs", "What was run"},
                 {section_machines, "machine", "Machine, build and data"},
                 {section_commands, "commands", "How to run it again"}};
    struct writer writer;
    fputs("# Results\n\nThe results of ", index);
    fprintf(index, report->count == 1 ? "one run" : "%zu runs", report->count);
    fputs(" of hullbench ", index);
    put_versions(index, report);
    fputs(": how well they agree with the papers, the main figures and findings, then every table.\n\n", index);
    writer_open(&writer, report, NULL, folder, index);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        sections[i](&writer);
    fputs("## Details\n\n", index);
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        put_section_page(&writer, pages[i].write, pages[i].name, pages[i].title);
    writer_close(&writer);
}

void report_write_markdown(struct report *report, const char *folder)
{
    struct folder_lock lock = {0};
    struct outfile out = {0};
    report_figures_choose(&report->figures, FIGURE_BYTES);
    folder_make(folder);
    folder_lock_take(&lock, folder);
    outfile_open(&out, pool_printf(report->pool, "%s/README.md", folder));
    write_index(report, folder, out.stream);
    write_figures(report, folder);
    outfile_commit(&out);
    folder_lock_release(&lock);
}
