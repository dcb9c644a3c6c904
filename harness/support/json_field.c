/* Strict reading of configuration members, see json_field.h. */
#include "harness/support/json_field.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "solvers/unknown_name.h"
#include "solvers/visible_text.h"

static size_t place_print(const struct json_path *place, char *text, size_t size)
{
    if (!place->outer)
        return (size_t)snprintf(text, size, "%s: ", place->file);
    size_t used = place_print(place->outer, text, size);
    if (used >= size)
        return used;
    if (!place->key)
        return used + (size_t)snprintf(text + used, size - used, "[%zu]", place->index);
    return used + (size_t)snprintf(text + used, size - used, "%s%s", place->outer->outer ? "." : "", place->key);
}

enum status json_error(const struct json_path *place, struct error *error, const char *format, ...)
{
    char where[256], message[768];
    size_t used = place_print(place, where, sizeof where);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    (void)used;
    return error_set(error, STATUS_BAD_INPUT, "%s%s%s", where, place->outer ? ": " : "", message);
}

enum status json_unknown_name(const struct json_path *place, const char *what, const char *word,
                              const char *const *allowed, struct error *error)
{
    char text[UNKNOWN_NAME_SIZE];
    return json_error(place, error, "%s", unknown_name_text(what, word, allowed, text, sizeof text));
}

void json_die(const struct json_path *place, const char *format, ...)
{
    struct error error;
    char message[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    json_error(place, &error, "%s", message);
    die_of(&error);
}

void json_die_of(enum status status, const struct json_path *place, const char *format, ...)
{
    struct error error;
    char message[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    json_error(place, &error, "%s", message);
    error.status = status;
    die_of(&error);
}

void json_die_unknown(const struct json_path *place, const char *what, const char *word, const char *const *allowed)
{
    struct error error;
    json_unknown_name(place, what, word, allowed, &error);
    die_of(&error);
}

void json_check_members(const cJSON *object, const struct json_path *place, const char *const *allowed)
{
    struct error error;
    if (json_check_keys(object, place, allowed, &error) != STATUS_OK)
        die_of(&error);
}

const char *json_read_text(const cJSON *object, const char *key, const struct json_path *place)
{
    struct error error;
    const char *text;
    if (json_text(object, key, place, 1, &text, &error) != STATUS_OK)
        die_of(&error);
    return text;
}

enum status json_check_keys(const cJSON *object, const struct json_path *place, const char *const *allowed,
                             struct error *error)
{
    if (!cJSON_IsObject(object)) {
        char text[64];
        return json_error(place, error, "%s is not an object {...}", json_to_text(object, text, sizeof text));
    }
    for (const cJSON *member = object->child; member; member = member->next) {
        const char *const *at = allowed;
        while (*at && strcmp(*at, member->string) != 0)
            at++;
        if (!*at)
            return json_unknown_name(place, "key", member->string, allowed, error);
    }
    return STATUS_OK;
}

enum status json_text(const cJSON *object, const char *key, const struct json_path *place, int required,
                      const char **value, struct error *error)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);
    struct json_path at = {.file = place->file, .outer = place, .key = key};
    *value = NULL;
    if (!member)
        return required ? json_error(place, error, "key \"%s\" is missing", key) : STATUS_OK;
    if (!cJSON_IsString(member) || !*member->valuestring) {
        char text[64];
        return json_error(&at, error, "%s is not a non-empty string", json_to_text(member, text, sizeof text));
    }
    if (text_has_control(member->valuestring, ""))
        return json_error(&at, error, "\"%.100s\" contains a control character", member->valuestring);
    *value = member->valuestring;
    return STATUS_OK;
}

struct range {
    double low, high;
    int is_closed; /* nonzero: includes low */
};

static enum status out_of_range(double number, const struct range *range, const struct json_path *at,
                                struct error *error)
{
    char text[40], high[40];
    json_number_to_text(number, text, sizeof text);
    json_number_to_text(range->high, high, sizeof high);
    if (range->is_closed)
        return json_error(at, error, "%s is out of range; allowed: %g to %s", text, range->low, high);
    if (isinf(range->high))
        return json_error(at, error, "%s is out of range; allowed: above %g", text, range->low);
    return json_error(at, error, "%s is out of range; allowed: above %g, at most %g", text, range->low, range->high);
}

static enum status read_number(const cJSON *object, const char *key, const struct json_path *place, int required,
                               const struct range *range, double *value, struct error *error)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);
    struct json_path at = {.file = place->file, .outer = place, .key = key};
    char text[64];
    if (!member)
        return required ? json_error(place, error, "key \"%s\" is missing", key) : STATUS_OK;
    if (!cJSON_IsNumber(member))
        return json_error(&at, error, "%s is not a number", json_to_text(member, text, sizeof text));
    double number = member->valuedouble;
    const int is_in = isfinite(number) && number <= range->high &&
                      (range->is_closed ? number >= range->low : number > range->low);
    if (!is_in)
        return out_of_range(number, range, &at, error);
    *value = number;
    return STATUS_OK;
}

enum status json_number(const cJSON *object, const char *key, const struct json_path *place, int required, double above,
                         double at_most, double *value, struct error *error)
{
    const struct range range = {above, at_most, 0};
    return read_number(object, key, place, required, &range, value, error);
}

static enum status read_integer(const cJSON *object, const char *key, const struct json_path *place,
                                const struct range *range, double *value, struct error *error)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);
    struct json_path at = {.file = place->file, .outer = place, .key = key};
    char text[40];
    if (cJSON_IsNumber(member) && member->valuedouble != floor(member->valuedouble))
        return json_error(&at, error, "%s is not a whole number",
                          json_number_to_text(member->valuedouble, text, sizeof text));
    return read_number(object, key, place, 0, range, value, error);
}

enum status json_integer(const cJSON *object, const char *key, const struct json_path *place, double above,
                         double at_most, double *value, struct error *error)
{
    const struct range range = {above, at_most, 0};
    return read_integer(object, key, place, &range, value, error);
}

enum status json_count(const cJSON *object, const char *key, const struct json_path *place, size_t min, size_t max,
                       size_t *value, struct error *error)
{
    const struct range range = {(double)min, (double)max, 1};
    double number = (double)*value;
    enum status status = read_integer(object, key, place, &range, &number, error);
    if (status == STATUS_OK)
        *value = (size_t)number;
    return status;
}

enum status json_flag(const cJSON *object, const char *key, const struct json_path *place, int *value,
                      struct error *error)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);
    struct json_path at = {.file = place->file, .outer = place, .key = key};
    if (member && !cJSON_IsBool(member))
        return json_error(&at, error, "expected true or false");
    if (member)
        *value = cJSON_IsTrue(member);
    return STATUS_OK;
}

static enum status read_choice(const cJSON *object, const struct json_member *member, const struct json_path *place,
                               struct error *error)
{
    const struct json_path at = {.file = place->file, .outer = place, .key = member->key};
    const char *text = NULL;
    enum status status = json_text(object, member->key, place, member->required, &text, error);
    if (status != STATUS_OK || !text)
        return status;
    for (int i = 0; member->names[i]; i++)
        if (strcmp(member->names[i], text) == 0) {
            *member->choice = i;
            return STATUS_OK;
        }
    return json_unknown_name(&at, member->key, text, member->names, error);
}

/* Reads a list or an object. */
static enum status read_inner(const cJSON *object, const struct json_member *member, const struct json_path *place,
                              struct error *error)
{
    const struct json_path at = {.file = place->file, .outer = place, .key = member->key};
    const cJSON *inner = cJSON_GetObjectItemCaseSensitive(object, member->key);
    char text[64];
    if (inner && !(member->list ? cJSON_IsArray(inner) : cJSON_IsObject(inner)))
        return json_error(&at, error, "%s is not %s", json_to_text(inner, text, sizeof text),
                          member->list ? "a list" : "an object");
    *(member->list ? member->list : member->object) = inner;
    return STATUS_OK;
}

enum status json_members(const cJSON *object, const struct json_path *place, const struct json_member *members,
                         size_t n, struct error *error)
{
    enum status status = STATUS_OK;
    for (const struct json_member *member = members; member < members + n && status == STATUS_OK; member++)
        if (member->text)
            status = json_text(object, member->key, place, member->required, member->text, error);
        else if (member->number) {
            const struct range range = {member->above, member->at_most, member->is_closed};
            status = read_number(object, member->key, place, member->required, &range, member->number, error);
        }
        else if (member->required && !cJSON_GetObjectItemCaseSensitive(object, member->key))
            status = json_error(place, error, "key \"%s\" is missing", member->key);
        else if (member->count)
            status = json_count(object, member->key, place, (size_t)(member->above + 1), (size_t)member->at_most,
                                member->count, error);
        else if (member->flag)
            status = json_flag(object, member->key, place, member->flag, error);
        else if (member->choice)
            status = read_choice(object, member, place, error);
        else if (member->list || member->object)
            status = read_inner(object, member, place, error);
    return status;
}

enum status json_only_members(const cJSON *object, const struct json_path *place, const struct json_member *members,
                              size_t n, struct error *error)
{
    const char *keys[21] = {NULL};
    for (size_t i = 0; i < n; i++)
        keys[i] = members[i].key;
    enum status status = json_check_keys(object, place, keys, error);
    return status == STATUS_OK ? json_members(object, place, members, n, error) : status;
}

int json_list_has(const cJSON *array, const char *text)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, array)
        if (cJSON_IsString(item) && strcmp(item->valuestring, text) == 0)
            return 1;
    return 0;
}

const char *json_number_to_text(double number, char *text, size_t size)
{
    static const int digits[] = {6, 15, 17};
    for (size_t d = 0; d < sizeof digits / sizeof *digits; d++) {
        snprintf(text, size, "%.*g", digits[d], number);
        if (strtod(text, NULL) == number)
            break;
    }
    return text;
}

const char *json_to_text(const cJSON *value, char *text, size_t size)
{
    char *printed = cJSON_PrintUnformatted(value);
    snprintf(text, size, "%.50s", printed ? printed : "value");
    cJSON_free(printed);
    return text;
}
