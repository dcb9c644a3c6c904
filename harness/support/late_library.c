#include "harness/support/late_library.h"

#include <dlfcn.h>
#include <string.h>

enum status late_library_open(const char *soname, const struct late_function *functions, size_t count, void *into,
                              const char *needed_for, struct error *error)
{
    void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    int complete = library != NULL;
    for (size_t i = 0; i < count && complete; i++) {
        /* ISO C has no conversion from the void * of dlsym to a function pointer; POSIX requires both to have one
         * form. */
        void *found = dlsym(library, functions[i].name);
        memcpy((char *)into + functions[i].offset, &found, sizeof found);
        complete = found != NULL;
    }
    if (complete)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "%s: needs the library %s: %s", needed_for, soname, dlerror());
}
