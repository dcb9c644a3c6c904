/* Shared libraries that are loaded when a command first needs them. libarchive and matio bring some forty other
 * libraries; loading them at every start takes longer than many commands need. */
#ifndef HULLBENCH_LATE_LIBRARY_H
#define HULLBENCH_LATE_LIBRARY_H

#include <stddef.h>

/* A function of the library, and where a pointer to it is stored: the offset in a struct of function pointers. */
struct late_function {
    const char *name;
    size_t offset;
};

/* Loads the library `soname` and stores pointers to its `count` functions in the struct `into`. `needed_for` begins the
 * message, for example the name of a file. STATUS_BAD_INPUT if the library cannot be loaded or has no such function.
 * The library stays loaded until the program ends: HDF5, which matio brings, takes a new thread key each time that it
 * is loaded, and a process has 1024. */
void late_library_open(const char *soname, const struct late_function *functions, size_t count, void *into,
                       const char *needed_for);

/* For a library of which a program needs a fixed list of functions. LIST(F, x) is F(x, function) for each of them.
 * LATE_FUNCTIONS defines struct NAME_functions, with a pointer to each, and declares
 *     NAME_load(functions, path)   fills the struct; `path` is the file that needs the library, for the message;
 *                                         STATUS_BAD_INPUT if the library cannot be loaded
 * LATE_LOADED defines these for a library that is loaded by its name, LATE_LINKED for one with which the program is
 * linked, as where the Makefile cannot tell the name. */
#define LATE_FUNCTIONS(name, LIST) \
    struct name##_functions { \
        LIST(LATE_MEMBER, ) \
    }; \
    void name##_load(struct name##_functions *functions, const char *path)
#define LATE_LOADED(name, LIST, soname) \
    void name##_load(struct name##_functions *functions, const char *path) \
    { \
        static const struct late_function list[] = {LIST(LATE_ENTRY, struct name##_functions)}; \
        late_library_open(soname, list, sizeof list / sizeof *list, functions, path); \
    }
#define LATE_LINKED(name, LIST) \
    void name##_load(struct name##_functions *functions, const char *path) \
    { \
        (void)path; \
        *functions = (struct name##_functions){LIST(LATE_POINTER, )}; \
    }
#define LATE_MEMBER(unused, function) __typeof__(function) *function;
#define LATE_ENTRY(type, function) {#function, offsetof(type, function)},
#define LATE_POINTER(unused, function) .function = function,

#endif
