/*
 * Data in text files (LIBSVM format, CSV) as tables whose classes are not yet assigned: several files may form one set,
 * and which of the two labels is +1 is only known at the end. Every error in a file names the line and the column of
 * the byte where the offending word begins, both from 1.
 */
#ifndef HULLBENCH_DATASET_TEXT_H
#define HULLBENCH_DATASET_TEXT_H

#include "harness/data/dataset.h"
#include "harness/data/text_reader.h"

/* The distinct labels of one or several files, in order of appearance. Two numeric labels are compared as numbers (1,
 * +1 and 1.0 are equal), others byte by byte; the greater one is the positive class. */
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

/* The index of the label in the set; LABELS_MAX if it is new. labels_add adds it then, unless the set is full. The path
 * of the place must outlive the set. */
unsigned char labels_find(const struct label_set *set, const char *text);
unsigned char labels_add(struct label_set *set, const char *text, struct text_place at);

/* The index of the greater label. STATUS_BAD_INPUT, with place, labels and hint, unless there are exactly two. */
unsigned char labels_two(const struct label_set *set, const char *hint);

/* The original form of a known CSV file without a header, whose last column has the labels. */
struct table_layout {
    const char *format;    /* in the manifest */
    size_t columns, first; /* cells in a row; index of the first feature */
    const char *negative, *positive;
    const char *unknown; /* rows with this in place of a number are skipped; NULL: none */
};
/* NULL for other formats. */
const struct table_layout *table_layout_find(const char *format);

/* What is known of a file before it is read. Zero-initialise; only `set` is required. */
struct table_form {
    const struct dataset_spec *set;    /* format, label_column and header */
    int has_no_labels;                 /* the rows have no labels, or labels that do not count */
    const struct columns *expected;    /* those of the training data or of a model; NULL: none */
    const char *expected_in;           /* names them in messages */
    const struct table_layout *layout; /* NULL: any; else the first labels of the set are those of the layout */
};

/* The rows of one file, or of several whose columns are matched by index. */
struct labelled_table {
    struct pool *pool; /* has everything below */
    size_t rows;
    struct patterns patterns; /* one per row; moved out when they become a data set's */
    unsigned char *y;   /* of each row: the label's index in the label set, or LABELS_MAX */
    size_t first_index; /* of the first column: 0 if a LIBSVM file has an index 0, else 1 */
    struct columns columns;   /* of the latest file, if it is CSV */
    struct string_list notes; /* what was guessed or looks wrong, for the user */
    /* While it is read, compressed: 12 bytes per value and 9 per row. Features are LIBSVM's indices; columns of CSV
     * count from 1. */
    size_t n_values, capacity, row_capacity;
    int has_zero;   /* an index 0 was seen */
    size_t largest; /* index */
    struct text_place largest_at;
};
#define table_note(table, ...) string_list_push((table)->pool, &(table)->notes, __VA_ARGS__)

/* An empty table; a whole file, whose path must outlive table and labels, after the rows of earlier ones; the end of
 * the last. labels_add is not called without labels in the form. STATUS_BAD_INPUT if the available memory is too small.
 * */
struct labelled_table *labelled_table_new(struct pool *pool);
void labelled_table_add(struct labelled_table *table, struct input_stream *stream, const struct table_form *form,
                        struct label_set *labels);
void labelled_table_finish(struct labelled_table *table);

/* How to store patterns of text files: HULLBENCH_STORAGE, "dense" or "compressed", else whichever is smaller. *unknown
 * (may be NULL) gets its value if it is not empty and neither of the two, else NULL. */
enum patterns_form dataset_text_form(const char **unknown);

/* Nonzero for CSV: from `format` ("csv", "libsvm") or, if NULL, from the file extension before .gz and the like. */
int dataset_text_is_csv(const char *path, const char *format);

/* A note: a file, its first index, and the same of what it is compared with. */
#define INDICES_DIFFER "%s: its features are counted from %zu, those of %s from %zu; they are matched by index"

/* Makes compressed patterns dense. STATUS_BAD_INPUT unless the available memory (available_memory.h) holds the table
 * twice: as it is, and rearranged for the kernel loops. The message begins with `where`. */
void patterns_make_dense(struct patterns *patterns, const char *where);

/* The readers of the two formats, for labelled_table_add; what they need while reading is in the reader's pool. */
void table_read_libsvm(struct text_reader *text, const struct table_form *form, struct label_set *labels,
                       struct labelled_table *table);
void table_read_csv(struct text_reader *text, const struct table_form *form, struct label_set *labels,
                    struct labelled_table *table);
/* Adds the rest of the line, "index:value ...", to the current row; also of a support vector. */
void table_read_features(struct text_reader *text, struct labelled_table *table);

/* Reserves space for a value. STATUS_BAD_INPUT if too little memory is available; `text` is being read. */
void table_grow(struct labelled_table *table, const struct text_reader *text);
/* Adds a value, unless it is 0, to the current row. Features have to ascend. */
static inline void table_add_value(struct labelled_table *table, size_t feature, double value,
                                   const struct text_reader *text)
{
    if (value == 0)
        return;
    if (table->n_values == table->capacity)
        table_grow(table, text);
    table->patterns.feature[table->n_values] = (uint32_t)feature;
    table->patterns.values[table->n_values++] = value;
}
/* Ends a row and begins the next. */
void table_end_row(struct labelled_table *table, unsigned char which);

#endif
