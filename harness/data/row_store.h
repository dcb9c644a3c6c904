/*
 * Rows while a text file is being read: compressed, 12 bytes per nonzero value and 9 per row. Memory is requested as
 * the file is read; if no more is available, reading ends with a message that says so.
 */
#ifndef HULLBENCH_ROW_STORE_H
#define HULLBENCH_ROW_STORE_H

#include "harness/data/dataset_text.h"
#include "harness/data/text_reader.h"

/* Zero-initialise, and row_store_keep. */
struct row_store {
    size_t count;      /* complete rows */
    size_t n_values;
    uint32_t *feature; /* n_values */
    double *values;    /* n_values, not 0 */
    size_t *begin;     /* of each row: index of its first value */
    unsigned char *y;  /* of each row: the label's index in the label set */
    size_t capacity, row_capacity;
};

/* The pool releases what the store has. */
void row_store_keep(struct pool *pool, struct row_store *rows);
/* Reserves space for at least one more value. STATUS_BAD_INPUT if too little memory is available; `text` is being
 * read. */
void row_store_grow(struct row_store *rows, const struct text_reader *text);
/* Ends a row and begins the next. */
void row_store_end_row(struct row_store *rows, unsigned char which);
/* Moves the rows, at least one, to a table whose columns are the `dims` features from `first` on. STATUS_BAD_INPUT, in
 * a message that begins with `where`, unless the table fits the available memory. */
void row_store_finish(struct row_store *rows, const char *where, size_t first, size_t dims,
                      struct labelled_table *table);

/* Adds a value, unless it is 0, to the current row. Features have to ascend. */
static inline void row_store_add_value(struct row_store *rows, size_t feature, double value,
                                       const struct text_reader *text)
{
    if (value == 0)
        return;
    if (rows->n_values == rows->capacity)
        row_store_grow(rows, text);
    rows->feature[rows->n_values] = (uint32_t)feature;
    rows->values[rows->n_values++] = value;
}

#endif
