/* Lists of values in configurations (config.h). */
#include "harness/config/config.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/support/decimal.h"

const char *const value_list_forms[] = {"linear", "log", "per_dataset", "times", NULL};

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

static void check_number(const cJSON *json, const struct json_path *place, const struct parameter *parameter,
                         double number)
{
    char text[64], fault[192];
    if (parameter_words(parameter))
        json_die_unknown(place, "value", json_to_text(json, text, sizeof text), parameter_words(parameter));
    if (parameter_fault(parameter, number, fault, sizeof fault))
        json_die(place, "%s is %s", json_number_to_text(number, text, sizeof text), fault);
}

static double read_one(const cJSON *json, const struct json_path *place, const struct parameter *parameter)
{
    char text[64];
    double value;
    const char *const *words = parameter_words(parameter);
    if (cJSON_IsString(json) && words) {
        if (!parameter_find_word(parameter, json->valuestring, &value))
            json_die_unknown(place, "value", json->valuestring, words);
        return value;
    }
    if (cJSON_IsBool(json) && parameter->type == PARAMETER_SWITCH)
        return cJSON_IsTrue(json);
    if (!cJSON_IsNumber(json))
        json_die(place, "%s is not a number%s", json_to_text(json, text, sizeof text),
                 words ? " or an allowed word" : ", list or range");
    check_number(json, place, parameter, json->valuedouble);
    return json->valuedouble;
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
    struct range range;
    members_read(axis->pool, value_range_members, json, place, &range);
    const double from = range.from, to = range.to;
    check_number(json, &(struct json_path){.outer = place, .key = "from"}, axis->parameter, from);
    check_number(json, &(struct json_path){.outer = place, .key = "to"}, axis->parameter, to);
    if (from == to)
        json_die(place, "\"from\" and \"to\" are both %g; allowed: two different numbers", from);
    if (logarithmic && !(from > 0 && to > 0))
        json_die(place, "a logarithmic range needs \"from\" and \"to\" above 0");
    struct values values = {range.count, pool_array(axis->pool, range.count, sizeof *values.value)};
    for (size_t i = 0; i < values.count; i++) {
        const double part = (double)i / ((double)values.count - 1);
        values.value[i] = round_to_12_digits(logarithmic ? from * pow(to / from, part) : from + part * (to - from));
        check_number(json, place, axis->parameter, values.value[i]);
    }
    values.value[0] = from;
    values.value[values.count - 1] = to;
    for (size_t i = 1; i < values.count; i++)
        if (value_list_values_equal(values.value[i - 1], values.value[i]))
            json_die(place, "%.17g occurs twice, because values are rounded; choose a smaller \"count\"",
                     values.value[i]);
    return values;
}

static struct values list_values(const struct axis *axis, const cJSON *json, const struct json_path *place)
{
    const char *const *words = parameter_words(axis->parameter);
    const int is_list = cJSON_IsArray(json);
    const size_t count = is_list ? (size_t)cJSON_GetArraySize(json) : 1;
    struct values values = {0, pool_array(axis->pool, count, sizeof *values.value)};
    if (count == 0)
        json_die(place, "the list is empty");
    for (const cJSON *item = is_list ? json->child : json; values.count < count; item = item->next) {
        const struct json_path at = {.outer = place, .index = values.count};
        const double value = read_one(item, is_list ? &at : place, axis->parameter);
        for (size_t i = 0; i < values.count; i++)
            if (value_list_values_equal(values.value[i], value) && words)
                json_die(&at, "\"%s\" occurs twice", words[(size_t)value]);
            else if (value_list_values_equal(values.value[i], value))
                json_die(&at, "%.17g occurs twice%s", value,
                         values.value[i] == value ? "" : ", except for the last digits, which records do not contain");
        values.value[values.count++] = value;
    }
    return values;
}

/* One of the forms that are the same for all data sets. */
static struct values plain_values(const struct axis *axis, const cJSON *json, const struct json_path *place)
{
    if (!cJSON_IsObject(json))
        return list_values(axis, json, place);
    json_check_members(json, place, value_list_forms);
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
    for (const cJSON *member = json->child; member; member = member->next) {
        const struct json_path at = {.outer = place, .key = member->string};
        const int is_default = strcmp(member->string, "default") == 0;
        if (!is_default)
            json_check_word(place, "data set", member->string, axis->datasets);
        struct dataset_values *entry = pool_push(axis->pool, &list);
        entry->dataset = is_default ? NULL : pool_strdup(axis->pool, member->string);
        entry->values = plain_values(axis, member, &at);
    }
    return list;
}

/* The multiples of the single value of `base`. */
static struct values multiples_of(const struct axis *axis, const struct values *base, const struct values *factors,
                                  const struct json_path *place)
{
    struct values multiples = {factors->count, pool_array(axis->pool, factors->count, sizeof *multiples.value)};
    if (base->count != 1)
        json_die(place, "has %zu values; with \"times\" each data set needs exactly one", base->count);
    for (size_t i = 0; i < factors->count; i++) {
        const double value = multiples.value[i] = round_to_12_digits(base->value[0] * factors->value[i]);
        check_number(NULL, place, axis->parameter, value);
        for (size_t k = 0; k < i; k++)
            if (value_list_values_equal(multiples.value[k], value))
                json_die(place, "%.17g occurs twice among the multiples, rounded to 12 digits", value);
    }
    return multiples;
}

/* {"times": FACTORS, "per_dataset": {...}} */
static struct value_list multiples(const struct axis *axis, const cJSON *json, const struct json_path *place)
{
    static const char *const keys[] = {"times", "per_dataset", NULL};
    static const struct parameter factor = {.name = "times", .min_is_open = 1, .max = 1e300};
    const struct axis of_factors = {axis->pool, &factor, axis->datasets};
    const struct json_path times = {.outer = place, .key = "times"}, per = {.outer = place, .key = "per_dataset"};
    const cJSON *bases = config_member(json, "per_dataset");
    if (parameter_words(axis->parameter))
        json_die(&times, "\"%s\" is not a number, so \"times\" does not apply", axis->parameter->name);
    json_check_members(json, place, keys);
    if (!bases)
        json_die(place, "\"times\" needs \"per_dataset\" with one value for each data set");
    const struct values factors = plain_values(&of_factors, config_member(json, "times"), &times);
    struct value_list list = per_dataset_values(axis, bases, &per);
    for (size_t i = 0; i < list.count; i++) {
        struct dataset_values *entry = &list.item[i];
        const struct json_path at = {.outer = &per, .key = entry->dataset ? entry->dataset : "default"};
        entry->values = multiples_of(axis, &entry->values, &factors, &at);
    }
    return list;
}

struct value_list value_list_read(struct pool *pool, const cJSON *json, const struct json_path *place,
                                  const struct parameter *parameter, const char *const *datasets)
{
    const struct axis axis = {pool, parameter, datasets};
    const cJSON *per = cJSON_IsObject(json) ? config_member(json, "per_dataset") : NULL;
    if (cJSON_IsObject(json) && cJSON_HasObjectItem(json, "times"))
        return multiples(&axis, json, place);
    if (per && cJSON_GetArraySize(json) == 1)
        return per_dataset_values(&axis, per, &(struct json_path){.outer = place, .key = "per_dataset"});
    struct value_list list = {0};
    pool_push(pool, &list)->values = plain_values(&axis, json, place);
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
