/*
 * A table holds plain UTF-8 text; each output form escapes what it needs to. Markdown columns are padded to the widest
 * cell, counted in characters, so that the file is readable as plain text.
 *
 * LaTeX is for a page of any class: a tabular wider than the line is scaled to it, headings have one word per line, and
 * columns of long texts become paragraph columns. Rows that do not fit on a page continue in further tables.
 */
#include "harness/format/text_table.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "harness/format/markup.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"

void text_table_title(struct text_table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    table->title = pool_vprintf(table->pool, format, arguments);
    va_end(arguments);
}

void text_table_cell(struct text_table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = pool_vprintf(table->pool, format, arguments);
    va_end(arguments);
    pool_push(table->pool, table)->text = text;
}

void text_table_header(struct text_table *table, size_t heads, const char *headings)
{
    for (const char *at = headings;; at++, table->columns++) {
        const size_t length = strcspn(at, "\t");
        text_table_cell(table, "%.*s", (int)length, at);
        at += length;
        if (!*at)
            break;
    }
    table->columns++;
    table->heads = heads;
}

/* A cell ends where the text of the format up to its tab ends, so the arguments may have tabs, too. */
void text_table_row(struct text_table *table, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    char *text = pool_vprintf(table->pool, format, again), *cell = text, before[200];
    va_end(again);
    for (const char *tab = strchr(format, '\t'); tab; tab = strchr(tab + 1, '\t')) {
        snprintf(before, sizeof before, "%.*s", (int)(tab - format), format);
        va_copy(again, arguments);
        char *end = text + vsnprintf(NULL, 0, before, again);
        va_end(again);
        *end = '\0';
        pool_push(table->pool, table)->text = cell;
        cell = end + 1;
    }
    va_end(arguments);
    pool_push(table->pool, table)->text = cell;
}

void text_table_bold(struct text_table *table)
{
    table->item[table->count - 1].is_bold = 1;
}

void text_table_cells(struct text_table *table, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_table_cell(table, "%s", texts[i]);
}

void text_table_number(struct text_table *table, int digits, double number)
{
    if (digits >= 6 && number >= 1 && number <= 1e5 && number == floor(number)) /* takes a third of the time */
        text_table_cell(table, "%d", (int)number);
    else if (isfinite(number))
        text_table_cell(table, "%.*g", digits, number);
    else
        text_table_cell(table, "%s", "");
}

void text_table_footnote(struct text_table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = pool_vprintf(table->pool, format, arguments);
    va_end(arguments);
    *pool_push(table->pool, &table->notes) = text;
}

/* Continuation bytes of UTF-8 are 10xxxxxx. */
static size_t text_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

/* Writes a cell of a Markdown table. Returns how much longer it is than its text. */
static size_t put_cell(FILE *stream, const struct text_table *table, size_t cell)
{
    const char *bold = table->item[cell].is_bold ? "**" : "";
    if (stream)
        fputs(bold, stream);
    const size_t added = markdown_text(stream, table->item[cell].text);
    if (stream)
        fputs(bold, stream);
    return added + 2 * strlen(bold);
}

static void pad(FILE *stream, char with, size_t times)
{
    while (times--)
        fputc(with, stream);
}

static void write_markdown(const struct text_table *table, FILE *stream)
{
    size_t *widths = pool_array(table->pool, table->columns, sizeof *widths);
    for (size_t i = 0; i < table->count; i++) {
        size_t width = text_width(table->item[i].text) + put_cell(NULL, table, i);
        size_t *widest = &widths[i % table->columns];
        width = width < 3 ? 3 : width; /* Markdown's delimiter row needs three dashes */
        *widest = width > *widest ? width : *widest;
    }
    if (table->title) {
        fputs("# ", stream);
        markdown_without_html(stream, table->title);
        fputs("\n\n", stream);
    }
    for (size_t i = 0; i < table->count; i++) {
        size_t column = i % table->columns;
        size_t space = widths[column] - text_width(table->item[i].text) - put_cell(NULL, table, i);
        const int names_row = column < (table->heads ? table->heads : 1);
        fputs(column ? " " : "| ", stream);
        /* names left-aligned, figures right-aligned */
        pad(stream, ' ', names_row ? 0 : space);
        put_cell(stream, table, i);
        pad(stream, ' ', names_row ? space : 0);
        fputs(column + 1 < table->columns ? " |" : " |\n", stream);
        if (i + 1 == table->columns) {
            for (size_t j = 0; j < table->columns; j++) {
                fputs(j ? " " : "| ", stream);
                const int left = j < (table->heads ? table->heads : 1);
                pad(stream, '-', widths[j] - !left);
                fputs(left ? " |" : ": |", stream);
            }
            fputc('\n', stream);
        }
    }
    for (size_t i = 0; i < table->notes.count; i++) {
        fputc('\n', stream);
        markdown_without_html(stream, table->notes.item[i]);
        fputc('\n', stream);
    }
}

static void write_csv(const struct text_table *table, FILE *stream)
{
    for (size_t i = 0; i < table->count; i++) {
        csv_text(stream, table->item[i].text);
        if ((i + 1) % table->columns)
            fputc(',', stream);
        else
            fputs("\r\n", stream);
    }
}

/* ---- LaTeX ---- */

enum { LONG_TEXT = 34, PARAGRAPH = 28, PAGE_LINES = 40 }; /* characters, characters per line, lines per table */

static void put_latex(FILE *stream, const char *text, int breakable)
{
    latex_text(stream, text, strlen(text), breakable);
}

/* Writes the words of a heading one below the other. */
static void put_heading(FILE *stream, const char *text, int first)
{
    fprintf(stream, "\\shortstack[%c]{", first ? 'l' : 'r');
    for (size_t length; *text; text += length + (text[length] == ' ')) {
        length = strcspn(text, " ");
        latex_text(stream, text, length, 0);
        fputs(text[length] ? "\\\\" : "", stream);
    }
    fputs("}", stream);
}

static void put_row(const struct text_table *table, size_t row, const char *paragraph, FILE *stream)
{
    for (size_t j = 0; j < table->columns; j++) {
        const char *text = table->item[row * table->columns + j].text;
        fputs(j ? " & " : "", stream);
        fputs(paragraph[j] ? "\\raggedright " : "", stream);
        if (row == 0 && !paragraph[j] && strchr(text, ' '))
            put_heading(stream, text, j == 0);
        else
            put_latex(stream, text, paragraph[j]);
    }
    fputs(" \\tabularnewline\n", stream);
}

/* The end of the rows that fit on a page with `first`: one past the last. */
static size_t page_end(const struct text_table *table, size_t first, const char *paragraph)
{
    size_t row = first, rows = table->count / table->columns, used = 0;
    for (; row < rows && used <= PAGE_LINES; row++) {
        size_t lines = 1;
        for (size_t j = 0; j < table->columns; j++) {
            size_t own = paragraph[j] ? text_width(table->item[row * table->columns + j].text) / PARAGRAPH + 1 : 1;
            lines = own > lines ? own : lines;
        }
        used += lines;
    }
    return used > PAGE_LINES && row > first + 1 ? row - 1 : row;
}

/* Writes the rows in [first, last), below the heading. */
static void put_tabular(const struct text_table *table, size_t first, size_t last, const char *paragraph, FILE *stream)
{
    fputs("\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n\\begin{tabular}{", stream);
    for (size_t j = 0; j < table->columns; j++)
        fputs(paragraph[j] ? "p{0.4\\linewidth}" : j ? "r" : "l", stream);
    fputs("}\n\\toprule\n", stream);
    put_row(table, 0, paragraph, stream);
    fputs("\\midrule\n", stream);
    for (size_t i = first; i < last; i++)
        put_row(table, i, paragraph, stream);
    fputs("\\bottomrule\n\\end{tabular}}\n\n", stream);
}

static void write_latex(const struct text_table *table, FILE *stream)
{
    size_t rows = table->count / table->columns, first = 1;
    char *paragraph = pool_alloc(table->pool, table->columns);
    for (size_t i = table->columns; i < table->count; i++)
        paragraph[i % table->columns] |= text_width(table->item[i].text) > LONG_TEXT;
    fputs("% needs \\usepackage{booktabs,graphicx}\n", stream);
    do {
        size_t last = page_end(table, first, paragraph);
        fputs("\\begin{table}\n\\centering\\small\\setlength{\\tabcolsep}{3pt}\n", stream);
        if (table->title) {
            fputs("\\caption{", stream);
            put_latex(stream, table->title, 0);
            fputs(first > 1 ? " (continued)}\n" : "}\n", stream);
        }
        put_tabular(table, first, last, paragraph, stream);
        first = last;
        for (size_t i = 0; i < table->notes.count && first == rows; i++) {
            fputs("{\\raggedright ", stream);
            put_latex(stream, table->notes.item[i], 1);
            fputs("\\par}\n", stream);
        }
        fputs("\\end{table}\n", stream);
    } while (first < rows);
}

/* ---- files ---- */

void text_table_put(const struct text_table *table, enum text_table_form form, FILE *stream)
{
    assert(table->columns > 0 && table->count > 0 && table->count % table->columns == 0);
    if (form == TEXT_TABLE_MARKDOWN)
        write_markdown(table, stream);
    else if (form == TEXT_TABLE_LATEX)
        write_latex(table, stream);
    else
        write_csv(table, stream);
}

void text_table_write(const struct text_table *table, enum text_table_form form, const char *path)
{
    struct outfile out;
    outfile_open(&out, path);
    text_table_put(table, form, out.stream);
    outfile_commit(&out);
}

void text_table_write_files(const char *folder, const char *name, const struct cJSON *json,
                            const struct text_table *table, const struct text_table *csv)
{
    static const char *const endings[] = {"md", "tex", "csv"};
    static const enum text_table_form forms[] = {TEXT_TABLE_MARKDOWN, TEXT_TABLE_LATEX, TEXT_TABLE_CSV};
    if (json)
        json_write(pool_printf(table->pool, "%s/%s.json", folder, name), json);
    for (int i = 0; i < 3; i++)
        text_table_write(forms[i] == TEXT_TABLE_CSV ? csv : table, forms[i],
                         pool_printf(table->pool, "%s/%s.%s", folder, name, endings[i]));
}
