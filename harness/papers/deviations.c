/* Reading deviations strictly: an id that is misspelt would explain nothing, so it is an error. */
#include "harness/papers/deviations.h"

#include <cjson/cJSON.h>
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

static int names_cell_or_mark(const struct paper_table *table, const char *id)
{
    size_t length = strlen(table->name);
    if (strncmp(id, table->name, length) != 0 || id[length] != '/')
        return 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        const char *rest = id + length + 1;
        size_t set = strlen(table->rows[i].dataset);
        if (strncmp(rest, table->rows[i].dataset, set) != 0 || rest[set] != '/')
            continue;
        rest += set + 1;
        for (size_t j = 0; j < table->n_columns; j++)
            if (strcmp(table->columns[j].key, rest) == 0)
                return 1;
        for (size_t k = 0; k < table->n_tests; k++)
            if (table->tests[k].mark && strcmp(table->tests[k].key, rest) == 0)
                return 1;
    }
    return 0;
}

static int paper_has_id(const struct paper *paper, const char *id)
{
    const cJSON *claim = NULL;
    cJSON_ArrayForEach (claim, paper->claims) {
        const char *own = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(claim, "id"));
        if (own && strcmp(own, id) == 0)
            return 1;
    }
    for (size_t t = 0; t < paper->n_tables; t++)
        if (names_cell_or_mark(&paper->tables[t], id))
            return 1;
    return 0;
}

/* A list of one or more texts; ids of the paper where `paper` is not NULL. */
static enum status check_texts(const cJSON *object, const char *key, const struct paper *paper,
                               const struct json_path *place, struct error *error)
{
    const struct json_path list = {.file = place->file, .outer = place, .key = key};
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(object, key), *item = NULL;
    char text[64];
    if (!array)
        return json_error(place, error, "key \"%s\" is missing", key);
    if (!cJSON_IsArray(array) || !array->child)
        return json_error(&list, error, "%s is not a list of one or more texts",
                          json_to_text(array, text, sizeof text));
    struct json_path at = {.file = place->file, .outer = &list};
    cJSON_ArrayForEach (item, array) {
        if (!cJSON_IsString(item))
            return json_error(&at, error, "%s is not a text", json_to_text(item, text, sizeof text));
        if (paper && !paper_has_id(paper, item->valuestring))
            return json_error(&at, error,
                              "\"%s\" is no cell, mark or claim of %s; allowed: TABLE/DATA SET/COLUMN, TABLE/DATA "
                              "SET/TEST or the id of a claim",
                              item->valuestring, paper->name);
        at.index++;
    }
    return STATUS_OK;
}

static enum status check_deviation(const cJSON *item, const struct paper *paper, const struct json_path *place,
                                   struct error *error)
{
    static const char *const keys[] = {"id", "kind", "section", "configurations", "evidence", "explains", NULL};
    static const char *const texts[] = {"id", "section", "evidence", "kind"};
    const struct json_path at = {.file = place->file, .outer = place, .key = "kind"};
    const char *text = NULL;
    enum status status = json_check_keys(item, place, keys, error);
    for (size_t i = 0; i < sizeof texts / sizeof *texts && status == STATUS_OK; i++)
        status = json_text(item, texts[i], place, 1, &text, error);
    if (status != STATUS_OK)
        return status;
    size_t kind = 0;
    while (kinds[kind] && strcmp(kinds[kind], text) != 0)
        kind++;
    if (!kinds[kind])
        return json_unknown_name(&at, "kind", text, kinds, error);
    status = check_texts(item, "configurations", NULL, place, error);
    return status == STATUS_OK ? check_texts(item, "explains", paper, place, error) : status;
}

static enum status check(const cJSON *json, const struct paper *paper, const char *path, struct error *error)
{
    static const char *const keys[] = {"schema", "paper", "deviations", NULL};
    const struct json_path top = {.file = path}, list = {.file = path, .outer = &top, .key = "deviations"};
    const cJSON *items = cJSON_GetObjectItemCaseSensitive(json, "deviations"), *item = NULL;
    const char *name = NULL;
    char text[64];
    enum status status = json_check_keys(json, &top, keys, error);
    if (status == STATUS_OK)
        status = json_text(json, "paper", &top, 1, &name, error);
    if (status != STATUS_OK)
        return status;
    if (strcmp(name, paper->name) != 0)
        return json_error(&top, error, "\"paper\" is \"%s\"; allowed: \"%s\"", name, paper->name);
    if (!cJSON_IsArray(items))
        return json_error(&list, error, "%s is not a list", items ? json_to_text(items, text, sizeof text) : "nothing");
    struct json_path at = {.file = path, .outer = &list};
    cJSON_ArrayForEach (item, items) {
        status = check_deviation(item, paper, &at, error);
        if (status != STATUS_OK)
            return status;
        at.index++;
    }
    return STATUS_OK;
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
