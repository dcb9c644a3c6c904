/*
 * Kernel families. A family is a function of two patterns with parameters. Configurations give a family and the values
 * of its parameters. Four families are built in; plugins add others (solvers/plugin.h):
 *
 *     static const struct parameter width = {
 *         .name = "width", .meaning = "the distance at which k is 1/e", .min = 0, .min_is_open = 1, .max = HUGE_VAL,
 *         .scale = PARAMETER_LOG, .fallback = NAN};
 *     static double value(double distance2, const double *values)
 *     {
 *         return exp(-sqrt(distance2) / values[0]);
 *     }
 *     static const struct kernel_family laplace = {
 *         .name = "laplace", .meaning = "exp(-|x - z| / width)", .type = KERNEL_OF_PLUGIN, .is_semidefinite = 1,
 *         .parameters = PARAMETERS(&width), .of_distance = value};
 *
 * A plugin's function is called for one value at a time, with arguments that do not depend on vector width, number of
 * threads or memory. Compiled with -ffp-contract=off, it returns the same bits in all these cases. exp, log and similar
 * functions come from the installed C library; another library may change the last digits.
 */
#ifndef HULLBENCH_KERNEL_FAMILY_H
#define HULLBENCH_KERNEL_FAMILY_H

#include <stddef.h>

#include "solvers/error.h"
#include "solvers/parameters.h"

enum kernel_type {
    KERNEL_RBF,
    KERNEL_POLYNOMIAL,
    KERNEL_LINEAR,
    KERNEL_PRECOMPUTED,
    KERNEL_TYPES,
    KERNEL_OF_PLUGIN = KERNEL_TYPES
};

enum { KERNEL_MAX_PARAMETERS = 8, MAX_KERNEL_FAMILIES = 64 };

/* A constant that must live as long as the program. */
struct kernel_family {
    const char *name;      /* "type" in configurations and records: a-z, 0-9 and - */
    const char *meaning;   /* the formula, for `hullbench list kernels` */
    enum kernel_type type; /* KERNEL_OF_PLUGIN for a plugin's family */
    const struct parameter *const *parameters; /* at most KERNEL_MAX_PARAMETERS, NULL-terminated (PARAMETERS), in
                                                * their order in records; NULL: none */
    int is_semidefinite; /* nonzero: in exact arithmetic, every kernel matrix is positive semidefinite for all
                          * parameter values */
    /* The kernel value, given by exactly one of three functions. `values` holds the values of `parameters` in order. A
     * function of |x - z|^2 or of x.z is faster: the loops of the built-in kernels compute distances and inner
     * products, which are kept for other parameter values. NULL in built-in families. Several threads may call it
     * concurrently. */
    double (*of_distance)(double squared_distance, const double *values);
    double (*of_inner_product)(double inner_product, const double *values);
    double (*of_samples)(const double *x, const double *z, size_t dims, const double *values);
    /* Bound on the rounding error of a value of d features: |dk(x, z)| <= (roundings + roundings_per_feature d) 2^-53
     * s(x) s(z), where s(x)^2 = k(x, x) for a positive semidefinite kernel, else the largest |k(x, z)| over training
     * patterns z. The judge's rounding bounds use it. If both are 0, 16 + 4 d is assumed, which is not proved. */
    double roundings, roundings_per_feature;
};

struct solver_origin;

/* The families, NULL-terminated: the built-in ones, in the order of enum kernel_type, then the plugins'. */
const struct kernel_family *const *kernel_families_all(void);
/* Finds a family by name; NULL if there is none. */
const struct kernel_family *kernel_family_find(const char *name);
size_t kernel_family_count_parameters(const struct kernel_family *family);
/* The family's parameter of that name; NULL if it has none. */
const struct parameter *kernel_family_parameter(const struct kernel_family *family, const char *name);
/* Whether any family has a parameter of that name. */
int kernel_families_know_parameter(const char *name);

/* Appends all families (NULL-terminated) or none. The families and *origin are borrowed until kernel_families_remove.
 * STATUS_BAD_INPUT, with a message that begins with origin->file, if a family is invalid or its name is taken. Like
 * solvers_add, it must be called before threads start. */
enum status kernel_families_add(const struct kernel_family *const *families, const struct solver_origin *origin,
                                struct error *error);
/* Removes the families added last, if they are of that origin. */
void kernel_families_remove(const struct solver_origin *origin);
/* NULL for a built-in family. */
const struct solver_origin *kernel_family_origin(const struct kernel_family *family);

#endif
