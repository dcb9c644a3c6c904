/*
 * The arguments of `hullbench solve` and the configuration of one job that they become. If a user's file is trained
 * whole, the defaults are svm-train's; svm-train's letters have their meaning there. -s also accepts the name of a
 * solver.
 */
#ifndef HULLBENCH_SOLVE_OPTIONS_H
#define HULLBENCH_SOLVE_OPTIONS_H

#include <stdio.h>

#include "harness/cli/cli.h"
#include "harness/data/dataset.h"
#include "solvers/kernel/kernel.h"
#include "solvers/solver.h"

struct cJSON;

enum svm_type { SVM_TYPE_NOT_GIVEN, SVM_TYPE_C_SVC, SVM_TYPE_NU_SVC }; /* svm-train's -s */

/* Outputs besides standard output; the trace comes first, so that a reader of two FIFOs can rely on the order. */
enum { SOLVE_TRACE, SOLVE_MODEL, SOLVE_OUTPUTS };

struct solve_arguments {
    struct cli_arguments common; /* its operands: the data file, unless an option names data, and the model */
    struct cJSON *parameters, *kernel; /* as in a configuration; kernel: NULL if none is named */
    const char *dataset, *data;
    struct cli_list solvers; /* of --solver and -s, from which solve_check takes the solver and svm_type */
    const char *solver; /* NULL or "auto": solve_config selects one */
    const char *choice; /* the solver that solve_config selected, and why; NULL if one is named */
    const char *model;  /* NULL if not given */
    enum svm_type svm_type;
    const char *rule, *tolerance, *iterations; /* NULL if not given, as for all texts */
    double megabytes;                          /* 0: not given */
    int kernel_type;                           /* svm-train's -t, from 1; 0: not given */
    const char *type, *degree, *gamma, *coef0; /* the kernel by svm-train's letters */
    const char *nu_text;                       /* svm-train's -n; NULL: not given, or not used */
    double nu;                                 /* its value; 0: not given */
    size_t split, folds;                       /* 0: not given */
    const char *shrinking;                     /* "0" or "1" */
    const char *bias;                          /* "midpoint" or "nu-svc" */
    const char *loss_width;                    /* svm-train's -p, which no supported problem uses */
    int raw, check_rows;
    int is_json;                               /* the record is printed, even on a terminal */
    int is_judged;                             /* a record is wanted, also of a file that is trained whole */
    struct cli_output outputs[SOLVE_OUTPUTS];
};

/* svm-train's defaults. */
#define SOLVE_USUAL_NU 0.5
#define SOLVE_USUAL_C 1

extern const struct cli_option solve_options[];
/* The work of `hullbench solve` with these arguments, for verbs that make them; returns the exit status. */
int solve_given(void *arguments);
/* The check of the verb's arguments. */
void solve_check(void *arguments);

/* Nonzero if the file is trained whole, and if it is that or cross-validated, with the defaults of svm-train; otherwise
 * one split is run, whose record is printed. */
int trains_on_all_rows(const struct solve_arguments *arguments);
int solve_is_svm_train(const struct solve_arguments *arguments);

/* What the choice of a solver depends on. */
struct problem_shape {
    size_t rows, features;   /* of the training data */
    enum kernel_type kernel;
    double degree, offset;   /* of a polynomial kernel; ignored for others */
    double c;                /* C of a C-SVC */
    const char *rule;        /* the stopping rule that the solver must have; NULL: any */
    int is_nu_svc;           /* otherwise a C-SVC */
    int without_shrinking;   /* allow only solvers that examine all patterns in every iteration */
};

struct solver_choice {
    const char *solver; /* a registered name; static storage */
    const char *reason; /* a short explanation; static storage */
    size_t max_rank;    /* the value of its parameter of that name; 0: it has none */
};

/* The solver that measurements favour for problems of this shape; defined for every shape. choose_solver.c contains the
 * rule and the measurements. */
struct solver_choice choose_solver(const struct problem_shape *shape);

/* Nonzero if no solver is named. */
int solve_is_auto(const struct solve_arguments *arguments);
/* Refuses a solver that does not solve the problem of -s. */
void solve_check_svm_type(const struct solve_arguments *arguments, const struct solver *solver);

/* Nonzero if hulls use nu-SVC's plane: with --bias, else with -s 1. */
int solve_has_bias_of_nu_svc(const struct solve_arguments *arguments);

/* The configuration, once data and solver are known; the caller releases it. Refuses incompatible options. */
struct cJSON *solve_config(struct solve_arguments *arguments, const struct dataset *dataset);

#endif
