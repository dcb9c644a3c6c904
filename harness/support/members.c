/* Reads and writes structs by tables of members (members.h). */
#include "harness/support/members.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "solvers/visible_text.h"

#define MAX_WHOLE 9007199254740992.0 /* 2^53 */
enum { MAX_ROWS = 64 }; /* of a table */

static int is_last(const struct member *member)
{
    return member->kind == MEMBER_LAST;
}

static size_t count_rows(const struct member *members)
{
    size_t count = 0;
    while (!is_last(&members[count]))
        count++;
    return count;
}

const struct member *members_find(const struct member *members, const char *key)
{
    for (; !is_last(members); members++)
        if (strcmp(members->key, key) == 0 || (members->former && strcmp(members->former, key) == 0))
            return members;
    return NULL;
}

/* ---- fields ---- */

int json_hash(const cJSON *value, uint64_t *hash)
{
    const char *text = cJSON_GetStringValue(value);
    const int is_hash = text && strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16;
    *hash = is_hash ? (uint64_t)strtoull(text, NULL, 16) : 0;
    return is_hash;
}

/* Unsigned integers of 4 and 8 bytes share their representation with int32_t and int64_t. */
static void store_number(const struct member *member, double number, void *field)
{
    const int is_real = member->kind == MEMBER_REAL || member->kind == MEMBER_WHOLE;
    const int64_t wide = is_real ? 0 : (int64_t)number;
    const int32_t narrow = (int32_t)wide;
    const void *from = member->size == sizeof wide ? (const void *)&wide : (const void *)&narrow;
    memcpy(field, is_real ? (const void *)&number : from, member->size);
}

double member_number(const struct member *member, const void *from)
{
    const char *field = (const char *)from + member->offset;
    double number;
    int64_t wide = 0;
    int32_t narrow = 0;
    switch (member->kind) {
    case MEMBER_REAL:
    case MEMBER_WHOLE:
        memcpy(&number, field, sizeof number);
        return number;
    case MEMBER_COUNT:
    case MEMBER_FLAG:
    case MEMBER_CHOICE:
        memcpy(member->size == sizeof wide ? (void *)&wide : (void *)&narrow, field, member->size);
        return member->size == sizeof wide ? (double)wide : narrow;
    default:
        return (double)NAN;
    }
}

static void store_pointer(const void *pointer, void *field)
{
    memcpy(field, &pointer, sizeof pointer);
}

static const void *load_pointer(const void *field)
{
    const void *pointer;
    memcpy(&pointer, field, sizeof pointer);
    return pointer;
}

/* ---- reading ---- */

static _Noreturn void refuse(const cJSON *value, const struct json_path *at, const char *what)
{
    json_die(at, "%s is not %s", json_to_text(value), what);
}

static double choice_of(const struct member *member, const cJSON *value, const struct json_path *at)
{
    if (!cJSON_IsString(value) || !*value->valuestring)
        refuse(value, at, "a non-empty string");
    for (size_t i = 0; member->names[i]; i++)
        if (strcmp(member->names[i], value->valuestring) == 0)
            return (double)i;
    json_die_unknown(at, member->noun ? member->noun : member->key, value->valuestring, member->names);
}

static const char *text_of(struct pool *pool, const struct member *member, const cJSON *value,
                           const struct json_path *at)
{
    const int has_lines = (member->flags & MEMBER_LINES) != 0;
    if (!cJSON_IsString(value) || (!*value->valuestring && !has_lines))
        refuse(value, at, cJSON_IsNumber(value) ? "a non-empty string in quotes" : "a non-empty string");
    if (!has_lines && text_has_control(value->valuestring, ""))
        json_die(at, "\"%.100s\" contains a control character", value->valuestring);
    if (member->high > 0 && (double)strlen(value->valuestring) > member->high)
        json_die(at, "\"%.40s...\" has %zu bytes; allowed: at most %g", value->valuestring, strlen(value->valuestring),
                 member->high);
    if (member->names)
        return member->names[(size_t)choice_of(member, value, at)];
    return pool_strdup(pool, value->valuestring);
}

static double number_of(const struct member *member, const cJSON *value, const struct json_path *at)
{
    const int is_open = (member->flags & MEMBER_ABOVE) != 0, is_whole = member->kind != MEMBER_REAL;
    const int is_limited = member->low != 0 || member->high != 0;
    const double low = is_limited || is_whole ? member->low : -(double)INFINITY;
    const double high = is_limited ? member->high : is_whole ? MAX_WHOLE : (double)INFINITY;
    if (!cJSON_IsNumber(value))
        refuse(value, at, "a number");
    const double number = value->valuedouble;
    if (is_whole && number != floor(number))
        json_die(at, "%s is not a whole number", json_number_to_text(number));
    if (isfinite(number) && number <= high && (is_open ? number > low : number >= low))
        return number;
    const char *text = json_number_to_text(number);
    if (isinf(number) && isinf(high))
        json_die(at, "%s is not a finite number", text);
    if (!is_open)
        json_die(at, "%s is out of range; allowed: %g to %s", text, low, json_number_to_text(high));
    if (isinf(high))
        json_die(at, "%s is out of range; allowed: above %g", text, low);
    json_die(at, "%s is out of range; allowed: above %g, at most %g", text, low, high);
}

static void check_list(const struct member *member, const cJSON *value, const struct json_path *at)
{
    if (!cJSON_IsArray(value))
        refuse(value, at, "a list");
    if (!value->child && (member->flags & MEMBER_NOT_EMPTY))
        json_die(at, "the list is empty");
}

static void read_texts(struct pool *pool, const struct member *member, const cJSON *value, const struct json_path *at,
                       struct member_texts *texts)
{
    struct json_path each = {.outer = at};
    check_list(member, value, at);
    texts->item = pool_grow(pool, NULL, 0, &texts->capacity, sizeof *texts->item); /* an empty list ends in NULL, too */
    json_each (item, value) {
        const char *text = text_of(pool, member, item, &each);
        for (size_t i = 0; member->flags & MEMBER_DISTINCT && i < texts->count; i++)
            if (strcmp(texts->item[i], text) == 0)
                json_die(&each, "\"%.40s\" occurs twice", text);
        *pool_push(pool, texts) = text;
        each.index++;
    }
}

static void read_list(struct pool *pool, const struct member *member, const cJSON *value, const struct json_path *at,
                      struct member_list *list)
{
    struct json_path each = {.outer = at};
    check_list(member, value, at);
    list->count = list->capacity = (size_t)cJSON_GetArraySize(value);
    list->item = pool_array(pool, list->count, member->inner_size);
    json_each (item, value) {
        members_read(pool, member->inner, item, &each, (char *)list->item + each.index * member->inner_size);
        each.index++;
    }
}

static void read_value(struct pool *pool, const struct member *member, const cJSON *value, const struct json_path *at,
                       void *field)
{
    switch (member->kind) {
    case MEMBER_TEXT:
        store_pointer(text_of(pool, member, value, at), field);
        break;
    case MEMBER_HASH: {
        uint64_t hash;
        if (!json_hash(value, &hash))
            json_die(at, "expected a hash of 16 hexadecimal digits");
        memcpy(field, &hash, sizeof hash);
        break;
    }
    case MEMBER_FLAG:
        if (!cJSON_IsBool(value))
            json_die(at, "expected true or false");
        store_number(member, cJSON_IsTrue(value), field);
        break;
    case MEMBER_CHOICE:
        store_number(member, choice_of(member, value, at), field);
        break;
    case MEMBER_TEXTS:
        read_texts(pool, member, value, at, field);
        break;
    case MEMBER_LIST: {
        struct member_list list;
        read_list(pool, member, value, at, &list);
        memcpy(field, &list, sizeof list);
        break;
    }
    case MEMBER_OBJECT: {
        void *inner = pool_alloc(pool, member->inner_size);
        members_read(pool, member->inner, value, at, inner);
        store_pointer(inner, field);
        break;
    }
    case MEMBER_PART:
        members_read(pool, member->inner, value, at, field);
        break;
    case MEMBER_JSON_OBJECT:
    case MEMBER_JSON_LIST:
        if (member->kind == MEMBER_JSON_LIST ? !cJSON_IsArray(value) : !cJSON_IsObject(value))
            refuse(value, at, member->kind == MEMBER_JSON_LIST ? "a list" : "an object");
        store_pointer(value, field);
        break;
    case MEMBER_JSON:
        store_pointer(value, field);
        break;
    default:
        store_number(member, number_of(member, value, at), field);
    }
}

static int is_number(enum member_kind kind)
{
    return kind == MEMBER_COUNT || kind == MEMBER_REAL || kind == MEMBER_WHOLE || kind == MEMBER_FLAG ||
           kind == MEMBER_CHOICE;
}

static void set_absent(const struct member *members, void *into)
{
    for (const struct member *member = members; !is_last(member); member++) {
        void *field = (char *)into + member->offset;
        if (member->kind == MEMBER_PART)
            set_absent(member->inner, field);
        else if (is_number(member->kind))
            store_number(member, member->fallback, field);
        else
            memset(field, 0, member->size);
    }
}

static _Noreturn void refuse_key(struct pool *pool, const struct member *members, const char *key,
                                 const struct json_path *place)
{
    const char **keys = pool_array(pool, 2 * count_rows(members) + 1, sizeof *keys);
    for (size_t n = 0; !is_last(members); members++) {
        keys[n++] = members->key;
        if (members->former)
            keys[n++] = members->former;
    }
    json_die_unknown(place, "key", key, keys);
}

/* Finds the value of each row; NULL: absent. */
static void find_values(struct pool *pool, const struct member *members, const cJSON *json,
                        const struct json_path *place, const cJSON **values)
{
    const struct member *next = members;
    json_each (item, json) {
        /* members mostly come in the order of the table, so a search begins after the latest find */
        const int is_next = !is_last(next) && strcmp(next->key, item->string) == 0;
        const struct member *found = is_next ? next : members_find(members, item->string);
        if (!found && !(members[count_rows(members)].flags & MEMBER_OTHERS))
            refuse_key(pool, members, item->string, place);
        if (!found)
            continue;
        if (values[found - members] && found->former)
            json_die(place, "\"%s\" is the former name of \"%s\"; give only one of them", found->former, found->key);
        values[found - members] = item;
        next = found + 1;
    }
}

static void read_member(struct pool *pool, const struct member *member, const cJSON *json, const cJSON *value,
                        const struct json_path *place, void *into)
{
    if (!value && (member->flags & MEMBER_REQUIRED) &&
        (!member->since || member->since <= cJSON_GetNumberValue(json_member(json, "schema"))))
        json_die(place, "key \"%s\" is missing", member->key);
    void *field = (char *)into + member->offset;
    if (value && cJSON_IsNull(value) && (member->flags & MEMBER_NULLABLE)) {
        if (is_number(member->kind))
            store_number(member, (double)NAN, field);
    } else if (value)
        read_value(pool, member, value, json_at(place, value->string), field);
}

void members_read(struct pool *pool, const struct member *members, const struct cJSON *json,
                  const struct json_path *place, void *into)
{
    if (!cJSON_IsObject(json))
        json_die(place, "%s is not an object {...}", json_to_text(json));
    const cJSON *values[MAX_ROWS] = {NULL};
    assert(count_rows(members) <= MAX_ROWS);
    find_values(pool, members, json, place, values);
    set_absent(members, into);
    for (size_t i = 0; !is_last(&members[i]); i++)
        read_member(pool, &members[i], json, values[i], place, into);
}

/* ---- writing ---- */

static void write_number(cJSON *json, const struct member *member, double number)
{
    if (member->kind == MEMBER_FLAG)
        json_put_bool(json, member->key, number != 0);
    else if (member->kind == MEMBER_CHOICE)
        json_put_text(json, member->key, member->names[(size_t)number]);
    else if (!isfinite(number))
        json_put_null(json, member->key);
    else if (member->kind == MEMBER_COUNT)
        json_put_number(json, member->key, number);
    else /* the same number bit for bit: cJSON's printing may differ */
        json_put_raw(json, member->key, json_number_to_text(number));
}

static void write_elements(cJSON *json, const struct member *member, const struct member_list *list)
{
    cJSON *array = json_put_array(json, member->key);
    for (size_t i = 0; i < list->count; i++)
        if (member->kind == MEMBER_TEXTS)
            json_add_text(array, ((const char *const *)list->item)[i]);
        else
            cJSON_AddItemToArray(array, members_write(member->inner, (char *)list->item + i * member->inner_size));
}

static void write_hash(cJSON *json, const struct member *member, const void *field)
{
    char text[17];
    uint64_t hash;
    memcpy(&hash, field, sizeof hash);
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    if (hash)
        json_put_text(json, member->key, text);
}

static void write_pointer(cJSON *json, const struct member *member, const void *pointer)
{
    if (!pointer)
        json_put_null(json, member->key);
    else if (member->kind == MEMBER_TEXT)
        json_put_text(json, member->key, pointer);
    else if (member->kind >= MEMBER_JSON)
        json_put_copy(json, member->key, pointer);
    else
        cJSON_AddItemToObject(json, member->key, members_write(member->inner, pointer));
}

static void write_member(cJSON *json, const struct member *member, const void *field, const void *from)
{
    const int required = (member->flags & (MEMBER_REQUIRED | MEMBER_ALWAYS)) != 0;
    if (is_number(member->kind)) {
        const double number = member_number(member, from);
        if (required || !(number == member->fallback || (isnan(number) && isnan(member->fallback))))
            write_number(json, member, number);
    } else if (member->kind == MEMBER_PART) {
        cJSON *inner = members_write(member->inner, field);
        if (required || inner->child)
            cJSON_AddItemToObject(json, member->key, inner);
        else
            cJSON_Delete(inner);
    } else if (member->kind == MEMBER_HASH) {
        write_hash(json, member, field);
    } else if (member->kind == MEMBER_TEXTS || member->kind == MEMBER_LIST) {
        struct member_list list;
        memcpy(&list, field, sizeof list);
        if (required || list.count)
            write_elements(json, member, &list);
    } else if (required || load_pointer(field))
        write_pointer(json, member, load_pointer(field));
}

struct cJSON *members_write(const struct member *members, const void *from)
{
    cJSON *json = json_new_object();
    for (const struct member *member = members; !is_last(member); member++)
        write_member(json, member, (const char *)from + member->offset, from);
    return json;
}
