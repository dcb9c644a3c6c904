/*
 * Rounding error bounds. u = 2^-53, gamma_k = k u / (1 - k u); the data, the kernel's parameters and the multipliers
 * are taken as exact. (Higham 2002, Sections 3.1 and 3.3.)
 *
 * Kernel values. Each pattern has a size s_j with |k_ij| <= s_i s_j and an error of at most kappa s_i s_j:
 *
 * d is the number of features, or of values that are not 0 in two rows: other terms are exact.
 *
 *   linear        sum of d products: kappa = gamma_d, s_j = |x_j| = sqrt k_jj (Cauchy-Schwarz)
 *   polynomial    (|scale| |x_i| |x_j| + |offset|)^p <= s_i s_j with s_j^2 = (|scale| |x_j|^2 + |offset|)^p. The base
 *                 has d + 2 roundings, its power by repeated squaring p - 1: kappa = gamma_(p (d + 3))
 *   rbf           distances are sums of differences, so an offset of the data has no effect. The exponent q has d + 3
 *                 roundings, q exp(-q) <= 1/e, exp has at most two: kappa = gamma_(d + 3) / e + 2 u, s_j = 1
 *   precomputed   exact. |k_ij| <= s_i s_j with s_j^2 = max_i |k_ij|, even if the table is not positive semidefinite
 *   plugin        kappa as stated by the plugin (kernel_family.h), or (16 + 4 d) u; s_j = sqrt k_jj if the kernel is
 *                 positive semidefinite, otherwise as for a table
 *
 * A ridge increases s_j^2 and adds two roundings, for its own division and for the addition. Below 2^-1022 errors are
 * absolute, about 2^-1074 per operation.
 *
 * Products. With m nonzero multipliers alpha_i, S = sum |alpha_i| s_i, and f_j = sum alpha_i y_i k_ij summed
 * sequentially, |df_j| <= (kappa + gamma_m) s_j S. An added coordinate s makes patterns (X_j, s) of size sqrt(s_j^2 +
 * s^2); its share is a sum of m terms and three operations. Sums of products: |d sum alpha_j f_j| <= sum |alpha_j|
 * |df_j| + gamma_(m+1) sum |alpha_j f_j|.
 *
 * Hulls that meet. If the weights sum to 1 in each class, S is at most the sum of the two classes' largest s_i, so |d
 * |W|^2| <= (kappa + gamma_(n+4)) S^2 for all such weights. A single long pattern makes this bound large even if its
 * weight is 0, so a |W|^2 below the bound is also compared using the S of the actual weights. A solver's running sums
 * drift, too: t updates round each f_j by some u S^2. A random walk of t steps stays below eight times the root of t
 * such errors. This is not a bound; it only decides when to stop, and the recorded values are judged by the bounds
 * above.
 */
#include "harness/evaluate/rounding.h"

#include <float.h>

static const double unit = DBL_EPSILON / 2;
static const double smallest = 0x1p-1074;

double rounding_gamma(double k)
{
    return k * unit < 0.5 ? k * unit / (1 - k * unit) : HUGE_VAL;
}

double rounding_bound(double bound)
{
    return isnan(bound) ? HUGE_VAL : 1.01 * bound;
}

/* The most terms that are not 0 in a distance or product of two points, in whatever form patterns are stored. */
static double most_terms(const struct points *points)
{
    size_t most = 0;
    for (size_t j = 0; j < points->n && 2 * most < points->dims; j++) {
        const size_t count = patterns_row_nonzeros(&points->patterns, points->rows[j]);
        most = count > most ? count : most;
    }
    return fmin(2 * (double)most, (double)points->dims);
}

struct kernel_rounding rounding_of_kernel(const struct gram *gram)
{
    const struct kernel *kernel = gram_kernel(gram);
    double dims = kernel->type == KERNEL_OF_PLUGIN ? (double)gram_points(gram)->dims : most_terms(gram_points(gram)),
           p = kernel->degree, ridge = gram_ridge(gram) != 0 ? 2 * unit : 0;
    switch (kernel->type) {
    case KERNEL_LINEAR:
        return (struct kernel_rounding){rounding_gamma(dims) + ridge, dims * smallest};
    case KERNEL_POLYNOMIAL:
        return (struct kernel_rounding){rounding_gamma(p * (dims + 3)) + ridge, p * (dims + 2) * smallest};
    case KERNEL_RBF:
        return (struct kernel_rounding){0.37 * rounding_gamma(dims + 3) + 2 * unit + ridge, DBL_MIN};
    case KERNEL_OF_PLUGIN: {
        const struct kernel_family *family = kernel->family;
        int is_stated = family->roundings > 0 || family->roundings_per_feature > 0;
        double own = is_stated ? family->roundings + family->roundings_per_feature * dims : 16 + 4 * dims;
        return (struct kernel_rounding){rounding_gamma(own) + ridge, DBL_MIN};
    }
    default:
        return (struct kernel_rounding){ridge, 0};
    }
}

/* max_i |k_ij| of a plugin's kernel, without the ridge */
static double largest_value(const struct gram *gram, size_t j)
{
    const struct points *points = gram_points(gram);
    const struct simd *simd = gram_simd(gram);
    _Alignas(SIMD_ALIGNMENT) double part[SIMD_LANES];
    double largest = 0;
    for (size_t first = 0; first < points->n; first += SIMD_LANES) {
        size_t left = points->n - first, count = left < SIMD_LANES ? left : SIMD_LANES;
        kernel_part(simd, gram_kernel(gram), points, points->rows[j], first, SIMD_LANES, part);
        for (size_t i = 0; i < count; i++)
            largest = fmax(largest, fabs(part[i]));
    }
    return largest;
}

/* (|scale| |x_j|^2 + |offset|)^p */
static double polynomial_size2(struct gram *gram, size_t j)
{
    const struct kernel *kernel = gram_kernel(gram);
    const struct points *points = gram_points(gram);
    const double *x;
    const uint32_t *feature;
    double norm2 = 0, base, size2 = 1;
    size_t count = patterns_row(&points->patterns, points->rows[j], &x, &feature);
    for (size_t k = 0; k < count; k++)
        norm2 += x[k] * x[k];
    base = fabs(kernel->scale) * norm2 + fabs(kernel->offset);
    for (unsigned k = 0; k < kernel->degree; k++)
        size2 *= base;
    return size2;
}

double rounding_size2(struct gram *gram, size_t j)
{
    const struct kernel *kernel = gram_kernel(gram);
    const struct points *points = gram_points(gram);
    double size2 = 0;
    if (kernel->type == KERNEL_RBF)
        size2 = 1 + gram_ridge(gram);
    else if (kernel->type == KERNEL_PRECOMPUTED) {
        for (size_t i = 0; i < points->n; i++) /* max_i |k_ij| of the table supplied with the data */
            size2 = fmax(size2, fabs(points_value(points, j, points->rows[i])));
        size2 += gram_ridge(gram);
    } else if (kernel->type == KERNEL_POLYNOMIAL && !kernel_is_semidefinite(kernel))
        size2 = polynomial_size2(gram, j) + gram_ridge(gram);
    else if (!kernel_is_semidefinite(kernel))
        size2 = largest_value(gram, j) + gram_ridge(gram);
    else
        size2 = gram_diagonal(gram, j);
    return isnan(size2) ? HUGE_VAL : size2;
}

static double size_of(const struct product_rounding *products, size_t j)
{
    return sqrt(rounding_size2(products->gram, j) + products->added2);
}

static double added_of(const struct problem *problem, enum formulation formulation)
{
    return formulation == FORMULATION_MINIMUM_NORM ? parameter_get(&problem->parameters, &parameter_added) : 0;
}

struct product_rounding rounding_of_products(const struct judging *judging)
{
    const double added = added_of(judging->problem, judging->formulation), *alpha = judging->alpha;
    struct product_rounding products = {
        .n = judging->problem->n, .y = judging->problem->y, .alpha = alpha, .f = judging->products,
        .scratch = judging->scratch, .gram = judging->gram, .added2 = added * added};
    struct kernel_rounding kernel = rounding_of_kernel(judging->gram);
    double length = 0;
    for (size_t i = 0; i < products.n; i++) {
        if (alpha[i] == 0)
            continue;
        products.terms++;
        products.sum += fabs(alpha[i]);
        length += fabs(alpha[i]) * size_of(&products, i);
    }
    double roundings = products.terms + (added != 0 ? 3 : 0);
    products.relative = (kernel.relative + rounding_gamma(roundings)) * length;
    products.absolute = products.sum * kernel.absolute + roundings * smallest;
    return products;
}

double rounding_of_product(const struct product_rounding *products, size_t j)
{
    double bound = products->relative * size_of(products, j) + products->absolute;
    if (products->is_close)
        bound += unit * fabs(products->f[j]);
    return isnan(bound) ? HUGE_VAL : bound;
}

double rounding_of_sum(const struct product_rounding *products, double own, double size)
{
    return own + rounding_gamma(products->terms + 1) * size + products->terms * smallest;
}

struct meeting rounding_of_meeting(const struct problem *problem, enum formulation formulation, struct gram *gram,
                                   const double *alpha)
{
    double added = added_of(problem, formulation), largest[2] = {0, 0}, length = 0, n = (double)problem->n;
    if (!formulation_is_norm(formulation))
        return (struct meeting){0, 0};
    for (size_t j = 0; j < problem->n; j++) {
        if (alpha && alpha[j] == 0)
            continue;
        const double size = sqrt(rounding_size2(gram, j) + added * added);
        double *of_class = &largest[problem->y[j] < 0];
        *of_class = fmax(*of_class, size);
        length += alpha ? fabs(alpha[j]) * size : 0;
    }
    if (!alpha) /* S */
        length = formulation == FORMULATION_MINIMUM_NORM ? fmax(largest[0], largest[1]) : largest[0] + largest[1];
    struct kernel_rounding kernel = rounding_of_kernel(gram);
    double start = (kernel.relative + rounding_gamma(n + 4)) * length * length + 4 * (kernel.absolute + n * smallest);
    return (struct meeting){rounding_bound(start), 8 * unit * length * length};
}

const char *meeting_name(enum formulation formulation)
{
    return formulation == FORMULATION_NEAREST_POINTS ? "the hulls meet" : "the hull holds the origin";
}

double rounding_of_sums(const struct meeting *meeting, double updates)
{
    return meeting->start + meeting->drift * sqrt(updates);
}

double rounding_of_sums_at_most(const struct meeting *meeting, double updates)
{
    return meeting->start + 64 * meeting->drift * updates;
}

double rounding_least_norm2(const struct problem *problem, enum formulation formulation, const struct gram *gram)
{
    int is_bounded = formulation_is_norm(formulation) && kernel_is_semidefinite(gram_kernel(gram));
    return is_bounded ? gram_ridge(gram) / (double)problem->n : 0;
}

void extreme_largest(struct extreme *extreme, double figure, double bound)
{
    extreme->unknown |= isnan(figure) || !isfinite(bound);
    extreme->value = fmax(extreme->value, figure);
    extreme->with = fmax(extreme->with, figure + bound);
    extreme->without = fmax(extreme->without, figure - bound);
}

void extreme_smallest(struct extreme *extreme, double figure, double bound)
{
    extreme->unknown |= isnan(figure) || !isfinite(bound);
    extreme->value = fmin(extreme->value, figure);
    extreme->with = fmin(extreme->with, figure + bound);
    extreme->without = fmin(extreme->without, figure - bound);
}

double extreme_bound(const struct extreme *extreme)
{
    if (extreme->unknown)
        return HUGE_VAL;
    if (isinf(extreme->value))
        return 0; /* a sum of no terms */
    return fmax(extreme->with - extreme->value, extreme->value - extreme->without) + 2 * unit * fabs(extreme->value);
}
