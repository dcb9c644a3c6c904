/* Structs that are read and written by a table of members. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/support/members.h"

enum colour { RED, GREEN };
static const char *const colours[] = {[RED] = "red", [GREEN] = "green", NULL};

struct part {
    uint64_t limit;
};
struct thing {
    const char *name, *note;
    unsigned narrow;
    uint64_t wide;
    double real, whole, gap;
    int flag;
    enum colour colour;
    struct member_texts words;
    struct part part, *object;
    struct {
        struct part *item;
        size_t count, capacity;
    } list;
    const cJSON *free;
};

static const struct member part_members[] = {
    {"limit", MEMBER_COUNT, FIELD(struct part, limit), MEMBER_ABOVE, .high = 1e15, .fallback = 7},
    MEMBERS_END,
};
static const struct member thing_members[] = {
    {"name", MEMBER_TEXT, FIELD(struct thing, name), MEMBER_REQUIRED, .high = 4},
    {"note", MEMBER_TEXT, FIELD(struct thing, note), MEMBER_LINES},
    {"narrow", MEMBER_COUNT, FIELD(struct thing, narrow), .low = 1, .high = 1000, .fallback = 3},
    {"wide", MEMBER_COUNT, FIELD(struct thing, wide)},
    {"real", MEMBER_REAL, FIELD(struct thing, real), MEMBER_ABOVE, .high = 2, .fallback = 0.5},
    {"whole", MEMBER_WHOLE, FIELD(struct thing, whole), .low = -4, .high = 4},
    {"gap", MEMBER_REAL, FIELD(struct thing, gap), MEMBER_NULLABLE, .fallback = (double)NAN},
    {"flag", MEMBER_FLAG, FIELD(struct thing, flag), .fallback = 1, .former = "switch"},
    {"colour", MEMBER_CHOICE, FIELD(struct thing, colour), .names = colours, .fallback = GREEN, .noun = "value"},
    {"words", MEMBER_TEXTS, FIELD(struct thing, words), MEMBER_NOT_EMPTY | MEMBER_DISTINCT},
    {"part", MEMBER_PART, FIELD(struct thing, part), .inner = part_members},
    {"object", MEMBER_OBJECT, FIELD(struct thing, object), .inner = part_members, .inner_size = sizeof(struct part)},
    {"list", MEMBER_LIST, FIELD(struct thing, list), .inner = part_members, .inner_size = sizeof(struct part)},
    {"free", MEMBER_JSON, FIELD(struct thing, free)},
    MEMBERS_END,
};

struct reading {
    const char *text;
    struct pool *pool;
    struct thing thing;
};

static void read_text(void *context)
{
    struct reading *reading = context;
    const struct json_path top = {.file = "f.json"};
    cJSON *json = cJSON_Parse(reading->text);
    assert_non_null(json);
    pool_keep(reading->pool, (void (*)(void *))cJSON_Delete, json);
    members_read(reading->pool, thing_members, json, &top, &reading->thing);
}

static void all_kinds_are_read_and_written(void **state)
{
    (void)state;
    static const char all[] = "{\"name\":\"n\",\"note\":\"two\\nlines\",\"narrow\":1000,\"wide\":9007199254740992,"
                              "\"real\":0.1,\"whole\":-4,\"gap\":0.25,\"flag\":false,\"colour\":\"red\","
                              "\"words\":[\"a\",\"b\"],"
                              "\"part\":{\"limit\":1},\"object\":{\"limit\":2},\"list\":[{\"limit\":3},{}],"
                              "\"free\":[null]}";
    struct reading reading = {.text = all, .pool = pool_new()};
    read_text(&reading);
    const struct thing *thing = &reading.thing;
    assert_string_equal(thing->note, "two\nlines");
    assert_true(thing->narrow == 1000 && thing->wide == 9007199254740992 && thing->real == 0.1);
    assert_true(thing->whole == -4 && thing->gap == 0.25 && thing->flag == 0 && thing->colour == RED);
    assert_int_equal(thing->words.count, 2);
    assert_string_equal(thing->words.item[1], "b");
    assert_true(thing->part.limit == 1 && thing->object->limit == 2);
    assert_true(thing->list.count == 2 && thing->list.item[0].limit == 3 && thing->list.item[1].limit == 7);
    assert_true(member_number(members_find(thing_members, "wide"), thing) == 9007199254740992);
    assert_true(isnan(member_number(members_find(thing_members, "name"), thing)));
    assert_null(members_find(thing_members, "other"));
    cJSON *json = members_write(thing_members, thing), *was = cJSON_Parse(all);
    char *text = cJSON_PrintUnformatted(json);
    cJSON *again = cJSON_Parse(text);
    cJSON_DeleteItemFromArray(cJSON_GetObjectItem(was, "list"), 1); /* a member that equals its fallback is left out */
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(again, "list")), 2);
    cJSON_DeleteItemFromArray(cJSON_GetObjectItem(again, "list"), 1);
    assert_true(cJSON_Compare(was, again, 1));
    cJSON_free(text);
    cJSON_Delete(json), cJSON_Delete(was), cJSON_Delete(again);
    pool_free(reading.pool);
}

static void absent_members_have_their_fallbacks(void **state)
{
    (void)state;
    struct reading reading = {.text = "{\"name\":\"n\",\"gap\":null,\"switch\":true}", .pool = pool_new()};
    memset(&reading.thing, 0xff, sizeof reading.thing);
    read_text(&reading);
    const struct thing *thing = &reading.thing;
    assert_true(!thing->note && thing->narrow == 3 && thing->wide == 0 && thing->real == 0.5 && thing->whole == 0);
    assert_true(isnan(thing->gap) && thing->flag == 1 && thing->colour == GREEN && thing->part.limit == 7);
    assert_true(!thing->object && !thing->free && thing->words.count == 0 && thing->list.count == 0);
    cJSON *json = members_write(thing_members, thing);
    assert_int_equal(cJSON_GetArraySize(json), 1);
    cJSON_Delete(json);
    pool_free(reading.pool);
}

static void errors_name_place_and_what_is_allowed(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"[]", "f.json: [] is not an object {...}"},
        {"{\"nam\":1}", "f.json: unknown key \"nam\"; did you mean \"name\"?; allowed: name, note, narrow"},
        {"{}", "f.json: key \"name\" is missing"},
        {"{\"name\":\"\"}", "f.json: name: \"\" is not a non-empty string"},
        {"{\"name\":\"a\\nb\"}", "contains a control character"},
        {"{\"name\":\"µmdm\"}", "f.json: name: \"µmdm...\" has 5 bytes; allowed: at most 4"},
        {"{\"name\":\"n\",\"narrow\":0}", "f.json: narrow: 0 is out of range; allowed: 1 to 1000"},
        {"{\"name\":\"n\",\"narrow\":1.5}", "f.json: narrow: 1.5 is not a whole number"},
        {"{\"name\":\"n\",\"wide\":-1}", "wide: -1 is out of range; allowed: 0 to 9007199254740992"},
        {"{\"name\":\"n\",\"real\":0}", "real: 0 is out of range; allowed: above 0, at most 2"},
        {"{\"name\":\"n\",\"real\":\"x\"}", "real: \"x\" is not a number"},
        {"{\"name\":\"n\",\"real\":null}", "real: null is not a number"},
        {"{\"name\":\"n\",\"real\":\"12345678901234567890123456789012345678901234567µ9\"}",
         "real: \"12345678901234567890123456789012345678901234567µ... is not a number"},
        {"{\"name\":\"n\",\"real\":\"123456789012345678901234567890123456789012345678µ\"}",
         "real: \"123456789012345678901234567890123456789012345678... is not a number"},
        {"{\"name\":\"n\",\"real\":\"123456789012345678901234567890123456789012345678\"}", "345678\" is not a number"},
        {"{\"name\":\"n\",\"gap\":-1e400}", "f.json: gap: -inf is not a finite number"},
        {"{\"name\":\"n\",\"gap\":1e400}", "f.json: gap: inf is not a finite number"},
        {"{\"name\":\"n\",\"flag\":1}", "flag: expected true or false"},
        {"{\"name\":\"n\",\"flag\":true,\"switch\":true}", "\"switch\" is the former name of \"flag\""},
        {"{\"name\":\"n\",\"colour\":\"grene\"}", "colour: unknown value \"grene\"; did you mean \"green\"?"},
        {"{\"name\":\"n\",\"words\":[]}", "f.json: words: the list is empty"},
        {"{\"name\":\"n\",\"words\":[\"a\",\"a\"]}", "words[1]: \"a\" occurs twice"},
        {"{\"name\":\"n\",\"words\":[\"a\",2]}", "words[1]: 2 is not a non-empty string in quotes"},
        {"{\"name\":\"n\",\"list\":{}}", "f.json: list: {} is not a list"},
        {"{\"name\":\"n\",\"list\":[{},{\"limit\":0}]}", "f.json: list[1].limit: 0 is out of range; allowed: above 0"},
        {"{\"name\":\"n\",\"part\":{\"limits\":0}}", "f.json: part: unknown key \"limits\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct reading reading = {.text = wrong[i][0], .pool = pool_new()};
        struct error error;
        assert_int_equal(attempt(read_text, &reading, &error), STATUS_BAD_INPUT);
        if (!strstr(error.message, wrong[i][1]))
            fail_msg("%s: %s", wrong[i][0], error.message);
        pool_free(reading.pool);
    }
}

struct grown {
    unsigned schema, always, later, latest;
};
static const struct member grown_members[] = {
    {"schema", MEMBER_COUNT, FIELD(struct grown, schema), .low = 1, .high = 3},
    {"always", MEMBER_COUNT, FIELD(struct grown, always), MEMBER_REQUIRED},
    {"later", MEMBER_COUNT, FIELD(struct grown, later), MEMBER_REQUIRED, .since = 2},
    {"latest", MEMBER_COUNT, FIELD(struct grown, latest), MEMBER_REQUIRED, .since = 3, .fallback = 7},
    MEMBERS_END,
};

static void read_grown(void *context)
{
    const struct json_path top = {.file = "f.json"};
    struct reading *reading = context;
    struct grown grown;
    members_read(reading->pool, grown_members, json_parse(reading->pool, top.file, reading->text), &top, &grown);
    assert_int_equal(grown.latest, strstr(reading->text, "latest") ? 5 : 7);
}

static void files_older_than_a_member_may_lack_it(void **state)
{
    (void)state;
    static const struct {
        const char *text, *lacks; /* NULL: nothing that it must have */
    } cases[] = {
        {"{\"always\":1}", NULL},
        {"{\"schema\":1,\"always\":1}", NULL},
        {"{\"schema\":1,\"always\":1,\"latest\":5}", NULL},
        {"{\"schema\":1,\"latest\":5}", "always"},
        {"{\"schema\":2,\"always\":1,\"later\":2}", NULL},
        {"{\"schema\":2,\"always\":1}", "later"},
        {"{\"schema\":3,\"always\":1,\"later\":2}", "latest"},
        {"{\"always\":1,\"later\":2,\"schema\":3}", "latest"},
        {"{\"schema\":3,\"always\":1,\"later\":2,\"latest\":5}", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reading reading = {.text = cases[i].text, .pool = pool_new()};
        struct error error = {0};
        char message[80];
        const enum status status = attempt(read_grown, &reading, &error);
        snprintf(message, sizeof message, "f.json: key \"%s\" is missing", cases[i].lacks ? cases[i].lacks : "");
        if ((status != STATUS_OK) != (cases[i].lacks != NULL) || (status && strcmp(error.message, message) != 0))
            fail_msg("%s: %s", cases[i].text, error.message);
        pool_free(reading.pool);
    }
}

static void read_nothing(void *into)
{
    const struct json_path place = {.file = "f.json:2"};
    members_read(NULL, thing_members, NULL, &place, into);
}

static void line_that_is_not_json_is_refused(void **state)
{
    (void)state;
    struct thing thing;
    struct error error;
    assert_int_equal(attempt(read_nothing, &thing, &error), STATUS_BAD_INPUT);
    assert_string_equal(error.message, "f.json:2: text that is not JSON is not an object {...}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_are_read_and_written),
        cmocka_unit_test(absent_members_have_their_fallbacks),
        cmocka_unit_test(errors_name_place_and_what_is_allowed),
        cmocka_unit_test(files_older_than_a_member_may_lack_it),
        cmocka_unit_test(line_that_is_not_json_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
