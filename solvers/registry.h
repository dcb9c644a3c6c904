/*
 * Adding to the registered solvers. The registry is the one table of the program that is set at run time: by the verb,
 * from the plugins it is given, before anything is read, planned or run, and only ever at its end. From then on it is
 * read.
 */
#ifndef HULLBENCH_REGISTRY_H
#define HULLBENCH_REGISTRY_H

#include "solvers/solver.h"

enum { MAX_SOLVERS = 256, MAX_SOLVER_NAME = 40 };

/* At most MAX_SOLVER_NAME of a-z, 0-9 and -, not beginning with -. */
int solver_name_is_fit(const char *name);

/* Where a solver that is not built in comes from. */
struct solver_origin {
    char *file;      /* as it was given */
    char sha256[65]; /* of its bytes */
};

/* Appends solvers (NULL-terminated), all of them or none; they and *origin are borrowed for good. STATUS_BAD_INPUT,
 * with a message that begins with origin->file, when one of them is not fit to be run (a member is missing or out of
 * range) or has the name of another. */
enum status solvers_add(const struct solver *const *solvers, const struct solver_origin *origin, struct error *error);
/* NULL for a solver that is built in. */
const struct solver_origin *solver_origin(const struct solver *solver);

#endif
