/* Compares lines, see record_diff.h. Compares nested objects member by member, and lists as a whole. */
#include "harness/records/record_diff.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/support/json_reader.h"

static const char *text_of(struct pool *pool, const cJSON *value)
{
    const struct json_span span = value ? json_span_of(value) : (struct json_span){"missing", strlen("missing")};
    return pool_strndup(pool, span.text, span.length);
}

/* Compares the members of two objects; `outer` begins the paths of nested members. */
static void compare_objects(struct pool *pool, const cJSON *was, const cJSON *is, const char *outer,
                            struct json_differences *list)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, was) {
        const cJSON *other = cJSON_GetObjectItemCaseSensitive(is, item->string);
        const char *path = pool_printf(pool, "%s%s", outer, item->string);
        const char *one = text_of(pool, item), *now = text_of(pool, other);
        if (cJSON_IsObject(item) && cJSON_IsObject(other))
            compare_objects(pool, item, other, pool_printf(pool, "%s.", path), list);
        else if (strcmp(one, now) != 0)
            *pool_push(pool, list) = (struct json_difference){path, one, now};
    }
    cJSON_ArrayForEach (item, is)
        if (!cJSON_GetObjectItemCaseSensitive(was, item->string))
            *pool_push(pool, list) = (struct json_difference){pool_printf(pool, "%s%s", outer, item->string),
                                                              "missing", text_of(pool, item)};
}

struct json_differences record_diff(struct pool *pool, const char *was, const char *is)
{
    struct json_differences list = {0};
    struct json_fault ignored;
    const cJSON *one = json_parse_pooled(pool, was, &ignored), *other = json_parse_pooled(pool, is, &ignored);
    compare_objects(pool, cJSON_IsObject(one) ? one : NULL, cJSON_IsObject(other) ? other : NULL, "", &list);
    return list;
}

size_t text_first_difference(const char *a, const char *b)
{
    size_t line = 1;
    for (; *a && *a == *b; a++, b++)
        line += *a == '\n';
    return line;
}
