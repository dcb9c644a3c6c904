/* Fills results, and writes the forms that need no layout: Markdown, HTML, CSV and JSON. */
#include "harness/format/result.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/base/terminal.h"
#include "harness/format/markup.h"
#include "harness/format/number_text.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"

static const struct number_format by_rule = {-1, 0};

/* ---- filling ---- */

void result_column(struct result *table, struct result_column column)
{
    *pool_push(table->pool, &table->columns) = column;
}

void result_columns(struct result *table, const char *columns)
{
    static const char kinds[] = "~#?";
    for (char *at = pool_strdup(table->pool, columns), *next; at; at = next) {
        struct result_column column = {.kind = RESULT_TEXT};
        if ((next = strchr(at, '\t')))
            *next++ = '\0';
        if (*at == '<' || *at == '>')
            column.audience = *at++ == '<' ? RESULT_READERS : RESULT_PROGRAMS;
        column.is_detail = *at == '-';
        at += column.is_detail;
        if (*at && strchr(kinds, *at))
            column.kind = (enum result_kind)(RESULT_PROSE + (strchr(kinds, *at++) - kinds));
        if (column.kind == RESULT_NUMBER && *at >= '0' && *at <= '9')
            column.digits = *at++ - '0';
        column.key = at;
        if ((at = strchr(at, '='))) {
            *at = '\0';
            column.title = at + 1;
        }
        result_column(table, column);
    }
}

struct cJSON *result_facts(struct result *table)
{
    if (!table->facts)
        table->facts = json_keep(table->pool, json_new_object());
    return table->facts;
}

struct result *result_part(struct result *table, const char *key, const char *columns)
{
    struct result *part = pool_alloc(table->pool, sizeof *part);
    part->pool = table->pool;
    if (columns)
        result_columns(part, columns);
    *pool_push(table->pool, &table->parts) = (struct result_part){key, part};
    return part;
}

struct result_value *result_push(struct result *table, double number, const char *text)
{
    struct result_value *value = pool_push(table->pool, &table->values);
    value->number = number;
    value->text = text;
    return value;
}

void result_push_numbers(struct result *table, int known, const double *numbers, size_t count)
{
    for (size_t k = 0; k < count; k++)
        result_number(table, known ? numbers[k] : (double)NAN);
}

struct result_value *result_interval(struct result *table, int digits, const struct interval *interval)
{
    return result_shown(table, interval->estimate, "%s", number_text_interval(interval, digits, &by_rule));
}

struct result_value *result_p(struct result *table, double p)
{
    return isfinite(p) ? result_shown(table, p, "%.2g", p) : result_none(table);
}

void result_row(struct result *table, const char *format, ...)
{
    char *separated = pool_strdup(table->pool, format), *end;
    va_list arguments;
    for (char *at = separated; (at = strchr(at, '\t'));)
        *at = '\x1f'; /* which no text has */
    va_start(arguments, format);
    char *text = pool_vprintf(table->pool, separated, arguments);
    va_end(arguments);
    for (char *next; text; text = next) {
        next = strchr(text, '\x1f');
        if (next)
            *next++ = '\0';
        const size_t column = table->values.count % table->columns.count;
        const double number = strtod(text, &end);
        const int is_number = table->columns.item[column].kind >= RESULT_NUMBER && end > text && !*end;
        result_push(table, is_number ? number : (double)NAN, text);
    }
}

/* ---- what readers see ---- */

const char *result_heading(const struct result_column *column)
{
    return column->title ? column->title : column->key;
}

static const char *shown(struct pool *pool, const struct result_column *column, const struct result_value *value)
{
    const char *base = value->text;
    if (!base && column->kind == RESULT_FLAG)
        base = isnan(value->number) ? "–" : value->number != 0 ? "yes" : "no";
    else if (!base && isinf(value->number))
        base = value->number > 0 ? "∞" : "−∞";
    else if (!base)
        base = number_text(value->number, column->digits ? column->digits : 4, &by_rule);
    return value->text && !value->mark && !value->sign
               ? value->text
               : pool_printf(pool, "%s%s%s%s", base, value->mark ? value->mark : "", value->sign ? " " : "",
                             value->sign ? value->sign : "");
}

struct result_page result_page(const struct result *table)
{
    struct pool *pool = table->pool;
    const size_t n = table->columns.count;
    assert(n > 0 && table->values.count % n == 0);
    struct result_page page = {.columns = pool_array(pool, n, sizeof *page.columns),
                               .n_rows = result_rows(table),
                               .cells = pool_array(pool, table->values.count + 1, sizeof *page.cells)};
    for (size_t j = 0; j < n; j++)
        if (table->columns.item[j].audience != RESULT_PROGRAMS)
            page.columns[page.n_columns++] = &table->columns.item[j];
    for (size_t i = 0, at = 0; i < table->values.count; i++) {
        const struct result_column *column = &table->columns.item[i % n];
        const struct result_value *value = &table->values.item[i];
        if (column->audience != RESULT_PROGRAMS)
            page.cells[at++] = (struct result_cell){shown(pool, column, value), value};
    }
    page.heads = table->heads ? table->heads : 1;
    return page;
}

static int is_left(const struct result_column *column)
{
    return column->kind <= RESULT_PROSE;
}

/* ---- Markdown ---- */

/* Where the linked part of the cell's text begins. */
static size_t linked_from(const struct result_cell *cell)
{
    const size_t whole = strlen(cell->text);
    return !cell->value->link ? whole : cell->value->sign ? whole - strlen(cell->value->sign) : 0;
}

static const char *markdown_cell(struct pool *pool, const struct result_cell *cell)
{
    const struct result_value *value = cell->value;
    const size_t linked = linked_from(cell);
    struct pool_text *text = pool_text_open(pool);
    FILE *stream = text->stream;
    fputs(value->is_bold ? "**" : "", stream);
    markdown_text(stream, pool_strndup(pool, cell->text, linked));
    if (value->link) {
        put_markdown(stream, "[%s](", cell->text + linked);
        fprintf(stream, "%s)", value->link);
    }
    fputs(value->is_bold ? "**" : "", stream);
    return pool_text_end(text);
}

static void pad(FILE *stream, char with, size_t times)
{
    while (times--)
        fputc(with, stream);
}

/* A row of cells, padded so that the file is readable as plain text; texts are aligned left, numbers right. */
static void put_row(const struct result_page *page, const char *const *cells, const size_t *widths, FILE *stream)
{
    for (size_t j = 0; j < page->n_columns; j++) {
        const size_t space = widths[j] - terminal_columns(cells[j], strlen(cells[j]));
        fputs(j ? " | " : "| ", stream);
        pad(stream, ' ', is_left(page->columns[j]) ? 0 : space);
        fputs(cells[j], stream);
        pad(stream, ' ', is_left(page->columns[j]) ? space : 0);
    }
    fputs(" |\n", stream);
}

static void write_markdown(const struct result *table, FILE *stream)
{
    static const struct result_value plain = {.number = 0};
    const struct result_page page = result_page(table);
    const size_t n = page.n_columns;
    const char **cells = pool_array(table->pool, (page.n_rows + 1) * n, sizeof *cells); /* first the headings */
    size_t *widths = pool_array(table->pool, n, sizeof *widths);
    for (size_t i = 0; i < (page.n_rows + 1) * n; i++) {
        const struct result_cell heading = {result_heading(page.columns[i % n]), &plain};
        cells[i] = markdown_cell(table->pool, i < n ? &heading : &page.cells[i - n]);
        const size_t width = terminal_columns(cells[i], strlen(cells[i])), least = widths[i % n] ? widths[i % n] : 3;
        widths[i % n] = width > least ? width : least; /* Markdown's delimiter row needs three dashes */
    }
    if (table->title) {
        fputs("# ", stream);
        markdown_without_html(stream, table->title);
        fputs("\n\n", stream);
    }
    put_row(&page, cells, widths, stream);
    for (size_t j = 0; j < n; j++) {
        fputs(j ? " " : "| ", stream);
        pad(stream, '-', widths[j] - !is_left(page.columns[j]));
        fputs(is_left(page.columns[j]) ? " |" : ": |", stream);
    }
    fputc('\n', stream);
    for (size_t i = 1; i <= page.n_rows; i++)
        put_row(&page, cells + i * n, widths, stream);
    for (size_t i = 0; i < table->notes.count; i++) {
        fputc('\n', stream);
        markdown_without_html(stream, table->notes.item[i]);
        fputc('\n', stream);
    }
}

/* ---- HTML ---- */

static void put_html_cell(const struct result_page *page, size_t row, size_t j, FILE *stream)
{
    const struct result_cell *cell = &page->cells[row * page->n_columns + j];
    const struct result_value *value = cell->value;
    static const char *const classes[] = {"t", "w", "", ""};
    const char *tag = j < page->heads ? "th" : "td", *class = classes[page->columns[j]->kind];
    const size_t whole = strlen(cell->text), before = linked_from(cell);
    fprintf(stream, "<%s%s", tag, j < page->heads ? " scope=\"row\"" : "");
    if (*class || value->meaning)
        fprintf(stream, " class=\"%s%s%.*s\"", class, *class && value->meaning ? " " : "",
                value->meaning ? (int)strcspn(value->meaning, " ") : 0, value->meaning ? value->meaning : "");
    if (value->meaning) {
        fputs(" title=\"", stream);
        html_text(stream, value->meaning);
        fputc('"', stream);
    }
    if (!isnan(value->number))
        fprintf(stream, isinf(value->number) ? " data-sort=\"%sInfinity\"" : " data-sort=\"%s%.10g\"",
                isinf(value->number) && value->number < 0 ? "-" : "", value->number);
    fputs(value->is_bold ? "><strong>" : ">", stream);
    html_part(stream, cell->text, before);
    if (value->link) {
        fputs("<a href=\"", stream);
        html_text(stream, value->link);
        fputs("\">", stream);
        html_part(stream, cell->text + before, whole - before);
        fputs("</a>", stream);
    }
    fprintf(stream, "%s</%s>", value->is_bold ? "</strong>" : "", tag);
}

static void write_html(const struct result *table, FILE *stream)
{
    const struct result_page page = result_page(table);
    fputs("<table>\n", stream);
    if (table->title) {
        fputs("<caption>", stream);
        html_text(stream, table->title);
        fputs("</caption>\n", stream);
    }
    fputs("<thead><tr>", stream);
    for (size_t j = 0; j < page.n_columns; j++) {
        fprintf(stream, "<th scope=\"col\"%s>", is_left(page.columns[j]) ? " class=\"t\"" : "");
        for (const char *at = result_heading(page.columns[j]); *at; at += strcspn(at, "\n")) {
            at += *at == '\n';
            html_part(stream, at, strcspn(at, "\n"));
            fputs(at[strcspn(at, "\n")] ? "<br>" : "", stream);
        }
        fputs("</th>", stream);
    }
    fputs("</tr></thead>\n<tbody>\n", stream);
    for (size_t i = 0; i < page.n_rows; i++) {
        fputs("<tr>", stream);
        for (size_t j = 0; j < page.n_columns; j++)
            put_html_cell(&page, i, j, stream);
        fputs("</tr>\n", stream);
    }
    fputs("</tbody>\n</table>\n", stream);
    for (size_t i = 0; i < table->notes.count; i++) {
        fputs("<p class=\"note\">", stream);
        html_text(stream, table->notes.item[i]);
        fputs("</p>\n", stream);
    }
}

/* ---- CSV ---- */

/* The number as programs get it; "" if it is not finite. */
static const char *number_of(const struct result_column *column, const struct result_value *value)
{
    if (!isfinite(value->number))
        return "";
    return column->digits > 0 ? message_text("%.*g", column->digits, value->number)
                              : json_number_to_text(value->number);
}

static int is_text(const struct result_column *column, const struct result_value *value)
{
    return column->kind <= RESULT_PROSE && value->text;
}

/* Writes the keys, with "_" for ".", then the rows. */
static void write_csv(const struct result *table, FILE *stream)
{
    const size_t n = table->columns.count, n_values = table->values.count;
    const char *separator = "";
    for (size_t i = 0; i < n + n_values; i++) {
        const struct result_column *column = &table->columns.item[i % n];
        const struct result_value *value = i < n ? NULL : &table->values.item[i - n];
        if (column->audience != RESULT_READERS) {
            fputs(separator, stream);
            separator = ",";
            for (const char *at = value ? "" : column->key; *at; at++)
                fputc(*at == '.' ? '_' : *at, stream);
            if (value)
                csv_text(stream, is_text(column, value) ? value->text : number_of(column, value));
        }
        if (i % n == n - 1) {
            fputs("\r\n", stream);
            separator = "";
        }
    }
}

/* ---- JSON ---- */

static void put_value(const struct result_column *column, const struct result_value *value, FILE *stream)
{
    if (is_text(column, value))
        json_print_text(stream, value->text);
    else if (column->kind == RESULT_FLAG && !isnan(value->number))
        fputs(value->number != 0 ? "true" : "false", stream);
    else
        fputs(isfinite(value->number) ? number_of(column, value) : "null", stream);
}

static int is_absent(const struct result_column *column, const struct result_value *value)
{
    return !is_text(column, value) && !isfinite(value->number);
}

/* Writes the members of columns in [first, last), whose keys share the first `depth` bytes. An object without values
 * is null. */
static void put_members(const struct result *table, const struct result_value *row, size_t first, size_t last,
                        size_t depth, FILE *stream)
{
    const char *separator = "{";
    for (size_t j = first, end; j < last; j = end) {
        const struct result_column *column = &table->columns.item[j];
        end = j + 1;
        if (column->audience == RESULT_READERS)
            continue;
        const char *key = column->key + depth;
        const size_t length = strcspn(key, ".");
        int absent = is_absent(column, &row[j]);
        fprintf(stream, "%s\"%.*s\": ", separator, (int)length, key);
        separator = ", ";
        if (!key[length]) {
            put_value(column, &row[j], stream);
            continue;
        }
        for (; end < last && strncmp(table->columns.item[end].key, column->key, depth + length + 1) == 0; end++)
            absent = absent && is_absent(&table->columns.item[end], &row[end]);
        if (absent)
            fputs("null", stream);
        else
            put_members(table, row, j, end, depth + length + 1, stream);
    }
    fputs("}", stream);
}

static void put_rows(const struct result *table, const char *key, FILE *stream)
{
    fprintf(stream, ",\n\"%s\": [", key);
    for (size_t i = 0; i < result_rows(table); i++) {
        fputs(i ? ",\n" : "\n", stream);
        put_members(table, result_at(table, i, 0), 0, table->columns.count, 0, stream);
    }
    fputs("]", stream);
}

static void write_json(const struct result *table, FILE *stream)
{
    const struct cJSON *fact = NULL;
    fprintf(stream, "{\n\"schema\": %d,\n\"table\": ", RESULT_SCHEMA);
    json_print_text(stream, table->name);
    if (table->title) {
        fputs(",\n\"title\": ", stream);
        json_print_text(stream, table->title);
    }
    cJSON_ArrayForEach (fact, table->facts) {
        char *line = json_line(fact);
        fprintf(stream, ",\n\"%s\": %s", fact->string, line);
        free(line);
    }
    put_rows(table, "rows", stream);
    for (size_t i = 0; i < table->parts.count; i++)
        put_rows(table->parts.item[i].table, table->parts.item[i].key, stream);
    fputs(",\n\"notes\": [", stream);
    for (size_t i = 0; i < table->notes.count; i++) {
        fputs(i ? ",\n" : "", stream);
        json_print_text(stream, table->notes.item[i]);
    }
    fputs("]\n}\n", stream);
}

/* ---- files ---- */

void result_write(const struct result *table, enum result_form form, FILE *stream)
{
    switch (form) {
    case RESULT_MARKDOWN: write_markdown(table, stream); break;
    case RESULT_LATEX: result_write_latex(table, stream); break;
    case RESULT_CSV: write_csv(table, stream); break;
    case RESULT_JSON: write_json(table, stream); break;
    case RESULT_HTML: write_html(table, stream); break;
    case RESULT_TERMINAL: result_write_terminal(table, terminal_width(stream), stream); break;
    }
}

void result_write_file(const struct result *table, enum result_form form, const char *path)
{
    struct outfile out;
    outfile_open(&out, path);
    result_write(table, form, out.stream);
    outfile_commit(&out);
}

void result_write_files(const struct result *page, const struct result *data, const char *folder)
{
    static const char *const endings[] = {"md", "tex", "csv", "json"};
    struct result named = *data;
    named.name = page->name;
    named.title = page->title;
    named.notes = page->notes;
    named.facts = page->facts;
    for (int form = RESULT_MARKDOWN; form <= RESULT_JSON; form++)
        result_write_file(form <= RESULT_LATEX ? page : &named, (enum result_form)form,
                          pool_printf(page->pool, "%s/%s.%s", folder, page->name, endings[form]));
}

void result_print(const struct result *table, FILE *stream)
{
    result_write(table, terminal_width(stream) ? RESULT_TERMINAL : RESULT_MARKDOWN, stream);
}
