/* Loads a plugin: hashes and opens the file, looks up its one symbol, and checks the ABI before anything else. */
#include "harness/cli/load_plugin.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "harness/evaluate/running.h"
#include "harness/evaluate/stopping.h"
#include "harness/support/file.h"
#include "solvers/plugin.h"
#include "solvers/registry.h"

static const unsigned layout[] = {HULLBENCH_LAYOUT(HULLBENCH_LAYOUT_NUMBER)};
static const char *const labels[] = {HULLBENCH_LAYOUT(HULLBENCH_LAYOUT_LABEL)};

static enum status check_abi(const struct hullbench_plugin *plugin, const char *file, struct error *error)
{
    if (plugin->abi != HULLBENCH_ABI)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: compiled for version %u of the plugin ABI; this program has version %d; compile it again "
                         "with the headers of this program",
                         file, plugin->abi, HULLBENCH_ABI);
    if (plugin->layouts != HULLBENCH_LAYOUTS)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: compiled with headers of %u layout numbers; this program has %d; compile it again with "
                         "the headers of this program",
                         file, plugin->layouts, HULLBENCH_LAYOUTS);
    for (unsigned i = 0; i < HULLBENCH_LAYOUTS; i++)
        if (plugin->layout[i] != layout[i])
            return error_set(error, STATUS_BAD_INPUT,
                             "%s: compiled with headers where %s is %u; in this program it is %u; compile it again "
                             "with the headers of this program",
                             file, labels[i], plugin->layout[i], layout[i]);
    if (!(plugin->solvers && *plugin->solvers) && !(plugin->kernels && *plugin->kernels) &&
        !(plugin->stopping_rules && *plugin->stopping_rules))
        return error_set(error, STATUS_BAD_INPUT, "%s: the plugin has neither solvers nor kernels nor stopping rules",
                         file);
    return STATUS_OK;
}

/* Registers everything that the plugin lists, or nothing. Rules come before solvers, which may refer to one. */
static enum status add_lists(const struct hullbench_plugin *plugin, const struct solver_origin *origin,
                             struct error *error)
{
    const char *built_in[STOP_RULES + 1] = {NULL};
    for (unsigned r = 0; r < STOP_RULES; r++)
        built_in[r] = stop_rule_name((enum stop_rule)r);
    enum status status = plugin->kernels ? kernel_families_add(plugin->kernels, origin, error) : STATUS_OK;
    if (status == STATUS_OK && plugin->stopping_rules)
        status = stopping_rules_add(plugin->stopping_rules, built_in, origin, error);
    if (status == STATUS_OK && plugin->solvers)
        status = solvers_add(plugin->solvers, origin, error);
    if (status != STATUS_OK) {
        kernel_families_remove(origin);
        stopping_rules_remove(origin);
    }
    return status;
}

static enum status read_origin(const char *file, struct solver_origin *origin, struct error *error)
{
    file_check_exists(file); /* a plugin requested by name must exist */
    file_sha256(file, origin->sha256, NULL);
    origin->file = strdup(file);
    return origin->file ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", file);
}

/* The loader's message, which begins with the path if it is about the file. */
static enum status cannot_load(const char *file, struct error *error)
{
    const char *said = dlerror();
    size_t length = strlen(file);
    said = said ? said : "cannot be loaded";
    if (strncmp(said, file, length) == 0 && said[length] == ':')
        said += length + 1;
    return error_set(error, STATUS_BAD_INPUT, "%s: %s", file, said + strspn(said, " "));
}

static enum status open_and_add(const char *file, const struct solver_origin *origin, struct error *error)
{
    char *path = strchr(file, '/') ? strdup(file) : path_join(".", file);
    if (!path)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", file);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    free(path);
    if (!object)
        return cannot_load(file, error);
    const struct hullbench_plugin *plugin = dlsym(object, "hullbench_plugin");
    enum status status = plugin ? check_abi(plugin, file, error)
                                : error_set(error, STATUS_BAD_INPUT,
                                            "%s: not a plugin: the symbol hullbench_plugin is missing "
                                            "(HULLBENCH_PLUGIN defines it)",
                                            file);
    if (status == STATUS_OK)
        status = add_lists(plugin, origin, error);
    if (status != STATUS_OK)
        dlclose(object);
    return status; /* a registered plugin is never closed */
}

enum status load_plugin(const char *file, struct error *error)
{
    struct solver_origin *origin = calloc(1, sizeof *origin);
    if (!origin)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", file);
    enum status status = read_origin(file, origin, error);
    if (status == STATUS_OK) {
        const struct running before = running_load(file);
        status = open_and_add(file, origin, error);
        running_back(&before);
    }
    if (status != STATUS_OK) {
        free(origin->file);
        free(origin);
    }
    return status;
}
