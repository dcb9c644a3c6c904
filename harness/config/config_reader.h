/* The reader's state, shared by the files that read a configuration. */
#ifndef HULLBENCH_CONFIG_READER_H
#define HULLBENCH_CONFIG_READER_H

#include <cjson/cJSON.h>

#include "harness/config/config.h"

struct config_reader {
    struct config *config;
    struct json_path top;
    const char **dataset_names; /* NULL-terminated, in the configuration's order */
    struct error *error;
};

static inline enum status config_no_memory(struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "out of memory while reading a configuration");
}

static inline const cJSON *config_member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* Reads "solvers" with their parameters, stopping rules and budgets, or the configuration's defaults for these, into
 * reader->config, whose data sets and kernel have been read. */
enum status config_read_solvers(struct config_reader *reader);

/* Rejects two entries of "solvers" whose records could not be told apart. All axes have values for all data sets. */
enum status config_check_repeats(const struct config_reader *reader);

/* json_unknown_name for an item that a plugin may provide; the message asks about a plugin. */
enum status config_unknown_name(const struct json_path *place, const char *what, const char *name,
                                const char *const *names, struct error *error);

/* Finds the registered solver of that name; otherwise an error at the place lists all. */
enum status config_find_solver(const char *name, const struct json_path *place, const struct solver **solver,
                               struct error *error);

/* Reads "splits" into reader->config, whose data sets have been read. */
enum status config_read_splits(struct config_reader *reader);
/* Reads a list of split numbers in any form; *list is malloc'ed. */
enum status config_read_split_list(const cJSON *json, const struct json_path *place, size_t **list, size_t *count,
                                   struct error *error);

/* Reads the object "generate" of a data set, if present, after its other members. */
enum status config_read_family(const struct cJSON *json, const struct json_path *place, struct config_dataset *dataset,
                               struct error *error);
/* Rejects a generated data set that does not suit the transformations or the kernel, which have been read. */
enum status config_check_families(const struct config_reader *reader);

#endif
