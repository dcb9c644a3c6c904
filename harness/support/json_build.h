/*
 * Building JSON without a check at every member: each call does nothing once *failed is set, sets it when memory runs
 * out, and the builder looks at it once at the end. A value that is not finite becomes null, as everywhere in the
 * files.
 */
#ifndef HULLBENCH_JSON_BUILD_H
#define HULLBENCH_JSON_BUILD_H

#include <cjson/cJSON.h>

/* A new object, freed with cJSON_Delete; NULL when out of memory. */
cJSON *json_new_object(int *failed);
/* A new empty object or array as member `key` of `object`, or as last element of `array`; owned by it. */
cJSON *json_put_object(cJSON *object, const char *key, int *failed);
cJSON *json_put_array(cJSON *object, const char *key, int *failed);
cJSON *json_add_object(cJSON *array, int *failed);

void json_put_number(cJSON *object, const char *key, double value, int *failed);
/* Rounded to six digits: for what logarithms, exponentials and distributions went into, which libraries agree on no further. */
void json_put_rounded(cJSON *object, const char *key, double value, int *failed);
void json_put_text(cJSON *object, const char *key, const char *text, int *failed);
void json_put_bool(cJSON *object, const char *key, int value, int *failed);
void json_put_null(cJSON *object, const char *key, int *failed);
/* A text as last element of `array`. */
void json_add_text(cJSON *array, const char *text, int *failed);

#endif
