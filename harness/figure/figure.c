/*
 * A figure's numbers and gnuplot program. NAME.gp contains the figure's variables, plots/common.gp and the template of
 * its kind, so that it draws NAME.dat in any folder without other files. A program in another style is the page and
 * names of that style before the same program, which keeps what is set already.
 */
#include "harness/figure/figure.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/support/resource.h"

/* ---- styles ---- */

const char *const figure_dash_names[] = {"solid", "dashed", "dotted", "dash-dotted", NULL};
const char *const figure_mark_names[] = {"circle",      "square",      "triangle",      "diamond",
                                         "triangle-down", "pentagon",  "open-circle",   "open-square",
                                         "open-triangle", "open-diamond", "open-triangle-down", "open-pentagon",
                                         NULL};
_Static_assert(sizeof figure_dash_names / sizeof *figure_dash_names == FIGURE_DASHES + 1, "a name for each dash");
_Static_assert(sizeof figure_mark_names / sizeof *figure_mark_names == FIGURE_MARKS + 1, "a name for each mark");
const char *const figure_format_names[] = {"svg", "png", "pdf", "tikz", "cairolatex", NULL};

const struct figure_style figure_style_screen = {
    .formats = {[FORMAT_SVG] = 1, [FORMAT_PNG] = 1, [FORMAT_PDF] = 1}};

struct series_style series_style_at(size_t place)
{
    static const char colours[FIGURE_COLOURS][8] = {"#004c8c", "#d55e00", "#009e73", "#000000", "#c04c94", "#8c6d00"};
    struct series_style style = {.dash = (int)((place + place / FIGURE_MARKS) % FIGURE_DASHES) + 1,
                               .mark = (int)(place % FIGURE_MARKS) + 1};
    memcpy(style.colour, colours[place % FIGURE_COLOURS], sizeof style.colour);
    return style;
}

void figure_style_complete(struct figure_style *style)
{
    int any = 0;
    for (size_t i = 0; i < FIGURE_FORMATS; i++)
        any |= style->formats[i];
    if (!style->paper && (style->width > 0 || style->font || style->font_size > 0 || style->single_panels))
        die(STATUS_BAD_INPUT, "%s applies only to figures for print; add --for paper",
            style->width > 0       ? "--width"
            : style->font          ? "--font"
            : style->font_size > 0 ? "--font-size"
                                   : "--single-panels");
    if (!any) {
        style->formats[FORMAT_SVG] = style->formats[FORMAT_PDF] = 1;
        style->formats[FORMAT_PNG] = !style->paper;
    }
    if (!style->paper)
        return;
    style->width = style->width > 0 ? style->width : FIGURE_COLUMN;
    style->font_size = style->font_size > 0 ? style->font_size : FIGURE_FONT_SIZE;
    style->font = style->font ? style->font : "DejaVu Sans";
}

/* ---- writing ---- */

void plot_figure_open(struct plot_figure *figure, const char *drawing, const char *prefix, const char *one,
                      const char *two)
{
    *figure = (struct plot_figure){.pool = pool_new(), .drawing = drawing};
    figure->name = file_name_join(figure->pool, "", (const char *[]){prefix, one, two, NULL}, "");
    for (int i = 0; i < FIGURE_STREAMS; i++)
        figure->streams[i] = (figure->texts[i] = pool_text_open(figure->pool))->stream;
}

static char **copy_texts(struct pool *pool, const char *const *texts, size_t n)
{
    char **copies = pool_array(pool, n, sizeof *copies);
    for (size_t i = 0; i < n; i++)
        copies[i] = pool_strdup(pool, texts[i]);
    return copies;
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

void plot_empty_block(FILE *stream, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fputs(i ? " NaN" : "NaN", stream);
    fputs("\n", stream);
}

/* Prints text in double quotes for a .gp: quotes and backslashes are escaped, control characters become blanks. */
static void put_quoted(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', stream);
        if (*text == '`')
            fputs("\\140", stream); /* gnuplot executes the text between two backticks, even in strings */
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
    put_quoted(figure->head, text);
    fputc('\n', figure->head);
}

void plot_figure_number(struct plot_figure *figure, const char *variable, double number)
{
    fprintf(figure->head, "%s = ", variable);
    plot_number(figure->head, number);
    fputc('\n', figure->head);
}

/* Assigns texts or, without them, numbers. */
static void put_array(FILE *head, const char *variable, const char *const *texts, const double *numbers, size_t n)
{
    fprintf(head, "array %s[%zu] = [", variable, n ? n : 1);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? ", " : "", head);
        if (texts)
            put_quoted(head, texts[i]);
        else
            plot_number(head, numbers[i]);
    }
    fputs(n ? "]\n" : texts ? "\"\"]\n" : "1]\n", head);
}

void plot_figure_texts(struct plot_figure *figure, const char *variable, const char *const *texts, size_t n)
{
    put_array(figure->head, variable, texts, NULL, n);
}

void plot_figure_numbers(struct plot_figure *figure, const char *variable, const double *numbers, size_t n)
{
    put_array(figure->head, variable, NULL, numbers, n);
}

void plot_figure_series(struct plot_figure *figure, const char *const *labels, size_t n)
{
    plot_figure_texts(figure, "series", labels, n);
    figure->series = copy_texts(figure->pool, labels, n);
    figure->n_series = n;
}

void plot_figure_panels(struct plot_figure *figure, const char *const *titles, size_t n)
{
    plot_figure_texts(figure, "panels", titles, n);
    figure->panels = copy_texts(figure->pool, titles, n);
    figure->n_panels = n;
}

static void append_template(FILE *stream, const char *template_name)
{
    struct pool *pool = pool_new();
    const char *path = pool_printf(pool, "plots/%s.gp", template_name);
    fprintf(stream, "\n%s", resource_read(pool, path, STATUS_IO)); /* a broken installation, not missing records */
    pool_free(pool);
}

/* The index of the named style with the longest name that equals the label or precedes a comma in it; n if none. */
static size_t find_style(const struct figure_style *style, const char *label)
{
    size_t found = style->n_series, longest = 0;
    for (size_t i = 0; i < style->n_series; i++) {
        const size_t length = strlen(style->series[i].name);
        if (strncmp(label, style->series[i].name, length) == 0 && (label[length] == '\0' || label[length] == ',') &&
            length >= longest) {
            found = i;
            longest = length;
        }
    }
    return found;
}

/* A style that no solver has, from *next on. Within one round of colours it is the first whose colour is still unused
 * in the figure. */
static struct series_style spare_style(const struct series_style *styles, size_t n, size_t *next)
{
    for (size_t place = *next; place < *next + FIGURE_COLOURS; place++) {
        const struct series_style style = series_style_at(place);
        size_t s = 0;
        while (s < n && strcmp(styles[s].colour, style.colour) != 0)
            s++;
        if (s == n) {
            *next = place + 1;
            return style;
        }
    }
    return series_style_at((*next)++);
}

/* In all figures, the first series of a solver gets the solver's style. Further series, and those of unknown solvers,
 * get styles that no solver has, in colours that the figure does not use yet, as long as there are any. */
static void put_styles(struct plot_figure *figure, const struct figure_style *style)
{
    const size_t n = figure->n_series;
    struct pool *pool = figure->pool;
    const char **colours = pool_array(pool, n, sizeof *colours);
    struct series_style *styles = pool_array(pool, n, sizeof *styles); /* an empty colour: not set yet */
    double *dashes = pool_array(pool, n, sizeof *dashes), *marks = pool_array(pool, n, sizeof *marks);
    char *taken = pool_alloc(pool, style->n_series + 1);
    size_t next = style->n_series;
    for (size_t s = 0; s < n; s++) {
        const size_t at = find_style(style, figure->series[s]);
        if (at < style->n_series && !taken[at])
            styles[s] = style->series[at].style;
        taken[at] = 1;
    }
    for (size_t s = 0; s < n; s++) {
        if (!*styles[s].colour)
            styles[s] = spare_style(styles, n, &next);
        colours[s] = styles[s].colour;
        dashes[s] = styles[s].dash;
        marks[s] = styles[s].mark;
    }
    plot_figure_texts(figure, "series_colour", colours, n);
    plot_figure_numbers(figure, "series_dash", dashes, n);
    plot_figure_numbers(figure, "series_mark", marks, n);
}

static void put_page(FILE *gp, const char *data, const char *sheet, size_t panel, const struct figure_style *style)
{
    fprintf(gp, "name = \"%s\"\ndata = \"%s.dat\"\nendings = \"", sheet, data);
    for (size_t i = 0, listed = 0; i < FIGURE_FORMATS; i++)
        if (style->formats[i])
            fprintf(gp, "%s%s", listed++ ? " " : "", figure_format_names[i]);
    fprintf(gp, "\"\npaper = %d\npanel = %zu\n", style->paper != 0, panel);
    if (style->paper)
        fprintf(gp, "width_cm = %.12g\nfont_size = %.12g\nfont = \"%s\"\n", style->width, style->font_size,
                style->font);
}

size_t plot_figure_sheets(const struct plot_figure *figure, const struct figure_style *style)
{
    return style->single_panels && figure->n_panels > 1 ? figure->n_panels : 1;
}

const char *plot_figure_sheet_name(const struct plot_figure *figure, const struct figure_style *style, size_t k)
{
    return plot_figure_sheets(figure, style) > 1 ? pool_printf(figure->pool, "%s-%zu", figure->name, k + 1)
                                                 : figure->name;
}

/* The first line of a program: earlier versions had another. */
static const char first_line[] = "# A figure of hullbench: run \"gnuplot NAME.gp\" in this folder.\n";
/* Around the page of a program, which that of another style replaces. */
static const char page_begins[] = "if (!exists(\"page_is_set\")) {\n", page_ends[] = "}\n";

/* Writes the program of a sheet and its words: a line for the heading and one for the caption. */
static void write_sheet(const struct plot_figure *figure, const char *folder, size_t k,
                        const struct figure_style *style)
{
    const size_t panel = plot_figure_sheets(figure, style) > 1 ? k + 1 : 0;
    const char *path = pool_printf(figure->pool, "%s/%s", folder, plot_figure_sheet_name(figure, style, k)),
               *title = panel ? figure->panels[k] : "";
    struct pool_text *gp = pool_text_open(figure->pool);
    fprintf(gp->stream, "%s# Template: plots/%s.gp\n%s", first_line, figure->drawing, page_begins);
    put_page(gp->stream, figure->name, plot_figure_sheet_name(figure, style, k), panel, style);
    fprintf(gp->stream, "%s%s", page_ends, figure->texts[FIGURE_HEAD]->text);
    pool_text_end(gp);
    file_write(pool_printf(figure->pool, "%s.gp", path), gp->text, gp->size);
    const char *heading = figure->texts[FIGURE_HEADING]->text, *caption = figure->texts[FIGURE_CAPTION]->text;
    size_t size = figure->texts[FIGURE_CAPTION]->size;
    while (size > 0 && caption[size - 1] == ' ')
        size--;
    const char *words = pool_printf(figure->pool, "%s%s%s.\n%.*s\n", heading, *title ? ": " : "", title, (int)size,
                                    caption);
    file_write(pool_printf(figure->pool, "%s.txt", path), words, strlen(words));
}

void plot_figure_write(struct plot_figure *figure, const char *folder, const struct figure_style *style)
{
    put_styles(figure, style);
    append_template(figure->head, "common");
    append_template(figure->head, figure->drawing);
    for (int i = 0; i < FIGURE_STREAMS; i++)
        pool_text_end(figure->texts[i]);
    const struct pool_text *dat = figure->texts[FIGURE_DAT];
    file_write(pool_printf(figure->pool, "%s/%s.dat", folder, figure->name), dat->text, dat->size);
    for (size_t k = 0; k < plot_figure_sheets(figure, style); k++)
        write_sheet(figure, folder, k, style);
}

/* ---- figures that exist, in another style ---- */

static void restyle(struct pool *pool, const char *from, const char *name, const char *to,
                    const struct figure_style *style)
{
    static const char *const copied[] = {"dat", "txt"};
    const char *path = pool_printf(pool, "%s/%s.gp", from, name), *program = file_read(pool, path, NULL);
    struct pool_text *text = pool_text_open(pool);
    FILE *stream = text->stream;
    size_t size = 0, named = 0;
    if (strncmp(program, first_line, sizeof first_line - 1) != 0)
        die(STATUS_BAD_INPUT, "%s: this figure is of an earlier version; draw it again first", path);
    put_page(stream, name, name, 0, style);
    fprintf(stream, "page_is_set = 1\narray renamed[%zu]\n", 2 * style->n_series + 1);
    for (size_t i = 0; i < style->n_series; i++)
        if (style->series[i].of) {
            const char *const names[] = {style->series[i].of, style->series[i].name};
            for (int k = 0; k < 2; k++) {
                fprintf(stream, "renamed[%zu] = ", ++named);
                put_quoted(stream, names[k]);
                fputc('\n', stream);
            }
        }
    fprintf(stream, "n_renamed = %zu\n%s", named, program);
    pool_text_end(text);
    file_write(pool_printf(pool, "%s/%s.gp", to, name), text->text, text->size);
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++) {
        const char *part = file_read(pool, pool_printf(pool, "%s/%s.%s", from, name, copied[i]), &size);
        file_write(pool_printf(pool, "%s/%s.%s", to, name, copied[i]), part, size);
    }
}

/* Nonzero if a file is the program of a figure drawn by `compare`, `tune` or `atlas`. */
static int is_of_other_verb(const char *name)
{
    const char *end = strrchr(name, '.');
    return end && strcmp(end, ".gp") == 0 && (strncmp(name, "compare", 7) == 0 || strncmp(name, "tune-", 5) == 0 ||
                                             strncmp(name, "atlas-", 6) == 0);
}

void figures_restyle(struct pool *pool, const char *from, const char *only, const char *to,
                     const struct figure_style *style, struct string_list *names)
{
    const struct string_list programs = folder_list(pool, from, is_of_other_verb, STATUS_IO);
    for (size_t i = 0; i < programs.count; i++) {
        const char *name = pool_strndup(pool, programs.line[i], strlen(programs.line[i]) - strlen(".gp"));
        if (!only || strcmp(only, name) == 0) {
            folder_make(to);
            restyle(pool, from, name, to, style);
            string_list_push(pool, names, "%s", name);
        }
    }
}
