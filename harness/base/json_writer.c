#include "harness/base/json_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

cJSON *json_add_object(cJSON *array)
{
    cJSON *object = json_new_object();
    cJSON_AddItemToArray(array, object);
    return object;
}

cJSON *json_put_copy(cJSON *object, const char *key, const cJSON *item)
{
    cJSON *copy = cJSON_Duplicate(item, 1);
    cJSON_AddItemToObject(object, key, copy);
    return copy;
}

void json_print_text(FILE *stream, const char *text)
{
    cJSON *json = cJSON_CreateString(text);
    char *quoted = json_line(json);
    fputs(quoted, stream);
    free(quoted);
    cJSON_Delete(json);
}

/* A number as files have it. */
static cJSON *new_number(double value)
{
    return isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull();
}

void json_add_number(cJSON *array, double value)
{
    cJSON_AddItemToArray(array, new_number(value));
}

void json_add_text(cJSON *array, const char *text)
{
    cJSON_AddItemToArray(array, cJSON_CreateString(text));
}

void json_put_text(cJSON *object, const char *key, const char *text)
{
    cJSON_AddItemToObject(object, key, text ? cJSON_CreateString(text) : cJSON_CreateNull());
}

void json_put_number(cJSON *object, const char *key, double value)
{
    cJSON_AddItemToObject(object, key, new_number(value));
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
