#include "harness/support/archive_functions.h"

#include <dlfcn.h>
#include <string.h>

#include "harness/base/die.h"

#define NAME(function) #function,
#define POINTER(function) .function = function,

void archive_load_from(const char *soname, struct archive_functions *functions, const char *path)
{
    static const char *const names[] = {ARCHIVE_FUNCTIONS(NAME)};
    _Static_assert(sizeof *functions == sizeof names, "the struct has a pointer for each name, in this order");
    void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        /* ISO C has no conversion from the void * of dlsym to a function pointer; POSIX requires both to have one
         * form. */
        void *found = library ? dlsym(library, names[i]) : NULL;
        memcpy((char *)functions + i * sizeof found, &found, sizeof found);
        if (!found)
            die(STATUS_BAD_INPUT, "%s: needs the library %s: %s", path, soname, dlerror());
    }
}

void archive_load(struct archive_functions *functions, const char *path)
{
#ifdef ARCHIVE_SONAME /* the name under which the linker found the library, where the Makefile can tell it */
    archive_load_from(ARCHIVE_SONAME, functions, path);
#else
    (void)path;
    *functions = (struct archive_functions){ARCHIVE_FUNCTIONS(POINTER)};
#endif
}
