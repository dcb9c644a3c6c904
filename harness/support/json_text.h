/* Strict JSON: texts that RFC 8259 allows, in UTF-8, without repeated keys. cJSON alone reads 02, 2. and raw control
 * characters, and stops at what follows a value. */
#ifndef HULLBENCH_JSON_TEXT_H
#define HULLBENCH_JSON_TEXT_H

struct cJSON;

/* Why a text was refused. */
struct json_fault {
    const char *at; /* in the text; NULL: out of memory */
    char why[80];
};

/* Parses a text, which may begin with a byte order mark. Strings and keys have no control characters
 * (visible_text.h) but \n, \r and \t; at most 1000 levels. NULL, with the fault, if the text is refused; release the
 * result with cJSON_Delete. */
struct cJSON *json_parse_text(const char *text, struct json_fault *fault);

#endif
