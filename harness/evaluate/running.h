/*
 * Records which plugin code a thread is running, for the error message if the plugin crashes the program. The record is
 * thread-local, because a signal handler cannot receive it as an argument.
 */
#ifndef HULLBENCH_RUNNING_H
#define HULLBENCH_RUNNING_H

#include "solvers/stopping_rule.h"

/* A part that may be at fault, and the file of its plugin; NULL if it is built in or not running. */
struct running_part {
    const char *name, *file;
};

struct running {
    struct running_part solver, kernel, rule;
    const char *dataset; /* NULL: nothing is running */
    const char *loading; /* the plugin file being loaded; NULL: none */
    size_t split;        /* split number; 0: none */
};

/* Records what this thread is about to run and returns the previous record, which running_back restores. Strings are
 * borrowed until then. solver and rule may be NULL. */
struct running running_begin(const struct solver *solver, const struct kernel *kernel, const struct stopping_rule *rule,
                             const char *dataset, size_t split);
/* The same while a plugin is being loaded, which may run its code. */
struct running running_load(const char *file);
void running_back(const struct running *before);

/* The record of this thread; safe to call from a signal handler. */
const struct running *running_now(void);

#endif
