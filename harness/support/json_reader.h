/*
 * Strict reading of JSON: texts that RFC 8259 allows, in UTF-8, without repeated keys, control characters
 * (visible_text.h) other than \n, \r and \t, and more than 1000 levels. cJSON alone reads 02, 2. and raw control
 * characters, and stops at what follows a value. A text may begin with a byte order mark.
 *
 * Errors of files are one line that names the file, the key, the value and what is allowed, with close matches for a
 * misspelt word.
 */
#ifndef HULLBENCH_JSON_READER_H
#define HULLBENCH_JSON_READER_H

#include <cjson/cJSON.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"

#define json_member cJSON_GetObjectItemCaseSensitive
/* A loop over the elements of an array or the members of an object; NULL has none. */
#define json_each(item, list) for (const cJSON *item = json_first(list); item; item = item->next)
static inline const cJSON *json_first(const cJSON *list)
{
    return list ? list->child : NULL;
}
/* The text of a member; NULL: it is none. */
#define json_text(object, key) cJSON_GetStringValue(json_member(object, key))

/* ---- texts ---- */

/* Why a text was refused. */
struct json_fault {
    const char *at; /* in the text */
    char why[80];
};
/* The tree of a text, in the pool: it is not changed and not released with cJSON_Delete. Of numbers only valuedouble is
 * set. NULL, with the fault (unless that is NULL), if the text is refused. */
const struct cJSON *json_parse_pooled(struct pool *pool, const char *text, struct json_fault *fault);

/* The same for one line after another: resets the pool first. */
const struct cJSON *json_parse_line(struct pool *pool, const char *text, struct json_fault *fault);
/* Part of a text. */
struct json_span {
    const char *text;
    size_t length;
};
/* The characters of a value of such a tree, while its text lives. */
struct json_span json_span_of(const struct cJSON *value);

/* A tree that may be changed; release it with cJSON_Delete. NULL, with the fault, if the text is refused. */
struct cJSON *json_parse_text(const char *text, struct json_fault *fault);
/* The same, kept by the pool; dies with an error "LABEL:LINE:COLUMN: ...". */
struct cJSON *json_parse(struct pool *pool, const char *label, const char *text);
/* Reads and parses a file. */
struct cJSON *json_read(struct pool *pool, const char *path);
/* The same, but NULL if the file does not exist. */
struct cJSON *json_read_or_null(struct pool *pool, const char *path);
/* Lets the pool release the tree, and returns it. */
struct cJSON *json_keep(struct pool *pool, struct cJSON *json);

/* Prints formatted JSON and a newline. */
void json_print(const struct cJSON *json, FILE *stream);
/* Writes JSON as json_print does, as a whole file. */
void json_write(const char *path, const struct cJSON *json);

/* ---- places ---- */

/* The current position in a file, for messages: "FILE:LINE:COLUMN: KEY.KEY[3]". Line and column, of the key or element,
 * are those of the regular file FILE, if it has the place; a place that is the whole file has none. */
struct json_path {
    const char *file;
    const struct json_path *outer; /* NULL at the top of the file */
    const char *key;           /* name of a member, or NULL for an element */
    size_t index;
};
/* The position of a member, or of an element, at a position. */
#define json_at(place, name) (&(const struct json_path){.outer = (place), .key = (name)})
#define json_at_index(place, i) (&(const struct json_path){.outer = (place), .index = (i)})
/* The position as text (message_room). */
const char *json_place(const struct json_path *place);

/* Dies with "PLACE: MESSAGE". */
#define json_die_of(status, place, ...) die((status), "%s: %s", json_place(place), message_text(__VA_ARGS__))
#define json_die(place, ...) json_die_of(STATUS_BAD_INPUT, (place), __VA_ARGS__)
/* The message "unknown WHAT "WORD"; allowed: ...", with close matches first and then as many other names as fit
 * completely; `allowed` ends in NULL. */
_Noreturn void json_die_unknown(const struct json_path *place, const char *what, const char *word,
                                const char *const *allowed);
/* As json_parse_line, but dies unless the line is one object; the message has the column. */
const struct cJSON *json_object_of_line(struct pool *pool, const char *text, const struct json_path *place);

/* ---- members and values ---- */

/* json_die_unknown unless the word is one of `allowed`. */
void json_check_word(const struct json_path *place, const char *what, const char *word, const char *const *allowed);

/* Dies unless every member of the object is one of `allowed` (NULL-terminated). */
void json_check_members(const struct cJSON *object, const struct json_path *place, const char *const *allowed);
/* The required string member, which is not empty and has no control character, borrowed from the JSON. */
const char *json_read_text(const struct cJSON *object, const char *key, const struct json_path *place);

/* Whether the array contains the string. Accepts NULL: no. */
int json_list_has(const struct cJSON *array, const char *text);

/* A number with the fewest of 6, 15 or 17 digits that read back as it; a value as JSON, shortened (message_room). */
const char *json_number_to_text(double number);
const char *json_to_text(const struct cJSON *value);

/* Sets a member to a number, or to one if the text is a finite number and otherwise to a string. */
void json_set_number(struct cJSON *object, const char *key, double number);
void json_set_word(struct cJSON *object, const char *key, const char *text);

#endif
