/* What the folders hold as Markdown and figures: comparisons of solvers, searches, summaries; and docs/deviations.md.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"
#include "harness/report/sections.h"

/* A summary of a sweep has hundreds of rows; larger ones are named and not shown on a page. */
enum { MAX_DOCUMENT = 40000 };

static int is_summary(const struct report_document *document)
{
    return strcmp(document->name, "summary") == 0;
}

static void put_label(struct writer *writer, const struct report_folder *folder)
{
    fputs("### ", writer->text);
    put_text(writer->text, "%s", folder->label);
    fputs("\n\n", writer->text);
}

/* On a page: whether the document is too long for it; then it is named. */
static int too_long(struct writer *writer, const struct report_folder *folder, const struct report_document *document)
{
    if (!writer->page || strlen(document->text) <= MAX_DOCUMENT)
        return 0;
    put_text(writer->text, "Too long for this page: %s/%s%s.md", folder->label, document->below, document->name);
    fputs("\n\n", writer->text);
    return 1;
}

/* The first line without its "# ". */
static void put_document(struct writer *writer, const struct report_folder *folder,
                         const struct report_document *document)
{
    const char *title = document->text + strspn(document->text, "# ");
    char *first = xstrndup(title, strcspn(title, "\n")), *before = xasprintf("%s, ", folder->label);
    put_part(writer, &(struct part){folder->label, document->name, before, first, ""}, document->text);
    free(first);
    free(before);
}

void section_comparisons(struct writer *writer)
{
    int any = 0;
    fputs("## Comparisons and searches\n\n", writer->text);
    for (size_t i = 0; i < writer->report->count; i++) {
        const struct report_folder *folder = &writer->report->folders[i];
        int here = 0;
        for (size_t d = 0; d < folder->n_documents; d++) {
            if (is_summary(&folder->documents[d]))
                continue;
            if (!here++ && writer->page)
                put_label(writer, folder);
            if (!too_long(writer, folder, &folder->documents[d]))
                put_document(writer, folder, &folder->documents[d]);
        }
        any |= here;
    }
    fputs(any ? "\n"
              : "No configuration asks for a comparison of solvers (`profile` under `plots`), and no folder holds "
                "one.\n\n",
          writer->text);
}

void section_figures(struct writer *writer)
{
    FILE *text = writer->text;
    fputs("## Figures\n\nThe numbers of each are in its `.dat`, the program that draws it in its `.gp`.\n\n", text);
    for (size_t i = 0; i < writer->report->count; i++) {
        const struct report_folder *folder = &writer->report->folders[i];
        int others = 0;
        if (folder->figures.count)
            put_label(writer, folder);
        for (size_t k = 0; k < folder->figures.count; k++) {
            const struct report_figure *figure = &folder->figures.items[k];
            if (!figure->embedded)
                continue;
            fputs("![", text);
            put_text(text, "%s%s%s", figure->heading, *figure->caption ? ". " : "", figure->caption);
            fprintf(text, "](%s)\\\n", figure->file);
            put_text(text, "%s: %s/plots/%s", figure->heading, folder->label, figure->name);
            fputs("\n\n", text);
        }
        for (size_t k = 0; k < folder->figures.count; k++) {
            const struct report_figure *figure = &folder->figures.items[k];
            if (figure->embedded)
                continue;
            fputs(others++ ? "- " : "Not shown here:\n\n- ", text);
            put_text(text, "%s: %s/plots/%s.%s", figure->heading, folder->label, figure->name,
                     figure->svg ? "svg" : "gp");
            fputs("\n", text);
        }
        fputs(others ? "\n" : "", text);
    }
}

void section_summaries(struct writer *writer)
{
    fputs("## Summaries\n\nEvery solver and setting of a run on every data set, over its splits.\n\n", writer->text);
    for (size_t i = 0; i < writer->report->count; i++) {
        const struct report_folder *folder = &writer->report->folders[i];
        for (size_t d = 0; d < folder->n_documents; d++) {
            const struct report_document *document = &folder->documents[d];
            if (!is_summary(document) || too_long(writer, folder, document))
                continue;
            char *summary = xasprintf("Summary of %s", folder->label);
            const char *table = document->text + strcspn(document->text, "\n");
            put_label(writer, folder);
            put_folded(writer->text, summary, table + strspn(table, "\n"));
            writer_flush(writer);
            free(summary);
        }
    }
}

void section_deviations(struct writer *writer)
{
    fputs("## Deviations\n\n", writer->text);
    writer_document(writer, "docs/deviations.md", writer->report->deviations, 2, 1);
}
