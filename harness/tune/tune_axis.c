/* The numbers to search (tune_axis.h). */
#include "harness/tune/tune_axis.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/config/config_reader.h"
#include "harness/support/round_to_12_digits.h"
#include "harness/tune/log_scale.h"

static struct json_path inside(const struct json_path *outer, const char *key)
{
    return (struct json_path){.file = outer->file, .outer = outer, .key = key};
}

/* ---- which numbers ---- */

/* The kernel family in the configuration; if that is unknown, which the run's reader reports, a family that has the
 * parameter. NULL: none. */
static const struct kernel_family *family_with(const cJSON *json, const char *parameter)
{
    const char *type = cJSON_GetStringValue(config_member(config_member(json, "kernel"), "type"));
    const struct kernel_family *family = type ? kernel_family_find(type) : NULL;
    const struct kernel_family *const *at = kernel_families_all();
    if (family && kernel_family_parameter(family, parameter))
        return family;
    while (*at && !kernel_family_parameter(*at, parameter))
        at++;
    return *at;
}

static int is_number(const struct parameter *parameter)
{
    return parameter->type == PARAMETER_REAL || parameter->type == PARAMETER_INTEGER;
}

static const struct solver *solver_of(const cJSON *entry)
{
    const char *name = cJSON_GetStringValue(cJSON_IsObject(entry) ? config_member(entry, "name") : entry);
    return name ? solver_find(name) : NULL;
}

static void add_name(const char **names, size_t *n, const char *name)
{
    for (size_t i = 0; i < *n; i++)
        if (strcmp(names[i], name) == 0)
            return;
    names[(*n)++] = name;
}

static void add_numbers(const char **names, size_t *n, const struct parameter *const *parameters)
{
    for (; parameters && *parameters; parameters++)
        if (is_number(*parameters))
            add_name(names, n, (*parameters)->name);
}

/* Accepts `keys` and the numeric parameters: of the kernels, of the configuration's solvers, and the shared ones. */
static void check_keys(struct pool *pool, const cJSON *json, const struct json_path *place, const char *const *keys)
{
    const cJSON *solvers = config_member(json, "solvers"), *entry = NULL;
    const size_t lists = (size_t)cJSON_GetArraySize(solvers) + MAX_KERNEL_FAMILIES + 3;
    const char **names = pool_array(pool, lists * MAX_PARAMETERS, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; keys[i]; i++)
        add_name(names, &n, keys[i]);
    for (const struct kernel_family *const *at = kernel_families_all(); *at; at++)
        add_numbers(names, &n, (*at)->parameters);
    add_numbers(names, &n, parameters_shared);
    cJSON_ArrayForEach (entry, solvers) {
        const struct solver *solver = solver_of(entry);
        add_numbers(names, &n, solver ? solver->parameters : NULL);
    }
    json_check_members(config_member(json, "tune"), place, names);
}

/* ---- one range ---- */

/* The parameter as the first solver declares it. */
static const struct parameter *declared(const cJSON *json, const char *name)
{
    const struct parameter *found = NULL;
    const cJSON *entry = NULL;
    cJSON_ArrayForEach (entry, config_member(json, "solvers")) {
        const struct solver *solver = solver_of(entry);
        if (!found && solver)
            found = solver_parameter(solver, name);
    }
    for (size_t i = 0; !found && parameters_shared[i]; i++)
        if (strcmp(parameters_shared[i]->name, name) == 0)
            found = parameters_shared[i];
    return found;
}

static void check_end(const struct parameter *number, const char *key, double value, const struct json_path *place)
{
    const struct json_path at = inside(place, key);
    char allowed[160], shown[40];
    if (parameter_allows(number, value))
        return;
    parameter_allowed(number, allowed, sizeof allowed);
    json_die(&at, "%s is out of range; allowed: %s", json_number_to_text(value, shown, sizeof shown), allowed);
}

static void read_range(struct pool *pool, const cJSON *json, const struct parameter *number,
                       const struct json_path *place, struct tune_axis *axis)
{
    static const char *const scales[] = {"linear", "log", NULL};
    const double max = 1e12; /* keeps C K and distances over widths far from the limits of double */
    const char *scale = cJSON_GetStringValue(config_member(json, "scale"));
    const int usual = number->scale == PARAMETER_LOG;
    const double low = (scale ? strcmp(scale, "log") == 0 : usual) ? 0 : -2 * max;
    const unsigned ends = MEMBER_REQUIRED | MEMBER_ABOVE;
    const struct member members[] = {
        {"from", MEMBER_REAL, FIELD(struct tune_axis, from), ends, .low = low, .high = max},
        {"to", MEMBER_REAL, FIELD(struct tune_axis, to), ends, .low = low, .high = max},
        {"scale", MEMBER_CHOICE, FIELD(struct tune_axis, logarithmic), .names = scales, .fallback = usual},
        MEMBERS_END,
    };
    char shown[2][40];
    members_read(pool, members, json, place, axis);
    if (axis->logarithmic && axis->from < 1 / max)
        json_die(place, "\"from\" is %g; allowed: at least %g", axis->from, 1 / max);
    if (axis->from < -max)
        json_die(place, "\"from\" is %g; allowed: at least %g", axis->from, -max);
    check_end(number, "from", axis->from, place);
    check_end(number, "to", axis->to, place);
    if (number->type == PARAMETER_INTEGER)
        axis->multiple_of = number->multiple_of > 0 ? number->multiple_of : 1;
    axis->low = tune_axis_place(axis, axis->from);
    axis->high = tune_axis_place(axis, axis->to);
    if (!(axis->low < axis->high))
        json_die(place, "\"from\" is %s and \"to\" is %s; allowed: \"to\" above \"from\"%s",
                 json_number_to_text(axis->from, shown[0], sizeof shown[0]),
                 json_number_to_text(axis->to, shown[1], sizeof shown[1]),
                 axis->logarithmic ? ", by at least a millionth" : "");
}

/* ---- the number has no other value ---- */

/* Reports an unknown number and lists those of the kernel. */
static _Noreturn void has_no_such_number(const struct kernel_family *family, const char *name,
                                         const struct json_path *place)
{
    const char *names[KERNEL_MAX_PARAMETERS];
    char allowed[KERNEL_MAX_PARAMETERS * (MAX_PARAMETER_NAME + 2) + 1] = "";
    size_t n = 0, used = 0;
    add_numbers(names, &n, family->parameters);
    for (size_t i = 0; i < n; i++)
        used += (size_t)snprintf(allowed + used, sizeof allowed - used, "%s%s", i ? ", " : "", names[i]);
    json_die(place, "kernel \"%.40s\" has no %s to search%s%s", family->name, name,
             n ? "; allowed: " : " and no other parameter", allowed);
}

static void check_kernel(const cJSON *json, const struct tune_axis *axis, const struct json_path *top)
{
    const cJSON *kernel = config_member(json, "kernel");
    const struct json_path place = inside(top, "kernel"), type = inside(&place, "type"),
                           at = inside(&place, axis->name);
    const char *word = cJSON_GetStringValue(config_member(kernel, "type"));
    const struct kernel_family *family = word ? kernel_family_find(word) : NULL;
    if (family && !kernel_family_parameter(family, axis->name))
        has_no_such_number(family, axis->name, &type);
    if (config_member(kernel, axis->name))
        json_die(&at, "the search sets this value; give its range in tune.%s", axis->name);
}

/* Checks that every solver has the parameter, with the same meaning of its numbers, and no value for it. */
static void check_parameter(const cJSON *json, struct tune_axis *axis, const struct parameter *first,
                            const struct json_path *top)
{
    const struct json_path parameters = inside(top, "parameters"), general = inside(&parameters, axis->name),
                           solvers = inside(top, "solvers");
    const cJSON *entry = NULL;
    size_t which = 0;
    if (config_member(config_member(json, "parameters"), axis->name))
        json_die(&general, "the search sets this value; give its range in tune.%s", axis->name);
    cJSON_ArrayForEach (entry, config_member(json, "solvers")) {
        const struct json_path at = {.file = top->file, .outer = &solvers, .index = which++};
        const struct solver *solver = solver_of(entry);
        const struct parameter *own = solver ? solver_parameter(solver, axis->name) : NULL;
        if (solver && !own)
            json_die(&at, "solver \"%s\" has no parameter \"%s\" to search", solver->name, axis->name);
        if (own && (own->type != first->type || own->multiple_of != first->multiple_of ||
                    !parameter_allows(own, axis->from) || !parameter_allows(own, axis->to)))
            json_die(&at, "solver \"%s\" has another range of \"%s\"; use a separate search", solver->name,
                     axis->name);
        axis->is_bounded |= own && own->at_most;
        if (config_member(config_member(entry, "parameters"), axis->name))
            json_die(&at, "the search sets parameters.%s; give its range in tune.%s", axis->name, axis->name);
    }
}

static void read_axis(struct pool *pool, const cJSON *json, const cJSON *member, const struct json_path *top,
                      struct tune_axis *axis)
{
    const struct json_path tune = inside(top, "tune"), place = inside(&tune, member->string);
    *axis = (struct tune_axis){.name = member->string, .of_kernel = kernel_families_know_parameter(member->string)};
    const struct parameter *number = axis->of_kernel
                                         ? kernel_family_parameter(family_with(json, axis->name), axis->name)
                                         : declared(json, axis->name);
    read_range(pool, member, number, &place, axis);
    if (axis->of_kernel)
        check_kernel(json, axis, top);
    else
        check_parameter(json, axis, number, top);
}

static int is_one_of(const char *name, const char *const *keys)
{
    while (*keys && strcmp(*keys, name) != 0)
        keys++;
    return *keys != NULL;
}

size_t tune_axes_read(struct pool *pool, const cJSON *json, const struct json_path *top, const char *const *keys,
                      struct tune_axis axes[TUNE_AXES])
{
    const struct json_path place = inside(top, "tune");
    const cJSON *member = NULL;
    size_t n = 0;
    check_keys(pool, json, &place, keys);
    for (int of_kernel = 0; of_kernel < 2; of_kernel++)
        cJSON_ArrayForEach (member, config_member(json, "tune")) {
            if (is_one_of(member->string, keys) || kernel_families_know_parameter(member->string) != of_kernel)
                continue;
            if (n == TUNE_AXES)
                json_die(&place, "\"%s\" is one range too many; allowed: one or two ranges", member->string);
            read_axis(pool, json, member, top, &axes[n++]);
        }
    if (n == 0)
        json_die(&place, "no range to search; add one or two, such as \"C\" and \"width\"");
    return n;
}

/* ---- positions and values ---- */

int tune_axis_is_width(const struct tune_axis *axis)
{
    return axis->of_kernel && strcmp(axis->name, "width") == 0;
}

double tune_axis_place(const struct tune_axis *axis, double value)
{
    return axis->logarithmic ? log_scale_of(value) : value;
}

double tune_axis_value(const struct tune_axis *axis, double place)
{
    return axis->logarithmic ? log_scale_value(place) : round_to_12_digits(place);
}

double tune_axis_part(const struct tune_axis *axis, double place)
{
    return (place - axis->low) / (axis->high - axis->low);
}

void tune_axis_at(const struct tune_axis *axis, double part, double *place, double *value)
{
    double at = axis->low + part * (axis->high - axis->low);
    *place = axis->logarithmic ? log_scale_round(at) : round_to_12_digits(at);
    *value = tune_axis_value(axis, *place);
    if (axis->multiple_of > 0) {
        *value = axis->multiple_of * floor(*value / axis->multiple_of + 0.5);
        *value = fmin(fmax(*value, axis->from), axis->to);
        *place = tune_axis_place(axis, *value);
    }
}
