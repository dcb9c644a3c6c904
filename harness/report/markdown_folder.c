/*
 * The report in a folder, for a reader on a site that shows Markdown (docs/results): README.md with the short sections,
 * its tables in files of their own. These are named in the letters of html_id, so no name needs escaping in a link.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"
#include "harness/report/sections.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"

/* What the figures take together at most, before they are encoded for a page. */
enum { FIGURE_BYTES = 1500000 };

/* Of the program that did the runs, each once. */
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

static enum status write_figures(const struct report *report, const char *folder, struct error *error)
{
    char *figures = xasprintf("%s/figures", folder);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < report->figures.count && status == STATUS_OK; i++) {
        const struct report_figure *figure = &report->figures.items[i];
        if (!figure->embedded)
            continue;
        char *path = xasprintf("%s/%s", folder, figure->file);
        status = folder_make(figures, error);
        if (status == STATUS_OK)
            status = file_write(path, figure->svg, strlen(figure->svg), error);
        free(path);
    }
    free(figures);
    return status;
}

static enum status write_index(const struct report *report, const char *folder, FILE *index, struct error *error)
{
    static void (*const sections[])(struct writer *) = {section_outcome,     section_papers,   section_comparisons,
                                                        section_runs,        section_machines, section_commands,
                                                        section_figures};
    struct writer writer;
    fputs("# Results\n\nTables and main figures of the runs below, done by hullbench ", index);
    put_versions(index, report);
    fputs(".\n\n", index);
    writer_open(&writer, report, NULL, folder, index, error);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        sections[i](&writer);
    return writer_close(&writer);
}

enum status report_write_markdown(struct report *report, const char *folder, struct error *error)
{
    struct folder_lock lock = {0};
    struct outfile out = {0};
    char *path = xasprintf("%s/README.md", folder);
    report_figures_choose(&report->figures, FIGURE_BYTES);
    enum status status = folder_make(folder, error);
    if (status == STATUS_OK)
        status = folder_lock_take(&lock, folder, error);
    if (status == STATUS_OK)
        status = outfile_open(&out, path, error);
    if (status == STATUS_OK)
        status = write_index(report, folder, out.stream, error);
    if (status == STATUS_OK)
        status = write_figures(report, folder, error);
    if (status == STATUS_OK)
        status = outfile_commit(&out, error);
    outfile_abandon(&out);
    folder_lock_release(&lock);
    free(path);
    return status;
}
