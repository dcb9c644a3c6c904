/* Strict JSON: texts that RFC 8259 allows, in UTF-8, without repeated keys. cJSON alone reads 02, 2. and raw control
 * characters, and stops at what follows a value. */
#ifndef HULLBENCH_JSON_TEXT_H
#define HULLBENCH_JSON_TEXT_H

#include <stddef.h>

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

/* Memory for one tree after another. Zero-initialise. */
struct json_node;
struct json_pool {
    struct json_node *blocks[32];
    size_t block, used;             /* the block in use, and its used nodes */
    char *strings;                  /* keys and strings of the tree */
    size_t n_strings, strings_size;
};
/* The same without a tree to release: it lives, unchanged, until the pool's next text. Of a number only valuedouble is
 * set. */
const struct cJSON *json_parse_pooled(struct json_pool *pool, const char *text, struct json_fault *fault);
void json_pool_free(struct json_pool *pool);

/* Part of a text. */
struct json_span {
    const char *text;
    size_t length;
};
/* The characters of a value of a pool's tree, while its text lives. */
struct json_span json_pool_span(const struct cJSON *value);

#endif
