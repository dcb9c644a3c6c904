/*
 * The Makefile defines MATIO_SONAME, the name under which the linker found the library. Where it cannot tell the name,
 * the program is linked with matio as with any other library.
 */
#include "harness/data/matio_functions.h"

#ifdef MATIO_SONAME
#include <dlfcn.h>
#include <string.h>

/* ISO C has no conversion from the void * of dlsym to a function pointer; POSIX requires both to have one form. */
static int find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

enum status matio_load(struct matio_functions *matio, const char *path, struct error *error)
{
    matio->library = dlopen(MATIO_SONAME, RTLD_NOW | RTLD_LOCAL);
    if (matio->library && find(matio->library, "Mat_Open", &matio->open) &&
        find(matio->library, "Mat_Close", &matio->close) &&
        find(matio->library, "Mat_LogInitFunc", &matio->set_log) &&
        find(matio->library, "Mat_SizeOfClass", &matio->size_of_class) &&
        find(matio->library, "Mat_VarReadInfo", &matio->read_info) &&
        find(matio->library, "Mat_VarRead", &matio->read) && find(matio->library, "Mat_VarFree", &matio->free) &&
        find(matio->library, "Mat_VarGetStructFieldByName", &matio->field))
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "%s: MATLAB files need the library matio: %s", path, dlerror());
}

void matio_unload(struct matio_functions *matio)
{
    if (matio->library)
        dlclose(matio->library);
}

#else

enum status matio_load(struct matio_functions *matio, const char *path, struct error *error)
{
    (void)path;
    (void)error;
    *matio = (struct matio_functions){NULL, Mat_Open, Mat_Close, Mat_LogInitFunc, Mat_SizeOfClass, Mat_VarReadInfo,
                                      Mat_VarRead, Mat_VarFree, Mat_VarGetStructFieldByName};
    return STATUS_OK;
}

void matio_unload(struct matio_functions *matio)
{
    (void)matio;
}

#endif
