/* The reader's state and tables, shared by the files that read a configuration. */
#ifndef HULLBENCH_CONFIG_READER_H
#define HULLBENCH_CONFIG_READER_H

#include <cjson/cJSON.h>

#include "harness/config/config.h"

struct config_reader {
    struct pool *pool;
    struct config *config;
    struct json_path top;
    const char **dataset_names; /* NULL-terminated, in the configuration's order */
};

/* "stop" and "budget", of the configuration or of a solver. */
struct config_stop {
    const char *rule;
    const cJSON *tolerance;
};
struct config_budget {
    struct budget limits;
    double kernel_matrices;
};

/* Flag of config_members: only runs have the member; the configuration of a search (harness/tune/) may not. */
enum { CONFIG_ONLY_OF_RUNS = 1 << 16 };

/* The tables of the file and of its objects; docs/configuration.md has their keys. */
extern const struct member config_members[], config_dataset_members[], config_family_members[], config_fold_members[],
    config_solver_members[], config_stop_members[], config_budget_members[], config_trace_members[],
    config_quick_members[];

static inline const cJSON *config_member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* Reads the solvers with their parameters, stopping rules and budgets, or the configuration's defaults for these, into
 * reader->config, whose data sets and kernel have been read. */
void config_read_solvers(struct config_reader *reader);

/* Rejects two entries of "solvers" whose records could not be told apart. All axes have values for all data sets. */
void config_check_repeats(const struct config_reader *reader);

/* Dies because of the name of an item that a plugin may provide; the message asks about a plugin. */
_Noreturn void config_die_unknown(const struct json_path *place, const char *what, const char *name,
                                  const char *const *names);

/* The registered solver of that name; otherwise dies with a list of all. */
const struct solver *config_find_solver(const char *name, const struct json_path *place);

/* Reads "splits" into reader->config, whose data sets have been read. */
void config_read_splits(struct config_reader *reader);
/* Reads a list of split numbers in any form. */
size_t *config_read_split_list(struct pool *pool, const cJSON *json, const struct json_path *place, size_t *count);

#endif
