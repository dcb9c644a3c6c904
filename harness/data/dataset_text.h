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
    struct text_place at; /* of that occurrence, for messages */
    size_t count; /* rows with this label */
};

/* Zero-initialise, but for the pool. */
struct label_set {
    struct pool *pool; /* has the texts */
    struct label_seen seen[LABELS_MAX];
    size_t count;
    size_t rows; /* labels seen */
};

/* The index of the label in the set, to which new labels are added; LABELS_MAX if the set is full. The path of the
 * place must outlive the set. */
unsigned char labels_add(struct label_set *set, const char *text, const struct text_place *at);

/* The index of the greater label. STATUS_BAD_INPUT, with the place and all labels found, unless there are exactly
 * two. */
unsigned char labels_two(const struct label_set *set);

struct labelled_table {
    struct pool *pool; /* has everything below */
    size_t rows;
    struct patterns patterns; /* one per row; moved out when they become a data set's */
    unsigned char *y;   /* of each row: the label's index in the label set, or LABELS_MAX */
    size_t first_index; /* of the first column: 0 if a LIBSVM file has an index 0, else 1 */
    struct columns columns;   /* of CSV */
    struct string_list notes; /* what was guessed or looks wrong, for the user */
};

/* An empty table. */
struct labelled_table *labelled_table_new(struct pool *pool);

/* How to store patterns of text files: HULLBENCH_STORAGE, "dense" or "compressed", else whichever is smaller. */
enum patterns_form dataset_text_form(void);
/* The value of HULLBENCH_STORAGE if it is not empty and neither of the two; NULL otherwise. */
const char *dataset_text_unknown_form(void);

/* Nonzero for CSV: from `format` ("csv", "libsvm") or, if NULL, from the file extension before .gz and the like. */
int dataset_text_is_csv(const char *path, const char *format);

/* A note: a file, its first index, and the same of what it is compared with. */
#define INDICES_DIFFER "%s: its features are counted from %zu, those of %s from %zu; they are matched by index"

/* Reads a whole file, whose path must outlive the labels. Without labels in the form, labels_add is not called. */
struct labelled_table *labelled_table_read(struct pool *pool, struct input_stream *stream,
                                           const struct table_form *form, struct label_set *labels);

/* Checks that the available memory (available_memory.h) holds a dense table of `rows` rows and `dims` columns twice: as
 * it is, and rearranged for the kernel loops. Else STATUS_BAD_INPUT; the message begins with `where`. */
void dataset_text_check_size(const char *where, size_t rows, size_t dims);

/* The readers of the two formats. LIBSVM format: "label index:value ..." per line, numeric label, indices ascending
 * from 0 or 1, omitted features 0; "#" starts a comment. A row without a label may begin with its first index. */
void labelled_table_read_libsvm(struct input_stream *stream, const struct table_form *form, struct label_set *labels,
                                struct labelled_table *table);
/* CSV: numbers and one column of labels, words or numbers. columns.h decides what the columns are. */
void labelled_table_read_csv(struct input_stream *stream, const struct table_form *form, struct label_set *labels,
                             struct labelled_table *table);

#endif
