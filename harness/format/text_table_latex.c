/*
 * LaTeX for a page of the class article, 345 by 550 points. Widths are estimated from the number of characters and the
 * width of a figure in the size of type. The largest of three sizes is taken in which all columns stand side by side;
 * where none does, the columns go on below in further tabulars that repeat the first. A column of long texts is set in
 * paragraphs that share what is left of the line. Headings are broken at spaces. Rows that do not fit a page go on in
 * further tables. Notes follow the last one. No package but booktabs is needed: texts become commands where LaTeX of
 * 2018 or later does not read them as they are.
 */
#include "harness/format/text_table_latex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/format/latex_text.h"

static const double LINE = 343, PAGE = 470, GAP = 6; /* points; GAP: twice \tabcolsep */
enum { LONG_TEXT = 34, PARAGRAPH_MIN = 80 };         /* characters; points */

struct face {
    const char *command;
    double character, line; /* points */
};
static const struct face faces[] = {{"\\small", 4.9, 11}, {"\\footnotesize", 4.5, 9.5}, {"\\scriptsize", 4.2, 8}};
enum { FACES = sizeof faces / sizeof *faces };

struct column {
    size_t characters; /* of the widest cell, or line of the heading */
    size_t head_lines;
    int paragraph;
    double points; /* without GAP */
};

struct layout {
    const struct text_table *grid;
    const struct face *face;
    struct column *columns;
    size_t rows; /* without the heading, which is row 0 */
    FILE *stream;
    double used; /* height of the table being written; 0: none is */
    int tables;  /* begun so far */
};

static const char *cell(const struct layout *layout, size_t row, size_t column)
{
    return layout->grid->cells[row * layout->grid->columns + column];
}

static void put_whole(FILE *stream, const char *text)
{
    latex_text(stream, text, strlen(text), 0);
}

/* ---- widths ---- */

/* The end of the line of a heading that starts at `text`, `room` characters wide where a space allows it. */
static const char *line_end(const char *text, size_t room)
{
    const char *end = text + strcspn(text, " ");
    while (*end == ' ') {
        const char *next = end + 1 + strcspn(end + 1, " ");
        size_t width = 0;
        for (const char *at = text; at < next; at++)
            width += ((unsigned char)*at & 0xc0) != 0x80;
        if (width > room)
            break;
        end = next;
    }
    return end;
}

static void measure_heading(const char *text, struct column *column)
{
    size_t word = column->characters;
    for (const char *at = text; *at; at += *at == ' ') {
        const char *end = at + strcspn(at, " ");
        word = (size_t)(end - at) > word ? (size_t)(end - at) : word;
        at = end;
    }
    column->characters = word;
    column->head_lines = 0;
    for (const char *at = text; column->head_lines == 0 || *at; column->head_lines++) {
        at = line_end(at, word);
        at += *at == ' ';
    }
}

static void measure(struct layout *layout)
{
    for (size_t j = 0; j < layout->grid->columns; j++) {
        struct column *column = &layout->columns[j];
        for (size_t i = 1; i <= layout->rows; i++) {
            size_t width = grid_width(cell(layout, i, j));
            column->characters = width > column->characters ? width : column->characters;
        }
        column->paragraph = column->characters > LONG_TEXT;
        if (column->paragraph)
            column->head_lines = 1;
        else
            measure_heading(cell(layout, 0, j), column);
    }
}

static double least_points(const struct layout *layout, size_t j)
{
    const struct column *column = &layout->columns[j];
    return GAP + (column->paragraph ? (double)PARAGRAPH_MIN : (double)column->characters * layout->face->character);
}

/* The columns that stand beside the first in a tabular that begins with column `from`: up to, not with, the result. */
static size_t panel_end(const struct layout *layout, size_t from)
{
    const struct text_table *grid = layout->grid;
    double points = least_points(layout, 0);
    size_t end = from;
    while (end < grid->columns) {
        size_t next = end + 1; /* with the columns joined to it */
        double wide = least_points(layout, end);
        for (; next < grid->columns && grid->joined && grid->joined[next]; next++)
            wide += least_points(layout, next);
        if (end > from && points + wide > LINE)
            break;
        points += wide;
        end = next;
    }
    return end;
}

/* Gives the paragraphs of a tabular what the other columns leave of the line. */
static void set_points(struct layout *layout, size_t from, size_t end)
{
    double left = LINE;
    size_t paragraphs = 0;
    for (size_t j = 0; j < end; j = j ? j + 1 : from) {
        paragraphs += layout->columns[j].paragraph != 0;
        left -= least_points(layout, j) - (layout->columns[j].paragraph ? (double)PARAGRAPH_MIN : 0);
    }
    for (size_t j = 0; j < end; j = j ? j + 1 : from) {
        struct column *column = &layout->columns[j];
        double share = paragraphs ? floor(left / (double)paragraphs) : 0;
        column->points =
            column->paragraph ? (share < PARAGRAPH_MIN ? PARAGRAPH_MIN : share) : least_points(layout, j) - GAP;
    }
}

static double text_lines(const struct layout *layout, const char *text, double points)
{
    return ceil(1.1 * (double)grid_width(text) * layout->face->character / points);
}

static double row_height(const struct layout *layout, size_t row, size_t from, size_t end)
{
    double lines = 1;
    for (size_t j = 0; j < end; j = j ? j + 1 : from) {
        const struct column *column = &layout->columns[j];
        double own = column->paragraph ? text_lines(layout, cell(layout, row, j), column->points)
                     : row == 0        ? (double)column->head_lines
                                       : 1;
        lines = own > lines ? own : lines;
    }
    return lines * layout->face->line;
}

/* ---- writing ---- */

static void end_table(struct layout *layout)
{
    if (layout->used > 0)
        fputs("\\end{table}\n", layout->stream);
    layout->used = 0;
}

/* Room for `height` more points: in this table, or in a further one. */
static void need(struct layout *layout, double height)
{
    if (layout->used > 0 && layout->used + height > PAGE)
        end_table(layout);
    if (layout->used > 0) {
        layout->used += height + 8;
        return;
    }
    fprintf(layout->stream, "\\begin{table}\n\\centering%s\\setlength{\\tabcolsep}{3pt}\n", layout->face->command);
    if (layout->grid->title) {
        fputs("\\caption{", layout->stream);
        put_whole(layout->stream, layout->grid->title);
        fputs(layout->tables ? " (continued)}\n" : "}\n", layout->stream);
    }
    layout->tables++;
    layout->used = height + 8;
}

static void put_heading(const struct layout *layout, size_t j)
{
    const struct column *column = &layout->columns[j];
    const char *at = cell(layout, 0, j);
    /* a heading of one line, or one that the paragraph breaks */
    if (column->head_lines == 1 || column->paragraph) {
        latex_text(layout->stream, at, strlen(at), 0);
        return;
    }
    fputs(j ? "\\shortstack[r]{" : "\\shortstack[l]{", layout->stream);
    for (size_t line = 0; line < column->head_lines; line++) {
        const char *end = line_end(at, column->characters);
        fputs(line ? "\\\\" : "", layout->stream);
        latex_text(layout->stream, at, (size_t)(end - at), 0);
        at = end + (*end == ' ');
    }
    fputs("}", layout->stream);
}

static void put_row(const struct layout *layout, size_t row, size_t from, size_t end)
{
    for (size_t j = 0; j < end; j = j ? j + 1 : from) {
        const char *text = cell(layout, row, j);
        fputs(j ? " & " : "", layout->stream);
        fputs(layout->columns[j].paragraph ? "\\raggedright " : "", layout->stream);
        if (row == 0)
            put_heading(layout, j);
        else
            latex_text(layout->stream, text, strlen(text), layout->columns[j].paragraph);
    }
    fputs(" \\tabularnewline\n", layout->stream);
}

static void put_panel(struct layout *layout, size_t first, size_t last, size_t from, size_t end)
{
    FILE *stream = layout->stream;
    fputs("\\begin{tabular}{", stream);
    for (size_t j = 0; j < end; j = j ? j + 1 : from)
        if (layout->columns[j].paragraph)
            fprintf(stream, "p{%.0fpt}", layout->columns[j].points);
        else
            fputs(j ? "r" : "l", stream);
    fputs("}\n\\toprule\n", stream);
    put_row(layout, 0, from, end);
    fputs("\\midrule\n", stream);
    for (size_t i = first; i < last; i++)
        put_row(layout, i, from, end);
    fputs("\\bottomrule\n\\end{tabular}\n\n", stream);
}

/* The row behind those from `first` on that a page holds, whatever tabular of the columns is the highest. */
static size_t rows_end(struct layout *layout, size_t first)
{
    size_t last = layout->rows + 1, end = 1;
    do {
        const size_t from = end;
        end = panel_end(layout, from);
        set_points(layout, from, end);
        double height = row_height(layout, 0, from, end);
        for (size_t i = first; i < last; i++) {
            height += row_height(layout, i, from, end);
            if (height > PAGE && i > first)
                last = i;
        }
    } while (end < layout->grid->columns);
    return last;
}

/* All columns of the rows from `first` up to, not with, `last`. */
static void put_rows(struct layout *layout, size_t first, size_t last)
{
    size_t end = 1;
    do {
        const size_t from = end;
        end = panel_end(layout, from);
        set_points(layout, from, end);
        double height = 12 + row_height(layout, 0, from, end);
        for (size_t i = first; i < last; i++)
            height += row_height(layout, i, from, end);
        need(layout, height);
        put_panel(layout, first, last, from, end);
    } while (end < layout->grid->columns);
}

static void put_notes(struct layout *layout)
{
    for (size_t i = 0; i < layout->grid->n_notes; i++) {
        const char *note = layout->grid->notes[i];
        need(layout, text_lines(layout, note, LINE) * layout->face->line);
        fputs("{\\raggedright ", layout->stream);
        latex_text(layout->stream, note, strlen(note), 1);
        fputs("\\par}\n", layout->stream);
    }
}

enum status text_table_latex(const struct text_table *grid, const char *path, FILE *stream, struct error *error)
{
    struct layout layout = {.grid = grid, .rows = grid->count / grid->columns - 1, .stream = stream};
    layout.columns = calloc(grid->columns, sizeof *layout.columns);
    if (!layout.columns)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
    measure(&layout);
    for (size_t i = 0; i < FACES; i++) {
        layout.face = &faces[i];
        if (grid->columns == 1 || panel_end(&layout, 1) == grid->columns)
            break;
    }
    fputs("% needs \\usepackage{booktabs}\n", stream);
    size_t first = 1;
    do {
        size_t last = rows_end(&layout, first);
        put_rows(&layout, first, last);
        first = last;
    } while (first <= layout.rows);
    put_notes(&layout);
    end_table(&layout);
    free(layout.columns);
    return STATUS_OK;
}
