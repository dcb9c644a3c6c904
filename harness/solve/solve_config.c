/*
 * The configuration that the options of `hullbench solve` become. svm-train's kernels, with k features and gamma = 1/k
 * unless given:
 *
 *     -t 0  u.v                          linear
 *     -t 1  (gamma u.v + coef0)^degree   polynomial, scale gamma, offset coef0
 *     -t 2  exp(-gamma |u - v|^2)        rbf, width 1/gamma
 *
 * nu of the nu-SVC corresponds to reduced hulls with mu = 2 / (nu N). In LIBSVM's scale each class's multipliers sum to
 * nu N / 2 and none exceeds 1. If nu N / 2 < 1, that bound is inactive: divided by nu N / 2, the multipliers are
 * weights of hulls that are not reduced, mu = 1. LIBSVM scales the model to the margin anyway, so the model is the same
 * for all such nu.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/solve/solve_options.h"
#include "harness/base/json_writer.h"
#include "harness/model/model.h"
#include "harness/evaluate/stopping.h"
#include "harness/support/json_reader.h"

/* A member of "parameters", "kernel" or "stop"; 0 if it is not a number, which the configuration's reader reports. */
static double number_of(const cJSON *parameters, const char *name)
{
    const cJSON *number = cJSON_GetObjectItem(parameters, name);
    return cJSON_IsNumber(number) ? number->valuedouble : 0;
}

/* A rule without a tolerance gets the usual one, except svm-light's. The usual rule for files is the recomputed
 * relative duality gap, with the tolerance of svm-train's own rule, which is called kkt. svm-train's multipliers of the
 * nu-SVC are 1 / mu times the weights of hulls, so there its rule Delta <= eps is Delta <= mu eps, or delta at
 * mu eps / 2. */
static void put_stop(cJSON *config, const struct solve_arguments *given, const struct solver *solver)
{
    const struct stop usual = solve_is_svm_train(given) ? (struct stop){STOP_DUALITY_GAP, 1e-3}
                                                        : stop_usual(given->rule ? NULL : solver);
    const char *rule = given->rule ? given->rule : stop_rule_name(usual.rule);
    const double mu = number_of(given->parameters, "mu");
    const int is_scaled = solve_is_svm_train(given) && strcmp(rule, "kkt") == 0 && solver && mu > 0 &&
                          stop_rule_fits(STOP_DELTA, solver) && !stop_rule_fits(STOP_KKT, solver);
    cJSON *stop = json_put_object(config, "stop"), *budget = json_put_object(config, "budget");
    json_put_text(stop, "rule", is_scaled ? "delta" : rule);
    if (given->tolerance)
        json_set_word(stop, "tolerance", given->tolerance);
    else if (strcmp(rule, "iterations") != 0)
        json_put_number(stop, "tolerance", usual.tolerance);
    if (is_scaled && number_of(stop, "tolerance") > 0)
        json_set_number(stop, "tolerance", 0.5 * mu * number_of(stop, "tolerance"));
    if (given->iterations)
        json_set_word(budget, "iterations", given->iterations);
    else
        json_put_number(budget, "iterations", solve_is_svm_train(given) ? 1e7 : 1e5);
}

/* 1/features as in svm-train, which counts features by the largest index. */
static double gamma_of(const struct solve_arguments *given, const struct dataset *dataset)
{
    double gamma = given->gamma ? strtod(given->gamma, NULL) : 0;
    size_t features = dataset->first_index + dataset->patterns.dims - 1;
    if (!given->data)
        features = dataset->patterns.dims;
    return gamma > 0 ? gamma : 1 / (double)(features ? features : 1);
}

static void finish_kernel(cJSON *config, struct solve_arguments *given, const struct dataset *dataset)
{
    if (given->kernel) {
        const char *type = cJSON_GetStringValue(cJSON_GetObjectItem(given->kernel, "type"));
        const double width = number_of(given->kernel, "width");
        if (trains_on_all_rows(given) && type && strcmp(type, "rbf") == 0 && width > 0)
            json_set_number(given->kernel, "width", model_width(width));
        given->kernel = json_put_copy(config, "kernel", given->kernel);
        return;
    }
    given->kernel = json_put_object(config, "kernel");
    json_put_text(given->kernel, "type", given->type);
    if (strcmp(given->type, "rbf") == 0)
        json_put_number(given->kernel, "width", 1 / gamma_of(given, dataset));
    if (strcmp(given->type, "polynomial") == 0) {
        json_put_number(given->kernel, "scale", gamma_of(given, dataset));
        json_set_word(given->kernel, "offset", given->coef0 ? given->coef0 : "0");
        json_set_word(given->kernel, "degree", given->degree ? given->degree : "3");
    }
}

/* mu = 2 / (nu N) needs N and the smaller class of the rows that train. */
static void put_mu(struct solve_arguments *given, const struct dataset *dataset, double nu)
{
    size_t number = given->split ? given->split : 1, positive = 0;
    if (number > dataset->n_splits)
        return; /* reported elsewhere */
    const struct split *split = &dataset->splits[number - 1];
    for (size_t i = 0; i < split->n_train; i++)
        positive += dataset->y[split->train[i]] > 0;
    double n = (double)split->n_train, smaller = fmin((double)positive, n - (double)positive);
    if (nu > 2 * smaller / n)
        die(STATUS_BAD_INPUT,
            "nu %g is not feasible for %.0f training rows, %.0f of the smaller class; allowed: at most %.10g", nu, n,
            smaller, floor(2e9 * smaller / n) / 1e9); /* in few digits, and not above the bound */
    json_put_number(given->parameters, "mu", fmin(1, 2 / (nu * n)));
}

static void finish_parameters(struct solve_arguments *given, const struct solver *solver, const struct dataset *dataset)
{
    int reads_mu = solver_reads(solver, &parameter_mu), reads_nu = solver_reads(solver, &parameter_nu);
    int can_shrink = solver_reads(solver, &parameter_shrinking);
    int has_mu = cJSON_HasObjectItem(given->parameters, reads_mu ? "mu" : "nu");
    const int has_defaults = solve_is_svm_train(given) || given->choice;
    double nu = given->nu > 0 ? given->nu : has_defaults && !has_mu ? SOLVE_USUAL_NU : 0;
    if (given->nu > 0 && !reads_mu && !reads_nu)
        die(STATUS_BAD_INPUT, "-n: solver \"%s\" reads neither mu nor nu", solver->name);
    if (given->nu > 0 && has_mu)
        die(STATUS_BAD_INPUT, "-n cannot be combined with --set %s", reads_mu ? "mu" : "nu");
    if (given->shrinking && *given->shrinking == '1' && !can_shrink)
        die(STATUS_BAD_INPUT, "-h 1: solver \"%s\" has no parameter \"shrinking\"", solver->name);
    if (given->shrinking && can_shrink)
        json_set_word(given->parameters, "shrinking", *given->shrinking == '1' ? "yes" : "no");
    if (has_defaults && solver_reads(solver, &parameter_c) && !cJSON_HasObjectItem(given->parameters, "C"))
        json_put_number(given->parameters, "C", SOLVE_USUAL_C);
    if (nu > 0 && reads_nu)
        json_put_number(given->parameters, "nu", nu);
    if (nu > 0 && reads_mu)
        put_mu(given, dataset, nu);
}

/* Selects the solver if none is named. */
static void choose(struct solve_arguments *given, const struct dataset *dataset)
{
    const struct patterns *patterns = &dataset->patterns;
    const char *kernel = cJSON_GetStringValue(cJSON_GetObjectItem(given->kernel, "type"));
    const struct kernel_family *family = kernel_family_find(kernel ? kernel : ""); /* NULL: the reader reports it */
    const size_t rows = dataset->n_splits ? dataset->splits[0].n_train : patterns->rows;
    const double cells = (double)patterns->rows * (double)patterns->dims, c = number_of(given->parameters, "C"),
                 mu = number_of(given->parameters, "mu");
    const struct problem_shape shape = {.rows = rows,
                                        .features = patterns->dims,
                                        .kernel = family ? family->type : KERNEL_OF_PLUGIN,
                                        .degree = number_of(given->kernel, "degree"),
                                        .offset = number_of(given->kernel, "offset"),
                                        .c = c > 0 ? c : SOLVE_USUAL_C,
                                        .rule = given->rule,
                                        .is_nu_svc = given->svm_type == SVM_TYPE_NU_SVC,
                                        .without_shrinking = given->shrinking && *given->shrinking == '0'};
    const struct solver_choice choice = choose_solver(&shape);
    const double nu = given->nu > 0 ? given->nu : mu > 0 ? 2 / (mu * (double)rows) : SOLVE_USUAL_NU;
    given->solver = choice.solver;
    given->choice = pool_printf(given->common.pool,
                                "solver %s: %s, %zu rows, %zu features, %.3g %% filled, %s, %s = %g: %s", choice.solver,
                                shape.is_nu_svc ? "nu-SVC" : "C-SVC", rows, shape.features,
                                cells > 0 ? 100 * (double)patterns_nonzeros(patterns) / cells : 0, kernel ? kernel : "",
                                shape.is_nu_svc ? "nu" : "C", shape.is_nu_svc ? nu : shape.c,
                                choice.reason);
    if (choice.max_rank > 0 && !cJSON_HasObjectItem(given->parameters, "max_rank"))
        json_put_number(given->parameters, "max_rank", (double)choice.max_rank);
    if (!solver_reads(solver_find(choice.solver), &parameter_shrinking))
        given->shrinking = NULL; /* the choice has used it */
}

static void put_data(cJSON *config, const struct solve_arguments *given)
{
    cJSON *datasets = json_put_array(config, "datasets");
    if (!given->data) {
        json_add_text(datasets, given->dataset);
        return;
    }
    /* Already read: its path and format, which need not be UTF-8, do not matter. */
    cJSON *file = json_add_object(datasets);
    json_put_text(file, "name", given->dataset ? given->dataset : "data");
    json_put_text(file, "file", "read");
}

cJSON *solve_config(struct solve_arguments *given, const struct dataset *dataset)
{
    cJSON *config = json_new_object();
    json_put_text(config, "name", "solve");
    json_put_text(config, "title", "one job");
    finish_kernel(config, given, dataset);
    if (solve_is_auto(given))
        choose(given, dataset);
    const struct solver *solver = solver_find(given->solver);
    put_data(config, given);
    json_add_text(json_put_array(config, "solvers"), given->solver);
    const enum standardise way = given->raw || solve_is_svm_train(given) ? STANDARDISE_NONE
                                 : given->data                    ? STANDARDISE_TRAINING
                                                                  : STANDARDISE_FULL_SET;
    json_put_text(config, "standardise", standardise_names[way]);
    if (given->folds) {
        cJSON *splits = json_put_object(config, "splits");
        json_put_number(splits, "folds", (double)given->folds);
        json_put_bool(splits, "stratified", 1);
    } else
        json_put_number(config, "splits", given->split ? (double)given->split : 1);
    if (given->megabytes > 0)
        json_put_number(config, "gram_megabytes", given->megabytes);
    if (solver) /* the configuration's reader reports an unknown one */
        finish_parameters(given, solver, dataset);
    put_stop(config, given, solver);
    json_put_copy(config, "parameters", given->parameters);
    return config;
}
