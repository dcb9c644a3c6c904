/* A text file read line by line and word by word as it comes, and messages that name the place. */
#ifndef HULLBENCH_TEXT_READER_H
#define HULLBENCH_TEXT_READER_H

#include <stddef.h>

#include "harness/support/input_stream.h"
#include "solvers/error.h"

/* Bytes of the longest line, its newline not counted; and of a beginning of a file that has to have a newline, a
 * blank or a comma. What breaks either limit is no text of numbers and is refused when so much of it has been read. */
enum { LINE_MAX_BYTES = 64 << 20, FIRST_WORD_MAX_BYTES = 1 << 20 };

/* The caller sets the first group, and may leave its members 0. */
struct text_reader {
    const char *blanks; /* what stands between words; a line ends at a newline */
    int has_comments;   /* "#" and what stands behind it in a line are left out */
    int needs_newline;  /* a last line without a newline is an error: the file was cut off */
    size_t line_max;    /* 0: LINE_MAX_BYTES */
    size_t chunk;       /* bytes read at once; 0: INPUT_CHUNK */
    struct error *error;

    const char *path;
    size_t line;        /* the present one, from 1 */
    enum status status; /* why there is no further line, STATUS_OK at the end of the file */
    char *start, *rest; /* the present line; what follows its last word, up to a NUL */

    struct input_stream *stream;
    char *buffer, *held; /* what has been read of the file; the part of it that is kept, to `end` */
    char *next, *end;    /* what comes after the present line; *end is room for a NUL */
    char *zero;          /* the first zero byte from `next` on, or NULL */
    size_t capacity;
    int is_last; /* the file has no more bytes than these */
    unsigned char is_blank[256];
};

/* Begins to read the stream, which has to stay open until text_reader_close. A byte order mark at the beginning is
 * passed over. */
enum status text_reader_open(struct text_reader *reader, struct input_stream *stream);
/* Accepts a reader that was never opened. */
void text_reader_close(struct text_reader *reader);

/* Goes on to the next line that has a word and returns that; NULL at the end of the file, and where reader->status says
 * what is wrong: a line that is too long, a zero byte, a file that cannot be read. */
char *text_reader_line(struct text_reader *reader);
/* The next word of the line, or NULL. */
char *text_reader_word(struct text_reader *reader);

/* Goes on to the next line as a whole, whatever it holds: from reader->start to a NUL in place of its newline; *size
 * gets its bytes. 0 where text_reader_line returns NULL. */
int text_reader_whole_line(struct text_reader *reader, size_t *size);
/* The same, but the lines before it stay where they are relative to it, from reader->held on, each with its newline,
 * since the last text_reader_whole_line. All of them may move. */
int text_reader_add_line(struct text_reader *reader, size_t *size);

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
