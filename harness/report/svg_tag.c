/*
 * Attributes of an SVG tag, shorter: one space between them; single quotes, which need no code inside the double ones
 * of the page; numbers without zeros at their end, from 10 on to a tenth of a pixel; "rgb( 64,  64,  64)" as "#404040";
 * no space beside the letters of a way; no defaults.
 */
#include "harness/report/svg_tag.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void svg_add(struct svg_text *text, const char *bytes, size_t size)
{
    if (text->size + size + 1 > text->capacity) {
        size_t wanted = 2 * (text->size + size) + 64;
        char *grown = realloc(text->bytes, wanted);
        text->failed |= !grown;
        if (!grown)
            return;
        text->bytes = grown;
        text->capacity = wanted;
    }
    if (size)
        memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

/* A number inside an attribute without zeros at its end, from 10 on to a tenth (of a pixel); returns the bytes read. */
static size_t add_number(struct svg_text *out, const char *at)
{
    char rounded[40];
    size_t whole = strspn(at, "0123456789");
    size_t read = whole + (at[whole] == '.') + (at[whole] == '.' ? strspn(at + whole + 1, "0123456789") : 0),
           end = read;
    if (at[whole] == '.' && whole >= 2 && read < sizeof rounded) {
        int length = snprintf(rounded, sizeof rounded, "%.1f", strtod(at, NULL));
        end = (size_t)length - (rounded[length - 1] == '0' ? 2 : 0);
        svg_add(out, rounded, end);
        return read;
    }
    while (at[whole] == '.' && (at[end - 1] == '0' || at[end - 1] == '.') && end > whole)
        end--;
    svg_add(out, at, end);
    return read;
}

/* "rgb( 64,  64,  64)" as "#404040"; returns the bytes read, 0 where it is something else. */
static size_t add_colour(struct svg_text *out, const char *at)
{
    unsigned red, green, blue;
    int read = 0;
    char colour[24];
    if (strncmp(at, "rgb(", 4) != 0 || sscanf(at, "rgb( %3u , %3u , %3u )%n", &red, &green, &blue, &read) != 3 ||
        read == 0 || red > 255 || green > 255 || blue > 255)
        return 0;
    snprintf(colour, sizeof colour, "#%02x%02x%02x", red, green, blue);
    svg_add(out, colour, strlen(colour));
    return (size_t)read;
}

enum value { VALUE_NAME, VALUE_NUMBERS, VALUE_WAY }; /* as it is; with numbers in it; of the attribute d */
static const char WAY[] = "MLHVCSQTAZmlhvcsqtaz";    /* letters of the attribute d */

/* Whether the figure at c, in the value that begins at `at`, begins a number: "scale2", "#4e8" and "0.25" hold none
 * inside. */
static int starts_number(const char *at, const char *c)
{
    return c == at + 1 || strchr(WAY, c[-1]) || (!isalnum((unsigned char)c[-1]) && c[-1] != '.' && c[-1] != '#');
}

/* The value of an attribute, its quote first; returns the bytes read with both quotes, 0 where the second is missing.
 * Only values that are not names have their numbers shortened (numeric). */
static size_t add_value(struct svg_text *out, const char *at, const char *end, enum value numeric)
{
    const char quote = *at;
    const char *close = memchr(at + 1, quote, (size_t)(end - at - 1));
    if (!close)
        return 0;
    /* single quotes, which need no code inside the double ones of the page */
    const char *mark = memchr(at + 1, '\'', (size_t)(close - at - 1)) ? "\"" : "'";
    svg_add(out, mark, 1);
    for (const char *c = at + 1; c < close;) {
        size_t read = numeric ? strspn(c, " \t\r\n") : 0;
        if (read > 0) { /* a letter of a way ends the number before it and begins the one behind */
            int beside = numeric == VALUE_WAY && (strchr(WAY, c[-1]) || strchr(WAY, c[read]));
            if (c > at + 1 && c + read < close && !beside)
                svg_add(out, " ", 1);
        } else if (numeric && (read = add_colour(out, c)) == 0 && isdigit((unsigned char)*c) && starts_number(at, c))
            read = add_number(out, c);
        if (read == 0) {
            svg_add(out, c, 1);
            read = 1;
        }
        c += read;
    }
    svg_add(out, mark, 1);
    return (size_t)(close - at) + 1;
}

static int is_default(const struct svg_habits *habits, const char *name)
{
    static const char *const plain[] = {"stroke-linecap=\"butt\"", "stroke-linejoin=\"miter\""};
    for (int i = 0; habits->dataset_text_ends && i < 2; i++)
        if (strncmp(name, plain[i], strlen(plain[i])) == 0)
            return 1;
    return habits->font[0] && strncmp(name, habits->font, strlen(habits->font)) == 0;
}

int svg_add_tag(struct svg_text *out, const char *at, const char *end, const struct svg_habits *habits)
{
    static const char *const words[] = {"id",    "class",       "href",  "xlink:href",
                                        "style", "font-family", "xmlns", "xmlns:xlink"};
    size_t name = strcspn(at, " \t\r\n/>");
    name = name > (size_t)(end - at) ? (size_t)(end - at) : name;
    if (name == 1 && at[1] == '/') /* a closing tag */
        for (name = (size_t)(end - at); isspace((unsigned char)at[name - 1]); name--)
            ;
    svg_add(out, at, name);
    if (habits->font[0] && name == 4 && strncmp(at, "<svg", 4) == 0) {
        svg_add(out, " font-family=", 13);
        add_value(out, habits->font + 12, habits->font + strlen(habits->font), VALUE_NAME);
    }
    for (const char *c = at + name; c < end;) {
        if (isspace((unsigned char)*c)) {
            c++;
            continue;
        }
        if (*c == '/') {
            svg_add(out, c++, 1);
            continue;
        }
        size_t length = strcspn(c, " \t\r\n=/>\"'");
        const char *value = c + length + strspn(c + length, " \t\r\n");
        if (length == 0 || *value != '=')
            return 0;
        value += 1 + strspn(value + 1, " \t\r\n");
        if (value >= end || !strchr("\"'", *value))
            return 0;
        enum value numeric = length == 1 && *c == 'd' ? VALUE_WAY : VALUE_NUMBERS;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strlen(words[i]) == length && strncmp(words[i], c, length) == 0)
                numeric = VALUE_NAME;
        struct svg_text kept = {0};
        size_t read = add_value(&kept, value, end, numeric);
        if (read && !is_default(habits, c)) {
            svg_add(out, " ", 1);
            svg_add(out, c, length);
            svg_add(out, "=", 1);
            svg_add(out, kept.bytes, kept.size);
        }
        out->failed |= kept.failed;
        free(kept.bytes);
        if (!read)
            return 0;
        c = value + read;
    }
    return 1;
}
