/*
 * libcsv (RFC 4180 with quoting) hands out fields and row ends. It is fed from comma to comma and from line end to line
 * end, so that the place of a field is known: it begins where the last piece ended that finished one. A quoted field
 * may still hold commas and run over several lines.
 */
#include "harness/data/csv_rows.h"

#include <csv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct walk {
    const char *path;
    const char *start; /* of the present line */
    size_t line;
    struct csv_place next; /* where the next field begins */
    char *text;            /* the fields of the current row, each with its NUL */
    size_t used, capacity;
    size_t *starts; /* count: where in text a field begins */
    size_t count, slots;
    const char **fields;      /* slots: filled when the row ends */
    struct csv_place *places; /* slots */
    int finished;             /* the present piece has finished a field */
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
        if (fields)
            walk->fields = fields;
        struct csv_place *places = fields ? realloc(walk->places, wanted * sizeof *places) : NULL;
        if (!places)
            return 0;
        walk->places = places;
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
    walk->finished = 1;
    walk->places[walk->count] = walk->next;
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
        const struct csv_row row = {walk->path, walk->line, walk->count, walk->fields, walk->places};
        walk->status = walk->take(&row, walk->context, walk->error);
    }
    walk->used = 0;
    walk->count = 0;
}

enum status csv_fail(const struct csv_row *row, size_t field, struct error *error, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(error, STATUS_BAD_INPUT, "%s:%zu:%zu: %s", row->path, row->places[field].line,
                     row->places[field].column, text);
}

static enum status fail_at(struct walk *walk, const char *at, const char *what)
{
    return error_set(walk->error, STATUS_BAD_INPUT, "%s:%zu:%zu: %s", walk->path, walk->line,
                     (size_t)(at - walk->start) + 1, what);
}

/* From `at` to the end of its line. */
static void walk_line(struct walk *walk, struct csv_parser *parser, const char *at, const char *end)
{
    const char *zero = memchr(at, '\0', (size_t)(end - at));
    if (zero)
        walk->status = fail_at(walk, zero, "a zero byte: not a text file");
    while (at < end && walk->status == STATUS_OK) {
        size_t size = strcspn(at, ",\r\n");
        size += at + size < end;
        if (walk->finished)
            walk->next = (struct csv_place){walk->line, (size_t)(at - walk->start) + 1 + strspn(at, " \t")};
        walk->finished = walk->finished && strspn(at, " \t\r\n") >= size; /* a blank piece begins nothing */
        size_t read = csv_parse(parser, at, size, on_field, on_row, walk);
        if (read != size && walk->status == STATUS_OK)
            walk->status = fail_at(walk, at + read, csv_strerror(csv_error(parser)));
        at += size;
    }
}

static enum status walk_file(struct walk *walk, const struct input *input)
{
    struct csv_parser parser;
    const char *at = input->text, *end = input->text + input->size;
    size_t mark = input->size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI);
    while (at < end && walk->status == STATUS_OK) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline + 1 : end;
        walk->line++;
        walk->start = at;
        walk_line(walk, &parser, at + mark, stop); /* a byte order mark is not part of the first field */
        mark = 0;
        at = stop;
    }
    if (walk->status == STATUS_OK && csv_fini(&parser, on_field, on_row, walk) != 0)
        walk->status = error_set(walk->error, STATUS_BAD_INPUT, "%s:%zu:%zu: a quoted field does not end", walk->path,
                                 walk->next.line, walk->next.column);
    csv_free(&parser);
    return walk->status;
}

enum status csv_rows_read(const struct input *input,
                          enum status (*take)(const struct csv_row *row, void *context, struct error *error),
                          void *context, struct error *error)
{
    struct walk walk = {.path = input->path, .take = take, .context = context, .finished = 1, .error = error};
    enum status status = walk_file(&walk, input);
    free(walk.text);
    free(walk.starts);
    free(walk.fields);
    free(walk.places);
    return status;
}
