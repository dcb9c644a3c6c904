/*
 * The columns of a text table: the only place that decides whether its first line is a header and which column has the
 * labels, and that matches the columns of a file with those of the training data or of a model. A guess that might be
 * wrong is noted; one that probably is wrong is refused.
 */
#ifndef HULLBENCH_COLUMNS_H
#define HULLBENCH_COLUMNS_H

#include <stddef.h>

#include "harness/base/pool.h"
#include "harness/support/string_list.h"

/* The features of a table with columns. */
struct columns {
    size_t count; /* 0: unknown, or LIBSVM format, whose features have indices and no columns */
    char **names; /* count names of the header; NULL: no header */
    char *label;  /* the header's name of the label column; NULL: no header or no labels */
};

/* A copy in the pool. */
struct columns columns_copy(struct pool *pool, const struct columns *from);

/* A place in a text file, from 1; `path` is borrowed. */
struct text_place {
    const char *path;
    size_t line, column;
};
/* Ends with STATUS_BAD_INPUT and "PATH:LINE:COLUMN: MESSAGE". */
_Noreturn void place_die(const struct text_place *at, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What is known of a file before it is read. Zero-initialise. */
struct table_form {
    const char *format;       /* "libsvm" or "csv"; NULL: by the file extension */
    const char *label_column; /* CSV: a header name or a number from 1; NULL: the last column */
    const char *header;       /* CSV: "yes", "no" or "auto"; NULL: auto */
    int has_no_labels;        /* the rows have no labels, or labels that do not count */
    const struct columns *expected; /* those of the training data or of a model; NULL: none */
    const char *expected_in;        /* names them in messages */
};

/* "yes", "no" and "auto"; NULL-terminated. */
extern const char *const header_words[];
/* Nonzero for one of these words, or NULL. */
int header_word_is_known(const char *word);

/* The cells of the first line with any. */
struct first_line {
    struct text_place at;
    size_t count;
    const char *const *cells;
};

/* What a file's columns are. */
struct column_plan {
    int is_header;   /* the first line has names */
    int is_guess;    /* ... or has none, because nobody said otherwise */
    int is_unsure;   /* the guess might be wrong: it is noted */
    int is_of_whole; /* its cells are different whole numbers in plain digits */
    size_t label;    /* the column of the labels, from 0; COLUMN_NONE: there is none */
    size_t ignored;  /* a column of labels that do not count; COLUMN_NONE */
    size_t *feature; /* of each column, the feature that it has; NULL: features in order of the columns */
};
#define COLUMN_NONE ((size_t)-1)

/* Decides, and describes the columns, in the pool. Adds what was guessed to the notes. STATUS_BAD_INPUT with the
 * place. */
struct column_plan columns_plan(struct pool *pool, const struct first_line *line, const struct table_form *form,
                                struct columns *columns, struct string_list *notes);

/* Nonzero for digits only. */
int is_plain_integer(const char *text);

struct labelled_table; /* dataset_text.h */
/* Notes a feature that numbers the rows from 0 or 1; STATUS_BAD_INPUT if its column has no name, as pandas and R write
 * row names. */
void columns_check_row_numbers(struct labelled_table *table, const char *path);

#endif
