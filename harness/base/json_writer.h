/*
 * Builds JSON. Want of memory ends the program (pool.h), so no call needs a check. A value that is not finite becomes
 * null, as in all files.
 */
#ifndef HULLBENCH_JSON_WRITER_H
#define HULLBENCH_JSON_WRITER_H

#include <cjson/cJSON.h>
#include <stdio.h>

/* cJSON's own: a new object or array, to be freed with cJSON_Delete; a member `key` of an object, the first two empty;
 * the value as one line without white space, malloc'ed. */
#define json_new_object cJSON_CreateObject
#define json_new_array cJSON_CreateArray
#define json_put_object cJSON_AddObjectToObject
#define json_put_array cJSON_AddArrayToObject
#define json_put_bool cJSON_AddBoolToObject
#define json_put_null cJSON_AddNullToObject
#define json_put_raw cJSON_AddRawToObject
#define json_line cJSON_PrintUnformatted

/* A text; NULL: null. */
void json_put_text(cJSON *object, const char *key, const char *text);
void json_put_number(cJSON *object, const char *key, double value);
/* Adds each number, under its key. */
struct json_number {
    const char *key;
    double value;
};
void json_put_numbers(cJSON *object, const struct json_number *numbers, size_t count);
/* Adds a number rounded to six digits: libraries agree no further on logarithms, exponentials and distributions. */
void json_put_rounded(cJSON *object, const char *key, double value);
/* Adds a deep copy of `item`. */
cJSON *json_put_copy(cJSON *object, const char *key, const cJSON *item);

/* A new empty object, a string or a number as last element of an array. */
cJSON *json_add_object(cJSON *array);
void json_add_text(cJSON *array, const char *text);
void json_add_number(cJSON *array, double value);

/* Prints the text as a JSON string. */
void json_print_text(FILE *stream, const char *text);

#endif
