/*
 * Adding solvers to the registry. It is the program's only table that is set at run time: the verb appends the solvers
 * of its plugins before anything is read, planned or run. Afterwards the registry is read-only.
 */
#ifndef HULLBENCH_REGISTRY_H
#define HULLBENCH_REGISTRY_H

#include "solvers/solver.h"

enum { MAX_SOLVERS = 256, MAX_SOLVER_NAME = 40 };

/* At most MAX_SOLVER_NAME characters of a-z, 0-9 and -, not beginning with -. */
int solver_name_is_fit(const char *name);

/* The source of a solver that is not built in. */
struct solver_origin {
    char *file;      /* path as given */
    char sha256[65]; /* SHA-256 of the file */
};

/* Appends all solvers (NULL-terminated) or none. The solvers and *origin are borrowed for the life of the program.
 * STATUS_BAD_INPUT, with a message that begins with origin->file, if one of them is invalid (a member is missing or out
 * of range) or its name is taken. */
enum status solvers_add(const struct solver *const *solvers, const struct solver_origin *origin, struct error *error);
/* NULL for a built-in solver. */
const struct solver_origin *solver_origin(const struct solver *solver);

#endif
