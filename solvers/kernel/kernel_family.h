/*
 * Families of kernels: a function of two patterns with parameters. Configurations name a family and the values of its
 * parameters. Four are built in; plugins bring others (solvers/plugin.h):
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
 * A plugin's function is called for one value at a time, with the same arguments whatever the vector width, the number
 * of threads and the memory are. Compiled with -ffp-contract=off it gives the same bits in all of them. exp, log and
 * the like come from the installed C library: with another one the last digits may differ.
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

/* A constant that lasts as long as the program. */
struct kernel_family {
    const char *name;      /* "type" in configurations and records: a-z, 0-9 and - */
    const char *meaning;   /* the formula, for `hullbench list kernels` */
    enum kernel_type type; /* KERNEL_OF_PLUGIN for a plugin's */
    const struct parameter *const *parameters; /* at most KERNEL_MAX_PARAMETERS, NULL-terminated (PARAMETERS), in the
                                                  order in which records show them; NULL: none */
    int is_semidefinite; /* nonzero: in exact arithmetic, every kernel matrix is positive semidefinite, for all values
                            of the parameters */
    /* The value, by exactly one of three functions. `values` are those of `parameters`, in their order. A function of
     * |x - z|^2 or of x.z is faster: distances and inner products are computed by the loops of the built-in kernels,
     * and kept for other values of the parameters. NULL in built-in families. Several threads may call it at
     * once. */
    double (*of_distance)(double squared_distance, const double *values);
    double (*of_inner_product)(double inner_product, const double *values);
    double (*of_samples)(const double *x, const double *z, size_t dims, const double *values);
    /* How far rounding may move a value of d features: |dk(x, z)| <= (roundings + roundings_per_feature d) 2^-53 s(x)
     * s(z), where s(x)^2 = k(x, x) for a positive semidefinite kernel, else the largest |k(x, z)| of the training
     * samples z. The judge's bounds of rounding rest on it. Both 0: 16 + 4 d is assumed, which is not proved. */
    double roundings, roundings_per_feature;
};

struct solver_origin;

/* The families, NULL-terminated, those built in first, in the order of enum kernel_type. */
const struct kernel_family *const *kernel_families_all(void);
/* By name; NULL when there is none. */
const struct kernel_family *kernel_family_find(const char *name);
size_t kernel_family_count_parameters(const struct kernel_family *family);
/* Its parameter of that name; NULL when it has none. */
const struct parameter *kernel_family_parameter(const struct kernel_family *family, const char *name);
/* Whether any family has a parameter of that name. */
int kernel_families_know_parameter(const char *name);

/* Appends families (NULL-terminated), all of them or none; they and *origin are borrowed until
 * kernel_families_remove. STATUS_BAD_INPUT, with a message that begins with origin->file, when one of them is not sound
 * or has the name of another. As solvers_add: before threads are started. */
enum status kernel_families_add(const struct kernel_family *const *families, const struct solver_origin *origin,
                                struct error *error);
/* Takes back what was added last, where it is of that origin. */
void kernel_families_remove(const struct solver_origin *origin);
/* NULL for a family that is built in. */
const struct solver_origin *kernel_family_origin(const struct kernel_family *family);

#endif
