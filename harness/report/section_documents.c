/* The folders' documents and figures, comparisons of solvers, searches, own tables; and the deviations. */
#include <cjson/cJSON.h>
#include <string.h>

#include "harness/report/report.h"

/* The largest document of a page, and the size of all in bytes, half of that beside papers: the summary of a sweep has
 * hundreds of rows. There, a summary is of one of a few own runs and only has to be smaller than all. */
enum { MAX_DOCUMENT = 8000, MAX_DOCUMENTS = 16000 };

/* Nonzero for published tables and claims, shown from conform_runs' results; and for summaries beside papers, of which
 * those of a few own runs have a section. */
static int is_shown_elsewhere(const struct report *report, const char *table)
{
    const struct conformance *conformance = &report->conformance;
    for (size_t i = 0; i < conformance->n_tables; i++)
        if (strcmp(conformance->tables[i]->table->name, table) == 0)
            return 1;
    for (size_t i = 0; i < conformance->n_papers; i++)
        if (strcmp(pool_printf(report->pool, "%s.claims", conformance->papers[i].paper->name), table) == 0)
            return 1;
    return conformance->n_papers && strcmp(table, "summary") == 0;
}

/* Writes the folder's document NAME.md, whose first line is its heading, unless it is too long for a page. */
static void put_file(struct writer *writer, const struct report_folder *folder, const char *name)
{
    struct pool *pool = writer->pool;
    const char *read = file_read_or_null(pool, pool_printf(pool, "%s/%s.md", folder->run->path, name), NULL),
               *slash = strchr(name, '/');
    if (!read)
        return;
    struct pool_text *safe = pool_text_open(pool);
    markdown_without_html(safe->stream, read);
    const char *text = pool_text_end(safe);
    const size_t size = safe->size;
    const int has_papers = writer->report->conformance.n_papers > 0,
              is_own = has_papers && strcmp(name, "tables/summary") == 0;
    const size_t max = has_papers ? MAX_DOCUMENTS / 2 : MAX_DOCUMENTS;
    if (writer->page && (is_own ? size > MAX_DOCUMENTS : size > MAX_DOCUMENT || writer->documents + size > max)) {
        writer->n_omitted++;
        return;
    }
    writer->documents += is_own ? 0 : size;
    const char *line = text + strspn(text, "# "), *rest = line + strcspn(line, "\n"),
               *title = pool_strndup(pool, line, (size_t)(rest - line));
    begin_part(writer,
               &(struct part){folder->label, slash ? slash + 1 : name, pool_printf(pool, "%s, ", folder->label), title,
                              "", writer->page ? pool_printf(pool, "%s, %s", folder->label, title) : title});
    put_document(writer, rest + strspn(rest, "\n"), SOURCE_FOLDER);
    end_part(writer);
}

/* The conclusions are findings, so they count as notes that a page has already. */
void section_comparisons(struct writer *writer)
{
    for (size_t i = 0; i < writer->report->count; i++) {
        const struct report_folder *folder = &writer->report->folders[i];
        const struct string_list conclusions = conclusions_of(writer->pool, folder->comparison);
        for (size_t k = 0; k < conclusions.count; k++) {
            struct pool_text *html = pool_text_open(writer->pool);
            html_text(html->stream, conclusions.line[k]);
            name_order_add(&writer->notes, pool_text_end(html));
        }
        if (folder->comparison) {
            put_file(writer, folder, "compare");
            put_file(writer, folder, "compare-time");
        }
    }
    fputs("\n", writer->text);
}

struct name_order tables_of(const struct report *report, const struct report_folder *folder)
{
    struct pool *pool = report->pool;
    struct name_order tables = {.pool = pool};
    const struct name_order names = report_list(pool, pool_printf(pool, "%s/tables", folder->run->path), ".md");
    if (folder->run->config && !folder->has_records)
        name_order_add(&tables, "tune");
    for (size_t k = 0; folder->has_records && k < names.count; k++)
        if (!is_shown_elsewhere(report, names.names[k]))
            name_order_add(&tables, pool_printf(pool, "tables/%s", names.names[k]));
    return tables;
}

static void put_omitted(struct writer *writer)
{
    fprintf(writer->text, writer->n_omitted ? "Longer tables, only in the folders: %zu.\n\n" : "\n", writer->n_omitted);
    writer->n_omitted = 0;
}

int is_own_run(const struct report *report, const struct report_folder *folder)
{
    return report->conformance.n_papers && folder->has_records && cJSON_GetArraySize(folder->run->tables) == 0;
}

void section_own_runs(struct writer *writer)
{
    for (size_t i = 0; i < writer->report->count; i++)
        if (is_own_run(writer->report, &writer->report->folders[i]))
            put_file(writer, &writer->report->folders[i], "tables/summary");
    put_omitted(writer);
}

void section_tables(struct writer *writer)
{
    for (size_t i = 0; i < writer->report->count; i++) {
        const struct name_order tables = tables_of(writer->report, &writer->report->folders[i]);
        for (size_t k = 0; k < tables.count; k++)
            put_file(writer, &writer->report->folders[i], tables.names[k]);
    }
    put_omitted(writer);
}

void section_figures(struct writer *writer)
{
    const struct report_figures *figures = &writer->report->figures;
    size_t n_omitted = 0;
    for (size_t i = 0; i < writer->report->count; i++) {
        if (writer->report->folders[i].n_figures)
            put_heading(writer, 3, writer->report->folders[i].label);
        for (size_t k = 0; k < figures->count; k++) {
            const struct report_figure *figure = &figures->item[k];
            if (figure->folder == i && figure->embedded && !figure->table && !(writer->page && figure->is_main))
                put_figure(writer, figure);
            n_omitted += figure->folder == i && !figure->embedded;
        }
    }
    fprintf(writer->text, n_omitted ? "Further figures, only in the folders' plots: %zu.\n\n" : "\n", n_omitted);
}

/* A row for each entry of the papers' deviations: what tested it, the reason, and the ids, to which signs lead. */
void section_deviations(struct writer *writer)
{
    const struct conformance *conformance = &writer->report->conformance;
    struct pool_text *text = pool_text_open(writer->pool);
    FILE *stream = text->stream;
    fputs("Only an experiment that gives the printed numbers is an explanation. docs/deviations.md tells more of each "
          "entry.\n\n| entry | state | reason | cells, marks and claims |\n| --- | --- | --- | --- |\n",
          stream);
    for (size_t p = 0; p < conformance->n_papers; p++) {
        const struct explanations *explanations = &conformance->papers[p].explanations;
        const struct deviations *deviations = deviations_read(writer->pool, conformance->papers[p].paper);
        for (size_t i = 0; i < deviations->list.count; i++) {
            const struct deviation *entry = &deviations->list.item[i];
            const struct explanation *first = explanations_find(explanations, entry->explains.item[0]);
            put_markdown(stream, "| %s | %s | %s |", entry->id, first ? explanation_state_names[first->state] : "–",
                         entry->evidence);
            for (size_t k = 0; k < entry->explains.count; k++)
                fprintf(stream, " `%s`", entry->explains.item[k]);
            fputs(" |\n", stream);
        }
    }
    put_document(writer, pool_text_end(text), SOURCE_DEVIATIONS);
}
