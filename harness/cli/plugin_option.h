/* The option --plugin, for every verb that takes a solver's name: a child of its argp. */
#ifndef HULLBENCH_PLUGIN_OPTION_H
#define HULLBENCH_PLUGIN_OPTION_H

#include <argp.h>

/* For the member `children` of a verb's argp. A plugin is loaded as its word is read, so its solvers are known once
 * argp_parse has returned; one that cannot be loaded ends the program with its error. */
extern const struct argp_child plugin_option[];

#endif
