/* --plugin FILE, see plugin_option.h. */
#include "harness/cli/plugin_option.h"

#include <stdlib.h>

#include "harness/cli/cli.h"
#include "harness/evaluate/load_plugin.h"

enum { KEY_PLUGIN = 0x7000 }; /* beyond the keys of every verb */

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct error error = {0};
    (void)state;
    if (key != KEY_PLUGIN)
        return ARGP_ERR_UNKNOWN;
    if (load_plugin(text, &error) != STATUS_OK)
        exit(cli_fail(&error));
    return 0;
}

static const struct argp_option options[] = {
    {"plugin", KEY_PLUGIN, "FILE", 0, "Load the solvers of a shared object besides; may be repeated", 0},
    {0},
};
static const struct argp argp = {options, parse, NULL, NULL, NULL, NULL, NULL};
const struct argp_child plugin_option[] = {{&argp, 0, NULL, 0}, {0}};
