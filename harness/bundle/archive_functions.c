/*
 * The Makefile defines ARCHIVE_SONAME, the name under which the linker found the library. Where it cannot tell the
 * name, the program is linked with libarchive as with any other library.
 */
#include "harness/bundle/archive_functions.h"

#include "harness/support/late_library.h"

enum status archive_load(struct archive_functions *functions, const char *path, struct error *error)
{
#ifdef ARCHIVE_SONAME
#define ENTRY(function) {#function, offsetof(struct archive_functions, function)},
    static const struct late_function list[] = {ARCHIVE_FUNCTIONS(ENTRY)};
    return late_library_open(ARCHIVE_SONAME, list, sizeof list / sizeof *list, functions, &functions->library, path,
                             error);
#else
#define POINTER(function) .function = function,
    (void)path;
    (void)error;
    *functions = (struct archive_functions){ARCHIVE_FUNCTIONS(POINTER)};
    return STATUS_OK;
#endif
}

void archive_unload(struct archive_functions *functions)
{
    late_library_close(functions->library);
}
