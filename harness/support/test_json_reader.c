/* Strict JSON: what RFC 8259 allows is read, and everything else is refused at its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <sys/stat.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/support/json_reader.h"
#include "tests/scratch_folder.h"

static void what_the_grammar_allows_is_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0", "-0", " 1 ", "10", "-1.50", "1e5", "1E+05", "1.25e-3", "0.5", "0e1", "true", "false", "null", "\"\"",
        "[]", "{}", " [ ] ", "\t{\r\n}\n", "[1,2]", "[ [ ] , { } ]", "{\"a\":1}", "{ \"a\" : [ { \"a\" : {} } ] }",
        "\"\\\" \\\\ \\/ \\n \\r \\t \\u00e9 \\ud83d\\ude00 \\uFFFF\"",
        "\"\xc2\xa0 \xe2\x80\x8f \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf\"", "\xef\xbb\xbf{\"a\": 1}",
        "{\"\": 1, \" \": 2, \"a\": {\"\": 1}, \"A\": 3}", "[{\"a\": 1}, {\"a\": 2}]"};
    struct pool *pool = pool_new();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct json_fault fault;
        cJSON *json = json_parse_text(texts[i], &fault);
        if (!json)
            fail_msg("\"%s\" is refused: %s", texts[i], fault.why);
        if (!cJSON_Compare(json, json_parse_line(pool, texts[i], &fault), 1))
            fail_msg("\"%s\" has another tree in a pool", texts[i]);
        cJSON_Delete(json);
    }
    pool_free(pool);
}

static void what_it_does_not_allow_is_refused_at_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t at;
    } cases[] = {
        {"", 0}, {" ", 1}, {"\xef\xbb\xbf", 3}, {"02", 0}, {"-02", 0}, {"00", 0}, {"2.", 0}, {"[2.]", 1}, {".5", 0},
        {"+1", 0}, {"-", 0}, {"1e", 0}, {"1e+", 0}, {"1.e5", 0}, {"0x10", 1}, {"1_0", 1}, {"NaN", 0}, {"Infinity", 0},
        {"-Infinity", 0}, {"nan", 0}, {"True", 0}, {"truex", 4}, {"tru", 0}, {"nul", 0}, {"1 2", 2}, {"{} x", 3},
        {"{},", 2}, {"[1,]", 3}, {"[,1]", 1}, {"[1 2]", 3}, {"[1", 2}, {"[", 1}, {"]", 0}, {"[1}", 2}, {"{", 1},
        {"{\"a\"}", 4}, {"{\"a\":}", 5}, {"{\"a\":1,}", 7}, {"{a:1}", 1}, {"{1:1}", 1}, {"{\"a\" 1}", 5},
        {"{\"a\":1 \"b\":2}", 7}, {"{\"a\":1]", 6}, {"'a'", 0}, {"// c\n1", 0}, {"1 /* c */", 2}, {"\f1", 0},
        {"\xc2\xa0" "1", 0}, {"1\xef\xbb\xbf", 1},
        {"\"", 1}, {"\"a", 2}, {"\"a\\\"", 4}, {"\"a\tb\"", 2}, {"\"a\nb\"", 2}, {"\"\x01\"", 1}, {"\"\x1f\"", 1},
        {"\"\\b\"", 1}, {"\"a\\f\"", 2}, {"\"\\u001b[2J\"", 1}, {"\"\\u0007\"", 1}, {"\"\\u009b\"", 1}, {"\"\x7f\"", 1},
        {"\"\\u202e\"", 1}, {"\"\xe2\x80\xae\"", 1}, {"{\"\xe2\x81\xa6\": 1}", 2}, {"\"\xc2\x85\"", 1},
        {"\"\\x41\"", 1}, {"\"\\", 1}, {"\"\\u12\"", 1}, {"\"\\u12g4\"", 1}, {"\"a\\u0000\"", 2}, {"\"\\'\"", 1},
        {"\"\\ud800\"", 1}, {"\"\\udc00\"", 1}, {"\"\\ud800\\u0041\"", 1}, {"\"\\ud800x\"", 1},
        {"\"\xff\"", 1}, {"\"\xc0\xaf\"", 1}, {"\"\xc3\"", 1}, {"\"\xe2\x82\"", 1}, {"\"\xed\xa0\x80\"", 1},
        {"\"\xf4\x90\x80\x80\"", 1}, {"\"\x80\"", 1}, {"{\"\xe9\": 1}", 2}, {"\xe9", 0},
        {"{\"a\": 1, \"a\": 1}", 9}, {"{\"a\": 1, \"\\u0061\": 1}", 9},
        {"[{}, {\"x\": {\"b\": 0, \"c\": 1, \"b\": 2}}]", 28},
        {"{\"x\": {\"x\": 1}, \"y\": [{\"x\": 2}], \"x\": 3}", 33}, {"{\"\": 1, \"\": 2}", 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json_fault fault;
        cJSON *json = json_parse_text(cases[i].text, &fault);
        if (json || fault.at != cases[i].text + cases[i].at || !*fault.why)
            fail_msg("\"%s\": %s at %td, not at %zu", cases[i].text, json ? "read" : fault.why,
                     json ? 0 : fault.at - cases[i].text, cases[i].at);
        struct pool *pool = pool_new();
        fault.at = NULL;
        assert_null(json_parse_line(pool, cases[i].text, &fault));
        assert_ptr_equal(fault.at, cases[i].text + cases[i].at);
        pool_free(pool);
    }
}

/* 1000 levels are read and 1001 are not; of 400 keys, two that are equal are found wherever they are. */
static void large_texts_are_checked_too(void **state)
{
    (void)state;
    static char text[20000];
    struct json_fault fault;
    for (size_t levels = 1000; levels <= 1001; levels++) {
        memset(text, '[', levels);
        memset(text + levels, ']', levels);
        text[2 * levels] = '\0';
        cJSON *json = json_parse_text(text, &fault);
        assert_int_equal(json != NULL, levels == 1000);
        cJSON_Delete(json);
    }
    for (size_t second = 0; second < 400; second += 57) {
        size_t used = 0, place = 0;
        for (size_t k = 0; k < 400; k++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s", k ? ", " : "{");
            place = k == second ? used : place;
            used += (size_t)snprintf(text + used, sizeof text - used, "\"%zu\": [{\"7\": 1}]",
                                     k == second && second ? (size_t)0 : (k * 7919) % 400);
        }
        snprintf(text + used, sizeof text - used, "}");
        cJSON *json = json_parse_text(text, &fault);
        assert_int_equal(json == NULL, second > 0);
        if (second)
            assert_int_equal(fault.at - text, place);
        cJSON_Delete(json);
    }
}

/* A pool's tree has the keys, values and places of its text, whatever the pool held before. */
static void a_pool_holds_one_tree_after_another(void **state)
{
    (void)state;
    struct pool *pool = pool_new();
    struct json_fault fault;
    static char text[20000] = "[0";
    for (size_t i = 1, used = 2; i < 1000; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, ",%zu%s", i, i == 999 ? "]" : "");
    const char *const texts[] = {"{\"a\": 1}", text, "{\"\\u0061\": {\"b\":\"\\\"c\"} , \"d\":3.3306690738754696e-16}"};
    for (size_t i = 0; i < 3; i++) {
        const cJSON *json = json_parse_line(pool, texts[i], &fault), *a;
        assert_non_null(json);
        if (i == 1) {
            assert_int_equal(cJSON_GetArraySize(json), 1000);
            assert_true(cJSON_GetArrayItem(json, 999)->valuedouble == 999);
        }
        if (i != 2)
            continue;
        a = cJSON_GetObjectItemCaseSensitive(json, "a");
        assert_string_equal(a->child->valuestring, "\"c");
        assert_true(a->next->valuedouble == 3.3306690738754696e-16);
        assert_memory_equal(json_span_of(a).text, "{\"b\":\"\\\"c\"}", json_span_of(a).length);
        assert_int_equal(json_span_of(a).length, 11);
    }
    pool_free(pool);
}

/* The message of a file names its line and column; bytes after a zero byte are not ignored. */
static void read_json(void *path)
{
    json_read(pool_new(), path);
}

static void a_file_is_refused_with_line_and_column(void **state)
{
    (void)state;
    char path[SCRATCH_PATH_SIZE];
    struct error error;
    assert_int_equal(scratch_file_new(path, "test-json"), 0);
    static const char number[] = "{\"a\": 1,\n \"b\": 02}\n", zero[] = "{\n}\n\0 {";
    file_write(path, number, sizeof number - 1);
    assert_int_equal(attempt(read_json, path, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, ":2:7: not valid JSON at \"02} \": "));
    file_write(path, zero, sizeof zero - 1);
    assert_int_equal(attempt(read_json, path, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, ":3: zero byte"));
    remove(path);
}

/* A byte order mark takes no column in the first line, and no character of what is quoted is cut in two: the quoted
 * text has at most 20 bytes, the last of which would be the first of \xc3\xa4. */
static void positions_and_quotes_are_those_that_an_editor_shows(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"\xef\xbb\xbf{\"a\": 02}", ":1:7: not valid JSON at \"02}\": "},
        {"\xef\xbb\xbf{\n\"a\": 02}", ":2:6: not valid JSON at \"02}\": "},
        {"\xef\xbb\xbf", ":1:1: not valid JSON at \"end of file\": "},
        {"[02345678901234567890\xc3\xa4]", ":1:2: not valid JSON at \"02345678901234567890\": "},
        {"[0234567890123456789\xc3\xa4]", ":1:2: not valid JSON at \"0234567890123456789\": "},
    };
    char path[SCRATCH_PATH_SIZE];
    assert_int_equal(scratch_file_new(path, "test-json-shown"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error;
        file_write(path, cases[i].text, strlen(cases[i].text));
        assert_int_equal(attempt(read_json, path, &error), STATUS_BAD_INPUT);
        assert_int_equal(strncmp(error.message + strlen(path), cases[i].message, strlen(cases[i].message)), 0);
    }
    remove(path);
}

static void die_at(void *place)
{
    json_die((const struct json_path *)place, "is wrong");
}

static void die_of_key(void *place)
{
    static const char *const allowed[] = {"name", NULL};
    json_die_unknown(place, "key", "nam", allowed);
}

/* Positions are counted by hand. */
static void an_error_names_line_and_column_of_its_member(void **state)
{
    (void)state;
    static const char text[] = "{\"a\": 1,\n  \"b\": [{\"c\": 2},\n    {\"nam\": 3, \"c\": {}}]}\n";
    char path[SCRATCH_PATH_SIZE];
    assert_int_equal(scratch_file_new(path, "test-json-place"), 0);
    file_write(path, text, sizeof text - 1);
    const struct json_path top = {.file = path}, b = {.outer = &top, .key = "b"},
                           second = {.outer = &b, .index = 1}, c = {.outer = &second, .key = "c"},
                           third = {.outer = &b, .index = 2}, absent = {.outer = &second, .key = "d"};
    const struct {
        void (*work)(void *place);
        const struct json_path *place;
        const char *message;
    } cases[] = {
        {die_at, &top, ": is wrong"},
        {die_at, &b, ":2:3: b: is wrong"},
        {die_at, &second, ":3:5: b[1]: is wrong"},
        {die_at, &c, ":3:16: b[1].c: is wrong"},
        {die_at, &third, ": b[2]: is wrong"},
        {die_at, &absent, ": b[1].d: is wrong"},
        {die_of_key, &second, ":3:6: b[1]: unknown key \"nam\"; did you mean \"name\"?; allowed: name"},
        {die_of_key, &top, ": unknown key \"nam\"; did you mean \"name\"?; allowed: name"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error;
        assert_int_equal(attempt(cases[i].work, (void *)(uintptr_t)cases[i].place, &error), STATUS_BAD_INPUT);
        assert_int_equal(strncmp(error.message, path, strlen(path)), 0);
        assert_string_equal(error.message + strlen(path), cases[i].message);
    }
    file_write(path, "{\"b\": ", 6); /* no longer JSON */
    assert_string_equal(json_place(&b) + strlen(path), ": b");
    remove(path);
    assert_int_equal(mkfifo(path, 0600), 0); /* reading it would never end */
    assert_string_equal(json_place(&b) + strlen(path), ": b");
    remove(path);
    assert_string_equal(json_place(&b) + strlen(path), ": b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_grammar_allows_is_read),
        cmocka_unit_test(what_it_does_not_allow_is_refused_at_its_place),
        cmocka_unit_test(large_texts_are_checked_too),
        cmocka_unit_test(a_pool_holds_one_tree_after_another),
        cmocka_unit_test(a_file_is_refused_with_line_and_column),
        cmocka_unit_test(positions_and_quotes_are_those_that_an_editor_shows),
        cmocka_unit_test(an_error_names_line_and_column_of_its_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
