/*
 * The back ends of a report. md4c parses the sections' prose and documents for a page. All text passes through
 * html_text or html_part, so only the tags here become markup.
 */
#include "harness/report/report.h"

#include <ctype.h>
#include <math.h>
#include <md4c.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

const char *html_id(struct pool *pool, const char *prefix, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.=";
    char *id = pool_alloc(pool, strlen(prefix) + 3 * strlen(text) + 1), *to = stpcpy(id, prefix);
    for (; *text; text++)
        if (strchr(plain, *text))
            *to++ = *text;
        else
            to += sprintf(to, "_%02x", (unsigned char)*text);
    return id;
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
    const char *text = json_text(object, name);
    return text ? text : "";
}

const char *part_id(struct pool *pool, const char *label, const char *name)
{
    return html_id(pool, label ? pool_printf(pool, "%s.", html_id(pool, "", label)) : "", name);
}

/* The id of a text, NULL if the page has it already. */
static const char *new_id(struct writer *writer, const char *prefix, const char *text)
{
    const char *id = html_id(writer->pool, prefix, text);
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
    fprintf(page, level == writer->fold ? "</h%u></summary>\n" : "</h%u>\n", level);
}

static void begin_scroll(const struct writer *writer, const char *label)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", writer->page);
    html_text(writer->page, label);
    fputs("\">\n", writer->page);
}

/* ---- Markdown on a page ---- */

/* A text that md4c parses, and whose parts are printed as they come. The contents of headings, cells and code with
 * ids, and of a folder's paragraphs, decide how these are printed, and are kept until their ends. */
struct rendering {
    struct writer *writer;
    enum source source;
    FILE *out;         /* the page, or what is kept */
    struct pool_text *kept;
    const char *plain; /* a heading's or cell's text without markup; NULL outside */
    const char *code;  /* that of code with an id; NULL outside */
    int is_first_cell, drop_link;
};

/* The tags of the elements that need nothing else. md4c reports HTML as text. */
static const char *const block_tags[][2] = {[MD_BLOCK_DOC] = {"", ""},
                                            [MD_BLOCK_QUOTE] = {"<blockquote>\n", "</blockquote>\n"},
                                            [MD_BLOCK_UL] = {"<ul>\n", "</ul>\n"},
                                            [MD_BLOCK_OL] = {"<ol>\n", "</ol>\n"},
                                            [MD_BLOCK_LI] = {"<li>", "</li>\n"},
                                            [MD_BLOCK_HR] = {"<hr>\n", ""},
                                            [MD_BLOCK_CODE] = {"<pre tabindex=\"0\"><code>", "</code></pre>\n"},
                                            [MD_BLOCK_P] = {"<p>", "</p>\n"},
                                            [MD_BLOCK_TABLE] = {"</caption>\n", "</table></div>\n"},
                                            [MD_BLOCK_THEAD] = {"<thead>\n", "</thead>\n"},
                                            [MD_BLOCK_TBODY] = {"<tbody>\n", "</tbody>\n"},
                                            [MD_BLOCK_TR] = {"<tr>", "</tr>\n"},
                                            [MD_BLOCK_TH] = {"<th scope=\"col\" class=\"t\">", "</th>"}};
/* A picture becomes its text. */
static const char *const span_tags[][2] = {[MD_SPAN_EM] = {"<em>", "</em>"},
                                           [MD_SPAN_STRONG] = {"<strong>", "</strong>"},
                                           [MD_SPAN_A] = {"\">", "</a>"},
                                           [MD_SPAN_IMG] = {"", ""},
                                           [MD_SPAN_CODE] = {"<code>", "</code>"}};

static int is_kept(const struct rendering *rendering, MD_BLOCKTYPE type)
{
    return type == MD_BLOCK_H || type == MD_BLOCK_TD || (type == MD_BLOCK_P && rendering->source == SOURCE_FOLDER);
}

/* The number that a cell begins with, as tables for readers write it: "−1.2·10⁵ ± 3", "∞ (0/40)"; NAN without one. */
static double number_in(const char *text)
{
    static const char *const ascii[][2] = {{"−", "-"}, {"⁻", "-"}, {"·10", "e"}, {"∞", "9e999"}, {"⁰", "0"},
                                           {"¹", "1"}, {"²", "2"}, {"³", "3"},   {"⁴", "4"},     {"⁵", "5"},
                                           {"⁶", "6"}, {"⁷", "7"}, {"⁸", "8"},   {"⁹", "9"}};
    enum { SIGNS = sizeof ascii / sizeof *ascii };
    char number[64], *to = number;
    for (text += *text == '<'; *text && to < number + sizeof number - sizeof "9e999";) {
        size_t i = 0;
        while (i < SIGNS && strncmp(text, ascii[i][0], strlen(ascii[i][0])) != 0)
            i++;
        if (i < SIGNS)
            to = stpcpy(to, ascii[i][1]);
        else
            *to++ = *text;
        text += i < SIGNS ? strlen(ascii[i][0]) : 1;
    }
    *to = '\0';
    return isdigit((unsigned char)number[strspn(number, "+-")]) ? strtod(number, NULL) : (double)NAN;
}

/* Prints a cell, aligned like its column, with the number by which the page sorts; long texts get extra width. */
static void put_cell(struct rendering *rendering, int is_right, const char *html)
{
    enum { WIDE_TEXT = 40 };
    FILE *page = rendering->writer->page;
    const double number = number_in(rendering->plain);
    fputs(rendering->is_first_cell               ? "<th scope=\"row\""
          : is_right                             ? "<td"
          : strlen(rendering->plain) > WIDE_TEXT ? "<td class=\"w\""
                                                 : "<td class=\"t\"",
          page);
    if (!isnan(number))
        fprintf(page, isinf(number) ? " data-sort=\"%sInfinity\"" : " data-sort=\"%s%.10g\"",
                isinf(number) && number < 0 ? "-" : "", number);
    fprintf(page, ">%s</%s>", html, rendering->is_first_cell ? "th" : "td");
    rendering->is_first_cell = 0;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct rendering *rendering = context;
    const struct writer *writer = rendering->writer;
    if (type == MD_BLOCK_H || type == MD_BLOCK_TD)
        rendering->plain = "";
    rendering->is_first_cell |= type == MD_BLOCK_TR;
    if (is_kept(rendering, type)) {
        rendering->kept = pool_text_open(writer->pool);
        rendering->out = rendering->kept->stream;
        return 0;
    }
    if (type == MD_BLOCK_TABLE) {
        const char *caption = writer->heading ? writer->heading : "table";
        begin_scroll(writer, caption);
        fputs("<table><caption>", writer->page);
        html_text(writer->page, caption);
    }
    const int is_right = type == MD_BLOCK_TH && ((const MD_BLOCK_TD_DETAIL *)detail)->align == MD_ALIGN_RIGHT;
    fputs(is_right ? "<th scope=\"col\">" : block_tags[type][0], rendering->out);
    return 0;
}

/* A paragraph that a folder's document has behind a table, a note, stands on the page once. */
static int leave_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    static const unsigned deeper[] = {[SOURCE_TEXT] = 0, [SOURCE_FOLDER] = 2, [SOURCE_DEVIATIONS] = 2};
    struct rendering *rendering = context;
    struct writer *writer = rendering->writer;
    if (!is_kept(rendering, type)) {
        fputs(block_tags[type][1], rendering->out);
        return 0;
    }
    char *kept = pool_text_end(rendering->kept);
    rendering->out = writer->page;
    const size_t known = writer->notes.count;
    if (type == MD_BLOCK_H)
        put_page_heading(writer, ((const MD_BLOCK_H_DETAIL *)detail)->level + deeper[rendering->source],
                         rendering->plain);
    else if (type == MD_BLOCK_TD)
        put_cell(rendering, ((const MD_BLOCK_TD_DETAIL *)detail)->align == MD_ALIGN_RIGHT, kept);
    else if (name_order_add(&writer->notes, kept) == known)
        fprintf(writer->page, "<p class=\"note\">%s</p>\n", kept);
    rendering->plain = NULL;
    return 0;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *context)
{
    struct rendering *rendering = context;
    if (type == MD_SPAN_CODE && rendering->source == SOURCE_DEVIATIONS) {
        rendering->code = "";
        return 0;
    }
    if (type == MD_SPAN_A) {
        const MD_ATTRIBUTE *target = &((const MD_SPAN_A_DETAIL *)detail)->href;
        const char *address = pool_strndup(rendering->writer->pool, target->text, target->size);
        const char *interactive = rendering->writer->report->interactive;
        rendering->drop_link = *address != '#' && strncmp(address, "https://", 8) != 0 &&
                               strncmp(address, "http://", 7) != 0 &&
                               !(interactive && strcmp(address, interactive) == 0);
        if (rendering->drop_link)
            return 0;
        fputs("<a href=\"", rendering->out);
        html_text(rendering->out, address);
    }
    fputs(span_tags[type][0], rendering->out);
    return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *context)
{
    struct rendering *rendering = context;
    (void)detail;
    if (rendering->code) {
        const char *id = strchr(rendering->code, '/') ? new_id(rendering->writer, "why-", rendering->code) : NULL;
        fprintf(rendering->out, id ? "<code id=\"%s\">" : "<code>", id);
        html_text(rendering->out, rendering->code);
        rendering->code = NULL;
    }
    if (type != MD_SPAN_A || !rendering->drop_link)
        fputs(span_tags[type][1], rendering->out);
    return 0;
}

static int put_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *context)
{
    struct rendering *rendering = context;
    struct pool *pool = rendering->writer->pool;
    if (type == MD_TEXT_BR)
        fputs("<br>", rendering->out);
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) {
        text = "\n";
        size = 1;
    }
    if (rendering->plain)
        rendering->plain = pool_printf(pool, "%s%.*s", rendering->plain, (int)size, text);
    if (rendering->code)
        rendering->code = pool_printf(pool, "%s%.*s", rendering->code, (int)size, text);
    else if (type == MD_TEXT_ENTITY)
        html_copy(rendering->out, text, size);
    else
        html_part(rendering->out, text, size);
    return 0;
}

static void render(struct writer *writer, const char *markdown, enum source source)
{
    const MD_PARSER parser = {.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML,
                              .enter_block = enter_block,
                              .leave_block = leave_block,
                              .enter_span = enter_span,
                              .leave_span = leave_span,
                              .text = put_text};
    struct rendering rendering = {.writer = writer, .source = source, .out = writer->page};
    if (md_parse(markdown, (MD_SIZE)strlen(markdown), &parser, &rendering) != 0)
        die(STATUS_IO, "a text of the report cannot be read as Markdown");
}

/* ---- blocks ---- */

/* On a page: begins the text that the next writer_flush renders. */
static void begin_chunk(struct writer *writer)
{
    if (!writer->page)
        return;
    writer->chunk = pool_text_open(writer->pool);
    writer->text = writer->chunk->stream;
}

void writer_open(struct writer *writer, const struct report *report, FILE *page, const char *folder, FILE *index)
{
    *writer = (struct writer){.pool = report->pool, .report = report, .text = index, .page = page, .folder = folder,
                              .ids = {.pool = report->pool}, .notes = {.pool = report->pool}};
    begin_chunk(writer);
}

void writer_flush(struct writer *writer)
{
    if (!writer->page)
        return;
    render(writer, pool_text_end(writer->chunk), SOURCE_TEXT);
    begin_chunk(writer);
}

void put_heading(struct writer *writer, unsigned level, const char *heading)
{
    writer_flush(writer);
    if (writer->page) {
        put_page_heading(writer, level, heading);
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
    begin_scroll(writer, writer->heading ? writer->heading : "table");
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
    fputs("<figure>\n", page);
    begin_scroll(writer, figure->heading);
    fputs("<img alt=\"", page);
    html_text(page, figure->heading);
    fputs("\" src=\"", page);
    html_svg_uri(page, figure->svg);
    fputs("\"></div>\n<figcaption><strong>", page);
    html_text(page, figure->heading);
    fputs(".</strong>", page);
    for (const char *at = figure->caption, *end; *at; at = end) {
        const char *stop = strstr(at, ". ");
        end = stop ? stop + 2 : at + strlen(at);
        const size_t known = writer->notes.count;
        const char *sentence = pool_strndup(writer->pool, at, stop ? (size_t)(stop + 1 - at) : strlen(at));
        if (name_order_add(&writer->notes, sentence) < known)
            continue;
        fputs(" ", page);
        html_text(page, sentence);
    }
    fputs(" <code>", page);
    html_text(page, pool_printf(writer->pool, "%s/plots/%s", label, figure->name));
    fputs("</code></figcaption>\n</figure>\n", page);
}

void put_document(struct writer *writer, const char *markdown, enum source source)
{
    writer_flush(writer);
    if (writer->page)
        render(writer, markdown, source);
    else
        fputs(markdown, writer->text);
}

void begin_part(struct writer *writer, const struct part *part)
{
    if (!writer->page) {
        put_markdown(writer->text, "- %s", part->before);
        put_markdown(writer->text, "[%s]", part->title);
        fprintf(writer->text, "(%s.md)", part_id(writer->pool, part->label, part->name));
        put_markdown(writer->text, "%s\n", part->after);
        writer->outer = writer->text;
        outfile_open(&writer->part, pool_printf(writer->pool, "%s/%s.md", writer->folder,
                                                part_id(writer->pool, part->label, part->name)));
        writer->text = writer->part.stream;
    }
    put_heading(writer, !writer->page ? 1 : part->label ? 3 : 4, part->heading);
}

void end_part(struct writer *writer)
{
    writer_flush(writer);
    if (writer->page)
        return;
    outfile_commit(&writer->part);
    writer->text = writer->outer;
    writer->outer = NULL;
}
