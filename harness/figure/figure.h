/*
 * Builds a figure: the numbers, the gnuplot variables that describe them, and the template that draws them.
 */
#ifndef HULLBENCH_FIGURE_H
#define HULLBENCH_FIGURE_H

#include <stddef.h>
#include <stdio.h>

#include "harness/figure/figure_style.h"
#include "harness/figure/range.h"
#include "solvers/error.h"

/* The parts of a figure, most of them text streams. */
struct plot_figure {
    struct pool *pool;       /* of the texts and arrays */
    const char *drawing;     /* template plots/DRAWING.gp */
    char *name;              /* of the files, without extension */
    FILE *dat;               /* the numbers */
    FILE *head;              /* gnuplot assignments before the template */
    FILE *heading, *caption; /* printed above and, in small print, below the figure */
    size_t caption_columns;  /* characters per line of the caption; set by the kind, initially 150 */
    char **series, **panels; /* their titles, as given to plot_figure_series and plot_figure_panels */
    size_t n_series, n_panels;
    struct plot_text {
        char *text;
        size_t size;
    } texts[4]; /* the memory of the streams */
};

/* Starts a figure called prefix, prefix-one or prefix-one-two (one and two may be NULL; file_name.h). Release with
 * plot_figure_free. */
void plot_figure_open(struct plot_figure *figure, const char *drawing, const char *prefix, const char *one,
                      const char *two);
void plot_figure_free(struct plot_figure *figure);

/* Assign a gnuplot variable: a string (quoted and escaped), a number, or an array of n strings or numbers. For n = 0
 * the array has one unused element, because gnuplot has no empty arrays. */
void plot_figure_text(struct plot_figure *figure, const char *variable, const char *text);
void plot_figure_number(struct plot_figure *figure, const char *variable, double number);
void plot_figure_texts(struct plot_figure *figure, const char *variable, const char *const *texts, size_t n);
void plot_figure_numbers(struct plot_figure *figure, const char *variable, const double *numbers, size_t n);
/* Assigns the array "series"; the labels select the looks. */
void plot_figure_series(struct plot_figure *figure, const char *const *labels, size_t n);
/* Sets the number of panels in the template's order, and their titles (may be NULL). The default is one panel. */
void plot_figure_panels(struct plot_figure *figure, const char *const *titles, size_t n);
/* Assigns the arrays "PREFIXlow" and "PREFIXhigh" of n ranges; NaN for an empty one. */
void plot_figure_ranges(struct plot_figure *figure, const char *prefix, const struct plot_range *ranges, size_t n);
/* Prints a number for gnuplot with 15 digits, or 17 if 15 do not read back the same; NaN if it is not finite. */
void plot_number(FILE *stream, double number);
/* Prints n numbers with blanks between them and `end` after the last. */
void plot_numbers(FILE *stream, const double *numbers, size_t n, const char *end);
/* Prints the row of a block that has nothing to draw: n times NaN. gnuplot does not count a block without a row. */
void plot_empty_block(FILE *stream, size_t n);
/* Prints text in double quotes for a .gp: quotes and backslashes are escaped, control characters become blanks. */
void plot_quoted(FILE *stream, const char *text);

/* Prints text in double quotes for a .dat, where gnuplot has no escapes: double quotes become single ones. */
void plot_data_text(FILE *stream, const char *text);

/* The text that a written .gp assigns to the variable, on one line; NULL: none. */
char *plot_variable(struct pool *pool, const char *program, const char *variable);

/* The number of figures to write: one, or one per panel with single panels. */
size_t plot_figure_sheets(const struct plot_figure *figure, const struct figure_style *style);
/* The name of the k-th figure: NAME, or NAME-1, NAME-2, ... */
const char *plot_figure_sheet_name(const struct plot_figure *figure, const struct figure_style *style, size_t k);
/* Prints the beginning of a .gp: input and output files, and the page. */
void plot_figure_put_page(FILE *gp, const char *data, const char *sheet, size_t panel,
                          const struct figure_style *style);
/* Writes FOLDER/NAME.dat and, for each sheet, FOLDER/SHEET.gp: the variables, heading and caption, plots/common.gp and
 * the template. For print it also writes heading and caption to FOLDER/SHEET.txt. The style is complete. */
void plot_figure_write(struct plot_figure *figure, const char *folder, const struct figure_style *style);

#endif
