/*
 * The style of figures: for a screen, with heading and caption, or for print, without them and of a given width. All
 * kinds of figures use the same style.
 */
#ifndef HULLBENCH_FIGURE_STYLE_H
#define HULLBENCH_FIGURE_STYLE_H

#include <stddef.h>

struct json_path;

/* The number of colours, dashes and marks for series. */
enum { FIGURE_COLOURS = 6, FIGURE_DASHES = 4, FIGURE_MARKS = 12 };
struct figure_look {
    char colour[8];    /* "#rrggbb" */
    int dash, mark;    /* from 1 to FIGURE_DASHES and FIGURE_MARKS (plots/common.gp) */
};
/* The looks of solvers in the order of a run's configuration. Colours suit colour-blind readers and repeat after six,
 * with another mark and dash; 48 looks differ. */
struct figure_look figure_look_at(size_t place);

/* The look of a series with this name, or with this name before a comma. */
struct figure_named_look {
    const char *name, *of; /* of: the solver's name, for labels that still use it; may be NULL */
    struct figure_look look;
};

/* The names of dashes and marks in specifications, NULL-terminated. */
extern const char *const figure_dash_names[], *const figure_mark_names[];

enum figure_format { FORMAT_SVG, FORMAT_PNG, FORMAT_PDF, FORMAT_TIKZ, FORMAT_CAIROLATEX, FIGURE_FORMATS };
extern const char *const figure_format_names[FIGURE_FORMATS + 1]; /* NULL-terminated */

/* Zeroed: for a screen, in three formats. */
struct figure_style {
    int paper;                       /* nonzero: for print */
    double width, font_size;         /* for print: cm, pt; 0: figure_style_complete sets them */
    const char *font;                /* NULL: DejaVu Sans */
    int formats[FIGURE_FORMATS];     /* nonzero: write this format; all 0: svg, png and pdf, or for print pdf and svg */
    int single_panels;               /* nonzero: every panel becomes a separate figure, NAME-1, NAME-2, ... */
    const struct figure_named_look *looks;
    size_t n_looks;
};

/* The zeroed style after figure_style_complete. */
extern const struct figure_style figure_style_screen;

/* In cm: the widths of a column and of the text on a two-column page. In pt: the font sizes. */
#define FIGURE_COLUMN 8.6
#define FIGURE_TEXT 17.8
#define FIGURE_FONT_SIZE 8
#define FIGURE_SMALLEST_FONT 7

/* Parse the text of an option or a member of a specification, which is at `place`: "column", "text", "8.6cm", "85mm",
 * "3.4in" into cm, from 5 to 60 cm; "8" or "8pt", from 7 to 20; a font family; "pdf,svg"; "screen" or "paper"
 * (nonzero). They die with STATUS_BAD_INPUT, the value and the allowed values. */
double figure_read_width(const char *text, const struct json_path *place);
double figure_read_font_size(const char *text, const struct json_path *place);
void figure_check_font(const char *text, const struct json_path *place);
void figure_read_formats(const char *text, const struct json_path *place, int formats[FIGURE_FORMATS]);
int figure_read_for(const char *text, const struct json_path *place);
/* Sets defaults for missing values. Dies with STATUS_BAD_INPUT if width, font or size are given for a screen. */
void figure_style_complete(struct figure_style *style);

#endif
