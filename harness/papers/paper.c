/*
 * Reading results/paper/NAME.json. The file is data written by hand, so every member is checked where it is read: a
 * misspelt column key must be an error, not an empty column. docs/verdicts.md describes the layout.
 */
#include "harness/papers/paper.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/papers/marks.h"
#include "harness/program/memory.h"
#include "harness/support/file.h"
#include "harness/support/json_field.h"
#include "harness/support/resource.h"

const struct cJSON *paper_member(const struct cJSON *json, const char *key)
{
    static const char *const earlier[][2] = {
        {"left", "lower"},        {"left", "worse"},           {"right", "than"},       {"value", "middle"},
        {"quantifier", "share"},  {"clamp_max", "ceiling"},    {"clamp_min_field", "floor_field"},
    };
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(json, key);
    for (size_t i = 0; !member && i < sizeof earlier / sizeof *earlier; i++)
        if (strcmp(earlier[i][0], key) == 0)
            member = cJSON_GetObjectItemCaseSensitive(json, earlier[i][1]);
    return member;
}

const char *paper_text(const struct cJSON *json, const char *key)
{
    return cJSON_GetStringValue(paper_member(json, key));
}

/* The number, `otherwise` where there is none, NaN where it is something else. */
static double number_at(const cJSON *json, const char *key, double otherwise)
{
    const cJSON *item = paper_member(json, key);
    return cJSON_IsNumber(item) ? item->valuedouble : item ? (double)NAN : otherwise;
}

/* A member that is one of the names (NULL-terminated), by its index. */
static enum status read_choice(const cJSON *json, const char *key, const char *const *names,
                               const struct json_path *place, int *choice, struct error *error)
{
    const struct json_path at = {.file = place->file, .outer = place, .key = key};
    const char *text = NULL;
    enum status status = json_text(json, key, place, 1, &text, error);
    if (status != STATUS_OK)
        return status;
    for (*choice = 0; names[*choice]; ++*choice)
        if (strcmp(names[*choice], text) == 0)
            return STATUS_OK;
    return json_unknown_name(&at, key, text, names, error);
}

static enum status read_filter(const cJSON *json, const struct json_path *place, struct record_filter *filter,
                               struct error *error)
{
    const char *const keys[] = {"params", "kernel", "stop"};
    const struct cJSON **const members[] = {&filter->params, &filter->kernel, &filter->stop};
    enum status status = json_text(json, "solver", place, 1, &filter->solver, error);
    if (status == STATUS_OK)
        status = json_text(json, "field", place, 1, &filter->field, error);
    for (size_t i = 0; i < 3 && status == STATUS_OK; i++) {
        *members[i] = cJSON_GetObjectItemCaseSensitive(json, keys[i]);
        if (*members[i] && !cJSON_IsObject(*members[i]))
            status = json_error(place, error, "\"%s\" must be an object", keys[i]);
    }
    filter->floor_field = paper_text(json, "clamp_min_field");
    filter->ceiling = number_at(json, "clamp_max", (double)INFINITY);
    if (status == STATUS_OK && isnan(filter->ceiling))
        status = json_error(place, error, "\"clamp_max\" must be a number");
    return status;
}

static enum status read_column(const cJSON *json, const struct json_path *place, struct paper_column *column,
                               struct error *error)
{
    static const char *const statistics[] = {
        [STATISTIC_MEAN_SD] = "mean_sd", [STATISTIC_MINIMUM] = "min",           [STATISTIC_VALUE] = "value",
        [STATISTIC_MEAN] = "mean",       [STATISTIC_REDUCTION] = "reduction", NULL};
    const struct json_path right = {.file = place->file, .outer = place, .key = "right"};
    int statistic = 0;
    *column = (struct paper_column){.unit = 1};
    enum status status = json_text(json, "key", place, 1, &column->key, error);
    if (status == STATUS_OK)
        status = json_text(json, "title", place, 1, &column->title, error);
    if (status == STATUS_OK)
        status = json_number(json, "unit", place, 0, 0, (double)INFINITY, &column->unit, error);
    if (status == STATUS_OK)
        status = read_choice(json, "statistic", statistics, place, &statistic, error);
    column->statistic = (enum statistic)statistic;
    if (status == STATUS_OK && statistic != STATISTIC_VALUE)
        status = read_filter(json, place, &column->from, error);
    if (status == STATUS_OK && statistic == STATISTIC_REDUCTION)
        status = read_filter(paper_member(json, "right"), &right, &column->right, error);
    return status;
}

static size_t column_named(const struct paper_table *table, const char *key)
{
    size_t i = 0;
    while (i < table->n_columns && strcmp(table->columns[i].key, key) != 0)
        i++;
    return i;
}

static int side_has(const struct test_side *side, size_t column)
{
    for (size_t i = 0; i < side->n; i++)
        if (side->columns[i] == column)
            return 1;
    return 0;
}

/* Puts the cell's "marks" into row->marked. */
static enum status read_marks(const cJSON *json, const struct paper_table *table, size_t column,
                              const struct json_path *place, struct paper_row *row, struct error *error)
{
    const cJSON *marks = cJSON_GetObjectItemCaseSensitive(json, "marks"), *item = NULL;
    if (marks && !cJSON_IsArray(marks))
        return json_error(place, error, "\"marks\" must be a list");
    cJSON_ArrayForEach (item, marks) {
        size_t found = table->n_tests;
        int mark = cJSON_IsString(item) && strlen(item->valuestring) == 1 ? item->valuestring[0] - '0' : 0;
        for (size_t k = 0; k < table->n_tests && mark > 0; k++) {
            const struct paper_test *test = &table->tests[k];
            if (test->mark == mark && (side_has(&test->sides[0], column) || side_has(&test->sides[1], column)))
                found = k;
        }
        if (found == table->n_tests)
            return json_error(place, error, "no test of the column has the mark \"%.20s\"",
                              cJSON_IsString(item) ? item->valuestring : "no text");
        row->marked[found] |= (uint64_t)1 << column;
    }
    return STATUS_OK;
}

static enum status read_cell(const cJSON *json, const struct paper_table *table, const struct json_path *place,
                             size_t n, struct paper_row *row, struct error *error)
{
    const size_t column = column_named(table, json->string);
    if (column == table->n_columns)
        return json_error(place, error, "no column is called \"%s\"", json->string);
    enum statistic statistic = table->columns[column].statistic;
    double mean = 0, sd = 0, decimals = 0;
    enum status status = json_number(json, "mean", place, 1, -(double)INFINITY, (double)INFINITY, &mean, error);
    if (status == STATUS_OK)
        status = json_number(json, "sd", place, statistic == STATISTIC_MEAN_SD, -(double)INFINITY, (double)INFINITY,
                             &sd, error);
    if (status == STATUS_OK && sd < 0)
        status = json_error(place, error, "\"sd\" is below 0");
    if (status == STATUS_OK)
        status = json_number(json, "decimals", place, 1, -1, 15, &decimals, error);
    double sd_decimals = decimals;
    if (status == STATUS_OK)
        status = json_number(json, "sd_decimals", place, 0, -1, 15, &sd_decimals, error);
    if (status != STATUS_OK)
        return status;
    if (statistic == STATISTIC_MEAN || statistic == STATISTIC_REDUCTION)
        sd = (double)NAN;
    row->cells[column] = (struct printed){mean, sd, n, (int)decimals, (int)sd_decimals};
    return read_marks(json, table, column, place, row, error);
}

static int means_only(const struct paper_table *table)
{
    for (size_t j = 0; j < table->n_columns; j++)
        if (table->columns[j].statistic != STATISTIC_MEAN && table->columns[j].statistic != STATISTIC_VALUE)
            return 0;
    return 1;
}

static enum status read_row(const cJSON *json, const cJSON *splits, const struct paper_table *table,
                            const struct json_path *place, struct paper_row *row, struct error *error)
{
    row->dataset = json->string;
    row->cells = xcalloc(table->n_columns, sizeof *row->cells);
    row->marked = xcalloc(table->n_tests, sizeof *row->marked);
    double n = number_at(splits, row->dataset, number_at(splits, "default", 0));
    double min = means_only(table) ? 1 : 2; /* a single split has no sd and no minimum */
    if (!(n >= min && n <= 1e6))
        return json_error(place, error, "\"splits\" of %s must be a number from %g", row->dataset, min);
    if (!cJSON_IsObject(json))
        return json_error(place, error, "must be an object");
    for (const cJSON *item = json->child; item; item = item->next) {
        const struct json_path at = {.file = place->file, .outer = place, .key = item->string};
        enum status status = read_cell(item, table, &at, (size_t)n, row, error);
        if (status != STATUS_OK)
            return status;
    }
    for (size_t k = 0; k < table->n_tests; k++)
        if (marked_side(&table->tests[k], row->marked[k]) == MARKED_BOTH)
            return json_error(place, error, "mark %d stands on both sides of its test", table->tests[k].mark);
    return STATUS_OK;
}

static const char *const test_kinds[] = {[TEST_RANK_SUM] = "rank-sum", [TEST_SIGNED_RANK] = "signed-rank", NULL};

const char *test_kind_name(enum test_kind kind)
{
    return test_kinds[kind];
}

/* A side is a column's key or a list of them. */
static enum status read_side(const cJSON *json, const struct paper_table *table, const struct json_path *place,
                             struct test_side *side, struct error *error)
{
    int list = cJSON_IsArray(json);
    for (const cJSON *item = list ? json->child : json; item; item = list ? item->next : NULL) {
        const char *key = cJSON_IsString(item) ? item->valuestring : "no text";
        size_t column = column_named(table, key);
        if (column == table->n_columns || table->columns[column].statistic == STATISTIC_VALUE ||
            table->columns[column].statistic == STATISTIC_REDUCTION)
            return json_error(place, error, "\"%s\" is not a measured column", key);
        if (side->n == TEST_SIDE_MAX)
            return json_error(place, error, "a side of a test has more than %d columns", TEST_SIDE_MAX);
        side->columns[side->n++] = column;
    }
    return side->n ? STATUS_OK : json_error(place, error, "a side of a test has no column");
}

static enum status read_test(const cJSON *json, const struct paper_table *table, const struct json_path *place,
                             struct paper_test *test, struct error *error)
{
    const cJSON *between = cJSON_GetObjectItemCaseSensitive(json, "between");
    const char *mark = NULL;
    int kind = 0;
    enum status status = read_choice(json, "kind", test_kinds, place, &kind, error);
    test->kind = (enum test_kind)kind;
    if (status == STATUS_OK)
        status = json_number(json, "level", place, 1, 0, 1, &test->level, error);
    if (status == STATUS_OK && (test->level >= 1 || cJSON_GetArraySize(between) != 2))
        status = json_error(place, error, "a test needs a level below 1 and two sides in \"between\"");
    if (status == STATUS_OK)
        status = json_text(json, "key", place, 0, &test->key, error);
    if (status == STATUS_OK)
        status = json_text(json, "mark", place, 0, &mark, error);
    if (status != STATUS_OK)
        return status;
    if (mark && (mark[0] < '1' || mark[0] > '9' || mark[1] != '\0' || !test->key))
        return json_error(place, error, "a \"mark\" must be a digit from 1 to 9, and its test needs a \"key\"");
    test->mark = mark ? mark[0] - '0' : 0;
    status = read_side(cJSON_GetArrayItem(between, 0), table, place, &test->sides[0], error);
    return status == STATUS_OK ? read_side(cJSON_GetArrayItem(between, 1), table, place, &test->sides[1], error)
                               : status;
}

static enum status read_table(const cJSON *json, const cJSON *splits, const struct json_path *place,
                              struct paper_table *table, struct error *error)
{
    const struct json_path in_columns = {.file = place->file, .outer = place, .key = "columns"};
    const struct json_path in_tests = {.file = place->file, .outer = place, .key = "tests"};
    const struct json_path in_rows = {.file = place->file, .outer = place, .key = "rows"};
    struct json_path column = {.file = place->file, .outer = &in_columns},
                     at = {.file = place->file, .outer = &in_tests};
    const cJSON *columns = cJSON_GetObjectItemCaseSensitive(json, "columns");
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(json, "rows");
    const cJSON *tests = cJSON_GetObjectItemCaseSensitive(json, "tests"), *item = NULL;
    enum status status = json_text(json, "name", place, 1, &table->name, error);
    if (status == STATUS_OK)
        status = json_text(json, "caption", place, 1, &table->caption, error);
    if (status == STATUS_OK)
        status = json_text(json, "source", place, 1, &table->source, error);
    if (status != STATUS_OK)
        return status;
    if (!cJSON_IsArray(columns) || !columns->child || !cJSON_IsObject(rows) || !rows->child)
        return json_error(place, error, "needs \"columns\" and \"rows\"");
    if (cJSON_GetArraySize(columns) > TABLE_COLUMNS_MAX)
        return json_error(place, error, "more than %d columns", TABLE_COLUMNS_MAX);
    table->columns = xcalloc((size_t)cJSON_GetArraySize(columns), sizeof *table->columns);
    table->rows = xcalloc((size_t)cJSON_GetArraySize(rows), sizeof *table->rows);
    table->tests = xcalloc((size_t)cJSON_GetArraySize(tests), sizeof *table->tests);
    cJSON_ArrayForEach (item, columns)
        if (status == STATUS_OK) {
            column.index = table->n_columns;
            status = read_column(item, &column, &table->columns[table->n_columns++], error);
        }
    cJSON_ArrayForEach (item, tests)
        if (status == STATUS_OK) {
            at.index = table->n_tests;
            status = read_test(item, table, &at, &table->tests[table->n_tests++], error);
        }
    cJSON_ArrayForEach (item, rows) /* after the tests, whose marks they carry */
        if (status == STATUS_OK) {
            const struct json_path row = {.file = place->file, .outer = &in_rows, .key = item->string};
            status = read_row(item, splits, table, &row, &table->rows[table->n_rows++], error);
        }
    return status;
}

static enum status read_members(struct paper *paper, struct error *error)
{
    const struct json_path top = {.file = paper->path};
    const struct json_path in_tables = {.file = paper->path, .outer = &top, .key = "tables"};
    const cJSON *tables = cJSON_GetObjectItemCaseSensitive(paper->json, "tables"), *item = NULL;
    paper->name = paper_text(paper->json, "paper");
    paper->datasets = cJSON_GetObjectItemCaseSensitive(paper->json, "datasets");
    paper->claims = cJSON_GetObjectItemCaseSensitive(paper->json, "claims");
    if (!paper->name || !cJSON_IsArray(tables) || !cJSON_IsArray(paper->datasets) ||
        (paper->claims && !cJSON_IsArray(paper->claims)))
        return json_error(&top, error, "needs \"paper\", \"datasets\", \"tables\"; \"claims\" is a list");
    paper->tables = xcalloc((size_t)cJSON_GetArraySize(tables), sizeof *paper->tables);
    struct json_path at = {.file = paper->path, .outer = &in_tables};
    cJSON_ArrayForEach (item, tables) {
        enum status status = read_table(item, cJSON_GetObjectItemCaseSensitive(paper->json, "splits"), &at,
                                        &paper->tables[paper->n_tables++], error);
        if (status != STATUS_OK)
            return status;
        at.index++;
    }
    return STATUS_OK;
}

enum status paper_read(const char *path, struct paper **paper, struct error *error)
{
    struct paper *made = xcalloc(1, sizeof *made);
    made->path = xstrdup(path);
    enum status status = json_read(path, &made->json, error);
    if (status == STATUS_OK)
        status = read_members(made, error);
    if (status != STATUS_OK) {
        paper_free(made);
        made = NULL;
    }
    *paper = made;
    return status;
}

enum status paper_find(const char *table, struct paper **paper, struct error *error)
{
    char name[256];
    char *path = NULL;
    *paper = NULL;
    int length = (int)strcspn(table, ".");
    int written = snprintf(name, sizeof name, "results/paper/%.*s.json", length, table);
    if (written < 0 || (size_t)written >= sizeof name || length == 0 || strchr(table, '/'))
        return error_set(error, STATUS_BAD_INPUT, "table \"%.100s\": not of the form PAPER.TABLE", table);
    enum status status = resource_find(name, &path, error);
    if (status == STATUS_OK)
        status = paper_read(path, paper, error);
    free(path);
    return status;
}

void paper_free(struct paper *paper)
{
    if (!paper)
        return;
    for (size_t i = 0; i < paper->n_tables; i++) {
        struct paper_table *table = &paper->tables[i];
        for (size_t j = 0; j < table->n_rows; j++) {
            free(table->rows[j].cells);
            free(table->rows[j].marked);
        }
        free(table->columns);
        free(table->rows);
        free(table->tests);
    }
    free(paper->tables);
    cJSON_Delete(paper->json);
    free(paper->path);
    free(paper);
}

int paper_names_claims(const char *name)
{
    return strcmp(name + strcspn(name, "."), ".claims") == 0;
}

const struct paper_table *paper_table_named(const struct paper *paper, const char *name)
{
    for (size_t i = 0; i < paper->n_tables; i++)
        if (strcmp(paper->tables[i].name, name) == 0)
            return &paper->tables[i];
    return NULL;
}

int paper_column_is_mean(const struct paper_column *column)
{
    return column->statistic == STATISTIC_MEAN_SD || column->statistic == STATISTIC_MEAN;
}
