/*
 * The arguments of `hullbench solve` and the configuration of one job that they become. A file of the user's that is
 * trained whole has svm-train's defaults where nothing is said; letters that svm-train has mean here what they mean
 * there. -s takes the name of a solver, too.
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
    struct cli_arguments common; /* its words: the data's file, where no option names data, and the model's */
    struct cJSON *config, *parameters, *kernel; /* kernel: NULL where none is named */
    const char *dataset, *data, *trace;
    const char *solver; /* NULL or "auto": solve_choose takes one */
    char *choice;       /* which solve_choose took and why; NULL where one is named */
    const char *model;  /* NULL where not given */
    enum svm_type svm_type;
    const char *rule, *tolerance, *iterations; /* NULL where not given, as all texts */
    const char *type, *degree, *gamma, *coef0; /* the kernel by svm-train's letters */
    const char *nu_text;                       /* svm-train's -n; NULL: not given, or not used */
    double nu;                                 /* its number; 0: not given */
    size_t split, folds;                       /* 0: not given */
    const char *shrinking;                     /* "0" or "1" */
    const char *bias;                          /* "midpoint" or "nu-svc" */
    const char *loss_width;                    /* svm-train's -p, which no problem of ours uses */
    int raw, check_rows;
};

/* Parses the command line; released with solve_arguments_free. */
void solve_parse(int argc, char **argv, struct solve_arguments *arguments);
void solve_arguments_free(struct solve_arguments *arguments);

/* Nonzero where the file is trained whole, and where it is cross-validated; else one split is run. */
int trains_on_all_rows(const struct solve_arguments *arguments);
int solve_is_validation(const struct solve_arguments *arguments);

/* Nonzero where no solver is named. */
int solve_is_auto(const struct solve_arguments *arguments);
/* Takes back svm-train's letters that the problem does not use, as svm-train does, with a note on standard error. */
void solve_drop_unused(struct solve_arguments *arguments);
/* Names the solver where none is; the kernel is in the configuration. The other prints which it is, and why, to
 * the stream of reports. */
void solve_choose(struct solve_arguments *arguments, const struct dataset *dataset);
void solve_say_choice(const struct solve_arguments *arguments, FILE *stream);
/* STATUS_BAD_INPUT where the solver does not solve the problem of -s. */
enum status solve_check_svm_type(const struct solve_arguments *arguments, const struct solver *solver,
                                 struct error *error);

/* Nonzero where hulls decide by nu-SVC's plane: as --bias says, else with -s 1. */
int solve_has_bias_of_nu_svc(const struct solve_arguments *arguments);

/* The configuration as a malloc'ed text, once the data are there; the solver is chosen. STATUS_BAD_INPUT: options that
 * do not go together. */
enum status solve_config(struct solve_arguments *arguments, const struct dataset *dataset, char **text,
                         struct error *error);

#endif
