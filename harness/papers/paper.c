/*
 * Reads papers/NAME.json. The file is written by hand, so every member is checked when it is read: a misspelt
 * column key must be an error, not an empty column. docs/verdicts.md describes the layout.
 */
#include "harness/papers/paper.h"

#include <math.h>
#include <string.h>

#include "harness/papers/claims.h"
#include "harness/papers/reproduction.h"
#include "harness/support/json_reader.h"
#include "harness/support/resource.h"

/* ---- keys ---- */

/* Rows for the conditions of a filter, and of a side with its field; `at` is the place of the filter in the type. */
#define FILTER_ROWS(type, at, needed) \
    {"solver", MEMBER_TEXT, FIELD(type, at solver), needed}, \
    {"params", MEMBER_JSON_OBJECT, FIELD(type, at params)}, \
    {"kernel", MEMBER_JSON_OBJECT, FIELD(type, at kernel)}, \
    {"stop", MEMBER_JSON_OBJECT, FIELD(type, at stop)}
#define SIDE_ROWS(type, at, needed) \
    FILTER_ROWS(type, at, needed), \
    {"field", MEMBER_TEXT, FIELD(type, at field), needed}, \
    {"clamp_min_field", MEMBER_TEXT, FIELD(type, at clamp_min_field)}, \
    {"clamp_max", MEMBER_REAL, FIELD(type, at clamp_max), .fallback = (double)INFINITY}

const struct member paper_filter_members[] = {
    FILTER_ROWS(struct record_filter, , MEMBER_REQUIRED),
    MEMBERS_END,
};
const struct member paper_side_members[] = {
    SIDE_ROWS(struct record_filter, , MEMBER_REQUIRED),
    MEMBERS_END,
};

static const char *const statistics[] = {
    [STATISTIC_MEAN_SD] = "mean_sd", [STATISTIC_MINIMUM] = "min",         [STATISTIC_VALUE] = "value",
    [STATISTIC_MEAN] = "mean",       [STATISTIC_REDUCTION] = "reduction", [STATISTIC_MEAN_SE] = "mean_se",
    NULL};
const struct member paper_column_members[] = {
    {"key", MEMBER_TEXT, FIELD(struct paper_column, key), MEMBER_REQUIRED},
    {"title", MEMBER_TEXT, FIELD(struct paper_column, title), MEMBER_REQUIRED},
    {"unit", MEMBER_REAL, FIELD(struct paper_column, unit), .fallback = 1,
     .doc = "The printed number is the measured one divided by it."},
    {"statistic", MEMBER_CHOICE, FIELD(struct paper_column, statistic), MEMBER_REQUIRED, .names = statistics},
    {"same_as", MEMBER_TEXT, FIELD(struct paper_column, same_as),
     .doc = "The column whose numbers it repeats: its key, or TABLE/KEY if it is in another paper."},
    {"right", MEMBER_PART, FIELD(struct paper_column, right), .inner = paper_side_members},
    SIDE_ROWS(struct paper_column, from., 0),
    MEMBERS_END,
};

struct cell_given {
    struct printed printed;
    const cJSON *marks;
};
#define CELL_ROWS(sd_key, sd_decimals_key) \
    {"mean", MEMBER_REAL, FIELD(struct cell_given, printed.mean), MEMBER_REQUIRED}, \
    {sd_key, MEMBER_REAL, FIELD(struct cell_given, printed.sd), .high = 1e300, .fallback = (double)NAN}, \
    {"decimals", MEMBER_COUNT, FIELD(struct cell_given, printed.decimals), MEMBER_REQUIRED, .high = 15}, \
    {sd_decimals_key, MEMBER_COUNT, FIELD(struct cell_given, printed.sd_decimals), .high = 15, .fallback = -1}, \
    {"marks", MEMBER_JSON_LIST, FIELD(struct cell_given, marks)}
const struct member paper_cell_members[] = {CELL_ROWS("sd", "sd_decimals"), MEMBERS_END};
static const struct member error_cell_members[] = {CELL_ROWS("se", "se_decimals"), MEMBERS_END};

const char *const test_kind_names[] = {[TEST_RANK_SUM] = "rank-sum", [TEST_SIGNED_RANK] = "signed-rank", NULL};
const struct member paper_test_members[] = {
    {"kind", MEMBER_CHOICE, FIELD(struct paper_test, kind), MEMBER_REQUIRED, .names = test_kind_names},
    {"level", MEMBER_REAL, FIELD(struct paper_test, level), MEMBER_REQUIRED | MEMBER_ABOVE, .high = 1},
    {"key", MEMBER_TEXT, FIELD(struct paper_test, key)},
    {"mark", MEMBER_TEXT, FIELD(struct paper_test, mark_given),
     .doc = "The digit that the paper prints where the test is significant."},
    {"between", MEMBER_JSON_LIST, FIELD(struct paper_test, between)},
    MEMBERS_END,
};

const struct member paper_tuned_members[] = {
    {"why", MEMBER_TEXT, FIELD(struct paper_tuned, why), MEMBER_REQUIRED},
    {"columns", MEMBER_TEXTS, FIELD(struct paper_tuned, columns)},
    {"datasets", MEMBER_TEXTS, FIELD(struct paper_tuned, datasets)},
    MEMBERS_END,
};

/* A list of `type` whose three parts are members of the struct, the first of them `items`. */
#define LIST(of, items, type, members) \
    .offset = offsetof(of, items), .size = sizeof(struct member_list), .inner = members, .inner_size = sizeof(type)
const struct member paper_table_members[] = {
    {"name", MEMBER_TEXT, FIELD(struct paper_table, name), MEMBER_REQUIRED, .doc = "PAPER.tableNUMBER"},
    {"caption", MEMBER_TEXT, FIELD(struct paper_table, caption), MEMBER_REQUIRED},
    {"source", MEMBER_TEXT, FIELD(struct paper_table, source), MEMBER_REQUIRED},
    {"columns", MEMBER_LIST, LIST(struct paper_table, columns, struct paper_column, paper_column_members),
     .flags = MEMBER_REQUIRED},
    {"tests", MEMBER_LIST, LIST(struct paper_table, tests, struct paper_test, paper_test_members)},
    {"rows", MEMBER_JSON_OBJECT, FIELD(struct paper_table, rows_given), MEMBER_REQUIRED,
     .doc = "By data set, the cells by column."},
    {"tuned_to_paper", MEMBER_LIST, LIST(struct paper_table, tuned_to_paper, struct paper_tuned, paper_tuned_members),
     .former = "fitted",
     .doc = "Cells whose numbers were used to choose a convention."},
    MEMBERS_END,
};

const struct member paper_members[] = {
    {"schema", MEMBER_COUNT, FIELD(struct paper, schema), .low = 1, .high = 1, .fallback = 1},
    {"paper", MEMBER_TEXT, FIELD(struct paper, name), MEMBER_REQUIRED,
     .doc = "The name of the file, without its ending."},
    {"reference", MEMBER_TEXT, FIELD(struct paper, reference)},
    {"datasets", MEMBER_TEXTS, FIELD(struct paper, datasets), MEMBER_REQUIRED,
     .doc = "The data sets that claims are about."},
    {"splits", MEMBER_JSON_OBJECT, FIELD(struct paper, splits),
     .doc = "The number of splits behind the numbers, by data set; \"default\" for all others."},
    {"folds", MEMBER_COUNT, FIELD(struct paper, folds), .low = 1, .high = 1000, .fallback = 1,
     .doc = "A split is the mean over so many folds, one repetition of a cross-validation."},
    {"tables", MEMBER_LIST, LIST(struct paper, tables, struct paper_table, paper_table_members),
     .flags = MEMBER_REQUIRED},
    {"claims", MEMBER_JSON_LIST, FIELD(struct paper, claims_given)},
    MEMBERS_END,
};

/* ---- columns, cells and tests ---- */

/* A column of printed settings has no records; a reduction has those of two sides. */
static void check_column(const struct paper_column *column, const struct json_path *place)
{
    const int is_reduction = column->statistic == STATISTIC_REDUCTION;
    if (column->unit == 0 || (column->unit < 0 && is_reduction))
        json_die(json_at(place, "unit"), "%g is out of range", column->unit);
    if (column->statistic == STATISTIC_VALUE)
        return;
    if (!column->from.solver || !column->from.field || (is_reduction && !column->right.solver))
        json_die(place, "key \"%s\" is missing",
                 !column->from.solver  ? "solver"
                 : !column->from.field ? "field"
                                       : "right");
}

static size_t column_named(const struct paper_table *table, const char *key)
{
    size_t i = 0;
    while (i < table->n_columns && strcmp(table->columns[i].key, key) != 0)
        i++;
    return i;
}

/* Stores the cell's "marks" in row->marked. */
static void read_marks(const cJSON *marks, const struct paper_table *table, size_t column,
                       const struct json_path *place, struct paper_row *row)
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
            json_die(place, "\"%.20s\" is not the mark of a test of this column",
                     cJSON_IsString(item) ? item->valuestring : "no text");
        row->marked[found] |= bit;
    }
}

static void read_cell(struct pool *pool, const cJSON *json, const struct paper_table *table,
                      const struct json_path *place, size_t n, struct paper_row *row)
{
    const char *keys[TABLE_COLUMNS_MAX + 1] = {NULL};
    const size_t column = column_named(table, json->string);
    for (size_t j = 0; j < table->n_columns; j++)
        keys[j] = table->columns[j].key;
    json_check_word(place, "column", json->string, keys);
    const struct paper_column *of = &table->columns[column];
    const int has_sd = paper_column_has_sd(of), is_error = of->statistic == STATISTIC_MEAN_SE;
    struct printed *printed = &row->cells[column];
    struct cell_given given;
    members_read(pool, is_error ? error_cell_members : paper_cell_members, json, place, &given);
    *printed = given.printed;
    printed->n = n;
    printed->whole = of->statistic == STATISTIC_REDUCTION ? 100 / of->unit : 0;
    printed->is_error = is_error;
    if (has_sd && isnan(printed->sd))
        json_die(place, "key \"%s\" is missing", is_error ? "se" : "sd");
    if (printed->sd_decimals < 0)
        printed->sd_decimals = printed->decimals;
    printed->sd = has_sd ? printed->sd * printed_sd_scale(printed) : (double)NAN;
    read_marks(given.marks, table, column, place, row);
}

/* The table of another paper that "TABLE/KEY" names; NULL if that paper has none of this name. */
static const struct paper_table *other_table(struct pool *pool, const char *name)
{
    const char *file = pool_printf(pool, "papers/%.*s.json", (int)strcspn(name, "."), name);
    const char *table = pool_printf(pool, "%.*s", (int)strcspn(name, "/"), name);
    return paper_table_named(paper_read(pool, resource_find(pool, file, STATUS_BAD_INPUT)), table);
}

/* A repeated column must refer to one that repeats none, and both must print the same numbers. Columns of other papers
 * are checked only with `pool`, the others only without. */
static void check_same_as(struct pool *pool, const struct paper_table *table, const struct json_path *place)
{
    for (size_t j = 0; j < table->n_columns; j++) {
        const char *name = table->columns[j].same_as, *slash = name ? strchr(name, '/') : NULL;
        const struct json_path column = {.outer = place, .index = j}, key = {.outer = &column, .key = "same_as"};
        if (!name || !slash != !pool)
            continue;
        const struct paper_table *of = slash ? other_table(pool, name) : table;
        const size_t other = of ? column_named(of, slash ? slash + 1 : name) : 0;
        if (!of || other == of->n_columns || of->columns[other].same_as)
            json_die(&key, "\"%s\" is not a column, or repeats another column", name);
        for (size_t i = 0; i < table->n_rows; i++) {
            const struct paper_row *row = paper_row_of(of, table->rows[i].dataset);
            const struct printed *cell = &table->rows[i].cells[j], *same = row ? &row->cells[other] : NULL;
            if (cell->n && (!same || !same->n || cell->mean != same->mean || cell->decimals != same->decimals))
                json_die(&key, "the column does not print the numbers of \"%s\" for %s", name,
                         table->rows[i].dataset);
        }
    }
}

/* The number of splits behind a data set's figures; 0 if it is not a number. */
static double splits_of(const cJSON *splits, const char *dataset)
{
    const cJSON *own = json_member(splits, dataset);
    own = own ? own : json_member(splits, "default");
    return cJSON_IsNumber(own) ? own->valuedouble : 0;
}

static void read_row(struct pool *pool, const cJSON *json, double n, const struct paper_table *table,
                     const struct json_path *place, struct paper_row *row)
{
    row->dataset = json->string;
    row->cells = pool_array(pool, table->n_columns, sizeof *row->cells);
    row->marked = pool_array(pool, table->n_tests, sizeof *row->marked);
    row->tuned_to_paper = pool_array(pool, table->n_columns, sizeof *row->tuned_to_paper);
    for (size_t j = 0; j < table->n_columns; j++)
        row->cells[j].mean = row->cells[j].sd = (double)NAN;
    if (!(n >= table->min_splits && n <= 1e6))
        json_die(place, "\"splits\" of %s must be a number from %d", row->dataset, table->min_splits);
    if (!cJSON_IsObject(json))
        json_die(place, "expected an object");
    for (const cJSON *item = json->child; item; item = item->next)
        read_cell(pool, item, table, json_at(place, item->string), (size_t)n, row);
    for (size_t k = 0; k < table->n_tests; k++)
        if (marked_side(&table->tests[k], row->marked[k]) == MARKED_BOTH)
            json_die(place, "mark %d occurs on both sides of its test", table->tests[k].mark);
}

/* A side is a column's key or a list of them. */
static struct test_side read_side(const cJSON *json, const struct paper_table *table, const struct json_path *place)
{
    struct test_side side = {.n = 0};
    int list = cJSON_IsArray(json);
    for (const cJSON *item = list ? json->child : json; item; item = list ? item->next : NULL) {
        const char *key = cJSON_IsString(item) ? item->valuestring : "no text";
        size_t column = column_named(table, key);
        if (column == table->n_columns || table->columns[column].statistic == STATISTIC_VALUE ||
            table->columns[column].statistic == STATISTIC_REDUCTION)
            json_die(place, "\"%s\" is not a measured column", key);
        if (side.n == TEST_SIDE_MAX)
            json_die(place, "a side of a test has more than %d columns", TEST_SIDE_MAX);
        side.columns[side.n++] = column;
    }
    if (!side.n)
        json_die(place, "a side of a test has no column");
    return side;
}

static void complete_test(const struct paper_table *table, const struct json_path *place, struct paper_test *test)
{
    const char *mark = test->mark_given;
    if (test->level >= 1 || cJSON_GetArraySize(test->between) != 2)
        json_die(place, "a test needs a level below 1 and two sides in \"between\"");
    if (mark && (mark[0] < '1' || mark[0] > '9' || mark[1] != '\0' || !test->key))
        json_die(place, "a \"mark\" must be a digit from 1 to 9, and its test needs a \"key\"");
    test->mark = mark ? mark[0] - '0' : 0;
    for (int s = 0; s < 2; s++)
        test->sides[s] = read_side(cJSON_GetArrayItem(test->between, s), table, place);
}

/* ---- tables ---- */

/* Notes the reason at the cells of these columns and data sets; without a list, at all. */
static void note_tuned(const struct paper_tuned *given, const struct json_path *place,
                        const struct paper_table *table)
{
    for (size_t i = 0; i < given->columns.count; i++)
        if (column_named(table, given->columns.item[i]) == table->n_columns)
            json_die(place, "\"columns\" must be keys of columns");
    for (size_t i = 0; i < given->datasets.count; i++)
        if (!paper_row_of(table, given->datasets.item[i]))
            json_die(place, "\"datasets\" must be names of rows");
    for (size_t i = 0; i < table->n_rows; i++)
        for (size_t j = 0; j < table->n_columns; j++)
            if ((!given->columns.count || texts_have(given->columns.item, table->columns[j].key)) &&
                (!given->datasets.count || texts_have(given->datasets.item, table->rows[i].dataset)))
                table->rows[i].tuned_to_paper[j] = given->why;
}

/* Checks the table and reads what its members are made of. */
static void complete_table(struct pool *pool, const cJSON *splits, const struct json_path *place,
                           struct paper_table *table)
{
    const struct json_path *in_columns = json_at(place, "columns");
    if (!table->n_columns || table->n_columns > TABLE_COLUMNS_MAX || !table->rows_given->child)
        json_die(place, "a table has 1 to %d \"columns\", and \"rows\"", TABLE_COLUMNS_MAX);
    table->min_splits = 1;
    for (size_t j = 0; j < table->n_columns; j++) {
        check_column(&table->columns[j], json_at_index(in_columns, j));
        if (table->columns[j].statistic != STATISTIC_MEAN && table->columns[j].statistic != STATISTIC_VALUE)
            table->min_splits = 2; /* a single split has no sd and no minimum */
    }
    for (size_t k = 0; k < table->n_tests; k++)
        complete_test(table, json_at_index(json_at(place, "tests"), k), &table->tests[k]);
    /* after the tests, since rows carry their marks */
    table->rows = pool_array(pool, (size_t)cJSON_GetArraySize(table->rows_given), sizeof *table->rows);
    for (const cJSON *item = table->rows_given->child; item; item = item->next)
        read_row(pool, item, splits_of(splits, item->string), table, json_at(json_at(place, "rows"), item->string),
                 &table->rows[table->n_rows++]);
    for (size_t i = 0; i < table->n_tuned_to_paper; i++)
        note_tuned(&table->tuned_to_paper[i], json_at_index(json_at(place, "tuned_to_paper"), i), table);
    check_same_as(NULL, table, in_columns);
}

/* ---- papers ---- */

const struct paper *paper_read(struct pool *pool, const char *path)
{
    const struct json_path top = {.file = path};
    struct paper *paper = pool_alloc(pool, sizeof *paper);
    members_read(pool, paper_members, json_read(pool, path), &top, paper);
    paper->path = pool_strdup(pool, path);
    for (size_t t = 0; t < paper->n_tables; t++) {
        paper->tables[t].folds = paper->folds;
        complete_table(pool, paper->splits, json_at_index(json_at(&top, "tables"), t), &paper->tables[t]);
    }
    paper->claims = claims_read(pool, paper->claims_given, paper->path, NULL, &paper->datasets, &paper->n_claims);
    return paper;
}

struct finding {
    struct pool *pool;
    const char *table;
    const struct paper *paper;
};

static void find(void *data)
{
    struct finding *finding = data;
    const size_t length = strcspn(finding->table, ".");
    if (length == 0 || length > 236 || strchr(finding->table, '/'))
        die(STATUS_BAD_INPUT, "\"%.100s\" is not the name of a table, PAPER.TABLE", finding->table);
    const char *name = pool_printf(finding->pool, "papers/%.*s.json", (int)length, finding->table);
    finding->paper = paper_read(finding->pool, resource_find(finding->pool, name, STATUS_NOT_FOUND));
    paper_check_names(finding->paper);
    const struct json_path top = {.file = finding->paper->path};
    for (size_t t = 0; t < finding->paper->n_tables; t++)
        check_same_as(finding->pool, &finding->paper->tables[t],
                      json_at(json_at_index(json_at(&top, "tables"), t), "columns"));
}

const struct paper *paper_find_or_null(struct pool *pool, const char *table, struct error *error)
{
    struct finding finding = {pool, table, NULL};
    const enum status status = attempt(find, &finding, error);
    if (status != STATUS_OK && status != STATUS_NOT_FOUND && status != STATUS_BAD_INPUT)
        die_of(error);
    return status == STATUS_OK ? finding.paper : NULL;
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

const struct paper_row *paper_row_of(const struct paper_table *table, const char *dataset)
{
    for (size_t i = 0; i < table->n_rows; i++)
        if (strcmp(table->rows[i].dataset, dataset) == 0)
            return &table->rows[i];
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

const char *paper_column_keys(struct pool *pool, const struct paper_table *table, uint64_t columns,
                              const char *between)
{
    const char *keys = "";
    for (size_t j = 0; j < table->n_columns; j++)
        if (columns >> j & 1)
            keys = pool_printf(pool, "%s%s%s", keys, *keys ? between : "", table->columns[j].key);
    return keys;
}

const char *paper_column_names(struct pool *pool, const struct paper_table *table, uint64_t columns)
{
    return columns ? paper_column_keys(pool, table, columns, " and ") : "none";
}

uint64_t test_side_columns(const struct test_side *side)
{
    uint64_t columns = 0;
    for (size_t i = 0; i < side->n; i++)
        columns |= (uint64_t)1 << side->columns[i];
    return columns;
}
