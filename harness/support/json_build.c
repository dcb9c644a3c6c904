/* Members are added by cJSON; here only the failure is kept. */
#include "harness/support/json_build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

cJSON *json_new_object(int *failed)
{
    cJSON *json = *failed ? NULL : cJSON_CreateObject();
    *failed |= !json;
    return json;
}

cJSON *json_put_object(cJSON *object, const char *key, int *failed)
{
    cJSON *json = *failed ? NULL : cJSON_AddObjectToObject(object, key);
    *failed |= !json;
    return json;
}

cJSON *json_put_array(cJSON *object, const char *key, int *failed)
{
    cJSON *json = *failed ? NULL : cJSON_AddArrayToObject(object, key);
    *failed |= !json;
    return json;
}

/* Hands `item` over to the array, or deletes it. */
static cJSON *add(cJSON *array, cJSON *item, int *failed)
{
    if (item && cJSON_AddItemToArray(array, item))
        return item;
    cJSON_Delete(item);
    *failed = 1;
    return NULL;
}

cJSON *json_add_object(cJSON *array, int *failed)
{
    return *failed ? NULL : add(array, cJSON_CreateObject(), failed);
}

void json_add_text(cJSON *array, const char *text, int *failed)
{
    if (!*failed)
        add(array, cJSON_CreateString(text), failed);
}

void json_put_number(cJSON *object, const char *key, double value, int *failed)
{
    if (!*failed)
        *failed = !(isfinite(value) ? cJSON_AddNumberToObject(object, key, value) : cJSON_AddNullToObject(object, key));
}

void json_put_rounded(cJSON *object, const char *key, double value, int *failed)
{
    char text[40];
    snprintf(text, sizeof text, "%.6g", value);
    json_put_number(object, key, strtod(text, NULL), failed);
}

void json_put_text(cJSON *object, const char *key, const char *text, int *failed)
{
    if (!*failed)
        *failed = !cJSON_AddStringToObject(object, key, text);
}

void json_put_bool(cJSON *object, const char *key, int value, int *failed)
{
    if (!*failed)
        *failed = !cJSON_AddBoolToObject(object, key, value);
}

void json_put_null(cJSON *object, const char *key, int *failed)
{
    if (!*failed)
        *failed = !cJSON_AddNullToObject(object, key);
}
