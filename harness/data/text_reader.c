/*
 * The buffer holds a part of the file. If no further line ends in it, the part still in use moves to the beginning and
 * more is read after it; a buffer full of one line grows. A carriage return at the end of the buffer waits for the next
 * byte, which may be its newline.
 */
#include "harness/data/text_reader.h"

#include <math.h>
#include <string.h>

#include "harness/support/decimal.h"
#include "solvers/visible_text.h"

void text_reader_open(struct text_reader *reader, struct pool *pool, struct input_stream *stream)
{
    reader->pool = pool;
    reader->stream = stream;
    reader->path = input_path(stream);
    reader->capacity = reader->chunk ? reader->chunk : INPUT_CHUNK;
    reader->line_max = reader->line_max ? reader->line_max : LINE_MAX_BYTES;
    reader->buffer = pool_alloc(pool, reader->capacity + 1);
    reader->held = reader->start = reader->rest = reader->next = reader->end = reader->buffer;
    for (const char *blank = reader->blanks; blank && *blank; blank++)
        reader->is_blank[(unsigned char)*blank] = 1;
}

/* ---- the buffer ---- */

/* Makes room behind *end: discards what is no longer needed, or grows the buffer. */
static void make_room(struct text_reader *reader)
{
    size_t used = (size_t)(reader->end - reader->held), start = (size_t)(reader->start - reader->held),
           next = (size_t)(reader->next - reader->held);
    if (used == reader->capacity)
        reader->buffer = pool_alloc(reader->pool, 2 * reader->capacity + 1);
    if (reader->held != reader->buffer)
        memmove(reader->buffer, reader->held, used);
    reader->held = reader->buffer;
    reader->capacity *= used == reader->capacity ? 2 : 1;
    reader->start = reader->held + start;
    reader->next = reader->held + next;
    reader->end = reader->held + used;
    reader->newline = NULL;
}

/* Checks the limit for a line of which `size` bytes are held. */
static void check_length(const struct text_reader *reader, size_t size)
{
    if (size > reader->line_max)
        text_reader_die(reader, NULL, "the line is too long; allowed: at most %zu bytes", reader->line_max);
}

/* Checks a first line without a newline, of which `size` bytes are held and `before` were checked earlier. */
static void check_first_word(const struct text_reader *reader, size_t before, size_t size)
{
    if (reader->line > 1 || before >= FIRST_WORD_MAX_BYTES || size < FIRST_WORD_MAX_BYTES)
        return;
    for (const char *at = reader->held; at < reader->end; at++)
        if (*at == ' ' || *at == '\t' || *at == ',')
            return;
    text_reader_die(reader, NULL, "no newline, blank or comma in the first %d bytes: not a file of numbers",
                    (int)FIRST_WORD_MAX_BYTES);
}

/* Refuses a zero byte in the line, up to `end`. */
static void check_zero(const struct text_reader *reader, const char *end)
{
    const char *zero = memchr(reader->next, '\0', (size_t)(end - reader->next));
    if (zero)
        text_reader_die(reader, zero, "zero byte: not a text file");
}

/* Reads more after a part of a line. */
static void read_on(struct text_reader *reader)
{
    size_t before = (size_t)(reader->end - reader->held);
    make_room(reader);
    const size_t got = input_read(reader->stream, reader->end, reader->capacity - before);
    reader->end += got;
    reader->is_last = got == 0;
    if (memchr(reader->end - got, '\n', got) || memchr(reader->end - got, '\r', got))
        return;
    check_zero(reader, reader->end);
    check_length(reader, before + got);
    check_first_word(reader, before, before + got);
}

/* The first line end of the buffer from `from` on; NULL: none, or only a carriage return that may have a newline. */
static char *line_end(struct text_reader *reader, char *from)
{
    if (!reader->newline || reader->newline < from) {
        char *newline = memchr(from, '\n', (size_t)(reader->end - from));
        reader->newline = newline ? newline : reader->end;
    }
    char *carriage_return = memchr(from, '\r', (size_t)(reader->newline - from));
    if (carriage_return)
        return carriage_return + 1 < reader->end || reader->is_last ? carriage_return : NULL;
    return reader->newline < reader->end ? reader->newline : NULL;
}

/* The end of the line that begins at `next`: its line end, or the end of the file. */
static char *find_end(struct text_reader *reader)
{
    char *found;
    size_t seen = 0;
    while (!(found = line_end(reader, reader->next + seen)) && !reader->is_last) {
        seen = (size_t)(reader->end - reader->next);
        seen -= seen > 0 && reader->end[-1] == '\r';
        read_on(reader);
    }
    char *stop = found ? found : reader->end;
    check_zero(reader, stop);
    check_length(reader, (size_t)(stop - reader->held));
    if (!found && stop > reader->next && reader->needs_newline)
        text_reader_die(reader, stop, "the file ends within this line, so it is cut off");
    return stop;
}

/* ---- lines and words ---- */

int text_reader_add_line(struct text_reader *reader, size_t *size)
{
    if (reader->cut)
        *reader->cut = reader->cut_byte;
    reader->cut = NULL;
    reader->start = reader->next;
    reader->line++;
    char *stop = find_end(reader);
    if (stop == reader->end && stop == reader->next) { /* no newline, no bytes */
        reader->line--;
        return 0;
    }
    reader->next = stop;
    if (stop < reader->end) {
        reader->cut = stop;
        reader->cut_byte = *stop;
        reader->next += *stop == '\r' && stop + 1 < reader->end && stop[1] == '\n' ? 2 : 1;
    }
    *stop = '\0';
    *size = (size_t)(stop - reader->start);
    reader->rest = reader->start + (reader->line == 1 && strncmp(reader->start, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    return 1;
}

int text_reader_whole_line(struct text_reader *reader, size_t *size)
{
    reader->held = reader->next;
    reader->cut = NULL;
    return text_reader_add_line(reader, size);
}

char *text_reader_word(struct text_reader *reader)
{
    char *word = reader->rest, *stop;
    while (reader->is_blank[(unsigned char)*word])
        word++;
    for (stop = word; *stop && !reader->is_blank[(unsigned char)*stop]; stop++)
        ;
    reader->rest = *stop ? stop + 1 : stop;
    *stop = '\0';
    return stop > word ? word : NULL;
}

void text_reader_unread_word(struct text_reader *reader, char *word)
{
    char *stop = word + strlen(word);
    if (reader->rest > stop)
        *stop = reader->blanks[0];
    reader->rest = word;
}

char *text_reader_line(struct text_reader *reader)
{
    size_t size;
    char *word = NULL;
    while (!word && text_reader_whole_line(reader, &size)) {
        char *comment = reader->has_comments ? memchr(reader->start, '#', size) : NULL;
        if (comment)
            *comment = '\0';
        word = text_reader_word(reader);
    }
    return word;
}

/* ---- numbers and messages ---- */

int finite_parse(const char *text, double *value)
{
    const char *end;
    *value = decimal_parse(text, &end);
    return end > text && *end == '\0' && isfinite(*value);
}

int number_parse(const char *text, double *value)
{
    return finite_parse(text, value) && fabs(*value) <= DATASET_LARGEST;
}

const char *text_shown(const char *text)
{
    return visible_text(text, message_room(), 44);
}

struct text_place text_reader_place(const struct text_reader *reader, const char *at)
{
    return (struct text_place){reader->path, reader->line, at ? (size_t)(at - reader->start) + 1 : 1};
}

const char *text_place_text(struct text_place at)
{
    return message_text("%s:%zu:%zu", at.path, at.line, at.column);
}
