/* A table of texts, written as Markdown, LaTeX or CSV. What is in the cells is the caller's business. */
#ifndef HULLBENCH_GRID_H
#define HULLBENCH_GRID_H

#include <stddef.h>
#include <stdio.h>

#include "solvers/error.h"

/* Zero-initialise, set `columns` (1 or more), fill row by row with grid_cell (the first row is the header), and free
 * with grid_free. Running out of memory is remembered in `failed` and reported by grid_write. */
struct grid {
    size_t columns;
    char **cells; /* count texts, UTF-8, owned */
    size_t count, capacity;
    char *joined; /* per column: nonzero where it stays with the one before when LaTeX breaks the table; or NULL; owned */
    char *title;  /* may be NULL */
    char **notes; /* lines under the table, owned */
    size_t n_notes;
    int failed;
};

void grid_title(struct grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));
void grid_cell(struct grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Keeps a column beside the one before where LaTeX breaks a table that is too wide; `columns` is set. */
void grid_join(struct grid *grid, size_t column);
void grid_note(struct grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* GRID_MARKDOWN and GRID_LATEX (booktabs) carry title and notes; GRID_CSV (RFC 4180) only the cells. */
enum grid_form { GRID_MARKDOWN, GRID_LATEX, GRID_CSV };
/* Writes the grid as a whole file. An incomplete last row is STATUS_BAD_INPUT. */
enum status grid_write(const struct grid *grid, enum grid_form form, const char *path, struct error *error);

/* The same onto a stream; `label` stands for it in errors. */
enum status grid_put(const struct grid *grid, enum grid_form form, const char *label, FILE *stream, struct error *error);

/* How many characters a UTF-8 text has. */
size_t grid_width(const char *text);

/* Accepts NULL and a zeroed grid. */
void grid_free(struct grid *grid);

#endif
