/* Converts NAME=VALUE pairs of a command line to members of a configuration. */
#ifndef HULLBENCH_KEY_VALUE_H
#define HULLBENCH_KEY_VALUE_H

#include <stddef.h>

struct cJSON;

/* Sets a member to a number. */
void key_value_set_number(struct cJSON *object, const char *name, double number);
/* Sets a member to a number if `value` is a finite number, otherwise to a string. */
void key_value_set(struct cJSON *object, const char *name, const char *value);
/* Sets a member from the first `length` bytes, NAME=VALUE. Returns 0 and sets nothing if they have another form. */
int key_value_set_pair(struct cJSON *object, const char *pair, size_t length);

#endif
