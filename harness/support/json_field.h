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

/* Sets *error to "FILE: KEY: MESSAGE" and returns STATUS_BAD_INPUT. */
enum status json_error(const struct json_path *place, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same messages, but they end the program or the attempt (die.h). */
_Noreturn void json_die(const struct json_path *place, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same with another status than STATUS_BAD_INPUT. */
_Noreturn void json_die_of(enum status status, const struct json_path *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void json_die_unknown(const struct json_path *place, const char *what, const char *word,
                                const char *const *allowed);

/* Dies unless every member of the object is one of `allowed` (NULL-terminated). */
void json_check_members(const struct cJSON *object, const struct json_path *place, const char *const *allowed);
/* The required string member, which is not empty and has no control character, borrowed from the JSON. */
const char *json_read_text(const struct cJSON *object, const char *key, const struct json_path *place);

/* An error unless every member of the object is one of `allowed` (NULL-terminated). */
enum status json_check_keys(const struct cJSON *object, const struct json_path *place, const char *const *allowed,
                             struct error *error);
/* The error "unknown WHAT "WORD"; allowed: ...", with close matches first and then as many other names as fit
 * completely. */
enum status json_unknown_name(const struct json_path *place, const char *what, const char *word,
                              const char *const *allowed, struct error *error);
/* Reads a string member, which is not empty and has no control character; *value is borrowed from the JSON, or NULL if
 * the member is absent and not `required`. */
enum status json_text(const struct cJSON *object, const char *key, const struct json_path *place, int required,
                       const char **value, struct error *error);
/* Reads a number member with above < value <= at_most; *value is unchanged if it is absent and not required. */
enum status json_number(const struct cJSON *object, const char *key, const struct json_path *place, int required,
                         double above, double at_most, double *value, struct error *error);
/* The same for an optional integer. */
enum status json_integer(const struct cJSON *object, const char *key, const struct json_path *place, double above,
                         double at_most, double *value, struct error *error);
/* The same for an optional count, min <= value <= max. */
enum status json_count(const struct cJSON *object, const char *key, const struct json_path *place, size_t min,
                       size_t max, size_t *value, struct error *error);
/* Reads an optional true or false; *value is unchanged if it is absent. */
enum status json_flag(const struct cJSON *object, const char *key, const struct json_path *place, int *value,
                       struct error *error);

/* A member of an object and the destination of its value. The one pointer that is not NULL determines the expected
 * type; if all are NULL, the caller reads the member. */
struct json_member {
    const char *key;
    int required;
    const char **text;         /* non-empty */
    double *number;            /* above < value <= at_most */
    double above, at_most;
    int is_closed;             /* nonzero: the number may also equal `above` */
    size_t *count;             /* an integer, above < value <= at_most */
    int *flag;
    int *choice;               /* index of the value in `names` (NULL-terminated) */
    const char *const *names;
    const struct cJSON **list; /* unparsed, as is `object` */
    const struct cJSON **object;
};

/* Reads `n` members into their destinations, as the functions above do. For an absent optional member *text, *list and
 * *object become NULL; the other destinations are unchanged. Other members of the object are ignored. */
enum status json_members(const struct cJSON *object, const struct json_path *place, const struct json_member *members,
                         size_t n, struct error *error);

/* The same for an object that may have only these members, each once; n is at most 20. */
enum status json_only_members(const struct cJSON *object, const struct json_path *place,
                              const struct json_member *members, size_t n, struct error *error);

/* Whether the array contains the string. Accepts NULL: no. */
int json_list_has(const struct cJSON *array, const char *text);

/* Prints a number with the fewest of 6, 15 or 17 digits that read back as the same number; returns text. */
const char *json_number_to_text(double number, char *text, size_t size);
/* Prints a value as JSON, shortened for messages, into `text` of `size` bytes; returns text. */
const char *json_to_text(const struct cJSON *value, char *text, size_t size);

#endif
