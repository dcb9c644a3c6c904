/* Compares lines, see record_diff.h. Compares nested objects member by member, and lists as a whole. */
#include "harness/records/record_diff.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "harness/support/json_reader.h"

struct differences {
    struct json_difference *items;
    size_t max, count;
};

static void put_value(char *text, size_t size, const cJSON *value)
{
    const struct json_span span = value ? json_span_of(value) : (struct json_span){"", 0};
    snprintf(text, size, "%.*s", (int)span.length, span.text);
}

static void add(struct differences *list, const char *outer, const cJSON *was, const cJSON *is)
{
    if (list->count++ >= list->max)
        return;
    struct json_difference *item = &list->items[list->count - 1];
    snprintf(item->path, sizeof item->path, "%s%s%s", outer, *outer ? "." : "", was ? was->string : is->string);
    put_value(item->was, sizeof item->was, was);
    put_value(item->is, sizeof item->is, is);
}

static int same_text(const cJSON *a, const cJSON *b)
{
    const struct json_span one = json_span_of(a), other = json_span_of(b);
    return one.length == other.length && memcmp(one.text, other.text, one.length) == 0;
}

/* Compares the members of two objects; `outer` prefixes the names of nested members. */
static void compare_objects(const cJSON *was, const cJSON *is, const char *outer, struct differences *list)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, was) {
        const cJSON *other = cJSON_GetObjectItemCaseSensitive(is, item->string);
        if (other && same_text(item, other))
            continue;
        if (!*outer && cJSON_IsObject(item) && cJSON_IsObject(other)) /* records have only two levels */
            compare_objects(item, other, item->string, list);
        else
            add(list, outer, item, other);
    }
    cJSON_ArrayForEach (item, is)
        if (!cJSON_GetObjectItemCaseSensitive(was, item->string))
            add(list, outer, NULL, item);
}

size_t record_diff(const char *was, const char *is, struct json_difference *differences, size_t max)
{
    struct differences list = {.items = differences, .max = max};
    struct pool *pool = pool_new();
    struct json_fault ignored;
    const cJSON *one = json_parse_pooled(pool, was, &ignored), *other = json_parse_pooled(pool, is, &ignored);
    compare_objects(cJSON_IsObject(one) ? one : NULL, cJSON_IsObject(other) ? other : NULL, "", &list);
    pool_free(pool);
    return list.count;
}

size_t text_first_difference(const char *a, const char *b)
{
    size_t line = 1;
    for (; *a && *a == *b; a++, b++)
        line += *a == '\n';
    return line;
}
