/* Sets members of a JSON object from NAME=VALUE. */
#include "harness/support/key_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/base/memory.h"

void key_value_set_number(cJSON *object, const char *name, double number)
{
    cJSON_DeleteItemFromObject(object, name);
    json_put_number(object, name, number);
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
    json_put_text(object, name, value);
}

int key_value_set_pair(cJSON *object, const char *pair, size_t length)
{
    const char *equals = memchr(pair, '=', length);
    if (!equals || equals == pair || equals + 1 == pair + length)
        return 0;
    char *copy = xstrndup(pair, length);
    copy[equals - pair] = '\0';
    key_value_set(object, copy, copy + (equals - pair) + 1);
    free(copy);
    return 1;
}
