/* gnuplot's SVG is edited as text: it is regular enough. */
#include "harness/figure/svg_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/figure/figure.h"
#include "harness/support/file.h"

static void print_escaped(FILE *stream, const char *text)
{
    for (; text && *text; text++)
        if (*text == '&' || *text == '<' || *text == '>')
            fprintf(stream, "&#%d;", *text);
        else
            fputc(*text, stream);
}

/* Prints the rest of an SVG without titles. */
static void print_untitled(FILE *stream, const char *svg)
{
    static const char start[] = "<title>", end[] = "</title>";
    for (const char *title; (title = strstr(svg, start)) && strstr(title, end);) {
        fwrite(svg, 1, (size_t)(title - svg), stream);
        svg = strstr(title, end) + strlen(end);
    }
    fputs(svg, stream);
}

static void write_with_words(struct pool *pool, const char *path, const char *svg, const char *program)
{
    struct outfile out;
    const char *title = strstr(svg, "<title>"), *rest = title ? strstr(title, "</desc>") : NULL;
    if (!rest) /* another gnuplot version, whose SVGs have no titles */
        return;
    outfile_open(&out, path);
    fwrite(svg, 1, (size_t)(title - svg), out.stream);
    fputs("<title>", out.stream);
    print_escaped(out.stream, plot_variable(pool, program, "heading"));
    fputs("</title>\n<desc>", out.stream);
    print_escaped(out.stream, plot_variable(pool, program, "caption"));
    print_untitled(out.stream, rest);
    outfile_commit(&out);
}

void plot_svg_put_words(const char *folder, const char *name, const char *drawn)
{
    struct pool *pool = pool_new();
    const char *picture = pool_printf(pool, "%s/%s.svg", drawn, name);
    const char *program = file_read(pool, pool_printf(pool, "%s/%s.gp", folder, name), NULL),
               *svg = file_read_or_null(pool, picture, NULL);
    if (svg) /* else drawn only in other formats */
        write_with_words(pool, picture, svg, program);
    pool_free(pool);
}
