/* What runs on a thread, see running.h. */
#include "harness/evaluate/running.h"

#include "solvers/registry.h"

static _Thread_local struct running now;

void running_begin(const struct solver *solver, const char *dataset, size_t split)
{
    const struct solver_origin *origin = solver_origin(solver);
    if (origin)
        now = (struct running){origin->file, solver->name, dataset, split};
}

void running_end(void)
{
    now.file = NULL;
}

const struct running *running_now(void)
{
    return &now;
}
