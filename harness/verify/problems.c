/* Generates problems from their numbers, and lists values of parameters (verify.h). */
#include "harness/verify/trace_solver.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/config/config.h"
#include "harness/stats/distributions.h"

/* ---- problems ---- */

enum family {
    OVERLAPPING,
    SEPARABLE,
    POLYNOMIAL,
    DUPLICATES,
    ONE_SAMPLE,
    TOUCHING,
    ZERO_ROW,
    OFFSET,
    ALIKE,
    SMALL_SCALE,
    FAMILIES
};
static const struct kernel linear = {.type = KERNEL_LINEAR}, rbf = {.type = KERNEL_RBF, .width = 4},
                           wide = {.type = KERNEL_RBF, .width = 100},
                           square = {.type = KERNEL_POLYNOMIAL, .degree = 2, .scale = 1, .offset = 1};

/* The problems of a family have its kernels in turn. */
static const struct {
    const char *name;
    const struct kernel *kernels[2];
} families[] = {
    [OVERLAPPING] = {"overlapping classes", {&rbf, &rbf}},
    [SEPARABLE] = {"separable classes", {&linear, &linear}},
    [POLYNOMIAL] = {"overlapping classes, polynomial", {&square, &square}},
    [DUPLICATES] = {"every pattern twice", {&rbf, &rbf}},
    [ONE_SAMPLE] = {"one pattern in class +1", {&rbf, &rbf}},
    [TOUCHING] = {"a pattern that both classes share", {&linear, &linear}},
    [ZERO_ROW] = {"a row of zeros in the kernel", {&linear, &linear}},
    [OFFSET] = {"patterns far from the origin", {&rbf, &linear}},
    [ALIKE] = {"all patterns of class -1 equal", {&wide, &wide}},
    [SMALL_SCALE] = {"patterns scaled by 1e-3", {&linear, &wide}},
};
_Static_assert(sizeof families / sizeof *families == FAMILIES, "one row each");

static void draw(struct instance *instance, enum family family, const gsl_rng *rng)
{
    double shift = family == SEPARABLE ? 4 : 0.7;
    for (size_t i = 0; i < instance->n; i++) {
        instance->y[i] = i == 0 ? 1 : i == 1 ? -1 : gsl_rng_uniform(rng) < 0.5 ? 1 : -1;
        if (family == ONE_SAMPLE && i > 0)
            instance->y[i] = -1;
        for (size_t d = 0; d < instance->dims; d++)
            instance->x[i * instance->dims + d] =
                gsl_ran_gaussian_ratio_method(rng, 1) + (d == 0 ? instance->y[i] * shift : 0);
    }
}

static void copy_pattern(struct instance *instance, size_t to, size_t from)
{
    memcpy(instance->x + to * instance->dims, instance->x + from * instance->dims,
           instance->dims * sizeof *instance->x);
}

static void make_special(struct instance *instance, enum family family)
{
    size_t n = instance->n, dims = instance->dims;
    for (size_t i = 0; i < n; i++) {
        if (family == DUPLICATES && i >= n / 2 && i >= 2) {
            copy_pattern(instance, i, i - n / 2);
            instance->y[i] = instance->y[i - n / 2];
        }
        if (family == ALIKE && instance->y[i] < 0)
            copy_pattern(instance, i, 1);
        for (size_t d = 0; d < dims; d++) {
            if (family == OFFSET)
                instance->x[i * dims + d] += 1e5;
            if (family == SMALL_SCALE)
                instance->x[i * dims + d] *= 1e-3;
        }
    }
    if (family == TOUCHING)
        copy_pattern(instance, 1, 0);
    if (family == ZERO_ROW)
        memset(instance->x + (n - 1) * dims, 0, dims * sizeof *instance->x);
}

static void release_kernel(void *object)
{
    struct instance *instance = object;
    oracle_free(instance->oracle);
    gram_free(instance->gram);
    points_free(&instance->points);
}

static void open_kernel(struct pool *pool, struct instance *instance, const struct simd *simd)
{
    const size_t budget = (size_t)1 << 24;
    struct error error = {0};
    pool_keep(pool, release_kernel, instance);
    if (points_create(&instance->points, instance->kernel.type,
                      patterns_dense(instance->x, instance->n, instance->dims), instance->rows, instance->n,
                      &error) != STATUS_OK ||
        gram_create(&instance->gram, simd, &instance->points, budget, 0, &error) != STATUS_OK ||
        oracle_create(&instance->oracle, instance->gram, &error) != STATUS_OK ||
        oracle_check_rows(instance->oracle, 1, &error) != STATUS_OK)
        die_of(&error);
    gram_set_kernel(instance->gram, &instance->kernel);
}

struct instance *instance_new(struct pool *pool, unsigned number, const struct simd *simd)
{
    const int is_small = number <= SMALL_INSTANCES;
    const enum family family = is_small ? (enum family)((number - 1) % FAMILIES) : OVERLAPPING;
    struct instance *instance = pool_alloc(pool, sizeof *instance);
    const gsl_rng *rng = random_numbers(pool, number);
    instance->number = number;
    instance->family = families[family].name;
    instance->n = is_small              ? 2 + (number - 1) * (MAX_SMALL - 1) / SMALL_INSTANCES
                  : number < FIRST_LONG ? MAX_INSTANCE
                                        : LONG_SIZE;
    instance->dims = 1 + number % MAX_INSTANCE_DIMS;
    instance->kernel = *families[family].kernels[number / FAMILIES % 2];
    draw(instance, family, rng);
    make_special(instance, family);
    for (size_t i = 0; i < instance->n; i++)
        instance->rows[i] = i;
    open_kernel(pool, instance, simd);
    return instance;
}

static const double far = 1e6; /* from this size on, an end counts as infinite */

/* ---- values of one parameter ---- */

static double usual_value(const struct parameter *parameter)
{
    return !isnan(parameter->fallback) ? parameter->fallback
           : parameter->max < far      ? parameter->min + 0.3 * (parameter->max - parameter->min)
                                       : 10;
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
    struct pool *pool = pool_new();
    const struct value_list list = value_list_read(pool, value, json_at(place, parameter->name), parameter, no_names);
    const double number = list.item[0].values.value[0];
    pool_free(pool);
    return number;
}

size_t settings_make(const struct solver *solver, const cJSON *given, struct verify_setting *settings)
{
    const struct json_path place = {.file = "--set"};
    const size_t n_parameters = solver_count_parameters(solver);
    struct verify_setting usual = {.text = ""};
    size_t count = 1;
    check_given(solver, given, &place);
    for (size_t p = 0; p < n_parameters; p++) {
        const struct parameter *parameter = solver->parameters[p];
        const cJSON *value = json_member(given, parameter->name);
        parameter_set(&usual.parameters, parameter,
                      value ? given_value(parameter, value, &place) : usual_value(parameter));
    }
    settings[0] = usual;
    for (size_t p = 0; p < n_parameters; p++) {
        const struct parameter *parameter = solver->parameters[p];
        double values[MAX_ENDS];
        size_t n = 0;
        if (!json_member(given, parameter->name))
            n = other_values(parameter, parameter_get(&usual.parameters, parameter), values);
        for (size_t k = 0; k < n && count < MAX_SETTINGS; k++) {
            settings[count] = usual;
            parameter_set(&settings[count++].parameters, parameter, values[k]);
        }
    }
    for (size_t s = 0; s < count; s++) {
        struct parameters *parameters = &settings[s].parameters;
        for (size_t p = 0; p < n_parameters; p++) {
            const struct parameter *parameter = solver->parameters[p];
            if (parameter->at_most) /* reduced to the other, which it may not exceed */
                parameter_set(parameters, parameter, fmin(parameter_get(parameters, parameter),
                                                          parameter_get(parameters, parameter->at_most)));
        }
        describe(solver, &settings[s]);
    }
    return count;
}

void setting_describe(const struct verify_setting *setting, const struct instance *instance, char *text, size_t size)
{
    char kernel[64] = "linear";
    if (instance->kernel.type == KERNEL_RBF)
        snprintf(kernel, sizeof kernel, "rbf of width %g", instance->kernel.width);
    else if (instance->kernel.type == KERNEL_POLYNOMIAL)
        snprintf(kernel, sizeof kernel, "polynomial of degree %u", instance->kernel.degree);
    snprintf(text, size, "problem %u (seed %u, N = %zu, %s kernel, %s)%s%s", instance->number, instance->number,
             instance->n, kernel, instance->family, *setting->text ? ", " : "", setting->text);
}

struct problem setting_problem(const struct verify_setting *setting, const struct solver *solver,
                               const struct instance *instance)
{
    struct problem problem = {
        .solver = solver, .n = instance->n, .y = instance->y, .parameters = setting->parameters};
    size_t count[2] = {0, 0};
    for (size_t i = 0; i < instance->n; i++)
        count[instance->y[i] < 0]++;
    const double least_mu = 1 / (double)(count[0] < count[1] ? count[0] : count[1]);
    parameter_set(&problem.parameters, &parameter_mu,
                  solver_reads(solver, &parameter_mu)
                      ? fmax(parameter_get(&setting->parameters, &parameter_mu), least_mu)
                      : 1);
    return problem;
}

double setting_value(const struct solver *solver, const struct problem *problem, const struct parameter *parameter,
                     double otherwise)
{
    return solver_reads(solver, parameter) ? parameter_get(&problem->parameters, parameter) : otherwise;
}
