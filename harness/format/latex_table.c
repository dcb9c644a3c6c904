/*
 * A table for a paper, in booktabs.
 *
 * Width: a column is as wide as its widest cell (latex_width.h), a heading that spans several columns widens the last
 * of them, and a separator lies between adjacent columns. The sizes \small, \footnotesize and \scriptsize are tried in
 * turn, with 8 and then 5 points between columns, and the first that fits is used. If none fits, the table is cut into
 * tables with as many columns each as fit in \footnotesize, each with the cells that name its rows. A single column
 * that does not fit next to these is scaled. The second line of the file describes the result.
 *
 * Columns are l for cells that name a row and r for the rest, so no line breaks inside a cell. Headings wider than
 * their column are broken between words.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/format/latex_text.h"
#include "harness/format/latex_width.h"
#include "harness/format/text_table.h"
#include "harness/base/memory.h"

enum { PART_ROWS = 40 };

static const char *cell_at(const struct text_table *table, size_t row, size_t column)
{
    return table->cells[row * table->columns + column];
}

static int is_bold(const struct text_table *table, size_t row, size_t column)
{
    size_t cell = row * table->columns + column;
    return cell < table->n_bold && table->bold[cell];
}

static size_t n_heads(const struct text_table *table)
{
    return table->heads ? table->heads : 1;
}

/* ---- headings: levels separated by newlines, the last one the column's own ---- */

static size_t count_levels(const char *heading)
{
    size_t levels = 1;
    for (; *heading; heading++)
        levels += *heading == '\n';
    return levels;
}

/* The start of a level and its length. */
static const char *level_of(const char *heading, size_t level, size_t *length)
{
    for (; level > 0; level--)
        heading = strchr(heading, '\n') + 1;
    *length = strcspn(heading, "\n");
    return heading;
}

static size_t n_levels(const struct text_table *table)
{
    size_t most = 1;
    for (size_t j = n_heads(table); j < table->columns; j++) {
        size_t levels = count_levels(cell_at(table, 0, j));
        most = levels > most ? levels : most;
    }
    return most;
}

/* The first column that does not share the level, and all levels above it, with column `first`. */
static size_t span_end(const struct text_table *table, size_t first, size_t level)
{
    size_t length, end = first + 1;
    const char *heading = cell_at(table, 0, first), *own = level_of(heading, level, &length);
    size_t common = (size_t)(own - heading) + length;
    while (end < table->columns && strncmp(heading, cell_at(table, 0, end), common) == 0 &&
           cell_at(table, 0, end)[common] == '\n')
        end++;
    return end;
}

static double width_of(const char *text, size_t length, int bold)
{
    char *copy = xstrndup(text, length);
    double width = latex_width(copy, bold);
    free(copy);
    return width;
}

/* Breaks the heading's last level between words into lines no wider than `room`, if possible. Returns the widest line;
 * writes LaTeX if there is a stream. */
static double put_lines(const char *text, double room, int left, FILE *stream)
{
    double widest = 0;
    size_t lines = 1;
    if (stream && width_of(text, strlen(text), 0) > room && strchr(text, ' '))
        fprintf(stream, "\\shortstack[%c]{", left ? 'l' : 'r');
    else if (stream) {
        latex_text(stream, text, strlen(text), 0);
        return 0;
    }
    while (*text) {
        size_t length = strcspn(text, " ");
        for (size_t more = length; text[more] == ' ';) { /* as many words as fit */
            more += 1 + strcspn(text + more + 1, " ");
            if (width_of(text, more, 0) > room)
                break;
            length = more;
        }
        double width = width_of(text, length, 0);
        widest = width > widest ? width : widest;
        if (stream) {
            fputs(lines++ > 1 ? "\\\\" : "", stream);
            latex_text(stream, text, length, 0);
        }
        text += length + (text[length] == ' ');
    }
    if (stream)
        fputs("}", stream);
    return widest;
}

static const char *own_heading(const struct text_table *table, size_t column)
{
    const char *heading = cell_at(table, 0, column), *last = strrchr(heading, '\n');
    return last ? last + 1 : heading;
}

/* ---- widths ---- */

/* The widths of the columns without their headings, at 10 pt; freed by the caller. */
static double *body_widths(const struct text_table *table)
{
    double *widths = xcalloc(table->columns, sizeof *widths);
    for (size_t i = 1; i < table->count / table->columns; i++)
        for (size_t j = 0; j < table->columns; j++) {
            double width = latex_width(cell_at(table, i, j), is_bold(table, i, j));
            widths[j] = width > widths[j] ? width : widths[j];
        }
    return widths;
}

/* The same with the headings. */
static double *column_widths(const struct text_table *table, double separator)
{
    double *widths = body_widths(table);
    for (size_t j = 0; j < table->columns; j++) {
        double heading = put_lines(own_heading(table, j), widths[j], 0, NULL);
        widths[j] = heading > widths[j] ? heading : widths[j];
    }
    for (size_t level = 0; level + 1 < n_levels(table); level++)
        for (size_t j = n_heads(table), end; j < table->columns; j = end) {
            size_t length;
            const char *text = level_of(cell_at(table, 0, j), level, &length);
            double spanned = 0;
            end = span_end(table, j, level);
            for (size_t k = j; k < end; k++)
                spanned += widths[k] + (k + 1 < end ? separator : 0);
            double heading = width_of(text, length, 0);
            widths[end - 1] += heading > spanned ? heading - spanned : 0;
        }
    return widths;
}

/* The width of the table, its columns scaled from 10 pt by `scale`, its separators as given. */
static double total_width(const struct text_table *table, double scale, double separator)
{
    double *widths = column_widths(table, separator / scale), total = separator * (double)(table->columns - 1);
    for (size_t j = 0; j < table->columns; j++)
        total += scale * widths[j];
    free(widths);
    return total;
}

static struct latex_setting choose_size(const struct text_table *table, size_t smallest)
{
    static const double separators[] = {8, 5};
    struct latex_setting setting = {0};
    for (size_t s = 0; s <= smallest; s++)
        for (size_t k = 0; k < sizeof separators / sizeof *separators; k++) {
            setting = (struct latex_setting){s, separators[k],
                                             total_width(table, latex_sizes[s].scale, separators[k]), 1};
            if (setting.width <= table->page.points)
                return setting;
        }
    return setting;
}

/* ---- cut tables ---- */

enum { FOOTNOTESIZE = 1 };

/* The table reduced to the columns that name the rows and those in [first, last). Its cells are borrowed; free it with
 * part_free. */
static struct text_table part_of(const struct text_table *table, size_t first, size_t last)
{
    const size_t heads = n_heads(table), rows = table->count / table->columns;
    struct text_table part = {.columns = heads + last - first, .heads = heads, .title = table->title,
                              .page = table->page};
    part.count = part.n_bold = rows * part.columns;
    part.cells = xcalloc(part.count, sizeof *part.cells);
    part.bold = xcalloc(part.count, sizeof *part.bold);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < part.columns; j++) {
            const size_t column = j < heads ? j : first + j - heads;
            part.cells[i * part.columns + j] = table->cells[i * table->columns + column];
            part.bold[i * part.columns + j] = (unsigned char)is_bold(table, i, column);
        }
    return part;
}

static void part_free(struct text_table *part)
{
    free(part->cells);
    free(part->bold);
}

/* The size common to all parts, or a smaller one if the part does not fit. */
static struct latex_setting size_of_part(const struct text_table *part)
{
    struct latex_setting setting = {FOOTNOTESIZE, 5, total_width(part, latex_sizes[FOOTNOTESIZE].scale, 5), 1};
    return setting.width <= part->page.points ? setting : choose_size(part, LATEX_SIZES - 1);
}

/* The end of the columns that fit together from `first` on, at least one. */
static size_t columns_end(const struct text_table *table, size_t first)
{
    size_t end = first + 1;
    for (int fits = 1; fits && end < table->columns; end += (size_t)fits) {
        struct text_table part = part_of(table, first, end + 1);
        fits = size_of_part(&part).size == FOOTNOTESIZE;
        part_free(&part);
    }
    return end;
}

struct latex_setting latex_table_choose(const struct text_table *table)
{
    struct latex_setting setting = choose_size(table, LATEX_SIZES - 1);
    if (setting.width <= table->page.points)
        return setting;
    setting.parts = 0;
    for (size_t first = n_heads(table); first < table->columns; first = columns_end(table, first))
        setting.parts++;
    return setting;
}

/* ---- writing ---- */

static void put_headings(const struct text_table *table, FILE *stream)
{
    const size_t heads = n_heads(table), levels = n_levels(table);
    double *widths = body_widths(table);
    for (size_t level = 0; level + 1 < levels; level++) {
        for (size_t j = 1; j < heads; j++)
            fputs("& ", stream);
        for (size_t j = heads, end; j < table->columns; j = end) {
            size_t length;
            const char *text = level_of(cell_at(table, 0, j), level, &length);
            end = span_end(table, j, level);
            fprintf(stream, "& \\multicolumn{%zu}{c}{", end - j);
            latex_text(stream, text, length, 0);
            fputs("} ", stream);
        }
        fputs("\\tabularnewline\n", stream);
        for (size_t j = heads, end; j < table->columns; j = end) {
            end = span_end(table, j, level);
            fprintf(stream, "\\cmidrule(lr){%zu-%zu}", j + 1, end);
        }
        fputs("\n", stream);
    }
    for (size_t j = 0; j < table->columns; j++) {
        fputs(j ? " & " : "", stream);
        put_lines(own_heading(table, j), widths[j], j < heads, stream);
    }
    fputs(" \\tabularnewline\n\\midrule\n", stream);
    free(widths);
}

/* How many leading row names are the same as in the row above. */
static size_t repeated_heads(const struct text_table *table, size_t row)
{
    size_t same = 0;
    while (same + 1 < n_heads(table) && strcmp(cell_at(table, row, same), cell_at(table, row - 1, same)) == 0)
        same++;
    return same;
}

static void put_row(const struct text_table *table, size_t row, size_t blank, FILE *stream)
{
    for (size_t j = 0; j < table->columns; j++) {
        const char *text = cell_at(table, row, j);
        const int bold = is_bold(table, row, j);
        fputs(j ? " & " : "", stream);
        fputs(bold ? "\\textbf{" : "", stream);
        if (j >= blank)
            latex_text(stream, text, strlen(text), 0);
        fputs(bold ? "}" : "", stream);
    }
    fputs(" \\tabularnewline\n", stream);
}

/* The end of the part's rows: after PART_ROWS, or at the end of a group shortly before. */
static size_t part_end(const struct text_table *table, size_t first)
{
    size_t rows = table->count / table->columns, end = first + PART_ROWS;
    if (rows <= end)
        return rows;
    for (size_t row = end; row > first + PART_ROWS / 2 && n_heads(table) > 1; row--)
        if (repeated_heads(table, row) == 0)
            return row;
    return end;
}

static void put_part(const struct text_table *table, const struct latex_setting *setting, size_t first, size_t last,
                     FILE *stream)
{
    const int too_wide = setting->width > table->page.points;
    if (too_wide)
        fputs("\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n", stream);
    fputs("\\begin{tabular}{@{}", stream);
    for (size_t j = 0; j < table->columns; j++)
        fputs(j < n_heads(table) ? "l" : "r", stream);
    fputs("@{}}\n\\toprule\n", stream);
    put_headings(table, stream);
    for (size_t i = first; i < last; i++) {
        size_t blank = i > first ? repeated_heads(table, i) : 0;
        if (i > first && blank == 0 && n_heads(table) > 1)
            fputs("\\addlinespace\n", stream);
        put_row(table, i, blank, stream);
    }
    fprintf(stream, "\\bottomrule\n\\end{tabular}%s\n", too_wide ? "}" : "");
}

static void put_caption(const struct text_table *table, int continued, FILE *stream)
{
    fputs(continued ? "\\addtocounter{table}{-1}\n\\caption{" : "\\caption{", stream);
    if (table->title)
        latex_text(stream, table->title, strlen(table->title), 0);
    fputs(continued ? " (continued)}\n" : "}\n", stream);
    if (!continued)
        fprintf(stream, "\\label{tab:%s}\n", table->page.label);
    fputs("\\smallskip\n", stream);
}

static void put_notes(const struct text_table *table, FILE *stream)
{
    if (table->n_notes == 0)
        return;
    fputs("\n\\smallskip\n{\\raggedright\\footnotesize ", stream);
    for (size_t i = 0; i < table->n_notes; i++) {
        fputs(i ? "\n" : "", stream);
        latex_text(stream, table->notes[i], strlen(table->notes[i]), 1);
    }
    fputs("\\par}\n", stream);
}

/* Writes the rows of an uncut table, in as many tables as they need. */
static void write_rows(const struct text_table *table, struct latex_setting setting, int continued,
                       const struct text_table *notes, FILE *stream)
{
    const char *environment = table->page.spans ? "table*" : "table";
    size_t rows = table->count / table->columns, first = 1;
    do {
        size_t last = part_end(table, first);
        fprintf(stream, "\\begin{%s}\n\\centering%s\\setlength{\\tabcolsep}{%gpt}\n", environment,
                latex_sizes[setting.size].command, setting.separator / 2);
        put_caption(table, continued || first > 1, stream);
        put_part(table, &setting, first, last, stream);
        first = last;
        if (first == rows && notes)
            put_notes(notes, stream);
        fprintf(stream, "\\end{%s}\n", environment);
    } while (first < rows);
}

void latex_table_write(const struct text_table *table, FILE *stream)
{
    const struct latex_setting setting = latex_table_choose(table);
    fprintf(stream, "%% needs \\usepackage{booktabs,graphicx}\n%% estimated width %.0f pt of %.0f pt in %s",
            setting.width, table->page.points, latex_sizes[setting.size].command);
    if (setting.width > table->page.points)
        fprintf(stream, ": TOO WIDE, set as %zu tables", setting.parts);
    fputs("\n", stream);
    if (setting.width <= table->page.points) {
        write_rows(table, setting, 0, table, stream);
        return;
    }
    for (size_t first = n_heads(table), end; first < table->columns; first = end) {
        end = columns_end(table, first);
        struct text_table part = part_of(table, first, end);
        write_rows(&part, size_of_part(&part), first > n_heads(table), end == table->columns ? table : NULL, stream);
        part_free(&part);
    }
}
