/* Reads deviations strictly: a misspelt id would explain nothing, so it is an error. */
#include "harness/papers/paper.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/support/file.h"
#include "harness/support/json_field.h"

/* drawn-splits: resampled splits replace official ones that are not known. unstated: the paper does not say what its
 * program did. contradiction: the paper contradicts itself, or claims the impossible. slight: chance decides.
 * unconverged: runs end far from the optimum. unexplained: the cause is unknown, or no experiment shows it. */
enum { CONTRADICTION = 2, UNEXPLAINED = 5 };
static const char *const kinds[] = {"drawn-splits",  "unstated",    [CONTRADICTION] = "contradiction", "slight",
                                    "unconverged", [UNEXPLAINED] = "unexplained", NULL};

static int is_id(const char *id, const struct paper_table *table, size_t row, const char *key)
{
    char text[512];
    snprintf(text, sizeof text, "%s/%s/%s", table->name, table->rows[row].dataset, key);
    return strcmp(text, id) == 0;
}

/* The id of a standard deviation is its cell's followed by "/sd". */
static int is_cell_id(const char *id, const struct paper_table *table, size_t row, const struct paper_column *column)
{
    char *key = xasprintf("%s/sd", column->key);
    const int found = is_id(id, table, row, column->key) ||
                      (paper_column_has_sd(column) && is_id(id, table, row, key));
    free(key);
    return found;
}

/* The id of all values that a table prints for one split each. */
static int is_one_split_id(const char *id, const struct paper_table *table)
{
    const size_t length = strlen(table->name);
    return strncmp(id, table->name, length) == 0 && strcmp(id + length, "/one-split") == 0;
}

enum id_kind { ID_NONE, ID_CELL, ID_MARK, ID_CLAIM, ID_ONE_SPLIT }; /* ID_CELL: or its standard deviation */

static enum id_kind id_kind_of(const struct paper *paper, const char *id)
{
    const cJSON *claim = NULL;
    cJSON_ArrayForEach (claim, paper->claims) {
        const char *own = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(claim, "id"));
        if (own && strcmp(own, id) == 0)
            return ID_CLAIM;
    }
    for (const struct paper_table *table = paper->tables; table < paper->tables + paper->n_tables; table++) {
        if (is_one_split_id(id, table))
            return ID_ONE_SPLIT;
        for (size_t i = 0; i < table->n_rows; i++) {
            for (size_t j = 0; j < table->n_columns; j++)
                if (is_cell_id(id, table, i, &table->columns[j]))
                    return ID_CELL;
            for (size_t k = 0; k < table->n_tests; k++)
                if (table->tests[k].mark && is_id(id, table, i, table->tests[k].key))
                    return ID_MARK;
        }
    }
    return ID_NONE;
}

/* A list of one or more texts; if `paper` is not NULL, ids of the paper. */
static enum status check_texts(const cJSON *array, const struct json_path *place, const struct paper *paper,
                               struct error *error)
{
    const cJSON *item = NULL;
    char text[64];
    struct json_path at = {.file = place->file, .outer = place};
    if (cJSON_GetArraySize(array) == 0)
        return json_error(place, error, "[] is not a non-empty list of strings");
    cJSON_ArrayForEach (item, array) {
        if (!cJSON_IsString(item))
            return json_error(&at, error, "%s is not a string", json_to_text(item, text, sizeof text));
        if (paper && id_kind_of(paper, item->valuestring) == ID_NONE)
            return json_error(&at, error,
                              "\"%s\" is not a cell, mark or claim of %s; allowed: TABLE/DATA SET/COLUMN, the same "
                              "with /sd for its standard deviation, TABLE/DATA SET/TEST, TABLE/one-split or the id of "
                              "a claim",
                              item->valuestring, paper->name);
        at.index++;
    }
    return STATUS_OK;
}

/* "found" has a number for each cell and standard deviation that the entry lists, and no other members. */
static enum status check_found(const cJSON *found, const cJSON *explains, const struct paper *paper,
                               const struct json_path *place, struct error *error)
{
    const double endless = (double)INFINITY;
    const cJSON *item = NULL;
    double number = 0;
    cJSON_ArrayForEach (item, found)
        if (!json_list_has(explains, item->string) || id_kind_of(paper, item->string) != ID_CELL)
            return json_error(place, error, "\"%s\" is not a cell under \"explains\"", item->string);
    cJSON_ArrayForEach (item, explains)
        if (id_kind_of(paper, item->valuestring) == ID_CELL) {
            enum status status =
                json_number(found, item->valuestring, place, 1, -endless, endless, &number, error);
            if (status != STATUS_OK)
                return status;
        }
    return STATUS_OK;
}

/* "shows" is judged instead of the listed ids, so it excludes both other members. */
static enum status check_experiment(const cJSON *json, const cJSON *explains, const struct paper *paper,
                                    const struct json_path *outer, struct error *error)
{
    const struct json_path place = {.file = outer->file, .outer = outer, .key = "experiment"};
    const struct json_path in_replace = {.file = outer->file, .outer = &place, .key = "replace"};
    const struct json_path in_found = {.file = outer->file, .outer = &place, .key = "found"};
    const cJSON *replace = NULL, *found = NULL, *shows = NULL, *object = NULL;
    const char *solver = NULL;
    const struct json_member members[] = {
        {"replace", .object = &replace}, {"found", .object = &found}, {"shows", .list = &shows}};
    const struct json_member conditions[] = {{"solver", .required = 1, .text = &solver},
                                             {"params", .object = &object},
                                             {"kernel", .object = &object},
                                             {"stop", .object = &object}};
    enum status status = json_only_members(json, &place, members, 3, error);
    if (status == STATUS_OK && shows && (replace || found || !shows->child))
        return json_error(&place, error, "\"shows\" must list a claim, and cannot be combined with other keys");
    if (status == STATUS_OK && replace)
        status = json_only_members(replace, &in_replace, conditions, 4, error);
    return status == STATUS_OK && !shows ? check_found(found, explains, paper, &in_found, error) : status;
}

/* A kind other than "unexplained" needs an experiment; a contradiction may rest on the paper's own tables. */
static enum status check_kind(int kind, const cJSON *configurations, const cJSON *experiment,
                              const struct json_path *place, struct error *error)
{
    if (experiment && (kind == UNEXPLAINED || !configurations))
        return json_error(place, error, "\"experiment\" needs \"configurations\" and a kind other than \"%s\"",
                          kinds[UNEXPLAINED]);
    if (!experiment && kind != UNEXPLAINED && kind != CONTRADICTION)
        return json_error(place, error, "\"kind\" is \"%s\"; allowed without \"experiment\": \"%s\" or \"%s\"",
                          kinds[kind], kinds[UNEXPLAINED], kinds[CONTRADICTION]);
    return STATUS_OK;
}

static enum status check_deviation(const cJSON *item, const struct paper *paper, const struct json_path *place,
                                   struct error *error)
{
    const struct json_path in_configurations = {.file = place->file, .outer = place, .key = "configurations"};
    const struct json_path in_explains = {.file = place->file, .outer = place, .key = "explains"};
    const cJSON *configurations = NULL, *explains = NULL, *experiment = NULL;
    const char *text = NULL;
    int kind = 0;
    const struct json_member members[] = {
        {"id", .required = 1, .text = &text},
        {"section", .required = 1, .text = &text},
        {"evidence", .required = 1, .text = &text},
        {"kind", .required = 1, .choice = &kind, .names = kinds},
        {"configurations", .list = &configurations},
        {"explains", .required = 1, .list = &explains},
        {"experiment", .object = &experiment},
    };
    enum status status = json_only_members(item, place, members, sizeof members / sizeof *members, error);
    if (status == STATUS_OK && configurations)
        status = check_texts(configurations, &in_configurations, NULL, error);
    if (status == STATUS_OK)
        status = check_texts(explains, &in_explains, paper, error);
    if (status == STATUS_OK)
        status = check_kind(kind, configurations, experiment, place, error);
    return status == STATUS_OK && experiment ? check_experiment(experiment, explains, paper, place, error) : status;
}

static enum status check(const cJSON *json, const struct paper *paper, const char *path, struct error *error)
{
    static const char *const keys[] = {"schema", "paper", "deviations", NULL};
    const struct json_path top = {.file = path}, list = {.file = path, .outer = &top, .key = "deviations"};
    struct json_path at = {.file = path, .outer = &list};
    const cJSON *items = NULL, *item = NULL;
    const char *name = "";
    size_t schema = 1;
    const struct json_member members[] = {{"schema", .count = &schema, .at_most = 1},
                                          {"paper", .required = 1, .text = &name},
                                          {"deviations", .required = 1, .list = &items}};
    enum status status = json_check_keys(json, &top, keys, error);
    if (status == STATUS_OK)
        status = json_members(json, &top, members, 3, error);
    if (status == STATUS_OK && strcmp(name, paper->name) != 0)
        status = json_error(&top, error, "\"paper\" is \"%s\"; allowed: \"%s\"", name, paper->name);
    cJSON_ArrayForEach (item, items) {
        if (status == STATUS_OK)
            status = check_deviation(item, paper, &at, error);
        at.index++;
    }
    return status;
}

enum status deviations_read(const struct paper *paper, struct cJSON **deviations, struct error *error)
{
    size_t length = strlen(paper->path), ending = strlen(".json");
    int named = length > ending && strcmp(paper->path + length - ending, ".json") == 0;
    char *path = xasprintf("%.*s.deviations.json", (int)(named ? length - ending : length), paper->path);
    struct pool *pool = pool_new();
    *deviations = cJSON_Duplicate(json_read_or_null(pool, path), 1);
    enum status status = *deviations ? check(*deviations, paper, path, error) : STATUS_OK;
    if (status != STATUS_OK) {
        cJSON_Delete(*deviations);
        *deviations = NULL;
    }
    pool_free(pool);
    free(path);
    return status;
}
