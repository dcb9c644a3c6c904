/*
 * Data in text files (LIBSVM format, CSV) as tables whose classes are not yet assigned: several files may form one set,
 * and which of the two labels is +1 is only known at the end. Every error in a file names the line and the column of
 * the byte where the offending word begins, both from 1.
 */
#ifndef HULLBENCH_DATASET_TEXT_H
#define HULLBENCH_DATASET_TEXT_H

#include "harness/data/columns.h"
#include "harness/data/dataset_parts.h"
#include "harness/support/input_stream.h"

/* Distinguishes the two classes: the distinct labels of one or several files, in order of appearance, and which of them
 * is +1. Two numeric labels are compared as numbers (1, +1 and 1.0 are equal), others byte by byte; the greater one is
 * the positive class. */
enum { LABELS_MAX = 16 }; /* distinct labels kept: two are valid, the message lists the others */

struct label_seen {
    char *text; /* as written at its first occurrence */
    int is_number;
    double number;
    const char *path; /* place of that occurrence, for messages; borrowed */
    size_t line, column;
    size_t count; /* rows with this label */
};

/* Zero-initialise. */
struct label_set {
    struct label_seen seen[LABELS_MAX];
    size_t count;
    size_t rows; /* labels seen */
};

/* The place of a label in its file. */
struct label_place {
    const char *path; /* must outlive the set */
    size_t line, column;
};

/* Sets *which to the index of the label in the set, and adds new labels; LABELS_MAX if the set is full. Fails only if
 * out of memory. */
enum status labels_add(struct label_set *set, const char *text, const struct label_place *at, unsigned char *which,
                       struct error *error);

/* Sets *positive to the index of the greater label. STATUS_BAD_INPUT, with the place and all labels found, unless there
 * are exactly two. */
enum status labels_two(const struct label_set *set, unsigned char *positive, struct error *error);

/* Accepts a zeroed set. */
void labels_free(struct label_set *set);

struct labelled_table {
    size_t rows;
    struct patterns patterns; /* one per row; moved out when they become a data set's */
    unsigned char *y;   /* of each row: the label's index in the label set, or LABELS_MAX */
    size_t first_index; /* of the first column: 0 if a LIBSVM file has an index 0, else 1 */
    struct columns columns;   /* of CSV */
    struct string_list notes; /* what was guessed or looks wrong, for the user */
};

/* Accepts a zeroed table. */
void labelled_table_free(struct labelled_table *table);

/* How to store patterns of text files: HULLBENCH_STORAGE, "dense" or "compressed", else whichever is smaller. */
enum patterns_form dataset_text_form(void);
/* The value of HULLBENCH_STORAGE if it is not empty and neither of the two; NULL otherwise. */
const char *dataset_text_unknown_form(void);

/* Nonzero for CSV: from `format` ("csv", "libsvm") or, if NULL, from the file extension before .gz and the like. */
int dataset_text_is_csv(const char *path, const char *format);

/* A note: a file, its first index, and the same of what it is compared with. */
#define INDICES_DIFFER "%s: its features are counted from %zu, those of %s from %zu; they are matched by index"

/* Reads a whole file, whose path must outlive the labels. Without labels in the form, labels_add is not called. */
enum status labelled_table_read(struct input_stream *stream, const struct table_form *form, struct label_set *labels,
                                struct labelled_table *table, struct error *error);

/* Checks that the available memory (available_memory.h) holds a dense table of `rows` rows and `dims` columns twice: as
 * it is, and rearranged for the kernel loops. Else STATUS_BAD_INPUT; the message begins with `where`. */
enum status dataset_text_check_size(const char *where, size_t rows, size_t dims, struct error *error);

/* The readers of the two formats. LIBSVM format: "label index:value ..." per line, numeric label, indices ascending
 * from 0 or 1, omitted features 0; "#" starts a comment. A row without a label may begin with its first index. */
enum status labelled_table_read_libsvm(struct input_stream *stream, const struct table_form *form,
                                       struct label_set *labels, struct labelled_table *table, struct error *error);
/* CSV: numbers and one column of labels, words or numbers. columns.h decides what the columns are. */
enum status labelled_table_read_csv(struct input_stream *stream, const struct table_form *form,
                                    struct label_set *labels, struct labelled_table *table, struct error *error);

#endif
