/* The stopping rules of plugins. */
#include "solvers/stopping_rule.h"

#include <string.h>

#include "solvers/registry.h"

/* The rules that stopping_rules_add appends; NULL from `count` on. */
static struct {
    size_t count;
    const struct stopping_rule *rules[MAX_STOPPING_RULES + 1];
    const struct solver_origin *origins[MAX_STOPPING_RULES];
} registry;

const struct stopping_rule *const *stopping_rules_all(void)
{
    return registry.rules;
}

const struct stopping_rule *stopping_rule_find(const char *name)
{
    const struct stopping_rule *const *at = registry.rules;
    while (*at && strcmp((*at)->name, name) != 0)
        at++;
    return *at;
}

static int is_among(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

int stopping_rule_fits(const struct stopping_rule *rule, const struct solver *solver)
{
    return !solver->solve_external && rule->formulations >> solver->formulation & 1 &&
           (!rule->solvers || is_among(solver->name, rule->solvers));
}

const struct solver_origin *stopping_rule_origin(const struct stopping_rule *rule)
{
    for (size_t i = 0; i < registry.count; i++)
        if (registry.rules[i] == rule)
            return registry.origins[i];
    return NULL;
}

/* ---- rules of plugins ---- */

static enum status check_rule(const struct stopping_rule *rule, const char *const *built_in, const char *file,
                              struct error *error)
{
    const size_t max_memory = (size_t)1 << 30;
    const char *name = rule->name ? rule->name : "";
    if (!solver_name_is_fit(name))
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: stopping rule name \"%.80s\": allowed: at most %d of a-z, 0-9 and -, not beginning "
                         "with -",
                         file, name, MAX_SOLVER_NAME);
    const char *wrong = !rule->text  ? "member text is NULL"
                        : !rule->met ? "member met is NULL"
                        : !rule->formulations
                            ? "member formulations is 0; expected bits 1u << enum formulation"
                        : rule->formulations & ~STOPPING_ALL_FORMULATIONS
                            ? "member formulations has bits of unknown formulations"
                        : rule->solvers && !*rule->solvers ? "member solvers is an empty list; NULL means all solvers"
                        : rule->memory_size > max_memory   ? "member memory_size is above 2^30"
                                                           : NULL;
    if (wrong)
        return error_set(error, STATUS_BAD_INPUT, "%s: stopping rule \"%s\": %s", file, name, wrong);
    const struct stopping_rule *there = stopping_rule_find(name);
    if (!there && !is_among(name, built_in))
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "%s: stopping rule \"%s\" already exists, %s%s", file, name,
                     there ? "from " : "built in", there ? stopping_rule_origin(there)->file : "");
}

void stopping_rules_remove(const struct solver_origin *origin)
{
    while (registry.count > 0 && registry.origins[registry.count - 1] == origin)
        registry.rules[--registry.count] = NULL;
}

enum status stopping_rules_add(const struct stopping_rule *const *rules, const char *const *built_in,
                               const struct solver_origin *origin, struct error *error)
{
    enum status status = STATUS_OK;
    for (; *rules && status == STATUS_OK; rules++) {
        status = registry.count < MAX_STOPPING_RULES
                     ? check_rule(*rules, built_in, origin->file, error)
                     : error_set(error, STATUS_BAD_INPUT, "%s: too many stopping rules; allowed: at most %d",
                                 origin->file, MAX_STOPPING_RULES);
        if (status != STATUS_OK)
            break;
        registry.origins[registry.count] = origin;
        registry.rules[registry.count++] = *rules;
    }
    if (status != STATUS_OK)
        stopping_rules_remove(origin);
    return status;
}
