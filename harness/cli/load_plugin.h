/* Loads solvers, kernels and stopping rules from shared objects (solvers/plugin.h). */
#ifndef HULLBENCH_LOAD_PLUGIN_H
#define HULLBENCH_LOAD_PLUGIN_H

#include "solvers/error.h"

/* Loads the shared object and permanently registers its contents; call it before threads start. A name without a slash
 * is a file in the current folder. STATUS_BAD_INPUT, naming the file, if it does not exist, cannot be loaded, is not a
 * plugin, was compiled for another ABI, or if one of its solvers, kernels or stopping rules is rejected; then nothing
 * has changed. */
enum status load_plugin(const char *file, struct error *error);

#endif
