/* A table of texts, written as Markdown, LaTeX or CSV. What is in the cells is the caller's business. */
#ifndef HULLBENCH_TEXT_TABLE_H
#define HULLBENCH_TEXT_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "solvers/error.h"

struct cJSON;

/* Zero-initialise, set `columns` (1 or more), fill row by row with text_table_cell (the first row is the header), and
 * free with text_table_free. */
struct text_table {
    size_t columns;
    char **cells; /* count texts, UTF-8, owned */
    size_t count, capacity;
    char *title;  /* may be NULL */
    char **notes; /* lines under the table, owned */
    size_t n_notes;
    unsigned char *bold; /* of the first n_bold cells: nonzero is set in bold; owned */
    size_t n_bold;
    size_t heads;        /* the columns in front that name a row; 0 stands for 1 */
    struct text_table_page {
        const char *label; /* LaTeX: \label{tab:LABEL}; NULL: as tables of a report are set (text_table.c) */
        double points;     /* the width that it has to fit into */
        int spans;         /* nonzero: over all columns of the page, table* */
    } page;
};

void text_table_title(struct text_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_table_cell(struct text_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_table_footnote(struct text_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The last cell is set in bold. */
void text_table_bold(struct text_table *table);

/* A cell for each of `count` texts. */
void text_table_cells(struct text_table *table, const char *const *texts, size_t count);
/* A cell with the number to `digits` digits, empty where it is not finite. */
void text_table_number(struct text_table *table, int digits, double number);

/* TEXT_TABLE_MARKDOWN and TEXT_TABLE_LATEX carry title and notes; TEXT_TABLE_CSV (RFC 4180) only the cells. */
enum text_table_form { TEXT_TABLE_MARKDOWN, TEXT_TABLE_LATEX, TEXT_TABLE_CSV };
/* Writes the table as a whole file. An incomplete last row is STATUS_BAD_INPUT. */
enum status text_table_write(const struct text_table *table, enum text_table_form form, const char *path,
                             struct error *error);
/* The same onto a stream; `label` stands for it in errors. */
enum status text_table_put(const struct text_table *table, enum text_table_form form, const char *label, FILE *stream,
                           struct error *error);

/* Writes FOLDER/NAME.json, FOLDER/NAME.md and FOLDER/NAME.tex of `table`, and FOLDER/NAME.csv of `csv`. */
enum status text_table_write_files(const char *folder, const char *name, const struct cJSON *json,
                                   const struct text_table *table, const struct text_table *csv, struct error *error);

/* How a table with a page.label is set in LaTeX (latex_table.c): the largest size in which its estimated width fits. */
struct latex_setting {
    size_t size;      /* in latex_sizes */
    double separator; /* points between columns, halved on either side */
    double width;     /* estimated, in points; above page.points where no size fits */
    size_t parts;     /* how many tables side by side it is cut into then; else 1 */
};
struct latex_setting latex_table_choose(const struct text_table *table);
/* Writes it: a heading of several lines in a cell "A\nB" spans the columns that have it in common, cells that name a
 * row are blank where they repeat the row above on the same part, and a part has at most 40 rows. */
void latex_table_write(const struct text_table *table, FILE *stream);

/* Accepts NULL and a zeroed table. */
void text_table_free(struct text_table *table);

#endif
