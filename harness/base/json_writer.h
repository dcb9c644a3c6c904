/*
 * Builds JSON without an error check for every member: running out of memory ends the program
 * (harness/base/memory.h). A value that is not finite becomes null, as in all files.
 */
#ifndef HULLBENCH_JSON_WRITER_H
#define HULLBENCH_JSON_WRITER_H

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdio.h>

/* A new object; free it with cJSON_Delete. */
cJSON *json_new_object(void);
/* Adds a new empty object or array as member `key` of `object`, or as last element of `array`, which owns it. */
cJSON *json_put_object(cJSON *object, const char *key);
cJSON *json_put_array(cJSON *object, const char *key);
cJSON *json_add_object(cJSON *array);

void json_put_number(cJSON *object, const char *key, double value);
/* Adds each number, under its key. */
struct json_number {
    const char *key;
    double value;
};
void json_put_numbers(cJSON *object, const struct json_number *numbers, size_t count);
/* Adds a number rounded to six digits: mathematical libraries agree no further on logarithms, exponentials and
 * distributions. */
void json_put_rounded(cJSON *object, const char *key, double value);
void json_put_text(cJSON *object, const char *key, const char *text);
void json_put_bool(cJSON *object, const char *key, int value);
void json_put_null(cJSON *object, const char *key);
/* Adds a deep copy of `item`, or the unchanged JSON text `raw`, as member `key`. */
cJSON *json_put_copy(cJSON *object, const char *key, const cJSON *item);
void json_put_raw(cJSON *object, const char *key, const char *raw);
/* A new array, to be freed with cJSON_Delete; a string or number as its last element. */
cJSON *json_new_array(void);
void json_add_text(cJSON *array, const char *text);
void json_add_number(cJSON *array, double value);

/* Prints the value on one line without white space; malloc'ed. */
char *json_line(const cJSON *json);
/* Quotes the text as a JSON string; malloc'ed. */
char *json_quoted(const char *text);

#endif
