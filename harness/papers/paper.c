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

#include "harness/support/file.h"
#include "harness/support/resource.h"
#include "harness/papers/marks.h"

static const char *text_at(const cJSON *json, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

static double number_at(const cJSON *json, const char *key, double otherwise)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);
    return cJSON_IsNumber(item) ? item->valuedouble : item ? (double)NAN : otherwise;
}

enum status selection_read(const struct cJSON *json, const char *where, struct record_filter *selection,
                           struct error *error)
{
    const char *const keys[] = {"params", "kernel", "stop"};
    const struct cJSON **const members[] = {&selection->params, &selection->kernel, &selection->stop};
    *selection = (struct record_filter){.solver = text_at(json, "solver"), .field = text_at(json, "field")};
    if (!selection->solver)
        return error_set(error, STATUS_BAD_INPUT, "%s: \"solver\" must be a text", where);
    if (!selection->field)
        return error_set(error, STATUS_BAD_INPUT, "%s: \"field\" must be a text", where);
    for (size_t i = 0; i < 3; i++) {
        *members[i] = cJSON_GetObjectItemCaseSensitive(json, keys[i]);
        if (*members[i] && !cJSON_IsObject(*members[i]))
            return error_set(error, STATUS_BAD_INPUT, "%s: \"%s\" must be an object", where, keys[i]);
    }
    selection->floor_field = text_at(json, "floor_field");
    selection->ceiling = number_at(json, "ceiling", (double)INFINITY);
    if (isnan(selection->ceiling))
        return error_set(error, STATUS_BAD_INPUT, "%s: \"ceiling\" must be a number", where);
    return STATUS_OK;
}

static enum status read_column(const cJSON *json, const char *table, const char *path, struct paper_column *column,
                               struct error *error)
{
    static const char *const statistics[] = {
        [STATISTIC_MEAN_SD] = "mean_sd", [STATISTIC_MINIMUM] = "min",           [STATISTIC_VALUE] = "value",
        [STATISTIC_MEAN] = "mean",       [STATISTIC_REDUCTION] = "reduction"};
    char where[512];
    const char *statistic = text_at(json, "statistic");
    *column = (struct paper_column){
        .key = text_at(json, "key"), .title = text_at(json, "title"), .unit = number_at(json, "unit", 1)};
    if (!column->key || !column->title)
        return error_set(error, STATUS_BAD_INPUT, "%s: %s: a column's \"key\" and \"title\" must be texts", path,
                         table);
    snprintf(where, sizeof where, "%s: %s, column %s", path, table, column->key);
    if (!(column->unit > 0))
        return error_set(error, STATUS_BAD_INPUT, "%s: \"unit\" must be a number above 0", where);
    size_t i = 0, known = sizeof statistics / sizeof *statistics;
    while (i < known && !(statistic && strcmp(statistic, statistics[i]) == 0))
        i++;
    if (i == known)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: \"statistic\" is \"%s\", none of mean_sd, min, value, mean, reduction", where,
                         statistic ? statistic : "absent");
    column->statistic = (enum statistic)i;
    enum status status = i == STATISTIC_VALUE ? STATUS_OK : selection_read(json, where, &column->from, error);
    if (status == STATUS_OK && i == STATISTIC_REDUCTION) {
        strncat(where, ", than", sizeof where - strlen(where) - 1);
        status = selection_read(cJSON_GetObjectItemCaseSensitive(json, "than"), where, &column->than, error);
    }
    return status;
}

static size_t column_named(const struct paper_table *table, const char *key)
{
    size_t i = 0;
    while (i < table->n_columns && strcmp(table->columns[i].key, key) != 0)
        i++;
    return i;
}

/* Puts the cell's "marks" into row->marked. */
static enum status read_marks(const cJSON *json, const struct paper_table *table, size_t column, const char *where,
                              struct paper_row *row, struct error *error)
{
    const cJSON *marks = cJSON_GetObjectItemCaseSensitive(json, "marks"), *item = NULL;
    if (marks && !cJSON_IsArray(marks))
        return error_set(error, STATUS_BAD_INPUT, "%s: \"marks\" must be a list", where);
    cJSON_ArrayForEach (item, marks) {
        size_t found = table->n_tests;
        int mark = cJSON_IsString(item) && strlen(item->valuestring) == 1 ? item->valuestring[0] - '0' : 0;
        for (size_t k = 0; k < table->n_tests && mark > 0; k++)
            for (size_t side = 0; side < 2; side++)
                for (size_t i = 0; i < table->tests[k].sides[side].n; i++)
                    if (table->tests[k].mark == mark && table->tests[k].sides[side].columns[i] == column)
                        found = k;
        if (found == table->n_tests)
            return error_set(error, STATUS_BAD_INPUT, "%s: no test of the column has the mark \"%.20s\"", where,
                             cJSON_IsString(item) ? item->valuestring : "no text");
        row->marked[found] |= (uint64_t)1 << column;
    }
    return STATUS_OK;
}

static enum status read_cell(const cJSON *json, const struct paper_table *table, const char *path, size_t n,
                             struct paper_row *row, struct error *error)
{
    char where[512];
    size_t column = column_named(table, json->string);
    if (column == table->n_columns)
        return error_set(error, STATUS_BAD_INPUT, "%s: %s, %s: no column is called \"%s\"", path, table->name,
                         row->dataset, json->string);
    snprintf(where, sizeof where, "%s: %s/%s/%s", path, table->name, row->dataset, json->string);
    int needs_sd = table->columns[column].statistic == STATISTIC_MEAN_SD;
    double mean = number_at(json, "mean", (double)NAN), sd = number_at(json, "sd", needs_sd ? (double)NAN : 0);
    double decimals = number_at(json, "decimals", (double)NAN);
    double sd_decimals = number_at(json, "sd_decimals", decimals);
    if (!isfinite(mean) || !(sd >= 0) || !(decimals >= 0 && decimals <= 15) ||
        !(sd_decimals >= 0 && sd_decimals <= 15))
        return error_set(error, STATUS_BAD_INPUT, "%s: needs mean, %sdecimals from 0 to 15", where,
                         needs_sd ? "sd of 0 or more, " : "");
    if (table->columns[column].statistic == STATISTIC_MEAN || table->columns[column].statistic == STATISTIC_REDUCTION)
        sd = (double)NAN;
    row->cells[column] = (struct printed){mean, sd, n, (int)decimals, (int)sd_decimals};
    return read_marks(json, table, column, where, row, error);
}

static int means_only(const struct paper_table *table)
{
    for (size_t j = 0; j < table->n_columns; j++)
        if (table->columns[j].statistic != STATISTIC_MEAN && table->columns[j].statistic != STATISTIC_VALUE)
            return 0;
    return 1;
}

static enum status read_row(const cJSON *json, const cJSON *splits, const struct paper_table *table, const char *path,
                            struct paper_row *row, struct error *error)
{
    row->dataset = json->string;
    row->cells = calloc(table->n_columns, sizeof *row->cells);
    row->marked = calloc(table->n_tests + 1, sizeof *row->marked);
    if (!row->cells || !row->marked)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
    double n = number_at(splits, row->dataset, number_at(splits, "default", 0));
    double least = means_only(table) ? 1 : 2; /* a single split has no sd and no minimum */
    if (!(n >= least && n <= 1e6))
        return error_set(error, STATUS_BAD_INPUT, "%s: \"splits\" of %s must be a number from %g", path, row->dataset, least);
    if (!cJSON_IsObject(json))
        return error_set(error, STATUS_BAD_INPUT, "%s: %s: row %s must be an object", path, table->name, row->dataset);
    for (const cJSON *item = json->child; item; item = item->next) {
        enum status status = read_cell(item, table, path, (size_t)n, row, error);
        if (status != STATUS_OK)
            return status;
    }
    for (size_t k = 0; k < table->n_tests; k++)
        if (marked_side(&table->tests[k], row->marked[k]) == MARKED_BOTH)
            return error_set(error, STATUS_BAD_INPUT, "%s: %s/%s: mark %d stands on both sides of its test", path,
                             table->name, row->dataset, table->tests[k].mark);
    return STATUS_OK;
}

static const char *const test_kinds[] = {[TEST_RANK_SUM] = "rank-sum", [TEST_SIGNED_RANK] = "signed-rank"};

const char *test_kind_name(enum test_kind kind)
{
    return test_kinds[kind];
}

/* A side is a column's key or a list of them. */
static enum status read_side(const cJSON *json, const struct paper_table *table, const char *path,
                             struct test_side *side, struct error *error)
{
    int list = cJSON_IsArray(json);
    for (const cJSON *item = list ? json->child : json; item; item = list ? item->next : NULL) {
        const char *key = cJSON_IsString(item) ? item->valuestring : "no text";
        size_t column = column_named(table, key);
        if (column == table->n_columns || table->columns[column].statistic == STATISTIC_VALUE ||
            table->columns[column].statistic == STATISTIC_REDUCTION)
            return error_set(error, STATUS_BAD_INPUT, "%s: %s: test of \"%s\": not a measured column", path,
                             table->name, key);
        if (side->n == TEST_SIDE_MAX)
            return error_set(error, STATUS_BAD_INPUT, "%s: %s: a side of a test has more than %d columns", path,
                             table->name, TEST_SIDE_MAX);
        side->columns[side->n++] = column;
    }
    return side->n ? STATUS_OK
                   : error_set(error, STATUS_BAD_INPUT, "%s: %s: a side of a test has no column", path, table->name);
}

static enum status read_test(const cJSON *json, const struct paper_table *table, const char *path,
                             struct paper_test *test, struct error *error)
{
    const char *kind = text_at(json, "kind"), *mark = text_at(json, "mark");
    const cJSON *between = cJSON_GetObjectItemCaseSensitive(json, "between");
    int known = 0;
    for (int i = 0; kind && i < 2; i++)
        if (strcmp(kind, test_kinds[i]) == 0) {
            test->kind = (enum test_kind)i;
            known = 1;
        }
    test->level = number_at(json, "level", (double)NAN);
    if (!known || !(test->level > 0 && test->level < 1) || cJSON_GetArraySize(between) != 2)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: %s: a test needs kind \"rank-sum\" or \"signed-rank\", a level between 0 and 1 and two "
                         "sides in \"between\"",
                         path, table->name);
    test->key = text_at(json, "key");
    if (cJSON_HasObjectItem(json, "mark")) {
        if (!mark || mark[0] < '1' || mark[0] > '9' || mark[1] != '\0' || !test->key)
            return error_set(error, STATUS_BAD_INPUT,
                             "%s: %s: a \"mark\" must be a digit from 1 to 9, and its test needs a \"key\"", path,
                             table->name);
        test->mark = mark[0] - '0';
    }
    enum status status = read_side(cJSON_GetArrayItem(between, 0), table, path, &test->sides[0], error);
    if (status == STATUS_OK)
        status = read_side(cJSON_GetArrayItem(between, 1), table, path, &test->sides[1], error);
    return status;
}

static enum status read_members(const cJSON *json, const cJSON *splits, const char *path, struct paper_table *table,
                                struct error *error)
{
    const cJSON *columns = cJSON_GetObjectItemCaseSensitive(json, "columns");
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(json, "rows");
    const cJSON *tests = cJSON_GetObjectItemCaseSensitive(json, "tests"), *item = NULL;
    if (!cJSON_IsArray(columns) || !columns->child || !cJSON_IsObject(rows) || !rows->child)
        return error_set(error, STATUS_BAD_INPUT, "%s: %s: needs \"columns\" and \"rows\"", path, table->name);
    if (cJSON_GetArraySize(columns) > TABLE_COLUMNS_MAX)
        return error_set(error, STATUS_BAD_INPUT, "%s: %s: more than %d columns", path, table->name, TABLE_COLUMNS_MAX);
    table->columns = calloc((size_t)cJSON_GetArraySize(columns), sizeof *table->columns);
    table->rows = calloc((size_t)cJSON_GetArraySize(rows), sizeof *table->rows);
    table->tests = calloc((size_t)cJSON_GetArraySize(tests) + 1, sizeof *table->tests);
    if (!table->columns || !table->rows || !table->tests)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
    enum status status = STATUS_OK;
    cJSON_ArrayForEach (item, columns)
        if (status == STATUS_OK)
            status = read_column(item, table->name, path, &table->columns[table->n_columns++], error);
    cJSON_ArrayForEach (item, tests)
        if (status == STATUS_OK)
            status = read_test(item, table, path, &table->tests[table->n_tests++], error);
    cJSON_ArrayForEach (item, rows) /* after the tests, whose marks they carry */
        if (status == STATUS_OK)
            status = read_row(item, splits, table, path, &table->rows[table->n_rows++], error);
    return status;
}

enum status paper_read(const char *path, struct paper **paper, struct error *error)
{
    *paper = NULL;
    struct paper *made = calloc(1, sizeof *made);
    if (!made || !(made->path = strdup(path))) {
        free(made);
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
    }
    enum status status = json_read(path, &made->json, error);
    if (status != STATUS_OK)
        goto done;
    const cJSON *tables = cJSON_GetObjectItemCaseSensitive(made->json, "tables"), *item = NULL;
    const cJSON *splits = cJSON_GetObjectItemCaseSensitive(made->json, "splits");
    made->name = text_at(made->json, "paper");
    made->datasets = cJSON_GetObjectItemCaseSensitive(made->json, "datasets");
    made->claims = cJSON_GetObjectItemCaseSensitive(made->json, "claims");
    if (!made->name || !cJSON_IsArray(tables) || !cJSON_IsArray(made->datasets) ||
        (made->claims && !cJSON_IsArray(made->claims))) {
        status = error_set(error, STATUS_BAD_INPUT,
                           "%s: needs \"paper\", \"datasets\", \"tables\"; \"claims\" is a list", path);
        goto done;
    }
    made->tables = calloc((size_t)cJSON_GetArraySize(tables) + 1, sizeof *made->tables);
    if (!made->tables) {
        status = error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);
        goto done;
    }
    cJSON_ArrayForEach (item, tables) {
        struct paper_table *table = &made->tables[made->n_tables++];
        table->name = text_at(item, "name");
        table->caption = text_at(item, "caption");
        table->source = text_at(item, "source");
        status = table->name && table->caption && table->source
                     ? read_members(item, splits, path, table, error)
                     : error_set(error, STATUS_BAD_INPUT, "%s: table %zu needs \"name\", \"caption\" and \"source\"",
                                 path, made->n_tables);
        if (status != STATUS_OK)
            goto done;
    }
    *paper = made;
    made = NULL;
done:
    paper_free(made);
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
