/*
 * The compaction works on the text of gnuplot's SVG terminal, tag by tag (svg_tag.c). What it does is safe for any SVG
 * whose text stands in <text>, <title>, <desc>, <style> and <script> elements, whose insides are left alone:
 *   - comments, <?xml ...?> and <!DOCTYPE ...> say nothing in a picture;
 *   - outside the elements above, spaces between tags are not drawn;
 *   - stroke-linecap="butt" and stroke-linejoin="miter" are the defaults, dropped where no other value is in the file;
 *   - one font for all goes to the root element;
 *   - of the titles only the first is the figure's;
 *   - neighbouring groups with the same attributes are one group;
 *   - a group without anything in it draws nothing, and so do definitions without a reference.
 */
#define _GNU_SOURCE
#include "harness/report/svg.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/svg_tag.h"

static int opens(const char *at, const char *name)
{
    size_t length = strlen(name);
    return strncmp(at + 1, name, length) == 0 && at[1 + length] && strchr(" \t\r\n/>", at[1 + length]);
}

/* The '>' that ends the tag at `at`, outside quotes; NULL where there is none. */
static const char *tag_end(const char *at)
{
    char quote = 0;
    for (; *at; at++)
        if (quote)
            quote = *at == quote ? 0 : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
        else if (*at == '>')
            return at;
    return NULL;
}

/* The end of what is left alone as a whole: an element with text in it, or nothing where *skip is set. NULL: not such.
 */
static const char *whole_end(const char *at, int *skip)
{
    static const char *const elements[] = {"text", "title", "desc", "style", "script"};
    const char *end = NULL;
    *skip = 1;
    if (strncmp(at, "<!--", 4) == 0)
        return (end = strstr(at + 4, "-->")) ? end + 3 : NULL;
    if (at[1] == '?' || at[1] == '!')
        return (end = tag_end(at)) ? end + 1 : NULL;
    *skip = 0;
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        char closing[16];
        snprintf(closing, sizeof closing, "</%s>", elements[i]);
        const char *head = opens(at, elements[i]) ? tag_end(at) : NULL;
        if (head && head[-1] != '/' && (end = strstr(at, closing)))
            return end + strlen(closing);
    }
    return NULL;
}

static void learn(const char *text, struct svg_habits *habits)
{
    habits->dataset_text_ends = 1;
    for (const char *at = strstr(text, "stroke-line"); at; at = strstr(at + 1, "stroke-line"))
        if (strncmp(at, "stroke-linecap=\"butt\"", 21) != 0 && strncmp(at, "stroke-linejoin=\"miter\"", 23) != 0)
            habits->dataset_text_ends = 0;
    habits->font[0] = '\0';
    size_t length = 0;
    for (const char *at = strstr(text, "font-family"); at; at = strstr(at + 1, "font-family")) {
        const char *end = at[11] == '=' && at[12] == '"' ? strchr(at + 13, '"') : NULL;
        size_t own = end ? (size_t)(end - at) + 1 : 0;
        if (own == 0 || own >= sizeof habits->font ||
            (length && (own != length || strncmp(at, habits->font, length) != 0))) {
            habits->font[0] = '\0';
            return;
        }
        length = own;
        memcpy(habits->font, at, own);
        habits->font[own] = '\0';
    }
}

/* Texts keep their spaces; the tags among them lose the font that the root has. */
static void add_whole(struct svg_text *out, const char *at, const char *end, const struct svg_habits *habits)
{
    const size_t font = strlen(habits->font);
    const char *close = NULL; /* of the tag we are in */
    int single = 0;           /* its quotes become single ones */
    while (at < end) {
        if (*at == '<') {
            close = tag_end(at);
            single = close && !memchr(at, '\'', (size_t)(close - at));
        }
        const int inside = close && at < close;
        if (inside && font && *at == ' ' && strncmp(at + 1, habits->font, font) == 0)
            at += font + 1;
        else if (inside && *at == ' ' && at[1] == '>')
            at++;
        else if (inside && single && *at == '"')
            svg_add(out, (at++, "'"), 1);
        else
            svg_add(out, at++, 1);
    }
}

static int compact_tags(const char *text, const struct svg_habits *habits, struct svg_text *out)
{
    int titled = 0;
    while (*text) {
        int skip;
        if (*text != '<') { /* between tags only spaces are expected */
            if (!isspace((unsigned char)*text))
                return 0;
            text++;
            continue;
        }
        const char *end = whole_end(text, &skip);
        if (end && !skip && (!opens(text, "title") || !titled)) /* parts of a gnuplot figure have commands as titles */
            add_whole(out, text, end, habits);
        titled |= end && opens(text, "title");
        if (!end) {
            end = tag_end(text);
            if (!end || !svg_add_tag(out, text, end, habits))
                return 0;
            svg_add(out, end++, 1);
        }
        text = end;
    }
    return 1;
}

/* Takes out every <g ...></g>; a group of such groups goes in the next turn. Returns how many went. */
static size_t drop_groups(char *text)
{
    size_t dropped = 0;
    char *to = text;
    for (const char *at = text; *at;) {
        const char *end = opens(at, "g") && *at == '<' ? tag_end(at) : NULL;
        if (end && end[-1] != '/' && strncmp(end + 1, "</g>", 4) == 0) {
            at = end + 5;
            dropped++;
        } else
            *to++ = *at++;
    }
    *to = '\0';
    return dropped;
}

/* Joins "<g A>...</g><g A>...</g>" where both opening tags are the same bytes and have no id; in place. */
static void join_groups(char *text)
{
    enum { DEEP = 32 };
    const char *open[DEEP]; /* the opening tags we are in, in the bytes already written */
    size_t length[DEEP], depth = 0;
    char *to = text;
    for (const char *at = text; *at;) {
        const char *end = *at == '<' ? tag_end(at) : NULL;
        if (!end) {
            *to++ = *at++;
            continue;
        }
        size_t size = (size_t)(end - at) + 1;
        if (strncmp(at, "</g>", 4) == 0 && depth > 0 && --depth < DEEP) {
            const char *next = at + 4, *next_end = opens(next, "g") && *next == '<' ? tag_end(next) : NULL;
            size_t next_size = next_end ? (size_t)(next_end - next) + 1 : 0;
            if (next_size == length[depth] && memcmp(next, open[depth], next_size) == 0 &&
                !memmem(next, next_size, " id=", 4)) {
                depth++;
                at = next_end + 1;
                continue;
            }
        } else if (opens(at, "g") && end[-1] != '/') {
            if (depth < DEEP) {
                open[depth] = to;
                length[depth] = size;
            }
            depth++;
        }
        memmove(to, at, size);
        to += size;
        at += size;
    }
    *to = '\0';
}

static int is_used(const char *text, const char *id, size_t length)
{
    for (const char *at = strchr(text, '#'); at; at = strchr(at + 1, '#'))
        if (strncmp(at + 1, id, length) == 0 && strchr("\"')", at[1 + length]))
            return 1;
    return 0;
}

/* Takes out one element of <defs> whose id nothing refers to: an empty one, or a filter. Returns whether one was found.
 */
static int drop_definition(char *text)
{
    char *defs = strstr(text, "<defs>"), *close = defs ? strstr(defs, "</defs>") : NULL;
    for (char *at = close ? defs + 6 : NULL; at && at < close;) {
        const char *id = strstr(at, " id="), *end = tag_end(at);
        if (!end)
            return 0;
        if (opens(at, "filter")) {
            end = strstr(at, "</filter>");
            end = end ? end + 8 : NULL;
        } else if (end[-1] != '/')
            return 0;
        if (!end || end >= close || !id || id >= end)
            return 0;
        if (!is_used(text, id + 5, strcspn(id + 5, "\"'"))) {
            memmove(at, end + 1, strlen(end + 1) + 1);
            return 1;
        }
        at += (end - at) + 1;
    }
    return 0;
}

char *svg_compact(const char *text)
{
    struct svg_text out = {0};
    struct svg_habits habits;
    svg_add(&out, "", 0);
    learn(text, &habits);
    if (!compact_tags(text, &habits, &out) && !out.failed) {
        out.size = 0;
        svg_add(&out, text, strlen(text));
    } else if (!out.failed) {
        while (drop_groups(out.bytes) > 0)
            continue;
        join_groups(out.bytes);
        while (drop_definition(out.bytes))
            continue;
    }
    if (!out.failed)
        return out.bytes;
    free(out.bytes);
    return NULL;
}
