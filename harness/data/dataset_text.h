/*
 * Text files of data, LIBSVM format and CSV, as tables whose labels are not yet told apart: several files may make one
 * set, and which of two labels is +1 shows only at the end. Every complaint about a file names its line and the column
 * of the byte where the offending word begins, both from 1.
 */
#ifndef HULLBENCH_DATASET_TEXT_H
#define HULLBENCH_DATASET_TEXT_H

#include "harness/data/dataset_parts.h"
#include "harness/support/input_stream.h"

/* Telling the two classes apart: the distinct labels of one or several files, in the order in which they come, and
 * which of them is +1. Labels that are both numbers are compared as numbers (1, +1 and 1.0 are the same one), others
 * byte by byte; the greater one is the positive class. */
enum { LABELS_MAX = 16 }; /* distinct labels told apart: two are good, the others are named in the message */

struct label_seen {
    char *text; /* as it stands where it was seen first */
    int is_number;
    double number;
    const char *path; /* where that is, for messages; borrowed */
    size_t line, column;
};

/* Zero-initialise. */
struct label_set {
    struct label_seen seen[LABELS_MAX];
    size_t count;
    size_t rows; /* labels looked at */
};

/* Where a label stands. */
struct label_place {
    const char *path; /* has to outlive the set */
    size_t line, column;
};

/* *which gets the place of the label in the set, where it is put if it is new; LABELS_MAX for one that finds no room.
 * Fails only out of memory. */
enum status labels_add(struct label_set *set, const char *text, const struct label_place *at, unsigned char *which,
                       struct error *error);

/* STATUS_BAD_INPUT, with the place and all labels told apart, unless there are exactly two. *positive gets the place of
 * the greater one. */
enum status labels_two(const struct label_set *set, unsigned char *positive, struct error *error);

/* Accepts a zeroed set. */
void labels_free(struct label_set *set);

struct labelled_table {
    size_t rows;
    struct patterns patterns; /* of as many rows; taken from the table when they become a data set's */
    unsigned char *y;   /* of each row: the label's place in the label set, LABELS_MAX beyond it */
    size_t first_index; /* of the first column: 0 where a LIBSVM file has an index 0, else 1 */
};

/* Accepts a zeroed table. */
void labelled_table_free(struct labelled_table *table);

/* How patterns of text files are held: by HULLBENCH_STORAGE, "dense" or "compressed", else as is smaller. */
enum patterns_form dataset_text_form(void);
/* The value of HULLBENCH_STORAGE where it is neither of the two nor empty; NULL otherwise. */
const char *dataset_text_unknown_form(void);

/* Nonzero for CSV: by `format` ("csv", "libsvm"), or, where it is NULL, by the file's ending, before which one of
 * compressed files (.gz, .bz2, .xz) is left out. */
int dataset_text_is_csv(const char *path, const char *format);

/* Reads a file, whose path has to outlive the labels, to its end. label_column is for CSV: a header name or a number
 * from 1; NULL: the last. */
enum status labelled_table_read(struct input_stream *stream, const char *format, const char *label_column,
                                struct label_set *labels, struct labelled_table *table, struct error *error);

/* A dense table of `rows` rows and `dims` columns has to fit the memory that is available (available_memory.h) twice,
 * as it is and as it is laid out for the loops over kernel values. Else STATUS_BAD_INPUT; the message begins with
 * `where`. */
enum status dataset_text_check_size(const char *where, size_t rows, size_t dims, struct error *error);

/* The readers of the two formats. LIBSVM format: "label index:value ..." a line, the label a number, indices from 0 or
 * 1 and ascending, those left out 0; "#" starts a comment. */
enum status labelled_table_read_libsvm(struct input_stream *stream, struct label_set *labels,
                                       struct labelled_table *table, struct error *error);
/* CSV: numbers and one column of labels, words or numbers. The first line is a header when none of its fields is a
 * number. */
enum status labelled_table_read_csv(struct input_stream *stream, const char *label_column, struct label_set *labels,
                                    struct labelled_table *table, struct error *error);

#endif
