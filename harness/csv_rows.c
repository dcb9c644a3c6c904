/*
 * libcsv (RFC 4180 with quoting) hands out fields and row ends. It is fed a line at a time, so that the line of a row
 * is known when the row ends; a quoted field may still run over several lines.
 */
#include "harness/csv_rows.h"

#include <csv.h>
#include <stdlib.h>
#include <string.h>

struct walk {
    const char *path;
    size_t line;
    char *text; /* the fields of the current row, each with its NUL */
    size_t used, capacity;
    size_t *starts; /* count: where in text a field begins */
    size_t count, slots;
    const char **fields; /* slots: filled when the row ends */
    enum status (*take)(const struct csv_row *, void *, struct error *);
    void *context;
    enum status status;
    struct error *error;
};

static int grow(struct walk *walk, size_t length)
{
    if (walk->capacity - walk->used < length + 1) {
        size_t wanted = 2 * (walk->capacity + length + 1);
        char *text = realloc(walk->text, wanted);
        if (!text)
            return 0;
        walk->text = text;
        walk->capacity = wanted;
    }
    if (walk->count == walk->slots) {
        size_t wanted = 2 * walk->slots + 16;
        size_t *starts = realloc(walk->starts, wanted * sizeof *starts);
        if (starts)
            walk->starts = starts;
        const char **fields = starts ? realloc(walk->fields, wanted * sizeof *fields) : NULL;
        if (!fields)
            return 0;
        walk->fields = fields;
        walk->slots = wanted;
    }
    return 1;
}

static void on_field(void *text, size_t length, void *context)
{
    struct walk *walk = context;
    if (walk->status != STATUS_OK)
        return;
    if (!grow(walk, length)) {
        walk->status = error_set(walk->error, STATUS_NO_MEMORY, "%s:%zu: out of memory", walk->path, walk->line);
        return;
    }
    walk->starts[walk->count++] = walk->used;
    if (length)
        memcpy(walk->text + walk->used, text, length);
    walk->used += length;
    walk->text[walk->used++] = '\0';
}

static void on_row(int terminator, void *context)
{
    struct walk *walk = context;
    (void)terminator;
    if (walk->status == STATUS_OK && walk->count > 0) {
        for (size_t i = 0; i < walk->count; i++)
            walk->fields[i] = walk->text + walk->starts[i];
        const struct csv_row row = {walk->path, walk->line, walk->count, walk->fields};
        walk->status = walk->take(&row, walk->context, walk->error);
    }
    walk->used = 0;
    walk->count = 0;
}

enum status csv_rows_read(const struct input *input,
                          enum status (*take)(const struct csv_row *row, void *context, struct error *error),
                          void *context, struct error *error)
{
    struct walk walk = {.path = input->path, .take = take, .context = context, .error = error};
    struct csv_parser parser;
    const char *at = input->text, *end = input->text + input->size;
    const char *zero = memchr(at, '\0', input->size);
    if (zero) {
        size_t line = 1;
        for (; at < zero; at++)
            line += *at == '\n';
        return error_set(error, STATUS_BAD_INPUT, "%s:%zu: a zero byte: not a text file", input->path, line);
    }
    if (input->size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3; /* a byte order mark is not part of the first field */
    csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI);
    while (at < end && walk.status == STATUS_OK) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = newline ? (size_t)(newline - at) + 1 : (size_t)(end - at);
        walk.line++;
        if (csv_parse(&parser, at, length, on_field, on_row, &walk) != length && walk.status == STATUS_OK)
            walk.status = error_set(error, STATUS_BAD_INPUT, "%s:%zu: %s", input->path, walk.line,
                                    csv_strerror(csv_error(&parser)));
        at += length;
    }
    if (csv_fini(&parser, on_field, on_row, &walk) != 0 && walk.status == STATUS_OK)
        walk.status = error_set(error, STATUS_BAD_INPUT, "%s:%zu: a quoted field does not end", input->path, walk.line);
    csv_free(&parser);
    free(walk.text);
    free(walk.starts);
    free(walk.fields);
    return walk.status;
}
