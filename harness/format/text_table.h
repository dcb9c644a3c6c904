/* A table of texts, written as Markdown, LaTeX or CSV. */
#ifndef HULLBENCH_TEXT_TABLE_H
#define HULLBENCH_TEXT_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "harness/base/pool.h"

struct cJSON;

/* Initialise with a pool, which holds its texts; set `columns` (1 or more), and fill row by row with text_table_cell.
 * The first row is the header. */
struct text_table {
    struct pool *pool;
    size_t columns;
    struct text_table_cell {
        char *text; /* UTF-8 */
        int is_bold;
    } *item; /* row by row */
    size_t count, capacity;
    char *title; /* may be NULL */
    struct text_table_notes {
        char **item;
        size_t count, capacity;
    } notes;             /* lines below the table */
    size_t heads;        /* the number of leading columns that name a row; 0 means 1 */
};

void text_table_title(struct text_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_table_cell(struct text_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Sets the columns and adds the header: tabs separate the headings, of which the first `heads` name a row. */
void text_table_header(struct text_table *table, size_t heads, const char *headings);
/* Adds the cells that tabs in the format separate; it has at most 200 bytes. */
void text_table_row(struct text_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_table_footnote(struct text_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes the last cell bold. */
void text_table_bold(struct text_table *table);

/* Adds a cell for each of `count` texts. */
void text_table_cells(struct text_table *table, const char *const *texts, size_t count);
/* Adds a cell with the number to `digits` digits, empty if it is not finite. */
void text_table_number(struct text_table *table, int digits, double number);

/* TEXT_TABLE_MARKDOWN and TEXT_TABLE_LATEX carry title and notes; TEXT_TABLE_CSV (RFC 4180) only the cells. */
enum text_table_form { TEXT_TABLE_MARKDOWN, TEXT_TABLE_LATEX, TEXT_TABLE_CSV };
/* Writes the table, which has complete rows, as a file or to a stream. */
void text_table_write(const struct text_table *table, enum text_table_form form, const char *path);
void text_table_put(const struct text_table *table, enum text_table_form form, FILE *stream);

/* Writes `json`, unless it is NULL, and `table` as FOLDER/NAME.json, .md and .tex, and `csv` as FOLDER/NAME.csv. */
void text_table_write_files(const char *folder, const char *name, const struct cJSON *json,
                            const struct text_table *table, const struct text_table *csv);

#endif
