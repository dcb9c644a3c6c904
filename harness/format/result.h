/*
 * A table of results, and one writer a form. A verb fills a result row by row:
 *
 *     struct result table = {.pool = pool, .name = "costs"};
 *     result_columns(&table, "solver\t#mean_rank=mean rank\t#6p");
 *     result_text(&table, "%s", label);
 *     result_number(&table, rank);
 *     result_p(&table, p);
 *     result_note(&table, "p: signed-rank test.");
 *     result_write(&table, RESULT_MARKDOWN, stream);
 *
 * Readers get Markdown, LaTeX, HTML and the text of a terminal: titles, rounded numbers, marks, notes. Programs get
 * JSON and CSV: keys, all digits, no marks. A column says for whom it is. If the rows of both differ,
 * too, a table is two results, one a page (result_write_files).
 */
#ifndef HULLBENCH_RESULT_H
#define HULLBENCH_RESULT_H

#include <cjson/cJSON.h>

#include "harness/base/pool.h"
#include "harness/stats/summary.h"

enum result_kind {
    RESULT_TEXT,   /* aligned left */
    RESULT_PROSE,  /* a text that may be broken into lines */
    RESULT_NUMBER, /* aligned right */
    RESULT_FLAG,   /* the number 0 or 1: true or false in JSON */
};
enum result_audience { RESULT_ALL, RESULT_READERS, RESULT_PROGRAMS };

struct result_column {
    const char *key;   /* for programs; "ours.mean" is the member mean of the object ours, and ours_mean in CSV */
    const char *title; /* for readers; headings above it come first, separated by newlines. NULL: the key */
    enum result_kind kind;
    enum result_audience audience;
    int digits;        /* significant ones of numbers. 0: for readers 4, for programs all */
    int is_detail;     /* nonzero: a terminal on which not all columns fit leaves it out */
};

struct result_value {
    const char *text;    /* what readers see, and programs if the column is a text; NULL: the number */
    double number;       /* what programs get, and by which pages sort; NAN: none */
    const char *mark;    /* directly after the text, such as "†" */
    const char *sign;    /* after the mark and a blank, such as "≠" */
    const char *meaning; /* of the sign or text: class and hint in HTML, such as "differs" */
    const char *link;    /* HTML, Markdown: the sign, or without one the text, leads there */
    int is_bold;
};

struct result_part {
    const char *key;
    const struct result *table;
};

struct result {
    struct pool *pool; /* has all texts */
    const char *name;  /* of the file; LaTeX's label is tab:NAME */
    const char *title;
    size_t heads;      /* leading columns that name a row; 0 means 1 */
    struct LIST_OF(struct result_column) columns;
    struct LIST_OF(struct result_value) values; /* row by row */
    struct result_notes LIST_OF(const char *) notes;
    struct cJSON *facts; /* result_facts; NULL: none */
    struct LIST_OF(struct result_part) parts; /* JSON has the rows of further tables as members of these names */
    double points;       /* LaTeX: the width to fit into; 0: the line of the class article */
    int spans;           /* LaTeX: nonzero: spans all columns of the page (table*) */
};

/* ---- filling ---- */

/* Adds a column for each text between tabs, "KEY=TITLE" or "KEY". The key follows "#" for a number, "#6" for a number
 * of six digits, "~" for prose and "?" for a flag, and before these "<" if only readers see the column, ">" if only
 * programs do, and "-" if it is a detail. */
void result_columns(struct result *table, const char *columns);
/* Adds one column, whose texts must outlive the table. */
void result_column(struct result *table, struct result_column column);
#define result_title(table, ...) ((table)->title = pool_printf((table)->pool, __VA_ARGS__))
#define result_note(table, ...) (*pool_push((table)->pool, &(table)->notes) = pool_printf((table)->pool, __VA_ARGS__))
/* The members of JSON before the rows, to be filled with json_put_*. */
struct cJSON *result_facts(struct result *table);
/* A new table whose rows JSON has as the member `key`; columns NULL: they are added later. */
struct result *result_part(struct result *table, const char *key, const char *columns);

/* Each adds the next value and returns it, valid until the next one is added. Readers see the text or, if it is NULL,
 * the number: "–" for NAN, "∞" for infinity. Programs get the text in a column of texts, else the number, null or
 * nothing if it is not finite. */
struct result_value *result_push(struct result *table, double number, const char *text);
#define result_text(table, ...) result_push((table), (double)NAN, pool_printf((table)->pool, __VA_ARGS__))
/* A number with the text that readers see. */
#define result_shown(table, number, ...) result_push((table), (number), pool_printf((table)->pool, __VA_ARGS__))
#define result_number(table, number) result_push((table), (number), NULL)
#define result_none(table) result_push((table), (double)NAN, NULL)
/* A text as it is, which must outlive the table; NULL: none. */
#define result_name(table, text) result_push((table), (double)NAN, (text))
/* Several numbers; if they are not `known`, as many times none. */
#define result_numbers(table, known, ...) \
    result_push_numbers((table), (known), (const double[]){__VA_ARGS__}, \
                        sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
void result_push_numbers(struct result *table, int known, const double *numbers, size_t count);
/* "0.887 [0.870, 0.905]", with that many digits (number_text.h). */
struct result_value *result_interval(struct result *table, int digits, const struct interval *interval);
/* A p-value, to two digits for readers. */
struct result_value *result_p(struct result *table, double p);
/* The values that tabs in the format separate. In a column of numbers, a whole number is one. */
void result_row(struct result *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline size_t result_rows(const struct result *table)
{
    return table->columns.count ? table->values.count / table->columns.count : 0;
}
static inline struct result_value *result_at(const struct result *table, size_t row, size_t column)
{
    return &table->values.item[row * table->columns.count + column];
}

/* ---- writing ---- */

enum result_form {
    RESULT_MARKDOWN,
    RESULT_LATEX, /* booktabs */
    RESULT_CSV,   /* RFC 4180, without title and notes */
    RESULT_JSON,  /* schema, table, title, facts, columns, rows, parts, notes */
    RESULT_HTML,  /* <table> and its notes; cells have data-sort */
    RESULT_TERMINAL,
};
enum { RESULT_SCHEMA = 3 }; /* of JSON */

/* The rows must be complete. */
void result_write(const struct result *table, enum result_form form, FILE *stream);
void result_write_file(const struct result *table, enum result_form form, const char *path);
/* Writes FOLDER/NAME.md and .tex from `page`, .csv and .json from `data`. Name, title, notes and facts of `page` are
 * also those of `data`. */
void result_write_files(const struct result *page, const struct result *data, const char *folder);
/* For a person: on a terminal as text that fits, otherwise as Markdown. */
void result_print(const struct result *table, FILE *stream);
/* As text that fits `width` characters: prose is broken into lines, and further columns continue below. */
void result_write_terminal(const struct result *table, size_t width, FILE *stream);

/* What readers see, for the writers. */
struct result_page {
    const struct result_column **columns;
    size_t n_columns, heads, n_rows;
    struct result_cell {
        const char *text; /* with mark and sign */
        const struct result_value *value;
    } *cells; /* row by row */
};
/* In the table's pool. */
struct result_page result_page(const struct result *table);
const char *result_heading(const struct result_column *column);

/* The layout in LaTeX: the largest size in which the estimated width fits (result_latex.c). */
struct latex_setting {
    size_t size;      /* \small, \footnotesize or \scriptsize */
    double separator; /* points between columns, half on each side */
    double width;     /* estimated, in points */
    double limit;     /* the width to fit into; smaller than the width if no size fits */
    size_t parts;     /* the number of tables side by side it is then cut into; else 1 */
};
struct latex_setting result_latex_setting(const struct result *table);
void result_write_latex(const struct result *table, FILE *stream);

#endif
