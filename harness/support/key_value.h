/* Words of a command line or a call, NAME=VALUE, as members of a configuration. */
#ifndef HULLBENCH_KEY_VALUE_H
#define HULLBENCH_KEY_VALUE_H

#include <stddef.h>

struct cJSON;

/* Sets the member to a number, with all its digits, which cJSON's own printing does not always keep. */
void key_value_set_number(struct cJSON *object, const char *name, double number);
/* Sets the member to the value: a number where the text is one that JSON can say, else a string. */
void key_value_set(struct cJSON *object, const char *name, const char *value);
/* Sets what the first `length` bytes say, NAME=VALUE; 0, and nothing done, when they are not of that form. */
int key_value_set_pair(struct cJSON *object, const char *pair, size_t length);
/* Sets every pair of a text with commas between them; the first that is none, or NULL. */
const char *key_value_set_list(struct cJSON *object, const char *list);

#endif
