/*
 * A text is first checked against the grammar of RFC 8259, byte by byte, and then parsed by cJSON. Repeated keys are
 * found in the result, where escapes no longer hide them; a second pass over the text finds their place.
 */
#include "harness/support/json_text.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/visible_text.h"

enum { LEVELS_MAX = 1000, SORT_FROM = 16 }; /* CJSON_NESTING_LIMIT; keys */

struct scan {
    const char *at;
    const char *why;      /* NULL: no fault so far */
    size_t levels;
    size_t keys, wanted;  /* keys seen; the number from 1 of the key whose place is wanted */
    const char *wanted_at;
};

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

static int scan_string(struct scan *scan)
{
    const char *at = scan->at + 1;
    for (;;) {
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
        at += length;
    }
    scan->at = at + 1;
    return 1;
}

/* ---- values ---- */

static const char *skip_digits(const char *at)
{
    while (*at >= '0' && *at <= '9')
        at++;
    return at;
}

static int scan_number(struct scan *scan)
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
    scan->at = end;
    return 1;
}

static int scan_word(struct scan *scan, const char *word)
{
    if (strncmp(scan->at, word, strlen(word)) != 0)
        return refuse(scan, scan->at, "expected a value");
    scan->at += strlen(word);
    return 1;
}

static int scan_value(struct scan *scan);

/* A key and the colon after it. */
static int scan_key(struct scan *scan)
{
    if (*scan->at != '"')
        return refuse(scan, scan->at, "expected a key in quotes");
    if (++scan->keys == scan->wanted)
        scan->wanted_at = scan->at;
    if (!scan_string(scan))
        return 0;
    skip_blanks(scan);
    if (*scan->at != ':')
        return refuse(scan, scan->at, "expected a colon after a key");
    scan->at++;
    return 1;
}

/* An array or object. */
static int scan_members(struct scan *scan, char close)
{
    if (++scan->levels > LEVELS_MAX)
        return refuse(scan, scan->at, "more than 1000 levels");
    scan->at++;
    skip_blanks(scan);
    int has_more = *scan->at != close;
    while (has_more) {
        skip_blanks(scan);
        if ((close == '}' && !scan_key(scan)) || !scan_value(scan))
            return 0;
        skip_blanks(scan);
        has_more = *scan->at == ',';
        if (!has_more && *scan->at != close)
            return refuse(scan, scan->at, close == '}' ? "expected a comma or }" : "expected a comma or ]");
        scan->at += has_more;
    }
    scan->at++;
    scan->levels--;
    return 1;
}

static int scan_value(struct scan *scan)
{
    skip_blanks(scan);
    switch (*scan->at) {
    case '{':
        return scan_members(scan, '}');
    case '[':
        return scan_members(scan, ']');
    case '"':
        return scan_string(scan);
    case 't':
        return scan_word(scan, "true");
    case 'f':
        return scan_word(scan, "false");
    case 'n':
        return scan_word(scan, "null");
    default:
        return scan_number(scan);
    }
}

static int scan_text(struct scan *scan, const char *text)
{
    scan->at = text + (strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    if (!scan_value(scan))
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
            if (strcmp(before->string, member->string) == 0)
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

cJSON *json_parse_text(const char *text, struct json_fault *fault)
{
    struct scan scan = {.at = text}, again = {.at = text};
    if (!scan_text(&scan, text)) {
        fault->at = scan.at;
        snprintf(fault->why, sizeof fault->why, "%s", scan.why);
        return NULL;
    }
    cJSON *json = cJSON_Parse(text);
    *fault = (struct json_fault){.why = "out of memory"};
    const cJSON *repeated = json ? find_repeated(json, &again.wanted) : NULL;
    if (!repeated)
        return json;
    scan_text(&again, text);
    fault->at = again.wanted_at;
    snprintf(fault->why, sizeof fault->why, "key \"%.40s\" occurs twice", repeated->string);
    cJSON_Delete(json);
    return NULL;
}
