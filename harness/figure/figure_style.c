/* See figure_style.h. */
#include "harness/figure/figure_style.h"

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

struct series_style series_style_at(size_t place)
{
    static const char colours[FIGURE_COLOURS][8] = {"#004c8c", "#d55e00", "#009e73", "#000000", "#c04c94", "#8c6d00"};
    struct series_style style = {.dash = (int)((place + place / FIGURE_MARKS) % FIGURE_DASHES) + 1,
                               .mark = (int)(place % FIGURE_MARKS) + 1};
    memcpy(style.colour, colours[place % FIGURE_COLOURS], sizeof style.colour);
    return style;
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
