/*
 * A figure's numbers and program. NAME.gp is the figure's variables, then plots/common.gp, then the template of its
 * kind, so that it draws NAME.dat anywhere with nothing else beside it.
 */
#include "harness/figure/figure.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"
#include "harness/support/file.h"
#include "harness/support/resource.h"

/* Places of the texts behind the streams. */
enum { DAT, HEAD, HEADING, CAPTION, STREAMS };

static char *file_name(const char *prefix, const char *one, const char *two)
{
    char *name = xasprintf("%s%s%s%s%s", prefix, one ? "-" : "", one ? one : "", two ? "-" : "", two ? two : "");
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("-_.+", *at))
            *at = '_';
    if (*name == '.' || *name == '-')
        *name = '_';
    return name;
}

void plot_figure_open(struct plot_figure *figure, const char *drawing, const char *prefix, const char *one,
                      const char *two)
{
    *figure = (struct plot_figure){.drawing = drawing, .name = file_name(prefix, one, two), .caption_columns = 150};
    figure->dat = xopen_text(&figure->texts[DAT].text, &figure->texts[DAT].size);
    figure->head = xopen_text(&figure->texts[HEAD].text, &figure->texts[HEAD].size);
    figure->heading = xopen_text(&figure->texts[HEADING].text, &figure->texts[HEADING].size);
    figure->caption = xopen_text(&figure->texts[CAPTION].text, &figure->texts[CAPTION].size);
    fprintf(figure->head, "# Draws %s.svg, .png and .pdf from %s.dat: run \"gnuplot %s.gp\" in this folder.\n",
            figure->name, figure->name, figure->name);
    plot_figure_text(figure, "name", figure->name);
}

void plot_figure_free(struct plot_figure *figure)
{
    xclose_text(figure->dat);
    xclose_text(figure->head);
    xclose_text(figure->heading);
    xclose_text(figure->caption);
    for (int i = 0; i < STREAMS; i++)
        free(figure->texts[i].text);
    free(figure->name);
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

void plot_numbers(FILE *stream, const double *numbers, size_t n, const char *end)
{
    for (size_t i = 0; i < n; i++) {
        fputs(i ? " " : "", stream);
        plot_number(stream, numbers[i]);
    }
    fputs(end, stream);
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
    fprintf(figure->head, "%s = ", variable);
    plot_quoted(figure->head, text);
    fputc('\n', figure->head);
}

void plot_figure_number(struct plot_figure *figure, const char *variable, double number)
{
    fprintf(figure->head, "%s = ", variable);
    plot_number(figure->head, number);
    fputc('\n', figure->head);
}

void plot_figure_texts(struct plot_figure *figure, const char *variable, const char *const *texts, size_t n)
{
    fprintf(figure->head, "array %s[%zu] = [", variable, n ? n : 1);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? ", " : "", figure->head);
        plot_quoted(figure->head, texts[i]);
    }
    fputs(n ? "]\n" : "\"\"]\n", figure->head);
}

void plot_figure_numbers(struct plot_figure *figure, const char *variable, const double *numbers, size_t n)
{
    fprintf(figure->head, "array %s[%zu] = [", variable, n ? n : 1);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? ", " : "", figure->head);
        plot_number(figure->head, numbers[i]);
    }
    fputs(n ? "]\n" : "1]\n", figure->head);
}

void plot_figure_ranges(struct plot_figure *figure, const char *prefix, const struct plot_range *ranges, size_t n)
{
    double *ends = xcalloc(n, sizeof *ends);
    for (int high = 0; high < 2; high++) {
        char *variable = xasprintf("%s%s", prefix, high ? "high" : "low");
        for (size_t i = 0; i < n; i++)
            ends[i] = high ? ranges[i].high : ranges[i].low;
        plot_figure_numbers(figure, variable, ends, n); /* infinite in an empty range: printed as NaN */
        free(variable);
    }
    free(ends);
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

static enum status write_text(const struct plot_figure *figure, int text, const char *folder, const char *ending,
                              struct error *error)
{
    char *path = xasprintf("%s/%s%s", folder, figure->name, ending);
    enum status status = file_write(path, figure->texts[text].text, figure->texts[text].size, error);
    free(path);
    return status;
}

enum status plot_figure_write(struct plot_figure *figure, const char *folder, struct error *error)
{
    xflush_text(figure->heading);
    xflush_text(figure->caption);
    plot_figure_text(figure, "heading", figure->texts[HEADING].text);
    size_t lines = break_lines(figure->texts[CAPTION].text, figure->caption_columns);
    plot_figure_text(figure, "caption", figure->texts[CAPTION].text);
    plot_figure_number(figure, "caption_lines", (double)lines);
    enum status status = append_template(figure->head, "common", error);
    if (status == STATUS_OK)
        status = append_template(figure->head, figure->drawing, error);
    if (status != STATUS_OK)
        return status;
    xflush_text(figure->head);
    xflush_text(figure->dat);
    status = write_text(figure, DAT, folder, ".dat", error);
    return status == STATUS_OK ? write_text(figure, HEAD, folder, ".gp", error) : status;
}
