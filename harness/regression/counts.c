/* Counts and tolerances. A count holds where |is - was| <= amount, or <= amount was; one that appears or disappears is
 * outside of any tolerance. */
#include "harness/regression/counts.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- counts ---- */

static const enum record_field fields[COUNTS] = {
    [COUNT_ITERATIONS] = FIELD_ITERATIONS,       [COUNT_SETUP] = FIELD_SETUP_OPERATIONS,
    [COUNT_UPDATES] = FIELD_KERNEL_OPERATIONS,   [COUNT_PREDICT] = FIELD_PREDICT_OPERATIONS,
    [COUNT_EVALUATIONS] = FIELD_KERNEL_EVALUATIONS, [COUNT_SUPPORT_VECTORS] = FIELD_SUPPORT_VECTORS,
};

const char *count_name(enum count count)
{
    return record_field_names[fields[count]];
}

double count_of(const struct record *record, enum count count)
{
    return record->field[fields[count]];
}

/* A number, or null: of the count itself or of the object it stands in. */
static int is_sound(const struct record *record, enum count count)
{
    const char *name = count_name(count), *dot = strchr(name, '.');
    const cJSON *operations = cJSON_GetObjectItemCaseSensitive(record->json, "kernel_operations");
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(dot ? operations : record->json, dot ? dot + 1 : name);
    double value = count_of(record, count);
    return isnan(value) ? cJSON_IsNull(item) || (dot && cJSON_IsNull(operations)) : value >= 0 && value == floor(value);
}

int counts_compare(const struct record *a, const struct record *b)
{
    int order = strcmp(a->solver, b->solver);
    return order ? order : record_compare(a, b);
}

static int compare(const void *a, const void *b)
{
    return counts_compare(*(const struct record *const *)a, *(const struct record *const *)b);
}

enum status counts_sort(struct records *records, struct error *error)
{
    for (size_t i = 0; i < records->count; i++)
        for (unsigned c = 0; c < COUNTS; c++)
            if (!is_sound(records->items[i], (enum count)c))
                return error_set(error, STATUS_BAD_INPUT, "%s: %s: a whole number from 0, or null, is expected",
                                 records->items[i]->where, count_name((enum count)c));
    if (records->count)
        qsort(records->items, records->count, sizeof *records->items, compare);
    for (size_t i = 1; i < records->count; i++)
        if (compare(&records->items[i - 1], &records->items[i]) == 0)
            return error_set(error, STATUS_BAD_INPUT, "%s: the same measurement as %s", records->items[i]->where,
                             records->items[i - 1]->where);
    return STATUS_OK;
}

/* {"mu":0.03,"class":"low"} as mu=0.03 class=low; of kernel and stop the first name goes without saying. */
static size_t append_plain(char *text, size_t size, size_t used, const char *object, int named)
{
    const char *at = named || !strchr(object, ':') ? object : strchr(object, ':') + 1;
    for (; *at && used + 1 < size; at++)
        if (!strchr("{}\"", *at))
            text[used++] = *at == ',' ? ' ' : *at == ':' ? '=' : *at;
    text[used] = '\0';
    return used;
}

const char *record_settings_text(const struct record *record, char *text, size_t size)
{
    const char *parts[] = {record->params_text, record->kernel_text, record->stop_text};
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (used && used + 3 < size)
            used += (size_t)snprintf(text + used, size - used, ", ");
        used = append_plain(text, size, used, parts[i], i == 0);
    }
    return text;
}

/* ---- tolerances ---- */

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
