/*
 * Strict reading of configuration files: every error is one line that names the file, the key, the value and what is
 * allowed, with close matches for a misspelt word.
 */
#ifndef HULLBENCH_JSON_FIELD_H
#define HULLBENCH_JSON_FIELD_H

#include <stddef.h>

#include "solvers/error.h"

struct cJSON;

/* The current position in a file, for messages: "FILE: KEY.KEY[3]". */
struct json_path {
    const char *file;
    const struct json_path *outer; /* NULL at the top of the file */
    const char *key;           /* name of a member, or NULL for an element */
    size_t index;
};

/* Sets *error to "FILE: KEY: MESSAGE" with STATUS_BAD_INPUT. */
void json_error(const struct json_path *place, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same message, with the status, ends the program or the attempt (die.h). */
_Noreturn void json_die_of(enum status status, const struct json_path *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define json_die(place, ...) json_die_of(STATUS_BAD_INPUT, (place), __VA_ARGS__)
/* The message "unknown WHAT "WORD"; allowed: ...", with close matches first and then as many other names as fit
 * completely; `allowed` ends in NULL. */
_Noreturn void json_die_unknown(const struct json_path *place, const char *what, const char *word,
                                const char *const *allowed);

/* Dies unless every member of the object is one of `allowed` (NULL-terminated). */
void json_check_members(const struct cJSON *object, const struct json_path *place, const char *const *allowed);
/* The required string member, which is not empty and has no control character, borrowed from the JSON. */
const char *json_read_text(const struct cJSON *object, const char *key, const struct json_path *place);

/* Whether the array contains the string. Accepts NULL: no. */
int json_list_has(const struct cJSON *array, const char *text);

/* Prints a number with the fewest of 6, 15 or 17 digits that read back as the same number; returns text. */
const char *json_number_to_text(double number, char *text, size_t size);
/* Prints a value as JSON, shortened for messages, into `text` of `size` bytes; returns text. */
const char *json_to_text(const struct cJSON *value, char *text, size_t size);

#endif
