/*
 * md4c renders the Markdown, and its HTML is completed tag by tag. md4c treats HTML in the text as text, so every '<'
 * in its output begins one of its own tags and every '>' ends one: nothing else can become markup.
 */
#include "harness/report/page_markdown.h"

#include <md4c-html.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/report/html.h"
#include "harness/report/report.h"

struct rendering {
    struct page *page;
    FILE *stream;
    unsigned deeper, column;
    int places, folded, in_figure, drop_link;
};

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
static char *plain_text(const char *html, const char *end)
{
    static const char *const entities[][2] = {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}};
    char *text = xmalloc((size_t)(end - html) + 1), *to = text;
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

/* Registers the id html_id(prefix, text); NULL if the page has it already. */
static const char *new_id(struct page *page, const char *prefix, const char *text)
{
    char *id = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&id, &size);
    html_id(stream, prefix, text);
    xclose_text(stream);
    const size_t known = page->ids.count;
    page->ids.pool = page->pool;
    return name_order_take(&page->ids, id) == known ? page->ids.names[known] : NULL;
}

/* ---- verdicts ---- */

struct verdict_look {
    const char *text, *class_name, *word;
};

/* First the signs of cells in a map, of which the first five also end cells; the others are entire cells. */
static const struct verdict_look looks[] = {{"=", "m", "agrees"},        {"≟", "c", "compatible"},
                                            {"≈", "n", "near"},          {"≠", "d", "differs"},
                                            {"?", "x", "undecidable"},   {"–", "x", "missing"},
                                            {"✓ holds", "m", "holds"},   {"◐ in part", "n", "in part"},
                                            {"✗ fails", "d", "fails"},   {"– missing", "x", "missing"},
                                            {"data missing", "x", "missing"}};
enum { LOOKS = sizeof looks / sizeof *looks, ENDINGS = 5, SIGNS = 6 };

/* The verdict in a cell: "1.5 ± 0.2 =", "1.5 ≠ (3–50)" or "✓ holds"; NULL if there is none. */
static const struct verdict_look *verdict_in(const char *cell)
{
    for (size_t i = SIGNS; i < LOOKS; i++)
        if (strcmp(cell, looks[i].text) == 0)
            return &looks[i];
    for (size_t i = 0; i < ENDINGS; i++) {
        const char *at = strstr(cell, looks[i].text), *rest = at ? at + strlen(looks[i].text) : NULL;
        if (at && at > cell && at[-1] == ' ' && (!*rest || skip(rest, " (")))
            return &looks[i];
    }
    return NULL;
}

/* Prints code that consists of signs and blanks, with a coloured span for each run of equal signs; 0 for other code. */
static int put_signs(FILE *stream, const char *code, const char *end)
{
    size_t last = SIGNS;
    for (int writing = 0; writing < 2; writing++)
        for (const char *at = code; at < end;) {
            size_t i = 0;
            while (i < SIGNS && !skip(at, looks[i].text))
                i++;
            if (i == SIGNS && *at != ' ')
                return 0;
            at += i < SIGNS ? strlen(looks[i].text) : 1;
            if (!writing)
                continue;
            if (i != last && last < SIGNS)
                fputs("</span>", stream);
            if (i != last && i < SIGNS)
                fprintf(stream, "<span class=\"%s\">", looks[i].class_name);
            fputs(i < SIGNS ? looks[i].text : "<wbr>", stream);
            last = i;
        }
    fputs(last < SIGNS ? "</span>" : "", stream);
    return 1;
}

/* ---- one tag ---- */

static void put_html(struct rendering *rendering, const char *html, const char *end);

void page_end_fold(struct page *page)
{
    if (page->is_folding)
        fputs("</details>\n", page->stream);
    page->is_folding = 0;
}

/* Ends the folded text before a heading of its level or a higher one, and begins the next. */
static void fold(struct page *page, unsigned level)
{
    if (level <= page->fold)
        page_end_fold(page);
    if (level == page->fold) {
        fputs("<details class=\"fold\"><summary>", page->stream);
        page->is_folding = 1;
    }
}

static const char *put_heading(struct rendering *rendering, const char *at)
{
    struct page *page = rendering->page;
    const unsigned wanted = (unsigned)(at[2] - '0') + rendering->deeper, level = wanted < 6 ? wanted : 6;
    const char *start = at + 4, *end = strstr(start, "</h");
    char *heading = plain_text(start, end);
    pool_keep(page->pool, free, heading);
    page->heading = heading;
    fold(page, level);
    const char *id = new_id(page, "", pool_strndup(page->pool, heading, strcspn(heading, ":")));
    fprintf(rendering->stream, id ? "<h%u id=\"%s\">" : "<h%u>", level, id);
    html_text(rendering->stream, page->heading);
    fprintf(rendering->stream, level == page->fold ? "</h%u></summary>" : "</h%u>", level);
    return end + 5;
}

static void open_table(struct rendering *rendering)
{
    const size_t number = ++rendering->page->n_tables;
    fprintf(rendering->stream,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"caption-%zu\">\n"
            "<table><caption id=\"caption-%zu\"><span>",
            number, number);
    html_text(rendering->stream, rendering->page->heading ? rendering->page->heading : "table");
    fputs("</span></caption>", rendering->stream);
}

enum { WIDE_TEXT = 40 };

/* Prints a cell: figures to the right, texts to the left, long texts with extra width. */
static const char *put_cell(struct rendering *rendering, const char *at)
{
    FILE *stream = rendering->stream;
    const char *start = behind(at, ">"), *end = strstr(start, "</td>");
    char *text = plain_text(start, end);
    const int head = rendering->column++ == 0;
    const struct verdict_look *look = verdict_in(text);
    if (head)
        fputs("<th scope=\"row\">", stream);
    else if (look)
        fprintf(stream, "<td class=\"%s\" title=\"%s\">", look->class_name, look->word);
    else if (strlen(text) > WIDE_TEXT)
        fputs("<td class=\"w\">", stream);
    else
        fputs((*text | 32) >= 'a' && (*text | 32) <= 'z' ? "<td class=\"t\">" : "<td>", stream);
    put_html(rendering, start, end);
    fputs(head ? "</th>" : "</td>", stream);
    free(text);
    return end + strlen("</td>");
}

static const char *put_link(struct rendering *rendering, const char *at)
{
    const char *target = at + strlen("<a href=\""), *end = behind(at, ">");
    rendering->drop_link = *target != '#' && !skip(target, "https://") && !skip(target, "http://");
    if (!rendering->drop_link)
        html_copy(rendering->stream, at, (size_t)(end - at));
    return end;
}

static const char *put_code(struct rendering *rendering, const char *at)
{
    FILE *stream = rendering->stream;
    const char *start = at + strlen("<code>"), *end = strstr(start, "</code>");
    char *text = plain_text(start, end);
    const char *id = rendering->places && strchr(text, '/') ? new_id(rendering->page, "why-", text) : NULL;
    free(text);
    fprintf(stream, id ? "<code id=\"%s\">" : "<code>", id);
    if (!put_signs(stream, start, end))
        put_html(rendering, start, end);
    fputs("</code>", stream);
    return end + strlen("</code>");
}

/* Prints the picture at the start of a paragraph, `<img src="FILE" alt="TEXT">`, as a figure with the rest of the
 * paragraph as its caption; or only its text. */
static const char *put_image(struct rendering *rendering, const char *at, int starts)
{
    FILE *stream = rendering->stream;
    const char *source = behind(at, "src=\""), *end = behind(source, ">"), *alt = behind(source, "alt=\"");
    char *file = plain_text(source, strchr(source, '"'));
    const struct report *report = rendering->page->report;
    const struct report_figure *figure = starts && report ? report_figure_of(&report->figures, file) : NULL;
    const int length = (int)strcspn(alt, "\"");
    free(file);
    if (!figure) {
        fputs(starts ? "<p>" : "", stream);
        html_copy(stream, alt, (size_t)length);
        return end;
    }
    fprintf(stream, "<figure>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%.*s\"><img", length,
            alt);
    fprintf(stream, " alt=\"%.*s\" src=\"", length, alt);
    html_svg_uri(stream, figure->svg);
    fputs("\"></div>\n<figcaption>", stream);
    rendering->in_figure = 1;
    return skip(end, "<br>\n") ? end + strlen("<br>\n") : end;
}

/* Prints the tag unchanged, or its replacement. */
static const char *put_plain(struct rendering *rendering, const char *at)
{
    static const char *const others[][2] = {{"<th>", "<th scope=\"col\">"},
                                            {"<th ", "<th scope=\"col\" "},
                                            {"<pre>", "<pre tabindex=\"0\">"},
                                            {"</table>", "</table></div>"}};
    const char *end = behind(at, ">");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (skip(at, others[i][0])) {
            fputs(others[i][1], rendering->stream);
            return skip(at, others[i][0]);
        }
    if (skip(at, "<table>"))
        open_table(rendering);
    else if (rendering->in_figure && skip(at, "</p>")) {
        fputs("</figcaption>\n</figure>", rendering->stream);
        rendering->in_figure = 0;
    } else if (rendering->folded && skip(at, "</blockquote>")) {
        fputs("</details>", rendering->stream);
        rendering->folded = 0;
    } else if (!(rendering->drop_link && skip(at, "</a>")))
        html_copy(rendering->stream, at, (size_t)(end - at));
    return end;
}

static const char *put_tag(struct rendering *rendering, const char *at)
{
    const char *bold = skip(at, "<blockquote>\n<p><strong>"), *end = bold ? strstr(bold, "</strong>") : NULL;
    if (end && skip(end, "</strong></p>")) {
        rendering->folded = 1;
        fputs("<details><summary>", rendering->stream);
        put_html(rendering, bold, end);
        fputs("</summary>", rendering->stream);
        return end + strlen("</strong></p>");
    }
    if (skip(at, "<h") && at[2] >= '1' && at[2] <= '6')
        return put_heading(rendering, at);
    if (skip(at, "<td"))
        return put_cell(rendering, at);
    if (skip(at, "<a "))
        return put_link(rendering, at);
    if (skip(at, "<code>"))
        return put_code(rendering, at);
    if (skip(at, "<p><img ") || skip(at, "<img "))
        return put_image(rendering, at, at[1] == 'p');
    if (skip(at, "<tr>"))
        rendering->column = 0;
    return put_plain(rendering, at);
}

static void put_html(struct rendering *rendering, const char *html, const char *end)
{
    while (html < end) {
        const size_t text = strcspn(html, "<"), left = (size_t)(end - html);
        html_copy(rendering->stream, html, text < left ? text : left);
        html = text < left ? put_tag(rendering, html + text) : end;
    }
}

static void keep(const MD_CHAR *html, MD_SIZE size, void *stream)
{
    fwrite(html, 1, size, stream);
}

void page_markdown(struct page *page, const char *label, const char *text, unsigned deeper, int places)
{
    struct rendering rendering = {.page = page, .stream = page->stream, .deeper = deeper, .places = places};
    char *html = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&html, &size);
    const int failed =
        md_html(text, (MD_SIZE)strlen(text), keep, stream, MD_FLAG_TABLES | MD_FLAG_NOHTML, 0);
    xclose_text(stream);
    put_html(&rendering, html, html + strlen(html));
    free(html);
    if (failed)
        die(STATUS_IO, "%s: cannot be read as Markdown", label);
}
