/* Generates problems from their numbers (instance.h). */
#include "harness/verify/instance.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/stats/distributions.h"

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
static const char *const family_names[] = {
    [OVERLAPPING] = "overlapping classes",        [SEPARABLE] = "separable classes",
    [POLYNOMIAL] = "overlapping classes, polynomial",             [DUPLICATES] = "every pattern twice",
    [ONE_SAMPLE] = "one pattern in class +1",     [TOUCHING] = "a pattern that both classes share",
    [ZERO_ROW] = "a row of zeros in the kernel",  [OFFSET] = "patterns far from the origin",
    [ALIKE] = "all patterns of class -1 equal",   [SMALL_SCALE] = "patterns scaled by 1e-3",
};
_Static_assert(sizeof family_names / sizeof *family_names == FAMILIES, "one name each");

static const struct kernel linear = {.type = KERNEL_LINEAR}, rbf = {.type = KERNEL_RBF, .width = 4},
                           wide = {.type = KERNEL_RBF, .width = 100},
                           square = {.type = KERNEL_POLYNOMIAL, .degree = 2, .scale = 1, .offset = 1};

static struct kernel kernel_of(enum family family, unsigned turn)
{
    switch (family) {
    case SEPARABLE:
    case TOUCHING:
    case ZERO_ROW:
        return linear;
    case OFFSET:
        return turn % 2 ? linear : rbf;
    case POLYNOMIAL:
        return square;
    case ALIKE:
        return wide;
    case SMALL_SCALE:
        return turn % 2 ? wide : linear;
    default:
        return rbf;
    }
}

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
    int is_small = number <= SMALL_INSTANCES;
    enum family family = is_small ? (enum family)((number - 1) % FAMILIES) : OVERLAPPING;
    struct instance *instance = pool_alloc(pool, sizeof *instance);
    gsl_rng *rng = random_numbers(number);
    instance->number = number;
    instance->family = family_names[family];
    instance->n = is_small              ? 2 + (number - 1) * (MAX_SMALL - 1) / SMALL_INSTANCES
                  : number < FIRST_LONG ? MAX_INSTANCE
                                        : LONG_SIZE;
    instance->dims = 1 + number % MAX_INSTANCE_DIMS;
    instance->kernel = kernel_of(family, number / FAMILIES);
    draw(instance, family, rng);
    gsl_rng_free(rng);
    make_special(instance, family);
    for (size_t i = 0; i < instance->n; i++)
        instance->rows[i] = i;
    open_kernel(pool, instance, simd);
    return instance;
}

void instance_describe(const struct instance *instance, char *text, size_t size)
{
    char kernel[64];
    if (instance->kernel.type == KERNEL_RBF)
        snprintf(kernel, sizeof kernel, "rbf of width %g", instance->kernel.width);
    else if (instance->kernel.type == KERNEL_POLYNOMIAL)
        snprintf(kernel, sizeof kernel, "polynomial of degree %u", instance->kernel.degree);
    else
        snprintf(kernel, sizeof kernel, "linear");
    snprintf(text, size, "problem %u (seed %u, N = %zu, %s kernel, %s)", instance->number, instance->number,
             instance->n, kernel, instance->family);
}

double instance_least_mu(const struct instance *instance)
{
    size_t count[2] = {0, 0};
    for (size_t i = 0; i < instance->n; i++)
        count[instance->y[i] < 0]++;
    return 1 / (double)(count[0] < count[1] ? count[0] : count[1]);
}
