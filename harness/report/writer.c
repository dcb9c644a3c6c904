/* The destinations of Markdown: a page, which renders it section by section, or a folder of files. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/report/html.h"
#include "harness/report/sections.h"
#include "harness/support/file.h"

void writer_open(struct writer *writer, const struct report *report, struct page *page, const char *folder, FILE *index)
{
    *writer = (struct writer){.pool = report->pool, .report = report, .text = index, .page = page, .folder = folder};
    if (page)
        writer->text = xopen_text(&writer->chunk, &writer->size);
}

void writer_flush(struct writer *writer)
{
    if (!writer->page)
        return;
    xclose_text(writer->text);
    page_markdown(writer->page, "the report", writer->chunk, 0, 0);
    free(writer->chunk);
    writer->text = xopen_text(&writer->chunk, &writer->size);
}

void writer_document(struct writer *writer, const char *label, const char *markdown, unsigned deeper, int places)
{
    writer_flush(writer);
    page_markdown(writer->page, label, markdown, deeper, places);
}

void writer_close(struct writer *writer)
{
    if (!writer->page)
        return;
    writer_flush(writer);
    xclose_text(writer->text);
    free(writer->chunk);
}

/* [LABEL.]NAME, as an id. */
static void put_name(FILE *stream, const char *label, const char *name)
{
    if (label) {
        html_id(stream, "", label);
        fputc('.', stream);
    }
    html_id(stream, "", name);
}

void put_link(struct writer *writer, const char *text, const char *label, const char *name)
{
    put_markdown(writer->text, writer->page ? "[%s](#" : "[%s](", text);
    put_name(writer->text, writer->page ? NULL : label, name);
    fputs(writer->page ? ")" : ".md)", writer->text);
}

static void write_part(struct writer *writer, const struct part *part, const char *markdown)
{
    char *path = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&path, &size);
    fprintf(stream, "%s/", writer->folder);
    put_name(stream, part->label, part->name);
    fputs(".md", stream);
    xclose_text(stream);
    file_write(path, markdown, strlen(markdown));
    free(path);
    put_markdown(writer->text, "- %s", part->before);
    put_link(writer, part->title, part->label, part->name);
    put_markdown(writer->text, "%s\n", part->after);
}

void put_part(struct writer *writer, const struct part *part, const char *markdown)
{
    if (writer->page)
        writer_document(writer, part->name, markdown, 3, 0);
    else
        write_part(writer, part, markdown);
}

void put_folded(FILE *stream, const char *summary, const char *markdown)
{
    put_markdown(stream, "> **%s**\n>\n", summary);
    for (const char *line = markdown; *line;) {
        const size_t length = strcspn(line, "\n");
        fprintf(stream, "> %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    fputs("\n", stream);
}

const char *text_member(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "";
}

double number_member(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}
