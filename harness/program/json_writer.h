/*
 * Building JSON without a check at every member: running out of memory ends the program (harness/program/memory.h). A
 * value that is not finite becomes null, as everywhere in the files.
 */
#ifndef HULLBENCH_JSON_WRITER_H
#define HULLBENCH_JSON_WRITER_H

#include <cjson/cJSON.h>

/* A new object, freed with cJSON_Delete. */
cJSON *json_new_object(void);
/* A new empty object or array as member `key` of `object`, or as last element of `array`; owned by it. */
cJSON *json_put_object(cJSON *object, const char *key);
cJSON *json_put_array(cJSON *object, const char *key);
cJSON *json_add_object(cJSON *array);

void json_put_number(cJSON *object, const char *key, double value);
/* Rounded to six digits: for results of logarithms, exponentials and distributions, on which mathematical libraries
 * agree no further. */
void json_put_rounded(cJSON *object, const char *key, double value);
void json_put_text(cJSON *object, const char *key, const char *text);
void json_put_bool(cJSON *object, const char *key, int value);
void json_put_null(cJSON *object, const char *key);
/* A deep copy of `item`, or the JSON text `raw` as it stands, as member `key`. */
cJSON *json_put_copy(cJSON *object, const char *key, const cJSON *item);
void json_put_raw(cJSON *object, const char *key, const char *raw);
/* A new array, freed with cJSON_Delete, and a text or number as last element of one. */
cJSON *json_new_array(void);
void json_add_text(cJSON *array, const char *text);
void json_add_number(cJSON *array, double value);

/* The value in one line without white space, malloc'ed. */
char *json_line(const cJSON *json);
/* The text as a JSON string, quoted, malloc'ed. */
char *json_quoted(const char *text);

#endif
