/*
 * The Makefile defines MATIO_SONAME, the name under which the linker found the library. Where it cannot tell the name,
 * the program is linked with matio as with any other library.
 */
#include "harness/data/matio_functions.h"

#include "harness/support/late_library.h"

enum status matio_load(struct matio_functions *matio, const char *path, struct error *error)
{
#ifdef MATIO_SONAME
#define ENTRY(function) {#function, offsetof(struct matio_functions, function)},
    static const struct late_function functions[] = {MATIO_FUNCTIONS(ENTRY)};
    return late_library_open(MATIO_SONAME, functions, sizeof functions / sizeof *functions, matio, &matio->library,
                             path, error);
#else
#define POINTER(function) .function = function,
    (void)path;
    (void)error;
    *matio = (struct matio_functions){MATIO_FUNCTIONS(POINTER)};
    return STATUS_OK;
#endif
}

void matio_unload(struct matio_functions *matio)
{
    late_library_close(matio->library);
}
