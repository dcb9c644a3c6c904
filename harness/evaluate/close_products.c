/*
 * Products with about 100 bits (twofold.h), for judgements that rounding makes doubtful. They are computed from the
 * patterns, not from the kernel matrix:
 *
 *   linear        f_j = w . x_j with w = sum alpha_i y_i x_i
 *   polynomial, rbf, precomputed    f_j = sum alpha_i y_i k(x_i, x_j)
 *
 * and rounded to double at the end, with an error of u |f_j|. If the formulation has a bias b, an origin is subtracted
 * before. f_j is a difference of large numbers if the patterns are far from 0, but f_j + b is not, so the formulas of
 * the judge then add up small numbers:
 *
 *   linear kernel, half of the values not 0    x - c in place of x, c the mean; as sum y alpha = 0, the same problem
 *   other patterns and kernels       f_j - (-b)
 *
 * Bounds. A sum of m terms has m 3 u^2 of the sum of their sizes, so with sizes s_j as in rounding.c, but of x - c,
 * each product is within (m + d + 20) p 2^-100 max s_j sum |alpha_i| s_i, where 2^-100 covers some 60 u^2 and p is a
 * polynomial's degree, otherwise 1. Below 2^-969 errors are absolute. The exponential of an rbf kernel has 2^-90. A
 * ridge is 1/C rounded to double, so a product misses up to u alpha_j / C of it.
 *
 * sum y alpha is 0 only up to rounding. The judge's bounds include what that leaves of an origin (judge.c).
 */
#include "harness/evaluate/rounding.h"

#include <stdlib.h>

#include "harness/evaluate/twofold.h"

static const double unit = 0x1p-100, least = 0x1p-1040, of_exponential = 0x1p-90;

/* Walks the features of two rows, ascending, that at least one row stores. */
struct pair {
    const double *x, *z;
    const uint32_t *of_x, *of_z; /* NULL: every feature */
    size_t n_x, n_z, i, j;
};

static int next_feature(struct pair *pair, double *x, double *z)
{
    if (pair->i == pair->n_x && pair->j == pair->n_z)
        return 0;
    uint32_t at_x = pair->i == pair->n_x ? UINT32_MAX : pair->of_x ? pair->of_x[pair->i] : 0;
    uint32_t at_z = pair->j == pair->n_z ? UINT32_MAX : pair->of_z ? pair->of_z[pair->j] : 0;
    *x = at_x <= at_z ? pair->x[pair->i++] : 0;
    *z = at_z <= at_x ? pair->z[pair->j++] : 0;
    return 1;
}

static struct twofold base_value(const struct points *points, size_t i, size_t j, int is_distance)
{
    struct pair pair = {.i = 0};
    struct twofold sum = {0, 0};
    double x, z;
    pair.n_x = patterns_row(&points->patterns, points->rows[i], &pair.x, &pair.of_x);
    pair.n_z = patterns_row(&points->patterns, points->rows[j], &pair.z, &pair.of_z);
    while (next_feature(&pair, &x, &z)) {
        struct twofold apart = twofold_sum(x, -z);
        sum = twofold_plus(sum, is_distance ? twofold_times(apart, apart) : twofold_product(x, z));
    }
    return sum;
}

static struct twofold kernel_value(const struct kernel *kernel, const struct points *points, size_t i, size_t j)
{
    if (kernel->type == KERNEL_PRECOMPUTED)
        return (struct twofold){points_value(points, i, points->rows[j]), 0};
    struct twofold base = base_value(points, i, j, kernel->type == KERNEL_RBF), value = {1, 0};
    if (kernel->type == KERNEL_RBF)
        return twofold_exp_negative(twofold_over(base, kernel->width));
    base = twofold_plus(twofold_scaled(base, kernel->scale), (struct twofold){kernel->offset, 0});
    for (unsigned k = 0; k < kernel->degree; k++)
        value = twofold_times(value, base);
    return value;
}

/* ---- the linear kernel ---- */

/* W and the center, by feature. */
struct plane {
    struct twofold *w;
    double *center; /* NULL: the origin */
    size_t dims;
};

static double part_of(const struct plane *plane, size_t d)
{
    return plane->center ? plane->center[d] : 0;
}

static int plane_open(struct plane *plane, const struct points *points, int has_bias)
{
    double count = 0; /* of the values that are not 0; it does not depend on how the patterns are stored */
    *plane = (struct plane){.dims = points->dims};
    plane->w = calloc(plane->dims + 1, sizeof *plane->w);
    for (size_t i = 0; i < points->n; i++)
        count += (double)patterns_row_nonzeros(&points->patterns, points->rows[i]);
    if (!plane->w || !has_bias || 2 * count < (double)points->n * (double)points->dims)
        return plane->w != NULL;
    plane->center = calloc(plane->dims + 1, sizeof *plane->center);
    for (size_t i = 0; plane->center && i < points->n; i++)
        for (size_t d = 0; d < plane->dims; d++)
            plane->center[d] += points_value(points, i, d) / (double)points->n;
    return plane->center != NULL;
}

/* The features of a row that x - c may have: all of them with a center, otherwise those that are stored. */
struct row {
    const double *x;
    const uint32_t *feature; /* NULL: all */
    size_t stored, count, k;
};

static struct row row_of(const struct plane *plane, const struct points *points, size_t i)
{
    struct row row = {.k = 0};
    row.stored = patterns_row(&points->patterns, points->rows[i], &row.x, &row.feature);
    row.count = plane->center ? plane->dims : row.stored;
    return row;
}

/* The at-th feature of the row, ascending, and its value. */
static double row_next(struct row *row, const struct plane *plane, size_t at, size_t *d)
{
    if (!row->feature || !plane->center) {
        *d = row->feature ? row->feature[at] : at;
        return row->x[at];
    }
    *d = at;
    return row->k < row->stored && row->feature[row->k] == at ? row->x[row->k++] : 0;
}

static void plane_add(struct plane *plane, const struct points *points, size_t i, double coefficient)
{
    struct row row = row_of(plane, points, i);
    for (size_t k = 0; k < row.count; k++) {
        size_t d;
        double x = row_next(&row, plane, k, &d);
        plane->w[d] = twofold_plus(plane->w[d], twofold_scaled(twofold_sum(x, -part_of(plane, d)), coefficient));
    }
}

/* W . (x_j - c), and |x_j - c|. */
static struct twofold plane_product(const struct plane *plane, const struct points *points, size_t j, double *size)
{
    struct twofold sum = {0, 0};
    double norm2 = 0;
    struct row row = row_of(plane, points, j);
    for (size_t k = 0; k < row.count; k++) {
        size_t d;
        double x = row_next(&row, plane, k, &d);
        struct twofold value = twofold_sum(x, -part_of(plane, d));
        sum = twofold_plus(sum, twofold_times(plane->w[d], value));
        norm2 += value.high * value.high;
    }
    *size = sqrt(norm2);
    return sum;
}

/* ---- the products ---- */

struct work {
    const struct judging *judging;
    double ridge, middle, largest, length; /* length: sum |alpha_i| s_i */
    double distance;      /* |c| */
    double largest_alpha; /* the largest |alpha_i| */
    int is_finite;
};

static void keep_product(struct work *work, size_t j, struct twofold sum, double size)
{
    double own = work->judging->alpha[j] * work->judging->problem->y[j];
    sum = twofold_plus(sum, twofold_product(work->ridge, own));
    sum = twofold_plus(sum, (struct twofold){-work->middle, 0});
    size = sqrt(size * size + work->ridge);
    work->judging->products[j] = sum.high;
    work->is_finite &= isfinite(sum.high) != 0;
    work->largest = fmax(work->largest, size);
    work->length += fabs(own) * size;
    work->largest_alpha = fmax(work->largest_alpha, fabs(own));
}

static int linear_products(struct work *work, int has_bias, double *origin)
{
    const struct problem *problem = work->judging->problem;
    const struct points *points = gram_points(work->judging->gram);
    const double *alpha = work->judging->alpha;
    struct plane plane;
    int is_open = plane_open(&plane, points, has_bias);
    if (is_open && plane.center)
        work->middle = 0;
    for (size_t i = 0; is_open && i < problem->n; i++)
        if (alpha[i] != 0)
            plane_add(&plane, points, i, alpha[i] * problem->y[i]);
    for (size_t j = 0; is_open && j < problem->n; j++) {
        double size;
        struct twofold sum = plane_product(&plane, points, j, &size);
        keep_product(work, j, sum, size);
    }
    *origin = work->middle;
    if (is_open && plane.center) {
        struct twofold of_center = {0, 0}; /* W . c */
        double norm2 = 0;
        for (size_t d = 0; d < plane.dims; d++) {
            of_center = twofold_plus(of_center, twofold_scaled(plane.w[d], plane.center[d]));
            norm2 += plane.center[d] * plane.center[d];
        }
        *origin = of_center.high;
        work->distance = sqrt(norm2);
    }
    free(plane.w);
    free(plane.center);
    return is_open;
}

static void kernel_products(struct work *work)
{
    const struct problem *problem = work->judging->problem;
    struct gram *gram = work->judging->gram;
    const double *alpha = work->judging->alpha;
    for (size_t j = 0; j < problem->n; j++) {
        struct twofold sum = {0, 0};
        for (size_t i = 0; i < problem->n; i++)
            if (alpha[i] != 0)
                sum = twofold_plus(sum, twofold_scaled(kernel_value(gram_kernel(gram), gram_points(gram), i, j),
                                                       alpha[i] * problem->y[i]));
        keep_product(work, j, sum, sqrt(rounding_size2(gram, j)));
    }
}

/* The bound of every product before it is rounded to double. */
static double bound_of(const struct work *work, const struct product_rounding *rounding)
{
    const struct kernel *kernel = gram_kernel(work->judging->gram);
    double dims = (double)gram_points(work->judging->gram)->dims;
    double degree = kernel->type == KERNEL_POLYNOMIAL ? kernel->degree : 1;
    double relative = unit * (rounding->terms + dims + 20) * degree + (kernel->type == KERNEL_RBF ? of_exponential : 0);
    return relative * work->largest * work->length + 0x1p-53 * work->ridge * work->largest_alpha +
           least * (rounding->terms + dims + 20) * (1 + rounding->sum) * (1 + work->largest) +
           rounding_gamma(rounding->terms + 3) * rounding->added2 * rounding->sum;
}

int close_products(const struct judging *judging, double middle, struct product_rounding *rounding, double *origin)
{
    const struct kernel *kernel = gram_kernel(judging->gram);
    int has_bias = formulation_has_bias(judging->formulation);
    struct work work = {
        .judging = judging, .middle = has_bias ? middle : 0, .ridge = gram_ridge(judging->gram), .is_finite = 1};
    *origin = work.middle;
    if (kernel->type == KERNEL_OF_PLUGIN)
        return 0;
    if (kernel->type == KERNEL_LINEAR && !linear_products(&work, has_bias, origin))
        return 0;
    if (kernel->type != KERNEL_LINEAR)
        kernel_products(&work);
    rounding->relative = 0;
    rounding->absolute = bound_of(&work, rounding);
    rounding->is_close = 1;
    rounding->origin = work.middle;
    rounding->center = work.distance;
    rounding->largest = work.largest;
    return work.is_finite && isfinite(rounding->absolute) && isfinite(*origin);
}
