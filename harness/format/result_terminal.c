/* A result as text for a terminal. Columns are as wide as their widest cell; headings and prose are broken between
 * words and shrink first. Details are left out unless all columns fit. Columns that still do not fit continue below,
 * each time with those that name the rows. */
#include <string.h>

#include "harness/base/terminal.h"
#include "harness/format/result.h"

enum { GAP = 2, LEAST_PROSE = 20 };

static size_t widest_word(const char *text)
{
    size_t widest = 0;
    for (const char *next = text; text; text = next) {
        const size_t bytes = terminal_line_of(text, 0, &next);
        const size_t width = terminal_columns(text, bytes);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Writes a row of cells, broken into lines. `left` are the rests of the texts, NULL at their end. */
static void put_cells(const struct result_page *page, const size_t *columns, size_t n, const char **left,
                      const size_t *widths, FILE *stream)
{
    for (int more = 1; more;) {
        more = 0;
        for (size_t k = 0, owed = 0; k < n; k++) {
            const size_t j = columns[k];
            const char *text = left[j] ? left[j] : "", *next = NULL;
            const size_t bytes = terminal_line_of(text, widths[j], &next);
            const size_t width = terminal_columns(text, bytes);
            const size_t space = widths[j] > width ? widths[j] - width : 0;
            const int is_left = page->columns[j]->kind <= RESULT_PROSE;
            if (bytes > 0) {
                fprintf(stream, "%*s%.*s", (int)(owed + (is_left ? 0 : space)), "", (int)bytes, text);
                owed = is_left ? space : 0;
            } else
                owed += widths[j];
            owed += GAP;
            left[j] = next;
            more |= next != NULL;
        }
        fputc('\n', stream);
    }
}

/* Writes the columns together. */
static void put_block(const struct result *table, const struct result_page *page, const size_t *columns, size_t n,
                      const size_t *widths, FILE *stream)
{
    const char **left = pool_array(table->pool, page->n_columns, sizeof *left);
    size_t total = 0;
    for (size_t k = 0; k < n; k++) {
        left[columns[k]] = result_heading(page->columns[columns[k]]);
        total += widths[columns[k]] + (k ? GAP : 0);
    }
    put_cells(page, columns, n, left, widths, stream);
    for (size_t i = 0; i < total; i++)
        fputs("─", stream);
    fputc('\n', stream);
    for (size_t i = 0; i < page->n_rows; i++) {
        for (size_t k = 0; k < n; k++)
            left[columns[k]] = page->cells[i * page->n_columns + columns[k]].text;
        put_cells(page, columns, n, left, widths, stream);
    }
}

static void put_paragraph(const char *text, size_t width, FILE *stream)
{
    for (const char *next; text; text = next) {
        const size_t bytes = terminal_line_of(text, width, &next);
        fprintf(stream, "%.*s\n", (int)bytes, text);
    }
}

/* The widths of the columns. Prose gets what the others leave. */
static size_t *widths_of(const struct result *table, const struct result_page *page, size_t limit)
{
    size_t *widths = pool_array(table->pool, page->n_columns, sizeof *widths), fixed = 0, prose = 0;
    for (size_t j = 0; j < page->n_columns; j++) {
        widths[j] = widest_word(result_heading(page->columns[j]));
        for (size_t i = 0; i < page->n_rows; i++) {
            const char *text = page->cells[i * page->n_columns + j].text;
            const size_t width = terminal_columns(text, strlen(text));
            widths[j] = width > widths[j] ? width : widths[j];
        }
        const int is_prose = page->columns[j]->kind == RESULT_PROSE;
        prose += is_prose ? 1 : 0;
        fixed += (is_prose ? 0 : widths[j]) + (j ? GAP : 0);
    }
    for (size_t j = 0; j < page->n_columns; j++) {
        const size_t share = prose && limit > fixed ? (limit - fixed) / prose : 0,
                     room = share > LEAST_PROSE ? share : LEAST_PROSE;
        if (page->columns[j]->kind == RESULT_PROSE && widths[j] > room)
            widths[j] = room;
    }
    return widths;
}

/* Whether another column has the same heading, such as "p". */
static int is_repeated(const struct result_page *page, size_t column)
{
    size_t count = 0;
    for (size_t j = 0; j < page->n_columns; j++)
        count += strcmp(result_heading(page->columns[j]), result_heading(page->columns[column])) == 0;
    return count > 1;
}

/* Leaves out the details if the columns do not fit. Returns their headings, "" if none is left out. */
static const char *leave_out_details(const struct result *table, struct result_page *page, size_t limit)
{
    const size_t *widths = widths_of(table, page, limit), n = page->n_columns;
    const char *left_out = "";
    size_t total = 0, kept = 0, cells = 0;
    for (size_t j = 0; j < n; j++)
        total += widths[j] + (j ? GAP : 0);
    if (total <= limit)
        return left_out;
    for (size_t j = 0; j < n; j++)
        if (page->columns[j]->is_detail && !is_repeated(page, j))
            left_out = pool_printf(table->pool, "%s%s%s", left_out, *left_out ? ", " : "",
                                   result_heading(page->columns[j]));
    for (size_t i = 0; i < page->n_rows * n; i++)
        if (!page->columns[i % n]->is_detail)
            page->cells[cells++] = page->cells[i];
    for (size_t j = 0; j < n; j++)
        if (!page->columns[j]->is_detail)
            page->columns[kept++] = page->columns[j];
    page->n_columns = kept;
    return left_out;
}

void result_write_terminal(const struct result *table, size_t width, FILE *stream)
{
    struct result_page page = result_page(table);
    const char *left_out = leave_out_details(table, &page, width);
    const size_t *widths = widths_of(table, &page, width);
    size_t *columns = pool_array(table->pool, page.n_columns, sizeof *columns), of_heads = 0;
    for (size_t j = 0; j < page.heads; j++)
        of_heads += widths[columns[j] = j] + GAP;
    if (table->title) {
        put_paragraph(table->title, width, stream);
        fputc('\n', stream);
    }
    for (size_t first = page.heads, last; first < page.n_columns || first == page.heads; first = last) {
        size_t used = of_heads, n = page.heads;
        for (last = first; last < page.n_columns && (last == first || used + widths[last] <= width); last++) {
            used += widths[last] + GAP;
            columns[n++] = last;
        }
        fputs(first > page.heads ? "\n" : "", stream);
        put_block(table, &page, columns, n, widths, stream);
        if (last == page.n_columns)
            break;
    }
    if (*left_out) {
        fputc('\n', stream);
        put_paragraph(pool_printf(table->pool, "Columns for which this terminal is too narrow: %s.", left_out), width,
                      stream);
    }
    for (size_t i = 0; i < table->notes.count; i++) {
        fputc('\n', stream);
        put_paragraph(table->notes.item[i], width, stream);
    }
}
