/* Different decimal representations of a number in a condition are equal (selection.h). */
#include "harness/records/selection.h"

#include <string.h>

#include "harness/base/json_writer.h"

enum { MAX_LISTED = 12 };

/* ---- one record ---- */

/* OF_SETTING is a member of "where". */
enum kind { OF_DATASET, OF_SOLVER, OF_SOURCE, OF_SETTING, OF_SETTINGS, OF_SERIES, NO_CONDITION };

/* By the key, or by the option of that name. */
static enum kind kind_of(const cJSON *condition)
{
    static const struct {
        const char *key;
        enum kind kind;
    } kinds[] = {{"dataset", OF_DATASET},      {"datasets", OF_DATASET}, {"solver", OF_SOLVER}, {"solvers", OF_SOLVER},
                 {"split_sources", OF_SOURCE}, {"where", OF_SETTINGS},   {"series", OF_SERIES}};
    const char *key = condition->string ? condition->string + strspn(condition->string, "-") : "";
    size_t k = 0;
    while (k < sizeof kinds / sizeof *kinds && strcmp(kinds[k].key, key) != 0)
        k++;
    return k < sizeof kinds / sizeof *kinds ? kinds[k].kind : NO_CONDITION;
}

int setting_has_value(const struct setting *setting, const cJSON *wanted)
{
    if (!setting || cJSON_IsNull(wanted))
        return !setting && cJSON_IsNull(wanted);
    if (cJSON_IsNumber(wanted)) /* 1e-12: values may come from other programs */
        return fabs(setting->number - wanted->valuedouble) <= 1e-12 * fabs(wanted->valuedouble);
    if (cJSON_IsBool(wanted)) /* switches are yes or no in records */
        return strcmp(setting->text, cJSON_IsTrue(wanted) ? "yes" : "no") == 0;
    return cJSON_IsString(wanted) &&
           (strcmp(wanted->valuestring, "*") == 0 || strcmp(setting->text, wanted->valuestring) == 0);
}

/* Whether the record's setting with the name of this member of "where" has its value, or one of its list. */
static int has_setting(const struct record *record, const cJSON *wanted)
{
    const struct setting *setting = record_setting(record, wanted->string);
    if (!cJSON_IsArray(wanted))
        return setting_has_value(setting, wanted);
    json_each (item, wanted)
        if (setting_has_value(setting, item))
            return 1;
    return 0;
}

/* What the condition compares; NULL if the record lacks the setting. */
static const char *text_of(const struct record *record, enum kind kind, const cJSON *condition)
{
    const struct setting *setting = kind == OF_SETTING && condition ? record_setting(record, condition->string) : NULL;
    return kind == OF_DATASET  ? record->dataset
           : kind == OF_SOLVER ? record->solver
           : kind == OF_SOURCE ? record->split_source
           : setting           ? setting->text
                               : NULL;
}

static int fits(const struct record *record, enum kind kind, const cJSON *condition)
{
    int n_misfits = 0, n_fits = 0;
    if (kind == OF_SETTING)
        return has_setting(record, condition);
    if (kind < OF_SETTING)
        return cJSON_IsString(condition) ? strcmp(condition->valuestring, text_of(record, kind, NULL)) == 0
                                         : json_list_has(condition, text_of(record, kind, NULL));
    json_each (item, condition)
        if (kind == OF_SERIES ? selection_matches(item, record) : has_setting(record, item))
            n_fits++;
        else
            n_misfits++;
    return kind == OF_SERIES ? n_fits > 0 : n_misfits == 0;
}

int selection_matches(const cJSON *selection, const struct record *record)
{
    json_each (condition, selection) {
        const enum kind kind = kind_of(condition);
        if (kind != NO_CONDITION && !fits(record, kind, condition))
            return 0;
    }
    return 1;
}

int selection_names(const cJSON *selection, const char *dataset, const char *solver)
{
    const struct record record = {.dataset = dataset, .solver = solver};
    json_each (condition, selection) {
        const enum kind kind = kind_of(condition);
        if (kind <= OF_SOLVER && text_of(&record, kind, NULL) && !fits(&record, kind, condition))
            return 0;
    }
    return 1;
}

/* ---- what is left of many ---- */

static _Noreturn void none_left(const cJSON *condition, enum kind kind, const struct json_path *at, enum status status,
                                const struct records *before)
{
    struct name_order had = {.pool = before->pool}, solvers = {.pool = before->pool};
    const char *without = "", *of = "";
    size_t n_without = 0;
    for (size_t i = 0; i < before->count; i++) {
        const char *text = text_of(before->items[i], kind, condition);
        name_order_add(&solvers, before->items[i]->solver);
        n_without += !text;
        if (text)
            name_order_add(&had, text);
    }
    if (n_without)
        without = pool_printf(before->pool, "%snull in a list keeps the %zu records without it", had.count ? "; " : "",
                              n_without);
    if (kind != OF_SOLVER && solvers.count == 1)
        of = pool_printf(before->pool, " of %s", solvers.names[0]);
    json_die_of(status, at, "%s matches none of the remaining %zu records%s; they have: %s%s",
                json_to_text(condition), before->count, of, name_order_text(&had, ", ", ", ", MAX_LISTED), without);
}

static void keep(const cJSON *condition, enum kind kind, const struct json_path *at, enum status status,
                 struct records *records)
{
    size_t n = 0;
    for (size_t i = 0; i < records->count; i++)
        if (fits(records->items[i], kind, condition))
            records->items[n++] = records->items[i];
    if (n == 0)
        none_left(condition, kind, at, status, records);
    records->count = n;
}

void condition_keep(const cJSON *condition, const struct json_path *at, enum status status, struct records *records)
{
    const enum kind kind = condition ? kind_of(condition) : NO_CONDITION;
    struct json_path each = {.outer = at};
    if (kind == OF_SETTINGS)
        json_each (item, condition)
            keep(item, OF_SETTING, &(const struct json_path){.outer = at, .key = item->string}, status, records);
    if (kind == OF_SERIES)
        json_each (item, condition) {
            struct records left = {.pool = records->pool};
            records_append(&left, records);
            selection_keep(item, &each, status, &left);
            each.index++;
        }
    if (kind != OF_SETTINGS && kind != NO_CONDITION)
        keep(condition, kind, at, status, records);
}

/* The place of a member of the selection at `place`; an option is a place of its own. */
static struct json_path place_of(const cJSON *condition, const struct json_path *place)
{
    if (*condition->string == '-')
        return (struct json_path){.file = condition->string};
    return (struct json_path){.outer = place, .key = condition->string};
}

void selection_keep(const cJSON *selection, const struct json_path *place, enum status status, struct records *records)
{
    json_each (condition, selection) {
        const struct json_path at = place_of(condition, place);
        condition_keep(condition, &at, status, records);
    }
}

void selection_add_option(cJSON *selection, const char *option, const char *list)
{
    cJSON *names = list ? json_put_array(selection, option) : NULL;
    struct pool *pool = pool_new();
    for (const char *at = list; at; at = *at ? at + 1 : NULL) {
        const char *name = pool_strndup(pool, at, strcspn(at, ","));
        if (!*name || json_list_has(names, name))
            die(STATUS_BAD_INPUT, "%s: \"%.60s\" %s", option, name, *name ? "occurs twice" : "is not a name");
        json_add_text(names, name);
        at += strlen(name);
    }
    pool_free(pool);
}

/* ---- checks ---- */

static void add_names(struct name_order *order, const cJSON *list)
{
    json_each (entry, list) {
        const char *name = config_entry_name(entry);
        if (name)
            name_order_add(order, name);
    }
}

void known_names_add(struct known_names *names, const struct records *records)
{
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = records->items[i];
        name_order_add(&names->datasets, record->dataset);
        name_order_add(&names->solvers, record->solver);
        for (size_t s = 0; s < record->n_settings; s++)
            name_order_add(&names->settings, record->settings[s].name);
    }
}

struct known_names known_names_of(struct pool *pool, const struct run_folders *folders)
{
    struct known_names names = {{.pool = pool}, {.pool = pool}, {.pool = pool}};
    for (size_t f = 0; f < folders->count; f++) {
        add_names(&names.datasets, json_member(folders->items[f].config, "datasets"));
        add_names(&names.solvers, json_member(folders->items[f].config, "solvers"));
        known_names_add(&names, &folders->items[f].file.records);
    }
    return names;
}

void known_name_check(const struct name_order *known, const char *const *words, const char *what, const char *name,
                      const struct json_path *at)
{
    struct member_texts all = {0};
    if (name_order_find(known, name) < known->count || texts_have(words, name))
        return;
    for (; words && *words; words++)
        *pool_push(known->pool, &all) = *words;
    for (size_t i = 0; i < known->count; i++)
        *pool_push(known->pool, &all) = known->names[i];
    json_die_unknown(at, what, name, all.item);
}

void setting_name_check(const struct name_order *known, const char *const *words, const char *what, const char *name,
                        const struct json_path *at)
{
    if (name_order_find(known, setting_of_name(name)) == known->count)
        known_name_check(known, words, what, name, at);
}

void selection_check(const cJSON *selection, const struct json_path *place, const struct known_names *known)
{
    json_each (condition, selection) {
        const enum kind kind = kind_of(condition);
        const struct json_path at = place_of(condition, place);
        struct json_path each = {.outer = &at};
        const struct name_order *names = kind == OF_DATASET ? &known->datasets : &known->solvers;
        const char *what = kind == OF_DATASET ? "data set" : "solver";
        if (kind <= OF_SOLVER && cJSON_IsString(condition))
            known_name_check(names, NULL, what, condition->valuestring, &at);
        json_each (item, condition) {
            if (kind <= OF_SOLVER)
                known_name_check(names, NULL, what, item->valuestring, &each);
            else if (kind == OF_SETTINGS)
                setting_name_check(&known->settings, NULL, "setting", item->string, &at);
            else if (kind == OF_SERIES)
                selection_check(item, &each, known);
            each.index++;
        }
    }
}

void where_check(const cJSON *where, const struct json_path *at)
{
    json_each (value, where) {
        const struct json_path in = {.outer = at, .key = value->string};
        const int is_list = cJSON_IsArray(value);
        int is_sound = !is_list || value->child;
        for (const cJSON *item = is_list ? value->child : value; item; item = is_list ? item->next : NULL)
            is_sound &= cJSON_IsString(item) || cJSON_IsBool(item) || (cJSON_IsNull(item) && is_list) ||
                        (cJSON_IsNumber(item) && isfinite(item->valuedouble));
        if (!is_sound)
            json_die(&in, "%s is not a number, a string, true, false or a list of them (null may be in a list)",
                     json_to_text(value));
    }
}
