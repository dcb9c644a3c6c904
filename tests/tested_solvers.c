#include "tests/tested_solvers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct solver *const *tested_solvers(void)
{
    static const struct solver *only[2];
    const char *name = getenv("HULLBENCH_TESTED_SOLVER");
    if (!name)
        return solvers_all();
    for (const struct solver *const *at = solvers_all(); *at; at++)
        if (strcmp((*at)->name, name) == 0)
            only[0] = *at;
    if (!only[0]) {
        fprintf(stderr, "HULLBENCH_TESTED_SOLVER: no solver \"%s\"\n", name);
        exit(2);
    }
    return only;
}
