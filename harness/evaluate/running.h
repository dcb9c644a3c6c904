/*
 * What a thread is doing while a solver of a plugin runs on it, for the message of a program that the plugin crashes.
 * Kept for each thread: a signal handler has no other way to it.
 */
#ifndef HULLBENCH_RUNNING_H
#define HULLBENCH_RUNNING_H

#include "solvers/solver.h"

struct running {
    const char *file; /* of the plugin; NULL: no solver of a plugin runs */
    const char *solver, *dataset;
    size_t split; /* its number; 0: none */
};

/* Notes what is about to run on this thread; texts are borrowed until running_end. Nothing for solvers that are built
 * in. */
void running_begin(const struct solver *solver, const char *dataset, size_t split);
void running_end(void);

/* Of this thread; may be called from a signal handler. */
const struct running *running_now(void);

#endif
