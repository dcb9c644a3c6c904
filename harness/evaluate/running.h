/*
 * Records which plugin code a thread is running, for the error message if the plugin crashes the program. The record is
 * thread-local, because a signal handler cannot receive it as an argument.
 */
#ifndef HULLBENCH_RUNNING_H
#define HULLBENCH_RUNNING_H

#include <stdint.h>

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

/* ---- the call of a solver that a thread is in, for a process that watches another ---- */

enum running_call_name {
    CALLED_NONE,
    CALLED_STATE_SIZE,
    CALLED_INIT,
    CALLED_SELECT,
    CALLED_RULE,
    CALLED_UPDATE,
    CALLED_ALPHA,
    CALLED_FINISH,
    CALLED_EXTERNAL,
    CALLED_GAP /* noted by verify alone */
};
/* "select"; of CALLED_NONE "the run". */
const char *running_call_text(enum running_call_name name);

struct running_call {
    volatile enum running_call_name name;
    volatile uint64_t iteration;
    volatile uint64_t calls; /* grows with each call */
};

/* Has the loop of this thread's next runs note its calls; NULL, initially: no longer. */
void running_watch(struct running_call *call);
struct running_call *running_watched(void);
static inline void running_enter(struct running_call *call, enum running_call_name name, uint64_t iteration)
{
    if (!call)
        return;
    call->name = name;
    call->iteration = iteration;
    call->calls++;
}

#endif
