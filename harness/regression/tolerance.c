/* Tolerances: |is - was| <= amount, or <= amount was. A count that appears or disappears is outside of any. */
#include "harness/regression/tolerance.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status unknown_key(const char *key, const struct json_path *place, struct error *error)
{
    const char *allowed[COUNTS + 3] = {"all", "kernel_operations"};
    for (unsigned c = 0; c < COUNTS; c++)
        allowed[c + 2] = count_name((enum count)c);
    return json_unknown_name(place, "count", key, allowed, error);
}

static int covers(const char *key, enum count count)
{
    const char *name = count_name(count);
    size_t length = strlen(key);
    return strcmp(key, "all") == 0 || strcmp(key, name) == 0 ||
           (strcmp(key, "kernel_operations") == 0 && strncmp(name, key, length) == 0 && name[length] == '.');
}

enum status tolerance_set(struct tolerance tolerances[COUNTS], const char *key, const char *value,
                          const struct json_path *place, struct error *error)
{
    char *end = NULL;
    struct tolerance tolerance = {0};
    int found = 0;
    if (isdigit((unsigned char)*value) || *value == '.')
        tolerance.amount = strtod(value, &end);
    tolerance.relative = end && *end == '%';
    if (!end || end[tolerance.relative] != '\0' || !isfinite(tolerance.amount))
        return json_error(place, error, "\"%.40s\" is no tolerance; allowed: a number from 0, or one with %% after it",
                          value);
    if (tolerance.relative)
        tolerance.amount /= 100;
    for (unsigned c = 0; c < COUNTS; c++)
        if (covers(key, (enum count)c)) {
            tolerances[c] = tolerance;
            found = 1;
        }
    return found ? STATUS_OK : unknown_key(key, place, error);
}

enum status tolerance_parse(struct tolerance tolerances[COUNTS], const char *word, const struct json_path *place,
                            struct error *error)
{
    char key[64];
    const char *equals = strchr(word, '=');
    if (!equals || (size_t)(equals - word) >= sizeof key)
        return json_error(place, error, "\"%.60s\": KEY=VALUE is expected, such as iterations=2%%", word);
    snprintf(key, sizeof key, "%.*s", (int)(equals - word), word);
    return tolerance_set(tolerances, key, equals + 1, place, error);
}

int tolerance_holds(const struct tolerance *tolerance, double was, double is)
{
    if (isnan(was) || isnan(is))
        return isnan(was) && isnan(is);
    return fabs(is - was) <= tolerance->amount * (tolerance->relative ? was : 1);
}
