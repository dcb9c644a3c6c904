/*
 * How figures are drawn: for a screen, with heading and caption, or for a page of print, without them and of a width
 * that is given. All kinds of figures follow it alike.
 */
#ifndef HULLBENCH_FIGURE_STYLE_H
#define HULLBENCH_FIGURE_STYLE_H

#include <stddef.h>

#include "solvers/error.h"

/* The colour, dash and mark of a series. */
enum { FIGURE_COLOURS = 6, FIGURE_DASHES = 4, FIGURE_MARKS = 12 };
struct figure_look {
    char colour[8];    /* "#rrggbb" */
    int dash, mark;    /* from 1 to FIGURE_DASHES and FIGURE_MARKS (plots/common.gp) */
};
/* The looks of solvers in the order of a run's configuration: colours for the colour-blind, of which one is met again
 * after six, with another mark and dash; 48 differ. */
struct figure_look figure_look_at(size_t place);

/* A series of this name, or of this name, a comma and more, is drawn so. */
struct figure_named_look {
    char *name, *of; /* of: the solver that is called so, for labels that have its name still; may be NULL */
    struct figure_look look;
};

/* The names of dashes and marks in specifications, NULL-terminated. */
extern const char *const figure_dash_names[], *const figure_mark_names[];

enum figure_format { FORMAT_SVG, FORMAT_PNG, FORMAT_PDF, FORMAT_TIKZ, FORMAT_CAIROLATEX, FIGURE_FORMATS };
extern const char *const figure_format_names[FIGURE_FORMATS + 1]; /* NULL-terminated */

/* Zeroed: for a screen, with three formats. */
struct figure_style {
    int paper;                       /* nonzero: for print */
    double width, font_size;         /* for print: cm, pt; 0: figure_style_complete sets them */
    const char *font;                /* NULL: DejaVu Sans */
    int formats[FIGURE_FORMATS];     /* nonzero: drawn; all 0: svg, png and pdf, or for print pdf and svg */
    int single_panels;               /* nonzero: every panel is a figure of its own, NAME-1, NAME-2, ... */
    const struct figure_named_look *looks;
    size_t n_looks;
};

/* The zeroed style, complete. */
extern const struct figure_style figure_style_screen;

/* In cm: the column and the text of a page of two columns. In pt. */
#define FIGURE_COLUMN 8.6
#define FIGURE_TEXT 17.8
#define FIGURE_FONT_SIZE 8
#define FIGURE_SMALLEST_FONT 7

/* Read the text of an option, or a member of a specification: "column", "text", "8.6cm", "85mm", "3.4in" into cm, from
 * 5 to 60 cm; "8" or "8pt", from 7 to 20; a font's family; "pdf,svg"; "screen" or "paper". On a mistake they return
 * STATUS_BAD_INPUT, with the value and what is allowed. */
enum status figure_read_width(const char *text, double *cm, struct error *error);
enum status figure_read_font_size(const char *text, double *points, struct error *error);
enum status figure_read_font(const char *text, const char **font, struct error *error);
enum status figure_read_formats(const char *text, int formats[FIGURE_FORMATS], struct error *error);
enum status figure_read_for(const char *text, int *paper, struct error *error);
/* Fills in what was not given. STATUS_BAD_INPUT where width, font or size are given for a screen. */
enum status figure_style_complete(struct figure_style *style, struct error *error);

#endif
