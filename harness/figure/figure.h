/*
 * Builds a figure: the numbers, the gnuplot variables that describe them, and the template that draws them.
 */
#ifndef HULLBENCH_FIGURE_H
#define HULLBENCH_FIGURE_H

#include "harness/base/pool.h"

/* ---- styles: for a screen, or for print, of a given width; the same for all kinds of figures ---- */

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

/* ---- figures ---- */

enum { FIGURE_DAT, FIGURE_HEAD, FIGURE_HEADING, FIGURE_CAPTION, FIGURE_STREAMS };

/* The parts of a figure, most of them text streams. */
struct plot_figure {
    struct pool *pool;   /* of the texts and arrays */
    const char *drawing; /* template plots/DRAWING.gp */
    const char *name;    /* of the files, without extension */
    union {
        struct {
            FILE *dat;               /* the numbers */
            FILE *head;              /* gnuplot assignments before the template */
            FILE *heading, *caption; /* the words of NAME.txt: pictures have neither */
        };
        FILE *streams[FIGURE_STREAMS];
    };
    struct pool_text *texts[FIGURE_STREAMS]; /* of the streams */
    char **series, **panels; /* their titles, as given to plot_figure_series and plot_figure_panels */
    size_t n_series, n_panels;
};

/* Starts a figure called prefix, prefix-one or prefix-one-two (one and two may be NULL; file_name_join). Release its
 * pool. */
void plot_figure_open(struct plot_figure *figure, const char *drawing, const char *prefix, const char *one,
                      const char *two);

/* Assign a gnuplot variable: a string (quoted and escaped), a number, or an array of n strings or numbers. For n = 0
 * the array has one unused element, because gnuplot has no empty arrays. */
void plot_figure_text(struct plot_figure *figure, const char *variable, const char *text);
void plot_figure_number(struct plot_figure *figure, const char *variable, double number);
void plot_figure_texts(struct plot_figure *figure, const char *variable, const char *const *texts, size_t n);
void plot_figure_numbers(struct plot_figure *figure, const char *variable, const double *numbers, size_t n);
/* Assigns the array "series"; the labels select the styles. */
void plot_figure_series(struct plot_figure *figure, const char *const *labels, size_t n);
/* Assigns the array "panels", the titles of the panels in the template's order; the default is one panel. */
void plot_figure_panels(struct plot_figure *figure, const char *const *titles, size_t n);
/* Prints a number for gnuplot with 15 digits, or 17 if 15 do not read back the same; NaN if it is not finite. */
void plot_number(FILE *stream, double number);
/* Prints n numbers with blanks between them and `end` after the last. */
void plot_numbers(FILE *stream, const double *numbers, size_t n, const char *end);
/* Prints the row of a block that has nothing to draw: n times NaN. gnuplot does not count a block without a row. */
void plot_empty_block(FILE *stream, size_t n);
/* Prints text in double quotes for a .dat, where gnuplot has no escapes: double quotes become single ones. */
void plot_data_text(FILE *stream, const char *text);

/* The number of figures to write: one, or one per panel with single panels. */
size_t plot_figure_sheets(const struct plot_figure *figure, const struct figure_style *style);
/* The name of the k-th figure: NAME, or NAME-1, NAME-2, ... */
const char *plot_figure_sheet_name(const struct plot_figure *figure, const struct figure_style *style, size_t k);
/* Writes FOLDER/NAME.dat and, for each sheet, FOLDER/SHEET.gp (the variables, plots/common.gp and the template) and
 * FOLDER/SHEET.txt (heading and caption, a line each). The style is complete. */
void plot_figure_write(struct plot_figure *figure, const char *folder, const struct figure_style *style);

/* Writes the figures of `compare`, `tune` and `atlas` in FROM, which cannot be drawn from records, or only the one
 * called `only`, to TO in another style, and adds their names. Their series get the names of the style. A missing
 * folder FROM means no figures. Creates TO if there are any. Dies with STATUS_BAD_INPUT if an earlier version wrote
 * one. */
void figures_restyle(struct pool *pool, const char *from, const char *only, const char *to,
                     const struct figure_style *style, struct string_list *names);

#endif
