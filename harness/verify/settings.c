/* Values of parameters (settings.h). */
#include "harness/verify/settings.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/config/value_list.h"

static const double far = 1e6; /* from this size on, an end counts as infinite */

/* ---- one parameter ---- */

static double usual_value(const struct parameter *parameter)
{
    if (!isnan(parameter->fallback))
        return parameter->fallback;
    return parameter->max < far ? parameter->min + 0.3 * (parameter->max - parameter->min) : 10;
}

enum { MAX_ENDS = 8 };

/* A value in place of the end of a real number's range. */
static double near_end(double end, int is_open, double inwards)
{
    if (fabs(end) >= far)
        return end > 0 ? 1000 : -30;
    return is_open ? end + inwards : end;
}

/* Lists values other than the usual one. */
static size_t other_values(const struct parameter *parameter, double usual, double *values)
{
    const char *const *words = parameter_words(parameter);
    double candidates[MAX_ENDS];
    size_t n = 0, count = 0;
    if (words)
        for (; n < MAX_ENDS && words[n]; n++)
            candidates[n] = (double)n;
    else if (parameter->type == PARAMETER_INTEGER) {
        double step = parameter->multiple_of > 0 ? parameter->multiple_of : 1;
        double least = step * ceil(parameter->min / step);
        candidates[n++] = least + (parameter->min_is_open && least <= parameter->min ? step : 0);
        candidates[n++] = candidates[0] + step;
        candidates[n++] = parameter->max;
    } else {
        double inwards = 1e-3 * fmin(parameter->max - parameter->min, 1);
        candidates[n++] = near_end(parameter->min, parameter->min_is_open, inwards);
        if (parameter->min < 0 && parameter->max > 0)
            candidates[n++] = 0;
        candidates[n++] = near_end(parameter->max, parameter->max_is_open, -inwards);
    }
    for (size_t k = 0; k < n; k++)
        if (candidates[k] != usual && parameter_allows(parameter, candidates[k]))
            values[count++] = candidates[k];
    return count;
}

/* ---- settings ---- */

static void describe(const struct solver *solver, struct verify_setting *setting)
{
    size_t used = 0;
    setting->text[0] = 0;
    for (size_t p = 0; p < solver_count_parameters(solver) && used < sizeof setting->text; p++) {
        const struct parameter *parameter = solver->parameters[p];
        const char *const *words = parameter_words(parameter);
        double value = parameter_get(&setting->parameters, parameter);
        char *at = setting->text + used;
        size_t left = sizeof setting->text - used;
        used += (size_t)(words ? snprintf(at, left, "%s%s=%s", p ? ", " : "", parameter->name, words[(size_t)value])
                               : snprintf(at, left, "%s%s=%.12g", p ? ", " : "", parameter->name, value));
    }
}

/* Checks that every member of `given` is a parameter of the solver. */
static void check_given(const struct solver *solver, const cJSON *given, const struct json_path *place)
{
    const char *names[MAX_PARAMETERS + 1] = {NULL};
    for (size_t p = 0; p < solver_count_parameters(solver); p++)
        names[p] = solver->parameters[p]->name;
    json_check_members(given, place, names);
}

static double given_value(const struct parameter *parameter, const cJSON *value, const struct json_path *place)
{
    const char *const no_names[] = {NULL};
    const struct json_path at = {.outer = place, .key = parameter->name};
    struct pool *pool = pool_new();
    const double number = value_list_read(pool, value, &at, parameter, no_names).item[0].values.value[0];
    pool_free(pool);
    return number;
}

/* Reduces a parameter that may not exceed another to it. */
static void bring_down(const struct solver *solver, struct parameters *parameters)
{
    for (size_t p = 0; p < solver_count_parameters(solver); p++) {
        const struct parameter *parameter = solver->parameters[p];
        if (parameter->at_most)
            parameter_set(parameters, parameter,
                          fmin(parameter_get(parameters, parameter), parameter_get(parameters, parameter->at_most)));
    }
}

size_t settings_make(const struct solver *solver, const cJSON *given, struct verify_setting *settings)
{
    const struct json_path place = {.file = "--set"};
    struct verify_setting usual = {.text = ""};
    size_t count = 1;
    check_given(solver, given, &place);
    for (size_t p = 0; p < solver_count_parameters(solver); p++) {
        const struct parameter *parameter = solver->parameters[p];
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(given, parameter->name);
        parameter_set(&usual.parameters, parameter,
                      value ? given_value(parameter, value, &place) : usual_value(parameter));
    }
    settings[0] = usual;
    for (size_t p = 0; p < solver_count_parameters(solver); p++) {
        const struct parameter *parameter = solver->parameters[p];
        double values[MAX_ENDS];
        size_t n = 0;
        if (!cJSON_GetObjectItemCaseSensitive(given, parameter->name))
            n = other_values(parameter, parameter_get(&usual.parameters, parameter), values);
        for (size_t k = 0; k < n && count < MAX_SETTINGS; k++) {
            settings[count] = usual;
            parameter_set(&settings[count++].parameters, parameter, values[k]);
        }
    }
    for (size_t s = 0; s < count; s++) {
        bring_down(solver, &settings[s].parameters);
        describe(solver, &settings[s]);
    }
    return count;
}

struct problem setting_problem(const struct verify_setting *setting, const struct solver *solver,
                               const struct instance *instance)
{
    struct problem problem = {
        .solver = solver, .n = instance->n, .y = instance->y, .parameters = setting->parameters};
    double mu = 1;
    if (solver_reads(solver, &parameter_mu))
        mu = fmax(parameter_get(&setting->parameters, &parameter_mu), instance_least_mu(instance));
    parameter_set(&problem.parameters, &parameter_mu, mu);
    return problem;
}

double setting_value(const struct solver *solver, const struct problem *problem, const struct parameter *parameter,
                     double otherwise)
{
    return solver_reads(solver, parameter) ? parameter_get(&problem->parameters, parameter) : otherwise;
}
