/*
 * The configuration that the words of `hullbench solve` become. svm-train's kernels, k features, gamma = 1/k unless
 * given:
 *
 *     -t 0  u.v                          linear
 *     -t 1  (gamma u.v + coef0)^degree   polynomial, scale gamma, offset coef0
 *     -t 2  exp(-gamma |u - v|^2)        rbf, width 1/gamma
 *
 * nu of the nu-SVC is that of reduced hulls with mu = 2 / (nu N).
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/solve_words.h"
#include "harness/model/model.h"
#include "harness/evaluate/stopping.h"
#include "harness/support/key_value.h"

static int as_svm_train(const struct solve_words *words)
{
    return solve_is_whole(words) || solve_is_validation(words);
}

/* svm-train stops at the largest violation of a pair, 1e-3. */
static struct stop usual_stop(const struct solve_words *words, const struct solver *solver)
{
    struct stop usual = stop_usual(solver);
    if (!as_svm_train(words))
        return usual;
    int has_kkt = solver && solver->stops >> STOP_KKT & 1;
    return (struct stop){usual.rule == STOP_KKT_RELAXED && has_kkt ? STOP_KKT : usual.rule, 1e-3};
}

/* A rule that is named without a tolerance has the usual one, but svm-light's. */
static void finish_stop(struct solve_words *words, const struct solver *solver)
{
    int is_named = cJSON_HasObjectItem(words->stop, "rule");
    struct stop usual = usual_stop(words, is_named ? NULL : solver);
    if (!is_named)
        cJSON_AddStringToObject(words->stop, "rule", stop_rule_name(usual.rule));
    const char *rule = cJSON_GetStringValue(cJSON_GetObjectItem(words->stop, "rule"));
    if (!cJSON_HasObjectItem(words->stop, "tolerance") && rule && strcmp(rule, "iterations") != 0)
        key_value_set_number(words->stop, "tolerance", usual.tolerance);
    if (!cJSON_HasObjectItem(words->budget, "iterations"))
        key_value_set_number(words->budget, "iterations", as_svm_train(words) ? 1e7 : 1e5);
}

/* 1/features as svm-train has it: features are counted by the largest index. */
static double gamma_of(const struct solve_words *words, const struct dataset *dataset)
{
    double gamma = words->gamma ? strtod(words->gamma, NULL) : 0;
    size_t features = dataset->first_index + dataset->dims - 1;
    if (!words->data)
        features = dataset->dims;
    return gamma > 0 ? gamma : 1 / (double)(features ? features : 1);
}

static enum status finish_kernel(struct solve_words *words, const struct dataset *dataset, struct error *error)
{
    int by_letters = words->type || words->degree || words->gamma || words->coef0;
    if (words->kernel) {
        const char *type = cJSON_GetStringValue(cJSON_GetObjectItem(words->kernel, "type"));
        const cJSON *raw = cJSON_GetObjectItem(words->kernel, "width");
        double width = raw && raw->valuestring ? strtod(raw->valuestring, NULL) : 0;
        if (solve_is_whole(words) && type && strcmp(type, "rbf") == 0 && width > 0)
            key_value_set_number(words->kernel, "width", model_width(width));
        return STATUS_OK;
    }
    words->kernel = cJSON_AddObjectToObject(words->config, "kernel");
    const char *type = words->type ? words->type : by_letters || as_svm_train(words) ? "rbf" : "linear";
    int polynomial = strcmp(type, "polynomial") == 0;
    cJSON_AddStringToObject(words->kernel, "type", type);
    if ((words->degree || words->coef0) && !polynomial)
        return error_set(error, STATUS_BAD_INPUT, "-%c goes with the polynomial kernel, -t 1",
                         words->degree ? 'd' : 'r');
    if (words->gamma && strcmp(type, "linear") == 0)
        return error_set(error, STATUS_BAD_INPUT, "-g goes with the kernels -t 1 and -t 2");
    if (strcmp(type, "rbf") == 0)
        key_value_set_number(words->kernel, "width", 1 / gamma_of(words, dataset));
    if (polynomial) {
        key_value_set_number(words->kernel, "scale", gamma_of(words, dataset));
        key_value_set(words->kernel, "offset", words->coef0 ? words->coef0 : "0");
        key_value_set(words->kernel, "degree", words->degree ? words->degree : "3");
    }
    return STATUS_OK;
}

/* mu = 2 / (nu N) needs N and the smaller class of the rows that train. */
static enum status put_mu(struct solve_words *words, const struct dataset *dataset, double nu, struct error *error)
{
    size_t number = words->split ? words->split : 1, positive = 0;
    if (number > dataset->n_splits)
        return STATUS_OK; /* which is an error of its own */
    const struct split *split = &dataset->splits[number - 1];
    for (size_t i = 0; i < split->n_train; i++)
        positive += dataset->y[split->train[i]] > 0;
    double n = (double)split->n_train, smaller = fmin((double)positive, n - (double)positive);
    if (nu > 2 * smaller / n || nu < 2 / n)
        return error_set(error, STATUS_BAD_INPUT,
                         "nu %g is not feasible: %.0f rows train, %.0f of the smaller class; allowed: %.17g to "
                         "%.17g",
                         nu, n, smaller, 2 / n, 2 * smaller / n);
    key_value_set_number(words->parameters, "mu", 2 / (nu * n));
    return STATUS_OK;
}

static enum status finish_parameters(struct solve_words *words, const struct solver *solver,
                                     const struct dataset *dataset, struct error *error)
{
    int reads_mu = solver->parameters >> PARAMETER_MU & 1, reads_nu = solver->parameters >> PARAMETER_NU & 1;
    int can_shrink = solver->parameters >> PARAMETER_SHRINKING & 1;
    int has_mu = cJSON_HasObjectItem(words->parameters, reads_mu ? "mu" : "nu");
    double nu = words->nu > 0 ? words->nu : as_svm_train(words) && !has_mu ? 0.5 : 0;
    if (words->nu > 0 && !reads_mu && !reads_nu)
        return error_set(error, STATUS_BAD_INPUT, "-n: solver \"%s\" reads neither mu nor nu", solver->name);
    if (words->nu > 0 && has_mu)
        return error_set(error, STATUS_BAD_INPUT, "-n and --set %s are given both", reads_mu ? "mu" : "nu");
    if (words->shrinking == 1 && !can_shrink)
        return error_set(error, STATUS_BAD_INPUT, "-h 1: solver \"%s\" does not shrink", solver->name);
    if (words->shrinking >= 0 && can_shrink)
        key_value_set(words->parameters, "shrinking", words->shrinking ? "yes" : "no");
    if (as_svm_train(words) && solver->parameters >> PARAMETER_C & 1 && !cJSON_HasObjectItem(words->parameters, "C"))
        key_value_set_number(words->parameters, "C", 1);
    if (nu > 0 && reads_nu)
        key_value_set_number(words->parameters, "nu", nu);
    return nu > 0 && reads_mu ? put_mu(words, dataset, nu, error) : STATUS_OK;
}

static void put_data(struct solve_words *words)
{
    cJSON *datasets = cJSON_AddArrayToObject(words->config, "datasets");
    if (!words->data) {
        cJSON_AddItemToArray(datasets, cJSON_CreateString(words->dataset));
        return;
    }
    cJSON *file = cJSON_CreateObject();
    cJSON_AddStringToObject(file, "name", words->dataset ? words->dataset : "data");
    cJSON_AddStringToObject(file, "file", words->data);
    if (words->format)
        cJSON_AddStringToObject(file, "format", words->format);
    if (words->label_column)
        cJSON_AddStringToObject(file, "label_column", words->label_column);
    cJSON_AddItemToArray(datasets, file);
}

enum status solve_words_finish(struct solve_words *words, const struct dataset *dataset, char **text,
                               struct error *error)
{
    const struct solver *solver = solver_find(words->solver);
    *text = NULL;
    put_data(words);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(words->config, "solvers"), cJSON_CreateString(words->solver));
    cJSON_AddStringToObject(words->config, "standardise", words->raw || as_svm_train(words) ? "none" : "full-set");
    if (words->folds) {
        cJSON *splits = cJSON_AddObjectToObject(words->config, "splits");
        cJSON_AddNumberToObject(splits, "folds", (double)words->folds);
        cJSON_AddTrueToObject(splits, "stratified");
    } else
        cJSON_AddNumberToObject(words->config, "splits", words->split ? (double)words->split : 1);
    finish_stop(words, solver);
    enum status status = finish_kernel(words, dataset, error);
    if (status == STATUS_OK && solver) /* an unknown one is an error of the configuration */
        status = finish_parameters(words, solver, dataset, error);
    if (status == STATUS_OK)
        *text = cJSON_Print(words->config);
    return status;
}
