/* Compares lines, see record_diff.h. Compares nested objects member by member, and lists as a whole. */
#include "harness/records/record_diff.h"

#include <stdio.h>
#include <string.h>

/* Given an opening quote, returns the position behind the closing one; NULL if the string does not end. */
static const char *text_end(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : NULL;
}

/* The end of a value: the next comma or closing bracket. */
static const char *value_end(const char *at)
{
    int depth = 0;
    while (*at) {
        if (*at == '"') {
            if (!(at = text_end(at)))
                return NULL;
            continue;
        }
        if (depth == 0 && (*at == ',' || *at == '}' || *at == ']'))
            return at;
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
    }
    return NULL;
}

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

int member_text_next(const char **at, struct member_text *member)
{
    const char *key = skip_space(*at);
    key = *key == '{' || *key == ',' ? skip_space(key + 1) : key;
    const char *end = *key == '"' ? text_end(key) : NULL, *colon = end ? skip_space(end) : "";
    if (*colon != ':')
        return 0;
    *member = (struct member_text){key + 1, skip_space(colon + 1), (size_t)(end - key - 2), 0};
    const char *after = value_end(member->value), *last = after;
    if (!after)
        return 0;
    while (last > member->value && strchr(" \t\r\n", last[-1]))
        last--;
    member->value_length = (size_t)(last - member->value);
    *at = after;
    return 1;
}

static int find_member(const char *object, const struct member_text *wanted, struct member_text *found)
{
    while (member_text_next(&object, found))
        if (found->key_length == wanted->key_length && memcmp(found->key, wanted->key, wanted->key_length) == 0)
            return 1;
    return 0;
}

struct differences {
    struct json_difference *items;
    size_t max, count;
};

static void add(struct differences *list, const char *outer, const struct member_text *member,
                const struct member_text *was, const struct member_text *is)
{
    if (list->count++ >= list->max)
        return;
    struct json_difference *item = &list->items[list->count - 1];
    snprintf(item->path, sizeof item->path, "%s%s%.*s", outer, *outer ? "." : "", (int)member->key_length, member->key);
    snprintf(item->was, sizeof item->was, "%.*s", was ? (int)was->value_length : 0, was ? was->value : "");
    snprintf(item->is, sizeof item->is, "%.*s", is ? (int)is->value_length : 0, is ? is->value : "");
}

/* Compares the members of two objects; `outer` prefixes the names of nested members. */
static void compare_objects(const char *was, const char *is, const char *outer, struct differences *list)
{
    struct member_text one, other;
    for (const char *at = was; member_text_next(&at, &one);) {
        if (!find_member(is, &one, &other)) {
            add(list, outer, &one, &one, NULL);
        } else if (one.value_length != other.value_length || memcmp(one.value, other.value, one.value_length) != 0) {
            char path[96];
            snprintf(path, sizeof path, "%.*s", (int)one.key_length, one.key);
            if (!*outer && *one.value == '{' && *other.value == '{') /* records have only two levels */
                compare_objects(one.value, other.value, path, list);
            else
                add(list, outer, &one, &one, &other);
        }
    }
    for (const char *at = is; member_text_next(&at, &other);)
        if (!find_member(was, &other, &one))
            add(list, outer, &other, NULL, &other);
}

size_t record_diff(const char *was, const char *is, struct json_difference *differences, size_t max)
{
    struct differences list = {.items = differences, .max = max};
    compare_objects(was, is, "", &list);
    return list.count;
}

size_t text_first_difference(const char *a, const char *b)
{
    size_t line = 1;
    for (; *a && *a == *b; a++, b++)
        line += *a == '\n';
    return line;
}
