/*
 * The back ends of a report. md4c renders the project's own prose and documents of other verbs for a page, and its HTML
 * is completed tag by tag. md4c treats HTML in the text as text, so every '<' in its output begins one of its own tags
 * and every '>' ends one: nothing else can become markup.
 */
#include "harness/report/blocks.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <md4c-html.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/memory.h"
#include "harness/support/file.h"

/* ---- texts ---- */

void html_id(FILE *stream, const char *prefix, const char *text)
{
    fputs(prefix, stream);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
            c == '=')
            fputc(c, stream);
        else
            fprintf(stream, "_%02x", c);
    }
}

size_t html_svg_uri(FILE *stream, const char *svg)
{
    static const char head[] = "data:image/svg+xml;charset=utf-8,";
    static const char *const codes[128] = {['"'] = "%22", ['%'] = "%25",   ['#'] = "%23",  ['<'] = "%3C", ['>'] = "%3E",
                                           ['&'] = "&amp;", /* URI parsers drop newlines and tabs: */
                                           ['\n'] = "%20", ['\r'] = "%20", ['\t'] = "%20"};
    size_t bytes = strlen(head);
    if (stream)
        fputs(head, stream);
    for (; *svg; svg++) {
        const char *code = (unsigned char)*svg < 0x80 ? codes[(unsigned char)*svg] : NULL;
        bytes += code ? strlen(code) : 1;
        if (stream && code)
            fputs(code, stream);
        else if (stream)
            fputc(*svg, stream);
    }
    return bytes;
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

static const char *skip(const char *at, const char *lead)
{
    size_t length = strlen(lead);
    return strncmp(at, lead, length) == 0 ? at + length : NULL;
}

/* The position after the next `end`, which exists. */
static const char *behind(const char *at, const char *end)
{
    const char *found = strstr(at, end);
    return found ? found + strlen(end) : at + strlen(at);
}

/* The text of an HTML fragment, without tags and with entities resolved. */
static char *plain_text(struct pool *pool, const char *html, const char *end)
{
    static const char *const entities[][2] = {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}};
    char *text = pool_alloc(pool, (size_t)(end - html) + 1), *to = text;
    while (html < end) {
        const char *next = NULL;
        for (size_t i = 0; !next && i < 4; i++)
            if ((next = skip(html, entities[i][0])))
                *to++ = *entities[i][1];
        if (next)
            html = next;
        else if (*html == '<')
            html = behind(html, ">");
        else
            *to++ = *html++;
    }
    *to = '\0';
    return text;
}

/* [LABEL.]NAME, or PREFIX and NAME, as an id in the pool. */
static const char *id_of(struct pool *pool, const char *prefix, const char *label, const char *name)
{
    char *id = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&id, &size);
    if (label)
        html_id(stream, "", label);
    html_id(stream, label ? "." : prefix, name);
    xclose_text(stream);
    pool_keep(pool, free, id);
    return id;
}

/* The same, NULL if the page has that id already. */
static const char *new_id(struct writer *writer, const char *prefix, const char *text)
{
    const char *id = id_of(writer->pool, prefix, NULL, text);
    const size_t known = writer->ids.count;
    return name_order_add(&writer->ids, id) == known ? id : NULL;
}

/* ---- the page's own elements ---- */

void writer_end_fold(struct writer *writer)
{
    if (writer->is_folding)
        fputs("</details>\n", writer->page);
    writer->is_folding = 0;
}

/* A folded heading ends the text that is folded before it, and so does one of a higher level. */
static void put_page_heading(struct writer *writer, unsigned wanted, const char *heading)
{
    const unsigned level = wanted < 6 ? wanted : 6;
    FILE *page = writer->page;
    writer->heading = heading;
    if (level <= writer->fold)
        writer_end_fold(writer);
    if (level == writer->fold) {
        fputs("<details class=\"fold\"><summary>", page);
        writer->is_folding = 1;
    }
    const char *id = new_id(writer, "", pool_strndup(writer->pool, heading, strcspn(heading, ":")));
    fprintf(page, id ? "<h%u id=\"%s\">" : "<h%u>", level, id);
    html_text(page, heading);
    fprintf(page, level == writer->fold ? "</h%u></summary>" : "</h%u>", level);
}

static void begin_scroll(const struct writer *writer)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", writer->page);
    html_text(writer->page, writer->heading ? writer->heading : "table");
    fputs("\">\n", writer->page);
}

/* ---- Markdown on a page ---- */

struct rendering {
    struct writer *writer;
    FILE *stream;
    unsigned deeper, column;
    int places, drop_link;
};

static void put_html(struct rendering *rendering, const char *html, const char *end);

/* Prints code that consists of the signs of verdicts and blanks, with a coloured span for each run of equal signs; 0
 * for other code. */
static int put_signs(FILE *stream, const char *code, const char *end)
{
    static const char *const looks[][2] = {{"=", "agrees"},  {"≟", "compatible"},  {"≈", "near"},
                                           {"≠", "differs"}, {"?", "undecidable"}, {"–", "missing"}};
    enum { SIGNS = sizeof looks / sizeof *looks };
    size_t last = SIGNS;
    for (int writing = 0; writing < 2; writing++)
        for (const char *at = code; at < end;) {
            size_t i = 0;
            while (i < SIGNS && !skip(at, looks[i][0]))
                i++;
            if (i == SIGNS && *at != ' ')
                return 0;
            at += i < SIGNS ? strlen(looks[i][0]) : 1;
            if (!writing)
                continue;
            if (i != last && last < SIGNS)
                fputs("</span>", stream);
            if (i != last && i < SIGNS)
                fprintf(stream, "<span class=\"%s\">", looks[i][1]);
            fputs(i < SIGNS ? looks[i][0] : "<wbr>", stream);
            last = i;
        }
    fputs(last < SIGNS ? "</span>" : "", stream);
    return 1;
}

/* The digit that a superscript stands for, -1 for the minus sign, or 10 for other characters. *at moves behind it. */
static int superscript(const char **at)
{
    static const char *const digits[] = {"⁻", "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    for (int i = 0; i < 11; i++)
        if (skip(*at, digits[i])) {
            *at = skip(*at, digits[i]);
            return i - 1;
        }
    return 10;
}

/* The number that a cell begins with, as tables for readers write it: "−1.2·10⁵ ± 3", "∞ (0/40)"; NAN without one. */
static double number_in(const char *text)
{
    const char *minus = skip(text, "−");
    char *end = NULL;
    text = minus ? minus : text + (*text == '+' || *text == '<');
    if (skip(text, "∞"))
        return minus ? -(double)INFINITY : (double)INFINITY;
    if (!(*text >= '0' && *text <= '9') && !(!minus && *text == '-' && text[1] >= '0' && text[1] <= '9'))
        return (double)NAN;
    double number = strtod(text, &end);
    const char *power = skip(end, "·10");
    int exponent = 0, is_negative = 0;
    for (int digit; power && (digit = superscript(&power)) < 10;)
        if (digit < 0)
            is_negative = 1;
        else
            exponent = 10 * exponent + digit;
    number *= pow(10, is_negative ? -exponent : exponent);
    return minus ? -number : number;
}

/* Prints a cell, aligned like its column, with the number by which the page sorts; long texts get extra width. */
static const char *put_cell(struct rendering *rendering, const char *at)
{
    enum { WIDE_TEXT = 40 };
    FILE *stream = rendering->stream;
    const char *start = behind(at, ">"), *end = strstr(start, "</td>"), *right = strstr(at, "align=\"right\"");
    const char *text = plain_text(rendering->writer->pool, start, end);
    const int head = rendering->column++ == 0;
    fputs(head                         ? "<th scope=\"row\""
          : right && right < start     ? "<td"
          : strlen(text) > WIDE_TEXT   ? "<td class=\"w\""
                                       : "<td class=\"t\"",
          stream);
    const double number = number_in(text);
    if (!isnan(number))
        fprintf(stream, isinf(number) ? " data-sort=\"%sInfinity\"" : " data-sort=\"%s%.10g\"",
                isinf(number) && number < 0 ? "-" : "", number);
    fputc('>', stream);
    put_html(rendering, start, end);
    fputs(head ? "</th>" : "</td>", stream);
    return end + strlen("</td>");
}

static const char *put_code(struct rendering *rendering, const char *at)
{
    FILE *stream = rendering->stream;
    const char *start = at + strlen("<code>"), *end = strstr(start, "</code>");
    const char *text = plain_text(rendering->writer->pool, start, end);
    const char *id = rendering->places && strchr(text, '/') ? new_id(rendering->writer, "why-", text) : NULL;
    fprintf(stream, id ? "<code id=\"%s\">" : "<code>", id);
    if (!put_signs(stream, start, end))
        put_html(rendering, start, end);
    fputs("</code>", stream);
    return end + strlen("</code>");
}

/* Prints the tag, completed or unchanged; returns the position behind what is printed. */
static const char *put_tag(struct rendering *rendering, const char *at)
{
    static const char *const others[][2] = {{"<th>", "<th scope=\"col\" class=\"t\">"},
                                            {"<th ", "<th scope=\"col\" "},
                                            {"<pre>", "<pre tabindex=\"0\">"},
                                            {"</table>", "</table></div>"}};
    const char *end = behind(at, ">"), *target;
    if (at[1] == 'h' && at[2] >= '1' && at[2] <= '6') {
        end = strstr(at, "</h");
        put_page_heading(rendering->writer, (unsigned)(at[2] - '0') + rendering->deeper,
                         plain_text(rendering->writer->pool, at + 4, end));
        return end + 5;
    }
    if (skip(at, "<td"))
        return put_cell(rendering, at);
    if (skip(at, "<code>"))
        return put_code(rendering, at);
    if ((target = skip(at, "<a href=\""))) {
        rendering->drop_link = *target != '#' && !skip(target, "https://") && !skip(target, "http://");
        if (rendering->drop_link)
            return end;
    }
    if (rendering->drop_link && skip(at, "</a>"))
        return end;
    if (skip(at, "<img ")) {
        const char *text = behind(at, "alt=\"");
        html_copy(rendering->stream, text, strcspn(text, "\""));
        return end;
    }
    if (skip(at, "<table>")) {
        begin_scroll(rendering->writer);
        fputs("<table><caption>", rendering->stream);
        html_text(rendering->stream, rendering->writer->heading ? rendering->writer->heading : "table");
        fputs("</caption>", rendering->stream);
        return end;
    }
    if (skip(at, "<tr>"))
        rendering->column = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (skip(at, others[i][0])) {
            fputs(others[i][1], rendering->stream);
            return skip(at, others[i][0]);
        }
    html_copy(rendering->stream, at, (size_t)(end - at));
    return end;
}

/* Prints HTML of md4c. A paragraph that a document has behind a table, a note, stands on the page once. */
static void put_html(struct rendering *rendering, const char *html, const char *end)
{
    while (html < end) {
        const size_t text = strcspn(html, "<"), left = (size_t)(end - html);
        html_copy(rendering->stream, html, text < left ? text : left);
        html = text < left ? html + text : end;
        const char *note = html < end && rendering->deeper && !rendering->places ? skip(html, "<p>") : NULL,
                   *last = note ? strstr(note, "</p>") : NULL;
        const size_t known = rendering->writer->notes.count;
        if (last && name_order_add(&rendering->writer->notes, plain_text(rendering->writer->pool, note, last)) < known)
            html = last + strlen("</p>");
        else if (html < end)
            html = put_tag(rendering, html);
    }
}

static void keep(const MD_CHAR *html, MD_SIZE size, void *stream)
{
    fwrite(html, 1, size, stream);
}

static void render(struct writer *writer, const char *markdown, unsigned deeper, int places)
{
    struct rendering rendering = {.writer = writer, .stream = writer->page, .deeper = deeper, .places = places};
    char *html = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&html, &size);
    const int failed =
        md_html(markdown, (MD_SIZE)strlen(markdown), keep, stream, MD_FLAG_TABLES | MD_FLAG_NOHTML, 0);
    xclose_text(stream);
    put_html(&rendering, html, html + strlen(html));
    free(html);
    if (failed)
        die(STATUS_IO, "a text of the report cannot be read as Markdown");
}

/* ---- blocks ---- */

void writer_open(struct writer *writer, const struct report *report, FILE *page, const char *folder, FILE *index)
{
    *writer = (struct writer){.pool = report->pool, .report = report, .text = index, .page = page, .folder = folder,
                              .ids = {.pool = report->pool}, .notes = {.pool = report->pool}};
    if (page)
        writer->text = xopen_text(&writer->chunk, &writer->size);
}

void writer_close(struct writer *writer)
{
    if (!writer->page)
        return;
    writer_flush(writer);
    xclose_text(writer->text);
    free(writer->chunk);
}

void writer_flush(struct writer *writer)
{
    if (!writer->page)
        return;
    xclose_text(writer->text);
    render(writer, writer->chunk, 0, 0);
    free(writer->chunk);
    writer->text = xopen_text(&writer->chunk, &writer->size);
}

void put_heading(struct writer *writer, unsigned level, const char *heading)
{
    writer_flush(writer);
    if (writer->page) {
        put_page_heading(writer, level, heading);
        fputc('\n', writer->page);
    } else {
        fprintf(writer->text, "%.*s ", (int)level, "######");
        put_markdown(writer->text, "%s\n\n", heading);
    }
}

void put_result(struct writer *writer, const struct result *table)
{
    struct result shown = *table;
    writer_flush(writer);
    shown.title = NULL;
    if (!writer->page) {
        result_write(&shown, RESULT_MARKDOWN, writer->text);
        fputc('\n', writer->text);
        return;
    }
    shown.notes = (struct result_notes){0};
    for (size_t i = 0; i < table->notes.count; i++) {
        const size_t known = writer->notes.count;
        if (name_order_add(&writer->notes, table->notes.item[i]) == known)
            *pool_push(writer->pool, &shown.notes) = table->notes.item[i];
    }
    shown.title = writer->heading;
    begin_scroll(writer);
    result_write(&shown, RESULT_HTML, writer->page);
    fputs("</div>\n", writer->page);
}

void put_figure(struct writer *writer, const struct report_figure *figure)
{
    const char *label = writer->report->folders[figure->folder].label;
    writer_flush(writer);
    if (!writer->page) {
        put_markdown(writer->text, "![%s](", figure->heading);
        fprintf(writer->text, "%s)\\\n", figure->file);
        put_markdown(writer->text, "**%s.** %s", figure->heading, figure->caption);
        put_markdown(writer->text, " (%s/plots/%s)\n\n", label, figure->name);
        return;
    }
    FILE *page = writer->page;
    fputs("<figure>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", page);
    html_text(page, figure->heading);
    fputs("\"><img alt=\"", page);
    html_text(page, figure->heading);
    fputs("\" src=\"", page);
    html_svg_uri(page, figure->svg);
    fputs("\"></div>\n<figcaption><strong>", page);
    html_text(page, figure->heading);
    fputs(".</strong> ", page);
    html_text(page, figure->caption);
    fputs(" <code>", page);
    html_text(page, pool_printf(writer->pool, "%s/plots/%s", label, figure->name));
    fputs("</code></figcaption>\n</figure>\n", page);
}

void put_folded(struct writer *writer, const char *summary, const char *markdown)
{
    writer_flush(writer);
    if (writer->page) {
        fputs("<details><summary>", writer->page);
        html_text(writer->page, summary);
        fputs("</summary>\n", writer->page);
        render(writer, markdown, 0, 0);
        fputs("</details>\n", writer->page);
        return;
    }
    put_markdown(writer->text, "> **%s**\n>\n", summary);
    for (const char *line = markdown; *line;) {
        const size_t length = strcspn(line, "\n");
        fprintf(writer->text, "> %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    fputs("\n", writer->text);
}

void put_document(struct writer *writer, const char *markdown, unsigned deeper, int places)
{
    writer_flush(writer);
    if (writer->page)
        render(writer, markdown, deeper, places);
    else
        fputs(markdown, writer->text);
}

void begin_part(struct writer *writer, const struct part *part)
{
    if (!writer->page) {
        put_markdown(writer->text, "- %s", part->before);
        put_link(writer, part->title, part->label, part->name);
        put_markdown(writer->text, "%s\n", part->after);
        writer->outer = writer->text;
        outfile_open(&writer->part, pool_printf(writer->pool, "%s/%s.md", writer->folder,
                                                id_of(writer->pool, "", part->label, part->name)));
        writer->text = writer->part.stream;
    }
    put_heading(writer, writer->page ? 4 : 1, part->heading);
}

void end_part(struct writer *writer)
{
    writer_flush(writer);
    if (writer->page)
        return;
    outfile_commit(&writer->part);
    writer->text = writer->outer;
}

void put_link(struct writer *writer, const char *text, const char *label, const char *name)
{
    put_markdown(writer->text, writer->page ? "[%s](#" : "[%s](", text);
    fprintf(writer->text, writer->page ? "%s)" : "%s.md)", id_of(writer->pool, "", writer->page ? NULL : label, name));
}
