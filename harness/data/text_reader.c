/* Lines and words by strtok_r on a copy of the file, so that a word is a string of its own. */
#include "harness/data/text_reader.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void begin_line(struct text_reader *reader)
{
    char *newline = memchr(reader->next, '\n', (size_t)(reader->end - reader->next));
    reader->start = reader->next;
    reader->next = newline ? newline + 1 : reader->end;
    *(newline ? newline : reader->end) = '\0';
    reader->line++;
}

enum status text_reader_open(struct text_reader *reader, const char *text, size_t size)
{
    reader->text = malloc(size + 1);
    if (!reader->text)
        return text_reader_no_memory(reader);
    memcpy(reader->text, text, size);
    reader->next = reader->text;
    reader->end = reader->text + size;
    const char *zero = memchr(text, '\0', size);
    if (!zero)
        return STATUS_OK;
    while (reader->next <= reader->text + (zero - text))
        begin_line(reader);
    return text_reader_fail(reader, reader->text + (zero - text), "a zero byte: not a text file");
}

void text_reader_close(struct text_reader *reader)
{
    free(reader->text);
    reader->text = NULL;
}

char *text_reader_line(struct text_reader *reader)
{
    while (reader->next < reader->end) {
        begin_line(reader);
        char *from = reader->start;
        if (reader->line == 1 && strncmp(from, "\xef\xbb\xbf", 3) == 0)
            from += 3;
        if (reader->has_comments)
            from[strcspn(from, "#")] = '\0';
        char *word = strtok_r(from, reader->blanks, &reader->rest);
        if (word)
            return word;
    }
    return NULL;
}

char *text_reader_word(struct text_reader *reader)
{
    return strtok_r(NULL, reader->blanks, &reader->rest);
}

size_t text_reader_column(const struct text_reader *reader, const char *at)
{
    return at ? (size_t)(at - reader->start) + 1 : 1;
}

enum status text_reader_fail(const struct text_reader *reader, const char *at, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_set(reader->error, STATUS_BAD_INPUT, "%s:%zu:%zu: %s", reader->path, reader->line,
                     text_reader_column(reader, at), message);
}

enum status text_reader_no_memory(const struct text_reader *reader)
{
    return error_set(reader->error, STATUS_NO_MEMORY, "%s:%zu: out of memory", reader->path, reader->line);
}

int array_grow(void *array, size_t count, size_t *capacity, size_t size)
{
    void *memory, *grown;
    size_t wanted = *capacity ? 2 * *capacity : 64;
    if (count < *capacity)
        return 1;
    if (wanted > SIZE_MAX / size)
        return 0;
    memcpy(&memory, array, sizeof memory);
    grown = realloc(memory, wanted * size);
    if (!grown) /* the array is as it was */
        return 0;
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    /* cppcheck-suppress memleak ; *array owns it */
    return 1;
}
