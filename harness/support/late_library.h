/* Shared libraries that are loaded when a command first needs them. libarchive and matio bring some forty other
 * libraries; loading them at every start takes longer than many commands need. */
#ifndef HULLBENCH_LATE_LIBRARY_H
#define HULLBENCH_LATE_LIBRARY_H

#include <stddef.h>

#include "solvers/error.h"

/* A function of the library, and where a pointer to it is stored: the offset in a struct of function pointers. */
struct late_function {
    const char *name;
    size_t offset;
};

/* Loads the library `soname` and stores pointers to its `count` functions in the struct `into`. Sets *library, which
 * late_library_close frees. `needed_for` begins the message, for example the name of a file. STATUS_BAD_INPUT if the
 * library cannot be loaded or has no such function. */
enum status late_library_open(const char *soname, const struct late_function *functions, size_t count, void *into,
                              void **library, const char *needed_for, struct error *error);
/* Accepts NULL. */
void late_library_close(void *library);

#endif
