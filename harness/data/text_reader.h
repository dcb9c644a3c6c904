/* A text file in memory, read line by line and word by word, and messages that name the place. */
#ifndef HULLBENCH_TEXT_READER_H
#define HULLBENCH_TEXT_READER_H

#include <stddef.h>

#include "solvers/error.h"

struct text_reader {
    const char *path;
    size_t line;        /* the present one, from 1 */
    const char *blanks; /* what stands between words; a line ends at a newline */
    int has_comments;   /* "#" and what stands behind it in a line are left out */
    struct error *error;
    char *text, *next, *end; /* a copy of the file; what has not been read of it */
    char *start, *rest;      /* the present line; what follows its last word */
};

/* Begins with `size` bytes of the file at `path`, where path, blanks, has_comments and error are set. A byte order mark
 * at the beginning is passed over. STATUS_BAD_INPUT where there is a zero byte. Closed also after an error. */
enum status text_reader_open(struct text_reader *reader, const char *text, size_t size);
void text_reader_close(struct text_reader *reader);

/* Goes on to the next line that has a word and returns that; NULL at the end of the file. */
char *text_reader_line(struct text_reader *reader);
/* The next word of the line, or NULL. */
char *text_reader_word(struct text_reader *reader);

/* The byte of the present line at which `at` stands, from 1. */
size_t text_reader_column(const struct text_reader *reader, const char *at);
/* Fills the error with "PATH:LINE:COLUMN: MESSAGE" and returns STATUS_BAD_INPUT. `at` in the present line; NULL: its
 * beginning. */
enum status text_reader_fail(const struct text_reader *reader, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum status text_reader_no_memory(const struct text_reader *reader);

/* Makes room for one more element of `size` bytes in the malloc'ed array that the pointer at `array` points to and that
 * has `count` of *capacity elements; 0 when out of memory. */
int array_grow(void *array, size_t count, size_t *capacity, size_t size);

#endif
