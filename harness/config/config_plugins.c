/* The items of a configuration that plugins provide. */
#include "harness/config/config.h"
#include "harness/evaluate/stopping.h"
#include "solvers/registry.h"

/* The plugin of a solver's rule; NULL if there is none or if an earlier solver has the same rule. */
static const struct solver_origin *origin_of_rule(const struct config *config, size_t s)
{
    const struct stopping_rule *own = stop_rule_own(config->solvers[s].stop_rule);
    for (size_t before = 0; before < s; before++)
        if (config->solvers[before].stop_rule == config->solvers[s].stop_rule)
            return NULL;
    return own ? stopping_rule_origin(own) : NULL;
}

int config_plugin_item(const struct config *config, size_t i, struct config_plugin_item *item)
{
    *item = (struct config_plugin_item){.list = NULL};
    if (i < config->n_solvers) {
        const struct solver *solver = config->solvers[i].solver;
        *item = (struct config_plugin_item){"solvers", solver->name, solver_origin(solver)};
    } else if (i == config->n_solvers)
        *item = (struct config_plugin_item){"kernels", config->kernel->name, kernel_family_origin(config->kernel)};
    else if (i <= 2 * config->n_solvers) {
        size_t s = i - config->n_solvers - 1;
        const char *name = stop_rule_name(config->solvers[s].stop_rule);
        *item = (struct config_plugin_item){"stops", name, origin_of_rule(config, s)};
    }
    return item->list != NULL;
}
