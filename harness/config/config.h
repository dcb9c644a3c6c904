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
    uint32_t place; /* in the configuration before config_restrict, from 0 */
    const char *file, *test_file, *split_file, *format, *label_column; /* NULL where not given */
    size_t n_train, n_test;                   /* 0 where not given */
    int synthetic;                            /* generated here, whatever files there are */
    int is_drawn;                             /* from `family` */
    struct dataset_family family;
};

struct config_solver {
    const struct solver *solver;
    uint32_t place; /* in the configuration before config_restrict, from 0 */
    struct value_list *parameters; /* as many as the solver has, in the order of its list */
    int mu_of_c; /* the values in the place of mu are those of C, and each split has the mu that belongs to it */
    enum stop_rule stop_rule;
    struct value_list tolerance;
    struct budget budget;
    double kernel_matrices; /* limit of the iterations' kernel operations, in units of N^2; 0: none */
};

/* What is done to each feature; the two full sets differ in the divisor of the variance, n and n - 1. */
enum standardise { STANDARDISE_NONE, STANDARDISE_FULL_SET, STANDARDISE_FULL_SET_SAMPLE };

enum { MAX_REPEATS = 1000 };

/* Strings are borrowed from `json`. */
struct config {
    char *text; /* the file, byte for byte */
    struct cJSON *json;
    struct dataset_source *source; /* that knows the data sets' names, to be shared by their loads */
    const char *name, *title; /* title may be NULL */
    struct config_dataset *datasets;
    size_t n_datasets;
    size_t *splits;           /* ascending */
    struct fold_plan folds;   /* when the splits are folds of a cross-validation */
    size_t n_splits;
    size_t draws;             /* a known set has this many times its splits */
    unsigned repeats;         /* runs of a job that are timed; 0 and 1: the one that gives the record */
    enum standardise standardise;
    int generate_missing;
    int reverse_training, swap_labels;
    uint64_t seed;
    const struct kernel_family *kernel;
    struct value_list kernel_parameters[KERNEL_MAX_PARAMETERS]; /* of the family's, in their order */
    struct config_solver *solvers;
    size_t n_solvers;
    double support_threshold;
    int bias_of_nu_svc;       /* hulls: decisions by the plane in the middle of the margin; set by `solve` alone */
    size_t gram_bytes;        /* for all threads together */
    char **trace_datasets;    /* NULL-terminated, borrowed words; NULL: no traces */
    size_t *trace_splits;
    size_t n_trace_splits;
};

/* Reads a configuration. STATUS_BAD_INPUT names file, key, value and what is allowed. */
enum status config_read(const char *path, struct config **config, struct error *error);
/* The same from a malloc'ed text, which is taken over; `label` stands for the file in messages and must outlive the
 * call. */
enum status config_parse(const char *label, char *text, struct config **config, struct error *error);
/* Accepts NULL. */
void config_free(struct config *config);

/* Replaces the entry "*" of "solvers" by an entry for each registered solver, those of plugins included, that has none
 * and whose parameters have values (docs/configuration.md). `top` is the file's place. Reading a configuration does so
 * first. */
enum status config_expand_others(struct cJSON *json, const struct json_path *top, struct error *error);

/* Something that the configuration names: a solver, the kernel or a stopping rule. */
struct config_plugin_item {
    const char *list, *name;            /* "solvers", "kernels" or "stops", and its name */
    const struct solver_origin *origin; /* the plugin it comes from; NULL: built in */
};
/* Item i, from 0: the solvers in their order, the kernel, the rules of the solvers, each plugin's once. Zero when there
 * are no more. */
int config_plugin_item(const struct config *config, size_t i, struct config_plugin_item *item);

/* The parameter whose values are in parameters[p]: the p-th that the solver reads, or C in the place of mu. This is
 * what records name. */
const struct parameter *config_solver_parameter(const struct config_solver *solver, size_t p);
/* Releases what a solver's entry holds, not the entry. */
void config_solver_free(struct config_solver *solver);

/* Keep only what the comma-separated words name; NULL keeps all. A word the configuration does not have is an error
 * that lists those it has. `splits` is a list of numbers and ranges such as "1-10,20". */
enum status config_restrict(struct config *config, const char *solvers, const char *datasets, const char *splits,
                            struct error *error);

/* Parses "1-10,20" into ascending distinct numbers from 1; *list is malloc'ed. */
enum status split_list_parse(const char *text, const struct json_path *place, size_t **list, size_t *count,
                             struct error *error);

#endif
