/* Between the files that read a configuration: what is being read, for whom, and where errors go. */
#ifndef HULLBENCH_CONFIG_READER_H
#define HULLBENCH_CONFIG_READER_H

#include <cjson/cJSON.h>

#include "harness/config/config.h"

struct config_reader {
    struct config *config;
    struct json_path top;
    const char **dataset_names; /* NULL-terminated: the configuration's own */
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

/* Reads "solvers" with their parameters, stopping rules and budgets, own or those of the whole configuration, into
 * reader->config, whose data sets and kernel have been read. */
enum status config_read_solvers(struct config_reader *reader);

/* Error where two entries of "solvers" would write records that cannot be told apart. All axes have values for all
 * data sets. */
enum status config_check_repeats(const struct config_reader *reader);

/* json_unknown_name for something that a plugin may bring, which the message asks for. */
enum status config_unknown_name(const struct json_path *place, const char *what, const char *name,
                                const char *const *names, struct error *error);

/* The registered solver of that name, or an error at the place that lists all. */
enum status config_find_solver(const char *name, const struct json_path *place, const struct solver **solver,
                               struct error *error);

/* Reads "splits" into reader->config, whose data sets have been read. */
enum status config_read_splits(struct config_reader *reader);
/* A list of split numbers in any of its forms; *list is malloc'ed. */
enum status config_read_split_list(const cJSON *json, const struct json_path *place, size_t **list, size_t *count,
                                   struct error *error);

/* Reads the object "generate" of a data set, whose other members have been read, where it has one. */
enum status config_read_family(const struct cJSON *json, const struct json_path *place, struct config_dataset *dataset,
                               struct error *error);
/* Error where a generated data set does not go with the transforms or the kernel, which have been read. */
enum status config_check_families(const struct config_reader *reader);

#endif
