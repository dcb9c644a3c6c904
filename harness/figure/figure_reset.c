/*
 * A .gp begins with a comment and the assignments of figure.c's page, up to that of `panel`; the figure's own part
 * follows. A figure in another style is the same program after another page, without the lines of its caption.
 */
#include "harness/figure/figure_reset.h"

#include <stdlib.h>
#include <string.h>

#include "harness/figure/figure.h"
#include "harness/base/die.h"
#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/support/file.h"
#include "harness/support/folder.h"

/* The look of a label of the array, by its solver; NULL if there is none. */
static const struct figure_named_look *find_look(const struct figure_style *style, const char *label, size_t length)
{
    for (size_t i = 0; i < style->n_looks; i++) {
        const size_t of = style->looks[i].of ? strlen(style->looks[i].of) : length + 1;
        if (of <= length && strncmp(label, style->looks[i].of, of) == 0 && (of == length || label[of] == ','))
            return &style->looks[i];
    }
    return NULL;
}

/* Prints the line of the array "series" with the names of the looks. */
static void print_series(FILE *stream, const char *line, size_t length, const struct figure_style *style)
{
    const char *end = line + length;
    for (const char *at = line; at < end; at++) {
        fputc(*at, stream);
        if (*at != '"')
            continue;
        const size_t label = strcspn(at + 1, "\"");
        const struct figure_named_look *look = find_look(style, at + 1, label);
        if (look) {
            fputs(look->name, stream); /* contains no quote or backslash: checked on reading */
            at += strlen(look->of);
            for (size_t left = label - strlen(look->of); left > 0; left--)
                fputc(*++at, stream);
        } else {
            fwrite(at + 1, 1, label, stream);
            at += label;
        }
        fputc(*++at, stream); /* the closing quote */
    }
}

/* Prints the figure's own part of the program. */
static void print_rest(FILE *stream, const char *rest, const struct figure_style *style)
{
    static const char lines[] = "caption_lines = ", series[] = "array series[";
    for (size_t length; *rest; rest += length) {
        length = strcspn(rest, "\n");
        length += rest[length] == '\n';
        if (strncmp(rest, lines, sizeof lines - 1) == 0 && style->paper)
            fputs("caption_lines = 0\n", stream);
        else if (strncmp(rest, series, sizeof series - 1) == 0)
            print_series(stream, rest, length, style);
        else
            fwrite(rest, 1, length, stream);
    }
}

static void write_program(const char *program, const char *name, const char *path, const struct figure_style *style)
{
    static const char last[] = "\npanel = 0\n";
    const char *rest = strstr(program, last);
    char *text = NULL;
    size_t size = 0;
    if (!rest)
        die(STATUS_BAD_INPUT, "%s: this figure is of an earlier version; draw it again first", path);
    FILE *stream = xopen_text(&text, &size);
    plot_figure_put_page(stream, name, name, 0, style);
    print_rest(stream, rest + sizeof last - 1, style);
    xclose_text(stream);
    file_write(path, text, size);
    free(text);
}

void figure_reset(const char *from, const char *name, const char *to, const struct figure_style *style)
{
    struct pool *pool = pool_new();
    size_t size = 0;
    const char *program = file_read(pool, pool_printf(pool, "%s/%s.gp", from, name), NULL),
               *numbers = file_read(pool, pool_printf(pool, "%s/%s.dat", from, name), &size);
    write_program(program, name, pool_printf(pool, "%s/%s.gp", to, name), style);
    file_write(pool_printf(pool, "%s/%s.dat", to, name), numbers, size);
    if (style->paper) {
        const char *heading = plot_variable(pool, program, "heading"),
                   *caption = plot_variable(pool, program, "caption");
        const char *words = pool_printf(pool, "%s. %s\n", heading ? heading : "", caption ? caption : "");
        file_write(pool_printf(pool, "%s/%s.txt", to, name), words, strlen(words));
    }
    pool_free(pool);
}

/* Nonzero if a file is the program of a figure drawn by `compare`, `tune` or `atlas`. */
static int is_of_other_verb(const char *name)
{
    const char *end = strrchr(name, '.');
    return end && strcmp(end, ".gp") == 0 && (strncmp(name, "compare", 7) == 0 || strncmp(name, "tune-", 5) == 0 ||
                                             strncmp(name, "atlas-", 6) == 0);
}

void figure_reset_all(const char *from, const char *only, const char *to, const struct figure_style *style,
                      struct string_list *names)
{
    struct pool *pool = pool_new();
    const struct folder_names programs = folder_list(pool, from, is_of_other_verb, STATUS_IO);
    for (size_t i = 0; i < programs.count; i++) {
        const char *name = pool_strndup(pool, programs.item[i], strlen(programs.item[i]) - strlen(".gp"));
        if (!only || strcmp(only, name) == 0) {
            folder_make(to);
            figure_reset(from, name, to, style);
            string_list_add(names, "%s", name);
        }
    }
    pool_free(pool);
}
