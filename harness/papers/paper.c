/*
 * Reads papers/NAME.json. The file is written by hand, so every member is checked when it is read: a misspelt
 * column key must be an error, not an empty column. docs/verdicts.md describes the layout.
 */
#include "harness/base/die.h"
#include "harness/papers/paper.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/papers/claims.h"
#include "harness/papers/marks.h"
#include "harness/base/memory.h"
#include "harness/support/file.h"
#include "harness/support/json_field.h"
#include "harness/support/resource.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Renames the members of a column or claim from earlier versions (docs/verdicts.md). */
static void rename_earlier(cJSON *json)
{
    static const char *const earlier[][2] = {
        {"left", "lower"},       {"left", "worse"},        {"right", "than"},     {"value", "middle"},
        {"quantifier", "share"}, {"clamp_max", "ceiling"}, {"clamp_min_field", "floor_field"},
    };
    for (size_t i = 0; i < COUNT(earlier); i++) {
        cJSON *member = cJSON_GetObjectItemCaseSensitive(json, earlier[i][1]);
        if (member && !cJSON_GetObjectItemCaseSensitive(json, earlier[i][0]))
            cJSON_AddItemToObject(json, earlier[i][0], cJSON_DetachItemViaPointer(json, member));
    }
}

enum status paper_read_filter(const struct cJSON *json, const struct json_path *place, struct record_filter *filter,
                              struct error *error)
{
    const struct json_member members[] = {
        {"solver", .required = 1, .text = &filter->solver},
        {"params", .object = &filter->params},
        {"kernel", .object = &filter->kernel},
        {"stop", .object = &filter->stop},
    };
    filter->clamp_max = (double)INFINITY;
    return json_members(json, place, members, COUNT(members), error);
}

/* The keys of a column; those of its "right" begin at RIGHT_KEYS. */
enum { RIGHT_KEYS = 6 };
static const char *const column_keys[] = {"key",  "title",  "unit",  "statistic",       "same_as",   "right", "solver",
                                          "params", "kernel", "stop", "field", "clamp_min_field", "clamp_max", NULL};

/* Reads the record filter of a column or of its "right". */
static enum status read_side_records(cJSON *json, const struct json_path *place, struct record_filter *filter,
                                     struct error *error)
{
    const struct json_member members[] = {
        {"field", .required = 1, .text = &filter->field},
        {"clamp_min_field", .text = &filter->clamp_min_field},
        {"clamp_max", .number = &filter->clamp_max, .above = -(double)INFINITY, .at_most = (double)INFINITY},
    };
    rename_earlier(json);
    enum status status = paper_read_filter(json, place, filter, error);
    return status == STATUS_OK ? json_members(json, place, members, COUNT(members), error) : status;
}

static enum status check_right(cJSON *json, const struct json_path *place, struct error *error)
{
    rename_earlier(json);
    return json_check_keys(json, place, column_keys + RIGHT_KEYS, error);
}

static enum status read_column(cJSON *json, const struct json_path *place, struct paper_column *column,
                               struct error *error)
{
    static const char *const statistics[] = {
        [STATISTIC_MEAN_SD] = "mean_sd", [STATISTIC_MINIMUM] = "min",         [STATISTIC_VALUE] = "value",
        [STATISTIC_MEAN] = "mean",       [STATISTIC_REDUCTION] = "reduction", [STATISTIC_MEAN_SE] = "mean_se",
        NULL};
    const struct json_path right = {.file = place->file, .outer = place, .key = "right"};
    int statistic = 0;
    const struct json_member members[] = {
        {"key", .required = 1, .text = &column->key},
        {"title", .required = 1, .text = &column->title},
        {"unit", .number = &column->unit, .above = -(double)INFINITY, .at_most = (double)INFINITY},
        {"statistic", .required = 1, .choice = &statistic, .names = statistics},
        {"same_as", .text = &column->same_as},
    };
    column->unit = 1;
    const struct json_path unit = {.file = place->file, .outer = place, .key = "unit"};
    rename_earlier(json);
    enum status status = json_check_keys(json, place, column_keys, error);
    if (status == STATUS_OK)
        status = json_members(json, place, members, COUNT(members), error);
    if (status == STATUS_OK && (column->unit == 0 || (column->unit < 0 && statistic == STATISTIC_REDUCTION)))
        status = json_error(&unit, error, "%g is out of range", column->unit);
    column->statistic = (enum statistic)statistic;
    if (status == STATUS_OK && statistic != STATISTIC_VALUE)
        status = read_side_records(json, place, &column->from, error);
    if (status == STATUS_OK && statistic == STATISTIC_REDUCTION)
        status = check_right(cJSON_GetObjectItemCaseSensitive(json, "right"), &right, error);
    if (status == STATUS_OK && statistic == STATISTIC_REDUCTION)
        status = read_side_records(cJSON_GetObjectItemCaseSensitive(json, "right"), &right, &column->right, error);
    return status;
}

static size_t column_named(const struct paper_table *table, const char *key)
{
    size_t i = 0;
    while (i < table->n_columns && strcmp(table->columns[i].key, key) != 0)
        i++;
    return i;
}

/* Stores the cell's "marks" in row->marked. */
static enum status read_marks(const cJSON *marks, const struct paper_table *table, size_t column,
                              const struct json_path *place, struct paper_row *row, struct error *error)
{
    const uint64_t bit = (uint64_t)1 << column;
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, marks) {
        size_t found = table->n_tests;
        int mark = cJSON_IsString(item) && strlen(item->valuestring) == 1 ? item->valuestring[0] - '0' : 0;
        for (size_t k = 0; k < table->n_tests && mark > 0; k++)
            if (table->tests[k].mark == mark && marked_side(&table->tests[k], bit) != MARKED_NOWHERE)
                found = k;
        if (found == table->n_tests)
            return json_error(place, error, "\"%.20s\" is not the mark of a test of this column",
                              cJSON_IsString(item) ? item->valuestring : "no text");
        row->marked[found] |= bit;
    }
    return STATUS_OK;
}

static enum status unknown_column(const struct paper_table *table, const char *key, const struct json_path *place,
                                  struct error *error)
{
    const char *keys[TABLE_COLUMNS_MAX + 1] = {NULL};
    for (size_t j = 0; j < table->n_columns; j++)
        keys[j] = table->columns[j].key;
    return json_unknown_name(place, "column", key, keys, error);
}

static enum status read_cell(const cJSON *json, const struct paper_table *table, const struct json_path *place,
                             size_t n, struct paper_row *row, struct error *error)
{
    const size_t column = column_named(table, json->string);
    if (column == table->n_columns)
        return unknown_column(table, json->string, place, error);
    const struct paper_column *of = &table->columns[column];
    const int has_sd = paper_column_has_sd(of), is_error = of->statistic == STATISTIC_MEAN_SE;
    const char *const sd_key = is_error ? "se" : "sd";
    const char *const sd_decimals_key = is_error ? "se_decimals" : "sd_decimals";
    const double endless = (double)INFINITY;
    double mean = 0, sd = 0, decimals = 0, sd_decimals = (double)NAN;
    const cJSON *marks = NULL;
    const struct json_member members[] = {
        {"mean", .required = 1, .number = &mean, .above = -endless, .at_most = endless},
        {sd_key, .required = has_sd, .number = &sd, .above = -endless, .at_most = endless},
        {"decimals", .required = 1, .number = &decimals, .is_closed = 1, .at_most = 15},
        {sd_decimals_key, .number = &sd_decimals, .is_closed = 1, .at_most = 15},
        {"marks", .list = &marks},
    };
    enum status status = json_only_members(json, place, members, COUNT(members), error);
    if (status == STATUS_OK && sd < 0)
        status = json_error(place, error, "\"%s\" is below 0", sd_key);
    if (status != STATUS_OK)
        return status;
    struct printed *printed = &row->cells[column];
    *printed = (struct printed){.mean = mean,
                                .sd = (double)NAN,
                                .n = n,
                                .decimals = (int)decimals,
                                .sd_decimals = (int)(isnan(sd_decimals) ? decimals : sd_decimals),
                                .whole = of->statistic == STATISTIC_REDUCTION ? 100 / of->unit : 0,
                                .is_error = is_error};
    if (has_sd)
        printed->sd = sd * printed_sd_scale(printed);
    return read_marks(marks, table, column, place, row, error);
}

/* A repeated column must refer to one that repeats none, and both must print the same numbers. */
static enum status check_same_as(const struct paper_table *table, const struct json_path *place, struct error *error)
{
    for (size_t j = 0; j < table->n_columns; j++) {
        const char *name = table->columns[j].same_as;
        const size_t other = name ? column_named(table, name) : j;
        const struct json_path at = {.file = place->file, .outer = place, .index = j};
        const struct json_path key = {.file = place->file, .outer = &at, .key = "same_as"};
        if (other == table->n_columns || (name && table->columns[other].same_as))
            return json_error(&key, error, "\"%s\" is not a column, or repeats another column", name);
        for (size_t i = 0; i < table->n_rows; i++) {
            const struct printed *cell = &table->rows[i].cells[j], *same = &table->rows[i].cells[other];
            if (cell->n && (!same->n || cell->mean != same->mean || cell->decimals != same->decimals))
                return json_error(&key, error, "the column does not print the numbers of \"%s\" for %s", name,
                                  table->rows[i].dataset);
        }
    }
    return STATUS_OK;
}

/* The number of splits behind a data set's figures; 0 if it is not a number. */
static double splits_of(const cJSON *splits, const char *dataset)
{
    const cJSON *own = cJSON_GetObjectItemCaseSensitive(splits, dataset);
    own = own ? own : cJSON_GetObjectItemCaseSensitive(splits, "default");
    return cJSON_IsNumber(own) ? own->valuedouble : 0;
}

static enum status read_row(const cJSON *json, double n, const struct paper_table *table,
                            const struct json_path *place, struct paper_row *row, struct error *error)
{
    row->dataset = json->string;
    row->cells = xcalloc(table->n_columns, sizeof *row->cells);
    row->marked = xcalloc(table->n_tests, sizeof *row->marked);
    row->fitted = xcalloc(table->n_columns, sizeof *row->fitted);
    for (size_t j = 0; j < table->n_columns; j++)
        row->cells[j].mean = row->cells[j].sd = (double)NAN;
    if (!(n >= table->min_splits && n <= 1e6))
        return json_error(place, error, "\"splits\" of %s must be a number from %d", row->dataset, table->min_splits);
    if (!cJSON_IsObject(json))
        return json_error(place, error, "expected an object");
    for (const cJSON *item = json->child; item; item = item->next) {
        const struct json_path at = {.file = place->file, .outer = place, .key = item->string};
        enum status status = read_cell(item, table, &at, (size_t)n, row, error);
        if (status != STATUS_OK)
            return status;
    }
    for (size_t k = 0; k < table->n_tests; k++)
        if (marked_side(&table->tests[k], row->marked[k]) == MARKED_BOTH)
            return json_error(place, error, "mark %d occurs on both sides of its test", table->tests[k].mark);
    return STATUS_OK;
}

const char *const test_kind_names[] = {[TEST_RANK_SUM] = "rank-sum", [TEST_SIGNED_RANK] = "signed-rank", NULL};

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
    const struct json_member members[] = {
        {"kind", .required = 1, .choice = &kind, .names = test_kind_names},
        {"level", .required = 1, .number = &test->level, .at_most = 1},
        {"key", .text = &test->key},
        {"mark", .text = &mark},
        {"between", .list = &between},
    };
    enum status status = json_only_members(json, place, members, COUNT(members), error);
    if (status != STATUS_OK)
        return status;
    if (test->level >= 1 || cJSON_GetArraySize(between) != 2)
        return json_error(place, error, "a test needs a level below 1 and two sides in \"between\"");
    if (mark && (mark[0] < '1' || mark[0] > '9' || mark[1] != '\0' || !test->key))
        return json_error(place, error, "a \"mark\" must be a digit from 1 to 9, and its test needs a \"key\"");
    test->kind = (enum test_kind)kind;
    test->mark = mark ? mark[0] - '0' : 0;
    for (int s = 0; s < 2 && status == STATUS_OK; s++)
        status = read_side(cJSON_GetArrayItem(between, s), table, place, &test->sides[s], error);
    return status;
}

static int has_row(const struct paper_table *table, const char *dataset)
{
    for (size_t i = 0; i < table->n_rows; i++)
        if (strcmp(table->rows[i].dataset, dataset) == 0)
            return 1;
    return 0;
}

/* Reads an entry of "fitted": the reason, and the columns and data sets of its cells; by default all. */
static enum status read_fitted(const cJSON *json, const struct json_path *place, struct paper_table *table,
                               struct error *error)
{
    const cJSON *columns = NULL, *datasets = NULL, *item = NULL;
    const char *why = NULL;
    const struct json_member members[] = {
        {"why", .required = 1, .text = &why}, {"columns", .list = &columns}, {"datasets", .list = &datasets}};
    enum status status = json_only_members(json, place, members, COUNT(members), error);
    cJSON_ArrayForEach (item, columns)
        if (status == STATUS_OK &&
            (!cJSON_IsString(item) || column_named(table, item->valuestring) == table->n_columns))
            status = json_error(place, error, "\"columns\" must be keys of columns");
    cJSON_ArrayForEach (item, datasets)
        if (status == STATUS_OK && (!cJSON_IsString(item) || !has_row(table, item->valuestring)))
            status = json_error(place, error, "\"datasets\" must be names of rows");
    for (size_t i = 0; i < table->n_rows && status == STATUS_OK; i++)
        for (size_t j = 0; j < table->n_columns; j++)
            if ((!columns || json_list_has(columns, table->columns[j].key)) &&
                (!datasets || json_list_has(datasets, table->rows[i].dataset)))
                table->rows[i].fitted[j] = why;
    return status;
}

static enum status read_table(const cJSON *json, const cJSON *splits, const struct json_path *place,
                              struct paper_table *table, struct error *error)
{
    const struct json_path in_columns = {.file = place->file, .outer = place, .key = "columns"};
    const struct json_path in_tests = {.file = place->file, .outer = place, .key = "tests"};
    const struct json_path in_rows = {.file = place->file, .outer = place, .key = "rows"};
    const struct json_path in_fitted = {.file = place->file, .outer = place, .key = "fitted"};
    const cJSON *columns = NULL, *rows = NULL, *fitted = NULL;
    const cJSON *tests = cJSON_GetObjectItemCaseSensitive(json, "tests");
    size_t n_fitted = 0;
    const struct json_member members[] = {
        {"name", .required = 1, .text = &table->name},
        {"caption", .required = 1, .text = &table->caption},
        {"source", .required = 1, .text = &table->source},
        {"columns", .required = 1, .list = &columns},
        {"rows", .required = 1, .object = &rows},
        {"fitted", .list = &fitted},
        {"tests", .list = &tests},
    };
    cJSON *item = NULL;
    enum status status = json_only_members(json, place, members, COUNT(members), error);
    if (status != STATUS_OK)
        return status;
    if (!columns->child || !rows->child)
        return json_error(place, error, "\"columns\" and \"rows\" must not be empty");
    if (cJSON_GetArraySize(columns) > TABLE_COLUMNS_MAX)
        return json_error(place, error, "more than %d columns", TABLE_COLUMNS_MAX);
    table->min_splits = 1;
    table->columns = xcalloc((size_t)cJSON_GetArraySize(columns), sizeof *table->columns);
    table->rows = xcalloc((size_t)cJSON_GetArraySize(rows), sizeof *table->rows);
    table->tests = xcalloc((size_t)cJSON_GetArraySize(tests), sizeof *table->tests);
    for (item = columns->child; item && status == STATUS_OK; item = item->next) {
        const struct json_path at = {.file = place->file, .outer = &in_columns, .index = table->n_columns};
        struct paper_column *column = &table->columns[table->n_columns++];
        status = read_column(item, &at, column, error);
        if (column->statistic != STATISTIC_MEAN && column->statistic != STATISTIC_VALUE)
            table->min_splits = 2; /* a single split has no sd and no minimum */
    }
    for (item = tests ? tests->child : NULL; item && status == STATUS_OK; item = item->next) {
        const struct json_path at = {.file = place->file, .outer = &in_tests, .index = table->n_tests};
        status = read_test(item, table, &at, &table->tests[table->n_tests++], error);
    }
    /* after the tests, since rows carry their marks */
    for (item = rows->child; item && status == STATUS_OK; item = item->next) {
        const struct json_path at = {.file = place->file, .outer = &in_rows, .key = item->string};
        status = read_row(item, splits_of(splits, item->string), table, &at, &table->rows[table->n_rows++], error);
    }
    for (item = fitted ? fitted->child : NULL; item && status == STATUS_OK; item = item->next) {
        const struct json_path at = {.file = place->file, .outer = &in_fitted, .index = n_fitted++};
        status = read_fitted(item, &at, table, error);
    }
    return status == STATUS_OK ? check_same_as(table, &in_columns, error) : status;
}

static enum status read_paper(struct paper *paper, struct error *error)
{
    const struct json_path top = {.file = paper->path};
    const struct json_path in_tables = {.file = paper->path, .outer = &top, .key = "tables"};
    const cJSON *tables = NULL, *splits = NULL;
    const char *reference = NULL;
    cJSON *item = NULL;
    size_t schema = 1;
    const struct json_member members[] = {
        {"schema", .count = &schema, .at_most = 1},
        {"paper", .required = 1, .text = &paper->name},
        {"datasets", .required = 1, .list = &paper->datasets},
        {"tables", .required = 1, .list = &tables},
        {"claims", .list = &paper->claims},
        {"reference", .text = &reference},
        {"splits", .object = &splits},
    };
    enum status status = json_only_members(paper->json, &top, members, COUNT(members), error);
    if (status != STATUS_OK)
        return status;
    cJSON_ArrayForEach (item, paper->claims)
        rename_earlier(item);
    paper->tables = xcalloc((size_t)cJSON_GetArraySize(tables), sizeof *paper->tables);
    for (item = tables->child; item && status == STATUS_OK; item = item->next) {
        const struct json_path at = {.file = paper->path, .outer = &in_tables, .index = paper->n_tables};
        status = read_table(item, cJSON_GetObjectItemCaseSensitive(paper->json, "splits"), &at,
                            &paper->tables[paper->n_tables++], error);
    }
    return status;
}

struct reading {
    struct pool *pool;
    const char *name, *path; /* NULL: found by the name */
    const cJSON *json;
};

static void read_file(void *data)
{
    struct reading *reading = data;
    if (!reading->path)
        reading->path = resource_find(reading->pool, reading->name, STATUS_NOT_FOUND);
    reading->json = json_read(reading->pool, reading->path);
}

static enum status read_one(const char *name, const char *path, struct paper **paper, struct error *error)
{
    struct reading reading = {pool_new(), name, path, NULL};
    *paper = NULL;
    enum status status = attempt(read_file, &reading, error);
    if (status == STATUS_OK)
        status = paper_of_json(reading.path, cJSON_Duplicate(reading.json, 1), paper, error);
    pool_free(reading.pool);
    return status;
}

enum status paper_read(const char *path, struct paper **paper, struct error *error)
{
    return read_one(NULL, path, paper, error);
}

enum status paper_of_json(const char *path, cJSON *json, struct paper **paper, struct error *error)
{
    *paper = xcalloc(1, sizeof **paper);
    (*paper)->path = xstrdup(path);
    (*paper)->json = json;
    enum status status = read_paper(*paper, error);
    if (status != STATUS_OK) {
        paper_free(*paper);
        *paper = NULL;
    }
    return status;
}

enum status paper_find(const char *table, struct paper **paper, struct error *error)
{
    const size_t length = strcspn(table, ".");
    *paper = NULL;
    if (length == 0 || length > 236 || strchr(table, '/'))
        return error_set(error, STATUS_BAD_INPUT, "\"%.100s\" is not the name of a table, PAPER.TABLE", table);
    char *name = xasprintf("papers/%.*s.json", (int)length, table);
    enum status status = read_one(name, NULL, paper, error);
    if (status == STATUS_OK)
        status = claims_check(*paper, error);
    if (status == STATUS_OK)
        status = paper_check_names(*paper, error);
    if (status != STATUS_OK) {
        paper_free(*paper);
        *paper = NULL;
    }
    free(name);
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
            free(table->rows[j].fitted);
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
    return paper_column_has_sd(column) || column->statistic == STATISTIC_MEAN;
}

int paper_column_has_sd(const struct paper_column *column)
{
    return column->statistic == STATISTIC_MEAN_SD || column->statistic == STATISTIC_MEAN_SE;
}
