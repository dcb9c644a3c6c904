/*
 * The configuration of an experiment, read strictly from JSON. docs/configuration.md describes the keys.
 */
#ifndef HULLBENCH_CONFIG_H
#define HULLBENCH_CONFIG_H

#include "harness/data/dataset.h"
#include "harness/evaluate/solve.h"
#include "harness/support/members.h"

/* ---- axes (value_list.c) ---- */

/*
 * The values of a parameter in an experiment: one value, a list, a linear or logarithmic range, any of these per data
 * set, or multiples of one value per data set.
 */
struct values {
    size_t count;
    double *value;
};

struct dataset_values {
    const char *dataset; /* NULL: every set not named */
    struct values values;
};
struct value_list LIST_OF(struct dataset_values);

/* Reads an axis into the pool. Forms: 0.5 | "word" | true | [..] | {"linear": {"from": a, "to": b, "count": n}} |
 * {"log": {...}} | {"per_dataset": {"heart": ..., "default": ...}} | {"times": FACTORS, "per_dataset": {...}} with one
 * value per data set and FACTORS in one of the forms before per_dataset. Each value must be allowed for the parameter,
 * and each of the data sets must have one; a word is stored as its index. Ranges and multiples are rounded to 12
 * significant digits so that they do not depend on the math library. Dies with STATUS_BAD_INPUT. */
struct value_list value_list_read(struct pool *pool, const cJSON *json, const struct json_path *place,
                                  const struct parameter *parameter, const char *const *datasets);
/* Whether records would show two values as one. They print enough digits to distinguish any two, but a JSON reader may
 * take numbers that differ in the last place as equal, so about four such places are required. */
int value_list_values_equal(double one, double other);
/* An axis of one value. */
struct value_list value_list_constant(struct pool *pool, double value);
/* The values for a data set; NULL if it is unknown and there is no default. */
const struct values *value_list_for(const struct value_list *list, const char *dataset);

extern const struct member value_range_members[];

/* ---- a configuration ---- */

/* "stop" and "budget", of the configuration or of a solver. */
struct config_stop {
    const char *rule;
    const cJSON *tolerance;
};
struct config_budget {
    struct budget limits;
    double kernel_matrices;
};

struct config_solver {
    const struct solver *solver;
    uint32_t place; /* index in the configuration before config_select, from 0 */
    struct value_list *parameters; /* one per parameter of the solver, in its order */
    int mu_of_c; /* the values in place of mu are those of C; each split has its own mu for them */
    enum stop_rule stop_rule;
    struct value_list tolerance;
    struct budget budget;
    double kernel_matrices; /* limit on the kernel operations of the iterations, in units of N^2; 0: none */
};

extern const char *const standardise_names[]; /* in enumeration order, NULL-terminated */

enum { MAX_REPEATS = 1000 };

/* Traces of these data sets and splits. */
struct config_trace {
    struct member_texts datasets;
    const cJSON *splits_given;
    size_t *splits; /* ascending */
    size_t n_splits;
};

/* The part of the configuration that `run --quick` runs. */
struct config_quick {
    const char *splits; /* NULL in the file: the first two */
    struct member_texts datasets;
};

/* The members of the file are fields (config_members in config.c), or are read from the JSON in `given`. */
struct config {
    struct pool *pool; /* has everything below */
    const char *text;  /* the file, byte for byte */
    cJSON *json;
    struct json_path place; /* the file, for messages */
    struct dataset_source *source; /* knows the data sets' names; shared by their loads */
    struct {
        const cJSON *datasets, *splits, *kernel, *parameters, *solvers, *tables, *plots;
        const struct config_stop *stop;     /* for solvers without their own; NULL: none */
        const struct config_budget *budget; /* likewise */
    } given;
    const char *name, *title; /* title may be NULL */
    struct member_texts plugins; /* that it needs, for messages */
    struct dataset_spec *datasets;
    const char **dataset_names; /* NULL-terminated, in the same order */
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
    double gram_megabytes;
    size_t gram_bytes;        /* for all threads together */
    struct config_quick quick;
    const char *quick_datasets;       /* as for --datasets; NULL: all */
    struct config_trace *trace;       /* NULL: no traces */
};

/* Reads a configuration into the pool. Dies with STATUS_BAD_INPUT and file, key, value and the allowed values. */
struct config *config_read(struct pool *pool, const char *path);
/* The same for a text, which is copied; `label` replaces the file name in messages. */
struct config *config_parse(struct pool *pool, const char *label, const char *text);
/* The same for parsed JSON that the pool keeps; without text. */
struct config *config_from_json(struct pool *pool, const char *label, cJSON *json);
/* The text of a file that the user names: a missing one is bad input. */
char *config_file_text(struct pool *pool, const char *path);

/* Replaces the entry "*" of "solvers" by an entry for each other registered solver, including those of plugins, whose
 * parameters have values (docs/configuration.md). `top` is the file's place. Reading a configuration begins with it. */
void config_expand_star(cJSON *json, const struct json_path *top);

/* A solver, kernel or stopping rule that the configuration names. */
struct config_plugin_item {
    const char *list, *name;            /* "solvers", "kernels" or "stops"; the item's name */
    const struct solver_origin *origin; /* the plugin that provides it; NULL: built in */
};
/* Gets item i: the solvers in order, the kernel, then the solvers' rules, each plugin rule once. Zero: no more items.
 * */
int config_plugin_item(const struct config *config, size_t i, struct config_plugin_item *item);

/* The parameter whose values are in parameters[p], named as in records: the solver's p-th, or C in place of mu. */
const struct parameter *config_solver_parameter(const struct config_solver *solver, size_t p);
/* How the features are standardised: those of a precomputed kernel never are. */
enum standardise config_standardise(const struct config *config);

/* The name of an entry of "solvers" or "datasets", a text or an object; NULL: it has none. */
const char *config_entry_name(const cJSON *entry);
/* Whether `name` is one of the comma-separated names, as in --solvers and --datasets. */
int config_names(const char *words, const char *name);
/* Whether a list such as "1-10,20", as in --splits, contains the split; 0 if it is no such list. */
int config_has_split(const char *list, size_t split);
/* Keeps only the comma-separated names; NULL keeps all. Dies if a name is not in the configuration. `splits` is a list
 * of numbers and ranges such as "1-10,20", of which the configuration must have one, or all. */
void config_select(struct config *config, const char *solvers, const char *datasets, const char *splits,
                   int must_have_all);

/* The numbers of "1-10,20", from 1 to `max`, ascending and distinct; NULL if the text is no such list. */
size_t *number_list_parse(struct pool *pool, const char *text, size_t max, size_t *count);
enum { MAX_SPLIT = 100000 };
/* The same for splits; dies if the text is no such list. */
size_t *split_list_read(struct pool *pool, const char *text, const struct json_path *place, size_t *count);

/* The tables of the file and of its objects; docs/configuration.md has their keys. */
extern const struct member config_members[], config_dataset_members[], config_family_members[], config_fold_members[],
    config_solver_members[], config_stop_members[], config_budget_members[], config_trace_members[],
    config_quick_members[];

/* Dies because of the name of an item that a plugin may provide. The message names the plugins of the configuration; it
 * asks about one if there is none, or no configuration (NULL). */
_Noreturn void config_die_unknown(const struct config *config, const struct json_path *place, const char *what,
                                  const char *name, const char *const *names);
/* The registered solver of that name; otherwise dies with a list of all. */
const struct solver *config_find_solver(const struct config *config, const char *name, const struct json_path *place);

/* For config.c only: reads the solvers with their parameters, rules and budgets, or the configuration's defaults, once
 * data sets and kernel have been read. Rejects two entries whose records could not be told apart. */
void config_read_solvers(struct config *config);

#endif
