/* Lists of values in configurations (value_list.h). */
#include "harness/config/value_list.h"

#include <cjson/cJSON.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/round_to_12_digits.h"

enum { MAX_VALUES = 10000 };

const char *const value_list_forms[] = {"linear", "log", "per_dataset", "times", NULL};

static enum status out_of_memory(struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "out of memory while reading a configuration");
}

int value_list_values_equal(double one, double other)
{
    return fabs(one - other) <= 4 * DBL_EPSILON * fmax(fabs(one), fabs(other));
}

static enum status check_number(const cJSON *json, const struct json_path *place, const struct parameter *parameter,
                                double number, struct error *error)
{
    char text[64], fault[192];
    if (parameter_words(parameter))
        return json_unknown_name(place, "value", json_to_text(json, text, sizeof text), parameter_words(parameter),
                                 error);
    if (!parameter_fault(parameter, number, fault, sizeof fault))
        return STATUS_OK;
    return json_error(place, error, "%s is %s", json_number_to_text(number, text, sizeof text), fault);
}

static enum status read_one(const cJSON *json, const struct json_path *place, const struct parameter *parameter,
                            double *value, struct error *error)
{
    char text[64];
    const char *const *words = parameter_words(parameter);
    if (cJSON_IsString(json) && words)
        return parameter_find_word(parameter, json->valuestring, value)
                   ? STATUS_OK
                   : json_unknown_name(place, "value", json->valuestring, words, error);
    if (cJSON_IsBool(json) && parameter->type == PARAMETER_SWITCH) {
        *value = cJSON_IsTrue(json);
        return STATUS_OK;
    }
    if (!cJSON_IsNumber(json))
        return json_error(place, error, "%s is not a number%s", json_to_text(json, text, sizeof text),
                          words ? " or an allowed word" : ", list or range");
    *value = json->valuedouble;
    return check_number(json, place, parameter, *value, error);
}

static enum status fill_range(const cJSON *json, const struct json_path *place, int logarithmic,
                              const struct parameter *parameter, struct values *values, struct error *error)
{
    static const char *const keys[] = {"from", "to", "count", NULL};
    double from = 0, to = 0, count = 0;
    enum status status = json_check_keys(json, place, keys, error);
    if (status != STATUS_OK ||
        (status = json_number(json, "from", place, 1, -HUGE_VAL, HUGE_VAL, &from, error)) != STATUS_OK ||
        (status = json_number(json, "to", place, 1, -HUGE_VAL, HUGE_VAL, &to, error)) != STATUS_OK ||
        (status = json_number(json, "count", place, 1, 1, MAX_VALUES, &count, error)) != STATUS_OK ||
        (status = json_integer(json, "count", place, 1, MAX_VALUES, &count, error)) != STATUS_OK)
        return status;
    struct json_path from_place = {.file = place->file, .outer = place, .key = "from"};
    struct json_path to_place = {.file = place->file, .outer = place, .key = "to"};
    if ((status = check_number(json, &from_place, parameter, from, error)) != STATUS_OK ||
        (status = check_number(json, &to_place, parameter, to, error)) != STATUS_OK)
        return status;
    if (from == to)
        return json_error(place, error, "\"from\" and \"to\" are both %g; allowed: two different numbers", from);
    if (logarithmic && !(from > 0 && to > 0))
        return json_error(place, error, "a logarithmic range needs \"from\" and \"to\" above 0");
    values->count = (size_t)count;
    values->value = malloc(values->count * sizeof *values->value);
    if (!values->value)
        return out_of_memory(error);
    for (size_t i = 0; i < values->count; i++) {
        double part = (double)i / (count - 1);
        values->value[i] = round_to_12_digits(logarithmic ? from * pow(to / from, part) : from + part * (to - from));
        status = check_number(json, place, parameter, values->value[i], error);
        if (status != STATUS_OK)
            return status;
    }
    values->value[0] = from;
    values->value[values->count - 1] = to;
    for (size_t i = 1; i < values->count; i++)
        if (value_list_values_equal(values->value[i - 1], values->value[i]))
            return json_error(place, error,
                              "%.17g occurs twice, because values are rounded; choose a smaller \"count\"",
                              values->value[i]);
    return STATUS_OK;
}

static enum status fill_list(const cJSON *json, const struct json_path *place, const struct parameter *parameter,
                             struct values *values, struct error *error)
{
    int is_list = cJSON_IsArray(json);
    size_t count = is_list ? (size_t)cJSON_GetArraySize(json) : 1;
    if (count == 0)
        return json_error(place, error, "the list is empty");
    values->value = malloc(count * sizeof *values->value);
    if (!values->value)
        return out_of_memory(error);
    const cJSON *item = is_list ? json->child : json;
    for (; values->count < count; item = item->next) {
        struct json_path at = {.file = place->file, .outer = place, .index = values->count};
        double *value = &values->value[values->count];
        enum status status = read_one(item, is_list ? &at : place, parameter, value, error);
        if (status != STATUS_OK)
            return status;
        for (size_t i = 0; i < values->count; i++)
            if (value_list_values_equal(values->value[i], *value) && parameter_words(parameter))
                return json_error(&at, error, "\"%s\" occurs twice",
                                  parameter_words(parameter)[(size_t)*value]);
            else if (value_list_values_equal(values->value[i], *value))
                return json_error(
                    &at, error, "%.17g occurs twice%s", *value,
                    values->value[i] == *value ? "" : ", except for the last digits, which records do not contain");
        values->count++;
    }
    return STATUS_OK;
}

static enum status fill(const cJSON *json, const struct json_path *place, const struct parameter *parameter,
                        struct values *values, struct error *error)
{
    if (!cJSON_IsObject(json))
        return fill_list(json, place, parameter, values, error);
    enum status status = json_check_keys(json, place, value_list_forms, error);
    if (status != STATUS_OK)
        return status;
    if (cJSON_GetArraySize(json) != 1 || strcmp(json->child->string, "per_dataset") == 0 ||
        strcmp(json->child->string, "times") == 0)
        return json_error(place, error, "expected one of the keys \"linear\" and \"log\"");
    if (parameter_words(parameter)) {
        char allowed[128];
        parameter_allowed(parameter, allowed, sizeof allowed);
        return json_error(place, error, "only numbers have ranges; allowed: %s", allowed);
    }
    struct json_path at = {.file = place->file, .outer = place, .key = json->child->string};
    return fill_range(json->child, &at, strcmp(json->child->string, "log") == 0, parameter, values, error);
}

static enum status add_entry(struct value_list *list, const char *dataset, struct values **values, struct error *error)
{
    char **names = realloc(list->dataset, (list->count + 1) * sizeof *names);
    if (names)
        list->dataset = names;
    struct values *grown = realloc(list->values, (list->count + 1) * sizeof *grown);
    if (grown)
        list->values = grown;
    char *copy = dataset ? strdup(dataset) : NULL;
    if (!names || !grown || (dataset && !copy)) {
        free(copy);
        return out_of_memory(error);
    }
    list->dataset[list->count] = copy;
    *values = &list->values[list->count++];
    **values = (struct values){0};
    return STATUS_OK;
}

static enum status read_per_dataset(const cJSON *json, const struct json_path *place,
                                    const struct parameter *parameter, const char *const *datasets,
                                    struct value_list *list, struct error *error)
{
    if (!cJSON_IsObject(json) || !json->child)
        return json_error(place, error, "expected an object whose keys are names of data sets");
    for (const cJSON *member = json->child; member; member = member->next) {
        struct json_path at = {.file = place->file, .outer = place, .key = member->string};
        int is_default = strcmp(member->string, "default") == 0;
        const char *const *known = datasets;
        while (!is_default && *known && strcmp(*known, member->string) != 0)
            known++;
        if (!is_default && !*known)
            return json_unknown_name(place, "data set", member->string, datasets, error);
        struct values *values;
        enum status status = add_entry(list, is_default ? NULL : member->string, &values, error);
        if (status == STATUS_OK)
            status = fill(member, &at, parameter, values, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* Replaces the single value of *values by its multiples. */
static enum status multiply(struct values *values, const struct values *factors, const struct json_path *place,
                            const struct parameter *parameter, struct error *error)
{
    if (values->count != 1)
        return json_error(place, error, "has %zu values; with \"times\" each data set needs exactly one",
                          values->count);
    const double base = values->value[0];
    double *multiples = malloc(factors->count * sizeof *multiples);
    if (!multiples)
        return out_of_memory(error);
    free(values->value);
    *values = (struct values){factors->count, multiples};
    for (size_t i = 0; i < factors->count; i++) {
        multiples[i] = round_to_12_digits(base * factors->value[i]);
        enum status status = check_number(NULL, place, parameter, multiples[i], error);
        if (status != STATUS_OK)
            return status;
        for (size_t k = 0; k < i; k++)
            if (value_list_values_equal(multiples[k], multiples[i]))
                return json_error(place, error, "%.17g occurs twice among the multiples, rounded to 12 digits",
                                  multiples[i]);
    }
    return STATUS_OK;
}

/* {"times": FACTORS, "per_dataset": {...}} */
static enum status read_multiples(const cJSON *json, const struct json_path *place, const struct parameter *parameter,
                                  const char *const *datasets, struct value_list *list, struct error *error)
{
    static const char *const keys[] = {"times", "per_dataset", NULL};
    static const struct parameter factor = {.name = "times", .min_is_open = 1, .max = 1e300};
    const struct json_path times = {.file = place->file, .outer = place, .key = "times"};
    const struct json_path per = {.file = place->file, .outer = place, .key = "per_dataset"};
    struct values factors = {0};
    if (parameter_words(parameter))
        return json_error(&times, error, "\"%s\" is not a number, so \"times\" does not apply", parameter->name);
    enum status status = json_check_keys(json, place, keys, error);
    if (status == STATUS_OK && !cJSON_GetObjectItemCaseSensitive(json, "per_dataset"))
        status = json_error(place, error, "\"times\" needs \"per_dataset\" with one value for each data set");
    if (status == STATUS_OK)
        status = fill(cJSON_GetObjectItemCaseSensitive(json, "times"), &times, &factor, &factors, error);
    if (status == STATUS_OK)
        status = read_per_dataset(cJSON_GetObjectItemCaseSensitive(json, "per_dataset"), &per, parameter, datasets,
                                  list, error);
    for (size_t i = 0; i < list->count && status == STATUS_OK; i++) {
        const struct json_path at = {
            .file = place->file, .outer = &per, .key = list->dataset[i] ? list->dataset[i] : "default"};
        status = multiply(&list->values[i], &factors, &at, parameter, error);
    }
    free(factors.value);
    return status;
}

double value_list_base(const cJSON *json, const char *dataset)
{
    const cJSON *per = cJSON_GetObjectItemCaseSensitive(json, "per_dataset");
    const cJSON *own = cJSON_GetObjectItemCaseSensitive(per, dataset);
    if (!own)
        own = cJSON_GetObjectItemCaseSensitive(per, "default");
    if (cJSON_IsArray(own) && cJSON_GetArraySize(own) == 1)
        own = own->child;
    return cJSON_HasObjectItem(json, "times") && cJSON_IsNumber(own) ? own->valuedouble : (double)NAN;
}

enum status value_list_read(const cJSON *json, const struct json_path *place, const struct parameter *parameter,
                      const char *const *datasets, struct value_list *list, struct error *error)
{
    memset(list, 0, sizeof *list);
    const cJSON *per = cJSON_IsObject(json) ? cJSON_GetObjectItemCaseSensitive(json, "per_dataset") : NULL;
    if (cJSON_IsObject(json) && cJSON_HasObjectItem(json, "times"))
        return read_multiples(json, place, parameter, datasets, list, error);
    if (per && cJSON_GetArraySize(json) == 1) {
        struct json_path at = {.file = place->file, .outer = place, .key = "per_dataset"};
        return read_per_dataset(per, &at, parameter, datasets, list, error);
    }
    struct values *values;
    enum status status = add_entry(list, NULL, &values, error);
    return status == STATUS_OK ? fill(json, place, parameter, values, error) : status;
}

enum status value_list_constant(double value, struct value_list *list, struct error *error)
{
    struct values *values;
    memset(list, 0, sizeof *list);
    enum status status = add_entry(list, NULL, &values, error);
    if (status != STATUS_OK)
        return status;
    values->value = malloc(sizeof *values->value);
    if (!values->value)
        return out_of_memory(error);
    values->value[0] = value;
    values->count = 1;
    return STATUS_OK;
}

const struct values *value_list_for(const struct value_list *list, const char *dataset)
{
    const struct values *fallback = NULL;
    for (size_t i = 0; i < list->count; i++) {
        if (!list->dataset[i])
            fallback = &list->values[i];
        else if (strcmp(list->dataset[i], dataset) == 0)
            return &list->values[i];
    }
    return fallback;
}

void value_list_free(struct value_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->dataset[i]);
        free(list->values[i].value);
    }
    free(list->dataset);
    free(list->values);
    memset(list, 0, sizeof *list);
}
