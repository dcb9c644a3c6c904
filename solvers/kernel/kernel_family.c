/* The kernel families: built-in ones and those of plugins. */
#include "solvers/kernel/kernel_family.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solvers/registry.h"

static const struct parameter width = {.name = "width",
                                       .meaning = "sigma^2 or 2 sigma^2",
                                       .min = 0,
                                       .min_is_open = 1,
                                       .max = HUGE_VAL,
                                       .scale = PARAMETER_LOG,
                                       .fallback = NAN};
static const struct parameter degree = {
    .name = "degree", .meaning = "power", .type = PARAMETER_INTEGER, .min = 1, .max = 64, .fallback = NAN};
static const struct parameter offset = {
    .name = "offset", .meaning = "added to the product", .min = -HUGE_VAL, .max = HUGE_VAL, .fallback = 1};
static const struct parameter scale = {.name = "scale",
                                       .meaning = "factor of the product",
                                       .min = 0,
                                       .min_is_open = 1,
                                       .max = HUGE_VAL,
                                       .fallback = 1};

static const struct kernel_family built_in[KERNEL_TYPES] = {
    [KERNEL_RBF] = {.name = "rbf",
                    .meaning = "exp(-|x - z|^2 / width), width > 0",
                    .type = KERNEL_RBF,
                    .parameters = PARAMETERS(&width),
                    .is_semidefinite = 1},
    [KERNEL_POLYNOMIAL] = {.name = "polynomial",
                           .meaning = "(scale x.z + offset)^degree, degree 1 to 64, scale and offset 1 by default",
                           .type = KERNEL_POLYNOMIAL,
                           .parameters = PARAMETERS(&degree, &offset, &scale)},
    [KERNEL_LINEAR] = {.name = "linear", .meaning = "x.z", .type = KERNEL_LINEAR, .is_semidefinite = 1},
    [KERNEL_PRECOMPUTED] = {.name = "precomputed",
                            .meaning = "the data set is a square table of kernel values",
                            .type = KERNEL_PRECOMPUTED},
};

/* The built-in families, then those that kernel_families_add appends; NULL from `count` on. */
static struct {
    size_t count;
    const struct kernel_family *families[MAX_KERNEL_FAMILIES + 1];
    const struct solver_origin *origins[MAX_KERNEL_FAMILIES];
} registry = {KERNEL_TYPES,
              {&built_in[KERNEL_RBF], &built_in[KERNEL_POLYNOMIAL], &built_in[KERNEL_LINEAR],
               &built_in[KERNEL_PRECOMPUTED]},
              {NULL}};

const struct kernel_family *const *kernel_families_all(void)
{
    return registry.families;
}

const struct kernel_family *kernel_family_find(const char *name)
{
    const struct kernel_family *const *at = registry.families;
    while (*at && strcmp((*at)->name, name) != 0)
        at++;
    return *at;
}

size_t kernel_family_count_parameters(const struct kernel_family *family)
{
    size_t count = 0;
    while (family->parameters && family->parameters[count])
        count++;
    return count;
}

const struct parameter *kernel_family_parameter(const struct kernel_family *family, const char *name)
{
    for (size_t k = 0; k < kernel_family_count_parameters(family); k++)
        if (strcmp(family->parameters[k]->name, name) == 0)
            return family->parameters[k];
    return NULL;
}

int kernel_families_know_parameter(const char *name)
{
    for (const struct kernel_family *const *at = registry.families; *at; at++)
        if (kernel_family_parameter(*at, name))
            return 1;
    return 0;
}

const struct solver_origin *kernel_family_origin(const struct kernel_family *family)
{
    for (size_t i = KERNEL_TYPES; i < registry.count; i++)
        if (registry.families[i] == family)
            return registry.origins[i];
    return NULL;
}

/* ---- families of plugins ---- */

static enum status check_parameters(const struct kernel_family *family, const char *file, struct error *error)
{
    char where[256];
    size_t count = kernel_family_count_parameters(family);
    snprintf(where, sizeof where, "%.180s: kernel \"%s\"", file, family->name);
    if (count > KERNEL_MAX_PARAMETERS)
        return error_set(error, STATUS_BAD_INPUT, "%s: %zu parameters; allowed: at most %d", where, count,
                         KERNEL_MAX_PARAMETERS);
    for (size_t k = 0; k < count; k++) {
        const struct parameter *parameter = family->parameters[k];
        enum status status = parameter_check_of_kernel(parameter, where, error);
        if (status != STATUS_OK)
            return status;
        size_t first = 0;
        while (strcmp(family->parameters[first]->name, parameter->name) != 0)
            first++;
        if (first < k)
            return error_set(error, STATUS_BAD_INPUT, "%s: parameter \"%s\" occurs twice", where,
                             parameter->name);
        if (parameter->at_most)
            return error_set(error, STATUS_BAD_INPUT, "%s: parameter \"%s\": at_most applies only to solvers", where,
                             parameter->name);
        if (solvers_know_parameter(parameter->name))
            return error_set(error, STATUS_BAD_INPUT, "%s: parameter \"%s\" belongs to a solver; use another name",
                             where, parameter->name);
    }
    return STATUS_OK;
}

static enum status check_family(const struct kernel_family *family, const char *file, struct error *error)
{
    const char *name = family->name ? family->name : "";
    int functions = (family->of_distance != NULL) + (family->of_inner_product != NULL) + (family->of_samples != NULL);
    if (!solver_name_is_fit(name))
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: kernel name \"%.80s\": allowed: at most %d of a-z, 0-9 and -, not beginning with -", file,
                         name, MAX_SOLVER_NAME);
    const char *wrong = !family->meaning                ? "member meaning is NULL"
                        : family->type != KERNEL_OF_PLUGIN ? "member type: expected KERNEL_OF_PLUGIN"
                        : functions != 1
                            ? "expected exactly one of the members of_distance, of_inner_product and of_samples"
                        : !(family->roundings >= 0 && family->roundings_per_feature >= 0)
                            ? "members roundings and roundings_per_feature: expected numbers from 0"
                            : NULL;
    if (wrong)
        return error_set(error, STATUS_BAD_INPUT, "%s: kernel \"%s\": %s", file, name, wrong);
    enum status status = check_parameters(family, file, error);
    const struct kernel_family *there = kernel_family_find(name);
    if (status != STATUS_OK || !there)
        return status;
    const struct solver_origin *origin = kernel_family_origin(there);
    return error_set(error, STATUS_BAD_INPUT, "%s: kernel \"%s\" already exists, %s%s", file, name,
                     origin ? "from " : "built in", origin ? origin->file : "");
}

void kernel_families_remove(const struct solver_origin *origin)
{
    while (registry.count > KERNEL_TYPES && registry.origins[registry.count - 1] == origin)
        registry.families[--registry.count] = NULL;
}

enum status kernel_families_add(const struct kernel_family *const *families, const struct solver_origin *origin,
                                struct error *error)
{
    enum status status = STATUS_OK;
    for (; *families && status == STATUS_OK; families++) {
        status = registry.count < MAX_KERNEL_FAMILIES
                     ? check_family(*families, origin->file, error)
                     : error_set(error, STATUS_BAD_INPUT, "%s: too many kernels; allowed: at most %d", origin->file,
                                 MAX_KERNEL_FAMILIES);
        if (status != STATUS_OK)
            break;
        registry.origins[registry.count] = origin;
        registry.families[registry.count++] = *families;
    }
    if (status != STATUS_OK)
        kernel_families_remove(origin);
    return status;
}
