#include "harness/base/json_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

/* cJSON returns NULL when out of memory. */
static cJSON *checked(cJSON *item)
{
    if (!item)
        out_of_memory();
    return item;
}

static cJSON *append(cJSON *array, cJSON *item)
{
    if (!cJSON_AddItemToArray(array, checked(item)))
        out_of_memory();
    return item;
}

cJSON *json_new_object(void)
{
    return checked(cJSON_CreateObject());
}

cJSON *json_put_object(cJSON *object, const char *key)
{
    return checked(cJSON_AddObjectToObject(object, key));
}

cJSON *json_put_array(cJSON *object, const char *key)
{
    return checked(cJSON_AddArrayToObject(object, key));
}

cJSON *json_add_object(cJSON *array)
{
    return append(array, cJSON_CreateObject());
}

cJSON *json_new_array(void)
{
    return checked(cJSON_CreateArray());
}

cJSON *json_put_copy(cJSON *object, const char *key, const cJSON *item)
{
    cJSON *copy = checked(cJSON_Duplicate(item, 1));
    if (!cJSON_AddItemToObject(object, key, copy))
        out_of_memory();
    return copy;
}

void json_put_raw(cJSON *object, const char *key, const char *raw)
{
    checked(cJSON_AddRawToObject(object, key, raw));
}

static const char place_of_rows[] = "\001"; /* in texts, control characters are escaped */

void json_put_rows(cJSON *object, const char *key)
{
    json_put_raw(object, key, place_of_rows);
}

/* Writes text that cJSON_Print gives for an object, two levels further in. */
static void write_indented(const char *text, FILE *stream)
{
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        fwrite(text, 1, (size_t)(end + 1 - text), stream);
        fputs("\t\t", stream);
    }
    fputs(text, stream);
}

void json_print_rows(const cJSON *object, const struct json_rows *rows, FILE *stream)
{
    enum { FIRST_SIZE = 16384 };
    char *text = cJSON_Print(object), *place = text ? strchr(text, *place_of_rows) : NULL;
    if (!place)
        out_of_memory();
    *place = '\0';
    fprintf(stream, "%s[", text);
    for (size_t i = 0; i < rows->count; i++) {
        cJSON *row = json_new_object();
        rows->put(row, rows->data, i);
        char *printed = cJSON_PrintBuffered(row, FIRST_SIZE, 1);
        if (!printed)
            out_of_memory();
        fputs(i ? ", " : "", stream);
        write_indented(printed, stream);
        free(printed);
        cJSON_Delete(row);
    }
    fprintf(stream, "]%s\n", place + 1);
    free(text);
}

char *json_line(const cJSON *json)
{
    char *text = cJSON_PrintUnformatted(json);
    if (!text)
        out_of_memory();
    return text;
}

char *json_quoted(const char *text)
{
    cJSON *json = checked(cJSON_CreateString(text));
    char *quoted = json_line(json);
    cJSON_Delete(json);
    return quoted;
}

void json_add_number(cJSON *array, double value)
{
    append(array, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

void json_add_text(cJSON *array, const char *text)
{
    append(array, cJSON_CreateString(text));
}

void json_put_number(cJSON *object, const char *key, double value)
{
    checked(isfinite(value) ? cJSON_AddNumberToObject(object, key, value) : cJSON_AddNullToObject(object, key));
}

void json_put_rounded(cJSON *object, const char *key, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.6g", value);
    json_put_number(object, key, strtod(text, NULL));
}

void json_put_text(cJSON *object, const char *key, const char *text)
{
    checked(cJSON_AddStringToObject(object, key, text));
}

void json_put_bool(cJSON *object, const char *key, int value)
{
    checked(cJSON_AddBoolToObject(object, key, value));
}

void json_put_null(cJSON *object, const char *key)
{
    checked(cJSON_AddNullToObject(object, key));
}
