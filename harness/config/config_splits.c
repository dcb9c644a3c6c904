/* Reads the splits of a configuration: a list of numbers, or the folds of a repeated cross-validation. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/config/config_reader.h"

/* Prints the list's numbers as text for split_list_parse; *text is malloc'ed. */
static enum status print_splits(const cJSON *json, const struct json_path *place, char **text, struct error *error)
{
    char shown[64];
    size_t used = 0,
           size = 26 * (size_t)cJSON_GetArraySize(json) + 1; /* %.17g takes at most 24 characters, then a comma, NUL */
    *text = calloc(size, 1);
    if (!*text)
        return config_no_memory(error);
    for (const cJSON *item = json->child; item; item = item->next) {
        if (!cJSON_IsNumber(item))
            return json_error(place, error, "%s is not a split number", json_to_text(item, shown, sizeof shown));
        used += (size_t)snprintf(*text + used, size - used, "%s%.17g", used ? "," : "", item->valuedouble);
    }
    return STATUS_OK;
}

enum status config_read_split_list(const cJSON *json, const struct json_path *place, size_t **list, size_t *count,
                               struct error *error)
{
    char number[32], shown[64], *text = NULL;
    if (cJSON_IsString(json))
        return split_list_parse(json->valuestring, place, list, count, error);
    if (cJSON_IsNumber(json)) {
        snprintf(number, sizeof number, "%.17g", json->valuedouble);
        return split_list_parse(number, place, list, count, error);
    }
    if (!cJSON_IsArray(json))
        return json_error(place, error, "%s is not a list of split numbers",
                          json ? json_to_text(json, shown, sizeof shown) : "nothing");
    enum status status = print_splits(json, place, &text, error);
    if (status == STATUS_OK)
        status = split_list_parse(text, place, list, count, error);
    free(text);
    return status;
}

/* Reads {"folds": k, "repeats": r, "stratified": b, "equal_sizes": b}: all k r splits. */
static enum status read_folds(struct config_reader *reader, const cJSON *json, const struct json_path *place)
{
    static const char *const keys[] = {"folds", "repeats", "stratified", "equal_sizes", NULL};
    struct config *config = reader->config;
    struct fold_plan *plan = &config->folds;
    double folds = 10, repeats = 1;
    char all[32];
    enum status status = json_check_keys(json, place, keys, reader->error);
    if (status != STATUS_OK ||
        (status = json_integer(json, "folds", place, 1, 1000, &folds, reader->error)) != STATUS_OK ||
        (status = json_integer(json, "repeats", place, 0, 100, &repeats, reader->error)) != STATUS_OK ||
        (status = json_flag(json, "stratified", place, &plan->stratified, reader->error)) != STATUS_OK ||
        (status = json_flag(json, "equal_sizes", place, &plan->equal_sizes, reader->error)) != STATUS_OK)
        return status;
    plan->folds = (size_t)folds;
    plan->repeats = (size_t)repeats;
    for (size_t d = 0; d < config->n_datasets; d++)
        if (config->datasets[d].n_train || config->datasets[d].test_file || config->datasets[d].split_file)
            return json_error(place, reader->error, "folds cannot be combined with \"%s\", which has its own %s",
                              config->datasets[d].name, config->datasets[d].n_train ? "split sizes" : "splits");
    snprintf(all, sizeof all, "1-%zu", plan->folds * plan->repeats);
    return split_list_parse(all, place, &config->splits, &config->n_splits, reader->error);
}

enum status config_read_splits(struct config_reader *reader)
{
    const cJSON *json = config_member(reader->config->json, "splits");
    struct json_path place = {.file = reader->top.file, .outer = &reader->top, .key = "splits"};
    if (cJSON_IsObject(json))
        return read_folds(reader, json, &place);
    if (!cJSON_IsString(json) && !cJSON_IsNumber(json) && !cJSON_IsArray(json)) {
        char shown[64];
        return json_error(&place, reader->error,
                          "%s is not a list of split numbers; allowed: 7, \"1-10,20\", [1, 2] or {\"folds\": 10}",
                          json ? json_to_text(json, shown, sizeof shown) : "nothing");
    }
    return config_read_split_list(json, &place, &reader->config->splits, &reader->config->n_splits, reader->error);
}
