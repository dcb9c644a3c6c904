/* What each thread is running, see running.h. */
#include "harness/evaluate/running.h"

#include "solvers/registry.h"

static _Thread_local struct running now;
static _Thread_local struct running_call *watched;

static struct running_part part_of(const char *name, const struct solver_origin *origin)
{
    return (struct running_part){name, origin ? origin->file : NULL};
}

struct running running_begin(const struct solver *solver, const struct kernel *kernel, const struct stopping_rule *rule,
                             const char *dataset, size_t split)
{
    const struct running before = now;
    const struct kernel_family *family = kernel_family_of(kernel);
    now = (struct running){.kernel = part_of(family->name, kernel_family_origin(family)),
                           .dataset = dataset,
                           .split = split};
    if (solver)
        now.solver = part_of(solver->name, solver_origin(solver));
    if (rule)
        now.rule = part_of(rule->name, stopping_rule_origin(rule));
    return before;
}

struct running running_load(const char *file)
{
    const struct running before = now;
    now = (struct running){.loading = file};
    return before;
}

void running_back(const struct running *before)
{
    now = *before;
}

const struct running *running_now(void)
{
    return &now;
}

const char *running_call_text(enum running_call_name name)
{
    static const char *const names[] = {
        "the run", "state_size", "init",           "select", "the stopping rule", "update",
        "alpha",   "finish",     "solve_external", "gap"};
    return (unsigned)name < sizeof names / sizeof *names ? names[name] : names[0];
}

void running_watch(struct running_call *call)
{
    watched = call;
}

struct running_call *running_watched(void)
{
    return watched;
}
