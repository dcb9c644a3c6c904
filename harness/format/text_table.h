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
};

void text_table_title(struct text_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_table_cell(struct text_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_table_footnote(struct text_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

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

/* Accepts NULL and a zeroed table. */
void text_table_free(struct text_table *table);

#endif
