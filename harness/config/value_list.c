/* Lists of values in configurations (config.h). */
#include "harness/config/config.h"

#include <float.h>
#include <string.h>

#include "harness/support/decimal.h"

/* "of_C" is for mu alone, and read elsewhere. */
static const char *const forms[] = {"linear", "log", "per_dataset", "times", "of_C", NULL};

/* What an axis is read for. */
struct axis {
    struct pool *pool;
    const struct parameter *parameter;
    const char *const *datasets;
};

int value_list_values_equal(double one, double other)
{
    return fabs(one - other) <= 4 * DBL_EPSILON * fmax(fabs(one), fabs(other));
}

static double read_one(const cJSON *json, const struct json_path *place, const struct parameter *parameter)
{
    const char *const *words = parameter_words(parameter);
    const char *word = cJSON_GetStringValue(json);
    double value;
    if (word && words && parameter_find_word(parameter, word, &value))
        return value;
    if (cJSON_IsBool(json) && parameter->type == PARAMETER_SWITCH)
        return cJSON_IsTrue(json);
    if (words && (word || cJSON_IsNumber(json)))
        json_die_unknown(place, "value", word ? word : json_to_text(json), words);
    if (!cJSON_IsNumber(json))
        json_die(place, "%s is not a number%s", json_to_text(json), words ? " or an allowed word" : ", list or range");
    return json->valuedouble;
}

/* Adds a value, which must be allowed and must not look like another one in records. */
static void add_value(const struct axis *axis, struct values *values, double value, const struct json_path *place)
{
    const char *const *words = parameter_words(axis->parameter);
    const char *text = json_number_to_text(value);
    char fault[192];
    if (parameter_fault(axis->parameter, value, fault, sizeof fault))
        json_die(place, "%s is %s", text, fault);
    for (size_t i = 0; i < values->count; i++)
        if (value_list_values_equal(values->value[i], value))
            json_die(place, "%s%s%s occurs twice%s", words ? "\"" : "", words ? words[(size_t)value] : text,
                     words ? "\"" : "", words ? "" : ", as records show it");
    values->value[values->count++] = value;
}

struct range {
    double from, to;
    size_t count;
};
const struct member value_range_members[] = {
    {"from", MEMBER_REAL, FIELD(struct range, from), MEMBER_REQUIRED},
    {"to", MEMBER_REAL, FIELD(struct range, to), MEMBER_REQUIRED},
    {"count", MEMBER_COUNT, FIELD(struct range, count), MEMBER_REQUIRED | MEMBER_ABOVE, .low = 1, .high = 10000},
    MEMBERS_END,
};

static struct values range_values(const struct axis *axis, const cJSON *json, const struct json_path *place,
                                  int logarithmic)
{
    const struct json_path at_from = {.outer = place, .key = "from"}, at_to = {.outer = place, .key = "to"};
    struct range range;
    members_read(axis->pool, value_range_members, json, place, &range);
    const double from = range.from, to = range.to;
    struct values values = {0, pool_array(axis->pool, range.count, sizeof *values.value)};
    add_value(axis, &values, from, &at_from);
    if (logarithmic && !(from > 0 && to > 0))
        json_die(place, "a logarithmic range needs \"from\" and \"to\" above 0");
    while (values.count + 1 < range.count) {
        const double part = (double)values.count / ((double)range.count - 1);
        add_value(axis, &values,
                  round_to_12_digits(logarithmic ? from * pow(to / from, part) : from + part * (to - from)), place);
    }
    add_value(axis, &values, to, &at_to);
    return values;
}

static struct values list_values(const struct axis *axis, const cJSON *json, const struct json_path *place)
{
    const int is_list = cJSON_IsArray(json);
    const size_t count = is_list ? (size_t)cJSON_GetArraySize(json) : 1;
    struct values values = {0, pool_array(axis->pool, count, sizeof *values.value)};
    if (count == 0)
        json_die(place, "the list is empty");
    for (const cJSON *item = is_list ? json->child : json; values.count < count; item = item->next) {
        const struct json_path element = {.outer = place, .index = values.count}, *at = is_list ? &element : place;
        add_value(axis, &values, read_one(item, at, axis->parameter), at);
    }
    return values;
}

/* One of the forms that are the same for all data sets. */
static struct values plain_values(const struct axis *axis, const cJSON *json, const struct json_path *place)
{
    if (!cJSON_IsObject(json))
        return list_values(axis, json, place);
    json_check_members(json, place, forms);
    const char *form = cJSON_GetArraySize(json) == 1 ? json->child->string : "";
    const int is_log = strcmp(form, "log") == 0;
    if (!is_log && strcmp(form, "linear") != 0)
        json_die(place, "expected one of the keys \"linear\" and \"log\"");
    if (parameter_words(axis->parameter)) {
        char allowed[128];
        parameter_allowed(axis->parameter, allowed, sizeof allowed);
        json_die(place, "only numbers have ranges; allowed: %s", allowed);
    }
    return range_values(axis, json->child, &(struct json_path){.outer = place, .key = form}, is_log);
}

static struct value_list per_dataset_values(const struct axis *axis, const cJSON *json, const struct json_path *place)
{
    struct value_list list = {0};
    if (!cJSON_IsObject(json) || !json->child)
        json_die(place, "expected an object whose keys are names of data sets");
    json_each (member, json) {
        const int is_default = strcmp(member->string, "default") == 0;
        if (!is_default)
            json_check_word(place, "data set", member->string, axis->datasets);
        struct dataset_values *entry = pool_push(axis->pool, &list);
        entry->dataset = is_default ? NULL : pool_strdup(axis->pool, member->string);
        entry->values = plain_values(axis, member, json_at(place, member->string));
    }
    return list;
}

/* {"times": FACTORS, "per_dataset": {...}}: multiples of one value for each data set. */
static struct value_list multiples(const struct axis *axis, const cJSON *json, const struct json_path *place)
{
    static const char *const keys[] = {"times", "per_dataset", NULL};
    static const struct parameter factor = {.name = "times", .min_is_open = 1, .max = 1e300};
    const struct axis of_factors = {axis->pool, &factor, axis->datasets};
    const struct json_path times = {.outer = place, .key = "times"}, per = {.outer = place, .key = "per_dataset"};
    const cJSON *bases = json_member(json, "per_dataset");
    if (parameter_words(axis->parameter))
        json_die(&times, "\"%s\" is not a number, so \"times\" does not apply", axis->parameter->name);
    json_check_members(json, place, keys);
    if (!bases)
        json_die(place, "\"times\" needs \"per_dataset\" with one value for each data set");
    const struct values factors = plain_values(&of_factors, json_member(json, "times"), &times);
    struct value_list list = per_dataset_values(axis, bases, &per);
    for (size_t i = 0; i < list.count; i++) {
        struct dataset_values *entry = &list.item[i];
        const struct json_path at = {.outer = &per, .key = entry->dataset ? entry->dataset : "default"};
        const struct values base = entry->values;
        if (base.count != 1)
            json_die(&at, "has %zu values; with \"times\" each data set needs exactly one", base.count);
        entry->values = (struct values){0, pool_array(axis->pool, factors.count, sizeof *base.value)};
        for (size_t f = 0; f < factors.count; f++)
            add_value(axis, &entry->values, round_to_12_digits(base.value[0] * factors.value[f]), &at);
    }
    return list;
}

struct value_list value_list_read(struct pool *pool, const cJSON *json, const struct json_path *place,
                                  const struct parameter *parameter, const char *const *datasets)
{
    const struct axis axis = {pool, parameter, datasets};
    const cJSON *per = cJSON_IsObject(json) ? json_member(json, "per_dataset") : NULL;
    struct value_list list = {0};
    if (cJSON_IsObject(json) && json_member(json, "times"))
        list = multiples(&axis, json, place);
    else if (per && cJSON_GetArraySize(json) == 1)
        list = per_dataset_values(&axis, per, json_at(place, "per_dataset"));
    else
        pool_push(pool, &list)->values = plain_values(&axis, json, place);
    for (size_t d = 0; datasets && datasets[d]; d++)
        if (!value_list_for(&list, datasets[d]))
            json_die(place, "no value for data set \"%s\" and no \"default\"", datasets[d]);
    return list;
}

struct value_list value_list_constant(struct pool *pool, double value)
{
    struct value_list list = {0};
    struct values *values = &pool_push(pool, &list)->values;
    *values = (struct values){1, pool_alloc(pool, sizeof value)};
    values->value[0] = value;
    return list;
}

const struct values *value_list_for(const struct value_list *list, const char *dataset)
{
    const struct values *fallback = NULL;
    for (size_t i = 0; i < list->count; i++) {
        if (!list->item[i].dataset)
            fallback = &list->item[i].values;
        else if (strcmp(list->item[i].dataset, dataset) == 0)
            return &list->item[i].values;
    }
    return fallback;
}
