/*
 * The configuration of an experiment, read strictly from JSON. docs/configuration.md describes the keys.
 */
#ifndef HULLBENCH_CONFIG_H
#define HULLBENCH_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#include "harness/config/value_list.h"
#include "harness/data/dataset.h"
#include "harness/data/dataset_family.h"
#include "harness/evaluate/solve.h"

struct solver_origin;

struct config_dataset {
    const char *name;
    uint32_t place; /* index in the configuration before config_restrict, from 0 */
    const char *file, *test_file, *split_file, *format, *label_column, *header; /* NULL if not given */
    size_t n_train, n_test;                   /* 0 if not given */
    int is_own;                               /* in a file of the user's, named here or in a datasets.json */
    int synthetic;                            /* generate the set even if a file has it */
    int is_drawn;                             /* from `family` */
    struct dataset_family family;
};

struct config_solver {
    const struct solver *solver;
    uint32_t place; /* index in the configuration before config_restrict, from 0 */
    struct value_list *parameters; /* one per parameter of the solver, in its order */
    int mu_of_c; /* the values in place of mu are those of C; each split has its own mu for them */
    enum stop_rule stop_rule;
    struct value_list tolerance;
    struct budget budget;
    double kernel_matrices; /* limit on the kernel operations of the iterations, in units of N^2; 0: none */
};

/* How to standardise features; the two full-set forms divide the variance by n and by n - 1. */
enum standardise { STANDARDISE_NONE, STANDARDISE_FULL_SET, STANDARDISE_FULL_SET_SAMPLE, STANDARDISE_TRAINING };
/* "none", "full-set", "full-set-sample", "training". */
const char *standardise_name(enum standardise way);

enum { MAX_REPEATS = 1000 };

/* Strings are borrowed from `json`. */
struct config {
    char *text; /* the file, byte for byte */
    struct cJSON *json;
    struct dataset_source *source; /* knows the data sets' names; shared by their loads */
    const char *name, *title; /* title may be NULL */
    struct config_dataset *datasets;
    size_t n_datasets;
    size_t *splits;           /* ascending */
    struct fold_plan folds;   /* if the splits are folds of a cross-validation */
    size_t n_splits;
    size_t draws;             /* a known set has this many times its splits */
    unsigned repeats;         /* timed runs per job; 0 and 1: only the run that gives the record */
    enum standardise standardise; /* as given; config_standardise for what is done */
    int generate_missing;
    int reverse_training, swap_labels;
    uint64_t seed;
    const struct kernel_family *kernel;
    struct value_list kernel_parameters[KERNEL_MAX_PARAMETERS]; /* those of the family, in its order */
    struct config_solver *solvers;
    size_t n_solvers;
    double support_threshold;
    int bias_of_nu_svc;       /* hulls: use the plane through the middle of the margin; set only by `solve` */
    size_t gram_bytes;        /* for all threads together */
    const char *quick_splits; /* for `run --quick`, as for --splits; borrowed from `json` or `quick_default` */
    char *quick_datasets;     /* as for --datasets; NULL: all */
    char quick_default[48];
    char **trace_datasets;    /* NULL-terminated, borrowed names; NULL: no traces */
    size_t *trace_splits;
    size_t n_trace_splits;
};

/* Reads a configuration. STATUS_BAD_INPUT names file, key, value and the allowed values. */
enum status config_read(const char *path, struct config **config, struct error *error);
/* The same for a malloc'ed text, of which it takes ownership; `label` replaces the file name in messages and must
 * outlive the call. */
enum status config_parse(const char *label, char *text, struct config **config, struct error *error);
/* Accepts NULL. */
void config_free(struct config *config);

/* Replaces the entry "*" of "solvers" by an entry for each other registered solver, including those of plugins, whose
 * parameters have values (docs/configuration.md). `top` is the file's place. Reading a configuration begins with it. */
enum status config_expand_others(struct cJSON *json, const struct json_path *top, struct error *error);

/* A solver, kernel or stopping rule that the configuration names. */
struct config_plugin_item {
    const char *list, *name;            /* "solvers", "kernels" or "stops"; the item's name */
    const struct solver_origin *origin; /* the plugin that provides it; NULL: built in */
};
/* Gets item i, from 0: the solvers in order, the kernel, then the solvers' rules, each plugin rule once. Zero if there
 * are no more items. */
int config_plugin_item(const struct config *config, size_t i, struct config_plugin_item *item);

/* The parameter whose values are in parameters[p], under the name that records use: the solver's p-th parameter, or C
 * in place of mu. */
const struct parameter *config_solver_parameter(const struct config_solver *solver, size_t p);
/* Releases the contents of a solver's entry, not the entry. */
void config_solver_free(struct config_solver *solver);

/* How the features are standardised: those of a precomputed kernel never are. */
enum standardise config_standardise(const struct config *config);

/* Whether `name` is one of the comma-separated names, as in --solvers and --datasets. */
int config_names(const char *words, const char *name);
/* Whether a list such as "1-10,20", as in --splits, contains the split; 0 if it is no such list. */
int config_has_split(const char *list, size_t split);
/* STATUS_BAD_INPUT names a number of the list that is not a split of the configuration. */
enum status config_check_splits(const struct config *config, const char *text, struct error *error);
/* Keeps only the comma-separated names; NULL keeps all. A name that is not in the configuration is an error that lists
 * the known ones. `splits` is a list of numbers and ranges such as "1-10,20". */
enum status config_restrict(struct config *config, const char *solvers, const char *datasets, const char *splits,
                            struct error *error);

/* Parses "1-10,20" into ascending distinct numbers from 1 to `max`; *list is malloc'ed. Errors call them "NOUN
 * numbers". */
enum status number_list_parse(const char *text, const char *noun, size_t max, const struct json_path *place,
                              size_t **list, size_t *count, struct error *error);
/* The same for splits. */
enum status split_list_parse(const char *text, const struct json_path *place, size_t **list, size_t *count,
                             struct error *error);

#endif
