/* The message about a name that is not one of the allowed names. */
#ifndef HULLBENCH_UNKNOWN_NAME_H
#define HULLBENCH_UNKNOWN_NAME_H

#include <stddef.h>

enum { UNKNOWN_NAME_SIZE = 840 };

/* Writes 'unknown WHAT "WORD"; did you mean "..."?; allowed: ...' to `text` of `size` bytes, UNKNOWN_NAME_SIZE for all:
 * the closest matches first and then as many other names as fit completely. `allowed` ends in NULL. Returns text. */
const char *unknown_name_text(const char *what, const char *word, const char *const *allowed, char *text, size_t size);

#endif
