/*
 * Reading configuration files strictly: every problem is a one-line error that names the file, the key, the value and
 * what is allowed, with close matches for a misspelt word.
 */
#ifndef HULLBENCH_JSON_FIELD_H
#define HULLBENCH_JSON_FIELD_H

#include <stddef.h>

#include "solvers/error.h"

struct cJSON;

/* Where we are in a file, for messages: "FILE: KEY.KEY[3]". */
struct json_path {
    const char *file;
    const struct json_path *outer; /* NULL at the top of the file */
    const char *key;           /* name of a member, or NULL for an element */
    size_t index;
};

/* Fills *error with "FILE: KEY: MESSAGE" and returns STATUS_BAD_INPUT. Control characters, which a name in a file may
 * hold, become spaces: the message is one line. */
enum status json_error(const struct json_path *place, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Error unless all texts and keys of the value are UTF-8, which cJSON does not look at. */
enum status json_check_utf8(const struct cJSON *value, const struct json_path *place, struct error *error);
/* Error unless every member of the object is one of `allowed` (NULL-terminated) and stands there once. */
enum status json_check_keys(const struct cJSON *object, const struct json_path *place, const char *const *allowed,
                             struct error *error);
/* Error "unknown WHAT "WORD"; allowed: ...": close matches first, then as many of the others as there is room for,
 * whole. */
enum status json_unknown_name(const struct json_path *place, const char *what, const char *word,
                              const char *const *allowed, struct error *error);
/* A string member; *value is borrowed from the JSON, or NULL when the member is absent and not `required`. */
enum status json_text(const struct cJSON *object, const char *key, const struct json_path *place, int required,
                       const char **value, struct error *error);
/* A number member with above < value <= at_most; *value is left alone when absent and not required. */
enum status json_number(const struct cJSON *object, const char *key, const struct json_path *place, int required,
                         double above, double at_most, double *value, struct error *error);
/* The same for an optional whole number. */
enum status json_integer(const struct cJSON *object, const char *key, const struct json_path *place, double above,
                         double at_most, double *value, struct error *error);
/* The same for an optional count, min <= value <= max. */
enum status json_count(const struct cJSON *object, const char *key, const struct json_path *place, size_t min,
                       size_t max, size_t *value, struct error *error);
/* An optional true or false; *value is left alone when absent. */
enum status json_flag(const struct cJSON *object, const char *key, const struct json_path *place, int *value,
                       struct error *error);

/* A member of an object and where its value goes: the one pointer that is not NULL says what the value must be. Where
 * there is none, the caller reads it. */
struct json_member {
    const char *key;
    int required;
    const char **text;         /* non-empty */
    double *number;            /* above < value <= at_most */
    double above, at_most;
    int is_closed;             /* nonzero: `above` itself is allowed for the number, too */
    size_t *count;             /* a whole number, above < value <= at_most */
    int *flag;
    int *choice;               /* the index among `names`, NULL-terminated, of the name that stands there */
    const char *const *names;
    const struct cJSON **list; /* as is, like an object */
    const struct cJSON **object;
};

/* Reads the members, n in number, into what they point to, as the functions above do: *text, *list and *object are NULL
 * where the member is absent and not required, the others left alone. Further members are not looked at. */
enum status json_members(const struct cJSON *object, const struct json_path *place, const struct json_member *members,
                         size_t n, struct error *error);

/* The same for an object that has no other members, and each of them once; at most 20. */
enum status json_only_members(const struct cJSON *object, const struct json_path *place,
                              const struct json_member *members, size_t n, struct error *error);

/* Whether the text is a string of the array. Accepts NULL: no. */
int json_list_has(const struct cJSON *array, const char *text);

/* Prints a number with the fewest of 6, 15 and 17 digits that read back as the same; returns text. */
const char *json_number_to_text(double number, char *text, size_t size);
/* Prints a value as JSON, cut to a readable length, into `text` of `size` bytes; returns text. */
const char *json_to_text(const struct cJSON *value, char *text, size_t size);

#endif
