/*
 * What the readers of text files share: labels, and the rows of a table, compressed while they are read. Large arrays
 * grow by a quarter, and by moving pages instead of bytes (the C library's mremap), so that growing takes neither twice
 * the memory nor much time. If no more memory is available, reading ends with a message that says so.
 */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/data/dataset_text.h"
#include "harness/support/available_memory.h"

/* ---- labels ---- */

unsigned char labels_find(const struct label_set *set, const char *text)
{
    double number;
    const int is_number = number_parse(text, &number);
    for (size_t i = 0; i < set->count; i++) {
        const struct label_seen *label = &set->seen[i];
        if (label->is_number && is_number ? label->number == number : strcmp(label->text, text) == 0)
            return (unsigned char)i;
    }
    return LABELS_MAX;
}

unsigned char labels_add(struct label_set *set, const char *text, struct text_place at)
{
    unsigned char which = labels_find(set, text);
    set->rows++;
    if (which == LABELS_MAX && set->count < LABELS_MAX) {
        which = (unsigned char)set->count++;
        struct label_seen *label = &set->seen[which];
        *label = (struct label_seen){.text = pool_strdup(set->pool, text), .at = at};
        label->is_number = number_parse(text, &label->number);
    }
    if (which < LABELS_MAX)
        set->seen[which].count++;
    return which;
}

unsigned char labels_two(const struct label_set *set, const char *hint)
{
    char text[512] = "";
    const struct label_seen *a = &set->seen[0], *b = &set->seen[1], *third = &set->seen[2];
    if (set->count == 1)
        place_die(a->at, "label \"%s\" is the only one in %zu rows; both classes are needed",
                  text_shown(a->text), set->rows);
    for (size_t i = 0, used = 0; i < set->count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s", i ? ", " : "",
                                 text_shown(set->seen[i].text), i == LABELS_MAX - 1 ? ", ..." : "");
    if (set->count != 2)
        place_die(third->at,
                  "label \"%s\" is a third class; hullbench solves problems of two classes; labels found: %s%s",
                  text_shown(third->text), text, hint);
    return a->is_number && b->is_number ? a->number <= b->number : strcmp(a->text, b->text) <= 0;
}

/* ---- rows ---- */

enum { VALUE_BYTES = sizeof(double) + sizeof(uint32_t), CHECK_FROM_BYTES = 64 << 20 };

void table_grow(struct labelled_table *table, const struct text_reader *text)
{
    struct patterns *patterns = &table->patterns;
    const size_t held = table->capacity * VALUE_BYTES;
    const size_t wanted = table->capacity == 0         ? 1024
                          : held < CHECK_FROM_BYTES ? 2 * table->capacity
                                                    : table->capacity + table->capacity / 4;
    if (held >= CHECK_FROM_BYTES)
        memory_check(NULL, message_text("%s:%zu", text->path, text->line), "what follows",
                     (double)((wanted - table->capacity) * VALUE_BYTES));
    patterns->values = xreallocarray(patterns->values, wanted, sizeof *patterns->values);
    patterns->feature = xreallocarray(patterns->feature, wanted, sizeof *patterns->feature);
    table->capacity = wanted;
}

void table_end_row(struct labelled_table *table, unsigned char which)
{
    struct patterns *patterns = &table->patterns;
    if (table->rows + 1 == table->row_capacity) {
        table->row_capacity *= 2;
        patterns->begin = xreallocarray(patterns->begin, table->row_capacity, sizeof *patterns->begin);
        table->y = xreallocarray(table->y, table->row_capacity, sizeof *table->y);
    }
    table->y[table->rows++] = which;
    patterns->begin[table->rows] = table->n_values;
}

void labelled_table_finish(struct labelled_table *table)
{
    struct patterns *patterns = &table->patterns;
    /* Without any feature all rows are zero vectors: of the feature 1, since a table has at least one column. */
    const size_t first = table->has_zero ? 0 : 1, last = table->largest > first ? table->largest : first;
    patterns->rows = table->rows;
    patterns->dims = last + 1 - first;
    table->first_index = first;
    for (size_t k = 0; first > 0 && k < table->n_values; k++)
        patterns->feature[k] -= (uint32_t)first;
    if (patterns_choose(dataset_text_form(NULL), table->rows, patterns->dims, table->n_values) == PATTERNS_DENSE) {
        const char *at = text_place_text(table->largest_at);
        patterns_make_dense(patterns, message_text("%s: index %zu", at, table->largest));
        return;
    }
    patterns->values = xreallocarray(patterns->values, table->n_values + 1, sizeof *patterns->values);
    patterns->feature = xreallocarray(patterns->feature, table->n_values + 1, sizeof *patterns->feature);
}

/* ---- columns that number the rows ---- */

enum { FEWEST_NUMBERED = 5 }; /* rows, if a column has a name: fewer may count up by chance */

/* Nonzero if the feature is 0, 1, ... or 1, 2, ... */
static int numbers_rows(const struct patterns *patterns, size_t feature)
{
    const double first = patterns_value(patterns, 0, feature);
    size_t i = first == 0 || first == 1;
    while (i > 0 && i < patterns->rows && patterns_value(patterns, i, feature) == first + (double)i)
        i++;
    return i == patterns->rows;
}

/* Nonzero if the values are whole, not negative and all different: numbers of rows that were sorted or sampled. */
static int are_different_integers(const struct patterns *patterns, size_t feature)
{
    double *values = xcalloc(patterns->rows, sizeof *values);
    int are = 1;
    for (size_t i = 0; are && i < patterns->rows; i++) {
        values[i] = patterns_value(patterns, i, feature);
        are = values[i] >= 0 && values[i] < 1e15 && values[i] == floor(values[i]);
    }
    if (are)
        gsl_sort(values, 1, patterns->rows);
    for (size_t i = 1; are && i < patterns->rows; i++)
        are = values[i] != values[i - 1];
    free(values);
    return are;
}

/* Names for row numbers besides none; such columns may be meant. */
static int is_of_rows(const char *name)
{
    static const char *const names[] = {"id", "index", "row", "rowid", "row_id", "rownames", "level_0", "x"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i]) == 0)
            return 1;
    return 0;
}

/* Notes features that number the rows from `begin` on; STATUS_BAD_INPUT without a name, as pandas and R write them. */
static void check_row_numbers(struct labelled_table *table, const char *path, size_t begin)
{
    const struct columns *columns = &table->columns;
    struct patterns rows = table->patterns;
    rows.begin += begin;
    rows.rows = table->rows - begin;
    for (size_t f = 1; f <= columns->count; f++) {
        const char *name = columns->names ? columns->names[f - 1] : NULL;
        /* "Unnamed: 0" if pandas has read and written the file again */
        const int is_unnamed = name && (*name == '\0' || strncmp(name, "Unnamed: ", 9) == 0);
        if (rows.rows < (is_unnamed ? 2 : FEWEST_NUMBERED) ||
            !(is_unnamed || (name && is_of_rows(name)) ? are_different_integers : numbers_rows)(&rows, f))
            continue;
        if (is_unnamed)
            die(STATUS_BAD_INPUT,
                "%s:1:1: feature %zu has no name in the header, and whole numbers that are all different: row numbers? "
                "Remove the column, or name it if it is a feature",
                path, f);
        table_note(table, "%s: feature %zu (%s) numbers the rows: remove it if it is no feature", path, f,
                   name ? text_shown(name) : "without a name");
    }
}

/* ---- files ---- */

int dataset_text_is_csv(const char *path, const char *format)
{
    if (format)
        return strcmp(format, "csv") == 0;
    static const char *const endings[] = {"", ".gz", ".bz2", ".xz", ".zst"};
    const char *csv = NULL;
    for (const char *at = strstr(path, ".csv"); at; at = strstr(at + 1, ".csv"))
        csv = at;
    for (size_t e = 0; csv && e < sizeof endings / sizeof *endings; e++)
        if (strcmp(csv + 4, endings[e]) == 0)
            return 1;
    return 0;
}

void patterns_make_dense(struct patterns *patterns, const char *where)
{
    const size_t rows = patterns->rows, dims = patterns->dims;
    struct error error = {0};
    memory_check(NULL, where, message_text("%zu rows of %zu features, including zeros,", rows, dims),
                 2 * (double)sizeof(double) * (double)rows * (double)dims);
    if (patterns_hold(patterns, PATTERNS_DENSE, &error) != STATUS_OK)
        die(error.status, "%s: %s", where, error.message);
}

enum patterns_form dataset_text_form(const char **unknown)
{
    static const char *const forms[] = {
        [PATTERNS_SMALLER] = "", [PATTERNS_DENSE] = "dense", [PATTERNS_COMPRESSED] = "compressed"};
    const char *name = getenv("HULLBENCH_STORAGE");
    size_t form = 0, count = sizeof forms / sizeof *forms;
    while (name && form < count && strcmp(name, forms[form]) != 0)
        form++;
    if (unknown)
        *unknown = form == count ? name : NULL;
    return form == count ? PATTERNS_SMALLER : (enum patterns_form)form;
}

static void release_table(void *data)
{
    struct labelled_table *table = data;
    patterns_free(&table->patterns);
    free(table->y);
}

struct labelled_table *labelled_table_new(struct pool *pool)
{
    struct labelled_table *table = pool_alloc(pool, sizeof *table);
    *table = (struct labelled_table){.pool = pool, .row_capacity = 64};
    pool_keep(pool, release_table, table);
    table->y = xcalloc(table->row_capacity, sizeof *table->y);
    table->patterns.begin = xcalloc(table->row_capacity, sizeof *table->patterns.begin);
    return table;
}

void labelled_table_add(struct labelled_table *table, struct input_stream *stream, const struct table_form *form,
                        struct label_set *labels)
{
    const char *path = input_path(stream);
    const size_t begin = table->rows;
    struct pool *inner = pool_new();
    const int is_csv = form->layout || dataset_text_is_csv(path, form->set->format);
    struct text_reader text = {.blanks = is_csv ? NULL : " \t\r\v\f", .has_comments = !is_csv};
    table->columns = (struct columns){.count = 0};
    if (!table->largest_at.path)
        table->largest_at = (struct text_place){path, 1, 1};
    text_reader_open(&text, inner, stream);
    (is_csv ? table_read_csv : table_read_libsvm)(&text, form, labels, table);
    pool_free(inner);
    if (table->columns.count > 0)
        check_row_numbers(table, path, begin);
}
