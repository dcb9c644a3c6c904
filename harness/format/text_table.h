/* A table of texts, written as Markdown, LaTeX or CSV. What is in the cells is the caller's business. */
#ifndef HULLBENCH_TEXT_TABLE_H
#define HULLBENCH_TEXT_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "solvers/error.h"

/* Zero-initialise, set `columns` (1 or more), fill row by row with text_table_cell (the first row is the header), and free
 * with text_table_free. Running out of memory is remembered in `failed` and reported by text_table_write. */
struct text_table {
    size_t columns;
    char **cells; /* count texts, UTF-8, owned */
    size_t count, capacity;
    char *joined; /* per column: nonzero where it stays with the one before when LaTeX breaks the table; or NULL; owned */
    char *title;  /* may be NULL */
    char **notes; /* lines under the table, owned */
    size_t n_notes;
    int failed;
};

void text_table_title(struct text_table *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_table_cell(struct text_table *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Keeps a column beside the one before where LaTeX breaks a table that is too wide; `columns` is set. */
void text_table_keep_together(struct text_table *grid, size_t column);
void text_table_footnote(struct text_table *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* TEXT_TABLE_MARKDOWN and TEXT_TABLE_LATEX (booktabs) carry title and notes; TEXT_TABLE_CSV (RFC 4180) only the cells. */
enum text_table_form { TEXT_TABLE_MARKDOWN, TEXT_TABLE_LATEX, TEXT_TABLE_CSV };
/* Writes the grid as a whole file. An incomplete last row is STATUS_BAD_INPUT. */
enum status text_table_write(const struct text_table *grid, enum text_table_form form, const char *path, struct error *error);

/* The same onto a stream; `label` stands for it in errors. */
enum status text_table_put(const struct text_table *grid, enum text_table_form form, const char *label, FILE *stream, struct error *error);

/* How many characters a UTF-8 text has. */
size_t grid_width(const char *text);

/* Accepts NULL and a zeroed grid. */
void text_table_free(struct text_table *grid);

#endif
