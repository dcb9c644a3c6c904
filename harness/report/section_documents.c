/* The folders' documents and figures: comparisons of solvers, searches, summaries; and docs/deviations.md. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/report/blocks.h"
#include "harness/support/file.h"

/* A summary of a sweep has hundreds of rows; a page only names documents larger than this. */
enum { MAX_DOCUMENT = 40000 };

/* The text of NAME.md in the folder without HTML, malloc'ed; NULL if missing. */
static char *read_document(const struct report_folder *folder, const char *name)
{
    struct pool *pool = pool_new();
    char *text = NULL;
    size_t size = 0;
    const char *read = file_read_or_null(pool, pool_printf(pool, "%s/%s.md", folder->run->path, name), NULL);
    if (read) {
        FILE *stream = xopen_text(&text, &size);
        markdown_without_html(stream, read);
        xclose_text(stream);
    }
    pool_free(pool);
    return text;
}

/* On a page: nonzero if the document is too long, in which case it is named. */
static int too_long(struct writer *writer, const struct report_folder *folder, const char *name, const char *text)
{
    if (!writer->page || strlen(text) <= MAX_DOCUMENT)
        return 0;
    put_markdown(writer->text, "Too long for this page: %s/%s.md\n\n", folder->label, name);
    return 1;
}

/* Nonzero for published tables and claims, shown from conform_runs' results, and summaries, which have a section. */
static int is_shown_elsewhere(const struct conformance *conformance, const char *table)
{
    for (size_t i = 0; i < conformance->n_tables; i++)
        if (strcmp(conformance->tables[i]->table->name, table) == 0)
            return 1;
    for (size_t i = 0; i < conformance->n_papers; i++) {
        const char *paper = conformance->papers[i].paper->name;
        if (strncmp(table, paper, strlen(paper)) == 0 && strcmp(table + strlen(paper), ".claims") == 0)
            return 1;
    }
    return strcmp(table, "summary") == 0;
}

/* Writes the folder's document NAME.md, whose first line is its heading; returns nonzero if it exists. */
static int put_file(struct writer *writer, const struct report_folder *folder, const char *name, int is_first)
{
    char *text = read_document(folder, name);
    if (!text)
        return 0;
    if (is_first && writer->page)
        put_heading(writer, 3, folder->label);
    if (!too_long(writer, folder, name, text)) {
        const char *line = text + strspn(text, "# "), *slash = strchr(name, '/'), *rest = line + strcspn(line, "\n");
        const char *title = pool_strndup(writer->pool, line, strcspn(line, "\n")),
                   *before = pool_printf(writer->pool, "%s, ", folder->label);
        begin_part(writer, &(struct part){folder->label, slash ? slash + 1 : name, before, title, "", title});
        put_document(writer, rest + strspn(rest, "\n"), 3, 0);
        end_part(writer);
    }
    free(text);
    return 1;
}

/* Writes the folder's documents and returns their number. */
static int put_documents(struct writer *writer, const struct report_folder *folder)
{
    static const char *const own[] = {"tune", "compare", "compare-time"}; /* written into the folder itself */
    int count = 0;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        count += put_file(writer, folder, own[i], count == 0);
    if (run_folder_is_search(folder->run))
        return count;
    const struct name_order names =
        report_list(writer->pool, pool_printf(writer->pool, "%s/tables", folder->run->path), ".md");
    for (size_t i = 0; i < names.count; i++)
        if (!is_shown_elsewhere(&writer->report->conformance, names.names[i]))
            count += put_file(writer, folder, pool_printf(writer->pool, "tables/%s", names.names[i]), count == 0);
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
        const struct report_folder *folder = &writer->report->folders[i];
        int others = 0;
        if (folder->n_figures)
            put_heading(writer, 3, folder->label);
        for (size_t k = 0; k < figures->count; k++)
            if (figures->items[k].folder == i && figures->items[k].embedded &&
                !stands_with_table(writer->report, &figures->items[k]) &&
                !(writer->page && is_main_figure(writer->report, &figures->items[k])))
                put_figure(writer, &figures->items[k]);
        for (size_t k = 0; k < figures->count; k++) {
            const struct report_figure *figure = &figures->items[k];
            if (figure->folder != i || figure->embedded)
                continue;
            fputs(others++ ? "- " : "Further figures of the folder:\n\n- ", writer->text);
            put_markdown(writer->text, "%s: %s/plots/%s.%s\n", figure->heading, folder->label, figure->name,
                         figure->svg ? "svg" : "gp");
        }
        fputs(others ? "\n" : "", writer->text);
    }
}

void section_summaries(struct writer *writer)
{
    fputs("The means of every solver and setting on every data set.\n\n", writer->text);
    for (size_t i = 0; i < writer->report->count; i++) {
        const struct report_folder *folder = &writer->report->folders[i];
        char *text = run_folder_is_search(folder->run) ? NULL : read_document(folder, "tables/summary");
        if (text && !too_long(writer, folder, "tables/summary", text)) {
            put_heading(writer, 3, pool_printf(writer->pool, "Summary of %s", folder->label));
            put_document(writer, text + strcspn(text, "\n"), 3, 0);
        }
        free(text);
    }
}

void section_deviations(struct writer *writer)
{
    put_document(writer, writer->report->deviations, 2, 1);
}
