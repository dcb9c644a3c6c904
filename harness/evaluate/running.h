/*
 * What a thread is doing while something of a plugin runs on it, for the message of a program that the plugin crashes.
 * Kept for each thread: a signal handler has no other way to it.
 */
#ifndef HULLBENCH_RUNNING_H
#define HULLBENCH_RUNNING_H

#include "solvers/stopping_rule.h"

/* A part that may be at fault, and the file of its plugin; NULL: built in, or none is running. */
struct running_part {
    const char *name, *file;
};

struct running {
    struct running_part solver, kernel, rule;
    const char *dataset; /* NULL: nothing is running */
    const char *loading; /* the file of a plugin that is being loaded; NULL: none */
    size_t split;        /* its number; 0: none */
};

/* Notes what is about to run on this thread, and returns what was noted before, which running_back notes again. Texts
 * are borrowed until then. solver and rule may be NULL. */
struct running running_begin(const struct solver *solver, const struct kernel *kernel, const struct stopping_rule *rule,
                             const char *dataset, size_t split);
/* The same while a plugin is loaded, which may run code of its own. */
struct running running_load(const char *file);
void running_back(const struct running *before);

/* Of this thread; may be called from a signal handler. */
const struct running *running_now(void);

#endif
