#include "harness/base/json_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

/* cJSON returns NULL when out of memory. */
static void *checked(void *made)
{
    if (!made)
        out_of_memory();
    return made;
}

static cJSON *append(cJSON *array, cJSON *item)
{
    if (!cJSON_AddItemToArray(array, checked(item)))
        out_of_memory();
    return item;
}

cJSON *json_new_object(void)
{
    return checked(cJSON_CreateObject());
}

cJSON *json_put_object(cJSON *object, const char *key)
{
    return checked(cJSON_AddObjectToObject(object, key));
}

cJSON *json_put_array(cJSON *object, const char *key)
{
    return checked(cJSON_AddArrayToObject(object, key));
}

cJSON *json_add_object(cJSON *array)
{
    return append(array, cJSON_CreateObject());
}

cJSON *json_new_array(void)
{
    return checked(cJSON_CreateArray());
}

cJSON *json_put_copy(cJSON *object, const char *key, const cJSON *item)
{
    cJSON *copy = checked(cJSON_Duplicate(item, 1));
    if (!cJSON_AddItemToObject(object, key, copy))
        out_of_memory();
    return copy;
}

void json_put_raw(cJSON *object, const char *key, const char *raw)
{
    checked(cJSON_AddRawToObject(object, key, raw));
}

char *json_line(const cJSON *json)
{
    return checked(cJSON_PrintUnformatted(json));
}

char *json_quoted(const char *text)
{
    cJSON *json = checked(cJSON_CreateString(text));
    char *quoted = json_line(json);
    cJSON_Delete(json);
    return quoted;
}

void json_add_number(cJSON *array, double value)
{
    append(array, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

void json_add_text(cJSON *array, const char *text)
{
    append(array, cJSON_CreateString(text));
}

void json_put_number(cJSON *object, const char *key, double value)
{
    checked(isfinite(value) ? cJSON_AddNumberToObject(object, key, value) : cJSON_AddNullToObject(object, key));
}

void json_put_numbers(cJSON *object, const struct json_number *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        json_put_number(object, numbers[i].key, numbers[i].value);
}

void json_put_rounded(cJSON *object, const char *key, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.6g", value);
    json_put_number(object, key, strtod(text, NULL));
}

void json_put_text(cJSON *object, const char *key, const char *text)
{
    checked(cJSON_AddStringToObject(object, key, text));
}

void json_put_bool(cJSON *object, const char *key, int value)
{
    checked(cJSON_AddBoolToObject(object, key, value));
}

void json_put_null(cJSON *object, const char *key)
{
    checked(cJSON_AddNullToObject(object, key));
}
