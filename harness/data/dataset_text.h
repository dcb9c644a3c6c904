/*
 * Plain data files, LIBSVM format and CSV, as tables whose labels are not yet told apart: several files may make one
 * set, and which of two labels is +1 shows only at the end. Every complaint about a file names its line and the column
 * of the byte where the offending word begins, both from 1.
 */
#ifndef HULLBENCH_DATASET_TEXT_H
#define HULLBENCH_DATASET_TEXT_H

#include "harness/data/dataset_parts.h"
#include "harness/data/labels.h"

struct labelled_table {
    struct rows rows;   /* y: the label's place in the label set, LABELS_MOST beyond it */
    size_t first_index; /* of the first column: 0 where a LIBSVM file has an index 0, else 1 */
};

/* Nonzero for CSV: by `format` ("csv", "libsvm"), or, where it is NULL, by the file's ending. */
int dataset_text_is_csv(const char *path, const char *format);

/* Reads a file in memory, whose path has to outlive the labels. label_column is for CSV: a header name or a number from
 * 1; NULL: the last. */
enum status dataset_text_read(const struct input *input, const char *format, const char *label_column,
                       struct label_set *labels, struct labelled_table *table, struct error *error);

/* A table of `rows` rows and `dims` columns has to fit the memory of this machine twice, as it is and as it is laid out
 * for the loops over kernel values. Else STATUS_BAD_INPUT; the message begins with `where`. */
enum status dataset_text_check_size(const char *where, size_t rows, size_t dims, struct error *error);

/* The readers of the two formats. LIBSVM format: "label index:value ..." a line, the label a number, indices from 0 or
 * 1 and ascending, those left out 0; "#" starts a comment. */
enum status dataset_text_read_libsvm(const struct input *input, struct label_set *labels, struct labelled_table *table,
                              struct error *error);
/* CSV: numbers and one column of labels, words or numbers. The first line is a header when none of its fields is a
 * number. */
enum status dataset_text_read_csv(const struct input *input, const char *label_column, struct label_set *labels,
                           struct labelled_table *table, struct error *error);

#endif
