/* See run_gaps.h. */
#include "harness/records/run_gaps.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <string.h>

#include "harness/format/result.h"
#include "harness/base/json_writer.h"

/* Lists the data sets that the configuration asks to be generated; of any other it means the original. */
static void list_wanted(const cJSON *config, struct name_order *wanted)
{
    static const char *const wishes[] = {"synthetic", "made", "generate"};
    const cJSON *entry = NULL;
    cJSON_ArrayForEach (entry, json_member(config, "datasets")) {
        const char *name = cJSON_GetStringValue(json_member(entry, "name"));
        for (size_t w = 0; name && w < sizeof wishes / sizeof *wishes; w++) {
            const cJSON *wish = json_member(entry, wishes[w]);
            if (wish && !cJSON_IsFalse(wish))
                name_order_add(wanted, name);
        }
    }
}

static const char *reason_of(const struct run_info_data *missing)
{
    return missing->reason ? missing->reason : "no data";
}

static void add_once(struct pool *pool, struct string_list *lines, const char *text)
{
    for (size_t i = 0; i < lines->count; i++)
        if (strcmp(lines->line[i], text) == 0)
            return;
    string_list_push(pool, lines, "%s", text);
}

static void add_gaps(struct pool *pool, const struct run_info *info, const cJSON *config, struct string_list *lines)
{
    struct name_order wanted = {.pool = pool};
    const char *generated = "";
    for (size_t m = 0; m < info->missing.count; m++) {
        const char *reason = reason_of(&info->missing.item[m]), *names = "";
        for (size_t k = 0; k < info->missing.count; k++)
            if (strcmp(reason_of(&info->missing.item[k]), reason) == 0)
                names = pool_printf(pool, "%s%s %s", names, *names ? "," : "", info->missing.item[k].dataset);
        add_once(pool, lines, pool_printf(pool, GAPS_MISSING "%s: %s", names, reason));
    }
    list_wanted(config, &wanted);
    for (size_t d = 0; d < info->data.count; d++) {
        const struct run_info_data *data = &info->data.item[d];
        if (data->source && strcmp(data->source, DATASET_GENERATED) == 0 &&
            name_order_find(&wanted, data->dataset) == wanted.count)
            generated = pool_printf(pool, "%s%s %s", generated, *generated ? "," : "", data->dataset);
    }
    if (*generated)
        add_once(pool, lines, pool_printf(pool, "generated data sets, whose originals no file has:%s", generated));
}

struct string_list run_gaps(struct pool *pool, const struct run_info *info, const cJSON *config)
{
    struct string_list lines = {0};
    add_gaps(pool, info, config, &lines);
    return lines;
}

struct string_list run_folders_gaps(struct pool *pool, const struct run_folders *folders, const char *name)
{
    struct string_list lines = {0};
    for (size_t i = 0; i < folders->count; i++)
        if (!name || run_folder_is_for(&folders->items[i], name))
            add_gaps(pool, &folders->items[i].run, folders->items[i].config, &lines);
    return lines;
}

void gaps_add(const struct string_list *lines, struct result *table)
{
    cJSON *list = lines->count ? json_put_array(result_facts(table), "lacks") : NULL;
    for (size_t i = 0; i < lines->count; i++) {
        result_note(table, "%c%s.", toupper((unsigned char)*lines->line[i]), lines->line[i] + 1);
        json_add_text(list, lines->line[i]);
    }
}
