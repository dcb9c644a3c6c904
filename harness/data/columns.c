/*
 * A first line is a header if the user says so; if it has the column that the user names, or all names that are
 * expected; or else if no cell is a number. It is refused as ambiguous
 *   - if no cell of a feature could be a name: NA, nan, ?, $5, an empty cell;
 *   - if its cells are the numbers 0, 1, 2, ... or 1, 2, ..., as libraries name columns without names.
 * The reader adds three checks that need later rows (dataset_csv.c). Names of which none could be a value, and numbers
 * of which one has a sign, a point or an exponent, or that repeat, leave no doubt. All other guesses are noted.
 */
#include "harness/data/columns.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/base/die.h"
#include "harness/base/memory.h"
#include "harness/data/dataset_text.h"

const char *const header_words[] = {"yes", "no", "auto", NULL};

int header_word_is_known(const char *word)
{
    size_t i = 0;
    while (header_words[i] && word && strcmp(header_words[i], word) != 0)
        i++;
    return header_words[i] != NULL;
}

void place_die(const struct text_place *at, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    die(STATUS_BAD_INPUT, "%s:%zu:%zu: %s", at->path, at->line, at->column, text);
}

struct columns columns_copy(struct pool *pool, const struct columns *from)
{
    struct columns to = {.count = from->count, .label = from->label ? pool_strdup(pool, from->label) : NULL};
    if (from->names)
        to.names = pool_array(pool, from->count, sizeof *to.names);
    for (size_t i = 0; to.names && i < from->count; i++)
        to.names[i] = pool_strdup(pool, from->names[i]);
    return to;
}

/* ---- the header ---- */

int is_plain_integer(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == '\0';
}

/* Nonzero unless a cell is a missing value or begins like a number. */
static int could_be_name(const char *cell)
{
    static const char *const missing[] = {"na",  "n/a", "nan",      "null",    "none",    "nil",
                                          "inf", "nat", "infinity", "missing", "unknown", "undefined"};
    const char *text = cell + strspn(cell, "+-#<");
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (strcasecmp(text, missing[i]) == 0)
            return 0;
    for (const char *at = cell; *at; at++)
        if ((*at >= '0' && *at <= '9') || (*at >= 'A' && *at <= 'Z') || (*at >= 'a' && *at <= 'z'))
            return *at > '9';
    return (*cell & 0x80) != 0; /* letters of another script */
}

static int has_cell(const struct first_line *line, const char *name)
{
    for (size_t i = 0; i < line->count; i++)
        if (strcmp(line->cells[i], name) == 0)
            return 1;
    return 0;
}

static int has_expected_names(const struct first_line *line, const struct columns *expected)
{
    if (!expected || !expected->names || expected->count > line->count)
        return 0;
    for (size_t i = 0; i < expected->count; i++) /* almost always in order */
        if (strcmp(line->cells[i], expected->names[i]) != 0 && !has_cell(line, expected->names[i]))
            return 0;
    return 1;
}

/* Nonzero if the cells are the numbers from 0 or 1 on: in order, or from four cells on in any order. */
static int are_numbered(const struct first_line *line)
{
    size_t ordered = 0, smallest = SIZE_MAX, count = line->count;
    unsigned char *seen = count >= 3 ? xcalloc(count + 1, 1) : NULL;
    int are = seen != NULL;
    for (size_t i = 0; are && i < count; i++) {
        size_t number = is_plain_integer(line->cells[i]) ? strtoul(line->cells[i], NULL, 10) : SIZE_MAX;
        are = number <= count && !seen[number];
        if (!are)
            break;
        seen[number] = 1;
        smallest = number < smallest ? number : smallest;
        ordered += (size_t)(i > 0 && number == strtoul(line->cells[i - 1], NULL, 10) + 1);
    }
    are = are && (smallest == 1 || !seen[count]) && (count > 3 || ordered + 1 == count);
    free(seen);
    return are;
}

enum { WHOLE_MAX = 1000 }; /* cells that are compared with each other */

/* Nonzero if all cells are whole numbers in plain digits, and none equals another. */
static int are_different_integers_of(const struct first_line *line)
{
    for (size_t i = 0; i < line->count; i++) {
        if (!is_plain_integer(line->cells[i]) || line->count > WHOLE_MAX)
            return 0;
        for (size_t j = 0; j < i; j++)
            if (strcmp(line->cells[i], line->cells[j]) == 0)
                return 0;
    }
    return 1;
}

/* The state of columns_plan. */
struct planning {
    struct pool *pool;
    const struct first_line *line;
    const struct table_form *form;
    struct column_plan plan;
    struct columns *columns;
    struct string_list *notes;
};

static _Noreturn void ambiguous(const struct first_line *line, const char *why)
{
    place_die(&line->at, "a header or a row of data? %s; say --header yes or no (key \"header\")", why);
}

static void guess_header(struct planning *planning)
{
    const struct first_line *line = planning->line;
    const struct table_form *form = planning->form;
    struct column_plan *plan = &planning->plan;
    const char *label = form->label_column;
    size_t n_numbers = 0, n_names = 0, n_names_of_all = 0;
    double ignored;
    plan->is_header = 1;
    if ((label && *label && !is_plain_integer(label) && has_cell(line, label)) ||
        has_expected_names(line, form->expected))
        return;
    plan->is_guess = 1;
    const size_t label_at = label ? strtoul(label, NULL, 10) - 1 : form->has_no_labels ? COLUMN_NONE : line->count - 1;
    for (size_t i = 0; i < line->count; i++)
        if (number_parse(line->cells[i], &ignored))
            n_numbers++;
        else if (could_be_name(line->cells[i])) {
            n_names_of_all++;
            n_names += i != label_at; /* a label may be any word */
        }
    plan->is_header = n_numbers == 0;
    plan->is_of_whole = are_different_integers_of(line);
    plan->is_unsure = plan->is_header ? n_names_of_all < line->count : plan->is_of_whole;
    if (are_numbered(line))
        ambiguous(line, "its cells are whole numbers in a row");
    if (n_numbers == 0 && n_names == 0)
        ambiguous(line, "no cell is a number, and no feature's could be a name");
}

/* ---- the label column ---- */

/* The column with this name in the header; COLUMN_NONE if there is none. */
static size_t find_name(const struct planning *planning, const char *name)
{
    const struct first_line *line = planning->line;
    size_t found = 0, column = COLUMN_NONE;
    char shown[44];
    for (size_t i = line->count; planning->plan.is_header && i-- > 0;)
        if (strcmp(line->cells[i], name) == 0) {
            column = i;
            found++;
        }
    if (found > 1)
        place_die(&line->at, "label column \"%s\" occurs %zu times in the header", text_shown(name, shown), found);
    return column;
}

/* A column number from 1, or a name that occurs once in the header. */
static size_t find_label(const struct planning *planning, const char *column)
{
    const struct first_line *line = planning->line;
    char shown[44];
    const size_t number = is_plain_integer(column) ? strtoul(column, NULL, 10) : 0;
    const size_t named = find_name(planning, column);
    const size_t label = number >= 1 && number <= line->count ? number - 1 : named;
    if (label == COLUMN_NONE)
        place_die(&line->at, "label column \"%s\" is unknown; allowed: %sa number from 1 to %zu%s",
                  text_shown(column, shown), planning->plan.is_header ? "a name in the header or " : "", line->count,
                  planning->plan.is_header ? "" : "; the first line counts as data (--header, key \"header\")");
    if (named != COLUMN_NONE && named != label)
        string_list_push(planning->pool, planning->notes,
                         "%s:%zu: label column \"%s\" is column %zu; the header has this name for column %zu",
                         line->at.path, line->at.line, column, number, named + 1);
    return label;
}

static size_t decide_label(const struct planning *planning)
{
    const struct table_form *form = planning->form;
    const char *name = form->expected ? form->expected->label : NULL;
    char shown[44];
    if (form->label_column)
        return find_label(planning, form->label_column);
    if (!planning->plan.is_header || !name)
        return planning->line->count - 1;
    const size_t label = find_name(planning, name);
    if (label == COLUMN_NONE)
        place_die(&planning->line->at,
                  "no column \"%s\", which has the labels of %s; --label-column names another, and predict --no-labels "
                  "does without",
                  text_shown(name, shown), form->expected_in);
    return label;
}

/* ---- the features ---- */

/* The expected feature of this name: the one at `likely`, else by search in the sorted pointers. */
static size_t find_feature(const struct columns *expected, char **const *sorted, const char *name, size_t likely)
{
    if (likely < expected->count && strcmp(expected->names[likely], name) == 0)
        return likely;
    size_t low = 0, high = expected->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(*sorted[middle], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < expected->count && strcmp(*sorted[low], name) == 0 ? (size_t)(sorted[low] - expected->names)
                                                                     : COLUMN_NONE;
}

static int by_pointed_name(const void *a, const void *b)
{
    return strcmp(**(char **const *)a, **(char **const *)b);
}

/* Refuses the first column that one side lacks or has twice. */
static void check_match(const struct planning *planning)
{
    const struct first_line *line = planning->line;
    const struct columns *expected = planning->form->expected;
    const struct column_plan *plan = &planning->plan;
    char shown[44];
    unsigned char *seen = pool_alloc(planning->pool, expected->count);
    for (size_t i = 0; i < line->count; i++) {
        size_t feature = plan->feature[i];
        if (i == plan->label || i == plan->ignored)
            continue;
        if (feature == COLUMN_NONE || seen[feature]++)
            place_die(&line->at, "column %zu, \"%s\", %s%s", i + 1, text_shown(line->cells[i], shown),
                      feature == COLUMN_NONE ? "is no feature of " : "has the name of an earlier column",
                      feature == COLUMN_NONE ? planning->form->expected_in : "");
    }
    for (size_t f = 0; f < expected->count; f++)
        if (!seen[f])
            place_die(&line->at, "no column \"%s\", which is a feature of %s", text_shown(expected->names[f], shown),
                      planning->form->expected_in);
}

/* Matches by name. Names in the same order may repeat. */
static void match_names(struct planning *planning)
{
    const struct first_line *line = planning->line;
    const struct columns *expected = planning->form->expected;
    struct column_plan *plan = &planning->plan;
    char ***sorted = pool_array(planning->pool, expected->count, sizeof *sorted);
    plan->feature = pool_array(planning->pool, line->count, sizeof *plan->feature);
    for (size_t f = 0; f < expected->count; f++)
        sorted[f] = &expected->names[f];
    qsort(sorted, expected->count, sizeof *sorted, by_pointed_name);
    size_t likely = 0, n_moved = 0;
    for (size_t i = 0; i < line->count; i++) {
        const int is_feature = i != plan->label && i != plan->ignored;
        plan->feature[i] = is_feature ? find_feature(expected, sorted, line->cells[i], likely) : COLUMN_NONE;
        n_moved += (size_t)(is_feature && plan->feature[i] != likely);
        likely += (size_t)is_feature;
    }
    if (n_moved > 0 || likely != expected->count)
        check_match(planning);
    if (n_moved > 0)
        string_list_push(planning->pool, planning->notes,
                         "%s: its columns are in another order than those of %s; they are matched by name",
                         line->at.path, planning->form->expected_in);
}

static void check_count(const struct planning *planning)
{
    const size_t count = planning->columns->count;
    const size_t expected = planning->form->expected ? planning->form->expected->count : 0;
    if (expected > 0 && count != expected)
        place_die(&planning->line->at, "%zu features, but %s has %zu%s", count, planning->form->expected_in, expected,
                  planning->plan.label != COLUMN_NONE && count + 1 == expected
                      ? "; predict --no-labels reads files without labels"
                      : "");
}

/* Takes the names of the features and of the label column. */
static void take_names(const struct planning *planning)
{
    const struct first_line *line = planning->line;
    struct columns *columns = planning->columns;
    size_t feature = 0;
    columns->names = pool_array(planning->pool, columns->count, sizeof *columns->names);
    for (size_t i = 0; i < line->count; i++)
        if (i == planning->plan.label)
            columns->label = pool_strdup(planning->pool, line->cells[i]);
        else if (i != planning->plan.ignored)
            columns->names[feature++] = pool_strdup(planning->pool, line->cells[i]);
}

static void note_guess(const struct planning *planning)
{
    const struct first_line *line = planning->line;
    const struct column_plan *plan = &planning->plan;
    char first[44], label[64] = "", shown[44];
    if (plan->label != COLUMN_NONE && plan->is_header)
        snprintf(label, sizeof label, ", the label is \"%s\"", text_shown(line->cells[plan->label], shown));
    else if (plan->label != COLUMN_NONE)
        snprintf(label, sizeof label, ", the label is in column %zu", plan->label + 1);
    if (plan->is_header)
        string_list_push(planning->pool, planning->notes,
                         "%s:%zu: guessed to be a header: \"%s\", ... (%zu columns)%s; --header states it",
                         line->at.path, line->at.line, text_shown(line->cells[0], first), line->count, label);
    else
        string_list_push(planning->pool, planning->notes,
                         "%s:%zu: guessed to be a row of data, not a header (%zu columns)%s; --header states it",
                         line->at.path, line->at.line, line->count, label);
}

struct column_plan columns_plan(struct pool *pool, const struct first_line *line, const struct table_form *form,
                                struct columns *columns, struct string_list *notes)
{
    const struct columns *expected = form->expected;
    struct planning planning = {pool, line, form, {.label = COLUMN_NONE, .ignored = COLUMN_NONE}, columns, notes};
    struct column_plan *plan = &planning.plan;
    if (!form->has_no_labels && line->count < 2)
        place_die(&line->at, "1 column; expected a label and at least one feature, separated by commas");
    if (!form->header || strcmp(form->header, "auto") == 0)
        guess_header(&planning);
    else
        plan->is_header = strcmp(form->header, "yes") == 0;
    if (!form->has_no_labels)
        plan->label = decide_label(&planning);
    else if (expected && expected->label)
        plan->ignored = find_name(&planning, expected->label);
    columns->count = line->count - (plan->label != COLUMN_NONE) - (plan->ignored != COLUMN_NONE);
    if (plan->is_header && expected && expected->names)
        match_names(&planning);
    check_count(&planning);
    if (expected && expected->count && !plan->is_header != !expected->names)
        string_list_push(pool, notes, "%s: %s has a header, the other none: columns are matched by position",
                         line->at.path, plan->is_header ? "this file" : form->expected_in);
    if (plan->is_header)
        take_names(&planning);
    if (plan->is_unsure)
        note_guess(&planning);
    return planning.plan;
}

/* ---- row numbers ---- */

enum { FEWEST_NUMBERED = 5 }; /* rows, if a column has a name: fewer may count up by chance */

/* Nonzero if the feature is `first`, `first` + 1, ... */
static int numbers_rows(const struct patterns *patterns, size_t feature)
{
    const double first = patterns_value(patterns, 0, feature);
    for (size_t i = 1; i < patterns->rows; i++)
        if (patterns_value(patterns, i, feature) != first + (double)i)
            return 0;
    return first == 0 || first == 1;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Nonzero if the values are whole, not negative and all different: numbers of rows that were sorted or sampled. */
static int are_different_integers(const struct patterns *patterns, size_t feature)
{
    double *values = xcalloc(patterns->rows + 1, sizeof *values);
    int are = 1;
    for (size_t i = 0; are && i < patterns->rows; i++) {
        values[i] = patterns_value(patterns, i, feature);
        are = values[i] >= 0 && values[i] < 1e15 && values[i] == (double)(long long)values[i];
    }
    if (are)
        qsort(values, patterns->rows, sizeof *values, by_size);
    for (size_t i = 1; are && i < patterns->rows; i++)
        are = values[i] != values[i - 1];
    free(values);
    return are;
}

/* As written by pandas ("", or "Unnamed: 0" when that is read and written again) and R (""). */
static int is_unnamed(const char *name)
{
    return *name == '\0' || strncmp(name, "Unnamed: ", 9) == 0;
}

/* Other names for row numbers; such columns may be meant. */
static int is_of_rows(const char *name)
{
    static const char *const names[] = {"id", "index", "row", "rowid", "row_id", "rownames", "level_0", "x"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i]) == 0)
            return 1;
    return 0;
}

static void note_row_numbers(struct labelled_table *table, const char *path, size_t number, const char *name)
{
    char shown[44];
    string_list_push(table->pool, &table->notes,
                     "%s: feature %zu%s%s%s numbers the rows: remove it if it is no feature", path, number,
                     *name ? " (" : "", text_shown(name, shown), *name ? ")" : "");
}

void columns_check_row_numbers(struct labelled_table *table, const char *path)
{
    const struct patterns *patterns = &table->patterns;
    const struct columns *columns = &table->columns;
    const double *values;
    const uint32_t *feature;
    size_t noted = COLUMN_NONE;
    for (size_t f = 0; columns->names && patterns->rows > 1 && f < columns->count; f++) {
        const char *name = columns->names[f];
        if ((!is_unnamed(name) && !is_of_rows(name)) || !are_different_integers(patterns, f))
            continue;
        if (is_unnamed(name))
            die(STATUS_BAD_INPUT,
                "%s:1:1: feature %zu has no name in the header, and whole numbers that are all different: row numbers? "
                "Remove the column, or name it if it is a feature",
                path, f + 1);
        if (patterns->rows >= FEWEST_NUMBERED && noted == COLUMN_NONE)
            note_row_numbers(table, path, f + 1, name);
        noted = f;
    }
    /* Numbers from 0 or 1 on are 1 or 2 in the second row, so compressed rows list them there. */
    const size_t count = patterns->rows >= FEWEST_NUMBERED ? patterns_row(patterns, 1, &values, &feature) : 0;
    for (size_t k = 0; k < count; k++) {
        const size_t f = feature ? feature[k] : k;
        if (f != noted && (values[k] == 1 || values[k] == 2) && numbers_rows(patterns, f))
            note_row_numbers(table, path, f + 1, columns->names ? columns->names[f] : "");
    }
}
