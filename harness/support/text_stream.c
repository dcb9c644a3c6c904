/*
 * When memory runs out, open_memstream of the C library drops output without setting the error flag, and leaves the
 * text NULL if closing fails. Here stdio writes into our own buffer, so it notices when that cannot grow.
 */
#define _GNU_SOURCE
#include "harness/support/text_stream.h"

#include <stdlib.h>
#include <string.h>

struct buffer {
    char **text;
    size_t *size, capacity;
};

static ssize_t append(void *cookie, const char *bytes, size_t count)
{
    struct buffer *buffer = cookie;
    size_t needed = *buffer->size + count + 1;
    if (needed > buffer->capacity) {
        size_t wanted = 2 * buffer->capacity > needed ? 2 * buffer->capacity : needed;
        char *grown = realloc(*buffer->text, wanted);
        if (!grown)
            return 0; /* stdio treats this as an error */
        *buffer->text = grown;
        buffer->capacity = wanted;
    }
    memcpy(*buffer->text + *buffer->size, bytes, count);
    *buffer->size += count;
    (*buffer->text)[*buffer->size] = '\0';
    return (ssize_t)count;
}

static int release(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *text_stream_open(char **text, size_t *size)
{
    struct buffer *buffer = malloc(sizeof *buffer);
    *text = calloc(1, 1);
    *size = 0;
    FILE *stream =
        buffer && *text ? fopencookie(buffer, "w", (cookie_io_functions_t){.write = append, .close = release}) : NULL;
    if (stream) {
        *buffer = (struct buffer){text, size, 1};
        return stream;
    }
    free(buffer);
    free(*text);
    *text = NULL;
    return NULL;
}

int text_stream_close(FILE *stream, char **text)
{
    int failed = !stream || ferror(stream);
    if (stream)
        failed |= fclose(stream) != 0;
    if (!failed)
        return 1;
    free(*text);
    *text = NULL;
    return 0;
}
