/*
 * A grid is filled with plain UTF-8 text; each form escapes what it must on the way out. Markdown columns are padded to
 * the widest cell, counted in characters, so the file also reads well as it stands. LaTeX is in text_table_latex.c.
 */
#include "harness/format/text_table.h"

#include <csv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/format/text_table_latex.h"

static char *text_of(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

void text_table_title(struct text_table *grid, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    free(grid->title);
    grid->title = text_of(format, arguments);
    va_end(arguments);
    grid->failed |= !grid->title;
}

void text_table_cell(struct text_table *grid, const char *format, ...)
{
    if (grid->failed)
        return;
    if (grid->count == grid->capacity) {
        size_t wanted = grid->capacity ? 2 * grid->capacity : 64;
        char **grown = realloc(grid->cells, wanted * sizeof *grown);
        grid->failed = !grown;
        if (!grown)
            return;
        grid->cells = grown;
        grid->capacity = wanted;
    }
    va_list arguments;
    va_start(arguments, format);
    char *text = text_of(format, arguments);
    va_end(arguments);
    grid->failed = !text;
    if (text)
        grid->cells[grid->count++] = text;
}

void text_table_keep_together(struct text_table *grid, size_t column)
{
    if (!grid->joined)
        grid->joined = calloc(grid->columns, 1);
    grid->failed |= !grid->joined;
    if (grid->joined)
        grid->joined[column] = 1;
}

void text_table_footnote(struct text_table *grid, const char *format, ...)
{
    if (grid->failed)
        return;
    char **grown = realloc(grid->notes, (grid->n_notes + 1) * sizeof *grown);
    if (grown)
        grid->notes = grown;
    va_list arguments;
    va_start(arguments, format);
    char *text = grown ? text_of(format, arguments) : NULL;
    va_end(arguments);
    grid->failed = !text;
    if (text)
        grid->notes[grid->n_notes++] = text;
}

void text_table_free(struct text_table *grid)
{
    if (!grid)
        return;
    for (size_t i = 0; i < grid->count; i++)
        free(grid->cells[i]);
    for (size_t i = 0; i < grid->n_notes; i++)
        free(grid->notes[i]);
    free(grid->cells);
    free(grid->notes);
    free(grid->joined);
    free(grid->title);
    memset(grid, 0, sizeof *grid);
}

/* Continuation bytes of UTF-8 are 10xxxxxx. */
size_t grid_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

/* A cell inside a Markdown table: a bar would end it, a newline the row. */
static size_t put_markdown(FILE *stream, const char *text)
{
    size_t extra = 0;
    for (; *text; text++) {
        if (*text == '|') {
            extra++;
            if (stream)
                fputc('\\', stream);
        }
        if (stream)
            fputc(*text == '\n' ? ' ' : *text, stream);
    }
    return extra;
}

static void pad(FILE *stream, char with, size_t times)
{
    while (times--)
        fputc(with, stream);
}

static void write_markdown(const struct text_table *grid, const size_t *widths, FILE *stream)
{
    if (grid->title)
        fprintf(stream, "# %s\n\n", grid->title);
    for (size_t i = 0; i < grid->count; i++) {
        size_t column = i % grid->columns;
        const char *text = grid->cells[i];
        size_t space = widths[column] - grid_width(text) - put_markdown(NULL, text);
        fputs(column ? " " : "| ", stream);
        /* Names to the left, figures to the right. */
        pad(stream, ' ', column ? space : 0);
        put_markdown(stream, text);
        pad(stream, ' ', column ? 0 : space);
        fputs(column + 1 < grid->columns ? " |" : " |\n", stream);
        if (i + 1 == grid->columns) {
            for (size_t j = 0; j < grid->columns; j++) {
                fputs(j ? " " : "| ", stream);
                pad(stream, '-', widths[j] - (j > 0));
                fputs(j ? ": |" : " |", stream);
            }
            fputc('\n', stream);
        }
    }
    for (size_t i = 0; i < grid->n_notes; i++)
        fprintf(stream, "\n%s\n", grid->notes[i]);
}

static void write_csv(const struct text_table *grid, FILE *stream)
{
    for (size_t i = 0; i < grid->count; i++) {
        const char *text = grid->cells[i];
        if (strpbrk(text, ",\"\r\n"))
            csv_fwrite(stream, text, strlen(text));
        else
            fputs(text, stream);
        fputs((i + 1) % grid->columns ? "," : "\r\n", stream);
    }
}

static enum status put_markdown_table(const struct text_table *grid, const char *label, FILE *stream, struct error *error)
{
    size_t *widths = calloc(grid->columns, sizeof *widths);
    if (!widths)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", label);
    for (size_t i = 0; i < grid->count; i++) {
        size_t width = grid_width(grid->cells[i]) + put_markdown(NULL, grid->cells[i]);
        size_t *widest = &widths[i % grid->columns];
        width = width < 3 ? 3 : width; /* Markdown's rule needs three dashes */
        *widest = width > *widest ? width : *widest;
    }
    write_markdown(grid, widths, stream);
    free(widths);
    return STATUS_OK;
}

enum status text_table_put(const struct text_table *grid, enum text_table_form form, const char *label, FILE *stream, struct error *error)
{
    if (grid->failed)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", label);
    if (grid->columns == 0 || grid->count == 0 || grid->count % grid->columns != 0)
        return error_set(error, STATUS_BAD_INPUT, "%s: %zu cells do not fill rows of %zu", label, grid->count,
                         grid->columns);
    if (form == TEXT_TABLE_MARKDOWN)
        return put_markdown_table(grid, label, stream, error);
    if (form == TEXT_TABLE_LATEX)
        return text_table_latex(grid, label, stream, error);
    write_csv(grid, stream);
    return STATUS_OK;
}

enum status text_table_write(const struct text_table *grid, enum text_table_form form, const char *path, struct error *error)
{
    struct outfile out = {0};
    enum status status = outfile_open(&out, path, error);
    if (status != STATUS_OK)
        return status;
    status = text_table_put(grid, form, path, out.stream, error);
    if (status == STATUS_OK)
        status = outfile_commit(&out, error);
    outfile_abandon(&out);
    return status;
}
