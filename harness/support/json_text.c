/*
 * A text is checked against the grammar of RFC 8259, byte by byte. With a pool, the same pass makes the tree; otherwise
 * cJSON parses the text afterwards. Repeated keys are found in the tree, where escapes no longer hide them; a second
 * pass over the text finds their place.
 */
#include "harness/support/json_text.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/decimal.h"
#include "solvers/visible_text.h"

enum { LEVELS_MAX = 1000, SORT_FROM = 64, FIRST_NODES = 64 }; /* LEVELS_MAX: CJSON_NESTING_LIMIT; SORT_FROM: keys */

/* A value of a tree in a pool. */
struct json_node {
    cJSON json;
    struct json_span span;
};

struct scan {
    const char *at;
    const char *why;      /* NULL: no fault so far */
    size_t levels;
    size_t keys, wanted;  /* keys seen; the number from 1 of the key whose place is wanted */
    const char *wanted_at;
    struct json_pool *pool; /* NULL: makes no tree */
};

static const char out_of_memory_text[] = "out of memory";

static int refuse(struct scan *scan, const char *at, const char *why)
{
    scan->at = at;
    scan->why = why;
    return 0;
}

static void skip_blanks(struct scan *scan)
{
    while (*scan->at == ' ' || *scan->at == '\t' || *scan->at == '\r' || *scan->at == '\n') /* strspn takes longer */
        scan->at++;
}

/* ---- nodes ---- */

/* Block k of a pool has FIRST_NODES * 2^k nodes. NULL when out of memory. */
static cJSON *new_node(struct json_pool *pool)
{
    if (pool->used == (size_t)FIRST_NODES << pool->block) {
        pool->block++;
        pool->used = 0;
    }
    struct json_node **block = &pool->blocks[pool->block];
    *block = *block ? *block : malloc(((size_t)FIRST_NODES << pool->block) * sizeof **block);
    if (!*block)
        return NULL;
    struct json_node *node = &(*block)[pool->used++];
    *node = (struct json_node){.span = {0}};
    return &node->json;
}

struct json_span json_pool_span(const cJSON *value)
{
    return ((const struct json_node *)value)->span;
}

void json_pool_free(struct json_pool *pool)
{
    for (size_t i = 0; i < sizeof pool->blocks / sizeof *pool->blocks; i++)
        free(pool->blocks[i]);
    free(pool->strings);
    *pool = (struct json_pool){0};
}

/* ---- strings ---- */

/* The value of the escape \uXXXX at `at`; 0 if there is none. */
static unsigned code_unit(const char *at)
{
    unsigned value = 0;
    if (at[0] != '\\' || at[1] != 'u' || strspn(at + 2, "0123456789abcdefABCDEF") < 4)
        return 0;
    for (size_t i = 2; i < 6; i++)
        value = 16 * value + (unsigned)(at[i] <= '9' ? at[i] - '0' : (at[i] | 0x20) - 'a' + 10);
    return value;
}

/* Whether strings of files may not contain the character. */
static int is_refused(unsigned unit)
{
    return is_control(unit) && unit != '\t' && unit != '\n' && unit != '\r';
}

/* The length of the escape at `at`; 0 after a fault. */
static size_t escape_length(struct scan *scan, const char *at)
{
    if (at[1] && strchr("\"\\/nrt", at[1]))
        return 2;
    const unsigned unit = code_unit(at), next = unit ? code_unit(at + 6) : 0;
    if (at[1] == 'b' || at[1] == 'f' || strncmp(at, "\\u0000", 6) == 0 || (unit && is_refused(unit)))
        refuse(scan, at, "a control character in a string; allowed: \\n, \\r and \\t");
    else if (!unit)
        refuse(scan, at, "not an escape of JSON");
    else if (unit < 0xd800 || unit > 0xdfff)
        return 6;
    else if (unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff)
        return 12;
    else
        refuse(scan, at, "half a surrogate pair");
    return 0;
}

/* Copies a checked string, from quote to quote, without its escapes. */
static int copy_string(struct scan *scan, const char *from, int has_escapes, char **text)
{
    const size_t length = (size_t)(scan->at - from);
    cJSON *parsed = has_escapes ? cJSON_ParseWithLength(from, length) : NULL;
    if (has_escapes && !parsed)
        return refuse(scan, NULL, out_of_memory_text);
    *text = scan->pool->strings + scan->pool->n_strings;
    if (has_escapes)
        strcpy(*text, parsed->valuestring);
    else
        memcpy(*text, from + 1, length - 2);
    if (!has_escapes)
        (*text)[length - 2] = '\0';
    scan->pool->n_strings += length; /* never more than the text has */
    cJSON_Delete(parsed);
    return 1;
}

static int scan_string(struct scan *scan, char **text)
{
    const char *at = scan->at + 1, *const from = scan->at;
    int has_escapes = 0;
    for (;;) {
        while (*at >= ' ' && *at < 0x7f && *at != '"' && *at != '\\') /* most characters */
            at++;
        const unsigned char byte = (unsigned char)*at;
        uint32_t code;
        if (byte == '"')
            break;
        size_t length = utf8_decode(at, &code);
        if (byte == '\0')
            return refuse(scan, at, "a string has no closing quote");
        if (byte < 0x20)
            return refuse(scan, at, "a control character in a string; allowed, as escapes: \\n, \\r and \\t");
        if (!length)
            return refuse(scan, at, "not UTF-8");
        if (is_control(code))
            return refuse(scan, at, "a control character in a string");
        if (byte == '\\' && !(length = escape_length(scan, at)))
            return 0;
        has_escapes |= byte == '\\';
        at += length;
    }
    scan->at = at + 1;
    return !text || copy_string(scan, from, has_escapes, text);
}

/* ---- values ---- */

static const char *skip_digits(const char *at)
{
    while (*at >= '0' && *at <= '9')
        at++;
    return at;
}

static int scan_number(struct scan *scan, cJSON *into)
{
    const char *first = scan->at + (*scan->at == '-'), *end = skip_digits(first);
    if (end == first)
        return refuse(scan, scan->at, "expected a value");
    if (*first == '0' && end > first + 1)
        return refuse(scan, scan->at, "a number with a 0 before its other digits");
    if (*end == '.') {
        const char *fraction = end + 1;
        if ((end = skip_digits(fraction)) == fraction)
            return refuse(scan, scan->at, "a number without digits after its decimal point");
    }
    if (*end == 'e' || *end == 'E') {
        const char *exponent = end + 1 + (end[1] == '+' || end[1] == '-');
        if ((end = skip_digits(exponent)) == exponent)
            return refuse(scan, scan->at, "a number without digits in its exponent");
    }
    if (into) {
        into->type = cJSON_Number;
        into->valuedouble = decimal_parse(scan->at, &end);
    }
    scan->at = end;
    return 1;
}

static int scan_word(struct scan *scan, const char *word, int type, cJSON *into)
{
    if (strncmp(scan->at, word, strlen(word)) != 0)
        return refuse(scan, scan->at, "expected a value");
    scan->at += strlen(word);
    if (into)
        into->type = type;
    return 1;
}

static int scan_value(struct scan *scan, cJSON *into);

/* A key and the colon after it. */
static int scan_key(struct scan *scan, cJSON *into)
{
    if (*scan->at != '"')
        return refuse(scan, scan->at, "expected a key in quotes");
    if (++scan->keys == scan->wanted)
        scan->wanted_at = scan->at;
    if (!scan_string(scan, into ? &into->string : NULL))
        return 0;
    skip_blanks(scan);
    if (*scan->at != ':')
        return refuse(scan, scan->at, "expected a colon after a key");
    scan->at++;
    return 1;
}

/* An array or object. */
static int scan_members(struct scan *scan, char close, cJSON *into)
{
    cJSON *last = NULL;
    if (into)
        into->type = close == '}' ? cJSON_Object : cJSON_Array;
    if (++scan->levels > LEVELS_MAX)
        return refuse(scan, scan->at, "more than 1000 levels");
    scan->at++;
    skip_blanks(scan);
    int has_more = *scan->at != close;
    while (has_more) {
        cJSON *child = into ? new_node(scan->pool) : NULL;
        if (into && !child)
            return refuse(scan, NULL, out_of_memory_text);
        skip_blanks(scan);
        if ((close == '}' && !scan_key(scan, child)) || !scan_value(scan, child))
            return 0;
        if (into) {
            *(last ? &last->next : &into->child) = child;
            child->prev = last;
            last = child;
        }
        skip_blanks(scan);
        has_more = *scan->at == ',';
        if (!has_more && *scan->at != close)
            return refuse(scan, scan->at, close == '}' ? "expected a comma or }" : "expected a comma or ]");
        scan->at += has_more;
    }
    if (last)
        into->child->prev = last; /* as cJSON does */
    scan->at++;
    scan->levels--;
    return 1;
}

static int scan_any(struct scan *scan, cJSON *into)
{
    switch (*scan->at) {
    case '{':
        return scan_members(scan, '}', into);
    case '[':
        return scan_members(scan, ']', into);
    case '"':
        if (into)
            into->type = cJSON_String;
        return scan_string(scan, into ? &into->valuestring : NULL);
    case 't':
        return scan_word(scan, "true", cJSON_True, into);
    case 'f':
        return scan_word(scan, "false", cJSON_False, into);
    case 'n':
        return scan_word(scan, "null", cJSON_NULL, into);
    default:
        return scan_number(scan, into);
    }
}

/* Describes the value in the node `into`, if that is not NULL. */
static int scan_value(struct scan *scan, cJSON *into)
{
    skip_blanks(scan);
    const char *from = scan->at;
    if (!scan_any(scan, into))
        return 0;
    if (into)
        ((struct json_node *)into)->span = (struct json_span){from, (size_t)(scan->at - from)};
    return 1;
}

static int scan_text(struct scan *scan, const char *text, cJSON *into)
{
    scan->at = text + (strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    if (!scan_value(scan, into))
        return 0;
    skip_blanks(scan);
    return !*scan->at || refuse(scan, scan->at, "expected the end of the text");
}

/* ---- repeated keys ---- */

/* The first member whose key an earlier one has, or NULL. */
static const cJSON *second_of(const cJSON *object)
{
    for (const cJSON *member = object->child; member; member = member->next)
        for (const cJSON *before = object->child; before != member; before = before->next)
            if (*before->string == *member->string && strcmp(before->string, member->string) == 0)
                return member;
    return NULL;
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Whether an object of many keys has one twice. Also true when out of memory, for second_of to look. */
static int may_repeat(const cJSON *object, size_t count)
{
    const char **keys = malloc(count * sizeof *keys);
    int repeats = keys == NULL;
    size_t i = 0;
    for (const cJSON *member = object->child; keys && member; member = member->next)
        keys[i++] = member->string;
    if (keys)
        qsort(keys, count, sizeof *keys, compare_keys);
    for (i = 1; keys && i < count && !repeats; i++)
        repeats = strcmp(keys[i - 1], keys[i]) == 0;
    free(keys);
    return repeats;
}

/* The first member with a repeated key, or NULL. *keys counts the keys up to it, in the order of the text. */
static const cJSON *find_repeated(const cJSON *value, size_t *keys)
{
    const int is_object = cJSON_IsObject(value);
    size_t count = 0;
    for (const cJSON *child = value->child; is_object && child; child = child->next)
        count++;
    const cJSON *second = is_object && (count < SORT_FROM || may_repeat(value, count)) ? second_of(value) : NULL;
    for (const cJSON *child = value->child; child; child = child->next) {
        *keys += is_object != 0;
        const cJSON *found = child == second ? child : child->child ? find_repeated(child, keys) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

/* Refuses a tree with a repeated key. */
static int is_without_repeats(const cJSON *json, const char *text, struct json_fault *fault)
{
    struct scan again = {.at = text};
    const cJSON *repeated = find_repeated(json, &again.wanted);
    if (!repeated)
        return 1;
    scan_text(&again, text, NULL);
    fault->at = again.wanted_at;
    snprintf(fault->why, sizeof fault->why, "key \"%.40s\" occurs twice", repeated->string);
    return 0;
}

cJSON *json_parse_text(const char *text, struct json_fault *fault)
{
    struct scan scan = {.at = text};
    cJSON *json = NULL;
    if (scan_text(&scan, text, NULL)) {
        json = cJSON_Parse(text);
        scan.at = NULL;
        scan.why = out_of_memory_text;
    }
    if (json && is_without_repeats(json, text, fault))
        return json;
    if (!json) {
        fault->at = scan.at;
        snprintf(fault->why, sizeof fault->why, "%s", scan.why);
    }
    cJSON_Delete(json);
    return NULL;
}

const cJSON *json_parse_pooled(struct json_pool *pool, const char *text, struct json_fault *fault)
{
    struct scan scan = {.pool = pool};
    const size_t size = strlen(text) + 1;
    pool->block = pool->used = pool->n_strings = 0;
    if (pool->strings_size < size) {
        free(pool->strings);
        pool->strings = malloc(2 * size);
        pool->strings_size = pool->strings ? 2 * size : 0;
    }
    cJSON *json = pool->strings ? new_node(pool) : NULL;
    if (!json)
        refuse(&scan, NULL, out_of_memory_text);
    else if (scan_text(&scan, text, json))
        return is_without_repeats(json, text, fault) ? json : NULL;
    fault->at = scan.at;
    snprintf(fault->why, sizeof fault->why, "%s", scan.why);
    return NULL;
}
