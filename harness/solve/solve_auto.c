/*
 * `hullbench solve` without a solver for a file: takes the solver that choose_solver.h selects, prints one line about
 * it, and ignores svm-train's letters that the problem does not use, as svm-train does. A solver named together with -s
 * has to solve that problem.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/solve/solve_options.h"
#include "harness/cli/cli.h"
#include "harness/solve/choose_solver.h"
#include "harness/support/key_value.h"

static const double default_nu = 0.5, default_c = 1; /* svm-train's defaults */

int solve_is_auto(const struct solve_arguments *given)
{
    return !given->solver || strcmp(given->solver, "auto") == 0;
}

/* svm-train reads all letters and uses those that the problem needs. */
void solve_drop_unused(struct solve_arguments *given)
{
    const char *type = given->type ? given->type : "rbf";
    const int is_polynomial = strcmp(type, "polynomial") == 0, is_nu_svc = given->svm_type == SVM_TYPE_NU_SVC;
    const struct {
        char letter;
        int is_unused;
    } letters[] = {
        {'d', given->degree && !is_polynomial},
        {'r', given->coef0 && !is_polynomial},
        {'g', given->gamma && strcmp(type, "linear") == 0},
        {'c', is_nu_svc && cJSON_HasObjectItem(given->parameters, "C")},
        {'n', !is_nu_svc && given->nu_text},
        {'p', given->loss_width != NULL},
    };
    char unused[64] = "";
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].is_unused)
            snprintf(unused + strlen(unused), sizeof unused - strlen(unused), "%s -%c", *unused ? "," : "",
                     letters[i].letter);
    if (!is_polynomial)
        given->degree = given->coef0 = NULL;
    if (strcmp(type, "linear") == 0)
        given->gamma = NULL;
    if (is_nu_svc)
        cJSON_DeleteItemFromObject(given->parameters, "C");
    else
        given->nu_text = NULL;
    if (*unused && !given->common.quiet)
        cli_note("a %s with kernel %s does not use%s", is_nu_svc ? "nu-SVC" : "C-SVC", type, unused);
}

static double filled_share(const struct dataset *dataset)
{
    const struct patterns *patterns = &dataset->patterns;
    const double values = (double)patterns->rows * (double)patterns->dims;
    return values > 0 ? (double)patterns_nonzeros(patterns) / values : 0;
}

/* Sets the defaults of C and nu. */
static void put_defaults(struct solve_arguments *given)
{
    if (given->svm_type != SVM_TYPE_NU_SVC && !cJSON_HasObjectItem(given->parameters, "C"))
        key_value_set_number(given->parameters, "C", default_c);
    if (given->svm_type == SVM_TYPE_NU_SVC && !(given->nu > 0) && !cJSON_HasObjectItem(given->parameters, "mu"))
        given->nu = default_nu;
}

/* 0 if it is not a number, which the configuration's reader reports. */
double solve_number(const cJSON *parameters, const char *name)
{
    const cJSON *number = cJSON_GetObjectItem(parameters, name);
    return cJSON_IsNumber(number) ? number->valuedouble : 0;
}

static struct problem_shape shape_of(const struct solve_arguments *given, const struct dataset *dataset,
                                     const char *kernel)
{
    const size_t rows = dataset->n_splits ? dataset->splits[0].n_train : dataset->patterns.rows;
    const int is_nu_svc = given->svm_type == SVM_TYPE_NU_SVC;
    const struct kernel_family *family = kernel_family_find(kernel); /* NULL: the configuration's reader reports it */
    return (struct problem_shape){
        .rows = rows,
        .features = dataset->patterns.dims,
        .filled = filled_share(dataset),
        .kernel = family ? family->type : KERNEL_OF_PLUGIN,
        .degree = solve_number(given->kernel, "degree"),
        .is_nu_svc = is_nu_svc,
        .penalty = !is_nu_svc      ? solve_number(given->parameters, "C")
                   : given->nu > 0 ? given->nu
                                   : 2 / (solve_number(given->parameters, "mu") * (double)rows),
        .without_shrinking = given->shrinking && *given->shrinking == '0',
    };
}

void solve_choose(struct solve_arguments *given, const struct dataset *dataset)
{
    const char *type = cJSON_GetStringValue(cJSON_GetObjectItem(given->kernel, "type"));
    const char *kernel = type ? type : "";
    put_defaults(given);
    const struct problem_shape shape = shape_of(given, dataset, kernel);
    const struct solver_choice choice = choose_solver(&shape);
    given->solver = choice.solver;
    given->choice = pool_printf(given->common.pool,
                                "solver %s: %s, %zu rows, %zu features, %.3g %% filled, %s, %s = %g: %s", choice.solver,
                                shape.is_nu_svc ? "nu-SVC" : "C-SVC", shape.rows, shape.features, 100 * shape.filled,
                                kernel, shape.is_nu_svc ? "nu" : "C", shape.penalty, choice.reason);
    if (!solver_reads(solver_find(choice.solver), &parameter_shrinking))
        given->shrinking = NULL; /* the choice has used it */
}

/* Prints the choice to standard output, where the report goes, unless a record or a model goes there. */
void solve_say_choice(const struct solve_arguments *given, FILE *stream)
{
    const int is_taken = given->split || !given->data; /* the record says it */
    if (given->choice && !given->common.quiet)
        fprintf(is_taken ? stderr : stream, "%s\n", given->choice);
}

void solve_check_svm_type(const struct solve_arguments *given, const struct solver *solver)
{
    const int solves_nu_svc =
        solver->formulation == FORMULATION_NEAREST_POINTS && solver_reads(solver, &parameter_mu);
    if (given->svm_type == SVM_TYPE_C_SVC && solver->formulation != FORMULATION_C_SVM)
        die(STATUS_BAD_INPUT, "-s 0: solver \"%s\" does not solve the C-SVC", solver->name);
    if ((given->svm_type == SVM_TYPE_NU_SVC || given->bias) && !solves_nu_svc)
        die(STATUS_BAD_INPUT, "%s: solver \"%s\" does not solve the nu-SVC; nearest-point solvers that read mu do",
            given->svm_type == SVM_TYPE_NU_SVC ? "-s 1" : "--bias", solver->name);
}
