/* Shared libraries that are loaded when a command first needs them. libarchive brings some twenty other libraries;
 * loading them at every start takes longer than many commands need. */
#ifndef HULLBENCH_LAZY_LIBRARY_H
#define HULLBENCH_LAZY_LIBRARY_H

#include <stddef.h>

/* A function of the library, and where a pointer to it is stored: the offset in a struct of function pointers. */
struct lazy_function {
    const char *name;
    size_t offset;
};

/* Loads the library `soname` and stores pointers to its `count` functions in the struct `into`. `needed_for` begins the
 * message, for example the name of a file. STATUS_BAD_INPUT if the library cannot be loaded or has no such function.
 * The library stays loaded until the program ends. */
void lazy_library_open(const char *soname, const struct lazy_function *functions, size_t count, void *into,
                       const char *needed_for);

/* For a library of which a program needs a fixed list of functions. LIST(F, x) is F(x, function) for each of them.
 * LAZY_FUNCTIONS defines struct NAME_functions, with a pointer to each, and declares
 *     NAME_load(functions, path)   fills the struct; `path` is the file that needs the library, for the message;
 *                                         STATUS_BAD_INPUT if the library cannot be loaded
 * LAZY_LOADED defines these for a library that is loaded by its name, LAZY_LINKED for one with which the program is
 * linked, as where the Makefile cannot tell the name. */
#define LAZY_FUNCTIONS(name, LIST) \
    struct name##_functions { \
        LIST(LAZY_MEMBER, ) \
    }; \
    void name##_load(struct name##_functions *functions, const char *path)
#define LAZY_LOADED(name, LIST, soname) \
    void name##_load(struct name##_functions *functions, const char *path) \
    { \
        static const struct lazy_function list[] = {LIST(LAZY_ENTRY, struct name##_functions)}; \
        lazy_library_open(soname, list, sizeof list / sizeof *list, functions, path); \
    }
#define LAZY_LINKED(name, LIST) \
    void name##_load(struct name##_functions *functions, const char *path) \
    { \
        (void)path; \
        *functions = (struct name##_functions){LIST(LAZY_POINTER, )}; \
    }
#define LAZY_MEMBER(unused, function) __typeof__(function) *function;
#define LAZY_ENTRY(type, function) {#function, offsetof(type, function)},
#define LAZY_POINTER(unused, function) .function = function,

#endif
