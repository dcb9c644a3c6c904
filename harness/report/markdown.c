/* md4c parses and calls back; what it tells is written through html_text, so nothing in a document can become markup.
 */
#include "harness/report/markdown.h"

#include <md4c.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/html.h"
#include "harness/support/text_stream.h"

struct writer {
    struct markdown *markdown;
    FILE *stream; /* the page */
    FILE *held;   /* while a heading or a code span is collected: its text goes here, too */
    char *held_text;
    size_t held_size;
    char *heading;   /* the last one, plain */
    unsigned level;  /* of the last heading as written */
    unsigned column; /* in a table's row */
    int in_code, failed;
    char *target; /* of a link that is not followed */
};

static void hold(struct writer *writer)
{
    writer->held = text_stream_open(&writer->held_text, &writer->held_size);
    writer->failed |= !writer->held;
}

/* Ends holding; the text is the caller's. */
static char *held(struct writer *writer)
{
    writer->failed |= !text_stream_close(writer->held, &writer->held_text);
    writer->held = NULL;
    char *text = writer->held_text;
    writer->held_text = NULL;
    return text;
}

int markdown_has_anchor(const struct markdown *markdown, const char *text)
{
    for (size_t i = 0; i < markdown->n_anchors; i++)
        if (strcmp(markdown->anchors[i], text) == 0)
            return 1;
    return 0;
}

/* Takes over the text. */
static void add_anchor(struct writer *writer, char *text)
{
    struct markdown *markdown = writer->markdown;
    char **grown = realloc(markdown->anchors, (markdown->n_anchors + 1) * sizeof *grown);
    writer->failed |= !grown;
    if (!grown) {
        free(text);
        return;
    }
    markdown->anchors = grown;
    grown[markdown->n_anchors++] = text;
}

static unsigned heading_level(const struct writer *writer, unsigned level)
{
    unsigned wanted = writer->markdown->top_level + level - 1,
             most = writer->level ? writer->level + 1 : writer->markdown->top_level;
    wanted = wanted > most ? most : wanted;
    return wanted > 6 ? 6 : wanted;
}

static void end_heading(struct writer *writer)
{
    char *text = held(writer);
    free(writer->heading);
    writer->heading = text;
    fprintf(writer->stream, "<h%u>", writer->level);
    html_text(writer->stream, text ? text : "");
    fprintf(writer->stream, "</h%u>\n", writer->level);
}

/* ---- blocks ---- */

static const char *block_tag(MD_BLOCKTYPE type)
{
    switch (type) {
    case MD_BLOCK_QUOTE:
        return "blockquote";
    case MD_BLOCK_UL:
        return "ul";
    case MD_BLOCK_OL:
        return "ol";
    case MD_BLOCK_LI:
        return "li";
    case MD_BLOCK_P:
    case MD_BLOCK_HTML:
        return "p";
    case MD_BLOCK_THEAD:
        return "thead";
    case MD_BLOCK_TBODY:
        return "tbody";
    case MD_BLOCK_TR:
        return "tr";
    default:
        return NULL;
    }
}

static void open_cell(struct writer *writer, int head)
{
    if (head)
        fputs("<th scope=\"col\">", writer->stream);
    else
        fputs(writer->column == 0 ? "<th scope=\"row\">" : "<td>", writer->stream);
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    struct writer *writer = data;
    const char *tag = block_tag(type);
    switch (type) {
    case MD_BLOCK_H:
        writer->level = heading_level(writer, ((const MD_BLOCK_H_DETAIL *)detail)->level);
        hold(writer);
        break;
    case MD_BLOCK_CODE:
        fputs("<pre><code>", writer->stream);
        break;
    case MD_BLOCK_HR:
        fputs("<hr>\n", writer->stream);
        break;
    case MD_BLOCK_TABLE:
        html_table_open(writer->stream, writer->markdown->table_class, (*writer->markdown->tables)++);
        html_text(writer->stream, writer->heading ? writer->heading : "table");
        fputs("</span></caption>\n", writer->stream);
        break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        open_cell(writer, type == MD_BLOCK_TH);
        break;
    default:
        if (type == MD_BLOCK_TR)
            writer->column = 0;
        if (tag)
            fprintf(writer->stream, "<%s>", tag);
    }
    return writer->failed;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    (void)detail;
    struct writer *writer = data;
    const char *tag = block_tag(type);
    if (type == MD_BLOCK_H)
        end_heading(writer);
    else if (type == MD_BLOCK_CODE)
        fputs("</code></pre>\n", writer->stream);
    else if (type == MD_BLOCK_TABLE)
        html_table_close(writer->stream);
    else if (type == MD_BLOCK_TH || type == MD_BLOCK_TD)
        fputs(type == MD_BLOCK_TH || writer->column++ == 0 ? "</th>" : "</td>", writer->stream);
    else if (tag)
        fprintf(writer->stream, "</%s>\n", tag);
    return writer->failed;
}

/* ---- spans ---- */

static int followed(const MD_ATTRIBUTE *href)
{
    return (href->size > 8 && strncmp(href->text, "https://", 8) == 0) ||
           (href->size > 7 && strncmp(href->text, "http://", 7) == 0);
}

static int enter_span(MD_SPANTYPE type, void *detail, void *data)
{
    struct writer *writer = data;
    if (writer->held) /* in a heading: its text only */
        return writer->failed;
    if (type == MD_SPAN_CODE)
        hold(writer);
    else if (type == MD_SPAN_EM || type == MD_SPAN_STRONG)
        fputs(type == MD_SPAN_EM ? "<em>" : "<strong>", writer->stream);
    else if (type == MD_SPAN_A) {
        const MD_ATTRIBUTE *href = &((const MD_SPAN_A_DETAIL *)detail)->href;
        if (followed(href)) {
            fputs("<a href=\"", writer->stream);
            html_text_n(writer->stream, href->text, href->size);
            fputs("\">", writer->stream);
        } else {
            writer->target = strndup(href->text, href->size);
            writer->failed |= !writer->target;
        }
    }
    writer->in_code = type == MD_SPAN_CODE;
    return writer->failed;
}

static void end_code(struct writer *writer)
{
    const struct markdown *markdown = writer->markdown;
    char *text = held(writer);
    int anchor = text && markdown->id_prefix && strchr(text, '/') && !markdown_has_anchor(markdown, text);
    fputs("<code", writer->stream);
    if (anchor) {
        fputs(" id=\"", writer->stream);
        html_id(writer->stream, markdown->id_prefix, text);
        fputs("\"", writer->stream);
    }
    fputs(">", writer->stream);
    html_text(writer->stream, text ? text : "");
    fputs("</code>", writer->stream);
    if (anchor)
        add_anchor(writer, text);
    else
        free(text);
}

static int leave_span(MD_SPANTYPE type, void *detail, void *data)
{
    struct writer *writer = data;
    if (type == MD_SPAN_CODE && writer->in_code) {
        end_code(writer);
        writer->in_code = 0;
    } else if (writer->held)
        return writer->failed;
    else if (type == MD_SPAN_EM || type == MD_SPAN_STRONG)
        fputs(type == MD_SPAN_EM ? "</em>" : "</strong>", writer->stream);
    else if (type == MD_SPAN_A && followed(&((const MD_SPAN_A_DETAIL *)detail)->href))
        fputs("</a>", writer->stream);
    else if (type == MD_SPAN_A) {
        html_format(writer->stream, " (%s)", writer->target ? writer->target : "");
        free(writer->target);
        writer->target = NULL;
    }
    return writer->failed;
}

static int text_of(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *data)
{
    struct writer *writer = data;
    if (writer->held) {
        if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR)
            fputc(' ', writer->held);
        else
            fwrite(text, 1, size, writer->held);
    } else if (type == MD_TEXT_BR)
        fputs("<br>\n", writer->stream);
    else if (type == MD_TEXT_SOFTBR)
        fputs("\n", writer->stream);
    else if (type == MD_TEXT_NULLCHAR)
        html_text_n(writer->stream, "", 1);
    else if (type == MD_TEXT_ENTITY) /* "&" and a name or number, nothing else, says the parser */
        fwrite(text, 1, size, writer->stream);
    else
        html_text_n(writer->stream, text, size);
    return writer->failed;
}

enum status markdown_write(struct markdown *markdown, const char *label, const char *text, FILE *stream,
                           struct error *error)
{
    static const MD_PARSER parser = {.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML,
                                     .enter_block = enter_block,
                                     .leave_block = leave_block,
                                     .enter_span = enter_span,
                                     .leave_span = leave_span,
                                     .text = text_of};
    struct writer writer = {.markdown = markdown, .stream = stream};
    int result = md_parse(text, (MD_SIZE)strlen(text), &parser, &writer);
    if (writer.held)
        free(held(&writer));
    free(writer.heading);
    free(writer.target);
    if (writer.failed)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", label);
    return result == 0 ? STATUS_OK : error_set(error, STATUS_IO, "%s: cannot be read as Markdown", label);
}

void markdown_free(struct markdown *markdown)
{
    for (size_t i = 0; i < markdown->n_anchors; i++)
        free(markdown->anchors[i]);
    free(markdown->anchors);
    markdown->anchors = NULL;
    markdown->n_anchors = 0;
}
