/* Options and specifications that apply to all figures (figure_style.h). */
#include "harness/figure/figure_style.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/support/json_reader.h"

const char *const figure_dash_names[] = {"solid", "dashed", "dotted", "dash-dotted", NULL};
const char *const figure_mark_names[] = {"circle",      "square",      "triangle",      "diamond",
                                         "triangle-down", "pentagon",  "open-circle",   "open-square",
                                         "open-triangle", "open-diamond", "open-triangle-down", "open-pentagon",
                                         NULL};
_Static_assert(sizeof figure_dash_names / sizeof *figure_dash_names == FIGURE_DASHES + 1, "a name for each dash");
_Static_assert(sizeof figure_mark_names / sizeof *figure_mark_names == FIGURE_MARKS + 1, "a name for each mark");
const char *const figure_format_names[] = {"svg", "png", "pdf", "tikz", "cairolatex", NULL};

const struct figure_style figure_style_screen = {
    .formats = {[FORMAT_SVG] = 1, [FORMAT_PNG] = 1, [FORMAT_PDF] = 1}};

struct figure_look figure_look_at(size_t place)
{
    static const char colours[FIGURE_COLOURS][8] = {"#004c8c", "#d55e00", "#009e73", "#000000", "#c04c94", "#8c6d00"};
    struct figure_look look = {.dash = (int)((place + place / FIGURE_MARKS) % FIGURE_DASHES) + 1,
                               .mark = (int)(place % FIGURE_MARKS) + 1};
    memcpy(look.colour, colours[place % FIGURE_COLOURS], sizeof look.colour);
    return look;
}

/* Parses a number within the bounds, followed by one of the units; returns the unit's index, or -1. */
static int read_measure(const char *text, const char *const *units, double *number)
{
    char *end;
    if (*text < '0' || *text > '9') /* excludes signs, blanks, "inf" and "nan" */
        return -1;
    *number = strtod(text, &end);
    for (int i = 0; units[i]; i++)
        if (strcmp(end, units[i]) == 0)
            return i;
    return -1;
}

double figure_read_width(const char *text, const struct json_path *place)
{
    static const char *const units[] = {"cm", "mm", "in", "pt", NULL};
    static const double of_unit[] = {1, 0.1, 2.54, 2.54 / 72.27};
    double number = 0;
    if (strcmp(text, "column") == 0 || strcmp(text, "text") == 0)
        return *text == 'c' ? FIGURE_COLUMN : FIGURE_TEXT;
    int unit = read_measure(text, units, &number);
    if (unit < 0 || !(number * of_unit[unit] >= 5 && number * of_unit[unit] <= 60))
        json_die(place,
                 "\"%.40s\" is not a width; allowed: column (8.6cm), text (17.8cm), or 5cm to 60cm in cm, mm, in or "
                 "pt, such as 8.6cm",
                 text);
    return number * of_unit[unit];
}

double figure_read_font_size(const char *text, const struct json_path *place)
{
    static const char *const units[] = {"", "pt", NULL};
    double number = 0;
    if (read_measure(text, units, &number) < 0 || !(number >= FIGURE_SMALLEST_FONT && number <= 20))
        json_die(place, "\"%.40s\" is not a font size; allowed: 7pt to 20pt", text);
    return number;
}

void figure_check_font(const char *text, const struct json_path *place)
{
    size_t good = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 -+._");
    if (!*text || text[good] || strlen(text) > 60 || *text == ' ')
        json_die(place,
                 "\"%.40s\" is not a font; allowed: the name of a font family in letters, digits and blanks, "
                 "such as Helvetica",
                 text);
}

void figure_read_formats(const char *text, const struct json_path *place, int formats[FIGURE_FORMATS])
{
    char word[40];
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ","), i = 0;
        size_t kept = length < sizeof word - 1 ? length : sizeof word - 1;
        memcpy(word, at, kept);
        word[kept] = '\0';
        while (i < FIGURE_FORMATS && strcmp(word, figure_format_names[i]) != 0)
            i++;
        if (i == FIGURE_FORMATS)
            json_die_unknown(place, "format", word, figure_format_names);
        formats[i] = 1;
        at += length;
        if (!*at)
            return;
    }
}

int figure_read_for(const char *text, const struct json_path *place)
{
    static const char *const names[] = {"screen", "paper", NULL};
    if (strcmp(text, names[0]) != 0 && strcmp(text, names[1]) != 0)
        json_die_unknown(place, "use", text, names);
    return *text == 'p';
}

void figure_style_complete(struct figure_style *style)
{
    int any = 0;
    for (size_t i = 0; i < FIGURE_FORMATS; i++)
        any |= style->formats[i];
    if (!style->paper && (style->width > 0 || style->font || style->font_size > 0 || style->single_panels))
        die(STATUS_BAD_INPUT, "%s applies only to figures for print; add --for paper",
            style->width > 0       ? "--width"
            : style->font          ? "--font"
            : style->font_size > 0 ? "--font-size"
                                   : "--single-panels");
    if (!any) {
        style->formats[FORMAT_SVG] = style->formats[FORMAT_PDF] = 1;
        style->formats[FORMAT_PNG] = !style->paper;
    }
    if (!style->paper)
        return;
    style->width = style->width > 0 ? style->width : FIGURE_COLUMN;
    style->font_size = style->font_size > 0 ? style->font_size : FIGURE_FONT_SIZE;
    style->font = style->font ? style->font : "DejaVu Sans";
}
