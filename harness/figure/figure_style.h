/* The style of figures: for a screen, or for print, of a given width. All kinds of figures use the same style. */
#ifndef HULLBENCH_FIGURE_STYLE_H
#define HULLBENCH_FIGURE_STYLE_H

#include <stddef.h>

/* The number of colours, dashes and marks for series. */
enum { FIGURE_COLOURS = 6, FIGURE_DASHES = 4, FIGURE_MARKS = 12 };
struct series_style {
    char colour[8];    /* "#rrggbb" */
    int dash, mark;    /* from 1 to FIGURE_DASHES and FIGURE_MARKS (plots/common.gp) */
};
/* The styles of solvers in the order of a run's configuration. Colours suit colour-blind readers and repeat after six,
 * with another mark and dash; 48 styles differ. */
struct series_style series_style_at(size_t place);

/* The style of a series with this name, or with this name before a comma. */
struct named_style {
    const char *name, *of; /* of: the solver's name, for labels that still use it; may be NULL */
    struct series_style style;
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
    const struct named_style *series;
    size_t n_series;
};

/* The zeroed style after figure_style_complete. */
extern const struct figure_style figure_style_screen;

/* The width of a column of a two-column page in cm, and the usual size of a font in pt. */
#define FIGURE_COLUMN 8.6
#define FIGURE_FONT_SIZE 8

/* Sets defaults for missing values. Dies with STATUS_BAD_INPUT if width, font or size are given for a screen. */
void figure_style_complete(struct figure_style *style);

#endif
