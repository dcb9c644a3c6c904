/* Strict reading of configuration members, see json_field.h. */
#include "harness/support/json_field.h"

#include <cjson/cJSON.h>
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

void json_error(const struct json_path *place, struct error *error, const char *format, ...)
{
    char where[256], message[1024];
    place_print(place, where, sizeof where);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    error_set(error, STATUS_BAD_INPUT, "%s%s%s", where, place->outer ? ": " : "", message);
}

void json_die_of(enum status status, const struct json_path *place, const char *format, ...)
{
    char message[1024];
    struct error error;
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
    char text[UNKNOWN_NAME_SIZE];
    json_die(place, "%s", unknown_name_text(what, word, allowed, text, sizeof text));
}

void json_check_members(const cJSON *object, const struct json_path *place, const char *const *allowed)
{
    char text[64];
    if (!cJSON_IsObject(object))
        json_die(place, "%s is not an object {...}", json_to_text(object, text, sizeof text));
    for (const cJSON *member = object->child; member; member = member->next) {
        const char *const *at = allowed;
        while (*at && strcmp(*at, member->string) != 0)
            at++;
        if (!*at)
            json_die_unknown(place, "key", member->string, allowed);
    }
}

const char *json_read_text(const cJSON *object, const char *key, const struct json_path *place)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);
    const struct json_path at = {.outer = place, .key = key};
    char text[64];
    if (!member)
        json_die(place, "key \"%s\" is missing", key);
    if (!cJSON_IsString(member) || !*member->valuestring)
        json_die(&at, "%s is not a non-empty string", json_to_text(member, text, sizeof text));
    if (text_has_control(member->valuestring, ""))
        json_die(&at, "\"%.100s\" contains a control character", member->valuestring);
    return member->valuestring;
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
