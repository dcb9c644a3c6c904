#include "harness/support/lazy_library.h"

#include <dlfcn.h>
#include <string.h>

#include "harness/base/die.h"

void lazy_library_open(const char *soname, const struct lazy_function *functions, size_t count, void *into,
                       const char *needed_for)
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
    if (!complete)
        die(STATUS_BAD_INPUT, "%s: needs the library %s: %s", needed_for, soname, dlerror());
}
