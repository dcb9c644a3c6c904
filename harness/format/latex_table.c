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
#include <math.h>
#include <string.h>

#include "harness/format/markup.h"
#include "harness/format/latex_width.h"
#include "harness/format/text_table.h"

enum { PART_ROWS = 40 };

/* The columns of a table that name the rows and those in [first, last), shown as one table. */
struct view {
    const struct text_table *table;
    const double *bodies; /* the widths of the table's columns without their headings, at 10 pt */
    size_t first, last;
};

static size_t n_heads(const struct text_table *table)
{
    return table->heads ? table->heads : 1;
}

static size_t n_columns(const struct view *view)
{
    return n_heads(view->table) + view->last - view->first;
}

/* The column of the table that is column `j` of the view. */
static size_t column_of(const struct view *view, size_t j)
{
    const size_t heads = n_heads(view->table);
    return j < heads ? j : view->first + j - heads;
}

static const char *cell_at(const struct view *view, size_t row, size_t j)
{
    return view->table->item[row * view->table->columns + column_of(view, j)].text;
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

static size_t n_levels(const struct view *view)
{
    size_t most = 1;
    for (size_t j = n_heads(view->table); j < n_columns(view); j++) {
        size_t levels = count_levels(cell_at(view, 0, j));
        most = levels > most ? levels : most;
    }
    return most;
}

/* The first column that does not share the level, and all levels above it, with column `first`. */
static size_t span_end(const struct view *view, size_t first, size_t level)
{
    size_t length, end = first + 1;
    const char *heading = cell_at(view, 0, first), *own = level_of(heading, level, &length);
    size_t common = (size_t)(own - heading) + length;
    while (end < n_columns(view) && strncmp(heading, cell_at(view, 0, end), common) == 0 &&
           cell_at(view, 0, end)[common] == '\n')
        end++;
    return end;
}

/* Breaks the heading's last level between words into lines no wider than `room`, if possible. Returns the widest line;
 * writes LaTeX if there is a stream. */
static double put_lines(const char *text, double room, int left, FILE *stream)
{
    double widest = 0;
    size_t lines = 1;
    if (stream && latex_width(text, strlen(text), 0) > room && strchr(text, ' '))
        fprintf(stream, "\\shortstack[%c]{", left ? 'l' : 'r');
    else if (stream) {
        latex_text(stream, text, strlen(text), 0);
        return 0;
    }
    while (*text) {
        size_t length = strcspn(text, " ");
        for (size_t more = length; text[more] == ' ';) { /* as many words as fit */
            more += 1 + strcspn(text + more + 1, " ");
            if (latex_width(text, more, 0) > room)
                break;
            length = more;
        }
        double width = latex_width(text, length, 0);
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

static const char *own_heading(const struct view *view, size_t column)
{
    const char *heading = cell_at(view, 0, column), *last = strrchr(heading, '\n');
    return last ? last + 1 : heading;
}

/* ---- widths ---- */

/* The view's `bodies`, for the whole table. */
static double *body_widths(const struct text_table *table)
{
    double *widths = pool_array(table->pool, table->columns, sizeof *widths);
    for (size_t i = table->columns; i < table->count; i++) {
        const char *text = table->item[i].text;
        const double width = latex_width(text, strlen(text), table->item[i].is_bold);
        widths[i % table->columns] = fmax(width, widths[i % table->columns]);
    }
    return widths;
}

/* The widths of the view's columns with their headings. */
static double *column_widths(const struct view *view, double separator)
{
    double *widths = pool_array(view->table->pool, n_columns(view), sizeof *widths);
    for (size_t j = 0; j < n_columns(view); j++) {
        const double body = view->bodies[column_of(view, j)];
        widths[j] = fmax(put_lines(own_heading(view, j), body, 0, NULL), body);
    }
    for (size_t level = 0; level + 1 < n_levels(view); level++)
        for (size_t j = n_heads(view->table), end; j < n_columns(view); j = end) {
            size_t length;
            const char *text = level_of(cell_at(view, 0, j), level, &length);
            double spanned = 0;
            end = span_end(view, j, level);
            for (size_t k = j; k < end; k++)
                spanned += widths[k] + (k + 1 < end ? separator : 0);
            double heading = latex_width(text, length, 0);
            widths[end - 1] += heading > spanned ? heading - spanned : 0;
        }
    return widths;
}

/* The width of the table, its columns scaled from 10 pt by `scale`, its separators as given. */
static double total_width(const struct view *view, double scale, double separator)
{
    double *widths = column_widths(view, separator / scale), total = separator * (double)(n_columns(view) - 1);
    for (size_t j = 0; j < n_columns(view); j++)
        total += scale * widths[j];
    return total;
}

static struct latex_setting choose_size(const struct view *view, size_t smallest)
{
    static const double separators[] = {8, 5};
    struct latex_setting setting = {0};
    for (size_t s = 0; s <= smallest; s++)
        for (size_t k = 0; k < sizeof separators / sizeof *separators; k++) {
            setting = (struct latex_setting){s, separators[k],
                                             total_width(view, latex_sizes[s].scale, separators[k]), 1};
            if (setting.width <= view->table->page.points)
                return setting;
        }
    return setting;
}

/* ---- cut tables ---- */

enum { FOOTNOTESIZE = 1 };

/* The size common to all parts, or a smaller one if the part does not fit. */
static struct latex_setting size_of_part(const struct view *part)
{
    struct latex_setting setting = {FOOTNOTESIZE, 5, total_width(part, latex_sizes[FOOTNOTESIZE].scale, 5), 1};
    return setting.width <= part->table->page.points ? setting : choose_size(part, LATEX_SIZES - 1);
}

/* The end of the columns that fit together from `first` on, at least one. */
static size_t columns_end(const struct view *whole, size_t first)
{
    struct view part = {whole->table, whole->bodies, first, first + 1};
    do
        part.last++;
    while (part.last <= whole->last && size_of_part(&part).size == FOOTNOTESIZE);
    return part.last - 1;
}

static struct latex_setting choose_parts(const struct view *whole)
{
    struct latex_setting setting = choose_size(whole, LATEX_SIZES - 1);
    if (setting.width <= whole->table->page.points)
        return setting;
    setting.parts = 0;
    for (size_t first = whole->first; first < whole->last; first = columns_end(whole, first))
        setting.parts++;
    return setting;
}

struct latex_setting latex_table_choose(const struct text_table *table)
{
    return choose_parts(&(struct view){table, body_widths(table), n_heads(table), table->columns});
}

/* ---- writing ---- */

static void put_headings(const struct view *view, FILE *stream)
{
    const size_t heads = n_heads(view->table), levels = n_levels(view);
    for (size_t level = 0; level + 1 < levels; level++) {
        for (size_t j = 1; j < heads; j++)
            fputs("& ", stream);
        for (size_t j = heads, end; j < n_columns(view); j = end) {
            size_t length;
            const char *text = level_of(cell_at(view, 0, j), level, &length);
            end = span_end(view, j, level);
            fprintf(stream, "& \\multicolumn{%zu}{c}{", end - j);
            latex_text(stream, text, length, 0);
            fputs("} ", stream);
        }
        fputs("\\tabularnewline\n", stream);
        for (size_t j = heads, end; j < n_columns(view); j = end) {
            end = span_end(view, j, level);
            fprintf(stream, "\\cmidrule(lr){%zu-%zu}", j + 1, end);
        }
        fputs("\n", stream);
    }
    for (size_t j = 0; j < n_columns(view); j++) {
        fputs(j ? " & " : "", stream);
        put_lines(own_heading(view, j), view->bodies[column_of(view, j)], j < heads, stream);
    }
    fputs(" \\tabularnewline\n\\midrule\n", stream);
}

/* How many leading row names are the same as in the row above. */
static size_t repeated_heads(const struct view *view, size_t row)
{
    size_t same = 0;
    while (same + 1 < n_heads(view->table) && strcmp(cell_at(view, row, same), cell_at(view, row - 1, same)) == 0)
        same++;
    return same;
}

static void put_row(const struct view *view, size_t row, size_t blank, FILE *stream)
{
    for (size_t j = 0; j < n_columns(view); j++) {
        const char *text = cell_at(view, row, j);
        const int bold = view->table->item[row * view->table->columns + column_of(view, j)].is_bold;
        fputs(j ? " & " : "", stream);
        fputs(bold ? "\\textbf{" : "", stream);
        if (j >= blank)
            latex_text(stream, text, strlen(text), 0);
        fputs(bold ? "}" : "", stream);
    }
    fputs(" \\tabularnewline\n", stream);
}

/* The end of the part's rows: after PART_ROWS, or at the end of a group shortly before. */
static size_t part_end(const struct view *view, size_t first)
{
    size_t rows = view->table->count / view->table->columns, end = first + PART_ROWS;
    if (rows <= end)
        return rows;
    for (size_t row = end; row > first + PART_ROWS / 2 && n_heads(view->table) > 1; row--)
        if (repeated_heads(view, row) == 0)
            return row;
    return end;
}

static void put_part(const struct view *view, const struct latex_setting *setting, size_t first, size_t last,
                     FILE *stream)
{
    const int too_wide = setting->width > view->table->page.points;
    if (too_wide)
        fputs("\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n", stream);
    fputs("\\begin{tabular}{@{}", stream);
    for (size_t j = 0; j < n_columns(view); j++)
        fputs(j < n_heads(view->table) ? "l" : "r", stream);
    fputs("@{}}\n\\toprule\n", stream);
    put_headings(view, stream);
    for (size_t i = first; i < last; i++) {
        size_t blank = i > first ? repeated_heads(view, i) : 0;
        if (i > first && blank == 0 && n_heads(view->table) > 1)
            fputs("\\addlinespace\n", stream);
        put_row(view, i, blank, stream);
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
    if (table->notes.count == 0)
        return;
    fputs("\n\\smallskip\n{\\raggedright\\footnotesize ", stream);
    for (size_t i = 0; i < table->notes.count; i++) {
        fputs(i ? "\n" : "", stream);
        latex_text(stream, table->notes.item[i], strlen(table->notes.item[i]), 1);
    }
    fputs("\\par}\n", stream);
}

/* Writes the rows of an uncut table, in as many tables as they need. */
static void write_rows(const struct view *view, struct latex_setting setting, int continued, int notes,
                       FILE *stream)
{
    const struct text_table *table = view->table;
    const char *environment = table->page.spans ? "table*" : "table";
    size_t rows = table->count / table->columns, first = 1;
    do {
        size_t last = part_end(view, first);
        fprintf(stream, "\\begin{%s}\n\\centering%s\\setlength{\\tabcolsep}{%gpt}\n", environment,
                latex_sizes[setting.size].command, setting.separator / 2);
        put_caption(table, continued || first > 1, stream);
        put_part(view, &setting, first, last, stream);
        first = last;
        if (first == rows && notes)
            put_notes(table, stream);
        fprintf(stream, "\\end{%s}\n", environment);
    } while (first < rows);
}

void latex_table_write(const struct text_table *table, FILE *stream)
{
    double *bodies = body_widths(table);
    const struct view whole = {table, bodies, n_heads(table), table->columns};
    const struct latex_setting setting = choose_parts(&whole);
    const int fits = setting.width <= table->page.points;
    fprintf(stream, "%% needs \\usepackage{booktabs,graphicx}\n%% estimated width %.0f pt of %.0f pt in %s",
            setting.width, table->page.points, latex_sizes[setting.size].command);
    if (!fits)
        fprintf(stream, ": TOO WIDE, set as %zu tables", setting.parts);
    fputs("\n", stream);
    if (fits)
        write_rows(&whole, setting, 0, 1, stream);
    for (size_t first = whole.first, end; !fits && first < whole.last; first = end) {
        end = columns_end(&whole, first);
        const struct view part = {table, bodies, first, end};
        write_rows(&part, size_of_part(&part), first > whole.first, end == whole.last, stream);
    }
}
