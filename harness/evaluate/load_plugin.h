/* Loading solvers, kernels and stopping rules from shared objects (solvers/plugin.h). */
#ifndef HULLBENCH_LOAD_PLUGIN_H
#define HULLBENCH_LOAD_PLUGIN_H

#include "solvers/error.h"

/* Loads the shared object and appends what it brings to the registries, for good; before threads are started. A name
 * without a slash is a file of the current folder. STATUS_BAD_INPUT, naming the file, when it is not there, cannot be
 * loaded, is no plugin, was compiled for another ABI, or one of its solvers, kernels and stopping rules is refused;
 * nothing has changed then. */
enum status load_plugin(const char *file, struct error *error);

#endif
