/*
 * The arguments of `hullbench solve` and the configuration of one job that they become. A file of the user's that is
 * trained whole has svm-train's defaults where nothing is said; letters that svm-train has mean here what they mean
 * there, but for -s, the solver.
 */
#ifndef HULLBENCH_SOLVE_OPTIONS_H
#define HULLBENCH_SOLVE_OPTIONS_H

#include "harness/cli/options.h"
#include "harness/data/dataset.h"
#include "solvers/solver.h"

struct cJSON;

struct solve_arguments {
    struct cli_arguments common; /* its word: the model's file */
    struct cJSON *config, *parameters, *kernel; /* kernel: NULL where none is named */
    const char *dataset, *data, *solver, *trace;
    const char *rule, *tolerance, *iterations; /* NULL where not given, as all texts */
    const char *type, *degree, *gamma, *coef0; /* the kernel by svm-train's letters */
    double nu;                                 /* 0: not given */
    size_t split, folds;                       /* 0: not given */
    const char *shrinking;                     /* "0" or "1" */
    int raw, check_rows;
};

/* Parses the command line; released with solve_arguments_free. */
void solve_parse(int argc, char **argv, struct solve_arguments *arguments);
void solve_arguments_free(struct solve_arguments *arguments);

/* Nonzero where the file is trained whole, and where it is cross-validated; else one split is run. */
int trains_on_all_rows(const struct solve_arguments *arguments);
int solve_is_validation(const struct solve_arguments *arguments);

/* The configuration as a malloc'ed text, once the data are there. STATUS_BAD_INPUT: options that do not go together. */
enum status solve_config(struct solve_arguments *arguments, const struct dataset *dataset, char **text,
                         struct error *error);

#endif
