/*
 * A figure's numbers and program. NAME.gp is the figure's variables, then plots/common.gp, then the template of its
 * kind, so that it draws NAME.dat anywhere with nothing else beside it.
 */
#include "harness/figure/figure.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/support/resource.h"
#include "harness/support/text_stream.h"

static char *file_name(const char *prefix, const char *one, const char *two)
{
    size_t size = strlen(prefix) + (one ? strlen(one) + 1 : 0) + (two ? strlen(two) + 1 : 0) + 1;
    char *name = malloc(size);
    if (!name)
        return NULL;
    snprintf(name, size, "%s%s%s%s%s", prefix, one ? "-" : "", one ? one : "", two ? "-" : "", two ? two : "");
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("-_.+", *at))
            *at = '_';
    if (*name == '.' || *name == '-')
        *name = '_';
    return name;
}

static int open_stream(struct plot_stream *stream)
{
    stream->stream = text_stream_open(&stream->text, &stream->size);
    return stream->stream != NULL;
}

static void close_stream(struct plot_stream *stream)
{
    if (stream->stream)
        fclose(stream->stream);
    free(stream->text);
}

enum status plot_figure_open(struct plot_figure *figure, const char *drawing, const char *prefix, const char *one,
                             const char *two, struct error *error)
{
    memset(figure, 0, sizeof *figure);
    figure->drawing = drawing;
    figure->name = file_name(prefix, one, two);
    figure->caption_columns = 150;
    if (!figure->name || !open_stream(&figure->dat) || !open_stream(&figure->head) ||
        !open_stream(&figure->heading) || !open_stream(&figure->caption)) {
        plot_figure_free(figure);
        return error_set(error, STATUS_NO_MEMORY, "figure %s: out of memory", prefix);
    }
    fprintf(figure->head.stream, "# Draws %s.svg, .png and .pdf from %s.dat: run \"gnuplot %s.gp\" in this folder.\n",
            figure->name, figure->name, figure->name);
    plot_figure_text(figure, "name", figure->name);
    return STATUS_OK;
}

void plot_figure_free(struct plot_figure *figure)
{
    if (!figure)
        return;
    close_stream(&figure->dat);
    close_stream(&figure->head);
    close_stream(&figure->heading);
    close_stream(&figure->caption);
    free(figure->name);
    memset(figure, 0, sizeof *figure);
}

void plot_number(FILE *stream, double number)
{
    char text[40];
    if (!isfinite(number)) {
        fputs("NaN", stream);
        return;
    }
    snprintf(text, sizeof text, "%.15g", number);
    if (strtod(text, NULL) != number)
        snprintf(text, sizeof text, "%.17g", number);
    fputs(text, stream);
}

void plot_quoted(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', stream);
        if (*text == '`')
            fputs("\\140", stream); /* gnuplot runs what stands between two of these, in strings too */
        else if (*text == '\n')
            fputs("\\n", stream);
        else
            fputc(iscntrl((unsigned char)*text) ? ' ' : *text, stream);
    }
    fputc('"', stream);
}

void plot_data_text(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (; *text; text++)
        fputc(*text == '"' ? '\'' : iscntrl((unsigned char)*text) ? ' ' : *text, stream);
    fputc('"', stream);
}

void plot_figure_text(struct plot_figure *figure, const char *variable, const char *text)
{
    fprintf(figure->head.stream, "%s = ", variable);
    plot_quoted(figure->head.stream, text);
    fputc('\n', figure->head.stream);
}

void plot_figure_number(struct plot_figure *figure, const char *variable, double number)
{
    fprintf(figure->head.stream, "%s = ", variable);
    plot_number(figure->head.stream, number);
    fputc('\n', figure->head.stream);
}

void plot_figure_texts(struct plot_figure *figure, const char *variable, const char *const *texts, size_t n)
{
    fprintf(figure->head.stream, "array %s[%zu] = [", variable, n ? n : 1);
    for (size_t i = 0; i < n; i++) {
        if (i)
            fputs(", ", figure->head.stream);
        plot_quoted(figure->head.stream, texts[i]);
    }
    fputs(n ? "]\n" : "\"\"]\n", figure->head.stream);
}

void plot_figure_numbers(struct plot_figure *figure, const char *variable, const double *numbers, size_t n)
{
    fprintf(figure->head.stream, "array %s[%zu] = [", variable, n ? n : 1);
    for (size_t i = 0; i < n; i++) {
        if (i)
            fputs(", ", figure->head.stream);
        plot_number(figure->head.stream, numbers[i]);
    }
    fputs(n ? "]\n" : "1]\n", figure->head.stream);
}

/* Turns the blank before every word that would pass the column into a line end; returns the number of lines. */
static size_t break_lines(char *text, size_t columns)
{
    char *blank = NULL;
    size_t column = 0, lines = 1;
    for (char *at = text; *at; at++) {
        if (*at == ' ')
            blank = at;
        column += ((unsigned char)*at & 0xC0) != 0x80; /* UTF-8: count characters, not bytes */
        if (column > columns && blank) {
            *blank = '\n';
            column = (size_t)(at - blank);
            blank = NULL;
            lines++;
        }
    }
    return lines;
}

static enum status append_template(FILE *stream, const char *template_name, struct error *error)
{
    char relative[80];
    char *path = NULL, *text = NULL;
    snprintf(relative, sizeof relative, "plots/%s.gp", template_name);
    enum status status = resource_find(relative, &path, error);
    if (status == STATUS_OK)
        status = file_read(path, &text, NULL, error);
    if (status == STATUS_OK) {
        fputc('\n', stream);
        fputs(text, stream);
    } else if (status == STATUS_NOT_FOUND) {
        status = STATUS_IO; /* a broken installation, not a run without records */
        if (error)
            error->status = status;
    }
    free(text);
    free(path);
    return status;
}

static enum status write_with_ending(const char *folder, const char *name, const char *ending, const char *text,
                                     size_t size, struct error *error)
{
    size_t length = strlen(folder) + strlen(name) + strlen(ending) + 2;
    char *path = malloc(length);
    if (!path)
        return error_set(error, STATUS_NO_MEMORY, "%s/%s%s: out of memory", folder, name, ending);
    snprintf(path, length, "%s/%s%s", folder, name, ending);
    enum status status = file_write(path, text, size, error);
    free(path);
    return status;
}

static int flushed(struct plot_stream *stream)
{
    return fflush(stream->stream) == 0 && !ferror(stream->stream);
}

enum status plot_figure_write(struct plot_figure *figure, const char *folder, struct error *error)
{
    if (!flushed(&figure->heading) || !flushed(&figure->caption))
        return error_set(error, STATUS_NO_MEMORY, "figure %s: out of memory", figure->name);
    plot_figure_text(figure, "heading", figure->heading.text);
    size_t lines = break_lines(figure->caption.text, figure->caption_columns);
    plot_figure_text(figure, "caption", figure->caption.text);
    plot_figure_number(figure, "caption_lines", (double)lines);
    enum status status = append_template(figure->head.stream, "common", error);
    if (status == STATUS_OK)
        status = append_template(figure->head.stream, figure->drawing, error);
    if (status != STATUS_OK)
        return status;
    if (!flushed(&figure->head) || !flushed(&figure->dat))
        return error_set(error, STATUS_NO_MEMORY, "figure %s: out of memory", figure->name);
    status = write_with_ending(folder, figure->name, ".dat", figure->dat.text, figure->dat.size, error);
    if (status == STATUS_OK)
        status = write_with_ending(folder, figure->name, ".gp", figure->head.text, figure->head.size, error);
    return status;
}
