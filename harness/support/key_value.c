/* Sets members of a JSON object from NAME=VALUE. */
#include "harness/support/key_value.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void key_value_set_number(cJSON *object, const char *name, double number)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", number);
    cJSON_DeleteItemFromObject(object, name);
    cJSON_AddRawToObject(object, name, text);
}

void key_value_set(cJSON *object, const char *name, const char *value)
{
    char *end;
    double number = strtod(value, &end);
    if (end != value && *end == '\0' && isfinite(number)) {
        key_value_set_number(object, name, number);
        return;
    }
    cJSON_DeleteItemFromObject(object, name);
    cJSON_AddStringToObject(object, name, value);
}

int key_value_set_pair(cJSON *object, const char *pair, size_t length)
{
    const char *equals = memchr(pair, '=', length);
    if (!equals || equals == pair || equals + 1 == pair + length)
        return 0;
    char *copy = strndup(pair, length);
    if (!copy)
        return 0;
    copy[equals - pair] = '\0';
    key_value_set(object, copy, copy + (equals - pair) + 1);
    free(copy);
    return 1;
}
