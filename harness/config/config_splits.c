/* Reads the splits of a configuration: a list of numbers, or the folds of a repeated cross-validation. */
#include "harness/base/pool.h"
#include "harness/config/config_reader.h"

/* The list's numbers as text for split_list_read. */
static char *splits_text(struct pool *pool, const cJSON *json, const struct json_path *place)
{
    char shown[64], *text = pool_alloc(pool, 1);
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, json) {
        if (!cJSON_IsNumber(item))
            json_die(place, "%s is not a split number", json_to_text(item, shown, sizeof shown));
        text = pool_printf(pool, "%s%s%.17g", text, *text ? "," : "", item->valuedouble);
    }
    return text;
}

size_t *config_read_split_list(struct pool *pool, const cJSON *json, const struct json_path *place, size_t *count)
{
    char shown[64];
    if (cJSON_IsString(json))
        return split_list_read(pool, json->valuestring, place, count);
    if (cJSON_IsNumber(json))
        return split_list_read(pool, pool_printf(pool, "%.17g", json->valuedouble), place, count);
    if (!cJSON_IsArray(json))
        json_die(place, "%s is not a list of split numbers",
                 json ? json_to_text(json, shown, sizeof shown) : "nothing");
    return split_list_read(pool, splits_text(pool, json, place), place, count);
}

const struct member config_fold_members[] = {
    {"folds", MEMBER_COUNT, FIELD(struct fold_plan, folds), MEMBER_ABOVE, .low = 1, .high = 1000, .fallback = 10},
    {"repeats", MEMBER_COUNT, FIELD(struct fold_plan, repeats), MEMBER_ABOVE, .high = 100, .fallback = 1},
    {"stratified", MEMBER_FLAG, FIELD(struct fold_plan, stratified),
     .doc = "The counts of a class differ by one at most."},
    {"equal_sizes", MEMBER_FLAG, FIELD(struct fold_plan, equal_sizes),
     .doc = "Leave out the rows that do not divide evenly."},
    MEMBERS_END,
};

/* All splits of the folds. */
static void read_folds(struct config_reader *reader, const cJSON *json, const struct json_path *place)
{
    struct config *config = reader->config;
    struct fold_plan *plan = &config->folds;
    members_read(reader->pool, config_fold_members, json, place, plan);
    for (size_t d = 0; d < config->n_datasets; d++)
        if (config->datasets[d].n_train || config->datasets[d].test_file || config->datasets[d].split_file)
            json_die(place, "folds cannot be combined with \"%s\", which has its own %s", config->datasets[d].name,
                     config->datasets[d].n_train ? "split sizes" : "splits");
    config->splits = split_list_read(reader->pool, pool_printf(reader->pool, "1-%zu", plan->folds * plan->repeats),
                                     place, &config->n_splits);
}

void config_read_splits(struct config_reader *reader)
{
    const cJSON *json = reader->config->given.splits;
    const struct json_path place = {.outer = &reader->top, .key = "splits"};
    char shown[64];
    if (cJSON_IsObject(json)) {
        read_folds(reader, json, &place);
        return;
    }
    if (!cJSON_IsString(json) && !cJSON_IsNumber(json) && !cJSON_IsArray(json))
        json_die(&place, "%s is not a list of split numbers; allowed: 7, \"1-10,20\", [1, 2] or {\"folds\": 10}",
                 json ? json_to_text(json, shown, sizeof shown) : "nothing");
    reader->config->splits = config_read_split_list(reader->pool, json, &place, &reader->config->n_splits);
}
