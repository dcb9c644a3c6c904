/* Reading deviations strictly: an id that is misspelt would explain nothing, so it is an error. */
#include "harness/papers/paper.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/program/memory.h"
#include "harness/support/file.h"
#include "harness/support/json_field.h"

/* drawn-splits: splits drawn here take the place of official ones that are not known. unstated: the paper leaves open
 * what its program did. contradiction: the paper contradicts itself, or what it says cannot be. slight: chance decides.
 * unconverged: runs end far from the optimum. unexplained: the cause is not known. */
static const char *const kinds[] = {"drawn-splits", "unstated",    "contradiction", "slight",
                                    "unconverged",  "unexplained", NULL};

static int is_id(const char *id, const struct paper_table *table, size_t row, const char *key)
{
    char text[512];
    snprintf(text, sizeof text, "%s/%s/%s", table->name, table->rows[row].dataset, key);
    return strcmp(text, id) == 0;
}

/* The id of a standard deviation is that of its cell and "/sd". */
static int is_cell_id(const char *id, const struct paper_table *table, size_t row, const struct paper_column *column)
{
    char *key = xasprintf("%s/sd", column->key);
    const int found = is_id(id, table, row, column->key) ||
                      (column->statistic == STATISTIC_MEAN_SD && is_id(id, table, row, key));
    free(key);
    return found;
}

static int paper_has_id(const struct paper *paper, const char *id)
{
    const cJSON *claim = NULL;
    cJSON_ArrayForEach (claim, paper->claims) {
        const char *own = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(claim, "id"));
        if (own && strcmp(own, id) == 0)
            return 1;
    }
    for (const struct paper_table *table = paper->tables; table < paper->tables + paper->n_tables; table++)
        for (size_t i = 0; i < table->n_rows; i++) {
            for (size_t j = 0; j < table->n_columns; j++)
                if (is_cell_id(id, table, i, &table->columns[j]))
                    return 1;
            for (size_t k = 0; k < table->n_tests; k++)
                if (table->tests[k].mark && is_id(id, table, i, table->tests[k].key))
                    return 1;
        }
    return 0;
}

/* A list of one or more texts; ids of the paper where `paper` is not NULL. */
static enum status check_texts(const cJSON *array, const struct json_path *place, const struct paper *paper,
                               struct error *error)
{
    const cJSON *item = NULL;
    char text[64];
    struct json_path at = {.file = place->file, .outer = place};
    if (!array->child)
        return json_error(place, error, "[] is not a list of one or more texts");
    cJSON_ArrayForEach (item, array) {
        if (!cJSON_IsString(item))
            return json_error(&at, error, "%s is not a text", json_to_text(item, text, sizeof text));
        if (paper && !paper_has_id(paper, item->valuestring))
            return json_error(&at, error,
                              "\"%s\" is no cell, mark or claim of %s; allowed: TABLE/DATA SET/COLUMN, the same "
                              "with /sd for its standard deviation, TABLE/DATA SET/TEST or the id of a claim",
                              item->valuestring, paper->name);
        at.index++;
    }
    return STATUS_OK;
}

static enum status check_deviation(const cJSON *item, const struct paper *paper, const struct json_path *place,
                                   struct error *error)
{
    static const char *const keys[] = {"id", "kind", "section", "configurations", "evidence", "explains", NULL};
    const struct json_path configurations = {.file = place->file, .outer = place, .key = "configurations"};
    const struct json_path explains = {.file = place->file, .outer = place, .key = "explains"};
    const cJSON *lists[2] = {NULL, NULL};
    const char *text = NULL;
    int kind = 0;
    const struct json_member members[] = {
        {"id", .required = 1, .text = &text},
        {"section", .required = 1, .text = &text},
        {"evidence", .required = 1, .text = &text},
        {"kind", .required = 1, .choice = &kind, .names = kinds},
        {"configurations", .required = 1, .list = &lists[0]},
        {"explains", .required = 1, .list = &lists[1]},
    };
    enum status status = json_check_keys(item, place, keys, error);
    if (status == STATUS_OK)
        status = json_members(item, place, members, sizeof members / sizeof *members, error);
    if (status == STATUS_OK)
        status = check_texts(lists[0], &configurations, NULL, error);
    return status == STATUS_OK ? check_texts(lists[1], &explains, paper, error) : status;
}

static enum status check(const cJSON *json, const struct paper *paper, const char *path, struct error *error)
{
    static const char *const keys[] = {"schema", "paper", "deviations", NULL};
    const struct json_path top = {.file = path}, list = {.file = path, .outer = &top, .key = "deviations"};
    struct json_path at = {.file = path, .outer = &list};
    const cJSON *items = NULL, *item = NULL;
    const char *name = NULL;
    const struct json_member members[] = {{"paper", .required = 1, .text = &name},
                                          {"deviations", .required = 1, .list = &items}};
    enum status status = json_check_keys(json, &top, keys, error);
    if (status == STATUS_OK)
        status = json_members(json, &top, members, 2, error);
    if (status == STATUS_OK && strcmp(name, paper->name) != 0)
        status = json_error(&top, error, "\"paper\" is \"%s\"; allowed: \"%s\"", name, paper->name);
    for (item = status == STATUS_OK ? items->child : NULL; item && status == STATUS_OK; item = item->next) {
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
    *deviations = NULL;
    enum status status = access(path, F_OK) == 0 ? json_read(path, deviations, error) : STATUS_OK;
    if (status == STATUS_OK && *deviations)
        status = check(*deviations, paper, path, error);
    if (status != STATUS_OK) {
        cJSON_Delete(*deviations);
        *deviations = NULL;
    }
    free(path);
    return status;
}

int deviations_explain(const struct cJSON *deviations, const char *id)
{
    const cJSON *deviation = NULL, *explained = NULL;
    cJSON_ArrayForEach (deviation, cJSON_GetObjectItemCaseSensitive(deviations, "deviations"))
        cJSON_ArrayForEach (explained, cJSON_GetObjectItemCaseSensitive(deviation, "explains"))
            if (strcmp(explained->valuestring, id) == 0)
                return 1;
    return 0;
}
