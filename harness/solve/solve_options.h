/*
 * The arguments of `hullbench solve` and the configuration of one job that they become. If a user's file is trained
 * whole, the defaults are svm-train's; svm-train's letters have their meaning there. -s also accepts the name of a
 * solver.
 */
#ifndef HULLBENCH_SOLVE_OPTIONS_H
#define HULLBENCH_SOLVE_OPTIONS_H

#include <stdio.h>

#include "harness/cli/options.h"
#include "harness/data/dataset.h"
#include "solvers/solver.h"

struct cJSON;

enum svm_type { SVM_TYPE_NOT_GIVEN, SVM_TYPE_C_SVC, SVM_TYPE_NU_SVC }; /* svm-train's -s */

struct solve_arguments {
    struct cli_arguments common; /* its operands: the data file, unless an option names data, and the model */
    struct cJSON *config, *parameters, *kernel; /* kernel: NULL if none is named */
    const char *dataset, *data, *trace;
    const char *solver; /* NULL or "auto": solve_choose selects one */
    char *choice;       /* the solver that solve_choose selected, and why; NULL if one is named */
    const char *model;  /* NULL if not given */
    enum svm_type svm_type;
    const char *rule, *tolerance, *iterations; /* NULL if not given, as for all texts */
    const char *type, *degree, *gamma, *coef0; /* the kernel by svm-train's letters */
    const char *nu_text;                       /* svm-train's -n; NULL: not given, or not used */
    double nu;                                 /* its value; 0: not given */
    size_t split, folds;                       /* 0: not given */
    const char *shrinking;                     /* "0" or "1" */
    const char *bias;                          /* "midpoint" or "nu-svc" */
    const char *loss_width;                    /* svm-train's -p, which no supported problem uses */
    int raw, check_rows;
};

/* Parses the command line; release with solve_arguments_free. */
void solve_parse(int argc, char **argv, struct solve_arguments *arguments);
void solve_arguments_free(struct solve_arguments *arguments);

/* Nonzero if the file is trained whole, and if it is cross-validated; otherwise one split is run. */
int trains_on_all_rows(const struct solve_arguments *arguments);
int solve_is_validation(const struct solve_arguments *arguments);

/* Nonzero if no solver is named. */
int solve_is_auto(const struct solve_arguments *arguments);
/* Drops svm-train's letters that the problem does not use, as svm-train does, with a note on standard error. */
void solve_drop_unused(struct solve_arguments *arguments);
/* solve_choose selects the solver if none is named; the kernel is in the configuration. solve_say_choice prints the
 * solver and the reason to the report stream. */
void solve_choose(struct solve_arguments *arguments, const struct dataset *dataset);
void solve_say_choice(const struct solve_arguments *arguments, FILE *stream);
/* STATUS_BAD_INPUT if the solver does not solve the problem of -s. */
enum status solve_check_svm_type(const struct solve_arguments *arguments, const struct solver *solver,
                                 struct error *error);

/* Nonzero if hulls use nu-SVC's plane: with --bias, else with -s 1. */
int solve_has_bias_of_nu_svc(const struct solve_arguments *arguments);

/* The configuration as malloc'ed text, once data and solver are known. STATUS_BAD_INPUT: incompatible options. */
enum status solve_config(struct solve_arguments *arguments, const struct dataset *dataset, char **text,
                         struct error *error);

#endif
