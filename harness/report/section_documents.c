/* The folders' documents and figures: comparisons of solvers, searches, summaries; and docs/deviations.md. */
#include <stdlib.h>
#include <string.h>

#include "harness/report/report.h"
#include "harness/support/file.h"

/* A summary of a sweep has hundreds of rows; a page only names documents larger than this. */
enum { MAX_DOCUMENT = 40000 };

/* Nonzero for published tables and claims, shown from conform_runs' results, and summaries, which have a section. */
static int is_shown_elsewhere(const struct report *report, const char *table)
{
    const struct conformance *conformance = &report->conformance;
    for (size_t i = 0; i < conformance->n_tables; i++)
        if (strcmp(conformance->tables[i]->table->name, table) == 0)
            return 1;
    for (size_t i = 0; i < conformance->n_papers; i++)
        if (strcmp(pool_printf(report->pool, "%s.claims", conformance->papers[i].paper->name), table) == 0)
            return 1;
    return strcmp(table, "summary") == 0;
}

/* Writes the folder's document NAME.md, whose first line is its heading or, if it is a `summary`, not shown. On a page
 * the first document of a folder follows its label. Returns the number of documents, 0 or 1. */
static int put_file(struct writer *writer, const struct report_folder *folder, const char *name, int is_first,
                    int is_summary)
{
    struct pool *pool = writer->pool;
    const char *read = file_read_or_null(pool, pool_printf(pool, "%s/%s.md", folder->run->path, name), NULL),
               *slash = strchr(name, '/');
    char *text = NULL;
    size_t size = 0;
    if (!read)
        return 0;
    FILE *stream = xopen_text(&text, &size);
    markdown_without_html(stream, read);
    xclose_text(stream);
    pool_keep(pool, free, text);
    const char *line = text + strspn(text, "# "), *rest = line + strcspn(line, "\n"),
               *title = pool_strndup(pool, line, (size_t)(rest - line));
    rest += strspn(rest, "\n");
    if (is_summary)
        put_heading(writer, 3, pool_printf(pool, "Summary of %s", folder->label));
    else if (is_first && writer->page)
        put_heading(writer, 3, folder->label);
    if (writer->page && size > MAX_DOCUMENT) {
        put_markdown(writer->text, "Too long for this page: %s/%s.md\n\n", folder->label, name);
    } else if (is_summary) {
        put_document(writer, rest, SOURCE_FOLDER);
    } else {
        begin_part(writer, &(struct part){folder->label, slash ? slash + 1 : name,
                                          pool_printf(pool, "%s, ", folder->label), title, "", title});
        put_document(writer, rest, SOURCE_FOLDER);
        end_part(writer);
    }
    return 1;
}

/* Writes the folder's documents and returns their number. */
static int put_documents(struct writer *writer, const struct report_folder *folder)
{
    static const char *const own[] = {"tune", "compare", "compare-time"}; /* written into the folder itself */
    int count = 0;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        count += put_file(writer, folder, own[i], count == 0, 0);
    if (run_folder_is_search(folder->run))
        return count;
    const struct name_order names =
        report_list(writer->pool, pool_printf(writer->pool, "%s/tables", folder->run->path), ".md");
    for (size_t i = 0; i < names.count; i++)
        if (!is_shown_elsewhere(writer->report, names.names[i]))
            count +=
                put_file(writer, folder, pool_printf(writer->pool, "tables/%s", names.names[i]), count == 0, 0);
    return count;
}

void section_comparisons(struct writer *writer)
{
    int any = 0;
    for (size_t i = 0; i < writer->report->count; i++)
        any += put_documents(writer, &writer->report->folders[i]);
    fputs(any ? "\n"
              : "No configuration asks for a comparison of solvers (`profile` under `plots`), and no folder contains "
                "one.\n\n",
          writer->text);
}

void section_figures(struct writer *writer)
{
    const struct report_figures *figures = &writer->report->figures;
    fputs("Each figure has a `.dat` file with its numbers and a `.gp` file, the program that draws it. Ratios of "
          "measured to printed values are shown with their tables.\n\n",
          writer->text);
    for (size_t i = 0; i < writer->report->count; i++) {
        const char *label = writer->report->folders[i].label, *before = "Further figures of the folder:\n\n- ";
        if (writer->report->folders[i].n_figures)
            put_heading(writer, 3, label);
        for (const struct report_figure *figure = figures->item; figure < figures->item + figures->count; figure++)
            if (figure->folder == i && figure->embedded && !figure->table && !(writer->page && figure->is_main))
                put_figure(writer, figure);
        for (const struct report_figure *figure = figures->item; figure < figures->item + figures->count; figure++) {
            if (figure->folder != i || figure->embedded)
                continue;
            fputs(before, writer->text);
            put_markdown(writer->text, "%s: %s/plots/%s.%s\n", figure->heading, label, figure->name,
                         figure->svg ? "svg" : "gp");
            before = "- ";
        }
        fputs(*before == '-' ? "\n" : "", writer->text);
    }
}

void section_summaries(struct writer *writer)
{
    fputs("The means of every solver and setting on every data set.\n\n", writer->text);
    for (size_t i = 0; i < writer->report->count; i++)
        if (!run_folder_is_search(writer->report->folders[i].run))
            put_file(writer, &writer->report->folders[i], "tables/summary", 0, 1);
}

void section_deviations(struct writer *writer)
{
    put_document(writer, writer->report->deviations, SOURCE_DEVIATIONS);
}
