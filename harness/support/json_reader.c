/*
 * A text is checked against the grammar of RFC 8259, byte by byte, and the same pass makes the tree. Repeated keys are
 * found in the tree, where escapes no longer hide them.
 */
#include "harness/support/json_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/support/decimal.h"
#include "harness/support/file.h"
#include "solvers/unknown_name.h"
#include "solvers/visible_text.h"

enum { LEVELS_MAX = 1000 /* CJSON_NESTING_LIMIT */, SORT_FROM = 64 /* keys of an object */, POSITION_SIZE = 48 };

/* A value of a tree in a pool. */
struct json_node {
    cJSON json;
    struct json_span span;
    const char *key; /* in the text */
};

struct scan {
    const char *at;
    const char *why; /* NULL: no fault so far */
    const char *repeated; /* the key that occurs twice, if that is the fault */
    size_t levels;
    struct pool *pool;
    char *strings; /* room for the other keys and strings of the tree */
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

struct json_span json_span_of(const cJSON *value)
{
    return ((const struct json_node *)value)->span;
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

/* The length of the escape at `at`; 0 after a fault. */
static size_t escape_length(struct scan *scan, const char *at)
{
    if (at[1] && strchr("\"\\/nrt", at[1]))
        return 2;
    const unsigned unit = code_unit(at), next = unit ? code_unit(at + 6) : 0;
    const int is_refused = is_control(unit) && unit != '\t' && unit != '\n' && unit != '\r';
    if (at[1] == 'b' || at[1] == 'f' || strncmp(at, "\\u0000", 6) == 0 || (unit && is_refused))
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
static char *copy_string(struct scan *scan, const char *from, int has_escapes)
{
    const size_t length = (size_t)(scan->at - from);
    char *copy = scan->strings;
    scan->strings += length; /* never more than the text has */
    if (!has_escapes) {
        memcpy(copy, from + 1, length - 2);
        copy[length - 2] = '\0';
        return copy;
    }
    cJSON *parsed = cJSON_ParseWithLength(from, length);
    strcpy(copy, parsed->valuestring);
    cJSON_Delete(parsed);
    return copy;
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
    *text = copy_string(scan, from, has_escapes);
    return 1;
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
    into->type = cJSON_Number;
    into->valuedouble = decimal_parse(scan->at, &end);
    scan->at = end;
    return 1;
}

static int scan_word(struct scan *scan, const char *word, int type, cJSON *into)
{
    if (strncmp(scan->at, word, strlen(word)) != 0)
        return refuse(scan, scan->at, "expected a value");
    scan->at += strlen(word);
    into->type = type;
    return 1;
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Refuses the object at the first member whose key an earlier one has. */
static int has_distinct_keys(struct scan *scan, const cJSON *object, size_t count)
{
    if (count >= SORT_FROM) {
        const char **keys = pool_array(scan->pool, count, sizeof *keys);
        size_t n = 0;
        json_each (member, object)
            keys[n++] = member->string;
        qsort(keys, count, sizeof *keys, compare_keys);
        while (--n > 0 && strcmp(keys[n - 1], keys[n]) != 0)
            continue;
        if (n == 0)
            return 1;
    }
    json_each (member, object)
        for (const cJSON *before = object->child; before != member; before = before->next)
            if (*before->string == *member->string && strcmp(before->string, member->string) == 0) {
                scan->repeated = member->string;
                return refuse(scan, ((const struct json_node *)member)->key, "a key occurs twice");
            }
    return 1;
}

static int scan_value(struct scan *scan, cJSON *into);

/* A key and the colon after it. */
static int scan_key(struct scan *scan, cJSON *into)
{
    if (*scan->at != '"')
        return refuse(scan, scan->at, "expected a key in quotes");
    ((struct json_node *)into)->key = scan->at;
    if (!scan_string(scan, &into->string))
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
    size_t count = 0;
    into->type = close == '}' ? cJSON_Object : cJSON_Array;
    if (++scan->levels > LEVELS_MAX)
        return refuse(scan, scan->at, "more than 1000 levels");
    scan->at++;
    skip_blanks(scan);
    for (int has_more = *scan->at != close; has_more; count++) {
        cJSON *child = pool_alloc(scan->pool, sizeof(struct json_node));
        skip_blanks(scan);
        if ((close == '}' && !scan_key(scan, child)) || !scan_value(scan, child))
            return 0;
        *(last ? &last->next : &into->child) = child;
        child->prev = last;
        last = child;
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
    return close == ']' || has_distinct_keys(scan, into, count);
}

static int scan_any(struct scan *scan, cJSON *into)
{
    switch (*scan->at) {
    case '{':
        return scan_members(scan, '}', into);
    case '[':
        return scan_members(scan, ']', into);
    case '"':
        into->type = cJSON_String;
        return scan_string(scan, &into->valuestring);
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

static int scan_value(struct scan *scan, cJSON *into)
{
    skip_blanks(scan);
    const char *from = scan->at;
    if (!scan_any(scan, into))
        return 0;
    ((struct json_node *)into)->span = (struct json_span){from, (size_t)(scan->at - from)};
    return 1;
}

/* ---- texts ---- */

/* The bytes of the byte order mark that the text begins with; editors do not show it. */
static size_t mark_of(const char *text)
{
    return strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

const cJSON *json_parse_pooled(struct pool *pool, const char *text, struct json_fault *fault)
{
    struct scan scan = {.pool = pool, .at = text + mark_of(text), .strings = pool_alloc(pool, strlen(text) + 1)};
    cJSON *json = pool_alloc(pool, sizeof(struct json_node));
    int is_sound = scan_value(&scan, json);
    if (is_sound)
        skip_blanks(&scan);
    if (is_sound && !*scan.at)
        return json;
    struct json_fault unused = {0};
    fault = fault ? fault : &unused;
    fault->at = scan.at;
    if (scan.repeated)
        snprintf(fault->why, sizeof fault->why, "key \"%.40s\" occurs twice", scan.repeated);
    else
        snprintf(fault->why, sizeof fault->why, "%s", is_sound ? "expected the end of the text" : scan.why);
    return NULL;
}

const cJSON *json_parse_line(struct pool *pool, const char *text, struct json_fault *fault)
{
    pool_reset(pool);
    return json_parse_pooled(pool, text, fault);
}

const cJSON *json_object_of_line(struct pool *pool, const char *text, const struct json_path *place)
{
    struct json_fault fault = {.at = text, .why = "expected {"};
    const cJSON *json = json_parse_line(pool, text, &fault);
    if (!cJSON_IsObject(json))
        json_die(place, "not one JSON object (column %td of %zu): %s", fault.at - text + 1, strlen(text), fault.why);
    return json;
}

cJSON *json_parse_text(const char *text, struct json_fault *fault)
{
    struct pool *pool = pool_new();
    const cJSON *tree = json_parse_pooled(pool, text, fault);
    cJSON *json = tree ? cJSON_Duplicate(tree, 1) : NULL;
    pool_free(pool);
    return json;
}

static void release_json(void *json)
{
    cJSON_Delete(json);
}

cJSON *json_keep(struct pool *pool, cJSON *json)
{
    pool_keep(pool, release_json, json);
    return json;
}

/* Prints ":LINE:COLUMN" of a character of the text, both from 1; columns are bytes, without a byte order mark. */
static void print_position(const char *text, const char *at, char position[POSITION_SIZE])
{
    const char *begin = at;
    while (begin > text && begin[-1] != '\n')
        begin--;
    if (begin == text)
        begin += mark_of(text);
    snprintf(position, POSITION_SIZE, ":%zu:%td", file_line_of(text, at), at - begin + 1);
}

cJSON *json_parse(struct pool *pool, const char *label, const char *text)
{
    struct json_fault fault;
    cJSON *json = json_parse_text(text, &fault);
    if (json)
        return json_keep(pool, json);
    char shown[24], position[POSITION_SIZE];
    int size = snprintf(shown, sizeof shown, "%.20s", *fault.at ? fault.at : "end of file");
    if (*fault.at)
        while (((unsigned char)fault.at[size] & 0xc0) == 0x80 && size > 0) /* within a character of UTF-8 */
            size--;
    shown[size] = '\0';
    for (char *at = shown; *at; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
    print_position(text, fault.at, position);
    die(STATUS_BAD_INPUT, "%s%s: not valid JSON at \"%s\": %s", label, position, shown, fault.why);
}

cJSON *json_read_or_null(struct pool *pool, const char *path)
{
    const char *text = file_read_or_null(pool, path, NULL);
    return text ? json_parse(pool, path, text) : NULL;
}

cJSON *json_read(struct pool *pool, const char *path)
{
    return json_parse(pool, path, file_read(pool, path, NULL));
}

void json_print(const cJSON *json, FILE *stream)
{
    char *text = cJSON_Print(json);
    fprintf(stream, "%s\n", text);
    cJSON_free(text);
}

void json_write(const char *path, const cJSON *json)
{
    struct outfile out;
    outfile_open(&out, path);
    json_print(json, out.stream);
    outfile_commit(&out);
}

/* ---- places ---- */

/* A place whose position is looked for. The trees that are read from files may be changed and keep no positions, so the
 * file is read again, for messages only. */
struct search {
    struct pool *pool;
    const struct json_path *place;
    char position[POSITION_SIZE]; /* "" until it is found */
};

/* What the place names in a tree of json_parse_pooled; NULL: nothing. */
static const cJSON *value_at(const struct json_path *place, const cJSON *top)
{
    const cJSON *outer = place->outer ? value_at(place->outer, top) : top;
    if (!place->outer)
        return top;
    return place->key ? json_member(outer, place->key)
                      : cJSON_IsArray(outer) ? cJSON_GetArrayItem(outer, (int)place->index) : NULL;
}

static void find_position(void *context)
{
    struct search *search = context;
    const struct json_path *top = search->place;
    while (top->outer)
        top = top->outer;
    if (top == search->place || !top->file || file_is_special(top->file))
        return;
    const char *text = file_read_or_null(search->pool, top->file, NULL);
    const cJSON *tree = text ? json_parse_pooled(search->pool, text, NULL) : NULL;
    const struct json_node *found = (const struct json_node *)(tree ? value_at(search->place, tree) : NULL);
    if (found)
        print_position(text, found->key ? found->key : found->span.text, search->position);
}

static size_t print_place(const struct json_path *place, const char *position, char *text)
{
    if (!place->outer)
        return (size_t)snprintf(text, MESSAGE_ROOM, "%s%s", place->file, position);
    const size_t used = print_place(place->outer, position, text);
    const char *before = !place->outer->outer ? ": " : place->key ? "." : "";
    if (used >= MESSAGE_ROOM)
        return used;
    return used + (size_t)(place->key ? snprintf(text + used, MESSAGE_ROOM - used, "%s%s", before, place->key)
                                      : snprintf(text + used, MESSAGE_ROOM - used, "%s[%zu]", before, place->index));
}

/* The text of `place`, with the position of `at`. */
static const char *place_text(const struct json_path *place, const struct json_path *at)
{
    struct search search = {pool_new(), at, ""};
    char *text = message_room();
    attempt(find_position, &search, NULL);
    print_place(place, search.position, text);
    pool_free(search.pool);
    return text;
}

const char *json_place(const struct json_path *place)
{
    return place_text(place, place);
}

void json_die_unknown(const struct json_path *place, const char *what, const char *word, const char *const *allowed)
{
    const int is_key = strcmp(what, "key") == 0;
    const char *text = place_text(place, is_key ? json_at(place, word) : place);
    die(STATUS_BAD_INPUT, "%s: %s", text, unknown_name_text(what, word, allowed, message_room(), MESSAGE_ROOM));
}

/* ---- members and values ---- */

void json_check_word(const struct json_path *place, const char *what, const char *word, const char *const *allowed)
{
    if (!texts_have(allowed, word))
        json_die_unknown(place, what, word, allowed);
}

void json_check_members(const cJSON *object, const struct json_path *place, const char *const *allowed)
{
    if (!cJSON_IsObject(object))
        json_die(place, "%s is not an object {...}", json_to_text(object));
    json_each (member, object)
        json_check_word(place, "key", member->string, allowed);
}

const char *json_read_text(const cJSON *object, const char *key, const struct json_path *place)
{
    const cJSON *member = json_member(object, key);
    const struct json_path at = {.outer = place, .key = key};
    if (!member)
        json_die(place, "key \"%s\" is missing", key);
    if (!cJSON_IsString(member) || !*member->valuestring)
        json_die(&at, "%s is not a non-empty string", json_to_text(member));
    if (text_has_control(member->valuestring, ""))
        json_die(&at, "\"%.100s\" contains a control character", member->valuestring);
    return member->valuestring;
}

int json_list_has(const cJSON *array, const char *text)
{
    json_each (item, array)
        if (cJSON_IsString(item) && strcmp(item->valuestring, text) == 0)
            return 1;
    return 0;
}

const char *json_number_to_text(double number)
{
    static const int digits[] = {6, 15, 17};
    char *text = message_room();
    for (size_t d = 0; d < sizeof digits / sizeof *digits; d++) {
        snprintf(text, MESSAGE_ROOM, "%.*g", digits[d], number);
        if (strtod(text, NULL) == number)
            break;
    }
    return text;
}

const char *json_to_text(const cJSON *value)
{
    char *printed = cJSON_PrintUnformatted(value);
    const char *all = printed ? printed : "text that is not JSON";
    char shown[51];
    const char *dots = strlen(all) < sizeof shown ? "" : "...";
    const char *text = message_text("%s%s", visible_text(all, shown, sizeof shown), dots);
    cJSON_free(printed);
    return text;
}

void json_set_number(cJSON *object, const char *key, double number)
{
    cJSON_DeleteItemFromObject(object, key);
    json_put_number(object, key, number);
}

void json_set_word(cJSON *object, const char *key, const char *text)
{
    char *end;
    const double number = strtod(text, &end);
    cJSON_DeleteItemFromObject(object, key);
    if (end != text && *end == '\0' && isfinite(number))
        json_put_number(object, key, number);
    else
        json_put_text(object, key, text);
}
