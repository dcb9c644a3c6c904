/* Reads a text file line by line and word by word as a stream; numbers; messages that name the place. */
#ifndef HULLBENCH_TEXT_READER_H
#define HULLBENCH_TEXT_READER_H

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/support/input_stream.h"

/* Maximum bytes of a line, without its newline, and of the file's beginning up to a newline, blank or comma. A file
 * that exceeds either limit is not text with numbers and is rejected once that much has been read. */
enum { LINE_MAX_BYTES = 64 << 20, FIRST_WORD_MAX_BYTES = 1 << 20 };

/* The caller sets the first group; members may stay 0. */
struct text_reader {
    const char *blanks; /* the characters between words; a line ends at LF, CR or CR LF */
    int has_comments;   /* "#" and the rest of its line are ignored */
    int needs_newline;  /* a last line without a newline is an error: the file is truncated */
    size_t line_max;    /* 0: LINE_MAX_BYTES */
    size_t chunk;       /* bytes per read; 0: INPUT_CHUNK */

    const char *path;
    size_t line;        /* the current line, from 1 */
    char *start, *rest; /* the current line; the text after its last word, or after a byte order mark, up to a NUL */

    struct pool *pool;
    struct input_stream *stream;
    char *buffer, *held; /* the bytes read so far; the part of them in use, up to `end` */
    char *next, *end;    /* what follows the current line; *end has room for a NUL */
    char *newline;       /* the first newline from `next` on, or `end`; NULL: not looked for */
    char *cut, cut_byte; /* where the current line ends in a NUL, and what it replaces; NULL: the end of the file */
    size_t capacity;
    int is_last; /* the file has no bytes after these */
    unsigned char is_blank[256];
};

/* Begins to read the stream, which has to stay open, into a buffer in the pool. */
void text_reader_open(struct text_reader *reader, struct pool *pool, struct input_stream *stream);

/* Advances to the next line with a word and returns that word; NULL at the end of the file. STATUS_BAD_INPUT for a line
 * that is too long, a zero byte, a file that cannot be read. */
char *text_reader_line(struct text_reader *reader);
/* The next word of the line, or NULL. */
char *text_reader_word(struct text_reader *reader);
/* Makes the last word returned the next one again. */
void text_reader_unread_word(struct text_reader *reader, char *word);

/* Advances to the next line, even an empty one: it goes from reader->start to a NUL in place of its line end, and
 * *size is its length in bytes. 0 where text_reader_line returns NULL. */
int text_reader_whole_line(struct text_reader *reader, size_t *size);
/* The same, but keeps the lines since the last text_reader_whole_line, from reader->held on; all may move. */
int text_reader_add_line(struct text_reader *reader, size_t *size);

/* A place in a text file: line and column in bytes, from 1; `path` is borrowed. */
struct text_place {
    const char *path;
    size_t line, column;
};
/* The place of `at`, which is in the current line; NULL: its beginning. */
struct text_place text_reader_place(const struct text_reader *reader, const char *at);
/* "PATH:LINE:COLUMN". */
const char *text_place_text(struct text_place at);
/* Ends with STATUS_BAD_INPUT and "PATH:LINE:COLUMN: MESSAGE". */
#define place_die(at, ...) die(STATUS_BAD_INPUT, "%s: %s", text_place_text(at), message_text(__VA_ARGS__))
#define text_reader_die(reader, at, ...) place_die(text_reader_place((reader), (at)), __VA_ARGS__)

/* Parses a whole text as a finite decimal number; 0 if it is not one. */
int finite_parse(const char *text, double *value);
/* The same, limited to DATASET_LARGEST in magnitude. */
int number_parse(const char *text, double *value);
/* Below this, squares of values stay finite when summed over any data set that fits into memory. */
#define DATASET_LARGEST 1e100
/* The first characters of a text as visible_text shows it, at most 43 bytes (message_room). */
const char *text_shown(const char *text);

#endif
